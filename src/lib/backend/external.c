/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * external.c - for backends that count outside this process.  Their totals since the start,
 * added to the last sums of the previous run, take the place of sums of registers, so that zero
 * points, metrics and times work as for registers.
 */
#include "backend/backend.h"

static uint64_t last_sum(const struct uncore_set *set, size_t e)
{
	return atomic_load(&set->list->last[unc_which(atomic_load(&set->epoch))][e]);
}

void unc_external_begin(struct uncore_set *set)
{
	struct unc_list *list = set->list;

	for (size_t e = 0; e < list->n_sums; e++)
		list->scratch[e] = last_sum(set, e);
	unc_begin_at(set, 0);
	atomic_store(&list->began, (int64_t)list->scratch[list->counted.n]);
}

void unc_external_add_zero(const struct uncore_set *set, uint64_t *counts)
{
	const struct unc_list *list = set->list;

	for (size_t e = 0; e < list->counted.n; e++)
		counts[e] += atomic_load_explicit(&list->zero[e], memory_order_acquire);
}

int64_t unc_external_time(const struct uncore_set *set, int64_t enabled)
{
	return enabled + atomic_load_explicit(&set->list->began, memory_order_acquire);
}

void unc_external_end(struct uncore_set *set, int64_t enabled)
{
	const int64_t ended = unc_external_time(set, enabled);
	uint64_t *sums = set->list->scratch;

	unc_external_add_zero(set, sums);
	unc_remember(set, atomic_load(&set->epoch), sums, ended, unc_clock(set->u->hw));
	atomic_store(&set->list->ended, ended);
}

void unc_external_lost(struct uncore_set *set)
{
	atomic_store(&set->list->ended, (int64_t)last_sum(set, set->list->counted.n));
}
