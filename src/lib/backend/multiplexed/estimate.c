/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.c - what windows have given, without a lock.
 *
 * Between two windows of an event its rate is taken to be that of the last one, so
 *
 *	estimate = counts of all windows + for each gap: count / length of the window
 *		   before it * length of the gap
 *
 * (the gap before the first window goes by the first window).  With equal windows that
 * is count * enabled / running; it never goes backwards, and the difference of two
 * estimates depends on nothing that happened long before.
 *
 * There are two copies of what is known.  The writer, one at a time, turns readers to
 * the second copy, changes the first one, turns them back and changes the second one.
 * A reader that finds the sequence number changed has read a mixture and tries again;
 * a reader is never kept waiting by a writer that does not get on.
 */
#include "backend/multiplexed/mux.h"

#define TRIES 8 /* there are two changes per window, and a read is far shorter than a window */

/* rate * time does not fit 64 bits */
__extension__ typedef unsigned __int128 wide;

/* Each access is ordered, so that a change is seen after the number that announces it. */
#define get(field)        atomic_load_explicit(&(field), memory_order_acquire)
#define put(field, value) atomic_store_explicit(&(field), (value), memory_order_release)

static uint64_t scaled(uint64_t count, int64_t time, int64_t length)
{
	if (time <= 0 || length <= 0)
		return 0;
	return (uint64_t)(((wide)count * (uint64_t)time + (uint64_t)length / 2) / (uint64_t)length);
}

/* ---- writer ---- */

static struct unc_copy *first_copy(struct unc_mux *r)
{
	put(r->seq, get(r->seq) + 1);
	return &r->copies[0];
}

static struct unc_copy *second_copy(struct unc_mux *r)
{
	put(r->seq, get(r->seq) + 1);
	return &r->copies[1];
}

static void start_all(const struct unc_mux *r, struct unc_copy *p, int64_t time)
{
	put(p->active, UNC_NOBODY);
	put(p->steady, false);
	put(p->halted, 0);
	for (size_t e = 0; e < r->n; e++) {
		put(p->estimates[e].at, time);
		put(p->estimates[e].length, 0);
	}
}

void unc_windows_start(struct unc_mux *r, int64_t time)
{
	start_all(r, first_copy(r), time);
	start_all(r, second_copy(r), time);
}

static void first_gap(const struct unc_mux *r, struct unc_copy *p, int64_t time)
{
	for (size_t e = 0; e < r->n; e++)
		if (get(p->estimates[e].length) == 0)
			put(p->estimates[e].at, time);
}

void unc_windows_first_gap(struct unc_mux *r, int64_t time)
{
	first_gap(r, first_copy(r), time);
	first_gap(r, second_copy(r), time);
}

void unc_windows_halt(struct unc_mux *r, int64_t time)
{
	put(first_copy(r)->halted, time);
	put(second_copy(r)->halted, time);
}

static void begin(struct unc_estimate *t, int64_t time, uint64_t sum)
{
	const int64_t length = get(t->length), at = get(t->at);

	if (length > 0) {
		put(t->done, get(t->done) + scaled(get(t->count), time - at, length));
		put(t->at, time);
	}
	put(t->zero, sum);
}

static void begin_all(const struct unc_mux *r, struct unc_copy *p, int which, int64_t time,
		      const uint64_t *sums)
{
	const struct unc_split *split = get(r->split);

	for (size_t e = 0; e < r->n; e++)
		if (unc_split_has(split, which, e))
			begin(&p->estimates[e], time, sums[e]);
	if (which == UNC_STEADY) {
		put(p->steady, true);
		put(p->steady_begin, time);
	} else {
		put(p->active, which);
		put(p->begin, time);
	}
}

void unc_window_begin(struct unc_mux *r, int which, int64_t time, const uint64_t *sums)
{
	begin_all(r, first_copy(r), which, time, sums);
	begin_all(r, second_copy(r), which, time, sums);
}

/* A thread that was put aside while it switched knows too little of the window's length. */
static void end(struct unc_estimate *t, int64_t from, int64_t to, uint64_t count, bool first,
		bool sure)
{
	uint64_t done = get(t->done) + count;

	if (first)
		done += scaled(count, from - get(t->at), to - from);
	put(t->done, done);
	put(t->raw, get(t->raw) + count);
	put(t->at, to);
	if (to <= from)
		return;
	put(t->running, get(t->running) + (to - from));
	if (!sure && !first)
		return;
	put(t->count, count);
	put(t->length, to - from);
}

/* Without sums the window is as if it had never been. */
static void end_all(const struct unc_mux *r, struct unc_copy *p, int which, int64_t time,
		    const uint64_t *sums)
{
	const struct unc_split *split = get(r->split);
	const bool steady = which == UNC_STEADY;
	const int64_t from = steady ? get(p->steady_begin) : get(p->begin);
	const bool sure = unc_split_run(split, which)->unsure <= (time - from) / 2;

	for (size_t e = 0; sums && e < r->n; e++) {
		struct unc_estimate *t = &p->estimates[e];

		if (unc_split_has(split, which, e))
			end(t, from, time, sums[e] - get(t->zero), !steady && get(t->length) == 0,
			    sure);
	}
	if (steady)
		put(p->steady, false);
	else
		put(p->active, UNC_NOBODY);
}

