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

/* What the thread had before. */
struct caller {
	uint32_t effective[2]; /* capabilities */
	uid_t uid;             /* by which files are opened */
	gid_t gid;
};

/* Until caller_end() this thread opens files as the caller.  Ends the program if it cannot. */
void caller_begin(struct caller *before);
void caller_end(const struct caller *before);

/* Give up the additional rights for good, before there are threads.  Ends the program if it
 * cannot. */
void caller_become(void);

/* Programs that are run get no capability from this one. */
void caller_keep_from_children(void);

#endif
