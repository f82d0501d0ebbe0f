/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics_text.c - see metrics_text.h. */
#include "command/exporter/metrics_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "command/base/encode.h"
#include "command/base/text.h"
#include "command/exporter/names.h"
#include "command/exporter/owners.h"

struct text {
	FILE *out;
	enum text_format format;
};

static const char *const kinds[] = {
	[FAMILY_COUNTER] = "counter", [FAMILY_GAUGE] = "gauge", [FAMILY_INFO] = "info"};
static const char *const endings[] = {
	[FAMILY_COUNTER] = "_total", [FAMILY_GAUGE] = "", [FAMILY_INFO] = "_info"};

/* The older format names samples instead of families, and has no info type. */
static void write_heading(const struct text *t, const struct family *f)
{
	const bool open = t->format == TEXT_OPENMETRICS;
	const char *ending = open ? "" : endings[f->kind];

	fprintf(t->out, "# HELP %s%s ", f->name, ending);
	put_openmetrics(t->out, f->help, open);
	fprintf(t->out, "\n# TYPE %s%s %s\n", f->name, ending,
		!open && f->kind == FAMILY_INFO ? "gauge" : kinds[f->kind]);
	if (open && f->unit)
		fprintf(t->out, "# UNIT %s %s\n", f->name, f->unit);
}

static void write_name(const struct text *t, const struct family *f, const char *labels)
{
	fprintf(t->out, "%s%s", f->name, endings[f->kind]);
	if (*labels)
		fprintf(t->out, "{%s}", labels);
	fputc(' ', t->out);
}

static void write_count(const struct text *t, const struct family *f, const char *labels,
			int64_t value)
{
	write_name(t, f, labels);
	if (f->exponent == -6)
		fprintf(t->out, "%" PRId64 ".%06" PRId64 "\n", value / 1000000, value % 1000000);
	else
		fprintf(t->out, "%" PRId64 "\n", value);
}

static void write_number(const struct text *t, const struct family *f, const char *labels,
			 double value)
{
	write_name(t, f, labels);
	fprintf(t->out, "%.17g\n", value);
}

/* ---- families ---- */

static void write_family(const struct text *t, const struct exports *e, size_t family)
{
	const struct family *f = &e->families[family].family;
	bool headed = false;

	for (size_t i = 0; i < e->n_series; i++) {
		const struct series *s = &e->series[i];

		if (s->family != family || !exports_is_shown(e, i))
			continue;
		if (!headed)
			write_heading(t, f);
		headed = true;
		if (f->kind == FAMILY_GAUGE)
			write_number(t, f, s->labels, uncore_real(s->value) * pow(10, f->exponent));
		else
			write_count(t, f, s->labels, s->value);
	}
}

static void write_shares(const struct text *t, const struct exports *e)
{
	static const struct family f = {
		"uncore_counted_ratio",
		"ratio",
		"Fraction of the time in which the group is counted: 1 always, less if events "
		"are multiplexed and counts are estimates, 0 never.",
		FAMILY_GAUGE,
		0,
		false};

	if (e->n_parts)
		write_heading(t, &f);
	for (size_t i = 0; i < e->n_parts; i++)
		write_number(t, &f, e->parts[i].labels, e->parts[i].share);
}

/* ---- owners ---- */

static void write_owner(const struct text *t, const struct exports *e, enum owner_family family,
			const char *name, double value)
{
	const struct family *f = owners_export_family(family);
	const char *labels = owners_export_labels(family);

	fprintf(t->out, "%s%s{%s=\"", f->name, endings[f->kind], owners_export_label(e->owners));
	put_openmetrics(t->out, name, true);
	fprintf(t->out, "\"%s%s} %.*f\n", *labels ? "," : "", labels,
		family == OWNER_ENERGY ? 3 : 0, value);
}

static void write_owners(const struct text *t, const struct exports *e, unsigned family)
{
	double values[OWNER_FAMILIES];
	const char *name;

	for (size_t i = 0; owners_export_at(e->owners, i, &name, values); i++) {
		if (isnan(values[family]))
			return;
		if (i == 0 && owners_export_family(family)->help)
			write_heading(t, owners_export_family(family));
		write_owner(t, e, family, name, values[family]);
	}
}

/* ---- about itself ---- */

static const char *access_of(const struct uncore_machine_info *m)
{
	return m->daemon ? "daemon" : m->kernel ? "kernel" : m->simulated ? "simulation" : "direct";
}

static void write_info(const struct text *t, const struct exports *e)
{
	static const struct family f = {"uncore",    NULL, "The machine and how it is accessed.",
					FAMILY_INFO, 0,    false};

	write_heading(t, &f);
	fputs("uncore_info{version=\"", t->out);
	put_openmetrics(t->out, uncore_version(), true);
	fputs("\",platform=\"", t->out);
	put_openmetrics(t->out, e->machine.platform, true);
	fputs("\",machine=\"", t->out);
	put_openmetrics(t->out, e->machine.title, true);
	fprintf(t->out, "\",access=\"%s\",simulated=\"%s\"} 1\n", access_of(&e->machine),
		e->machine.simulated ? "true" : "false");
}

static void write_itself(const struct text *t, const struct exports *e)
{
	static const struct family duration = {"uncore_read_duration_seconds",
					       "seconds",
					       "Duration of the last read of the counters.",
					       FAMILY_GAUGE,
					       0,
					       false};
	static const struct family failed = {
		"uncore_failed_reads", NULL, "Failed reads of the counters.",
		FAMILY_COUNTER,        0,    false};
	static const struct family restarts = {
		"uncore_restarts",
		NULL,
		"Restarts of counting; events between stop and restart were not counted.",
		FAMILY_COUNTER,
		0,
		false};

	write_heading(t, &duration);
	write_number(t, &duration, "", e->read_seconds);
	write_heading(t, &failed);
	write_count(t, &failed, "", (int64_t)e->failed_reads);
	write_heading(t, &restarts);
	write_count(t, &restarts, "", (int64_t)e->restarts);
}

char *metrics_text(const struct exports *e, enum text_format format, size_t *length)
{
	char *text = NULL;
	struct text t = {.out = begin_text(&text, length), .format = format};

	write_info(&t, e);
	for (size_t i = 0; i < e->n_families; i++)
		write_family(&t, e, i);
	for (unsigned i = 0; i < OWNER_FAMILIES; i++)
		write_owners(&t, e, i);
	write_shares(&t, e);
	write_itself(&t, e);
	if (format == TEXT_OPENMETRICS)
		fputs("# EOF\n", t.out);
	end_text(t.out);
	return text;
}
