/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c - what is exported as samples; see metrics_text.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/emit/emit.h"
#include "command/exporter/metrics_text.h"
#include "command/exporter/owners.h"

/* ---- tags ---- */

/* ClusterCockpit calls a package a socket, and all of them a node. */
static void add_place(struct metric_sample *s, const char *package)
{
	if (package)
		add_tag(s, FORM_FAMILIES, "package", package);
	add_tag(s, FORM_LINES, "type", package ? "socket" : "node");
	if (package)
		add_tag(s, FORM_LINES, "type-id", package);
}

/* `package="0",box="3"`: values have no escaped characters, as they are numbers and names. */
static void add_labels(struct metric_sample *s, const char *labels)
{
	bool package = false;

	while (*labels) {
		const size_t name = strcspn(labels, "="), value = strcspn(labels + name + 2, "\"");
		char *key = text_of("%.*s", (int)name, labels);
		char *is = text_of("%.*s", (int)value, labels + name + 2);

		if (strcmp(key, "package") == 0)
			add_place(s, is);
		else
			add_tag(s, FORM_ALL, key, is);
		package |= strcmp(key, "package") == 0;
		free(key);
		free(is);
		labels += name + 2 + value + 1;
		labels += *labels == ',';
	}
	if (!package)
		add_place(s, NULL);
}

static void begin(struct metric_sample *s, const struct exports *e, const struct family *f)
{
	s->family = f;
	s->name = text_of("%s", f->name);
	if (e->machine.simulated)
		add_tag(s, FORM_LINES, "simulated", "true");
}

/* ---- series ---- */

/* A series that is not counted keeps the place of its family. */
static void take_series(struct metric_sample *s, const struct exports *e, size_t i)
{
	const struct series *series = &e->series[i];
	const struct family *f = &e->families[series->family].family;

	s->family = f;
	if (!exports_is_shown(e, i))
		return;
	begin(s, e, f);
	add_labels(s, series->labels);
	s->real = f->kind == FAMILY_GAUGE;
	s->value = s->real ? uncore_real(series->value) * pow(10, f->exponent) : 0;
	s->count = series->value;
	s->exponent = f->exponent;
}

/* ---- owners: all of one family, then those of the next ---- */

static size_t owners_of(const struct exports *e)
{
	double values[OWNER_FAMILIES];
	const char *name;
	size_t n = 0;

	while (owners_export_at(e->owners, n, &name, values))
		n++;
	return n;
}

static void take_owner(struct metric_sample *s, const struct exports *e, size_t i, size_t n)
{
	const enum owner_family family = (enum owner_family)(i / n);
	const struct family *f = owners_export_family(family);
	const char *label = owners_export_label(e->owners), *name;
	double values[OWNER_FAMILIES];

	owners_export_at(e->owners, i % n, &name, values);
	if (isnan(values[family]))
		return;
	begin(s, e, f);
	add_tag(s, FORM_FAMILIES, label, name);
	add_labels(s, owners_export_labels(family));
	add_tag(s, FORM_LINES, label, name);
	s->real = true;
	s->value = values[family];
	s->decimals = family == OWNER_ENERGY ? 3 : 0;
}

/* ---- shares ---- */

static void take_share(struct metric_sample *s, const struct exports *e, size_t i)
{
	static const struct family f = {
		"uncore_counted_ratio",
		"ratio",
		"Fraction of the time in which the group is counted: 1 always, less if events "
		"are multiplexed and counts are estimates, 0 never.",
		FAMILY_GAUGE,
		0,
		false};

	begin(s, e, &f);
	add_labels(s, e->parts[i].labels);
	s->real = true;
	s->value = e->parts[i].share;
}

/* ---- about itself ---- */

static const char *access_of(const struct uncore_machine_info *m)
{
	return m->daemon ? "daemon" : m->kernel ? "kernel" : m->simulated ? "simulation" : "direct";
}

static void take_info(struct metric_sample *s, const struct exports *e)
{
	static const struct family f = {"uncore",    NULL, "The machine and how it is accessed.",
					FAMILY_INFO, 0,    false};

	begin(s, e, &f);
	s->form = FORM_FAMILIES;
	add_tag(s, FORM_FAMILIES, "version", uncore_version());
	add_tag(s, FORM_FAMILIES, "platform", e->machine.platform);
	add_tag(s, FORM_FAMILIES, "machine", e->machine.title);
	add_tag(s, FORM_FAMILIES, "access", access_of(&e->machine));
	add_tag(s, FORM_FAMILIES, "simulated", e->machine.simulated ? "true" : "false");
	s->count = 1;
}

static bool take_itself(struct metric_sample *s, const struct exports *e, size_t i)
{
	static const struct family families[] = {
		{"uncore_read_duration_seconds", "seconds",
		 "Duration of the last read of the counters.", FAMILY_GAUGE, 0, false},
		{"uncore_failed_reads", NULL, "Failed reads of the counters.", FAMILY_COUNTER, 0,
		 false},
		{"uncore_restarts", NULL,
		 "Restarts of counting; events between stop and restart were not counted.",
		 FAMILY_COUNTER, 0, false},
	};

	if (i >= sizeof(families) / sizeof(*families))
		return false;
	begin(s, e, &families[i]);
	s->form = FORM_FAMILIES;
	s->real = i == 0;
	s->value = e->read_seconds;
	s->count = (int64_t)(i == 1 ? e->failed_reads : e->restarts);
	return true;
}

/* ---- all ---- */

static bool sample(const void *of, size_t i, struct metric_sample *s)
{
	const struct exports *e = of;
	const size_t n = owners_of(e);

	if (i-- == 0) {
		take_info(s, e);
		return true;
	}
	if (i < e->n_series) {
		take_series(s, e, i);
		return true;
	}
	i -= e->n_series;
	if (i < n * OWNER_FAMILIES) {
		take_owner(s, e, i, n);
		return true;
	}
	i -= n * OWNER_FAMILIES;
	if (i < e->n_parts) {
		take_share(s, e, i);
		return true;
	}
	return take_itself(s, e, i - e->n_parts);
}

static char *text_in(const struct emitter *form, const struct exports *e, size_t *length)
{
	static const struct rows_class samples = {.sample = sample};
	const struct rows rows = {&samples, e};
	char *text = NULL;
	const struct emission to = {.out = begin_text(&text, length)};

	emit_rows(form, &to, &rows);
	end_text(to.out);
	return text;
}

char *metrics_text(const struct exports *e, enum text_format format, size_t *length)
{
	return text_in(format == TEXT_OPENMETRICS ? &openmetrics_emitter : &prometheus_emitter, e,
		       length);
}

char *influx_text(const struct exports *e, size_t *length)
{
	return text_in(&influx_emitter, e, length);
}
