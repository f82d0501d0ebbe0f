/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * estimate.c - estimates from the windows of multiplexed events, read without a lock.
 *
 * Between two windows of an event its rate is taken to be that of the last one, so
 *
 *         estimate = counts of all windows + for each gap: count / length of the window
 *                    before it * length of the gap
 *
 * (the gap before the first window uses the first window).  With equal windows that is count *
 * enabled / running; it never goes backwards, and the difference of two estimates does not
 * depend on anything long before them.
 *
 * A thread may be descheduled while it starts or stops counters.  Rates come only from windows
 * whose length is known to 0.5 %. The counts of other windows are included, as counts of the
 * time that they would take at the last known rate.
 *
 * There are two copies of the state.  The writer, one at a time, directs readers to the second
 * copy, changes the first one, directs them back and changes the second one.  A reader that
 * finds the sequence number changed has read a mixture and tries again; a writer that is
 * descheduled does not delay readers.
 */
#include "backend/multiplexed/mux.h"

#define TRIES 8 /* there are two changes per window, and a read is far shorter than a window */

/* rate * time does not fit into 64 bits */
__extension__ typedef unsigned __int128 wide;

/*
 * All accesses are ordered, so that a change is visible only after the number that announces
 * it.
 */
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
		put(p->estimates[e].noise, UNCORE_ERROR_NO_WINDOW);
	}
}

void unc_windows_start(struct unc_mux *r, int64_t time)
{
	start_all(r, first_copy(r), time);
	start_all(r, second_copy(r), time);
	for (size_t e = 0; e < r->n; e++)
		r->scatter[e] = (struct unc_scatter){.first = get(r->copies[0].estimates[e].done)};
}

static void first_gap(const struct unc_mux *r, struct unc_copy *p, int64_t time)
{
	for (size_t e = 0; e < r->n; e++)
		if (get(p->estimates[e].length) == 0)
			put(p->estimates[e].at, time);
}

void unc_windows_first_gap(struct unc_mux *r, int64_t time, const uint64_t *sums)
{
	first_gap(r, first_copy(r), time);
	first_gap(r, second_copy(r), time);
	for (size_t e = 0; e < r->n; e++)
		r->scatter[e].first = sums[e];
}

static void begin(struct unc_estimate *t, int64_t time, double doubt, uint64_t sum)
{
	const int64_t length = get(t->length), at = get(t->at);

	if (length > 0) {
		put(t->done, get(t->done) + scaled(get(t->count), time - at, length));
		put(t->at, time);
	}
	put(t->zero, sum);
	put(t->from, time);
	put(t->doubt, doubt);
}

static void begin_all(const struct unc_mux *r, struct unc_copy *p, int which)
{
	const struct unc_split *split = get(r->split);
	const struct unc_run *run = unc_split_run(split, which);

	for (size_t e = 0; e < r->n; e++)
		if (unc_split_has(split, which, e))
			begin(&p->estimates[e], run->spans[e].from, run->doubt, run->sums[e]);
	if (which == UNC_STEADY)
		put(p->steady, true);
	else
		put(p->active, which);
}

void unc_window_begin(struct unc_mux *r, int which)
{
	begin_all(r, first_copy(r), which);
	begin_all(r, second_copy(r), which);
}

int unc_windows_sum_at(struct unc_mux *r, int64_t time, uint64_t *sums)
{
	const struct unc_split *split = get(r->split);
	const struct unc_copy *p = &r->copies[0];
	const int active = get(p->active);
	int code = 0;

	for (size_t e = 0; e < r->n; e++)
		sums[e] = get(p->estimates[e].done);
	if (get(p->steady))
		code = unc_spans_count_at(split->all_time, time, sums);
	if (code == 0 && active >= 0)
		code = unc_spans_count_at(split->round[active], time, sums);
	return code;
}

/* The counts of a window, and their uncertainty. */
struct window {
	const struct unc_span *span;
	const struct unc_scatter *scatter;
	uint64_t count;
	bool steady; /* not a window: the event counts all the time */
};

/*
 * The count is right but its time is not: use the time that it takes at the last known rate, as
 * long as the window may have been that long.
 */
static int64_t likely_length(const struct unc_estimate *t, const struct window *w)
{
	const int64_t length = unc_span_length(w->span);
	const int64_t doubt = w->span->doubt < (double)length ? (int64_t)w->span->doubt : length;
	const uint64_t count = get(t->count);
	const int64_t by_rate =
		count ? (int64_t)scaled(w->count, get(t->length), (int64_t)count) : length;

	if (by_rate < length - doubt)
		return length - doubt;
	return by_rate > length + doubt ? length + doubt : by_rate;
}

