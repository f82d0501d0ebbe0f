/* SPDX-License-Identifier: BSD-3-Clause */
/* monitor_inside.h - definitions shared by monitor.c (who is in which group) and monitor_read.c. */
#ifndef WHO_MONITOR_INSIDE_H
#define WHO_MONITOR_INSIDE_H

#include "command/who/monitor.h"

/* A group: a control group, or a monitoring group of ours or others. */
struct watched {
	char *path, *control; /* control: of a monitoring group, else NULL */
	char *owner;          /* NULL: a monitoring group without threads */
	bool ours, valid;     /* valid: `last` was read */
	bool ended, final;    /* ours: the owner has no process left; read since */
	struct share_values last;
	double members[WHO_PACKAGES]; /* a control group: bytes of the others in it, subtracted */
	struct looked_at at;          /* when `last` was read; when it was 0, if the group is new */
};

#endif
