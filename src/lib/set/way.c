/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * way.c - sets that are counted elsewhere than by registers of this process.  Their totals since
 * the start, on top of the last sums of the run before, stand for those of the registers: zero
 * points, metrics and times are the same as elsewhere.
 */
#include "set/set.h"

void unc_way_begin(struct uncore_set *set)
{
	struct unc_list *list = set->list;
	const _Atomic uint64_t *last = list->last[unc_which(atomic_load(&set->epoch))];

	for (size_t e = 0; e < list->n_sums; e++)
		list->scratch[e] = atomic_load(&last[e]);
	unc_begin_at(set, 0);
	atomic_store(&list->began, 0);
	atomic_store(&set->there_ns, 0);
	atomic_store(&set->there_missed, false);
}

void unc_way_add_zero(const struct uncore_set *set, uint64_t *counts)
{
	const struct unc_list *list = set->list;

	for (size_t e = 0; e < list->counted.n; e++)
		counts[e] += atomic_load_explicit(&list->zero[e], memory_order_acquire);
}

int64_t unc_way_time(const struct uncore_set *set, int64_t enabled)
{
	const struct unc_list *list = set->list;

	return enabled +
	       (int64_t)atomic_load_explicit(&list->zero[list->counted.n], memory_order_acquire);
}

void unc_way_end(struct uncore_set *set, int64_t enabled)
{
	uint64_t *sums = set->list->scratch;

	atomic_store(&set->there_ns, enabled);
	unc_way_add_zero(set, sums);
	unc_remember(set, atomic_load(&set->epoch), sums, unc_way_time(set, enabled),
		     unc_clock(set->u->hw));
}