/*
 * Counters that have counted longer than others contribute more to the count, but not to the
 * rate.
 */
static int64_t covered(const struct window *w)
{
	return w->span->count > 0 ? (int64_t)((double)unc_span_length(w->span) * (double)w->count /
					      w->span->count)
				  : unc_span_length(w->span);
}

static uint64_t at_rate(const struct window *w)
{
	return (uint64_t)(w->span->count + 0.5);
}

/* The first window of known length also stands for the time before it. */
static uint64_t made_up(const struct unc_estimate *t, const struct window *w)
{
	const uint64_t done = get(t->done);
	const int64_t before = w->span->from - get(t->at);
	uint64_t then;

	if (w->steady || before <= 0)
		return done;
	then = w->scatter->first + scaled(at_rate(w), before, unc_span_length(w->span));
	return (int64_t)(then - done) > 0 ? then : done;
}

static void end_known(struct unc_estimate *t, const struct window *w)
{
	const uint64_t done = get(t->length) ? get(t->done) : made_up(t, w);

	put(t->done, done + w->count);
	put(t->at, w->span->from + covered(w));
	put(t->running, get(t->running) + unc_span_length(w->span));
	put(t->count, at_rate(w));
	put(t->length, unc_span_length(w->span));
}

static void end_doubted(struct unc_estimate *t, const struct window *w)
{
	const int64_t length = get(t->length) ? likely_length(t, w) : unc_span_length(w->span);

	put(t->done, get(t->done) + w->count);
	put(t->running, get(t->running) + unc_span_length(w->span));
	if (get(t->length))
		put(t->at, w->span->to + length - unc_span_length(w->span));
}

static void end(struct unc_estimate *t, const struct window *w)
{
	put(t->raw, get(t->raw) + w->count);
	if (w->span->known || w->steady)
		end_known(t, w);
	else
		end_doubted(t, w);
	put(t->noise, unc_scatter_noise(w->scatter));
}

/*
 * A window gives a rate only if its length is known to this accuracy; a ratio needs two of
 * them.
 */
#define DOUBT_PER_MILLE 5

static void forget_group(const struct unc_mux *r, struct unc_run *run, unsigned group)
{
	for (size_t e = 0; e < run->n; e++)
		if (r->groups[e] == group)
			run->spans[e].known = false;
}

/* The rates of the events of a group come from the same windows. */
static void find_known(const struct unc_mux *r, struct unc_run *run)
{
	for (size_t e = 0; e < run->n; e++) {
		struct unc_span *s = &run->spans[e];

		s->known = 1000 * s->doubt <= DOUBT_PER_MILLE * (double)unc_span_length(s);
	}
	for (size_t e = 0; r->groups && e < run->n; e++)
		if (run->spans[e].counters && !run->spans[e].known && r->groups[e])
			forget_group(r, run, r->groups[e]);
}

static void end_all(const struct unc_mux *r, struct unc_copy *p, int which, bool summed)
{
	const struct unc_split *split = get(r->split);
	const struct unc_run *run = unc_split_run(split, which);
	const bool steady = which == UNC_STEADY;

	for (size_t e = 0; summed && e < r->n; e++) {
		struct unc_estimate *t = &p->estimates[e];
		const struct window w = {&run->spans[e], &r->scatter[e],
					 run->sums[e] - get(t->zero), steady};

		if (unc_split_has(split, which, e) && unc_span_length(w.span) > 0)
			end(t, &w);
	}
	if (steady)
		put(p->steady, false);
	else
		put(p->active, UNC_NOBODY);
}

static void scatter(struct unc_mux *r, int which)
{
	const struct unc_split *split = get(r->split);
	const struct unc_run *run = unc_split_run(split, which);

	for (size_t e = 0; e < r->n; e++) {
		const struct unc_span *s = &run->spans[e];

		if (unc_split_has(split, which, e))
			unc_scatter_add(&r->scatter[e], s->count, (double)unc_span_length(s),
					s->known);
	}
}

void unc_window_end(struct unc_mux *r, int which, bool summed)
{
	if (summed) {
		find_known(r, unc_split_run(get(r->split), which));
		scatter(r, which);
	}
	end_all(r, first_copy(r), which, summed);
	end_all(r, second_copy(r), which, summed);
}

