/*
 * global.c - the PMON registers of a package as a whole: freeze, overflow
 * summary, number of boxes (facts, section 5).
 */
#include "model.h"

static void collect(struct sim *sim, unsigned package, struct sim_box *box)
{
	const struct sim_kind *kind = box->kind;
	unsigned share = kind->summary_share != 0 ? kind->summary_share : 1;
	unsigned bit;

	if (box->pending == 0)
		return;
	box->pending = 0;
	if (kind->summary_none || box->index >= kind->summary_boxes)
		return;
	bit = kind->summary + box->index / share;
	sim->package[package].status[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void catch_up(struct sim *sim, unsigned package)
{
	uint64_t now = sim_now(sim);

	for (size_t i = 0; i < sim->n_boxes; i++) {
		struct sim_box *box = &sim->boxes[package * sim->n_boxes + i];

		sim_box_catch_up(box, now);
		collect(sim, package, box);
	}
}

static bool status_index(const struct sim_global *global, uint32_t msr, unsigned *index)
{
	for (*index = 0; *index < SIM_STATUSES; (*index)++)
		if (global->status[*index] == msr)
			return true;
	return false;
}

bool sim_global_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	const struct sim_global *global = &sim->platform->global;
	struct sim_package *state = &sim->package[package];
	unsigned index;

	if (msr == 0)
		return false;
	if (msr == global->control) {
		*value = state->control;
		return true;
	}
	if (msr == global->config) {
		*value = sim->platform->config_boxes != NULL ? sim->platform->config_boxes(sim) : 0;
		return true;
	}
	if (!status_index(global, msr, &index))
		return false;
	catch_up(sim, package);
	*value = state->status[index];
	return true;
}

/* Asked for both, the package freezes. */
static bool write_control(struct sim *sim, unsigned package, uint64_t value)
{
	const struct sim_global *global = &sim->platform->global;
	struct sim_package *state = &sim->package[package];

	if ((value & ~(global->freeze | global->unfreeze | global->bits)) != 0)
		return false;
	catch_up(sim, package);
	if ((value & global->freeze) != 0)
		state->frozen = true;
	else if ((value & global->unfreeze) != 0)
		state->frozen = false;
	state->control = value & global->bits;
	return true;
}

bool sim_global_write(struct sim *sim, unsigned package, uint32_t msr, uint64_t value)
{
	const struct sim_global *global = &sim->platform->global;
	unsigned index;

	if (msr == 0)
		return false;
	if (msr == global->control)
		return write_control(sim, package, value);
	if (!status_index(global, msr, &index))
		return false;
	catch_up(sim, package);
	sim->package[package].status[index] &= ~value;
	return true;
}
