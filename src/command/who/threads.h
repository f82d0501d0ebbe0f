/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * threads.h - divide the reads of memory among owners by counters of the kernel
 * (perf_event_open(2)) in each thread: the misses of the last-level cache.  Users other than root
 * may count own threads.
 */
#ifndef WHO_THREADS_H
#define WHO_THREADS_H

#include <stdbool.h>

#include "command/who/owner.h"
#include "command/who/shares.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Relative error of a share: lines that the hardware prefetches are not counted as misses. */
#define THREADS_ERROR 0.5

struct perf_event_attr;

struct threads {
	enum who_by by;
	struct perf_event_attr *event;
	struct thread_counter *list;
	size_t n;
	unsigned *packages; /* of each CPU */
	size_t n_cpus;
	struct looked_at at;  /* the last reading */
	struct shares shares; /* of the last interval: reads only */
	unsigned ungrouped;   /* threads that could not be counted, for this reason: */
	int error;
	unsigned starved; /* ... because others had the counters while they ran */
};

/*
 * event: of perf_event_open(2), NULL: misses of the last-level cache.  False with a reason in why:
 * the processor or the virtual machine has no such event.
 */
bool threads_open(struct threads *t, struct uncore *u, const struct perf_event_attr *event,
		  enum who_by by, char *why, size_t len);
void threads_close(struct threads *t);

/* Begin to count new threads; several times in an interval. */
void threads_look(struct threads *t, const struct procs *procs);

/* The shares since the last call. */
void threads_read(struct threads *t);

#ifdef __cplusplus
}
#endif
#endif
