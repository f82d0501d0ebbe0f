/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - the life of an event set. */
#include <stdlib.h>
#include <string.h>

#include "backend/multiplexed/mux.h"
#include "set/set.h"

/* ---- create, destroy ---- */

/* Of no events so far. */
static bool make_empty(struct uncore *u, struct uncore_set *set)
{
	set->u = u;
	set->run = unc_run_new(u, 0);
	return set->run && unc_list_new(u, NULL, NULL, 0, &set->list) == 0;
}

int uncore_set_create(struct uncore *u, struct uncore_set **out)
{
	struct uncore_set *set = calloc(1, sizeof(*set));
	sigset_t before;

	*out = NULL;
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

/* The list, and what would count it. */
static void drop(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;

	unc_list_free(set->list);
	unc_run_free(set->run);
	unc_kernel_free(atomic_load(&set->kernel));
	if (r)
		unc_mux_put(r);
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

bool unc_is_idle(const struct uncore *u, const struct unc_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (u->uses[l->at[i].box].n)
			return false;
	return true;
}

/* Plan around what runs. */
static int make_layout(struct uncore *u, struct uncore_set *set)
{
	const struct unc_counted *list = &set->list->counted;
	struct unc_layout *l = &set->run->layout;
	char why[UNCORE_ERRMSG_MAX];
	int r;

	unc_layout_free(l);
	r = unc_layout_make(l, &u->machine, u->uses, list->events, list->names, list->n);
	set->run->layout_idle = r == 0 && unc_is_idle(u, l);
	if (r == UNCORE_ENOMEM)
		return unc_fail(&u->err, r, "out of memory while planning %zu events", list->n);
	unc_counted_conflict(list, l->conflict, l->n_conflict, l->reason, why, sizeof(why));
	return r < 0 ? unc_fail(&u->err, r, "%s", why) : 0;
}

int unc_plan_list(struct uncore *u, struct uncore_set *set)
{
	const int r = make_layout(u, set);

	if (r != UNCORE_ECONFLICT || !set->list->interval || set->run->stop_after)
		return r;
	if (set->list->counted.levels)
		return unc_fail(
			&u->err, UNCORE_ECONFLICT,
			"events of this list have to take turns, and limits of frequency are "
			"in it, which are no counts: give them an event set of their own");
	return unc_mux_get(u, &set->list->counted, set->list->interval, &set->mux);
}

/* next: the set as it is to be. */
static int replace_list(struct uncore *u, struct uncore_set *set, struct uncore_set *next)
{
	struct uncore_set old = *set;
	int r = 0;

	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"the event set counts: stop it before its events are changed");
	if (set->regions)
		return unc_fail(&u->err, UNCORE_ESTATE,
				"regions have counts of this event set's events: take another set "
				"for other events");
	next->list->interval = set->list->interval;
	if (next->list->counted.n)
		r = unc_plan_list(u, next);
	if (r < 0)
		return r;
	set->list = next->list;
	set->run = next->run;
	set->mux = next->mux;
	set->kernel = next->kernel;
	*next = old;
	return 0;
}

int uncore_set_assign_groups(struct uncore_set *set, const unsigned *ids, const unsigned *groups,
			     size_t n)
{
	struct uncore *u = set->u;
	struct uncore_set next = {.u = u};
	sigset_t before;
	int r;

	if (unc_counted_is(&set->list->counted, ids, groups, n))
		return 0;
	r = unc_list_new(u, ids, groups, n, &next.list);
	if (r == 0)
		next.run = unc_run_new(u, next.list->counted.n);
	if (r == 0 && !next.run)
		r = unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	unc_lock(u, &before);
	if (r == 0)
		r = replace_list(u, set, &next);
	drop(&next); /* the former ones, unless it failed */
	unc_unlock(u, &before);
	return r;
}

int uncore_set_assign(struct uncore_set *set, const unsigned *ids, size_t n)
{
	return uncore_set_assign_groups(set, ids, NULL, n);
}

/* The events are planned again; what they were set to stays if that fails. */
static int change_interval(struct uncore *u, struct uncore_set *set, int64_t interval)
{
	struct unc_mux *old = set->mux;
	const int64_t before = set->list->interval;
	int r = 0;

	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"the event set counts: stop it before multiplexing is changed");
	set->list->interval = interval;
	if (!old)
		return 0;
	set->mux = NULL;
	r = unc_plan_list(u, set);
	if (r == 0) {
		unc_mux_put(old);
		return 0;
	}
	set->list->interval = before;
	set->mux = old;
	return r;
}

int uncore_set_multiplex(struct uncore_set *set, unsigned interval_us)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r;

	if (interval_us && interval_us < UNCORE_MULTIPLEX_MIN_US)
		return unc_fail(&u->err, UNCORE_EINVAL,
				"events cannot take turns every %u us: ask for %d or more",
				interval_us, UNCORE_MULTIPLEX_MIN_US);
	unc_lock(u, &before);
	r = change_interval(u, set, (int64_t)interval_us * 1000);
	unc_unlock(u, &before);
	return r;
}
