/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.h - 64-bit counts from hardware counters: wraps, torn reads and missed wraps.
 * Lock-free and signal-safe; does not know sets.
 */
#ifndef UNC_COUNTER_H
#define UNC_COUNTER_H

#include <stdatomic.h>

#include "base/op.h"
#include "hw/regs.h"

/*
 * A hardware counter. total never goes backwards, even when the counter is reset or assigned to
 * another event: it advances to the next value whose low bits are those of the register.  So a
 * reader that is overtaken by a stop does no harm (see counter.c).
 */
struct unc_counter {
	struct unc_op read;
	uint64_t mask; /* for its width */
	_Atomic uint64_t total;
	/*
	 * When a counter is loaded, its total must not jump: bias is added to the register.
	 * bias_seq is odd while the two change.
	 */
	_Atomic uint64_t bias;
	atomic_uint bias_seq;
	atomic_bool running;
	/* For missed wraps.  Times are those of unc_clock(), 0: never. */
	uint64_t wrap_ns;        /* shortest time in which it can wrap */
	uint64_t per_ns;         /* maximum number of counts per nanosecond */
	uint64_t slack_ns;       /* maximum delay until a count is visible in the register */
	_Atomic int64_t seen_ns; /* it was folded at this time or later; 0: never, nothing can have
				    been missed */
	_Atomic int64_t gap_ns;  /* duration of the last time it was not read for too long ... */
	_Atomic int64_t gap_end; /* ... and its end */
	_Atomic int64_t jumped_ns; /* when it last increased by more than it can count */
	/* for runs that share it; under the handle's lock */
	unsigned users;            /* runs that count with it */
	unsigned hidden;           /* ... of which are rounds of multiplexed events */
	struct unc_bracket looked; /* time of the last read, if it was taken */
	bool clears;               /* a reset of its box has set it to 0, from another value */
	bool stands;               /* it has kept its value while its box was frozen */
};

/* The state of a counter before its register is read. */
struct unc_look {
	int64_t seen;
	uint64_t total;
	unsigned bias_seq;
};

/* The value read and its bias belong together. */
static inline bool unc_settled(const struct unc_counter *c, const struct unc_look *look)
{
	return !(look->bias_seq & 1) &&
	       atomic_load_explicit(&c->bias_seq, memory_order_acquire) == look->bias_seq;
}

/* The increase of the register since the total, unless it has wrapped twice. */
static inline uint64_t unc_ahead(const struct unc_counter *c, uint64_t total, uint64_t raw)
{
	return (raw + atomic_load_explicit(&c->bias, memory_order_acquire) - total) & c->mask;
}

/* The clock of the counters, ns; never 0. */
int64_t unc_clock(struct unc_hw *hw);
/* unc_hw_now() just after unc_clock() returned `now`: the same clock on a real machine. */
static inline int64_t unc_hw_now_after(struct unc_hw *hw, int64_t now)
{
	return hw->ops->now ? unc_hw_now(hw) : now;
}

/* counter.c; now: unc_clock() before the first read.  All return 0 or -errno. */

/* The value of the register of a counter, neither torn nor dead. */
int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw);
/* Read counters that one access can read, and update their totals. */
int unc_count_some(struct unc_hw *hw, struct unc_counter *const *c, unsigned n, int64_t now,
		   uint64_t *totals);
/* Update the totals of up to UNC_BATCH_MAX counters. */
int unc_fold(struct unc_hw *hw, struct unc_counter *const *counters, unsigned n, int64_t now);
/* Update the total of a counter that holds 0, without a read.  Not signal-safe. */
void unc_fold_zero(struct unc_counter *counter, int64_t now);
/* The counter has stood still since it was read. */
void unc_fold_still(struct unc_counter *counter, int64_t now);
/* The value of the register at the last fold. */
uint64_t unc_last_raw(const struct unc_counter *counter);

/* Missed wraps. */
#define UNC_CLOCK_MAX_GHZ 5 /* no uncore clock is faster */

uint64_t unc_wrap_ns(unsigned width, unsigned max_inc);
/* For a counter that does not count cycles of a clock: the minimum time per count. */
uint64_t unc_slow_wrap_ns(unsigned width, unsigned count_ns);
void unc_wrap_times_init(struct unc_counter *c, unsigned width, unsigned max_inc, bool always);
/* The register is about to get an unknown value. */
void unc_forget(struct unc_counter *c);
/* The value is implausible, or a wrap may have been missed: read again, and record it. */
int unc_look_again(struct unc_hw *hw, struct unc_counter *c, int64_t now, struct unc_look *look,
		   uint64_t *raw);

#endif
