/* SPDX-License-Identifier: BSD-3-Clause */
/* phases.h - cut a run where its memory traffic changes. */
#ifndef EXPLAIN_PHASES_H
#define EXPLAIN_PHASES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PHASES_MOST  16
#define PHASE_LENGTH 5 /* intervals, at least */

/*
 * Cut n values, one per interval, into parts of different means.  starts receives the first
 * interval of each phase, in order; returns their number, 1 or more.
 */
size_t phases_find(const double *values, size_t n, size_t starts[PHASES_MOST]);

#ifdef __cplusplus
}
#endif
#endif
