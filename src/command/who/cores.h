/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores.h - divide the reads of memory among owners where resctrl monitors no bandwidth: the reads
 * of a CPU (core_reads.h) belong to the threads that ran on it, by their CPU time.
 */
#ifndef WHO_CORES_H
#define WHO_CORES_H

#include <stdbool.h>

#include "command/who/core_reads.h"
#include "command/who/cpu_time.h"
#include "command/who/owner.h"
#include "command/who/shares.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Relative error of a share: threads that migrate between two looks, and addresses that are not
 * evenly spread over the slices. */
#define CORES_ERROR 0.25

struct cores {
	struct uncore *u;
	enum who_by by;
	struct uncore_set *set;
	struct core_reads reads;
	struct core_cpu *cpus; /* of each of them */
	int64_t *counts, ns;
	struct looked_at at; /* the last read */
	struct cpu_time time;
	struct shares shares; /* of the last interval: reads only */
};

/* False with a reason in why. */
bool cores_open(struct cores *c, const char *root, struct uncore *u, enum who_by by, char *why,
		size_t len);
void cores_close(struct cores *c);

/* Where the threads ran since the last call; at least ten times in an interval.  Takes procs over.
 */
void cores_look(struct cores *c, struct procs *procs);

/* The shares since the last call; 0 or the library's error. */
int cores_read(struct cores *c);

#ifdef __cplusplus
}
#endif
#endif