/* Without a window of known length, use the windows there are. */
static void halt_doubted(struct unc_estimate *t, const struct unc_scatter *s, int64_t time)
{
	uint64_t then;

	if (!(s->doubted_l > 0))
		return;
	then = s->first + (uint64_t)(s->doubted_c * (double)(time - get(t->at)) / s->doubted_l);
	if ((int64_t)(then - get(t->done)) > 0)
		put(t->done, then);
}

/* A last window that was longer than its time, up to which the estimate is, has counts of later. */
static void halt(struct unc_estimate *t, const struct unc_scatter *s, int64_t time)
{
	const int64_t later = get(t->at) - time;

	if (get(t->length) == 0) {
		halt_doubted(t, s, time);
	} else if (later > 0) {
		put(t->done, get(t->done) - scaled(get(t->count), later, get(t->length)));
		put(t->at, time);
	}
}

static void halt_all(const struct unc_mux *r, struct unc_copy *p, int64_t time)
{
	put(p->halted, time);
	for (size_t e = 0; e < r->n; e++)
		halt(&p->estimates[e], &r->scatter[e], time);
}

void unc_windows_halt(struct unc_mux *r, int64_t time)
{
	halt_all(r, first_copy(r), time);
	halt_all(r, second_copy(r), time);
}

/* ---- reader ---- */

/* A consistent read of a multiplexed list. */
struct look {
	const struct unc_split *split;
	const struct unc_copy *copy;
	unsigned seq;
	int active;
	bool steady;
	bool halted;
	int64_t now;
};

/*
 * false: the rounds are not those of the copy, because multiplexing was started again
 * meanwhile.
 */
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

/* The estimates are for the time at which the counters are read. */
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

/* Absolute sums of the events that are counting now. */
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

/*
 * How far an estimate may be ahead or behind.  The gap before a window that has not ended was
 * filled up to the time at which it seemed to begin; the counts of a window that seemed shorter
 * than they took are ahead of the time until that has passed.
 */
static double shift_of(const struct look *l, size_t e)
{
	const struct unc_estimate *t = &l->copy->estimates[e];
	const int64_t ahead = get(t->at) - l->now;

	if (counts(l, e))
		return get(t->doubt);
	return ahead > 0 ? (double)ahead : 0;
}

static void window_of(const struct look *l, size_t e, uint64_t sum, struct unc_times *times)
{
	const struct unc_estimate *t = &l->copy->estimates[e];

	times->running_ns = get(t->running);
	times->count = (int64_t)get(t->raw);
	times->error = (float)get(t->noise);
	times->shift_ns = (float)shift_of(l, e);
	if (!counts(l, e))
		return;
	times->running_ns += l->now - get(t->from);
	times->count += (int64_t)(sum - get(t->zero));
}

/* The sums share memory with the results: each is used before it is overwritten. */
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

/*
 * How much the windows of an event differ, and so the accuracy of its estimate.
 *
 * Until its next window an event is assumed to have the rate of the last one, so the estimate
 * is a mean of n rates, and its standard error is s / sqrt(n), where s is the standard
 * deviation of the rates, less the part that was counted and not estimated. `noise` is the
 * square of the relative error for one nanosecond of windows; divided by the time that a set
 * has been running it is that of the set.
 */

double unc_root(double square)
{
	double root = square > 1 ? square : 1, next;

	if (!(square > 0))
		return 0;
	while ((next = (root + square / root) / 2) < root)
		root = next;
	return root;
}

void unc_scatter_add(struct unc_scatter *s, double count, double length, bool known)
{
	if (!(length > 0))
		return;
	if (!known) {
		s->doubted_c += count;
		s->doubted_l += length;
		return;
	}
	s->n++;
	s->c += count;
	s->l += length;
	s->r += count / length;
	s->rr += count / length * (count / length);
}

double unc_scatter_noise(const struct unc_scatter *s)
{
	const double rate = s->l > 0 ? s->c / s->l : 0;
	const double squares = s->rr - 2 * rate * s->r + s->n * rate * rate;

	if (s->n < 1)
		return UNCORE_ERROR_NO_WINDOW;
	if (s->n < 2)
		return UNCORE_ERROR_UNKNOWN;
	return squares > 0 && rate > 0 ? squares / (s->n - 1) / (rate * rate) * s->l / s->n : 0;
}

double unc_error_of(const struct unc_times *t, double noise)
{
	const double running = (double)t->running_ns, enabled = (double)t->enabled_ns;

	if (running >= enabled)
		return 0;
	if (noise < 0 || !(running > 0))
		return noise < 0 ? noise : UNCORE_ERROR_NO_WINDOW;
	return (double)t->count * enabled / running *
	       unc_root(noise / running * (1 - running / enabled));
}
