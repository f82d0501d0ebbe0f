/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pace.h - which of two ways of doing the same takes less time on this machine, learned by doing
 * it.  Not for two threads at once.
 */
#ifndef UNC_PACE_H
#define UNC_PACE_H

#include <stdint.h>

#define UNC_PACE_LEARN 8   /* times in which both ways take turns, the second one first */
#define UNC_PACE_AGAIN 512 /* times after which the slower one is tried again, twice */

struct unc_pace {
	unsigned n;    /* times */
	int64_t ns[2]; /* that each way takes, typically; 0: not known */
};

/* 0 or 1: the way to take now. */
unsigned unc_pace_method(const struct unc_pace *pace);

/* It took so long, ns. */
void unc_pace_note(struct unc_pace *pace, unsigned way, int64_t ns);

#endif
