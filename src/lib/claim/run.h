/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.h - a run: the counters that count a list of events, from claim to release.  A set has one; a
 * multiplexed list has one per round.  All functions require the handle's lock unless stated
 * otherwise.
 */
#ifndef UNC_RUN_H
#define UNC_RUN_H

#include "claim/handle.h"
#include "count/reading.h"

struct unc_stop_after;

struct unc_run {
	struct uncore *u;
	size_t n; /* events of the list */
	struct unc_layout layout;
	bool layout_idle;         /* it was planned for idle boxes */
	unsigned *own_changes;    /* counts the changes of uses by this round; NULL: not a round */
	unsigned planned;         /* changes by others when the layout was planned */
	size_t n_claimed, n_left; /* counters claimed now, and at the last start */
	struct unc_claimed *claimed;
	struct unc_program program; /* of the claim */
	bool no_memory;             /* ... for the program of the release; unc_halt() */
	/* by operation of UNC_FREEZE_CHECK: the last value read */
	struct unc_result *control_values;
	struct unc_stop_after *stop_after; /* NULL: counts until stopped */
	/* counts */
	bool counts;                           /* from unc_go() to unc_halt() */
	_Atomic(struct unc_reading *) reading; /* read without the lock */
	_Atomic int64_t base_ns;               /* when the count began, ns */
	int64_t began, ended;                  /* unc_hw_now() at start and stop */
	struct unc_bracket acted;              /* when the last start or stop was carried out */
	struct unc_span *spans;                /* by event: the mean of its counters' spans */
	double doubt;                          /* the largest uncertainty of a start, ns */
	uint64_t *sums;                        /* by event: totals at the stop */
	bool summed;                           /* sums are valid */
	bool missed;                           /* a counter may have wrapped unseen */
	struct uncore_missed_wrap missed_wrap;
};

/* NULL: no memory.  Free does nothing in a forked child, where the run may be inconsistent. */
struct unc_run *unc_run_new(struct uncore *u, size_t n);
void unc_run_free(struct unc_run *run);

/* The counters of a run, and those in use on the machine. */
struct unc_claims unc_claims_of(const struct unc_run *run);
/* Carry out a phase of the program. */
int unc_run_phase(const struct unc_run *run, enum unc_phase phase);
/* Note that the run has changed the uses of its boxes, for layouts and for other units of a device.
 */
void unc_count_change(const struct unc_run *run);

/*
 * claim.c.  Claim programs those counters of the layout that no run uses yet; go starts them.  If
 * either fails, unc_release() must follow.
 */
int unc_claim(struct unc_run *run);
/*
 * For a run that will be claimed later, when others have been released: check that it can be, and
 * note its registers for the journal that unc_others_write() writes.
 */
int unc_claim_later(struct unc_run *run);
/* Whether no counter of a claimed run counts before unc_go(): their totals are up to date. */
bool unc_stands_still(const struct unc_run *run);
int unc_go(struct unc_run *run);

/*
 * spans.c: when counters started and stopped.  Boxes that a freeze of the package does not stop are
 * started and stopped one after another, so each has its own times.  So has a counter shared with
 * another run, which counts from one read to another.  Start carries out UNC_START; stop is like
 * unc_carry_out(); end follows the last read.
 */
int unc_spans_start(struct unc_run *run);
int unc_spans_stop(struct unc_run *run, const struct unc_ops *stop, enum unc_carry how, int result);
void unc_spans_end(struct unc_run *run, bool frozen);
/*
 * Add to counts, by event, the counts from the start to `time`, estimated from the rates up to now,
 * because reading many registers takes long.  0 or -errno.
 */
int unc_spans_count_at(struct unc_run *run, int64_t time, uint64_t *counts);

/*
 * release.c: stop counting and release the counters.  Failures do not end the release: the first
 * error is returned, or `result`, an earlier one.
 *
 * Halt freezes the counters, with their totals in `sums` and the time in `ended`.  Part releases
 * the counters; with keep, registers that the next run in the same boxes may take over stay saved
 * in the ledger, and tidy restores those that it has not, except controls in boxes that are in use;
 * tidy_box restores those, too.  Release does both, after a claim or a start that failed.
 */
int unc_release(struct unc_run *run);
int unc_halt(struct unc_run *run, struct unc_program *leaving, int result);
int unc_part(struct unc_run *run, struct unc_program *leaving, int halted, bool keep);
int unc_tidy(const struct unc_run *run);
int unc_tidy_box(struct uncore *u, unsigned box);
/* Restore the registers of packages: UNC_LEAVE, whose values are in the ledger. */
int unc_leave_packages(struct uncore *u, struct unc_ops *leave, int result);
/* After that: whether the operations have had an effect. */
int unc_look_back_packages(struct uncore *u, const struct unc_ops *leave, int result);
/* Restore the registers of a package, in which this handle counts nothing. */
void unc_restore_package(struct uncore *u, unsigned package);

/*
 * freeze_check.c.  The control of a counter does not show a freeze by another tool, so the controls
 * of boxes and packages are compared: make belongs to the claim; learn, after go, finds the bits
 * that read back; look compares them before the run's own freeze.  UNCORE_ESTOLEN.
 */
int unc_freeze_check_make(struct unc_run *run);
/*
 * Find which of the filters just written read back as written, and note in the journal which do
 * not.  UNCORE_EIO: a write had no effect.
 */
int unc_learn_filters(const struct unc_run *run);
void unc_freeze_check_learn(const struct unc_run *run);
/* may_be_frozen: whether the run itself may have frozen the boxes of a package; or NULL. */
typedef bool unc_may_be_frozen(struct unc_run *run, unsigned package);
int unc_freeze_check_look(struct unc_run *run, unc_may_be_frozen *may_be_frozen);
void unc_freeze_check_free(struct unc_run *run);

#endif
