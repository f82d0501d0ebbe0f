/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * others.h - what runs tell other processes, and what they must know of them.  All under the
 * handle's lock, and but for windows of multiplexed events under that of the packages
 * (unc_others_begin()).
 */
#ifndef UNC_RUN_OTHERS_H
#define UNC_RUN_OTHERS_H

#include "claim/run.h"

/* The packages in which a run changes anything; adds to what is there. */
void unc_run_packages(const struct unc_run *run, bool *packages);

/*
 * Take the packages' locks and see who counts there.  1: they are held, or need not be; 0: somebody
 * else has one now; or an error.  End brings the journal up to date, gives back for others
 * what nobody needs any more, and lets go.
 */
int unc_others_begin(struct uncore *u, const bool *packages);
void unc_others_end(struct uncore *u, const bool *packages);
/* What has been given back need not be in the journal any more. */
void unc_others_prune(struct uncore *u);

/* What is counted, for those who want the same: before the claims; by: until unclaim. */
int unc_others_claim(struct uncore *u, const void *by, const char *const *names, size_t n);
void unc_others_unclaim(struct uncore *u, const void *by);

/* Without the lock: anybody may count by now where the run does not keep others out. */
void unc_others_unseen(const struct unc_run *run, const bool *packages);
/* 0, or UNCORE_EBUSY with the name of who counts in a box that the run needs; later: as below. */
int unc_others_check(const struct unc_run *run, const struct unc_ops *save, bool later);
/*
 * Note what the run is about to change, and what the reads of save gave; what is not in the
 * journal yet is written.  later: not now, there is more to come, for windows.
 */
int unc_others_note(const struct unc_run *run, const struct unc_ops *save, const uint64_t *values,
		    bool later);
int unc_others_write(struct uncore *u);

/*
 * For who lets runs come and go.  A package that is open is let run for all of them: no run freezes
 * it, since others may count there by then.  1: they are open, and have to be closed; 0: nobody
 * else can be seen; or an error.  The registers of a box that is kept stay in the journal.
 */
int unc_package_open(struct uncore *u, const bool *packages);
int unc_package_close(struct uncore *u, const bool *packages, int result);
void unc_others_keep(struct uncore *u, unsigned box, bool keep);

#endif
