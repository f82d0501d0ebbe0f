/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.c - traffic of known size: each counter advances by the difference of its rates
 * with and without that traffic, times the duration of the traffic.
 */
#include <errno.h>
#include <string.h>

#include "sim/model/nodes.h"
#include "sim/model/rows.h"
#include "sim/pcie/pcie.h"

const struct sim_traffic *sim_load_at(const struct sim *sim, unsigned package)
{
	return sim->loading.on && package == sim->loading.package ? &sim->loading.traffic : NULL;
}

static void catch_up(struct sim *sim, unsigned package, uint64_t now)
{
	const struct sim_space *space = sim->platform->space;

	if (space != NULL) {
		space->catch_up(sim, package, now);
		return;
	}
	sim_overflow_look(sim, package, now);
	for (size_t i = 0; i < sim->n_boxes; i++)
		sim_box_catch_up(&sim->boxes[package * sim->n_boxes + i], now);
}

static double rate(const struct sim_box *box, unsigned i)
{
	const struct sim_space *space = box->sim->platform->space;

	return space != NULL ? space->rate(box, i) : sim_box_rate(box, i);
}

static double weight(const struct sim_box *box)
{
	const struct sim_space *space = box->sim->platform->space;

	return space != NULL ? space->weight(box) : sim_weight(box);
}

static bool stands(const struct sim_box *box, uint64_t now)
{
	if (box->sim->platform->space != NULL)
		return false; /* then it has no rate */
	return sim_box_frozen(box) || (box->halt != 0 && box->halt < now);
}

/* All of it belongs to one core, so a filter selects all or nothing of it. */
static double gain(struct sim_box *box, unsigned i, unsigned core)
{
	bool *on = &box->sim->loading.on;
	uint64_t asked = box->control[i];
	double without, with;

	if (box->kind->layout != NULL &&
	    !sim_select_core(box, &box->control[i], box->filter, core)) {
		box->control[i] = asked;
		return 0;
	}
	without = rate(box, i);
	*on = true;
	with = rate(box, i);
	*on = false;
	box->control[i] = asked;
	return with - without;
}

/* Of a load with an address, a slice sees the lines that it owns, in the place of its share. */
static double lines_here(const struct sim_box *box)
{
	const struct sim_loading *loading = &box->sim->loading;

	if (!loading->placed || !sim_is_slice(box->kind))
		return 1;
	return weight(box) > 0 ? loading->part[box->index] / weight(box) : 0;
}

static void count(struct sim_box *box, unsigned i, double lines)
{
	const uint64_t ones = UINT64_MAX >> (64 - box->kind->width);
	uint64_t *counter = &box->counter[i];

	if (lines >= 0)
		*counter = (*counter + (uint64_t)(lines + 0.5)) & ones;
	else if (*counter > (uint64_t)-lines) /* time in which a link is not idle */
		*counter -= (uint64_t)-lines;
}

static void count_all(struct sim *sim, unsigned core, double seconds, uint64_t now)
{
	for (size_t i = 0; i < sim->packages * sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[i];

		if (box->kind == NULL || stands(box, now))
			continue;
		const double share = lines_here(box) * sim_nodes_share(box);

		for (unsigned c = 0; c < box->kind->n_counters; c++)
			count(box, c, gain(box, c, core) * share * seconds);
	}
}

/* The package, cluster and kind of the memory. */
static void find_home(struct sim *sim, const struct sim_load *load)
{
	struct sim_loading *loading = &sim->loading;

	loading->home = load->near / sim->cores;
	loading->cluster = sim->numa->cpu[load->near];
	loading->hbm = false;
	for (size_t i = 0; load->node != 0 && i < sim->numa->n_nodes; i++) {
		const struct sim_node *node = &sim->numa->nodes[i];

		if (node->number != load->node - 1)
			continue;
		loading->home = node->package;
		loading->cluster = node->cluster;
		loading->hbm = node->hbm;
	}
}

/* The latencies and ratios of the package's traffic, with the lines of the load. */
static void describe(struct sim *sim, const struct sim_load *load)
{
	struct sim_loading *loading = &sim->loading;
	struct sim_traffic *traffic = &loading->traffic;
	const double per_s = 1e9 / (double)load->ns;
	const uint16_t own = sim->platform->read_opcode;

	loading->package = load->cpu / sim->cores;
	find_home(sim, load);
	*traffic = sim->traffic[loading->package];
	traffic->reads = (double)load->reads * per_s;
	traffic->writes = (double)load->writes * per_s;
	traffic->remote_reads = traffic->remote_writes = loading->home != loading->package;
	traffic->snoops = traffic->noncoherent = traffic->interrupts = 0;
	if (load->stay_ns > 0)
		traffic->local_ns = traffic->remote_ns = load->stay_ns;
	traffic->opcodes[0] =
		(struct sim_opcode){own != 0 ? own : traffic->read_opcode, SIM_OP_READ, 1, 1};
	traffic->opcodes[1] = (struct sim_opcode){traffic->store_opcode, SIM_OP_WRITE, 1, 1};
	traffic->opcodes[2] = (struct sim_opcode){.opcode = 0};
}

static void place(struct sim *sim, const struct sim_load *load)
{
	struct sim_loading *loading = &sim->loading;
	const uint64_t first = load->address / SIM_LINE;
	const uint64_t end = (load->address + load->bytes + SIM_LINE - 1) / SIM_LINE;

	loading->placed = load->bytes != 0;
	memset(loading->part, 0, sizeof(loading->part));
	for (uint64_t line = first; line < end; line++)
		loading->part[sim_hash_owner(&sim->hash, line * SIM_LINE)] +=
			1 / (double)(end - first);
}

int sim_load(struct sim *sim, const struct sim_load *load)
{
	sigset_t saved;
	uint64_t now;
	size_t n;

	sim_cpus(sim, &n);
	if (load->cpu >= n || load->near >= n || load->node > sim->numa->n_nodes)
		return -ENODEV;
	if (load->ns == 0 || load->bytes > SIM_MOST_PLACED)
		return -EINVAL;
	sim_lock(sim, &saved);
	now = sim_now(sim);
	for (unsigned p = 0; p < sim->packages; p++)
		catch_up(sim, p, now);
	describe(sim, load);
	place(sim, load);
	count_all(sim, load->cpu % sim->cores, (double)load->ns * 1e-9, now);
	sim_unlock(sim, &saved);
	return 0;
}

int sim_device_load(struct sim *sim, size_t endpoint, double share)
{
	sigset_t saved;
	uint64_t now;
	int r;

	sim_lock(sim, &saved);
	now = sim_now(sim);
	for (unsigned p = 0; p < sim->packages; p++)
		catch_up(sim, p, now);
	r = sim_pcie_set_share(sim, endpoint, share);
	sim_unlock(sim, &saved);
	return r;
}
