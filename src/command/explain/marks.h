/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marks.h - the regions of a program that `uncore explain` runs: a file in memory, to which the
 * library in the program writes when they begin and end (src/lib/base/marks.h).
 */
#ifndef EXPLAIN_MARKS_H
#define EXPLAIN_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REGIONS_MOST 64

/* Times in s of CLOCK_MONOTONIC in which at least one thread was in a region, in order. */
struct marked_region {
	char *name;
	unsigned calls; /* begins */
	size_t n, room;
	struct marked_time {
		double begin, end;
	} * times;
};

struct marks {
	int file; /* -1: there could be none */
	size_t n;
	struct marked_region *regions; /* in the order of their first begin */
	unsigned left_out;             /* regions beyond REGIONS_MOST */
	int64_t most;                  /* bytes that the program can write */
	char *head;                    /* the first line of the file */
	bool damaged;                  /* the program has changed the file */
	bool full;
};

/* Make the file, and set UNCORE_MARKS for programs that are started. */
void marks_open(struct marks *m);
/*
 * Read the file; regions that were not ended end at `end`.  The program can write anything to it,
 * or truncate it to any size: what follows the damage is ignored.
 */
void marks_read(struct marks *m, double end);
/* Why regions may be missing, as a sentence; NULL: they are not. */
const char *marks_problem(const struct marks *m);
/* The same for a text, for tests. */
void marks_take(struct marks *m, char *text, double end);
void marks_close(struct marks *m);

#ifdef __cplusplus
}
#endif
#endif
