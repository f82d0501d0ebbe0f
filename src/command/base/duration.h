/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.h - parse durations. */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>

/*
 * "500ms", "2s", "1.5m", "1h", "20us", or a number in the caller's unit, which is given in ms.
 * Stores milliseconds; whole numbers are exact.  False: invalid, or not from 1 to 1e12 ms.
 */
bool duration_of(const char *text, double unit, double *ms);

#endif
