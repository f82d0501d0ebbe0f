/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mux.h - multiplexed events; design.md 19.
 *
 * A struct unc_mux is shared by all sets with the same events (with TAU or Caliper, each thread
 * of a program has one).  It has runs of its own: one for events that conflict with no others
 * and count all the time, and one per round, of which one counts at a time.  The results of
 * windows are estimates that only grow, so in all other respects a multiplexed set is one whose
 * sums come from here and not from registers.
 */
#ifndef UNC_MUX_H
#define UNC_MUX_H

#include "claim/run.h"
#include "event/counted.h"
#include "plan/rounds.h"

/* The estimate of an event. */
struct unc_estimate {
	_Atomic uint64_t done; /* estimated count until `at` */
	_Atomic int64_t at;
	_Atomic uint64_t raw;    /* count of all windows that have ended ... */
	_Atomic int64_t running; /* ... and their total length */
	_Atomic uint64_t zero;   /* absolute sum at the start of the current window ... */
	_Atomic int64_t from;    /* ... and its time, ... */
	_Atomic double doubt;    /* ... of which it may differ so much, in ns */
	_Atomic uint64_t count;  /* count of the last window of known length ... */
	_Atomic int64_t length;  /* ... and its length; 0: no such window yet */
	_Atomic double noise;    /* of its windows: estimate.c */
};

/* State of the writer per event: the windows since the first set was started. */
struct unc_scatter {
	double n, c, l, r, rr; /* of known length: number, and sums of counts, lengths, rates and
				  their squares */
	double doubted_c, doubted_l; /* of unknown length */
	uint64_t first;              /* `done` when only the time `at` was known */
};

/* The owner of the window: the number of a round, or one of these. */
enum { UNC_NOBODY = -1, UNC_STEADY = -2 };

/* One of two copies: one is read while the other changes. */
struct unc_copy {
	_Atomic int active;             /* the round that counts, or UNC_NOBODY */
	atomic_bool steady;             /* the events that count all the time are counting */
	_Atomic int64_t halted;         /* when it was stopped; 0: running */
	struct unc_estimate *estimates; /* by event */
};

/* Which events are in which round; replaced, not changed, since readers may be using it. */
struct unc_split {
	struct unc_split *retired;
	size_t n_events;
	unsigned n;
	bool *steady;             /* by event: it counts all the time */
	bool *in;                 /* in[round * n_events + event]: the other events */
	struct unc_run *all_time; /* or NULL */
	struct unc_run **round;
};

struct unc_mux {
	struct uncore *u;
	struct unc_mux *next;
	/* key */
	size_t n;
	unsigned *ids;
	unsigned *groups; /* or NULL */
	const struct unc_event **events;
	const char **names;
	bool *packages; /* in which it changes anything */
	bool opened;    /* by unc_package_open(), in this run */
	int64_t interval;
	/* names in the list of the caller, for messages; else NULL */
	const struct unc_counted *asking;
	/* runs */
	unsigned sets;    /* number of sets with it */
	unsigned running; /* running ones */
	/* state */
	_Atomic(struct unc_split *) split;
	unsigned own; /* changes of uses by its own runs */
	unsigned current;
	int64_t deadline;
	uint32_t random;
	int failure; /* the first one of this run */
	char why[UNCORE_ERRMSG_MAX];
	atomic_bool missed; /* a window of this run may have missed a wrap; see counter.c */
	struct uncore_missed_wrap missed_wrap;
	struct unc_scatter *scatter; /* by event */
	/* read without a lock */
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

/* ---- split.c, under lock: events counted together ---- */

/*
 * The events that fit together with the counters in use that are not multiplexed.  Without
 * steady, events that conflict with no others are multiplexed, too.  UNCORE_ECONFLICT,
 * UNCORE_ENOMEM
 */
int unc_split_make(struct unc_mux *r, bool steady, struct unc_split **out);
void unc_split_free(struct unc_split *split);
/* Assign counters to the events of a run, around the counters in use. */
int unc_split_plan(struct unc_mux *r, const struct unc_split *split, int which);

/* ---- mux.c, under lock: windows ---- */

/* Get the one for the events of a list, or create it; get adds a reference, put drops one. */
int unc_mux_get(struct uncore *u, const struct unc_counted *list, int64_t interval,
		_Atomic(struct unc_mux *) *out);
void unc_mux_put(struct unc_mux *r);
/* Start or stop counting for one set; returns the time. */
int unc_mux_start(struct unc_mux *r);
int64_t unc_mux_stop(struct unc_mux *r);
/* Whether a window of this run may have missed a wrap; without the lock. */
static inline bool unc_mux_has_missed(struct unc_mux *r)
{
	return atomic_load_explicit(&r->missed, memory_order_acquire);
}
/* End the current window and begin the next one now. */
void unc_mux_next_window(struct unc_mux *r);
/*
 * Rotate all lists whose window is over; returns the end of the next window.  Turn: rotate one.
 */
int64_t unc_mux_due(struct uncore *u);
int64_t unc_mux_rotate(struct uncore *u);

/* ---- estimate.c: counts are absolute and only grow ---- */

/* For the writer, under lock: sums are absolute. */
void unc_windows_start(struct unc_mux *r, int64_t time);
/* Events without a window so far are estimated from this time on, with these sums. */
void unc_windows_first_gap(struct unc_mux *r, int64_t time, const uint64_t *sums);
void unc_windows_halt(struct unc_mux *r, int64_t time);
/* The sums at a time in windows that have just begun. 0 or -errno. */
int unc_windows_sum_at(struct unc_mux *r, int64_t time, uint64_t *sums);
/* From the spans and sums of the run.  If the sums are not known, the window is discarded. */
void unc_window_begin(struct unc_mux *r, int which);
void unc_window_end(struct unc_mux *r, int which, bool summed);
/* For readers: any thread, signal-safe. */
/* Sums of all events: 0, -errno, or 1 if windows change too often: use the last sums. */
int unc_mux_sum(struct unc_mux *r, uint64_t *sums, int64_t now, struct unc_when *when);
/* struct uncore_times of an event, without its size. */
struct unc_times {
	int64_t enabled_ns, running_ns, count;
	float error, shift_ns; /* no larger: uncore_set_times() has them in the caller's memory */
};
/* Counts and lengths of windows; error: unc_scatter_noise(). */
int unc_mux_windows(struct unc_mux *r, struct unc_times *times, struct unc_when *when);

/* ---- estimate.c: how much windows differ ---- */

/* Square root by Newton's method, 0 if undefined: a replacement libpapi.so must not need libm. */
double unc_root(double square);

/* Add a window. */
void unc_scatter_add(struct unc_scatter *s, double count, double length, bool known);
/* UNCORE_ERROR_... if there are too few windows. */
double unc_scatter_noise(const struct unc_scatter *s);
/* The error of an estimate with this noise. */
double unc_error_of(const struct unc_times *t, double noise);

/* ---- mux_thread.c, under lock, which its thread never waits for ---- */

void unc_mux_thread_init(struct uncore *u);
/* Wake the thread at that time, or start it. */
int unc_mux_thread_start(struct uncore *u, int64_t deadline);
void unc_mux_thread_stop(struct uncore *u);

#endif
