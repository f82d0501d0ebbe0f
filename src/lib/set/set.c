/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - the life of an event set. */
#include <stdlib.h>
#include <string.h>

#include "set/set.h"

/* ---- create, destroy ---- */

/* Empty. */
static bool make_empty(struct uncore *u, struct uncore_set *set)
{
	set->u = u;
	set->backend = u->backend;
	set->run = unc_run_new(u, 0);
	return set->run && unc_list_new(u, NULL, NULL, NULL, 0, &set->list) == 0;
}

int uncore_set_create(struct uncore *u, struct uncore_set **out)
{
	const int r = unc_unopened(u);
	struct uncore_set *set;
	sigset_t before;

	*out = NULL;
	if (r < 0)
		return r;
	set = calloc(1, sizeof(*set));
	if (!set || !make_empty(u, set)) {
		unc_run_free(set ? set->run : NULL);
		free(set);
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for an event set");
	}
	*out = set;
	unc_lock(u, &before);
	set->next = u->sets;
	u->sets = set;
	unc_unlock(u, &before);
	return 0;
}

/* The list of events, and what counts it. */
static void drop(struct uncore_set *set)
{
	void *state = atomic_load(&set->state);

	unc_list_free(set->list);
	unc_run_free(set->run);
	if (state)
		set->backend->free(state);
}

static void unlink_set(struct uncore_set *set)
{
	struct uncore_set **link = &set->u->sets;

	while (*link && *link != set)
		link = &(*link)->next;
	if (*link)
		*link = set->next;
}

void uncore_set_destroy(struct uncore_set *set)
{
	struct uncore *u;
	sigset_t before;

	if (!set)
		return;
	u = set->u;
	uncore_set_stop(set);
	unc_lock(u, &before);
	unlink_set(set);
	drop(set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	unc_unlock(u, &before);
	unc_checks_free(set);
	unc_regions_free(set->regions);
	free(set);
}

/* ---- assign ---- */

/* next: the new state of the set. */
static int replace_list(struct uncore *u, struct uncore_set *set, struct uncore_set *next)
{
	struct uncore_set old = *set;
	int r = 0;

	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"cannot change the events of a running event set: stop it first");
	if (set->regions)
		return unc_fail(&u->err, UNCORE_ESTATE,
				"cannot change the events of a set whose regions have counts: use "
				"another set");
	next->list->interval = set->list->interval;
	next->list->refresh_us = set->list->refresh_us;
	if (next->list->counted.n)
		r = unc_choose_after(next, set);
	if (r < 0)
		return r;
	set->list = next->list;
	set->run = next->run;
	set->backend = next->backend;
	set->state = next->state;
	*next = old;
	return 0;
}

int uncore_set_assign_groups(struct uncore_set *set, const unsigned *ids, const unsigned *groups,
			     size_t n)
{
	struct uncore *u = set->u;
	struct uncore_set next = {.u = u, .backend = u->backend};
	sigset_t before;
	int r;

	if (set->list->counted.n_values == n &&
	    unc_counted_common(&set->list->counted, ids, groups, n) == n)
		return 0;
	r = unc_list_new(u, set->list, ids, groups, n, &next.list);
	if (r == 0)
		next.run = unc_run_new(u, next.list->counted.n);
	if (r == 0 && !next.run)
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	unc_lock(u, &before);
	if (r == 0)
		r = replace_list(u, set, &next);
	drop(&next); /* the previous list; the new one if it failed */
	unc_unlock(u, &before);
	return r;
}

int uncore_set_assign(struct uncore_set *set, const unsigned *ids, size_t n)
{
	return uncore_set_assign_groups(set, ids, NULL, n);
}

/* Plan the events again with new settings; if that fails, the settings do not change. */
static int change_interval(struct uncore *u, struct uncore_set *set, int64_t interval)
{
	struct unc_mux *old = set->list->mux;
	const int64_t before = set->list->interval;
	int r = 0;

	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"cannot change multiplexing of a running event set: stop it first");
	set->list->interval = interval;
	if (!old)
		return 0;
	set->list->mux = NULL;
	r = unc_choose(set);
	if (r == 0) {
		unc_mux_put(old);
		return 0;
	}
	set->list->interval = before;
	set->list->mux = old;
	return r;
}

int uncore_set_multiplex(struct uncore_set *set, unsigned interval_us)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r;

	if (interval_us && interval_us < UNCORE_MULTIPLEX_MIN_US)
		return unc_fail(&u->err, UNCORE_EINVAL,
				"multiplexing interval of %u us is too short: the minimum is %d us",
				interval_us, UNCORE_MULTIPLEX_MIN_US);
	unc_lock(u, &before);
	r = change_interval(u, set, (int64_t)interval_us * 1000);
	unc_unlock(u, &before);
	return r;
}
