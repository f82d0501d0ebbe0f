/* SPDX-License-Identifier: BSD-3-Clause */
/* own.h - the traffic of a program that this one starts, by a monitoring group of its own
 * (resctrl.h). */
#ifndef WHO_OWN_H
#define WHO_OWN_H

#include "command/who/resctrl.h"

#ifdef __cplusplus
extern "C" {
#endif

struct own {
	struct resctrl resctrl;
	char *control; /* the control group in which the thread was */
	char *group;
	struct share_values before;
};

/*
 * Make a group for a thread and the programs that it starts.  False with a reason in why, also if
 * another program monitors the thread.
 */
bool own_open(struct own *o, const char *root, struct uncore *u, pid_t thread, char *why,
	      size_t len);
void own_close(struct own *o);

/* Programs that the thread starts in between belong to the group.  0 or an errno value. */
int own_enter(const struct own *o, pid_t thread);
int own_leave(const struct own *o, pid_t thread);

/* The traffic of the group since own_open(); false: the group was removed, or the kernel reports an
 * error. */
bool own_read(const struct own *o, struct share_values *values);

#ifdef __cplusplus
}
#endif
#endif
