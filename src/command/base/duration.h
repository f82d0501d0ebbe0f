/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.h - times as people write them. */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>

/*
 * "500ms", "2s", "1.5m", "1h", "20us", or a number in the unit that the caller gives, in ms.  The
 * time in ms, of which whole numbers are exact; false: the text is none, or not from 1 to 1e12 ms.
 */
bool duration_of(const char *text, double unit, double *ms);

#endif
