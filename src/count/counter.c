/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.c - 64-bit counts from counters of 36 to 48 bits, without a lock.
 *
 * A total is loaded before its register is read, so the register is never older
 * than the total; the new total is the smallest value not below the old one
 * that has the register's low bits.  Readers that race advance it to the
 * maximum of what they found.
 *
 * Signal-safe: no lock, no allocation, no stdio.
 */
#include <errno.h>
#include <time.h>

#include "count/counter.h"

/* Each look at a stepped clock is a nanosecond after the one before, as on any other. */
int64_t unc_clock(struct unc_hw *hw)
{
	struct timespec t;

	if (hw->stepped)
		return unc_hw_now(hw) + 1 + __atomic_fetch_add(&hw->looks, 1, __ATOMIC_RELAXED);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static uint64_t advance(struct unc_counter *c, uint64_t from, uint64_t to)
{
	uint64_t now = from;

	while ((int64_t)(to - now) > 0 &&
	       !atomic_compare_exchange_weak_explicit(&c->total, &now, to, memory_order_acq_rel,
						      memory_order_acquire))
		;
	return to;
}

/* A dead PCI device answers all ones; no counter is that wide. */
static inline bool is_dead(uint64_t raw)
{
	return __builtin_expect(raw == UINT64_MAX, 0);
}

/*
 * A PCI counter is read as two halves, low first: a carry between them makes
 * the value 2^32 too large.  That cannot happen without 2^32 counts since the
 * last look, and shows in a second reading that is smaller than the first.
 */
__attribute__((noinline, cold)) static int untear(struct unc_hw *hw, const struct unc_counter *c,
						  uint64_t from, uint64_t *raw)
{
	for (int tries = 0; unc_ahead(c, from, *raw) >> 32 && tries < 4; tries++) {
		const uint64_t before = *raw;
		const int r = hw->ops->read(hw, &c->read, raw);

		if (r < 0)
			return r;
		if (is_dead(*raw))
			return -ENODEV;
		if (((*raw - before) & c->mask) >> 32 == 0)
			return 0;
	}
	return 0;
}

static inline int check_raw(struct unc_hw *hw, const struct unc_counter *c, uint64_t from,
			    uint64_t *raw)
{
	if (is_dead(*raw))
		return -ENODEV;
	if (c->read.space == UNCORE_PCI && __builtin_expect(unc_ahead(c, from, *raw) >> 32 != 0, 0))
		return untear(hw, c, from, raw);
	return 0;
}

int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw)
{
	const int r = hw->ops->read(hw, &c->read, raw);

	return r < 0 ? r : check_raw(hw, c, from, raw);
}

/* ---- what a counter may have done since it was last looked at; missed_wrap.c ---- */

/* Whoever finds this time of another reader finds its total, too. */
static inline struct unc_look look_at(const struct unc_counter *c)
{
	const unsigned bias_seq = atomic_load_explicit(&c->bias_seq, memory_order_acquire);
	const int64_t seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);

	return (struct unc_look){seen, atomic_load_explicit(&c->total, memory_order_acquire),
				 bias_seq};
}

/* Never true of a counter that was looked at in time and is nobody else's. */
static inline bool is_odd(const struct unc_counter *c, const struct unc_look *look, int64_t now,
			  uint64_t raw)
{
	const uint64_t age = (uint64_t)(now - look->seen) + c->slack_ns;

	return age > c->wrap_ns || unc_ahead(c, look->total, raw) > age * c->per_ns;
}

/* A reader that was overtaken leaves the later time. */
static inline void saw(struct unc_counter *c, const struct unc_look *look, int64_t now)
{
	if (now > look->seen)
		atomic_store_explicit(&c->seen_ns, now, memory_order_release);
}

/* Apart from the access itself, this is what a read costs: kept free of calls. */
static inline int finish(struct unc_hw *hw, struct unc_counter *c, int64_t now,
			 struct unc_look look, uint64_t raw, uint64_t *total)
{
	int r = check_raw(hw, c, look.total, &raw);
	uint64_t to = look.total + unc_ahead(c, look.total, raw);

	if (r == 0 && __builtin_expect(is_odd(c, &look, now, raw), 0)) {
		r = unc_look_again(hw, c, now, &look, &raw);
		to = look.total + unc_ahead(c, look.total, raw);
	}
	if (__builtin_expect(!unc_settled(c, &look), 0)) {
		*total = look.total; /* it stands, and was folded before it was loaded */
	} else if (r == 0) {
		*total = advance(c, look.total, to);
		saw(c, &look, now);
	}
	return r;
}

int unc_count_one(struct unc_hw *hw, struct unc_counter *c, int64_t now, uint64_t *total)
{
	const struct unc_look look = look_at(c);
	uint64_t raw;
	const int r = hw->ops->read(hw, &c->read, &raw);

	return r < 0 ? r : finish(hw, c, now, look, raw, total);
}

/* Counters that one access can read, at least one. */
int unc_count_some(struct unc_hw *hw, struct unc_counter *const *c, unsigned n, int64_t now,
		   uint64_t *totals)
{
	const struct unc_op *ops[UNC_BATCH_MAX];
	struct unc_look look[UNC_BATCH_MAX];
	unsigned filled = 0;
	int r;

	do {
		look[filled] = look_at(c[filled]);
		ops[filled] = &c[filled]->read;
	} while (++filled < n);
	r = hw->ops->read_many(hw, ops, n, totals);
	for (unsigned i = 0; r == 0 && i < n; i++)
		r = finish(hw, c[i], now, look[i], totals[i], &totals[i]);
	return r;
}

/* MSRs that stand together in an array and can be read at once; at least one counter. */
static unsigned together(const struct unc_hw *hw, struct unc_counter *const *c, unsigned n)
{
	unsigned some = 1;

	while (some < n && some < hw->batch && unc_is_msr(&c[0]->read) &&
	       unc_is_msr(&c[some]->read))
		some++;
	return some;
}

/* Keeps on behind a counter that cannot be read. */
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
