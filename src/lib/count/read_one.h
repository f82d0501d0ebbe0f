/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_one.h - the steps of reading a counter, inline and without calls except for the access
 * itself; for counter.c and reading.c only.
 */
#ifndef UNC_READ_ONE_H
#define UNC_READ_ONE_H

#include <errno.h>

#include "count/counter.h"

/* counter.c: read again after a value that may be torn; 0 or -errno. */
int unc_untear(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw)
	__attribute__((noinline, cold));

static inline uint64_t unc_advance(struct unc_counter *c, uint64_t from, uint64_t to)
{
	uint64_t now = from;

	while ((int64_t)(to - now) > 0 &&
	       !atomic_compare_exchange_weak_explicit(&c->total, &now, to, memory_order_acq_rel,
						      memory_order_acquire))
		;
	return to;
}

/* A dead PCI device reads as all ones; no counter is that wide. */
static inline bool unc_is_dead(uint64_t raw)
{
	return __builtin_expect(raw == UINT64_MAX, 0);
}

static inline int unc_check_raw(struct unc_hw *hw, const struct unc_counter *c, uint64_t from,
				uint64_t *raw)
{
	if (unc_is_dead(*raw))
		return -ENODEV;
	if (c->read.space == UNCORE_PCI && __builtin_expect(unc_ahead(c, from, *raw) >> 32 != 0, 0))
		return unc_untear(hw, c, from, raw);
	return 0;
}

/* ---- checks of a counter since its last read; counter.c ---- */

/* A reader that sees this time of another reader sees its total, too. */
static inline struct unc_look unc_look_at(const struct unc_counter *c)
{
	const unsigned bias_seq = atomic_load_explicit(&c->bias_seq, memory_order_acquire);
	const int64_t seen = atomic_load_explicit(&c->seen_ns, memory_order_acquire);

	return (struct unc_look){seen, atomic_load_explicit(&c->total, memory_order_acquire),
				 bias_seq};
}

/* Never true for a counter that is read in time and not changed by another tool. */
static inline bool unc_is_odd(const struct unc_counter *c, const struct unc_look *look, int64_t now,
			      uint64_t raw)
{
	const uint64_t age = (uint64_t)(now - look->seen) + c->slack_ns;

	return age > c->wrap_ns || unc_ahead(c, look->total, raw) > age * c->per_ns;
}

/* If readers race, the later time remains, like the higher total. */
static inline void unc_saw(struct unc_counter *c, const struct unc_look *look, int64_t now)
{
	int64_t seen = look->seen;

	while (now > seen &&
	       !atomic_compare_exchange_weak_explicit(&c->seen_ns, &seen, now, memory_order_release,
						      memory_order_relaxed))
		;
}

/* The cost of a read in addition to the access itself, kept free of calls. */
static inline int unc_finish(struct unc_hw *hw, struct unc_counter *c, int64_t now,
			     struct unc_look look, uint64_t raw, uint64_t *total)
{
	int r = unc_check_raw(hw, c, look.total, &raw);
	uint64_t to = look.total + unc_ahead(c, look.total, raw);

	if (r == 0 && __builtin_expect(unc_is_odd(c, &look, now, raw), 0)) {
		r = unc_look_again(hw, c, now, &look, &raw);
		to = look.total + unc_ahead(c, look.total, raw);
	}
	if (__builtin_expect(!unc_settled(c, &look), 0)) {
		*total = look.total; /* it is stopped, and was folded before it was loaded */
	} else if (r == 0) {
		*total = unc_advance(c, look.total, to);
		unc_saw(c, &look, now);
	}
	return r;
}

static inline int unc_count_one(struct unc_hw *hw, struct unc_counter *c, int64_t now,
				uint64_t *total)
{
	const struct unc_look look = unc_look_at(c);
	uint64_t raw;
	const int r = hw->ops->read(hw, &c->read, &raw);

	return r < 0 ? r : unc_finish(hw, c, now, look, raw, total);
}

#endif
