/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - counters of the machine that count for a list of events, from their claim to their
 * release.  A set has one; a multiplexed list has one for each of its rounds.  All under the
 * handle's lock, unless it says otherwise.
 */
#ifndef UNC_RUN_H
#define UNC_RUN_H

#include "claim/handle.h"
#include "count/reading.h"

struct unc_stop_after;

struct unc_run {
	struct uncore *u;
	size_t n; /* events of the list */
	/* who has counters for which of them */
	struct unc_layout layout;
	bool layout_idle;         /* it was made for boxes that nobody used */
	unsigned *own_changes;    /* a round counts its changes of uses there; NULL: no round */
	unsigned planned;         /* ... and what others had changed when its layout was made */
	size_t n_claimed, n_left; /* counters, now and at the last start */
	struct unc_claimed *claimed;
	struct unc_program program;        /* with which they came */
	bool no_memory;                    /* for the one with which they leave: unc_halt() */
	struct unc_result *watched;        /* by operation of UNC_WATCH: as last read */
	struct unc_stop_after *stop_after; /* NULL: it counts until it is stopped */
	/* what they count */
	bool counts;                           /* since unc_go(), and up to unc_halt() */
	_Atomic(struct unc_reading *) reading; /* read without the lock */
	_Atomic int64_t base_ns;               /* since when what is counted counts */
	int64_t began, ended;                  /* when, by unc_hw_now() */
	struct unc_bracket acted;              /* when it was started or stopped, all of it */
	struct unc_span *spans;                /* by event: when its counters did, in the mean */
	double doubt;                          /* of those, the most after the start, ns */
	uint64_t *sums;                        /* by event: totals when it has ended */
	bool summed;                           /* ... are known */
	bool missed;                           /* wraps may be missing from them */
	struct uncore_missed_wrap missed_wrap;
};

/* NULL: no memory.  Free does nothing in a forked child: a run may have been half-way. */
struct unc_run *unc_run_new(struct uncore *u, size_t n);
void unc_run_free(struct unc_run *run);

struct unc_claims unc_claims_of(const struct unc_run *run);
/* Carry a phase of the program out. */
int unc_run_phase(const struct unc_run *run, enum unc_phase phase);
/* It has changed uses: of its boxes, and so what the other units of their devices know of them. */
void unc_count_change(const struct unc_run *run);

/*
 * claim.c.  Claim programs the counters of the layout that nobody uses yet and leaves them
 * ready; go lets them count.  On failure unc_release() has to follow.
 */
int unc_claim(struct unc_run *run);
/*
 * Of a run that will be claimed when others have left: look whether that can be, and tell other
 * processes, once unc_others_write() is called.
 */
int unc_claim_later(struct unc_run *run);
int unc_go(struct unc_run *run);

/*
 * spans.c: when that was.  Boxes that no package's freeze holds start one after the other, and stop
 * too, so each has a time of its own, and so has a counter that others have as well, which counts
 * from one read to another.  Start carries out the phase of that name.  Stop carries out as
 * unc_carry_out(); end follows the last read.
 */
int unc_spans_start(struct unc_run *run);
int unc_spans_stop(struct unc_run *run, const struct unc_ops *stop, enum unc_carry how, int result);
void unc_spans_end(struct unc_run *run, bool frozen);
/*
 * Add to counts, by event, what was counted until a time since it began, by the rates up to now:
 * a read of many registers takes long.  0 or -errno.
 */
int unc_spans_count_at(struct unc_run *run, int64_t time, uint64_t *counts);

/*
 * release.c: hold the counts, give the counters back.  Goes on after a failure and returns the
 * first one; result is one from before.
 *
 * Halt leaves the counters standing, their totals in sums and the moment in ended.  Part gives
 * the counters back and, with keep, leaves in the ledger what a run that follows in the same
 * boxes may take over; what it has not, unc_tidy() gives back.  Release is both, after a claim or
 * a start that failed half-way.
 */
int unc_release(struct unc_run *run);
int unc_halt(struct unc_run *run, struct unc_program *leaving, int result);
int unc_part(struct unc_run *run, struct unc_program *leaving, int halted, bool keep);
int unc_tidy(const struct unc_run *run);

/*
 * watch.c.  A freeze by somebody else shows in no control of a counter, so the controls of
 * boxes and packages are watched: made with the claim; learned, which bits of them can be
 * relied on, after go; looked at before the run's own freeze.  UNCORE_ESTOLEN.
 */
int unc_watch_make(struct unc_run *run);
/* Which filters, written just now, read back as written; the journal is told which do not. */
void unc_learn_filters(const struct unc_run *run);
void unc_watch_learn(const struct unc_run *run);
/* may_be_frozen: whether the boxes of a package may stand for a reason of the run's own; or NULL.
 */
typedef bool unc_may_be_frozen(struct unc_run *run, unsigned package);
int unc_watch_look(struct unc_run *run, unc_may_be_frozen *may_be_frozen);
void unc_watch_free(struct unc_run *run);

#endif
