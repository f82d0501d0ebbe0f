/* SPDX-License-Identifier: BSD-3-Clause */
/* set.c - the life of an event set. */
#include <stdlib.h>
#include <string.h>

#include "plan/complete.h"
#include "session/mux.h"
#include "session/session.h"

/* ---- create, destroy ---- */

int uncore_set_create(struct uncore *u, struct uncore_set **out)
{
	struct uncore_set *set = calloc(1, sizeof(*set));
	sigset_t before;

	*out = set;
	if (!set)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for an event set");
	set->u = u;
	atomic_flag_clear(&set->spare_busy);
	unc_lock(u, &before);
	set->next = u->sets;
	u->sets = set;
	unc_unlock(u, &before);
	return 0;
}

static void drop_list(struct uncore_set *set)
{
	struct unc_mux *r = set->mux;

	unc_list_free(set);
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

/* What a start or a stop changes: in a forked child as another thread has left it half-way. */
static void free_run(struct uncore_set *set)
{
	if (unc_is_child(set->u))
		return;
	unc_reading_free(set);
	unc_program_free(&set->program);
	unc_watch_free(set);
	free(set->claimed);
}

void uncore_set_destroy(struct uncore_set *set)
{
	struct uncore *u;
	sigset_t before;

	if (!set)
		return;
	u = set->u;
	unc_lock(u, &before);
	unc_stop_locked(set);
	unlink_set(set);
	drop_list(set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	unc_unlock(u, &before);
	free_run(set);
	unc_stop_after_free(set);
	unc_checks_free(set);
	free(set);
}

size_t uncore_set_size(const struct uncore_set *set)
{
	return set->counted.n_values;
}

/* ---- assign ---- */

static bool take_counted(struct uncore_set *list)
{
	const struct unc_counted *t = &list->counted;

	if (!unc_list_alloc(list, t->n))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		list->ids[i] = t->ids[i];
		list->events[i] = t->events[i];
		list->names[i] = t->names[i];
	}
	if (!t->derived)
		return true;
	list->n_sums++;
	list->groups = calloc(t->n + 1, sizeof(*list->groups));
	if (list->groups)
		memcpy(list->groups, t->groups, t->n * sizeof(*t->groups));
	return list->groups != NULL;
}

static int list_fill(struct uncore *u, struct uncore_set *list, const unsigned *ids, size_t n)
{
	const int r = unc_counted_make(&list->counted, u->names, ids, n, &u->err);

	if (r == 0 && !take_counted(list))
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	return r;
}

static bool is_idle(const struct uncore *u, const struct unc_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (u->uses[l->at[i].box].n)
			return false;
	return true;
}

/* Plan around what runs. */
static int make_layout(struct uncore *u, struct uncore_set *set)
{
	char why[UNCORE_ERRMSG_MAX];
	int r;

	unc_layout_free(&set->layout);
	r = unc_layout_make(&set->layout, &u->machine, u->uses, set->events, set->names, set->n);
	set->layout_idle = r == 0 && is_idle(u, &set->layout);
	if (r == UNCORE_ENOMEM)
		return unc_fail(&u->err, r, "out of memory while planning %zu events", set->n);
	unc_counted_conflict(&set->counted, set->layout.conflict, set->layout.n_conflict,
			     set->layout.reason, why, sizeof(why));
	return r < 0 ? unc_fail(&u->err, r, "%s", why) : 0;
}

/* Beside each other if that is possible, else one after the other. */
static int plan_list(struct uncore *u, struct uncore_set *set)
{
	const int r = make_layout(u, set);

	if (r != UNCORE_ECONFLICT || !set->interval || set->stop_after)
		return r;
	return unc_mux_get(u, set, &set->mux);
}

static void take_list(struct uncore_set *set, struct uncore_set *list)
{
	drop_list(set);
	unc_stop_after_free(set);
	set->counted = list->counted;
	set->n = list->n;
	set->n_sums = list->n_sums;
	set->ids = list->ids;
	set->groups = list->groups;
	set->events = list->events;
	set->names = list->names;
	set->base[0] = list->base[0];
	set->base[1] = list->base[1];
	set->last[0] = list->last[0];
	set->last[1] = list->last[1];
	set->zero = list->zero;
	set->zero_time = list->zero_time;
	set->scratch = list->scratch;
	set->spare = list->spare;
	set->mux = list->mux;
	set->layout = list->layout;
	set->layout_idle = list->layout_idle;
}

static bool is_running(const struct uncore_set *set)
{
	return atomic_load(&set->epoch) & 1;
}

static bool same_list(const struct uncore_set *set, const unsigned *ids, size_t n)
{
	const struct unc_counted *t = &set->counted;

	return t->list && t->n_values == n &&
	       (n == 0 || memcmp(t->list, ids, n * sizeof(*ids)) == 0);
}

int uncore_set_assign(struct uncore_set *set, const unsigned *ids, size_t n)
{
	struct uncore *u = set->u;
	struct uncore_set list = {.u = u};
	sigset_t before;
	int r;

	if (same_list(set, ids, n))
		return 0;
	r = list_fill(u, &list, ids, n);
	unc_lock(u, &before);
	if (r == 0 && is_running(set))
		r = unc_fail(&u->err, UNCORE_ESTATE,
			     "the event set counts: stop it before its events are changed");
	list.interval = set->interval;
	if (r == 0 && n)
		r = plan_list(u, &list);
	if (r == 0)
		take_list(set, &list);
	else
		drop_list(&list);
	unc_unlock(u, &before);
	return r;
}

/* The events are planned again; what they were set to stays if that fails. */
static int change_interval(struct uncore *u, struct uncore_set *set, int64_t interval)
{
	struct unc_mux *old = set->mux;
	const int64_t before = set->interval;
	int r = 0;

	if (is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE,
				"the event set counts: stop it before multiplexing is changed");
	set->interval = interval;
	if (!old)
		return 0;
	set->mux = NULL;
	r = plan_list(u, set);
	if (r == 0) {
		unc_mux_put(old);
		return 0;
	}
	set->interval = before;
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

/* ---- start, stop ---- */

/* The time of metrics begins when the boxes are let go. */
static void take_time(struct uncore_set *set)
{
	const unsigned run = unc_run(atomic_load(&set->epoch) + 1);
	const uint64_t began = (uint64_t)atomic_load(&set->began);

	if (!set->counted.derived)
		return;
	atomic_store(&set->base[run][set->n], began);
	atomic_store(&set->last[run][set->n], began);
}

/* Without the rights to start there may be none to restore: the first reason counts. */
static void give_up(struct uncore *u, struct uncore_set *set)
{
	char why[UNCORE_ERRMSG_MAX];

	uncore_errmsg(u, why, sizeof(why));
	if (unc_release(u, set, 0) < 0)
		unc_fail(&u->err, UNCORE_EIO, "%s", why);
}

static int start_counters(struct uncore *u, struct uncore_set *set)
{
	int r = unc_claim(u, set);

	if (r == 0)
		unc_stop_after_armed(u, set);
	if (r == 0)
		r = unc_take_base(u, set);
	if (r == 0)
		r = unc_wrap_poller_start(u);
	if (r == 0)
		r = unc_go(u, set);
	if (r < 0)
		give_up(u, set);
	return r;
}

static int start_locked(struct uncore *u, struct uncore_set *set)
{
	int r = 0;

	if (is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set counts already");
	if (set->n == 0)
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set has no events");
	if (!set->mux && (!set->layout_idle || !is_idle(u, &set->layout)))
		r = plan_list(u, set);
	if (r == 0)
		r = unc_stop_after_assign(u, set);
	if (r == 0)
		r = unc_stop_after_ready(u, set);
	if (r == 0)
		r = set->mux ? unc_mux_start(set) : start_counters(u, set);
	if (r < 0)
		return r;
	take_time(set);
	u->n_running++;
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

int uncore_set_start(struct uncore_set *set)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	unc_lock(u, &before);
	r = start_locked(u, set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	unc_unlock(u, &before);
	return r;
}

static int stop_counters(struct uncore *u, struct uncore_set *set)
{
	int r = unc_watch_look(u, set, unc_stop_after_stopped);

	if (r == 0)
		r = unc_stop_after_latch(u, set);
	return unc_release(u, set, r);
}

int unc_stop_locked(struct uncore_set *set)
{
	struct uncore *u = set->u;
	int r;

	if (!is_running(set) || unc_is_child(u))
		return 0;
	r = set->mux ? unc_mux_stop(set) : stop_counters(u, set);
	u->n_running--;
	return r;
}

int uncore_set_stop(struct uncore_set *set)
{
	struct uncore *u = set->u;
	sigset_t before;
	int r;

	if (unc_is_child(u))
		return 0;
	unc_lock(u, &before);
	r = unc_stop_locked(set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	unc_unlock(u, &before);
	return r;
}
