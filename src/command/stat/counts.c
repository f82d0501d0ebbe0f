/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c - the text output of `uncore stat`. */
#include "counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines for people ---- */

/* Counts up to 10^18; the rest of 80 columns is for names. */
#define COUNT_WIDTH 18

#define NOT_COUNTED "<not counted>"
/* Percent of a count: smaller errors of an estimate are not shown. */
#define SHOWN_ERROR 1

/* The columns of a line; "" and NULL: not in this table. */
struct line {
	const char *count, *units, *rate, *percent, *deviation, *name;
};

/* As wide as the widest of this table, so that more is left for names. */
static int units_width(const struct counts *c)
{
	size_t width = strlen("units");

	for (size_t i = 0; i < c->wanted->n_rows; i++)
		if (strlen(c->wanted->rows[i].units) > width)
			width = strlen(c->wanted->rows[i].units);
	return (int)width;
}

static bool has_rates(const struct counts *c)
{
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		if (!c->wanted->rows[i].real)
			return true;
	return false;
}

/* A name that does not fit into the line is printed on a separate line. */
static void print_line(const struct counts *c, const struct line *line)
{
	const struct screen *s = &c->screen;
	char *text = text_of("%*s  %-*s", COUNT_WIDTH, line->count, units_width(c), line->units);

	if (has_rates(c))
		text = text_and(text, "  %9s", line->rate);
	if (c->multiplexed)
		text = text_and(text, "  %7s", line->percent);
	if (c->repeated)
		text = text_and(text, "  %10s", line->deviation);
	if (strlen(text) + 2 + strlen(line->name) <= s->width)
		fprintf(s->out, "%s  %s\n", text, line->name);
	else
		fprintf(s->out, "%s\n%*s%s\n", text, COUNT_WIDTH + 2, "", line->name);
	free(text);
}

/* Without occurrences the mean is NaN. */
static char *value_text(const struct row *row, const struct result *result)
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

static char *deviation_text(double deviation)
{
	return isfinite(deviation) ? text_of("+- %.2f %%", deviation) : text_of("%s", "");
}

/* ---- fields of a line ---- */

/* Quote a field that contains the separator or a quotation mark, as in RFC 4180. */
static void print_field(const struct counts *c, const char *text)
{
	FILE *out = c->screen.out;

	if (!strstr(text, c->separator) && !strchr(text, '"')) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

/* Seconds, count, units, event, percent of the time that it was counted, deviation of means. */
static void print_fields(const struct counts *c, double at, const char *count,
			 const struct row *row, const struct result *result)
{
	FILE *out = c->screen.out;

	fprintf(out, "%.6f%s%s%s", at, c->separator, count, c->separator);
	print_field(c, row->units);
	fputs(c->separator, out);
	print_field(c, row->name);
	fprintf(out, "%s%.1f", c->separator, c->multiplexed ? counted_percent(result) : 100.0);
	if (c->repeated)
		fputs(c->separator, out);
	if (c->repeated && isfinite(result->deviation))
		fprintf(out, "%.2f", result->deviation);
	fputc('\n', out);
}

/* ---- all rows ---- */

/* With the error if it is large enough to show. */
static char *name_text(const struct counts *c, const struct row *row, const struct result *result)
{
	const double error = c->multiplexed ? error_percent(row, result) : 0;

	if (error > SHOWN_ERROR)
		return text_of("%s  (+- %.1f %%)", row_label(row), error);
	return text_of("%s", row_label(row));
}

static bool is_frequency(const struct row *row)
{
	return strcmp(row->units, "Hz") == 0;
}

/* In tables, frequencies are in GHz. */
static char *table_value(const struct row *row, const struct result *result)
{
	if (is_frequency(row) && isfinite(result->value) && !has_no_window(&result->times))
		return text_of("%.3f", result->value / 1e9);
	return value_text(row, result);
}

static void print_row_line(const struct counts *c, double seconds, const char *count,
			   const struct row *row, const struct result *result)
{
	char *percent = text_of("%5.1f %%", counted_percent(result));
	char *deviation = deviation_text(result->deviation), rate[RATE_TEXT];
	char *name = name_text(c, row, result);
	const struct line line = {
		.count = count,
		.units = is_frequency(row) ? "GHz" : row->units,
		.rate = has_no_window(&result->times) ? "" : row_rate(rate, row, result, seconds),
		.percent = percent,
		.deviation = deviation,
		.name = name,
	};

	print_line(c, &line);
	free(name);
	free(deviation);
	free(percent);
}

/* Rows of single packages, followed by their sum. */
static void print_system(const struct counts *c, double seconds, const struct row *last,
			 const struct result *results)
{
	const struct system *system = last->system;
	struct row shown = {.name = system->label, .rate_divisor = 1};
	struct result sum = results[system->rows[0]];
	char *count;

	memcpy(shown.units, last->units, sizeof(shown.units));
	sum.deviation = NAN;
	for (size_t i = 1; i < system->n; i++) {
		const struct result *part = &results[system->rows[i]];

		sum.count += part->count;
		if (counted_percent(part) < counted_percent(&sum))
			sum.times = part->times;
	}
	count = value_text(&shown, &sum);
	print_row_line(c, seconds, count, &shown, &sum);
	free(count);
}

static void print_rows(const struct counts *c, const struct reading *r,
		       const struct result *results)
{
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		char *count =
			c->separator ? value_text(row, &results[i]) : table_value(row, &results[i]);

		if (c->separator)
			print_fields(c, r->at, count, row, &results[i]);
		else
			print_row_line(c, r->seconds, count, row, &results[i]);
		free(count);
		if (row->system && !c->separator)
			print_system(c, r->seconds, row, results);
	}
}

static void print_heading(const struct counts *c)
{
	const struct line line = {"count", "units", "rate", "counted", "deviation", "event"};

	fputc('\n', c->screen.out);
	print_paragraph(&c->screen, 0, "%s%s%s", c->machine.simulated ? "SIMULATED " : "",
			c->machine.title,
			c->machine.simulated ? ": counts do not describe a real machine" : "");
	fputc('\n', c->screen.out);
	print_line(c, &line);
}

static void print_not_counted(const struct counts *c, const struct result *results)
{
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		if (has_no_window(&results[i].times)) {
			print_paragraph(&c->screen, 0,
					NOT_COUNTED ": the event was never counted in a window "
						    "whose length is known to 0.5 %%; count for "
						    "longer, use longer windows, or count fewer "
						    "events at a time");
			return;
		}
}

void print_counts(const struct counts *c, const struct reading *r, const struct result *results)
{
	if (!c->separator)
		print_heading(c);
	print_rows(c, r, results);
	if (c->separator)
		return;
	print_stop_after(c, r->values);
	print_not_counted(c, results);
	fprintf(c->screen.out, "\n%*.6f  seconds\n", COUNT_WIDTH, r->seconds);
}

void print_means(const struct counts *c, const struct reading *r, const struct result *results,
		 unsigned runs, double deviation)
{
	char *text = deviation_text(deviation);

	if (!c->separator)
		print_heading(c);
	print_rows(c, r, results);
	if (!c->separator)
		fprintf(c->screen.out, "\n%*.6f  seconds%s%s, the mean of %u run%s\n", COUNT_WIDTH,
			r->seconds, *text ? "  " : "", text, runs, plural(runs));
	free(text);
}

void print_interval(const struct counts *c, const struct reading *r, const struct result *results)
{
	if (!c->separator)
		fprintf(c->screen.out, "at %.3f s%s\n", r->at,
			c->machine.simulated ? " (simulated)" : "");
	print_rows(c, r, results);
}
