/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process.h - which process a number means: numbers are reused, and other containers have the same
 * ones.
 */
#ifndef UNC_PROCESS_H
#define UNC_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A process, for all time. */
struct unc_process {
	uint64_t space; /* PID namespace; 0: unknown */
	int pid;
	uint64_t began; /* ticks since boot; 0: unknown */
};

/* A process of this PID namespace, by /proc/PID/stat. */
struct unc_process_now {
	char state;
	int parent;
	uint64_t began; /* ticks since boot */
};

/* 0, or -errno if a descriptor or memory is missing; without /proc, `space` and `began` are 0. */
UNC_SHARED int unc_this_process(struct unc_process *self);

/* 0, or an errno value with all fields 0: ENOENT or ESRCH: no such process. */
int unc_look_at_process(struct unc_process_now *now, int pid);

/*
 * Whether the process has ended.  False if that cannot be found out, as for a process of another
 * PID namespace.
 */
UNC_SHARED bool unc_process_is_gone(const struct unc_process *process);

#ifdef __cplusplus
}
#endif
#endif
