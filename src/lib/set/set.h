/* SPDX-License-Identifier: BSD-3-Clause */
/* set.h - event sets; shared by the files of src/lib/set. */
#ifndef UNC_SET_H
#define UNC_SET_H

#include "backend/backend.h"
#include "set/regions.h"

/* ---- read.c ---- */

/*
 * Sums by the counters, which are kept; of a set that does not run or was stopped meanwhile, in a
 * forked child and after a failure the last ones.  0 or UNCORE_EIO; signal-safe.
 */
int unc_read_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums);

/* ---- stop_after.c ---- */

/* The public list, of a list of events; its numbers become those of counted events. */
int unc_stop_after_fill(struct unc_samples *samples, const struct unc_counted *counted,
			const struct uncore_stop_after *list, size_t n, struct unc_err *err);

/*
 * open_kernel.c: a machine whose boxes are those that the kernel's driver has, which counts there.
 * An error leaves the handle without hw.
 */
int unc_kernel_open(struct uncore *u);

/* later_cpus.c: a warning of the CPUs below u->root that the machine, uncored's, does not have. */
void unc_note_later_cpus(struct uncore *u);

/* ---- start.c ---- */

/* Stop all sets that run, once other processes let us. */
void unc_stop_all(struct uncore *u);

/* ---- retry.c: while another process claims or gives back ---- */

/* Under the handle's lock. */
typedef int unc_attempt(struct uncore *u, void *arg);
/*
 * Call it until it does not return UNC_WAIT, or the time that was set for that is over: then
 * UNC_WAIT, or UNCORE_EBUSY with the name of who is claiming.
 */
int unc_retry_until_unlocked(struct uncore *u, unc_attempt *body, void *arg);
int unc_retry_or_busy(struct uncore *u, unc_attempt *body, void *arg);

/* ---- others ---- */

void unc_msrs_free(struct uncore *u); /* msr_list.c */

/* exit.c: at exit() the handle stops its sets, at dlclose() it is closed. */
int unc_guard_add(struct uncore *u, void (*close)(struct uncore *u));
void unc_guard_remove(struct uncore *u);

#endif
