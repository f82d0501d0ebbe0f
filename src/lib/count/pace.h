/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pace.h - choose the faster of two methods by measuring them in use.  Not for two threads at
 * once.
 */
#ifndef UNC_PACE_H
#define UNC_PACE_H

#include <stdint.h>

#define UNC_PACE_LEARN 8   /* measurements of both methods at the start, the second one first */
#define UNC_PACE_AGAIN 512 /* after this many measurements the slower one is tried again, twice */

struct unc_pace {
	unsigned n;    /* number of measurements */
	int64_t ns[2]; /* typical time of each method; 0: unknown */
};

/* The method to use now, 0 or 1. */
unsigned unc_pace_method(const struct unc_pace *pace);

/* Record its time, ns. */
void unc_pace_note(struct unc_pace *pace, unsigned way, int64_t ns);

#endif
