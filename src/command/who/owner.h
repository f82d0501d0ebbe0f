/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.h - the owner of the traffic of a process: a job, a container, a user. */
#ifndef WHO_OWNER_H
#define WHO_OWNER_H

#include <stdbool.h>

#include "command/who/proc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum who_by { BY_PROCESS, BY_JOB, BY_CGROUP, BY_USER, BY_CONTAINER, BY_SOCKET, WHO_BYS };

/* "process", "job", ...; NULL after the last. */
const char *who_by_name(unsigned by);
/* By name; false: unknown. */
bool who_by_named(const char *name, enum who_by *by);

/*
 * The owner of a process, to be freed: "solver (101)"; the number of a job of Slurm, PBS or LSF, by
 * its cgroup; the cgroup; the user's name; a container of Docker, Podman, containerd, CRI-O or
 * Apptainer, by its cgroup.  "(no job)", "(no container)" for a process outside of any.  With
 * BY_SOCKET all have one owner.
 */
char *owner_of(const struct proc *p, enum who_by by);

/* Root may see the owners of all processes, another user those of own ones. */
bool owner_is_shown(const struct proc *p);
/* owner_of(), or OWNER_OTHERS if it may not be shown. */
char *owner_shown(const struct proc *p, enum who_by by);

#ifdef __cplusplus
}
#endif
#endif
