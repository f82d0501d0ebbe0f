/* SPDX-License-Identifier: BSD-3-Clause */
/* shown_filters.c - do filter registers show what is written to them? */
#include "claim/handle.h"

_Static_assert(UNC_MAX_FILTERS <= 64, "a bit for each filter register of a box");

/*
 * Not all bits that a user may ask for exist, and not all registers are documented
 * as readable.  One that shows something else right after it was written tells
 * nothing at the end.
 */
bool unc_learn_filters(struct uncore *u, const struct unc_ops *verify)
{
	bool any = false;

	for (size_t i = 0; i < verify->n; i++) {
		const struct unc_op *op = &verify->op[i];
		const struct unc_scope whose = verify->whose[i];
		const uint64_t bit = unc_filter_bit(&u->machine, whose.box, op);
		uint64_t value;

		if (unc_run_op(u->hw, op, &value) < 0 || (value ^ op->value) & op->mask)
			u->groups[whose.group].unlike |= bit;
		else
			u->groups[whose.group].unlike &= ~bit;
		any |= (u->groups[whose.group].unlike & bit) != 0;
	}
	return any;
}
