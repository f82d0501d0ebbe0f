/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c - the tables of `uncore stat`. */
#include "counts.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/gain.h"
#include "command/stat/channels.h"
#include "command/stat/system_row.h"
#include "command/stat/value.h"

/* ---- lines for people ---- */

#define COUNT_WIDTH 18 /* at least; the rest of 80 columns is for names */

/* Percent of a count: smaller errors of an estimate are not shown. */
#define SHOWN_ERROR 1

/* The columns of a line; "" and NULL: not in this table. */
struct line {
	const char *count, *units, *rate, *percent, *deviation, *name;
};

static int widest(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

/* The counts of a time as a table. */
struct table {
	const struct counts *c;
	const struct reading *r;
	const struct result *results;
	int count_width, units_width; /* columns of the widest value */
	bool rates;                   /* at least one row has a rate */
};

static struct table table_of(const struct counts *c, const struct reading *r,
			     const struct result *results)
{
	struct table t = {c, r, results, COUNT_WIDTH, (int)strlen("units"), false};

	for (size_t i = 0; i < c->wanted->n_rows; i++) {
		const struct row *row = &c->wanted->rows[i];
		char *count = shown_value(row, &results[i]);

		t.count_width = widest(t.count_width, count);
		t.units_width = widest(t.units_width, shown_units(row));
		t.rates |= !row->real;
		free(count);
	}
	return t;
}

/* Below the units, or more to the left where the name would be too long. */
static int name_indent(const struct screen *s, const struct table *t, const char *name)
{
	const int indent = t->count_width + 2, left = (int)s->width - (int)terminal_columns(name);

	return left >= indent ? indent : left > 0 ? left : 0;
}

/* A name that does not fit into the line is printed on a separate line. */
static void print_line(const struct table *t, const struct line *line)
{
	const struct screen *s = &t->c->screen;
	char *text = text_of("%*s  %-*s", t->count_width, line->count, t->units_width, line->units);

	if (t->rates)
		text = text_and(text, "  %9s", line->rate);
	if (t->c->multiplexed)
		text = text_and(text, "  %7s", line->percent);
	if (t->c->repeated)
		text = text_and(text, "  %10s", line->deviation);
	fputs(text, s->out);
	if (strlen(text) + 2 + terminal_columns(line->name) <= s->width)
		fputs("  ", s->out);
	else
		fprintf(s->out, "\n%*s", name_indent(s, t, line->name), "");
	put_terminal(s->out, line->name);
	fputc('\n', s->out);
	free(text);
}

/* ---- rows ---- */

bool is_uncertain(const struct counts *c, const struct row *row, const struct result *result)
{
	return c->multiplexed && error_percent(row, result) > SHOWN_ERROR;
}

/* With the error if it is large enough to show. */
static char *name_text(const struct counts *c, const struct row *row, const struct result *result)
{
	if (is_uncertain(c, row, result))
		return text_of("%s  (+- %.1f %%)", row_label(row), error_percent(row, result));
	return text_of("%s", row_label(row));
}

static void print_counted(const struct table *t, const struct row *row, const struct result *result)
{
	char *count = shown_value(row, result), *percent, *deviation, *name, rate[RATE_TEXT];
	struct line line = {.count = count, .units = shown_units(row), .rate = ""};

	line.percent = percent = has_no_window(&result->times)
					 ? text_of("-")
					 : text_of("%5.1f %%", counted_percent(result));
	line.deviation = deviation = deviation_text(result->deviation);
	line.name = name = name_text(t->c, row, result);
	if (!has_no_window(&result->times))
		line.rate = row_rate(rate, row, result, result_seconds(t->r, result));
	print_line(t, &line);
	free(name);
	free(deviation);
	free(percent);
	free(count);
}

/* Below the last row of the boxes or packages that they summarize. */
static void print_summaries(const struct table *t, const struct row *last)
{
	struct summary s;

	for (enum summary_kind kind = SUMMARY_SUM; kind < SUMMARY_KINDS; kind++)
		if (find_summary(last, kind, t->results, &s)) {
			print_counted(t, &s.row, &s.result);
			free(s.name);
		}
}

static void print_rows(const struct table *t)
{
	for (size_t i = 0; i < t->c->wanted->n_rows; i++) {
		print_counted(t, &t->c->wanted->rows[i], &t->results[i]);
		print_summaries(t, &t->c->wanted->rows[i]);
	}
}

/* ---- tables ---- */

static void print_title(const struct counts *c)
{
	const struct uncore_machine_info *machine = &c->machine;

	fputc('\n', c->screen.out);
	print_paragraph(&c->screen, 0, "%s%s%s",
			machine->simulated  ? "SIMULATED "
			: machine->recorded ? "RECORDED "
					    : "",
			machine->title,
			machine->simulated ? ": counts do not describe a real machine" : "");
	fputc('\n', c->screen.out);
}

static void print_heading(const struct table *t)
{
	const struct line line = {"count", "units", "rate", "counted", "deviation", "event"};

	print_title(t->c);
	print_line(t, &line);
}

static void print_not_counted(const struct counts *c, const struct result *results)
{
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		if (has_no_window(&results[i].times)) {
			print_paragraph(&c->screen, 0,
					NOT_COUNTED
					": the event was never counted in a window "
					"whose length is known to 0.5 %%; use longer "
					"windows (--multiplex=MS) and count for ten of "
					"them or more, or count fewer events at a time");
			return;
		}
}

void print_counts(const struct counts *c, const struct reading *r, const struct result *results)
{
	const struct table t = table_of(c, r, results);

	if (c->channels && channels_fit(c)) {
		print_title(c);
		print_channels(c, r, results);
	} else {
		print_heading(&t);
		print_rows(&t);
	}
	print_stop_after(c, r->values);
	print_not_counted(c, results);
	print_memory_used(c, r, results);
	fprintf(c->screen.out, "\n%*.6f  seconds\n", t.count_width, r->seconds);
}

void print_means(const struct counts *c, const struct reading *r, const struct result *results,
		 unsigned runs, double deviation)
{
	const struct table t = table_of(c, r, results);
	char *text = deviation_text(deviation);

	print_heading(&t);
	print_rows(&t);
	print_not_counted(c, results);
	fprintf(c->screen.out, "\n%*.6f  seconds%s%s, the mean of %u run%s\n", t.count_width,
		r->seconds, *text ? "  " : "", text, runs, plural(runs));
	free(text);
}

void print_interval(const struct counts *c, const struct reading *r, const struct result *results)
{
	const struct table t = table_of(c, r, results);

	fprintf(c->screen.out, "at %.3f s%s\n", r->at, c->machine.simulated ? " (simulated)" : "");
	if (c->channels && channels_fit(c))
		print_channels(c, r, results);
	else
		print_rows(&t);
}
