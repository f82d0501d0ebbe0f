/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * global.c - the PMON registers of a package as a whole: freeze, overflow
 * summary, number of boxes (docs/hardware/).
 */
#include "sim/pcie/pcie.h"

static void collect(struct sim_box *box)
{
	uint64_t fixed = box->pending >> SIM_FIXED & 1;
	uint64_t others = box->pending & ~(UINT64_C(1) << SIM_FIXED);
	unsigned bit, fixed_bit;
	uint64_t *status = sim_summary(box, 0, &bit);
	uint64_t *fixed_status = sim_summary(box, SIM_FIXED, &fixed_bit);

	if (others != 0 && status != NULL)
		*status |= UINT64_C(1) << bit;
	if (fixed_status != NULL)
		*fixed_status |= fixed << fixed_bit;
	box->pending = 0;
}

static void catch_up(struct sim *sim, unsigned package)
{
	uint64_t now = sim_now(sim);

	sim_overflow_look(sim, package, now);
	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];

		sim_box_catch_up(box, now);
		collect(box);
	}
}

static bool status_index(const struct sim_global *global, uint32_t msr, unsigned *index)
{
	for (*index = 0; *index < SIM_STATUSES; (*index)++)
		if (global->status[*index] == msr)
			return true;
	return false;
}

/*
 * Discovery: the global control of each table, whose bit 0 freezes all its units,
 * followed by one status bit per unit.
 */
struct global_reg {
	unsigned table;
	bool status;
	unsigned index; /* of the status */
};

static bool find_global(const struct sim_discovery *discovery, uint32_t msr,
			struct global_reg *global_reg)
{
	for (unsigned i = 0; discovery != NULL && i < discovery->tables; i++) {
		uint32_t first = discovery->control[i] + discovery->status_offset;

		if (discovery->control[i] == 0)
			continue;
		*global_reg = (struct global_reg){
			.table = i, .status = msr >= first, .index = msr - first};
		if (msr == discovery->control[i] ||
		    (msr >= first && global_reg->index < SIM_SUMMARY))
			return true;
	}
	return false;
}

static uint64_t read_global(struct sim *sim, unsigned package, const struct global_reg *global_reg)
{
	catch_up(sim, package);
	if (!global_reg->status)
		return sim->package[package].frozen >> global_reg->table & 1;
	return sim->package[package].summary[global_reg->table][global_reg->index];
}

static bool write_global(struct sim *sim, unsigned package, const struct global_reg *global_reg,
			 uint64_t value)
{
	struct sim_package *state = &sim->package[package];

	if (!global_reg->status && value > 1)
		return false;
	catch_up(sim, package);
	if (!global_reg->status)
		sim_overflow_forget(sim, package, global_reg->table);
	if (global_reg->status)
		state->summary[global_reg->table][global_reg->index] &= ~value;
	else
		state->frozen = (state->frozen & ~(1U << global_reg->table)) |
				(unsigned)value << global_reg->table;
	return true;
}

uint32_t sim_mapped_control_read(struct sim *sim, unsigned package)
{
	sigset_t saved;
	uint64_t value;

	sim_lock(sim, &saved);
	value = read_global(sim, package, &(const struct global_reg){.table = 0});
	sim_unlock(sim, &saved);
	return (uint32_t)value;
}

/* Nonexistent bits are ignored. */
void sim_mapped_control_write(struct sim *sim, unsigned package, uint32_t value)
{
	sigset_t saved;

	sim_lock(sim, &saved);
	write_global(sim, package, &(const struct global_reg){.table = 0}, value & 1);
	sim_unlock(sim, &saved);
}

bool sim_global_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	const struct sim_global *global = &sim->platform->global;
	struct sim_package *state = &sim->package[package];
	struct global_reg global_reg;
	unsigned index;

	if (msr == 0)
		return false;
	if (sim_pcie_msr(sim, package, msr, value))
		return true;
	if (msr == global->control) {
		*value = state->control;
		return true;
	}
	if (sim->platform->discovery != NULL && msr == sim->platform->discovery->table_msr) {
		*value = sim_discovery_address(sim, package);
		return true;
	}
	if (msr == global->config) {
		*value = sim->platform->config_boxes != NULL ? sim->platform->config_boxes(sim) : 0;
		return true;
	}
	if (find_global(sim->platform->discovery, msr, &global_reg)) {
		*value = read_global(sim, package, &global_reg);
		return true;
	}
	if (!status_index(global, msr, &index))
		return false;
	catch_up(sim, package);
	*value = state->status[index];
	return true;
}

/* If both are set, the package freezes. */
static bool write_control(struct sim *sim, unsigned package, uint64_t value)
{
	const struct sim_global *global = &sim->platform->global;
	struct sim_package *state = &sim->package[package];

	if ((value & ~(global->freeze | global->unfreeze | global->bits)) != 0)
		return false;
	catch_up(sim, package);
	if ((value & (global->freeze | global->unfreeze)) != 0)
		sim_overflow_forget(sim, package, 0);
	if ((value & global->freeze) != 0)
		state->frozen = 1;
	else if ((value & global->unfreeze) != 0)
		state->frozen = 0;
	state->control = value & global->bits;
	return true;
}

bool sim_global_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value)
{
	const struct sim_global *global = &sim->platform->global;
	struct global_reg global_reg;
	unsigned index;

	if (msr == 0)
		return false;
	if (find_global(sim->platform->discovery, msr, &global_reg))
		return write_global(sim, package, &global_reg, value);
	if (msr == global->control)
		return write_control(sim, package, value);
	if (!status_index(global, msr, &index))
		return false;
	catch_up(sim, package);
	sim->package[package].status[index] &= ~value;
	return true;
}
