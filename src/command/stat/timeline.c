/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - see timeline.h. */
#include "command/stat/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/gain.h"
#include "command/stat/value.h"

#define TIME_WIDTH  9
#define VALUE_WIDTH 10 /* "~57.9 GB/s" */
#define SCREENFUL   22 /* lines below a heading, on a terminal */

/* ---- headings: a name in several lines, broken behind "_" and ":" ---- */

static size_t part_length(const char *name)
{
	const size_t n = strcspn(name, "_:");

	return n + (name[n] != '\0');
}

/* The length of what fits into a line of the heading; one part if that is longer. */
static size_t line_length(const char *name, size_t width)
{
	size_t n = part_length(name);

	while (name[n] && n + part_length(name + n) <= width)
		n += part_length(name + n);
	return n;
}

static size_t column_width(const struct row *row)
{
	size_t width = VALUE_WIDTH;

	for (const char *name = row->name; *name; name += part_length(name))
		if (part_length(name) > width)
			width = part_length(name);
	return width;
}

/* Skip that many lines of a name. */
static const char *line_of(const char *name, size_t width, unsigned line)
{
	while (line-- > 0 && *name)
		name += line_length(name, width);
	return name;
}

static unsigned lines_of(const char *name, size_t width)
{
	unsigned lines = 0;

	for (; *name; name += line_length(name, width))
		lines++;
	return lines;
}

static unsigned heading_lines(const struct wanted *w)
{
	unsigned most = 1;

	for (size_t i = 0; i < w->n_rows; i++) {
		const unsigned lines = lines_of(w->rows[i].name, column_width(&w->rows[i]));

		most = lines > most ? lines : most;
	}
	return most;
}

/* Names end in the last line. */
static void print_name_line(const struct counts *c, unsigned line, unsigned lines)
{
	FILE *out = c->screen.out;
	size_t blanks = 0;

	fprintf(out, "%*s", TIME_WIDTH, line + 1 == lines ? "seconds" : "");
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		const size_t width = column_width(row);
		const unsigned skipped = lines - lines_of(row->name, width);
		const char *text = line < skipped ? "" : line_of(row->name, width, line - skipped);

		blanks += 2 + width;
		if (!*text)
			continue;
		fprintf(out, "%*.*s", (int)blanks, (int)line_length(text, width), text);
		blanks = 0;
	}
	fputc('\n', out);
}

static void print_heading(const struct counts *c)
{
	const unsigned lines = heading_lines(c->wanted);

	fprintf(c->screen.out, "%s", c->machine.simulated ? "\nSIMULATED\n" : "\n");
	for (unsigned line = 0; line < lines; line++)
		print_name_line(c, line, lines);
}

/* ---- lines ---- */

/* The rate of a count, or the value of a mean with its unit if it has room. */
static char *cell_text(const struct counts *c, const struct reading *r, const struct row *row,
		       const struct result *result)
{
	char rate[RATE_TEXT], *value;

	if (has_no_window(&result->times))
		return text_of("-");
	if (!row->real)
		return text_of("%s%s", is_uncertain(c, row, result) ? "~" : "",
			       row_rate(rate, row, result, r->seconds));
	value = shown_value(row, result);
	if (strlen(value) + 1 + strlen(shown_units(row)) <= VALUE_WIDTH)
		value = text_and(value, " %s", shown_units(row));
	return value;
}

bool timeline_fits(const struct counts *c)
{
	size_t width = TIME_WIDTH;

	for (size_t i = 0; i < c->wanted->n_rows; i++)
		width += 2 + column_width(&c->wanted->rows[i]);
	return width <= c->screen.width;
}

void timeline_print(struct timeline *t, const struct counts *c, const struct reading *r,
		    const struct result *results)
{
	if (t->lines == 0 || (!c->screen.endless && t->lines % SCREENFUL == 0))
		print_heading(c);
	t->lines++;
	fprintf(c->screen.out, "%*.3f", TIME_WIDTH, r->at);
	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		char *text = cell_text(c, r, row, &results[i]);

		fprintf(c->screen.out, "  %*s", (int)column_width(row), text);
		free(text);
	}
	fputc('\n', c->screen.out);
}