void unc_window_end(struct unc_mux *r, int which, int64_t time, const uint64_t *sums)
{
	end_all(r, first_copy(r), which, time, sums);
	end_all(r, second_copy(r), which, time, sums);
}

/* ---- reader ---- */

/* One look at a multiplexed list. */
struct look {
	const struct unc_split *split;
	const struct unc_copy *copy;
	unsigned seq;
	int active;
	bool steady;
	bool halted;
	int64_t now;
};

/* False: the rounds are not those of the copy, somebody has started anew meanwhile. */
static bool look_at(struct unc_mux *r, struct look *l)
{
	int64_t halted;

	l->seq = get(r->seq);
	l->copy = &r->copies[l->seq & 1];
	l->split = get(r->split);
	l->active = get(l->copy->active);
	l->steady = get(l->copy->steady);
	halted = get(l->copy->halted);
	l->halted = halted != 0;
	l->now = halted ? halted : unc_hw_now(r->u->hw);
	if (unc_is_child(r->u)) {
		l->active = UNC_NOBODY;
		l->steady = false;
	}
	return l->active < (int)l->split->n;
}

/* Estimates are those of the moment at which the counters are read. */
static void note_time(const struct unc_mux *r, struct look *l, struct unc_when *when)
{
	*when = unc_between(l->now, l->halted ? l->now : unc_hw_now(r->u->hw));
	l->now = when->at;
}

static int sum_run(struct unc_run *run, uint64_t *sums, int64_t now)
{
	const struct unc_reading *reading =
		atomic_load_explicit(&run->reading, memory_order_acquire);

	return unc_reading_sum(reading, run->u->hw, &run->u->err, sums, now);
}

/* Absolute sums of those who count now. */
static int sum_counting(const struct unc_mux *r, const struct look *l, uint64_t *sums, int64_t now)
{
	int code = 0;

	for (size_t e = 0; e < r->n; e++)
		sums[e] = 0;
	if (l->steady)
		code = sum_run(l->split->all_time, sums, now);
	if (code == 0 && l->active >= 0)
		code = sum_run(l->split->round[l->active], sums, now);
	return code;
}

static bool counts(const struct look *l, size_t e)
{
	return (l->steady && unc_split_has(l->split, UNC_STEADY, e)) ||
	       (l->active >= 0 && unc_split_has(l->split, l->active, e));
}

static uint64_t estimate(const struct look *l, size_t e, uint64_t sum)
{
	const struct unc_estimate *t = &l->copy->estimates[e];
	const uint64_t done = get(t->done);

	if (counts(l, e))
		return done + (sum - get(t->zero));
	return done + scaled(get(t->count), l->now - get(t->at), get(t->length));
}

int unc_mux_sum(struct unc_mux *r, uint64_t *sums, int64_t now, struct unc_when *when)
{
	struct look l;

	*when = (struct unc_when){.at = unc_hw_now(r->u->hw)};
	for (int i = 0; i < TRIES; i++) {
		int code;

		if (!look_at(r, &l))
			continue;
		code = sum_counting(r, &l, sums, now);
		note_time(r, &l, when);
		for (size_t e = 0; e < r->n; e++)
			sums[e] = estimate(&l, e, sums[e]);
		if (get(r->seq) == l.seq)
			return code;
	}
	return 1;
}

static void window_of(const struct look *l, size_t e, uint64_t sum, struct unc_times *times)
{
	const struct unc_estimate *t = &l->copy->estimates[e];
	const bool steady = l->steady && unc_split_has(l->split, UNC_STEADY, e);

	times->running_ns = get(t->running);
	times->count = (int64_t)get(t->raw);
	if (!counts(l, e))
		return;
	times->running_ns += l->now - (steady ? get(l->copy->steady_begin) : get(l->copy->begin));
	times->count += (int64_t)(sum - get(t->zero));
}

/* The sums are kept where the results go: each is used before it is written over. */
int unc_mux_windows(struct unc_mux *r, struct unc_times *times, struct unc_when *when)
{
	uint64_t *sums = (uint64_t *)times;
	struct look l;
	int code = 0;

	*when = (struct unc_when){.at = unc_hw_now(r->u->hw)};
	for (int i = 0; i < TRIES; i++) {
		if (!look_at(r, &l))
			continue;
		code = sum_counting(r, &l, sums, unc_clock(r->u->hw));
		note_time(r, &l, when);
		for (size_t e = r->n; e-- > 0;)
			window_of(&l, e, sums[e], &times[e]);
		if (get(r->seq) == l.seq)
			break;
	}
	return code;
}
