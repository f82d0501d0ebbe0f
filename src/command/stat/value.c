/* SPDX-License-Identifier: BSD-3-Clause */
/* value.c - see value.h. */
#include "command/stat/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/gain.h"

/* Without occurrences the mean is NaN. */
char *raw_value(const struct row *row, const struct result *result)
{
	const double size = fabs(result->value);

	if (has_no_window(&result->times))
		return text_of(NOT_COUNTED);
	if (!row->real)
		return text_of("%" PRId64, result->count);
	if (!isfinite(result->value))
		return text_of("-");
	if (size > 0 && size < 0.001)
		return text_of("%.3e", result->value);
	return text_of("%.*f", size < 1000 ? 6 : 1, result->value);
}

/* Insert commas between the thousands of a number; frees it. */
static char *separate(char *number)
{
	const size_t sign = *number == '-', digits = strspn(number + sign, "0123456789");
	char *text = text_of("%.*s", (int)sign, number);

	for (size_t i = 0; i < digits; i++)
		text = text_and(text, "%s%c", i && (digits - i) % 3 == 0 ? "," : "",
				number[sign + i]);
	text = text_and(text, "%s", number + sign + digits);
	free(number);
	return text;
}

static bool is_frequency(const struct row *row)
{
	return strcmp(row->units, "Hz") == 0;
}

static char *shown_mean(const struct row *row, double value)
{
	const double size = fabs(value);

	if (is_frequency(row))
		return text_of("%.3f", value / 1e9);
	if (size > 0 && size < 0.001)
		return text_of("%.3e", value);
	return separate(text_of("%.*f", size < 1 ? 4 : size < 100 ? 2 : 1, value));
}

char *shown_value(const struct row *row, const struct result *result)
{
	if (has_no_window(&result->times) || (row->real && !isfinite(result->value)))
		return raw_value(row, result);
	return row->real ? shown_mean(row, result->value) : separate(raw_value(row, result));
}

const char *shown_units(const struct row *row)
{
	return is_frequency(row) ? "GHz" : row->units;
}

char *deviation_text(double deviation)
{
	return isfinite(deviation) ? text_of("+- %.2f %%", deviation) : text_of("%s", "");
}
