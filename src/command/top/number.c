/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - see number.h. */
#include "command/top/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/base/rate.h"

static void put_digits(char *text, size_t len, double x)
{
	const double size = fabs(x);

	snprintf(text, len, "%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, x);
}

static void put_unit(char text[RATE_TEXT], const char *unit)
{
	const size_t len = strlen(text);

	snprintf(text + len, RATE_TEXT - len, " %s", unit);
}

static void mean(char text[RATE_TEXT], const char *units, double x)
{
	if (strcmp(units, "Hz") == 0) {
		rate_text(text, "cycles", x, 1);
	} else if (strcmp(units, "ratio") == 0) {
		put_digits(text, RATE_TEXT, 100 * x);
		put_unit(text, "%");
	} else {
		put_digits(text, RATE_TEXT, x);
		if (strlen(units) <= 3)
			put_unit(text, units);
	}
}

const char *top_number_text(char text[TOP_NUMBER_TEXT], const struct top_metric *m,
			    const struct top_value *value)
{
	char number[RATE_TEXT] = "-";

	if (!isnan(value->number) && m->real)
		mean(number, m->units, value->number);
	else if (!isnan(value->number))
		rate_text(number, m->units, value->number, 1);
	snprintf(text, TOP_NUMBER_TEXT, "%s%s", value->estimate && *number != '-' ? "~" : "",
		 number);
	return text;
}

struct top_scale top_scale_of(const struct top_metric *m, double largest)
{
	struct top_scale scale = {.factor = 1};
	char text[RATE_TEXT];
	double number;

	if (m->real) {
		snprintf(scale.unit, sizeof(scale.unit), "%s", m->units);
		return scale;
	}
	rate_text(text, m->units, largest, 1);
	/* derive the factor from the converted number */
	if (sscanf(text, "%lf %39[^\n]", &number, scale.unit) == 2 && number > 0 && largest > 0)
		scale.factor = pow(10, -3 * round(log10(largest / number) / 3));
	return scale;
}

const char *top_scaled_text(char text[TOP_NUMBER_TEXT], const struct top_scale *scale,
			    const struct top_value *value)
{
	char number[RATE_TEXT] = "-";

	if (!isnan(value->number))
		put_digits(number, sizeof(number), value->number * scale->factor);
	snprintf(text, TOP_NUMBER_TEXT, "%s%s", value->estimate && *number != '-' ? "~" : "",
		 number);
	return text;
}
