/* SPDX-License-Identifier: BSD-3-Clause */
/* fields.c - counts as cells: -x as perf stat has it, and --csv; see rows.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/stat/rows.h"
#include "command/stat/value.h"

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
static void put_rate(const struct reading *r, const struct row *row, const struct result *result,
		     struct cells *cells)
{
	char *units = text_of("%s/s", row->units);

	if (row->real || has_no_window(&result->times) || !(r->seconds > 0)) {
		put_number_cell(cells, "%s", "");
		put_number_cell(cells, "%s", "");
	} else {
		put_number_cell(cells, "%.1f",
				per_second((double)result->count, result_seconds(r, result)));
		put_cell(cells, units);
	}
	free(units);
}

static void put_deviation(const struct counts *c, const struct result *result, const char *percent,
			  struct cells *cells)
{
	if (c->repeated && isfinite(result->deviation))
		put_number_cell(cells, "%.2f%s", result->deviation, percent);
	else if (c->repeated)
		put_number_cell(cells, "%s", "");
}

/*
 * The order of perf-stat(1), "CSV format": time of an interval, count, unit, event, deviation of
 * several runs, time and percent counted, metric and its unit.
 */
static void put_perf(const struct counts *c, const struct reading *r, const struct row *row,
		     const struct result *result, struct cells *cells)
{
	char *value = raw_value(row, result);

	if (c->intervals)
		put_number_cell(cells, "%.9f", r->at);
	put_cell(cells, value);
	put_cell(cells, row->units);
	put_cell(cells, row->name);
	put_deviation(c, result, "%", cells);
	put_number_cell(cells, "%" PRId64, running_ns(c, r, result));
	put_number_cell(cells, "%.2f", percent_of(c, result));
	put_rate(r, row, result, cells);
	free(value);
}

/* ---- --csv=long ---- */

static void put_long(const struct counts *c, const struct reading *r, const struct row *row,
		     const struct result *result, struct cells *cells)
{
	char *value = raw_value(row, result);

	put_number_cell(cells, "%.6f", r->at);
	put_cell(cells, row->name);
	put_cell(cells, value);
	put_cell(cells, row->units);
	put_number_cell(cells, "%.1f", percent_of(c, result));
	put_deviation(c, result, "", cells);
	free(value);
}

/* ---- --csv ---- */

/* A row of a table: what was not counted is empty. */
static void put_wide(const struct counts *c, const struct reading *r, const struct result *results,
		     struct cells *cells)
{
	put_number_cell(cells, "%.6f", r->at);
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		char *value = raw_value(row, &results[i]);
		const bool number = !has_no_window(&results[i].times) &&
				    !(row->real && !isfinite(results[i].value));

		put_cell(cells, number ? value : "");
		free(value);
	}
}

/* ---- all ---- */

bool counts_heading(const void *of, struct cells *cells)
{
	static const char *const names[] = {"seconds", "event", "count", "unit", "counted"};
	const struct counts_rows *rows = of;
	const struct counts *c = rows->counts;

	if (c->layout == LAYOUT_PERF)
		return false;
	if (c->layout == LAYOUT_LONG) {
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			put_cell(cells, names[i]);
		if (rows->deviations)
			put_cell(cells, "deviation");
		return true;
	}
	put_cell(cells, "seconds");
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		put_cell(cells, c->wanted->rows[i].name);
	return true;
}

bool counts_line(const void *of, size_t i, struct cells *cells)
{
	const struct counts_rows *rows = of;
	const struct counts *c = rows->counts;
	const bool wide = c->layout == LAYOUT_CSV;

	if (i >= (wide ? 1 : c->wanted->n_rows))
		return false;
	if (wide)
		put_wide(c, rows->r, rows->results, cells);
	else
		(c->layout == LAYOUT_LONG ? put_long : put_perf)(c, rows->r, &c->wanted->rows[i],
								 &rows->results[i], cells);
	return true;
}
