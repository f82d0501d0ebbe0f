/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mux.h - events that take turns on the counters; design.md 19.
 *
 * It is shared by all sets that ask for the same events (every thread of a
 * program does, under TAU or Caliper).  It has runs of its own: one for the events that are
 * never in anybody's way and count all the time, and one per round, of which one counts.
 * What the windows have given is kept as estimates that only grow, so for everything else
 * a multiplexed set is one whose sums come from here and not from registers.
 */
#ifndef UNC_MUX_H
#define UNC_MUX_H

#include "claim/run.h"
#include "event/counted.h"
#include "plan/rounds.h"

/* What is known of an event. */
struct unc_estimate {
	_Atomic uint64_t done; /* estimated count until `at` */
	_Atomic int64_t at;
	_Atomic uint64_t raw;    /* counted in all windows that have ended ... */
	_Atomic int64_t running; /* ... and their length */
	_Atomic uint64_t zero;  /* absolute sum at the begin of the window that has not ended ... */
	_Atomic int64_t from;   /* ... and when that was */
	_Atomic uint64_t count; /* in the last window of known length ... */
	_Atomic int64_t length; /* ... which took so long; 0: there was none yet */
	_Atomic double noise;   /* of its windows: scatter.c */
};

/* Of an event, the windows since the first set has started: what the writer alone needs. */
struct unc_scatter {
	double n, c, l, r, rr;       /* of known length: sums of counts, lengths, rates, squares */
	double doubted_c, doubted_l; /* of others */
	uint64_t first;              /* `done` when nothing was known but the time `at` */
};

/* Who has a window: the number of a round, or these. */
enum { UNC_NOBODY = -1, UNC_STEADY = -2 };

/* One of two copies: while one changes, the other is read. */
struct unc_copy {
	_Atomic int active;             /* round that counts, or UNC_NOBODY */
	atomic_bool steady;             /* those that count all the time do */
	_Atomic int64_t halted;         /* when it stopped, 0: it goes on */
	struct unc_estimate *estimates; /* by event */
};

/* Which events are together; replaced, not changed: readers may be on their way through it. */
struct unc_split {
	struct unc_split *retired;
	size_t n_events;
	unsigned n;
	bool *steady;             /* by event: counts all the time */
	bool *in;                 /* in[round * n_events + event]: of the others */
	struct unc_run *all_time; /* NULL: there are no such events */
	struct unc_run **round;
};

struct unc_mux {
	struct uncore *u;
	struct unc_mux *next;
	/* what it is for */
	size_t n;
	unsigned *ids;
	unsigned *groups; /* NULL: none */
	const struct unc_event **events;
	const char **names;
	bool *packages; /* that it changes anything in */
	bool opened;    /* they are, in this run: unc_package_open() */
	int64_t interval;
	const struct unc_counted
		*asking; /* of the list that it is made for, for messages; then NULL */
	/* who */
	unsigned sets;    /* assigned */
	unsigned running; /* of those */
	/* how */
	_Atomic(struct unc_split *) split;
	unsigned own; /* changes of uses by its runs */
	unsigned current;
	int64_t deadline;
	uint32_t random;
	int failure; /* first one of this run */
	char why[UNCORE_ERRMSG_MAX];
	atomic_bool missed; /* a window of this run; see missed_wrap.c */
	struct uncore_missed_wrap missed_wrap;
	struct unc_scatter *scatter; /* by event */
	/* what is read without a lock */
	atomic_uint seq;
	struct unc_copy copies[2];
};

static inline bool unc_split_has(const struct unc_split *split, int which, size_t event)
{
	return which == UNC_STEADY ? split->steady[event]
				   : split->in[(size_t)which * split->n_events + event];
}

static inline struct unc_run *unc_split_run(const struct unc_split *split, int which)
{
	return which == UNC_STEADY ? split->all_time : split->round[which];
}

/* ---- split.c, under lock: who is together ---- */

/*
 * Events beside what is in use now and does not take turns.  Without steady, those that hinder
 * nobody change with the others, too.  UNCORE_ECONFLICT, UNCORE_ENOMEM
 */
int unc_split_make(struct unc_mux *r, bool steady, struct unc_split **out);
void unc_split_free(struct unc_split *split);
/* Counters for the events of a run, beside what is in use now. */
int unc_split_plan(struct unc_mux *r, const struct unc_split *split, int which);

/* ---- mux.c, under lock: windows ---- */

/* The one for the events of a list; counts as one more set of it.  Put: as one less. */
int unc_mux_get(struct uncore *u, const struct unc_counted *list, int64_t interval,
		_Atomic(struct unc_mux *) *out);
void unc_mux_put(struct unc_mux *r);
/* One more set counts, or one less: when that was. */
int unc_mux_start(struct unc_mux *r);
int64_t unc_mux_stop(struct unc_mux *r);
/* Whether a wrap may be missing from a window of this run; without the lock. */
static inline bool unc_mux_has_missed(struct unc_mux *r)
{
	return atomic_load_explicit(&r->missed, memory_order_acquire);
}
/* End the present window and begin the next one, whatever time it is. */
void unc_mux_next_window(struct unc_mux *r);
/* Those whose time has come change windows; returns when the next one will.  Turn: one of them. */
int64_t unc_mux_due(struct uncore *u);
int64_t unc_mux_rotate(struct uncore *u);

/* ---- estimate.c: counts are absolute and only grow ---- */

/* The writers, under lock: sums are absolute. */
void unc_windows_start(struct unc_mux *r, int64_t time);
/* Events without a window so far are estimated from then on, when they had those sums. */
void unc_windows_first_gap(struct unc_mux *r, int64_t time, const uint64_t *sums);
void unc_windows_halt(struct unc_mux *r, int64_t time);
/* The sums at a time in the windows that have just begun.  0 or -errno. */
int unc_windows_sum_at(struct unc_mux *r, int64_t time, uint64_t *sums);
/* By the run's spans and sums; an end without sums: the window is as if it had never been. */
void unc_window_begin(struct unc_mux *r, int which);
void unc_window_end(struct unc_mux *r, int which, bool summed);
/* The readers: any thread, signal-safe. */
/* Sums of all events: 0, -errno, or 1: windows change too often, what was read last has to do. */
int unc_mux_sum(struct unc_mux *r, uint64_t *sums, int64_t now, struct unc_when *when);
/* Of an event: struct uncore_times without its size. */
struct unc_times {
	int64_t enabled_ns, running_ns, count;
	double error;
};
/* Counts and lengths of the windows; error: unc_scatter_noise(). */
int unc_mux_windows(struct unc_mux *r, struct unc_times *times, struct unc_when *when);

/* ---- scatter.c ---- */

/* Newton's square root, 0 of what has none: a libpapi.so in place of another must not need libm. */
double unc_root(double square);

/* One more window. */
void unc_scatter_add(struct unc_scatter *s, double count, double length, bool known);
/* UNCORE_ERROR_... if there were too few. */
double unc_scatter_noise(const struct unc_scatter *s);
/* The error of an estimate with that noise. */
double unc_error_of(const struct unc_times *t, double noise);

/* ---- mux_thread.c, under lock, which its thread never waits for ---- */

void unc_mux_thread_init(struct uncore *u);
/* Be there at that time, whether there is a thread yet or not. */
int unc_mux_thread_start(struct uncore *u, int64_t deadline);
void unc_mux_thread_stop(struct uncore *u);

#endif
