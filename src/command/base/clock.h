/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - CLOCK_MONOTONIC, for times that the command measures. */
#ifndef COMMAND_CLOCK_H
#define COMMAND_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static inline double seconds_now(void)
{
	return 1e-9 * (double)now_ns();
}

#endif
