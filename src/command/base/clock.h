/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - CLOCK_MONOTONIC, for times that the command measures. */
#ifndef COMMAND_CLOCK_H
#define COMMAND_CLOCK_H

#include "base/clock.h"

static inline uint64_t now_ns(void)
{
	return (uint64_t)unc_monotonic();
}

static inline double seconds_now(void)
{
	return 1e-9 * (double)now_ns();
}

#endif
