/* SPDX-License-Identifier: BSD-3-Clause */
/* cpu_time.h - the CPU time that threads used between two looks, and where. */
#ifndef WHO_CPU_TIME_H
#define WHO_CPU_TIME_H

#include "command/who/proc.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cpu_time {
	struct procs last; /* at the last look */
};

/* A thread of a process used a number of ticks, and ran last on this CPU. */
typedef void cpu_time_used(void *of, const struct proc *p, unsigned cpu, uint64_t ticks);

/* Report what was used since the last call, if there was one.  Takes procs over. */
void cpu_time_look(struct cpu_time *t, struct procs *procs, cpu_time_used *used, void *of);
void cpu_time_free(struct cpu_time *t);

#ifdef __cplusplus
}
#endif
#endif
