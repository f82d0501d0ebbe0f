/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote_set.c - a set that uncored counts.  Its totals since the start, on top of the last sums
 * of the run before, stand for those of the registers, which nobody else has: zero points, metrics
 * and times are the same as elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

static int cannot(struct uncore *u, const char *what)
{
	return unc_fail(&u->err, UNCORE_ENOSUPP,
			"%s, which uncored does not do for others: it takes the rights to the "
			"registers themselves (UNCORE_ACCESS=direct)",
			what);
}

/* The daemon's counts begin at 0, the sums where those of the run before have ended. */
static void begin_at_last(struct uncore_set *set)
{
	struct unc_list *list = set->list;
	const _Atomic uint64_t *last = list->last[unc_which(atomic_load(&set->epoch))];

	for (size_t e = 0; e < list->n_sums; e++)
		list->scratch[e] = atomic_load(&last[e]);
	unc_begin_at(set, 0);
	atomic_store(&list->began, 0);
	atomic_store(&set->there_ns, 0);
}

/* By counted event: the name of the value that it is for.  NULL: out of memory. */
static const char **owners_of(const struct uncore_set *set)
{
	const struct unc_counted *counted = &set->list->counted;
	const char **owners = calloc(counted->n, sizeof(*owners));

	for (size_t e = 0; owners && e < counted->n; e++)
		owners[e] = unc_names_name(set->u->names,
					   counted->list[unc_owner(counted, (unsigned)e)]);
	return owners;
}

static int ask_to_start(struct uncore *u, struct uncore_set *set)
{
	const struct unc_counted *counted = &set->list->counted;
	const char **owners = u->owner_counts ? owners_of(set) : NULL;
	int r = unc_owner_ready(set);

	if (r == 0 && u->owner_counts && !owners)
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events", counted->n);
	if (r == 0)
		r = unc_remote_start(u->remote, counted->names, owners, counted->n, &set->there,
				     &u->err);
	if (r >= 0)
		set->elsewhere =
			(size_t)r == counted->n ? (unsigned)counted->n_values : (unsigned)r;
	free(owners);
	return r < 0 ? r : 0;
}

int unc_there_start(struct uncore *u, struct uncore_set *set)
{
	int r;

	if (set->mux)
		return cannot(u, "the events of this set have to take turns");
	if (set->run->stop_after)
		return cannot(u, "this set stops after a count");
	r = ask_to_start(u, set);
	if (r < 0)
		return r;
	begin_at_last(set);
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

/* From the daemon's counts, and its time, to sums. */
static void add_zero(const struct uncore_set *set, uint64_t *counts, int64_t enabled)
{
	const struct unc_list *list = set->list;

	if (list->counted.derived)
		counts[list->counted.n] = (uint64_t)enabled;
	for (size_t e = 0; e < list->n_sums; e++)
		counts[e] += atomic_load_explicit(&list->zero[e], memory_order_relaxed);
}

int unc_there_sum(struct uncore_set *set, uint64_t *sums)
{
	int64_t enabled = 0;
	const int r =
		unc_remote_read(set->u->remote, set->there, sums, set->list->counted.n, &enabled);

	if (r < 0)
		return r;
	atomic_store(&set->there_ns, enabled);
	add_zero(set, sums, enabled);
	return 0;
}

/* Without an answer the counts stay what was read last. */
int unc_there_stop(struct uncore_set *set)
{
	const unsigned epoch = atomic_load(&set->epoch);
	struct unc_list *list = set->list;
	const size_t n = list->counted.n;
	int64_t enabled = atomic_load(&set->there_ns);
	int r;

	memset(list->scratch, 0, n * sizeof(*list->scratch));
	r = unc_remote_stop(set->u->remote, set->there, list->scratch, n, &enabled, &set->u->err);
	atomic_store(&set->there_ns, enabled);
	add_zero(set, list->scratch, enabled);
	unc_remember(set, epoch, list->scratch, 0);
	atomic_store(&set->epoch, epoch + 1);
	return r;
}
