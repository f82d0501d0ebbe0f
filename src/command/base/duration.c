/* SPDX-License-Identifier: BSD-3-Clause */
/* duration.c - see duration.h. */
#include "command/base/duration.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool duration_of(const char *text, double unit, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = {{"us", 1e-3}, {"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}};
	char *end;
	const double value = strtod(text, &end);

	for (size_t i = 0; *end && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(end, units[i].name) == 0) {
			unit = units[i].ms;
			end += strlen(end);
		}
	*ms = value * unit;
	return end != text && !*end && isfinite(*ms) && *ms >= 1 && *ms <= 1e12;
}
