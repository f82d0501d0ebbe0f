/* SPDX-License-Identifier: BSD-3-Clause */
/* filters.c - the expected values of filter registers while their events count. */
#include "plan/plan.h"

/* The bits of filter register f that the job's events own. */
static uint64_t owned_bits(const struct unc_job *j, unsigned f)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < j->n; i++)
		for (unsigned b = 0; b < j->assignments[i].n_bits; b++)
			if (j->assignments[i].bits[b].filter == f)
				mask |= j->assignments[i].bits[b].mask;
	return mask;
}

bool unc_filter_check(const struct unc_job *j, unsigned f, struct unc_op *op)
{
	const struct unc_box_type *t = j->box->type;
	const uint64_t mask = f < t->n_filters ? owned_bits(j, f) : 0;

	if (mask == 0 || !unc_register_op(j->machine, j->box, UNCORE_FILTER, f, op))
		return false;
	op->kind = UNCORE_READ;
	op->mask = mask;
	op->value = unc_filter_value(t, j->after->at, j->after->n, f) & mask;
	return true;
}

void unc_program_check_filters(struct unc_ops *ops, const struct unc_job *j, uint64_t except)
{
	struct unc_op op;

	for (unsigned f = 0; f < j->box->type->n_filters; f++)
		if (!(except >> f & 1) && unc_filter_check(j, f, &op))
			unc_ops_push(ops, op);
}

unsigned unc_filter_number(const struct unc_machine *m, unsigned box, const struct unc_op *op)
{
	const struct unc_box *b = &m->boxes[box];
	unsigned f = 0;

	while (f + 1u < b->type->n_filters) {
		const struct unc_op filter = unc_filter_op(m, b, f);

		if (filter.address == op->address && filter.unit == op->unit)
			break;
		f++;
	}
	return f;
}
