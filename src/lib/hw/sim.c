/* SPDX-License-Identifier: BSD-3-Clause */
/* sim.c - the simulated Xeon as an access method; the only caller of src/sim in the library. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/regs.h"
#include "sim/sim.h"

struct simulated {
	struct unc_hw hw;
	struct unc_simulator from;
	struct sim *sim;
};

static int sim_hw_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	const struct simulated *s = (const struct simulated *)hw;
	const struct unc_pci *p;

	if (op->space == UNCORE_MSR)
		return s->from.call->msr_read(s->sim, op->package, (uint32_t)op->address, value);
	if (op->space == UNCORE_MMIO)
		return s->from.call->mmio_read(s->sim, op->package, op->address, op->width, value);
	if (op->space == UNCORE_CPU)
		return s->from.call->cpu_msr_read(s->sim, op->unit, (uint32_t)op->address, value);
	p = &hw->topo->pci[op->unit];
	return s->from.call->pci_read(s->sim, p->segment, p->bus, p->devfn, (uint32_t)op->address,
				      op->width, value);
}

static int sim_hw_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	const struct simulated *s = (const struct simulated *)hw;
	const struct unc_pci *p;

	if (op->space == UNCORE_MSR)
		return s->from.call->msr_write(s->sim, op->package, (uint32_t)op->address, value);
	if (op->space == UNCORE_MMIO)
		return s->from.call->mmio_write(s->sim, op->package, op->address, op->width, value);
	if (op->space == UNCORE_CPU)
		return s->from.call->cpu_msr_write(s->sim, op->unit, (uint32_t)op->address, value);
	p = &hw->topo->pci[op->unit];
	return s->from.call->pci_write(s->sim, p->segment, p->bus, p->devfn, (uint32_t)op->address,
				       op->width, value);
}

static int map(const struct simulated *s, const struct unc_question *q)
{
	uint64_t value;
	const int r = s->from.call->mmio_read(s->sim, q->where, q->address, 32, &value);

	return r < 0 ? r
		     : s->from.call->mmio_read(s->sim, q->where, q->address + q->width - 4, 32,
					       &value);
}

/* Files need not be opened, and reads beyond a BAR fail anyway; the topology is complete. */
static int sim_hw_ask(struct unc_hw *hw, const struct unc_question *q, uint64_t answer[2])
{
	const struct simulated *s = (const struct simulated *)hw;
	uint32_t regs[4];
	int r;

	if (q->asked == UNC_ASKED_MAPPING)
		return map(s, q);
	if (q->asked != UNC_ASKED_CPUID)
		return 0;
	r = s->from.call->cpuid(s->sim, q->where, (uint32_t)(q->address >> 32),
				(uint32_t)q->address, regs);
	return unc_answer_cpuid(r, regs, answer);
}

static void sim_hw_signals_blocked(struct unc_hw *hw, bool blocked)
{
	const struct simulated *s = (const struct simulated *)hw;

	s->from.call->signals_blocked(s->sim, blocked);
}

static int64_t sim_hw_now(struct unc_hw *hw)
{
	const struct simulated *s = (const struct simulated *)hw;

	return (int64_t)s->from.call->now(s->sim);
}

static void sim_hw_explain(struct unc_hw *hw, const struct unc_op *op, int error, char *text,
			   size_t len)
{
	(void)hw;
	static const char spaces[][5] = {"MSR", "PCI", "MMIO", "MSR"};
	const bool cpu = op->space == UNCORE_CPU;

	snprintf(text, len, "simulated machine, %s %u, %s register %#" PRIx64 ": %s",
		 cpu ? "CPU" : "package", cpu ? op->unit : op->package, spaces[op->space],
		 op->address, strerror(-error));
}

static void sim_hw_close(struct unc_hw *hw)
{
	struct simulated *s = (struct simulated *)hw;

	s->from.call->close(s->sim);
	unc_simulator_close(&s->from);
	free(s);
}

static const struct unc_hw_ops sim_hw_ops = {
	.read = sim_hw_read,
	.write = sim_hw_write,
	.read_many = unc_read_each,
	.ask = sim_hw_ask,
	.now = sim_hw_now,
	.explain = sim_hw_explain,
	.close = sim_hw_close,
	.signals_blocked = sim_hw_signals_blocked,
};

/* NULL: the machine is not simulated in this process. */
static const struct simulated *simulated_here(const struct unc_hw *hw)
{
	return hw->ops == &sim_hw_ops ? (const struct simulated *)hw : NULL;
}

struct sim *unc_hw_sim(struct unc_hw *hw)
{
	const struct simulated *s = simulated_here(hw);

	return s ? s->sim : NULL;
}

bool unc_hw_sim_link(struct unc_hw *hw, size_t i, const char **path, const char **target)
{
	const struct simulated *s = simulated_here(hw);
	size_t n = 0;
	const struct sim_link *links = s ? s->from.call->links(s->sim, &n) : NULL;

	if (i >= n)
		return false;
	*path = links[i].path;
	*target = links[i].target;
	return true;
}

static const char *text_at(const struct sim_file *files, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, path) == 0)
			return files[i].text;
	return NULL;
}

