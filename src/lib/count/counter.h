/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counter.h - 64-bit counts from the registers of counters: wraps, torn reads, and what
 * nobody saw.  Lock-free and signal-safe; knows no sets.
 */
#ifndef UNC_COUNTER_H
#define UNC_COUNTER_H

#include <stdatomic.h>

#include "base/op.h"
#include "hw/regs.h"

/*
 * One physical counter.  total never goes backwards, also not when the counter
 * is reset or handed on: it is advanced to the next value whose low bits are
 * what the register reads.  So a reader that is overtaken by a stop can do no
 * harm (see counter.c).
 */
struct unc_counter {
	struct unc_op read;
	uint64_t mask; /* its width */
	_Atomic uint64_t total;
	/*
	 * A counter that is loaded anew goes on where its total is: bias is added to
	 * what it reads.  bias_seq is odd while the two are changed.
	 */
	_Atomic uint64_t bias;
	atomic_uint bias_seq;
	atomic_bool running;
	/* See missed_wrap.c.  Times are those of unc_clock(), 0: never. */
	uint64_t wrap_ns;          /* shortest time in which it can count its width */
	uint64_t per_ns;           /* most counts in a nanosecond */
	uint64_t slack_ns;         /* what it has counted may show so much later */
	_Atomic int64_t seen_ns;   /* not folded for no longer than since then; 0: as good as new */
	_Atomic int64_t gap_ns;    /* how long it was last unseen for too long ... */
	_Atomic int64_t gap_end;   /* ... and until when */
	_Atomic int64_t jumped_ns; /* when it last counted more than it can */
	/* for those who share it, under the handle's lock */
	unsigned users;  /* sets that count on it */
	unsigned hidden; /* ... of which are rounds of a multiplexed list */
	struct unc_bracket looked; /* when its register was read last with the time */
};

/* What was known of a counter before its register was read. */
struct unc_look {
	int64_t seen;
	uint64_t total;
	unsigned bias_seq;
};

/* What was read since then, and its bias, belong together. */
static inline bool unc_settled(const struct unc_counter *c, const struct unc_look *look)
{
	return !(look->bias_seq & 1) &&
	       atomic_load_explicit(&c->bias_seq, memory_order_acquire) == look->bias_seq;
}

/* What the register has counted beyond the total, if it has not wrapped twice. */
static inline uint64_t unc_ahead(const struct unc_counter *c, uint64_t total, uint64_t raw)
{
	return (raw + atomic_load_explicit(&c->bias, memory_order_acquire) - total) & c->mask;
}

/* The clock that the counters go by, ns; never 0. */
int64_t unc_clock(struct unc_hw *hw);

/* counter.c; now: unc_clock() before the first register is read.  All return 0 or -errno. */

/* Of one that the register was read from: what it held, not torn and not dead. */
int unc_read_whole(struct unc_hw *hw, const struct unc_counter *c, uint64_t from, uint64_t *raw);
/* Read counters that one access can read, and bring their totals up to date. */
int unc_count_some(struct unc_hw *hw, struct unc_counter *const *c, unsigned n, int64_t now,
		   uint64_t *totals);
/* Bring totals up to date: of UNC_BATCH_MAX counters at most. */
int unc_fold(struct unc_hw *hw, struct unc_counter *const *counters, unsigned n, int64_t now);

/* missed_wrap.c */
#define UNC_CLOCK_MAX_GHZ 5 /* no uncore clock is faster */

uint64_t unc_wrap_ns(unsigned width, unsigned max_inc);
/* Of one that goes by no clock: each count takes so long. */
uint64_t unc_slow_wrap_ns(unsigned width, unsigned count_ns);
void unc_wrap_times_init(struct unc_counter *c, unsigned width, unsigned max_inc, bool always);
/* The register is about to be given a value that nothing is known of. */
void unc_forget(struct unc_counter *c);
/* The value cannot be, or a wrap may be missing: look again, and keep a record. */
int unc_look_again(struct unc_hw *hw, struct unc_counter *c, int64_t now, struct unc_look *look,
		   uint64_t *raw);

#endif
