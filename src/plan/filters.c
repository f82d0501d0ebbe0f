/* filters.c - what filter registers must still show at the end of a run. */
#include "plan/plan.h"

/* The bits of filter register f that the job's events own. */
static uint64_t owned_bits(const struct unc_job *j, unsigned f)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < j->n; i++)
		for (unsigned b = 0; b < j->settings[i].n_bits; b++)
			if (j->settings[i].bits[b].filter == f)
				mask |= j->settings[i].bits[b].mask;
	return mask;
}

void unc_program_check_filters(struct unc_ops *ops, const struct unc_job *j)
{
	const struct unc_box_type *t = j->box->type;

	for (unsigned f = 0; f < t->n_filters; f++) {
		const uint64_t mask = owned_bits(j, f);
		struct uncore_op op;

		if (mask == 0 || !unc_register_op(j->machine, j->box, UNCORE_FILTER, f, &op))
			continue;
		op.kind = UNCORE_READ;
		op.mask = mask;
		op.value = (unc_filter_value(j->after, f) | t->filters[f].always) & mask;
		unc_ops_push(ops, op);
	}
}
