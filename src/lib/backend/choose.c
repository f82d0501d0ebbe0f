/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - plan the events of a set, and choose its backend. */
#include <string.h>

#include "backend/backend.h"
#include "claim/stop_after.h"

/* ---- counters ---- */

static bool is_idle(const struct uncore *u, const struct unc_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (u->uses[l->at[i].box].n)
			return false;
	return true;
}

/* The layout is the one for idle boxes, and they are idle. */
static bool stands(const struct uncore *u, const struct unc_run *run)
{
	return run->layout_idle && is_idle(u, &run->layout);
}

/* Plan around the counters in use. first: index of the first event that is not in the layout. */
static int extend_layout(struct uncore_set *set, size_t first)
{
	const struct unc_counted *list = &set->list->counted;
	struct unc_layout *l = &set->run->layout;
	struct uncore *u = set->u;
	char why[UNCORE_ERRMSG_MAX];
	int r;

	r = unc_layout_extend(l, &u->machine, u->uses, list->events, list->names, first, list->n);
	set->run->layout_idle = r == 0 && is_idle(u, l);
	if (r == UNCORE_ENOMEM)
		return unc_fail(&u->err, r, "out of memory while planning %zu events", list->n);
	unc_counted_conflict(list, l->conflict, l->n_conflict, l->reason, why, sizeof(why));
	return r < 0 ? unc_fail(&u->err, r, "%s", why) : 0;
}

static int make_layout(struct uncore_set *set)
{
	unc_layout_free(&set->run->layout);
	return extend_layout(set, 0);
}

static void move_entries(struct unc_layout *to, struct unc_layout *from)
{
	to->n = from->n;
	to->room = from->room;
	to->at = from->at;
	from->n = from->room = 0;
	from->at = NULL;
}

static int start_multiplexing(struct uncore_set *set)
{
	struct unc_list *list = set->list;

	if (list->counted.levels)
		return unc_fail(
			&set->u->err, UNCORE_ECONFLICT,
			"cannot multiplex frequency limits, which are not counts: put them in an "
			"event set of their own");
	return unc_mux_get(set->u, &list->counted, list->interval, &list->mux);
}

static int choose_by(struct uncore_set *set, int r)
{
	if (r == UNCORE_ECONFLICT && set->list->interval && !set->run->stop_after)
		r = start_multiplexing(set);
	if (r == 0)
		set->backend = set->list->mux ? set->u->backend->multiplexed : set->u->backend;
	return r == 0 && set->backend->plan ? set->backend->plan(set) : r;
}

int unc_choose(struct uncore_set *set)
{
	return choose_by(set, make_layout(set));
}

static bool continues(const struct unc_counted *list, const struct unc_counted *before)
{
	return list->n >= before->n &&
	       memcmp(list->ids, before->ids, before->n * sizeof(*before->ids)) == 0;
}

int unc_choose_after(struct uncore_set *set, struct uncore_set *before)
{
	const struct unc_counted *list = &before->list->counted;
	struct unc_layout *l = &set->run->layout, *old = &before->run->layout;
	int r;

	if (before->list->mux || before->run->stop_after || !stands(set->u, before->run) ||
	    !continues(&set->list->counted, list))
		return unc_choose(set);
	move_entries(l, old);
	r = choose_by(set, extend_layout(set, list->n));
	if (r < 0 || set->list->mux)
		move_entries(old, l);
	return r;
}

int unc_choose_again(struct uncore_set *set)
{
	return set->list->mux || stands(set->u, set->run) ? 0 : unc_choose(set);
}

/* ---- sets that stop after n occurrences ---- */

int unc_mark_samples(struct uncore_set *set)
{
	struct unc_run *run = set->run;
	struct uncore *u = set->u;
	char reason[UNCORE_ERRMSG_MAX];
	int r;

	if (!run->stop_after)
		return 0;
	r = unc_samples_assign(&run->stop_after->samples, &run->layout, &u->machine,
			       set->list->counted.names, reason, sizeof(reason));
	return r < 0 ? unc_fail(&u->err, r, "%s", reason) : 0;
}

/* A multiplexed event has no fixed counter: it may be in any box. */
static bool in_package(const struct unc_machine *m, const struct uncore_set *set, unsigned package)
{
	const struct unc_layout *l = &set->run->layout;

	if (set->list->mux)
		return true;
	for (size_t i = 0; i < l->n; i++)
		if (unc_freezes(&m->boxes[l->at[i].box], package))
			return true;
	return false;
}

int unc_stop_after_ready(const struct uncore_set *set)
{
	struct uncore *u = set->u;
	char name[UNC_DIE_NAME];

	for (const struct uncore_set *other = u->sets; other; other = other->next) {
		if (other == set || !unc_is_running(other) ||
		    (!set->run->stop_after && !other->run->stop_after))
			continue;
		for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
			if (in_package(&u->machine, set, p) && in_package(&u->machine, other, p))
				return unc_fail(
					&u->err, UNCORE_ECONFLICT,
					"%s: an event set with a stop condition stops all boxes, "
					"so no other set can count in the same package: stop the "
					"running set first",
					unc_die_name(name, &u->machine, p));
	}
	return 0;
}
