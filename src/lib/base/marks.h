/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marks.h - the times at which regions begin and end, for `uncore explain`: lines in a file in
 * memory whose descriptor the program inherits (UNCORE_MARKS).
 */
#ifndef UNC_MARKS_H
#define UNC_MARKS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The descriptor; -1: none was inherited, or it is now that of another file. */
int unc_marks_descriptor(void);

/*
 * Write "123456 + name", or - at the end, with the time of CLOCK_MONOTONIC in ns.  Errors are
 * ignored: they must not disturb the program.  Threads: any.  Signal-safe.
 */
void unc_mark(int descriptor, bool begins, const char *name);

#ifdef __cplusplus
}
#endif
#endif
