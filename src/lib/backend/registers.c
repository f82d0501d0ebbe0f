/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * registers.c - start and stop a set by registers that this process programs, with other processes
 * on the machine; and the backend of those sets that are not multiplexed.
 */
#include <string.h>

#include "backend/backend.h"
#include "claim/others.h"
#include "claim/stop_after.h"
#include "count/readers.h"

/* ---- start and stop, multiplexed or not ---- */

/* Determine what the set needs; nothing is changed yet. */
static int ready(struct uncore_set *set)
{
	int r = unc_choose_again(set);

	if (r == 0)
		r = unc_mark_samples(set);
	if (r == 0)
		r = unc_owner_ready(set);
	return r < 0 ? r : unc_stop_after_ready(set);
}

static void find_packages(const struct uncore_set *set, bool *packages)
{
	const struct unc_mux *mux = set->list->mux;
	const struct unc_machine *m = &set->u->machine;
	const struct unc_counted *t = &set->list->counted;
	const size_t n = m->topo.n_packages;

	memset(packages, 0, n * sizeof(*packages));
	if (mux)
		memcpy(packages, mux->packages, n * sizeof(*packages));
	else
		unc_run_packages(set->run, packages);
	/* which process counts an event is decided under the lock, so that only one does */
	for (size_t i = 0; set->u->owner_counts && i < m->n_boxes; i++)
		for (size_t e = 0; e < t->n; e++)
			if (m->boxes[i].type->free && unc_box_counts(&m->boxes[i], t->events[e]))
				packages[m->boxes[i].package] = true;
}

int unc_registers_start(struct uncore_set *set)
{
	struct uncore *u = set->u;
	const struct unc_list *list;
	unsigned which;
	uint64_t began;
	int r = ready(set);

	if (r < 0)
		return r;
	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r <= 0)
		return r < 0 ? r : UNC_WAIT;
	/* not earlier: reader threads keep the privileges that the process may drop */
	if (u->with_readers && !atomic_load(&u->readers))
		atomic_store(&u->readers, unc_readers_new(u->hw, &u->machine.topo));
	/* events that another process counts are left out first, which may leave nothing to
	 * multiplex */
	r = unc_owner_claim(set);
	if (r == 0)
		r = set->backend->go(set);
	if (r < 0)
		unc_others_unclaim(u, set);
	unc_others_end(u, u->packages);
	if (r < 0)
		return r;
	/* the time of the set begins when its boxes start */
	list = set->list;
	which = unc_which(atomic_load(&set->epoch) + 1);
	began = (uint64_t)atomic_load(&list->began);
	atomic_store(&list->base[which][list->counted.n], began);
	atomic_store(&list->last[which][list->counted.n], began);
	u->n_running++;
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

/*
 * anyway: if the lock holder does not release it, stop without it; frozen counters help no
 * process
 */
int unc_registers_stop(struct uncore_set *set, bool anyway)
{
	struct uncore *u = set->u;
	int r;

	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r != 1 && !anyway)
		return UNC_WAIT;
	if (r != 1)
		unc_others_unseen(set->run, u->packages);
	r = set->backend->halt(set);
	unc_others_unclaim(u, set);
	u->n_running--;
	unc_others_end(u, u->packages);
	return r;
}

/* ---- not multiplexed ---- */

/*
 * If starting failed for lack of rights, there may be nothing to restore; report the first
 * error.
 */
static void give_up(struct uncore_set *set)
{
	struct uncore *u = set->u;
	char why[UNCORE_ERRMSG_MAX];

	uncore_errmsg(u, why, sizeof(why));
	if (unc_release(set->run) < 0)
		unc_fail(&u->err, UNCORE_EIO, "%s", why);
}

/* The counters of other runs count for this one from the zero point on. */
static int take_running_base(struct uncore_set *set)
{
	const struct unc_run *run = set->run;
	const int r = unc_take_base(set);
	const int64_t at = (int64_t)set->list->scratch[set->list->counted.n];

	for (size_t i = 0; r == 0 && i < run->n_claimed; i++)
		unc_counter_of(set->u, run->claimed[i].box, run->claimed[i].assignment.counter)
			->looked = (struct unc_bracket){at, at};
	return r;
}

