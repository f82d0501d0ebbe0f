/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - CLOCK_MONOTONIC, for times that are not those of counters. */
#ifndef UNC_CLOCK_H
#define UNC_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns.  Signal-safe. */
static inline int64_t unc_monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
