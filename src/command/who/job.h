/* SPDX-License-Identifier: BSD-3-Clause */
/* job.h - the batch job of a process, by the cgroups in which Slurm, PBS and LSF put processes. */
#ifndef WHO_JOB_H
#define WHO_JOB_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * text: /proc/PID/cgroup.  The path must have the exact form of a batch system from the root of its
 * hierarchy, and root must own the directories down to that of the job (below root/sys/fs/cgroup,
 * if the hierarchy is mounted there): users can make cgroups of any name in their own ones.  To be
 * freed; NULL: no job.
 */
char *job_of(const char *root, const char *text);

#ifdef __cplusplus
}
#endif
#endif