const char *unc_hw_sim_file(struct unc_hw *hw, const char *path)
{
	const struct simulated *s = simulated_here(hw);
	const struct sim_file *of_devices, *of_nodes;
	size_t n_devices, n_nodes;
	const char *text;

	if (!s)
		return NULL;
	of_devices = s->from.call->files(s->sim, &n_devices);
	of_nodes = s->from.call->node_files(s->sim, &n_nodes);
	text = text_at(of_nodes, n_nodes, path);
	return text ? text : text_at(of_devices, n_devices, path);
}

int unc_hw_load(struct unc_hw *hw, const struct uncore_load *load)
{
	const struct simulated *s = simulated_here(hw);
	const struct sim_load request = {.cpu = load->cpu,
					 .near = load->memory_cpu,
					 .reads = load->reads,
					 .writes = load->writes,
					 .ns = load->ns,
					 .stay_ns = load->latency_ns,
					 .address = load->address,
					 .bytes = load->bytes,
					 .node = load->memory_node};

	return s ? s->from.call->load(s->sim, &request) : -ENOSYS;
}

/* ---- description of the machine ---- */

static int fill_cpus(struct unc_topology *topo, const struct simulated *s)
{
	size_t n;
	const struct sim_cpu *cpus = s->from.call->cpus(s->sim, &n);

	topo->cpus = calloc(n ? n : 1, sizeof(*topo->cpus));
	if (!topo->cpus)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < n; i++)
		topo->cpus[i] = (struct unc_cpu){cpus[i].id, cpus[i].package | cpus[i].die << 16,
						 (int)cpus[i].core};
	topo->n_cpus = n;
	return 0;
}

/* The physical package, with the die, of a node. */
static int package_of_node(const struct simulated *s, int number)
{
	size_t n, n_nodes;
	const struct sim_cpu *cpus = s->from.call->cpus(s->sim, &n);
	const struct sim_node *nodes = s->from.call->nodes(s->sim, &n_nodes);
	const unsigned dies = cpus[n - 1].die + 1;

	for (size_t i = 0; i < n_nodes; i++)
		if ((int)nodes[i].number == number)
			return (int)(nodes[i].package / dies | nodes[i].package % dies << 16);
	return -1;
}

static int fill_pci(struct unc_topology *topo, const struct simulated *s)
{
	size_t n;
	const struct sim_pci *pci = s->from.call->pci_devices(s->sim, &n);

	topo->pci = calloc(n ? n : 1, sizeof(*topo->pci));
	if (!topo->pci)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (pci[i].vendor != 0x8086)
			continue;
		topo->pci[topo->n_pci++] = (struct unc_pci){
			.segment = pci[i].segment,
			.bus = pci[i].bus,
			.devfn = pci[i].devfn,
			.device = pci[i].device,
			.near = package_of_node(s, pci[i].numa_node),
			.package = -1,
		};
	}
	return 0;
}

static int fill_topology(struct unc_topology *topo, const struct simulated *s)
{
	const struct sim_id id = s->from.call->id(s->sim);
	int r;

	memset(topo, 0, sizeof(*topo));
	snprintf(topo->vendor, sizeof(topo->vendor), "%s", id.vendor);
	topo->family = id.family;
	topo->model = id.model;
	topo->stepping = id.stepping;
	r = fill_cpus(topo, s);
	return r < 0 ? r : fill_pci(topo, s);
}

/* The events of this one are not libpfm4's, which has none of Intel processors on other
 * architectures. */
const char *unc_sim_hint(void)
{
	return ", and UNCORE_MACHINE=sim:icx simulates one";
}

struct unc_hw *unc_hw_simulated(const char *spec, struct unc_topology *topo, struct unc_err *err,
				int *code)
{
	char why[256] = "out of memory";
	struct unc_simulator simulator;
	struct simulated *s;
	int r;

	if (strncmp(spec, "sim:", 4) != 0) {
		*code = unc_fail(err, UNCORE_EINVAL,
				 "no machine %s; UNCORE_MACHINE takes native, sim:NAME, as in "
				 "sim:snbep:packages=2,cores=8, or file:FILE, a recording",
				 spec);
		return NULL;
	}
	*code = unc_simulator_open(&simulator, err);
	if (*code < 0)
		return NULL;
	s = calloc(1, sizeof(*s));
	r = s ? simulator.call->open(spec + strlen("sim:"), &s->sim, why, sizeof(why)) : -ENOMEM;
	if (r < 0) {
		free(s);
		unc_simulator_close(&simulator);
		*code = r == -ENOMEM ? UNCORE_ENOMEM : UNCORE_EINVAL;
		unc_fail(err, *code, "machine %s: %s", spec, why);
		return NULL;
	}
	s->from = simulator;
	s->hw.ops = &sim_hw_ops;
	s->hw.topo = topo;
	s->hw.where = UNC_SIMULATED;
	s->hw.stepped = s->from.call->is_virtual(s->sim);
	*code = fill_topology(topo, s);
	if (*code == 0)
		return &s->hw;
	unc_fail(err, *code, "machine %s: out of memory", spec);
	sim_hw_close(&s->hw);
	return NULL;
}
