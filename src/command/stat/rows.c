/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c - see rows.h. */
#include "command/stat/rows.h"

#include "command/roofline/roofline.h"
#include "command/stat/program_share.h"

static void print_one_interval(const struct counts_rows *rows)
{
	const struct counts *c = rows->counts;

	if (timeline_fits(c) && !c->channels)
		timeline_print(rows->timeline, c, rows->r, rows->results);
	else
		print_interval(c, rows->r, rows->results);
}

static void print_total(const struct counts_rows *rows)
{
	const struct counts *c = rows->counts;

	print_counts(c, rows->r, rows->results);
	if (c->share)
		print_share_of(c, c->share);
	if (c->roofline)
		roofline_print(&c->screen, c->roofline);
}

/* A single run of several is not shown. */
static void counts_text(const void *of, const struct screen *screen)
{
	const struct counts_rows *rows = of;
	const struct counts *c = rows->counts;

	(void)screen; /* that of the counts */
	if (rows->kind == ROWS_INTERVAL)
		print_one_interval(rows);
	else if (rows->kind == ROWS_TOTAL)
		print_total(rows);
	else if (rows->kind == ROWS_MEAN)
		print_means(c, rows->r, rows->results, rows->runs, rows->deviation);
}

const struct rows_class counts_class = {.object = counts_object,
					.heading = counts_heading,
					.line = counts_line,
					.sample = counts_sample,
					.text = counts_text};
