/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marks.h - the times at which regions begin and end, for `uncore explain`: lines in a file in
 * memory whose descriptor the program inherits (UNCORE_MARKS).
 *
 * The program, or one that started it, may have closed the descriptor, and then its number is that
 * of another file.  UNCORE_MARKS therefore names the file by device, inode and a random key, which
 * is also the first line of the file.  All three are compared before each line is appended.
 */
#ifndef UNC_MARKS_H
#define UNC_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_MARKS_KEY    32                 /* hexadecimal digits */
#define UNC_MARKS_HEAD   "uncore-marks "    /* the first line: this, and the key */
#define UNC_MARKS_MOST   (INT64_C(1) << 25) /* bytes of the file; further lines are dropped */
#define UNC_MARKS_LINE   160                /* no line is longer */
#define UNC_MARKS_FORMAT "%d:%" PRIu64 ":%" PRIu64 ":%s" /* descriptor:device:inode:key */

struct unc_marks {
	int fd; /* -1: none */
	uint64_t device, inode;
	char key[UNC_MARKS_KEY + 1];
};

/* The file that UNCORE_MARKS names; fd is -1 without one, or if its descriptor is closed. */
void unc_marks_find(struct unc_marks *marks);

/*
 * Write "123456 + name", or - at the end, with the time of CLOCK_MONOTONIC in ns.  Errors are
 * ignored: they must not disturb the program.  Threads: any.  Signal-safe.
 */
void unc_mark(const struct unc_marks *marks, bool begins, const char *name);

#ifdef __cplusplus
}
#endif
#endif
