/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.h - ticks at round numbers.  Pure functions. */
#ifndef DRAW_AXIS_H
#define DRAW_AXIS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From low to high in steps of 1, 2 or 5 times a power of ten. */
struct draw_axis {
	double low, high, step;
	unsigned n; /* ticks; tick i is at low + i * step */
};

/* An axis from 0 to a fifth of a step above most at the most, with about this many ticks; most 0 is
 * 1. */
struct draw_axis draw_axis_to(double most, unsigned ticks);
/* The same, ending at most exactly: for the time axis. */
struct draw_axis draw_axis_until(double most, unsigned ticks);

#define DRAW_TICK 32
/* The number at tick i, with as many digits as the step has; returns text. */
const char *draw_tick_text(char text[DRAW_TICK], const struct draw_axis *axis, unsigned i);

#ifdef __cplusplus
}
#endif
#endif
