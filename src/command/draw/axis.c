/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.c - see axis.h. */
#include "command/draw/axis.h"

#include <math.h>
#include <stdio.h>

#define PARTS 5    /* of a step: an axis ends at the first of them at or above the data */
#define NOISE 1e-9 /* of a step: rounding errors must not add a tick */

static double round_step(double step)
{
	const double power = pow(10, floor(log10(step)));
	const double digit = step / power;

	return power * (digit <= 1 + NOISE   ? 1
			: digit <= 2 + NOISE ? 2
			: digit <= 5 + NOISE ? 5
					     : 10);
}

static double some(double most)
{
	return isfinite(most) && most > 0 ? most : 1;
}

struct draw_axis draw_axis_to(double most, unsigned ticks)
{
	struct draw_axis a = {.step = round_step(some(most) / ticks)};
	const double part = a.step / PARTS;

	a.high = part * ceil(some(most) / part - NOISE);
	a.n = (unsigned)floor(a.high / a.step + NOISE) + 1;
	return a;
}

struct draw_axis draw_axis_until(double most, unsigned ticks)
{
	struct draw_axis a = {.step = round_step(some(most) / ticks), .high = some(most)};

	a.n = (unsigned)floor(a.high / a.step + NOISE) + 1;
	return a;
}

const char *draw_tick_text(char text[DRAW_TICK], const struct draw_axis *a, unsigned i)
{
	const double digits = -floor(log10(a->step) + NOISE);

	snprintf(text, DRAW_TICK, "%.*f", digits > 0 ? (int)digits : 0, a->low + i * a->step);
	return text;
}
