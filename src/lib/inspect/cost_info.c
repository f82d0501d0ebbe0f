/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_info.c - public functions that report the cost of counting. */
#include "backend/cost.h"
#include "base/sized.h"
#include "set/set.h"

static int give(struct uncore *u, struct uncore_cost *out, struct unc_cost cost)
{
	const struct uncore_cost is = {.counters = cost.counters, .bytes = cost.bytes};

	return unc_give(&u->err, out, &is, UNC_SIZED(uncore_cost), 0);
}

int uncore_cost(struct uncore *u, const unsigned *ids, size_t n, struct uncore_cost *cost)
{
	const int r = unc_unopened(u);

	return r < 0 ? r : give(u, cost, unc_cost_at_least(u, ids, n));
}

int uncore_set_cost(struct uncore_set *set, struct uncore_cost *cost)
{
	if (!set->list->counted.n_values)
		return unc_fail(&set->u->err, UNCORE_EINVAL,
				"the event set has no events, so its cost is unknown: call "
				"uncore_set_assign() first");
	return give(set->u, cost, unc_set_cost(set));
}
