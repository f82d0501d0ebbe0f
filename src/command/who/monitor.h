/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * monitor.h - divide the traffic of the cores among owners, by monitoring groups of resctrl: one
 * for each owner in each control group.  Groups that others made stay as they are; their traffic
 * belongs to the owner of all their threads, or else has a row of its own.  A user other than
 * root monitors own processes only, and sees no names of other users'.
 */
#ifndef WHO_MONITOR_H
#define WHO_MONITOR_H

#include "command/who/owner.h"
#include "command/who/resctrl.h"

#ifdef __cplusplus
extern "C" {
#endif

struct monitor {
	struct resctrl resctrl;
	enum who_by by;
	struct watched *watched;
	size_t n_watched;
	unsigned made;        /* groups, for their names */
	struct shares shares; /* of the last interval */
	struct looked_at at;  /* the last reading of all groups */
	/* of the last interval */
	unsigned ungrouped; /* owners without a group, for this reason: */
	int error;          /* ENOSPC: no monitoring ID was left */
	unsigned lost;      /* groups that others removed: their traffic is unknown */
	unsigned unread;    /* groups for which the kernel reported an error */
};

/* False with a reason in why, as resctrl_open(). */
bool monitor_open(struct monitor *m, const char *root, struct uncore *u, enum who_by by, char *why,
		  size_t len);
/* Remove our groups. */
void monitor_close(struct monitor *m);

/* Give the threads of all processes groups. */
void monitor_assign(struct monitor *m, const struct procs *procs);

/*
 * Read all groups.  The shares are what each owner did since the previous call; those of the first
 * call are empty.
 */
void monitor_read(struct monitor *m);

#ifdef __cplusplus
}
#endif
#endif
