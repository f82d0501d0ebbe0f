/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * others.h - data that a run publishes to other processes, and checks of theirs.  All functions
 * require the handle's lock and, except for windows of multiplexed events, the locks of the
 * packages (unc_others_begin()).
 */
#ifndef UNC_RUN_OTHERS_H
#define UNC_RUN_OTHERS_H

#include "claim/run.h"

/* Set the elements of the packages in which a run changes anything. */
void unc_run_packages(const struct unc_run *run, bool *packages);

/*
 * Begin locks the packages and reads the journals of other processes.  1: locked, or no lock is
 * needed; 0: another process holds one; or an error.  End updates the journal, restores registers
 * that other processes left and no process needs any more, and unlocks.
 */
int unc_others_begin(struct uncore *u, const bool *packages);
void unc_others_end(struct uncore *u, const bool *packages);
/* Remove restored registers from the journal. */
void unc_others_prune(struct uncore *u);

/*
 * busy.c: UNCORE_EBUSY, with a message that names the counter and who uses it: op read a value of
 * its control that shows that it is in use, or another process owns registers of the box.
 */
int unc_busy_counter(const struct unc_run *run, unsigned box, const struct unc_op *op,
		     uint64_t value);
int unc_busy_box(const struct unc_run *run, unsigned box, const struct unc_owner *who);

/*
 * Publish the names of counted events for processes that count the same ones, before counters are
 * claimed; `by` identifies them for unclaim.
 */
int unc_others_claim(struct uncore *u, const void *by, const char *const *names, size_t n);
void unc_others_unclaim(struct uncore *u, const void *by);

/* Without the lock: assume other processes in packages that the run does not use exclusively. */
void unc_others_unseen(const struct unc_run *run, const bool *packages);
/* 0, or UNCORE_EBUSY naming the process that uses a box of the run; later: as below. */
int unc_others_check(const struct unc_run *run, const struct unc_ops *save, bool later);
/*
 * Note the registers that the run will change, with the values that were read; later: for windows.
 * Write the journal if it changed, before any of them is.
 */
int unc_others_note(const struct unc_run *run, const struct unc_ops *save, const uint64_t *values,
		    bool later);
int unc_others_write(struct uncore *u);

/*
 * For multiplexing, whose runs start and stop.  An open package stays unfrozen for all of them,
 * since other processes may count there meanwhile.  1: open, unc_package_close() must follow; 0: no
 * journals, so other processes cannot be seen; or an error.  unc_others_keep() keeps the registers
 * of a box in the journal between runs.
 */
int unc_package_open(struct uncore *u, const bool *packages);
int unc_package_close(struct uncore *u, const bool *packages, int result);
void unc_others_keep(struct uncore *u, unsigned box, bool keep);

#endif
