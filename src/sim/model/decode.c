/* SPDX-License-Identifier: BSD-3-Clause */
/* decode.c - an address as a register of a box. */
#include "sim/model/model.h"

/* `address` as an entry of a register bank; fails outside it. */
static bool in_bank(uint32_t address, uint32_t base, uint32_t step, unsigned n, unsigned *index)
{
	if (base == 0 || address < base || (step != 0 && (address - base) % step != 0))
		return false;
	*index = step != 0 ? (address - base) / step : address - base;
	return *index < n;
}

static bool in_list(uint32_t address, const uint16_t *list, unsigned n, unsigned *index)
{
	for (*index = 0; *index < n; (*index)++)
		if (list[*index] == address)
			return true;
	return false;
}

static bool decode_single(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	if (address == kind->box_ctl)
		ref->reg = SIM_REG_BOX_CTL;
	else if (address == kind->status)
		ref->reg = SIM_REG_STATUS;
	else if (address == kind->filter)
		ref->reg = SIM_REG_FILTER;
	else if (address == kind->filter_high)
		ref->reg = SIM_REG_FILTER_HIGH;
	else if (address == kind->fixed_ctl)
		ref->reg = SIM_REG_FIXED_CTL;
	else if (address == kind->fixed_ctr)
		ref->reg = SIM_REG_FIXED_CTR;
	else
		return false;
	return true;
}

static bool decode_counter(const struct sim_kind *kind, uint32_t address, unsigned *index)
{
	if (kind->counters != NULL)
		return in_list(address, kind->counters, kind->n_counters, index);
	return in_bank(address, kind->counter, kind->counter_step, kind->n_counters, index);
}

static bool decode(const struct sim_kind *kind, uint32_t address, struct sim_ref *ref)
{
	if (address == 0)
		return false;
	if (decode_single(kind, address, ref))
		return true;
	if (in_bank(address, kind->control, kind->control_step, kind->n_counters, &ref->index))
		ref->reg = SIM_REG_CONTROL;
	else if (decode_counter(kind, address, &ref->index))
		ref->reg = SIM_REG_COUNTER;
	return ref->reg != SIM_REG_NONE;
}

static bool decode_free(const struct sim_kind *kind, unsigned box, uint32_t address,
			struct sim_ref *ref)
{
	for (unsigned i = 0; i < kind->n_free; i++) {
		const struct sim_free *group = &kind->free[i];
		uint32_t shift = group->offsets != NULL ? group->offsets[box] : group->stride * box;
		unsigned number;

		if (address > shift &&
		    in_bank(address - shift, group->first, group->step, group->n, &number)) {
			*ref = (struct sim_ref){.reg = SIM_REG_FREE,
						.index = i * SIM_FREE_GROUP + number};
			return true;
		}
	}
	return false;
}

bool sim_decode(const struct sim_kind *kind, unsigned index, uint32_t address, struct sim_ref *ref)
{
	uint32_t shift = kind->offsets != NULL ? kind->offsets[index] : kind->stride * index;

	*ref = (struct sim_ref){0};
	if (address > shift && decode(kind, address - shift, ref))
		return true;
	return decode_free(kind, index, address, ref);
}
