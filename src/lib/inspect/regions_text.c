/* SPDX-License-Identifier: BSD-3-Clause */
/* regions_text.c - the counts of regions as a table or as JSON. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "set/set.h"

struct page {
	FILE *out;
	struct uncore_set *set;
	struct uncore_machine_info machine;
	enum uncore_regions_format format;
	int64_t *values;
};

/* A value of a region; rate: whether it has one. */
struct line {
	struct uncore_event_info event;
	unsigned of_packages; /* of struct uncore_sum */
	int64_t value;
	bool rate;
	double per_second;
};

/* Means and levels have no rate, and nothing has a rate in zero time. */
static bool describe(const struct page *p, const struct uncore_region_info *region, size_t i,
		     struct line *line)
{
	const struct unc_counted *t = &p->set->list->counted;
	struct uncore_sum sum = {.size = sizeof(sum)};

	line->event.size = sizeof(line->event);
	line->value = p->values[i];
	if (uncore_event_info(p->set->u, t->list[i], &line->event) < 0 ||
	    uncore_event_sum(p->set->u, t->list[i], &sum) < 0)
		return false;
	line->rate =
		!line->event.real && !unc_counted_is_level(t, t->values[i].first) && region->ns > 0;
	line->per_second = 0;
	if (line->rate)
		line->per_second =
			(double)line->value / sum.rate_divisor * 1e9 / (double)region->ns;
	line->of_packages = sum.of_packages;
	return true;
}

/* ---- for people ---- */

static void print_head(const struct page *p)
{
	fprintf(p->out, "%s%s%s\n", p->machine.simulated ? "SIMULATED " : "", p->machine.title,
		p->machine.simulated ? ": counts do not describe a real machine" : "");
}

/* Without an exponent, like the counts. */
static void format_number(char *text, size_t len, double number)
{
	const double size = fabs(number);

	snprintf(text, len,
		 size >= 1e6               ? "%.0f"
		 : size > 0 && size < 1e-4 ? "%.9f"
					   : "%.6g",
		 number);
}

static void print_line(const struct page *p, const struct line *line)
{
	char value[32], rate[32] = "";

	if (!line->event.real)
		snprintf(value, sizeof(value), "%" PRId64, line->value);
	else if (isnan(uncore_real(line->value)))
		snprintf(value, sizeof(value), "-");
	else
		format_number(value, sizeof(value), uncore_real(line->value));
	if (line->rate)
		format_number(rate, sizeof(rate), line->per_second);
	fprintf(p->out, "%20s  %12s  %-14s  %s", value, rate, line->event.units, line->event.name);
	if (line->of_packages)
		fprintf(p->out, " of %u packages", line->of_packages);
	putc('\n', p->out);
}

static void print_region(const struct page *p, const struct uncore_region_info *r)
{
	struct line line;

	fprintf(p->out, "\nregion %s: %" PRIu64 " %s, %.6f s", r->name, r->calls,
		r->calls == 1 ? "call" : "calls", (double)r->ns * 1e-9);
	if (r->lost)
		fprintf(p->out,
			"; %" PRIu64 " executions could not be counted and are not "
			"included",
			r->lost);
	if (r->inside)
		fprintf(p->out, "; %u not ended and not included", r->inside);
	fprintf(p->out, "\n%20s  %12s  %-14s  %s\n", "count", "per second", "units", "event");
	for (size_t i = 0; i < p->set->list->counted.n_values; i++)
		if (describe(p, r, i, &line))
			print_line(p, &line);
}

/* ---- for programs; only names of regions need quotes ---- */

static void print_quoted(const struct page *p, const char *text)
{
	putc('"', p->out);
	for (; *text; text++)
		fprintf(p->out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	putc('"', p->out);
}

static void print_json_line(const struct page *p, const struct line *line)
{
	fprintf(p->out, "{\"event\":\"%s\",\"units\":\"%s\",\"count\":", line->event.name,
		line->event.units);
	if (!line->event.real)
		fprintf(p->out, "%" PRId64, line->value);
	else if (isfinite(uncore_real(line->value)))
		fprintf(p->out, "%.17g", uncore_real(line->value));
	else
		fputs("null", p->out);
	if (line->rate)
		fprintf(p->out, ",\"per_second\":%.17g", line->per_second);
	putc('}', p->out);
}

static void print_json(const struct page *p, const struct uncore_region_info *r)
{
	struct line line;

	fputs("{\"region\":", p->out);
	print_quoted(p, r->name);
	fprintf(p->out, ",\"simulated\":%s,\"machine\":\"%s\"",
		p->machine.simulated ? "true" : "false", p->machine.title);
	fprintf(p->out,
		",\"calls\":%" PRIu64 ",\"seconds\":%.9f,\"lost\":%" PRIu64
		",\"inside\":%u,\"counts\":[",
		r->calls, (double)r->ns * 1e-9, r->lost, r->inside);
	for (size_t i = 0; i < p->set->list->counted.n_values; i++) {
		if (i > 0)
			putc(',', p->out);
		if (describe(p, r, i, &line))
			print_json_line(p, &line);
	}
	fputs("]}\n", p->out);
}

/* ---- either format ---- */

static void print_all(const struct page *p)
{
	struct uncore_region_info region = {.size = sizeof(region)};

	if (p->format == UNCORE_REGIONS_TABLE)
		print_head(p);
	for (unsigned i = 0; uncore_region_info(p->set, i, &region, p->values) == 1; i++)
		if (p->format == UNCORE_REGIONS_TABLE)
			print_region(p, &region);
		else
			print_json(p, &region);
}

/* The text does not depend on the program's locale.  NULL: no memory. */
static char *write_all(struct page *p)
{
	const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *text = NULL;
	locale_t before;
	size_t bytes;
	bool failed;

	p->out = plain ? open_memstream(&text, &bytes) : NULL;
	if (!p->out) {
		if (plain)
			freelocale(plain);
		return NULL;
	}
	before = uselocale(plain);
	print_all(p);
	uselocale(before);
	freelocale(plain);
	failed = ferror(p->out) != 0;
	if (fclose(p->out) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}

int uncore_regions_text(struct uncore_set *set, enum uncore_regions_format format, char *buf,
			size_t len)
{
	struct page p = {.set = set, .format = format, .machine = {.size = sizeof(p.machine)}};
	char *text = NULL;
	int r;

	if ((unsigned)format > UNCORE_REGIONS_JSON)
		return unc_fail(&set->u->err, UNCORE_EINVAL, "invalid region format: %d",
				(int)format);
	uncore_machine(set->u, &p.machine);
	p.values = calloc(set->list->counted.n_values + 1, sizeof(*p.values));
	if (p.values)
		text = write_all(&p);
	free(p.values);
	if (!text)
		return unc_fail(&set->u->err, UNCORE_ENOMEM,
				"out of memory while formatting regions");
	r = (int)strlen(text);
	if (len > 0)
		snprintf(buf, len, "%s", text);
	free(text);
	return r;
}
