/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * owners.h - which slice of the last-level cache owns a line of memory, found by reading each line
 * many times while all slices count.  Part of the command only.
 */
#ifndef SLICES_OWNERS_H
#define SLICES_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest known base sequence (docs/hardware/README.md), in a block of 1 MiB. */
#define OWNER_LINES   16384
#define OWNER_BLOCK   ((size_t)OWNER_LINES * 64)
#define OWNER_UNKNOWN UINT16_MAX

/* Reads a line of the block from memory; false: why has the reason. */
struct line_reader {
	bool (*read)(void *arg, size_t line, size_t times, char *why, size_t len);
	void *arg;
};

struct owners {
	unsigned package;
	char event[UNCORE_NAME_MAX + 1]; /* that was counted */
	size_t n;                        /* slices of the package */
	struct uncore_box_info *slices;  /* in the order of their numbers */
	uint16_t *owner;                 /* the slice of each line, an index; or OWNER_UNKNOWN */
	unsigned *lines;                 /* the number of lines of each slice */
	size_t unknown;                  /* lines whose slice was not found */
	char why[256];                   /* why there is no result */
};

/*
 * Find the slices that own the lines of a block of memory of a package.  Returns 0; a library
 * error, whose message is set; or OWNERS_NONE: why has the reason.
 */
#define OWNERS_NONE 1
int owners_find(struct owners *owners, struct uncore *u, unsigned package,
		const struct line_reader *reader);
void owners_free(struct owners *owners);

/*
 * The slice that counted about as much as there were reads of a line, and four times as much as
 * any other counted or lacks; or OWNER_UNKNOWN.  A slice lacks counts if the process was preempted
 * just before it was read for the first time: it may be the owner.
 */
uint16_t owner_by_gain(const double *gain, size_t n, double reads);

/*
 * The number of lines, a power of two, of which all others are binary permutations: in one with
 * number x, line i has the owner of the first line i ^ x.  0: of no smaller number than all.
 */
size_t owners_period(const struct owners *owners);

#ifdef __cplusplus
}
#endif
#endif
