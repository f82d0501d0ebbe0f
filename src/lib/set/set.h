/* SPDX-License-Identifier: BSD-3-Clause */
/* set.h - event sets; shared by the files of src/lib/set. */
#ifndef UNC_SET_H
#define UNC_SET_H

#include "backend/backend.h"
#include "set/regions.h"

/* ---- read.c ---- */

/*
 * Sums from the counters.  The last known ones if the set is stopped, in a forked child, and
 * after a failure. 0 or UNCORE_EIO; signal-safe.
 */
int unc_read_sums(struct uncore_set *set, struct unc_reader *reader, uint64_t *sums);

/* ---- stop_after.c ---- */

/* The public list of events; indices become those of counted events. */
int unc_stop_after_fill(struct unc_samples *samples, const struct unc_counted *counted,
			const struct uncore_stop_after *list, size_t n, struct unc_err *err);

/*
 * open_machine.c: open a machine with the boxes that the kernel driver has, and counts in.
 * After an error the handle has no hw.
 */
int unc_kernel_open(struct uncore *u);

/* open_machine.c: warn of CPUs below u->root that uncored's machine does not have. */
void unc_note_later_cpus(struct uncore *u);

/* ---- start.c ---- */

/* Stop all running sets as soon as other processes release the locks. */
void unc_stop_all(struct uncore *u);

/* ---- start.c: wait while another process is claiming or releasing counters ---- */

/* Under the handle's lock. */
typedef int unc_attempt(struct uncore *u, void *arg);
/* Call `body` until it does not return UNC_WAIT or the timeout is over: then UNC_WAIT. */
int unc_retry_until_unlocked(struct uncore *u, unc_attempt *body, void *arg);
/* Then: UNCORE_EBUSY naming the process that holds the lock. */
int unc_still_locked(struct uncore *u);

/* ---- sharing.c, msr_list.c, exit.c ---- */

/* At the end of the handle: restore what earlier calls could not for lack of memory or files. */
void unc_settle(struct uncore *u);

void unc_msrs_free(struct uncore *u);         /* msr_list.c */
void unc_device_infos_free(struct uncore *u); /* device_info.c */

/* exit.c: exit() stops the sets of the handle, dlclose() closes it. */
int unc_guard_add(struct uncore *u, void (*close)(struct uncore *u));
void unc_guard_remove(struct uncore *u);

#endif
