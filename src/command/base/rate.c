/* SPDX-License-Identifier: BSD-3-Clause */
/* rate.c - see rate.h. */
#include "command/base/rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *units; /* NULL: any other */
	const char *rate;
	double factor;
} rates[] = {
	{"bytes", "B/s", 1},
	{"cycles", "Hz", 1},
	{"uJ", "W", 1e-6},
	{NULL, "/s", 1},
};

static int digits_of(double number)
{
	return fabs(number) < 9.995 ? 2 : fabs(number) < 99.95 ? 1 : 0;
}

/* Three digits, with a prefix of 1000 each. */
static void print_scaled(char text[RATE_TEXT], double rate, const char *unit)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
	size_t prefix = 0;

	while (fabs(rate) >= 999.5 && prefix + 1 < sizeof(prefixes) / sizeof(*prefixes)) {
		rate /= 1000;
		prefix++;
	}
	snprintf(text, RATE_TEXT, "%.*f %s%s", digits_of(rate), rate, prefixes[prefix], unit);
}

double per_second(double count, double seconds)
{
	return seconds > 0 ? count / seconds : (double)NAN;
}

const char *rate_text(char text[RATE_TEXT], const char *units, double count, double seconds)
{
	size_t i = 0;

	*text = '\0';
	if (!units || !(seconds > 0))
		return text;
	while (rates[i].units && strcmp(rates[i].units, units) != 0)
		i++;
	print_scaled(text, per_second(count, seconds) * rates[i].factor, rates[i].rate);
	return text;
}

const char *number_text(char text[RATE_TEXT], double number)
{
	size_t length;

	print_scaled(text, number, "");
	length = strlen(text);
	if (text[length - 1] == ' ')
		text[length - 1] = '\0';
	return text;
}

#define LEAST_ERROR 0.001 /* % */

const char *error_text(char text[RATE_TEXT], double part)
{
	const double percent = part > 0 ? fmax(100 * part, LEAST_ERROR) : 0;
	const int digits = percent < 0.0995 ? 3 : percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0;

	snprintf(text, RATE_TEXT, "%.*f %%", percent > 0 ? digits : 0, percent);
	return text;
}
