/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - start and stop an event set, beside other processes. */
#include <string.h>

#include "backend/multiplexed/mux.h"
#include "claim/others.h"
#include "claim/stop_after.h"
#include "count/readers.h"
#include "set/set.h"

/* The time of the set begins when its boxes begin to count. */
static void take_time(struct uncore_set *set)
{
	const unsigned which = unc_which(atomic_load(&set->epoch) + 1);
	const struct unc_list *list = set->list;
	const uint64_t began = (uint64_t)atomic_load(&list->began);

	atomic_store(&list->base[which][list->counted.n], began);
	atomic_store(&list->last[which][list->counted.n], began);
}

/* Without the rights to start there may be none to restore: the first reason counts. */
static void give_up(struct uncore *u, struct uncore_set *set)
{
	char why[UNCORE_ERRMSG_MAX];

	uncore_errmsg(u, why, sizeof(why));
	if (unc_release(set->run) < 0)
		unc_fail(&u->err, UNCORE_EIO, "%s", why);
}

static int claim_and_go(struct uncore *u, struct uncore_set *set)
{
	int r = unc_claim(set->run);

	if (r == 0)
		unc_stop_after_armed(set->run);
	if (r == 0)
		r = unc_wrap_poller_start(u);
	if (r == 0) /* the last before the start: what counts for others already counts on */
		r = unc_take_base(set);
	if (r == 0)
		r = unc_go(set->run);
	if (r < 0)
		give_up(u, set);
	else
		atomic_store(&set->list->began, set->run->began);
	return r;
}

static int start_counters(struct uncore *u, struct uncore_set *set)
{
	int r = unc_owner_claim(set);

	if (r == 0)
		r = set->mux ? unc_set_start_windows(set) : claim_and_go(u, set);
	if (r < 0)
		unc_others_unclaim(u, set);
	return r;
}

/* There is something to count, and it does not count yet. */
static int startable(struct uncore *u, const struct uncore_set *set)
{
	if (u->hw->replayed && !u->way)
		return unc_fail(&u->err, UNCORE_ENOSUPP,
				"this machine is a recording: it can be listed, shown and planned "
				"for, but nothing counts on it (UNCORE_MACHINE=file:FILE:simulate "
				"simulates one like it)");
	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set counts already");
	if (set->list->counted.n == 0)
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set has no events");
	return 0;
}

/* What the set needs is known, and nothing is changed so far. */
static int ready(struct uncore *u, struct uncore_set *set)
{
	const struct unc_run *run = set->run;
	int r = 0;

	if (!set->mux && (!run->layout_idle || !unc_is_idle(u, &run->layout)))
		r = unc_plan_list(u, set);
	if (r == 0)
		r = unc_stop_after_assign(set);
	if (r == 0)
		r = unc_owner_ready(set);
	return r < 0 ? r : unc_stop_after_ready(u, set);
}

/* Whose counters run all the time is settled under the lock, too: they are counted once. */
static void add_owned(const struct uncore_set *set, bool *packages)
{
	const struct unc_machine *m = &set->u->machine;
	const struct unc_counted *t = &set->list->counted;

	for (size_t i = 0; set->u->owner_counts && i < m->n_boxes; i++)
		for (size_t e = 0; e < t->n; e++)
			if (m->boxes[i].type->free && unc_box_counts(&m->boxes[i], t->events[e]))
				packages[m->boxes[i].package] = true;
}

static void find_packages(const struct uncore_set *set, bool *packages)
{
	const struct unc_mux *mux = set->mux;

	memset(packages, 0, set->u->machine.topo.n_packages * sizeof(*packages));
	if (mux)
		memcpy(packages, mux->packages,
		       set->u->machine.topo.n_packages * sizeof(*packages));
	else
		unc_run_packages(set->run, packages);
	add_owned(set, packages);
}

/* Not before: threads that there are keep rights that their process has dropped since. */
static void make_readers(struct uncore *u)
{
	if (u->with_readers && !atomic_load(&u->readers))
		atomic_store(&u->readers, unc_readers_new(u->hw, &u->machine.topo));
}

static int start_locked(struct uncore *u, struct uncore_set *set)
{
	int r = startable(u, set);

	if (r == 0 && u->way)
		return u->way->start(u, set);
	if (r == 0)
		r = ready(u, set);
	if (r < 0)
		return r;
	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r <= 0)
		return r < 0 ? r : UNC_WAIT;
	make_readers(u);
	r = start_counters(u, set);
	unc_others_end(u, u->packages);
	if (r < 0)
		return r;
	take_time(set);
	u->n_running++;
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

static int start(struct uncore *u, void *set)
{
	const int r = start_locked(u, set);

	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

int uncore_set_start(struct uncore_set *set)
{
	const int r = unc_refuse_child(set->u);

	return r < 0 ? r : unc_in_turn_or_busy(set->u, start, set);
}

/* The counters stand: their counts are the last ones of this run. */
static void take_last(struct uncore_set *set, int64_t now)
{
	const unsigned epoch = atomic_load(&set->epoch);
	const struct unc_run *run = set->run;
	struct unc_list *list = set->list;
	const size_t n = list->counted.n;

	atomic_store(&list->ended, run->ended);
	memcpy(list->scratch, run->sums, n * sizeof(*run->sums));
	if (run->summed)
		unc_remember(set, epoch, list->scratch, run->ended, now);
	unc_note_missed_wrap(list, run->missed, &run->missed_wrap);
	atomic_store(&set->epoch, epoch + 1);
}

static int stop_counters(struct uncore_set *set)
{
	const int64_t now = unc_clock(set->u->hw);
	struct unc_program leaving = {.frozen = false};
	int r = unc_watch_look(set->run, unc_stop_after_stopped);

	if (r == 0)
		r = unc_stop_after_latch(set->run);
	r = unc_halt(set->run, &leaving, r);
	take_last(set, now);
	return unc_part(set->run, &leaving, r, false);
}

/* anyway: whoever has the lock does not go on, and counters that stand are no use to anybody. */
static int stop_locked(struct uncore_set *set, bool anyway)
{
	struct uncore *u = set->u;
	int r;

	if (!unc_is_running(set))
		return 0;
	if (u->way)
		return u->way->stop(set);
	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r != 1 && !anyway)
		return UNC_WAIT;
	if (r != 1)
		unc_others_unseen(set->run, u->packages);
	r = set->mux ? unc_set_stop_windows(set) : stop_counters(set);
	unc_others_unclaim(u, set);
	u->n_running--;
	unc_others_end(u, u->packages);
	return r;
}

/* NULL: all sets, which other threads may make and destroy meanwhile. */
struct stop {
	struct uncore_set *set;
	bool anyway;
};

static int stop(struct uncore *u, void *arg)
{
	const struct stop *which = arg;
	int r = 0;

	if (which->set)
		r = stop_locked(which->set, which->anyway);
	for (struct uncore_set *set = which->set ? NULL : u->sets; set && r != UNC_WAIT;
	     set = set->next)
		r = stop_locked(set, which->anyway);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

static int stop_in_turn(struct uncore *u, struct uncore_set *set)
{
	struct stop one = {.set = set};
	int r;

	if (unc_is_child(u))
		return 0;
	r = unc_in_turn(u, stop, &one);
	one.anyway = true;
	return r == UNC_WAIT ? unc_in_turn(u, stop, &one) : r;
}

void unc_stop_all(struct uncore *u)
{
	stop_in_turn(u, NULL);
}

int uncore_set_stop(struct uncore_set *set)
{
	return stop_in_turn(set->u, set);
}