/* As late as possible if a counter is running already, and only then by another read. */
static int take_base(struct uncore_set *set)
{
	uint64_t *sums = set->list->scratch;
	const size_t n = set->list->counted.n;

	if (!unc_stands_still(set->run))
		return take_running_base(set);
	memset(sums, 0, n * sizeof(*sums));
	unc_reading_totals(atomic_load(&set->run->reading), sums);
	sums[n] = (uint64_t)unc_hw_now(set->u->hw);
	unc_begin_at(set, unc_clock(set->u->hw));
	return 0;
}

/*
 * If the thread was descheduled while it started a counter, it is not known since when that one
 * counts: the zero point is read.  Boxes that one write starts have promised to count for the same
 * time, and a set that stops by itself counts from the start on.
 */
static int take_late_base(struct uncore_set *set)
{
	struct unc_run *run = set->run;
	int r;

	if (run->program.frozen || run->stop_after)
		return 0;
	r = unc_take_base(set);
	if (r == 0)
		run->began = (int64_t)set->list->scratch[set->list->counted.n];
	return r;
}

static int registers_go(struct uncore_set *set)
{
	int r = unc_claim(set->run);

	if (r == 0 && set->run->stop_after)
		unc_stop_after_armed(set->run);
	if (r == 0 && set->u->wrap_poller.wanted)
		r = unc_wrap_poller_start(set->u);
	if (r == 0)
		r = take_base(set);
	if (r == 0)
		r = unc_go(set->run);
	if (r == 0 && 2 * set->run->doubt > UNC_DESCHEDULED_NS)
		r = take_late_base(set);
	if (r < 0)
		give_up(set);
	else
		atomic_store(&set->list->began, set->run->began);
	return r;
}

/* The counters are frozen: these are the last counts of the run. */
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

static int registers_halt(struct uncore_set *set)
{
	const int64_t now = unc_clock(set->u->hw);
	struct unc_program leaving = {.frozen = false};
	int r = unc_freeze_check_look(set->run, unc_stop_after_stopped);

	if (r == 0 && set->run->stop_after)
		r = unc_stop_after_latch(set->run);
	r = unc_halt(set->run, &leaving, r);
	take_last(set, now);
	return unc_part(set->run, &leaving, r, false);
}

/* ---- reading; signal-safe ---- */

static int read_all(struct uncore_set *set, uint64_t *sums, int64_t now)
{
	const struct unc_reading *reading =
		atomic_load_explicit(&set->run->reading, memory_order_acquire);
	struct uncore *u = set->u;
	struct unc_readers *readers = atomic_load_explicit(&u->readers, memory_order_acquire);

	return readers ? unc_readers_sum(readers, reading, u->hw, &u->err, sums, now)
		       : unc_reading_sum(reading, u->hw, &u->err, sums, now);
}

static int registers_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	struct uncore *u = set->u;
	const int64_t before = unc_hw_now_after(u->hw, now);
	int r;

	for (size_t e = 0; e < set->list->counted.n; e++)
		sums[e] = 0;
	r = read_all(set, sums, now);
	*when = unc_between(before, when->took ? before + when->took : unc_hw_now(u->hw));
	return r;
}

static int registers_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	const struct unc_run *run = set->run;
	const struct unc_reading *reading =
		atomic_load_explicit(&run->reading, memory_order_acquire);
	const int64_t base = atomic_load_explicit(&run->base_ns, memory_order_relaxed);
	const bool missed = unc_missed_wrap_find(reading, base, unc_clock(set->u->hw), worst);

	worst->event = unc_owner(&set->list->counted, worst->event);
	return missed;
}

/* ---- stop after n occurrences ---- */

static int registers_look(struct uncore_set *set)
{
	return unc_stop_after_look(set->run);
}

static int registers_rearm(struct uncore_set *set)
{
	return unc_stop_after_rearm(set->run);
}

const struct unc_backend unc_backend_registers = {
	.multiplexed = &unc_backend_multiplexed,
	.start = unc_registers_start,
	.stop = unc_registers_stop,
	.go = registers_go,
	.halt = registers_halt,
	.sum = registers_sum,
	.check = unc_check_registers,
	.times = unc_times_of_sums,
	.missed_wrap = registers_missed_wrap,
	.look = registers_look,
	.rearm = registers_rearm,
};

/* ---- a recording ---- */

static int recording_start(struct uncore_set *set)
{
	return unc_fail(&set->u->err, UNCORE_ENOSUPP,
			"cannot count on a recorded machine: simulate one like it with "
			"UNCORE_MACHINE=file:FILE:simulate");
}

const struct unc_backend unc_backend_recording = {
	.multiplexed = &unc_backend_recording,
	.start = recording_start,
	.times = unc_times_of_sums,
};
