/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.c - what `uncore stat` prints. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools.h"

/* A name that the line has no room for has its own, below. */
static void print_line(const struct counts *c, const char *count, const char *units,
		       const char *percent, const char *name)
{
	const struct screen *s = &c->screen;
	char *before = text_of("%20s  %-14s  %s", count, units, percent);

	if (strlen(before) + strlen(name) <= s->width)
		fprintf(s->out, "%s%s\n", before, name);
	else
		fprintf(s->out, "%20s  %s  %s\n%22s%s\n", count, units, percent, "", name);
	free(before);
}

/* The mean of nothing is no number. */
static char *value_text(const struct uncore_event_info *info, int64_t value)
{
	if (!info->real)
		return text_of("%" PRId64, value);
	if (isnan(uncore_real(value)))
		return text_of("-");
	return text_of("%.*f", fabs(uncore_real(value)) < 1000 ? 6 : 1, uncore_real(value));
}

static char *percent_text(const struct uncore_times *times)
{
	if (!times)
		return text_of("%s", "");
	return text_of("%5.1f %%  ", times->enabled_ns ? 100.0 * (double)times->running_ns /
								 (double)times->enabled_ns
						       : 0);
}

/* A field in which the separator, or a quotation mark, is written as RFC 4180 has it. */
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

/* Seconds, count, units, event, percent of the time that it was counted. */
static void print_fields(const struct counts *c, double seconds, const char *count,
			 const char *units, const char *percent, const char *name)
{
	FILE *out = c->screen.out;

	fprintf(out, "%.6f%s%s%s", seconds, c->separator, count, c->separator);
	print_field(c, units);
	fputs(c->separator, out);
	print_field(c, name);
	fputs(c->separator, out);
	if (*percent || !c->in_turns)
		fprintf(out, "%.1f", *percent ? strtod(percent, NULL) : 100.0);
	fputc('\n', out);
}

static void print_rows(const struct counts *c, const int64_t *values,
		       const struct uncore_times *times, double seconds)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	for (size_t i = 0; i < c->n; i++) {
		char *value, *percent;

		if (uncore_event_info(c->u, c->ids[i], &info) != 0)
			continue;
		value = value_text(&info, values[i]);
		percent = percent_text(times ? &times[i] : NULL);
		if (c->separator)
			print_fields(c, seconds, value, info.units, percent, info.name);
		else
			print_line(c, value, info.units, percent, info.name);
		free(percent);
		free(value);
	}
}

static void print_heading(const struct counts *c)
{
	fputc('\n', c->screen.out);
	print_paragraph(&c->screen, 0, "%s%s%s", c->machine.simulated ? "SIMULATED " : "",
			c->machine.title,
			c->machine.simulated ? ": these numbers describe no real machine" : "");
	fputc('\n', c->screen.out);
	print_line(c, "count", "units", c->times ? "counted  " : "", "event");
}

void print_counts(const struct counts *c, const int64_t *values, double seconds)
{
	if (c->separator) {
		print_rows(c, values, c->times, seconds);
		return;
	}
	print_heading(c);
	print_rows(c, values, c->times, seconds);
	print_stop_after(c, values);
	fprintf(c->screen.out, "\n%20.6f  seconds\n", seconds);
}

void print_interval(const struct counts *c, const int64_t *values, double seconds)
{
	if (!c->separator)
		fprintf(c->screen.out, "at %.3f s%s\n", seconds,
			c->machine.simulated ? " (simulated)" : "");
	print_rows(c, values, NULL, seconds);
}
