/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.c - 64-bit counts from counters of 36 to 48 bits, without a lock.
 *
 * A total is loaded before its register is read, so the register is never older than the total.
 * The new total is the smallest value that is not below the old one and has the low bits of the
 * register.  Concurrent readers advance it to the maximum of their results.
 *
 * Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>
#include <time.h>

#include "count/read_one.h"

/* Each read of a stepped clock is one nanosecond later than the last, as on a real clock. */
int64_t unc_clock(struct unc_hw *hw)
{
	struct timespec t;

	if (hw->stepped)
		return unc_hw_now(hw) + 1 + __atomic_fetch_add(&hw->looks, 1, __ATOMIC_RELAXED);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * A PCI counter is read as two halves, low first: a carry in between makes the value 2^32 too
 * large.  That requires 2^32 counts since the last read, and is detected by a second read that
 * returns less.
 */
int unc_untear(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw)
{
	for (int tries = 0; unc_ahead(c, from, *raw) >> 32 && tries < 4; tries++) {
		const uint64_t before = *raw;
		const int r = hw->ops->read(hw, &c->read, raw);

		if (r < 0)
			return r;
		if (unc_is_dead(*raw))
			return -ENODEV;
		if (((*raw - before) & c->mask) >> 32 == 0)
			return 0;
	}
	return 0;
}

int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw)
{
	const int r = hw->ops->read(hw, &c->read, raw);

	return r < 0 ? r : unc_check_raw(hw, c, from, raw);
}

/* The number of counters that one access can read, at least one. */
int unc_count_some(struct unc_hw *hw, struct unc_counter *const *c, unsigned n, int64_t now,
		   uint64_t *totals)
{
	const struct unc_op *ops[UNC_BATCH_MAX];
	struct unc_look look[UNC_BATCH_MAX];
	unsigned filled = 0;
	int r;

	do {
		look[filled] = unc_look_at(c[filled]);
		ops[filled] = &c[filled]->read;
	} while (++filled < n);
	r = hw->ops->read_many(hw, ops, n, totals);
	for (unsigned i = 0; r == 0 && i < n; i++)
		r = unc_finish(hw, c[i], now, look[i], totals[i], &totals[i]);
	return r;
}

/* MSRs that are adjacent in an array and can be read at once; at least one counter. */
static unsigned together(const struct unc_hw *hw, struct unc_counter *const *c, unsigned n)
{
	unsigned some = 1;

	while (some < n && some < hw->batch && unc_is_msr(&c[0]->read) &&
	       unc_is_msr(&c[some]->read))
		some++;
	return some;
}

/* Continues after a counter that cannot be read. */
int unc_fold(struct unc_hw *hw, struct unc_counter *const *c, unsigned n, int64_t now)
{
	uint64_t totals[UNC_BATCH_MAX];
	int result = 0;

	for (unsigned i = 0, some; i < n; i += some) {
		int r;

		some = together(hw, c + i, n - i);
		r = some > 1 ? unc_count_some(hw, c + i, some, now, totals)
			     : unc_count_one(hw, c[i], now, totals);
		result = result < 0 ? result : r;
	}
	return result;
}

void unc_fold_zero(struct unc_counter *c, int64_t now)
{
	const struct unc_look look = unc_look_at(c);

	unc_advance(c, look.total, look.total + unc_ahead(c, look.total, 0));
	unc_saw(c, &look, now);
}

void unc_fold_still(struct unc_counter *c, int64_t now)
{
	const struct unc_look look = unc_look_at(c);

	unc_saw(c, &look, now);
}

uint64_t unc_last_raw(const struct unc_counter *c)
{
	return (atomic_load(&c->total) - atomic_load(&c->bias)) & c->mask;
}

/*
 * ---- missed wraps ----
 *
 * A w-bit register holds the count modulo 2^w, which is exact if it is read before it can count
 * 2^w.  Each counter records when it was last read.  If that was too long ago (no wrap poller
 * and rare reads, a process that was stopped for an hour), multiples of 2^w may be missing, and
 * the register does not show it.  Likewise, a counter that has increased by more than its
 * largest increment in each cycle of the fastest clock was written by another tool, or its
 * register is broken.
 *
 * Neither stops a reader.  It is recorded with the counter, and reported when a user asks about
 * a set: unc_missed_wrap_find().
 */

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
