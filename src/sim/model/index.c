/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index.c - a table of the boxes of MSRs, so that the duration of an access does not depend
 * on the number of boxes.
 */
#include <errno.h>
#include <stdlib.h>

#include "sim/model/model.h"

#define MSRS 0x4400 /* above all that the platforms have */

/* If several boxes have an address, the first one is used. */
static void add(struct sim *sim, size_t box, uint32_t msr)
{
	struct sim_ref ref;

	if (msr >= MSRS || sim->msrs[msr] != 0)
		return;
	if (sim_decode(sim->boxes[box].kind, sim->boxes[box].index, msr, &ref))
		sim->msrs[msr] = (uint16_t)(box + 1);
}

static void add_bank(struct sim *sim, size_t box, uint32_t first, uint32_t step, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		add(sim, box, first + step * i);
}

/* Registers of a slice of the L3 cache without a core. */
static bool is_spare(const struct sim *sim, const struct sim_box *box)
{
	return box->kind->n_boxes == 0 && box->kind->count == NULL && box->index >= sim->cores;
}

static void add_box(struct sim *sim, size_t number)
{
	const struct sim_box *box = &sim->boxes[number];
	const struct sim_kind *kind = box->kind;
	uint32_t shift =
		kind->offsets != NULL ? kind->offsets[box->index] : kind->stride * box->index;
	const uint32_t single[] = {kind->box_ctl,     kind->status,    kind->filter,
				   kind->filter_high, kind->fixed_ctl, kind->fixed_ctr};

	for (unsigned i = 0; i < sizeof(single) / sizeof(single[0]); i++)
		add(sim, number, single[i] + shift);
	add_bank(sim, number, kind->control + shift, kind->control_step, kind->n_counters);
	add_bank(sim, number, kind->counter + shift, kind->counter_step, kind->n_counters);
	for (unsigned i = 0; kind->counters != NULL && i < kind->n_counters; i++)
		add(sim, number, kind->counters[i] + shift);
	for (unsigned i = 0; i < kind->n_free; i++) {
		const struct sim_free *group = &kind->free[i];

		shift = group->offsets != NULL ? group->offsets[box->index]
					       : group->stride * box->index;
		add_bank(sim, number, group->first + shift, group->step, group->n);
	}
}

int sim_index_build(struct sim *sim)
{
	sim->msrs = calloc(MSRS, sizeof(*sim->msrs));
	if (sim->msrs == NULL)
		return -ENOMEM;
	for (size_t i = 0; sim->platform->space == NULL && i < sim->n_boxes; i++)
		if (sim->boxes[i].kind->access == SIM_BY_MSR &&
		    !(sim->silent && is_spare(sim, &sim->boxes[i])))
			add_box(sim, i);
	return 0;
}

struct sim_box *sim_index_find(const struct sim *sim, unsigned package, uint32_t msr)
{
	if (msr >= MSRS || sim->msrs[msr] == 0)
		return NULL;
	return &sim->boxes[package * sim->n_boxes + sim->msrs[msr] - 1];
}
