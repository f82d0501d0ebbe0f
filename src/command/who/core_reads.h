/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core_reads.h - the events that count the reads of memory of each CPU: the C-Boxes of Sandy
 * Bridge-EP to Broadwell-EP filter by core and thread.  Each slice counts the reads of another CPU,
 * of which it has its share of the addresses.
 */
#ifndef WHO_CORE_READS_H
#define WHO_CORE_READS_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct core_read {
	unsigned cpu, package, core, thread; /* thread: of its core */
	double share;                        /* of the lines that its slice sees */
	unsigned id;                         /* of the event: lines */
};

/* CPUs by package. */
struct core_reads {
	struct core_read *cpus;
	size_t n;
};

/* The C-Boxes of this machine filter by core. */
bool cores_have_filters(struct uncore *u);

/* Root: of /sys.  0, or the library's error: UNCORE_ENOEVENT without filters. */
int core_reads_find(struct core_reads *r, struct uncore *u, const char *root);
void core_reads_free(struct core_reads *r);

#ifdef __cplusplus
}
#endif
#endif
