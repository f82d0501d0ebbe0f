/* SPDX-License-Identifier: BSD-3-Clause */
/* proc.h - the processes of this machine and their threads, from /proc (proc(5)). */
#ifndef WHO_PROC_H
#define WHO_PROC_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct proc_thread {
	pid_t tid;
	unsigned cpu;   /* on which it ran last */
	uint64_t ticks; /* CPU time in user and kernel mode */
};

struct proc {
	pid_t pid, parent;
	uint64_t start; /* ticks since boot */
	uid_t uid;
	char *name, *cgroup; /* of cgroup v2, else the path of the longest hierarchy */
	char *job;           /* of a batch system; NULL: none */
	struct proc_thread *threads;
	size_t n;
};

/* By PID.  Kernel threads have no memory of their own and are left out. */
struct procs {
	struct proc *list;
	size_t n;
};

/*
 * Read all processes below root/proc.  Processes that end meanwhile are left out.  0, or an errno
 * value if /proc cannot be read.  Exits if memory is exhausted.
 */
int procs_read(struct procs *all, const char *root);
void procs_free(struct procs *all);

/* NULL: no such process. */
struct proc *procs_find(const struct procs *all, pid_t pid);

/* The text of a file, to be freed; NULL and errno.  A name may be formatted. */
char *read_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
