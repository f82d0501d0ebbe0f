/* filters.c - do filter registers show what is written to them? */
#include "session/core.h"

_Static_assert(UNC_MAX_FILTERS <= 64, "a bit for each filter register of a box");

/*
 * Not all bits that a user may ask for exist, and not all registers are documented
 * as readable.  One that shows something else right after it was written tells
 * nothing at the end.
 */
void unc_learn_filters(struct uncore *u, unsigned box, const struct unc_job *job)
{
	struct unc_site *site = &u->sites[unc_site_of_box(u, box)];
	struct uncore_op op;
	uint64_t value;

	for (unsigned f = 0; f < job->box->type->n_filters; f++) {
		const uint64_t bit = UINT64_C(1) << f;

		if (!unc_filter_check(job, f, &op))
			continue;
		if (unc_run_op(u->hw, &op, &value) < 0 || (value ^ op.value) & op.mask)
			site->unlike |= bit;
		else
			site->unlike &= ~bit;
	}
}
