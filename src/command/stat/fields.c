/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - see fields.h. */
#include "command/stat/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/rate.h"
#include "command/stat/value.h"

static void print_text(const struct counts *c, const char *text)
{
	put_csv(c->screen.out, text, c->separator);
}

static void print_next(const struct counts *c, const char *text)
{
	fputs(c->separator, c->screen.out);
	print_text(c, text);
}

static double percent_of(const struct counts *c, const struct result *result)
{
	return c->multiplexed ? counted_percent(result) : 100;
}

/* The time that it was counted, in ns. */
static int64_t running_ns(const struct counts *c, const struct reading *r,
			  const struct result *result)
{
	return c->multiplexed ? result->times.running_ns : llround(r->seconds * 1e9);
}

/* ---- -x ---- */

/* In place of perf's metric: the rate.  Means have none. */
static void print_rate(const struct counts *c, const struct reading *r, const struct row *row,
		       const struct result *result)
{
	const char *sep = c->separator;
	char *units = text_of("%s/s", row->units);

	if (row->real || has_no_window(&result->times) || !(r->seconds > 0))
		fprintf(c->screen.out, "%s%s", sep, sep);
	else {
		fprintf(c->screen.out, "%s%.1f", sep,
			per_second((double)result->count, r->seconds));
		print_next(c, units);
	}
	free(units);
}

/*
 * The order of perf-stat(1), "CSV format": time of an interval, count, unit, event, deviation of
 * several runs, time and percent counted, metric and its unit.
 */
static void print_perf_fields(const struct counts *c, const struct reading *r,
			      const struct row *row, const struct result *result)
{
	FILE *out = c->screen.out;
	char *value = raw_value(row, result);

	if (c->intervals)
		fprintf(out, "%.9f%s", r->at, c->separator);
	print_text(c, value);
	print_next(c, row->units);
	print_next(c, row->name);
	if (c->repeated)
		fputs(c->separator, out);
	if (c->repeated && isfinite(result->deviation))
		fprintf(out, "%.2f%%", result->deviation);
	fprintf(out, "%s%" PRId64 "%s%.2f", c->separator, running_ns(c, r, result), c->separator,
		percent_of(c, result));
	print_rate(c, r, row, result);
	fputc('\n', out);
	free(value);
}

/* ---- --csv=long ---- */

static void print_long_fields(const struct counts *c, const struct reading *r,
			      const struct row *row, const struct result *result)
{
	FILE *out = c->screen.out;
	char *value = raw_value(row, result);

	fprintf(out, "%.6f", r->at);
	print_next(c, row->name);
	print_next(c, value);
	print_next(c, row->units);
	fprintf(out, "%s%.1f", c->separator, percent_of(c, result));
	if (c->repeated)
		fputs(c->separator, out);
	if (c->repeated && isfinite(result->deviation))
		fprintf(out, "%.2f", result->deviation);
	fputc('\n', out);
	free(value);
}

/* ---- --csv ---- */

/* A row of a table: what was not counted is empty. */
static void print_wide(const struct counts *c, const struct reading *r,
		       const struct result *results)
{
	fprintf(c->screen.out, "%.6f", r->at);
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		char *value = raw_value(row, &results[i]);
		const bool number = !has_no_window(&results[i].times) &&
				    !(row->real && !isfinite(results[i].value));

		print_next(c, number ? value : "");
		free(value);
	}
	fputc('\n', c->screen.out);
}

/* ---- all ---- */

void print_fields_heading(const struct counts *c, bool deviations)
{
	FILE *out = c->screen.out;

	if (c->layout == LAYOUT_LONG)
		fprintf(out, "seconds,event,count,unit,counted%s\n",
			deviations ? ",deviation" : "");
	if (c->layout != LAYOUT_CSV)
		return;
	fputs("seconds", out);
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		print_next(c, c->wanted->rows[i].name);
	fputc('\n', out);
}

void print_fields(const struct counts *c, const struct reading *r, const struct result *results)
{
	if (c->layout == LAYOUT_CSV || c->layout == LAYOUT_INFLUX) {
		(c->layout == LAYOUT_CSV ? print_wide : print_influx)(c, r, results);
		return;
	}
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];

		if (c->layout == LAYOUT_LONG)
			print_long_fields(c, r, row, &results[i]);
		else
			print_perf_fields(c, r, row, &results[i]);
	}
}
