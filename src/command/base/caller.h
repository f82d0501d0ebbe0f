/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.h - a command that has rights its caller lacks (setuid, setgid, file capabilities) uses
 * them for registers and nothing else: files, sockets and programs that the caller names
 * are opened and run as the caller.  Without such rights these functions do nothing.
 */
#ifndef CALLER_H
#define CALLER_H

#include <stdint.h>
#include <sys/types.h>

/* Credentials of the thread before the change. */
struct caller {
	uint32_t effective[2]; /* capabilities */
	uid_t uid;             /* used to open files */
	gid_t gid;
};

/* Until caller_end() this thread opens files as the caller.  Exits if that fails. */
void caller_begin(struct caller *before);
void caller_end(const struct caller *before);

/* Drop the additional rights permanently, before threads are created.  Exits if that fails. */
void caller_become(void);

/* Keep child programs from inheriting capabilities. */
void caller_keep_from_children(void);

#endif
