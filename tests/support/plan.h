/* SPDX-License-Identifier: BSD-3-Clause */
// plan.h - the library's internal plans and registers.
#ifndef SUPPORT_PLAN_H
#define SUPPORT_PLAN_H

#include "set/inside.h"

namespace support
{

// uncore_plan() for a set that is stopped by one event.
int plan_stop_after(struct uncore *u, const unsigned *ids, size_t n,
		    const uncore_stop_after *stop_after, uint64_t cores, struct uncore_plan **plan);

// Assignment i of a plan that is feasible.
uncore_assignment_info assignment(const struct uncore_plan *plan, size_t i);

// Register n of a kind in box i, for the library's own register files.
bool register_op(const struct uncore *u, unsigned i, enum uncore_register which, unsigned n,
		 unc_op *op);

} // namespace support

#endif
