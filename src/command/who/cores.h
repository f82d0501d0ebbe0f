/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cores.h - divide the reads of memory among owners where resctrl monitors no bandwidth: the
 * C-Boxes of Sandy Bridge-EP to Broadwell-EP filter by core and thread.  Each slice counts the
 * reads of another CPU, of which it has its share of the addresses; the reads of a CPU belong to
 * the threads that ran on it, by their CPU time.
 */
#ifndef WHO_CORES_H
#define WHO_CORES_H

#include <stdbool.h>

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
	struct core_cpu *cpus;
	size_t n;
	struct uncore_box_info *slices;
	size_t n_slices;
	int64_t *counts, ns;
	struct looked_at at;  /* the last read */
	struct procs last;    /* at the last look */
	struct shares shares; /* of the last interval: reads only */
};

/* The C-Boxes of this machine filter by core. */
bool cores_have_filters(struct uncore *u);

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
