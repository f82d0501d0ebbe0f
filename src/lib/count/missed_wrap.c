/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * missed_wrap.c - detect counts that may be wrong although every read succeeded.
 *
 * A w-bit register holds the count modulo 2^w, which is exact if it is read before it can count
 * 2^w.  Each counter records when it was last read.  If that was too long ago (no wrap poller
 * and rare reads, a process that was stopped for an hour), multiples of 2^w may be missing, and
 * the register does not show it.  Likewise, a counter that has increased by more than its
 * largest increment in each cycle of the fastest clock was written by another tool, or its
 * register is broken.
 *
 * Neither stops a reader.  It is recorded with the counter, and reported when a user asks about
 * a set.
 */
#include "count/reading.h"

/* Counts per nanosecond. */
static uint64_t fastest(unsigned max_inc)
{
	return (uint64_t)(max_inc ? max_inc : 1) * UNC_CLOCK_MAX_GHZ;
}

uint64_t unc_wrap_ns(unsigned width, unsigned max_inc)
{
	return (UINT64_MAX >> (64 - width)) / fastest(max_inc);
}

uint64_t unc_slow_wrap_ns(unsigned width, unsigned count_ns)
{
	return (UINT64_MAX >> (64 - width)) * count_ns;
}

/*
 * Clocks of two CPUs may differ a little.  Free-running counters may be delayed: firmware may
 * update them only now and then.
 */
#define SLACK_NS      2000
#define FREE_SLACK_NS 20000000

void unc_wrap_times_init(struct unc_counter *c, unsigned width, unsigned max_inc, bool always)
{
	c->slack_ns = always ? FREE_SLACK_NS : SLACK_NS;
	c->per_ns = fastest(max_inc);
	c->wrap_ns = unc_wrap_ns(width, max_inc);
}

void unc_forget(struct unc_counter *c)
{
	atomic_store(&c->seen_ns, 0);
	atomic_store(&c->gap_end, 0);
	atomic_store(&c->jumped_ns, 0);
}

/* ---- while reading: signal-safe ---- */

static void note_gap(struct unc_counter *c, int64_t ns, int64_t end)
{
	atomic_store_explicit(&c->gap_ns, ns, memory_order_relaxed);
	atomic_store_explicit(&c->gap_end, end, memory_order_release);
}

/*
 * The reader may have been interrupted between reading the clock and the register, or overtaken
 * by another one; a second read shows that.  The record has the time when the read began, like
 * the read of a set: if that read is the zero point of a reset, the record is before it.
 */
int unc_look_again(struct unc_hw *hw, struct unc_counter *c, int64_t now, struct unc_look *look,
		   uint64_t *raw)
{
	int64_t age;
	int r;

	if (look->seen == 0)
		return 0;
	look->bias_seq = atomic_load_explicit(&c->bias_seq, memory_order_acquire);
	look->seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);
	look->total = atomic_load_explicit(&c->total, memory_order_acquire);
	r = unc_read_whole(hw, c, look->total, raw);
	if (r < 0)
		return r;
	age = unc_clock(hw) - look->seen; /* not shorter than the count took */
	if (age < 0)
		age = 0;
	if (!unc_settled(c, look))
		return 0;
	if (age >= (int64_t)c->wrap_ns)
		note_gap(c, age, now);
	else if (unc_ahead(c, look->total, *raw) > ((uint64_t)age + c->slack_ns) * c->per_ns)
		atomic_store_explicit(&c->jumped_ns, now, memory_order_release);
	return 0;
}

/* ---- asking ---- */

static int64_t unseen(const struct unc_counter *c, int64_t base, int64_t now)
{
	const int64_t seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);
	int64_t ns = seen ? now - seen : 0;

	if (atomic_load_explicit(&c->gap_end, memory_order_acquire) > base) {
		const int64_t gap = atomic_load_explicit(&c->gap_ns, memory_order_relaxed);

		ns = gap > ns ? gap : ns;
	}
	return ns;
}

/* The counter that was not read for the largest part of its wrap time. */
bool unc_missed_wrap_find(const struct unc_reading *r, int64_t base, int64_t now,
			  struct uncore_missed_wrap *missed_wrap)
{
	double worst = 0;

	*missed_wrap = (struct uncore_missed_wrap){.event = 0};
	for (size_t i = 0; r && i < r->n_addends; i++) {
		const struct unc_counter *c = r->addends[i].counter;
		const bool jumped =
			atomic_load_explicit(&c->jumped_ns, memory_order_acquire) > base;
		const int64_t ns = unseen(c, base, now);
		const double part = (double)ns / (double)c->wrap_ns + (jumped ? 1 : 0);

		if (part <= worst)
			continue;
		worst = part;
		missed_wrap->event = r->users[r->addends[i].first_user];
		missed_wrap->jumped = jumped;
		missed_wrap->unseen_ms = (uint64_t)ns / 1000000;
		missed_wrap->wrap_ms = c->wrap_ns / 1000000;
	}
	return worst >= 1;
}
