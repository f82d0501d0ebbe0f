/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resctrl.h - the kernel's monitoring groups (Documentation/filesystems/resctrl.rst): the traffic
 * of the threads in a group (MBM), their lines in the last-level cache, and their energy.  Names of
 * groups are paths below /sys/fs/resctrl: "" the default group, "mon_groups/a", "control",
 * "control/mon_groups/a".
 */
#ifndef WHO_RESCTRL_H
#define WHO_RESCTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "command/who/shares.h"
#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

struct resctrl {
	char *root, *top; /* of the file system; root/sys/fs/resctrl */
	bool bandwidth, occupancy, energy;
	bool uncorrected; /* the kernel does not correct MBM of this processor (SKX99, BDF102) */
	unsigned groups;  /* that can exist at the same time */
	struct resctrl_domain {
		unsigned package;
		char *name; /* "mon_L3_00", "mon_PERF_PKG_00" */
	} * domains;
	size_t n;
	struct unc_remote *uncored; /* it makes the groups, which this user may not; else NULL */
	struct resctrl_lent *lent;  /* groups of uncored, and their files for threads */
	size_t n_lent;
};

/*
 * False with a reason in why: no resctrl in this kernel or on this processor, not mounted, it
 * monitors no bandwidth, or this user may not make groups, also not through uncored.
 */
bool resctrl_open(struct resctrl *r, const char *root, struct uncore *u, char *why, size_t len);
void resctrl_close(struct resctrl *r);

/*
 * The counts of a group since it was made: sums that only grow.  False and
 * errno: ENOENT: the group was removed; EIO: the kernel reports an error.
 */
bool resctrl_read(const struct resctrl *r, const char *group, struct share_values *v);

/* All groups, the default group first; each and the list to be freed. */
char **resctrl_groups(const struct resctrl *r, size_t *n);
/* The control group of a group: "" for "mon_groups/a"; to be freed. */
char *resctrl_control(const char *group);
bool resctrl_is_monitoring(const char *group);

/* The threads of a group, to be freed; NULL if it was removed. */
pid_t *resctrl_tasks(const struct resctrl *r, const char *group, size_t *n);

/*
 * Make a group in a control group, whose name says which process made it.  Its path, to be freed,
 * or NULL and errno: ENOSPC: no monitoring ID is left.
 */
char *resctrl_make(struct resctrl *r, const char *control, unsigned number);
/* 0, or an errno value: ESRCH: the thread has ended. */
int resctrl_assign(const struct resctrl *r, const char *group, pid_t thread);
/* The threads of a removed group belong to its control group again. */
void resctrl_remove(struct resctrl *r, const char *group);

/* Made by a process of this program, which may have ended. */
bool resctrl_is_ours(const char *group);
/* Remove the groups of processes that were killed; how many. */
unsigned resctrl_recover(struct resctrl *r);

#ifdef __cplusplus
}
#endif
#endif
