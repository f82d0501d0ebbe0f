/* SPDX-License-Identifier: BSD-3-Clause */
/* channels.c - see channels.h. */
#include "command/stat/channels.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/event_name.h"
#include "command/base/gain.h"
#include "command/base/metric_table.h"
#include "command/stat/system_row.h"
#include "command/stat/value.h"

#define PLACE_WIDTH 22 /* "socket 0, channel 11" */
#define CELL_WIDTH  11
#define COLUMNS_MAX 32

/* ---- lines and columns ---- */

/* The rows of a table: each is in the column of its event and in the line of its place. */
struct grid {
	const struct counts *c;
	const struct reading *r;
	const struct result *results;
	struct event_name *names;   /* of each row */
	size_t column[COLUMNS_MAX]; /* the first row of each */
	size_t n_columns;
	size_t first, end; /* columns of this part of the table */
};

static size_t column_of(const struct grid *g, const struct event_name *name)
{
	size_t i = 0;

	while (i < g->n_columns && strcmp(g->names[g->column[i]].base, name->base) != 0)
		i++;
	return i;
}

/* False: too many columns. */
static bool find_columns(struct grid *g, const struct counts *c)
{
	const size_t n = c->wanted->n_rows;

	*g = (struct grid){.c = c, .names = need_memory(n, sizeof(*g->names))};
	for (size_t i = 0; i < n; i++) {
		take_name_apart(&g->names[i], c->wanted->rows[i].name);
		if (column_of(g, &g->names[i]) < g->n_columns)
			continue;
		if (g->n_columns == COLUMNS_MAX)
			return false;
		g->column[g->n_columns++] = i;
	}
	return true;
}

bool channels_fit(const struct counts *c)
{
	struct grid g;
	bool fits = find_columns(&g, c) && !c->repeated;

	for (size_t i = 0; i < c->wanted->n_rows; i++)
		fits &= !c->wanted->rows[i].formula && !*g.names[i].cpu;
	free(g.names);
	return fits;
}

/* ---- output ---- */

static void print_cell(const struct grid *g, const struct row *row, const struct result *result)
{
	char rate[RATE_TEXT], *text;

	if (!row || has_no_window(&result->times))
		text = text_of("%s", row ? "-" : "");
	else if (row->real)
		text = shown_value(row, result);
	else
		text = text_of("%s%s", is_uncertain(g->c, row, result) ? "~" : "",
			       row_rate(rate, row, result, g->r->seconds));
	fprintf(g->c->screen.out, "%*s", CELL_WIDTH, text);
	free(text);
}

/* "read", as `uncore top` calls the column, or the end of the name. */
static void print_column_name(const struct grid *g, size_t column)
{
	const char *name = g->names[g->column[column]].base;
	const struct metric_row *metric = metric_row_named(name);

	if (metric && metric->column.label)
		name = metric->column.label;
	while (strlen(name) >= CELL_WIDTH && name[strcspn(name, "_:")])
		name += strcspn(name, "_:") + 1;
	fprintf(g->c->screen.out, "%*s", CELL_WIDTH, name);
}

static void print_heading(const struct grid *g)
{
	fprintf(g->c->screen.out, "%-*s", PLACE_WIDTH,
		g->c->machine.simulated ? "(simulated)" : "");
	for (size_t i = g->first; i < g->end; i++)
		print_column_name(g, i);
	fputc('\n', g->c->screen.out);
}

static bool is_at(const struct event_name *name, const struct event_name *place)
{
	return strcmp(name->package, place->package) == 0 && strcmp(name->box, place->box) == 0 &&
	       strcmp(name->die, place->die) == 0;
}

/* The row in a column of the line of another row; NULL: none. */
static const struct row *row_at(const struct grid *g, const struct event_name *place, size_t column)
{
	for (size_t i = 0; i < g->c->wanted->n_rows; i++)
		if (is_at(&g->names[i], place) && column_of(g, &g->names[i]) == column)
			return &g->c->wanted->rows[i];
	return NULL;
}

/* The first row of its place that is in this part of the table. */
static bool begins_line(const struct grid *g, size_t row)
{
	for (size_t i = 0; i <= row; i++) {
		const size_t column = column_of(g, &g->names[i]);

		if (column >= g->first && column < g->end && is_at(&g->names[i], &g->names[row]))
			return i == row;
	}
	return false;
}

static void print_place(const struct grid *g, size_t row)
{
	const struct event_name *place = &g->names[row];
	char *text = text_of("socket %s%s%s%s%s", *place->package ? place->package : "0",
			     *place->die ? ", die " : "", place->die,
			     *place->box ? ", channel " : "", place->box);

	fprintf(g->c->screen.out, "%-*s", PLACE_WIDTH, text);
	free(text);
	for (size_t k = g->first; k < g->end; k++) {
		const struct row *at = row_at(g, place, k);

		print_cell(g, at, at ? &g->results[at - g->c->wanted->rows] : NULL);
	}
	fputc('\n', g->c->screen.out);
}

/* The sum of all packages in a column; false: no such sum. */
static bool find_sum(const struct grid *g, size_t column, struct summary *sum)
{
	for (size_t i = 0; i < g->c->wanted->n_rows; i++)
		if (column_of(g, &g->names[i]) == column &&
		    find_summary(&g->c->wanted->rows[i], SUMMARY_SUM, g->results, sum))
			return true;
	return false;
}

static void print_system(const struct grid *g)
{
	bool any = false;

	for (size_t k = g->first; k < g->end; k++) {
		struct summary sum = {.name = NULL};

		any |= find_sum(g, k, &sum);
		free(sum.name);
	}
	if (!any)
		return;
	fprintf(g->c->screen.out, "%-*s", PLACE_WIDTH, "system");
	for (size_t k = g->first; k < g->end; k++) {
		struct summary sum = {.name = NULL};
		const bool has = find_sum(g, k, &sum);

		print_cell(g, has ? &sum.row : NULL, &sum.result);
		free(sum.name);
	}
	fputc('\n', g->c->screen.out);
}

/* As many columns as there is room for. */
static void print_part(const struct grid *g)
{
	print_heading(g);
	for (size_t i = 0; i < g->c->wanted->n_rows; i++)
		if (begins_line(g, i))
			print_place(g, i);
	if (g->c->machine.packages > 1)
		print_system(g);
}

void print_channels(const struct counts *c, const struct reading *r, const struct result *results)
{
	const size_t room =
		c->screen.width > PLACE_WIDTH ? (c->screen.width - PLACE_WIDTH) / CELL_WIDTH : 0;
	struct grid g;

	if (find_columns(&g, c)) {
		g.r = r;
		g.results = results;
		for (; g.first < g.n_columns; g.first = g.end) {
			g.end = g.first + (room ? room : 1);
			g.end = g.end < g.n_columns ? g.end : g.n_columns;
			print_part(&g);
		}
	}
	free(g.names);
}
