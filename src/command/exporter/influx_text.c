/* SPDX-License-Identifier: BSD-3-Clause */
/* influx_text.c - see influx_text.h. */
#include "command/exporter/influx_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/line_protocol.h"
#include "command/base/text.h"
#include "command/exporter/owners.h"

struct lines {
	FILE *out;
	char host[HOST_TEXT];
	bool simulated;
	struct timespec now;
};

/* `package="0",box="3"`: values have no escaped characters, as they are numbers and names. */
static void put_labels(const struct lines *l, const char *labels)
{
	bool package = false;

	while (*labels) {
		const size_t name = strcspn(labels, "="), value = strcspn(labels + name + 2, "\"");
		char *of = text_of("%.*s", (int)name, labels);
		char *is = text_of("%.*s", (int)value, labels + name + 2);

		if (strcmp(of, "package") == 0) {
			package = true;
			put_tag(l->out, "type", "socket");
			put_tag(l->out, "type-id", is);
		} else
			put_tag(l->out, of, is);
		free(of);
		free(is);
		labels += name + 2 + value + 1;
		labels += *labels == ',';
	}
	if (!package)
		put_tag(l->out, "type", "node");
}

static void begin(const struct lines *l, const char *measurement)
{
	put_influx(l->out, measurement);
	put_tag(l->out, "hostname", l->host);
	if (l->simulated)
		put_tag(l->out, "simulated", "true");
}

static void put_number(const struct lines *l, double value)
{
	fprintf(l->out, " value=%.17g", value);
	put_time(l->out, &l->now);
}

/* Joules have decimals, all other counts are integers; the type of a field never changes. */
static void put_series(const struct lines *l, const struct family *f, const struct series *s)
{
	begin(l, f->name);
	put_labels(l, s->labels);
	if (f->kind == FAMILY_GAUGE)
		put_number(l, uncore_real(s->value) * pow(10, f->exponent));
	else if (f->exponent)
		put_number(l, (double)s->value * pow(10, f->exponent));
	else {
		fprintf(l->out, " value=%" PRId64 "i", s->value);
		put_time(l->out, &l->now);
	}
}

static void put_owners(const struct lines *l, const struct exports *e, unsigned family)
{
	double values[OWNER_FAMILIES];
	const char *name;

	for (size_t i = 0; owners_export_at(e->owners, i, &name, values); i++) {
		if (isnan(values[family]))
			return;
		begin(l, owners_export_family(family)->name);
		put_labels(l, owners_export_labels(family));
		put_tag(l->out, owners_export_label(e->owners), name);
		put_number(l, values[family]);
	}
}

char *influx_text(const struct exports *e, size_t *length)
{
	char *text = NULL;
	struct lines l = {.out = begin_text(&text, length), .simulated = e->machine.simulated};

	text_of_host(l.host);
	clock_gettime(CLOCK_REALTIME, &l.now);
	for (size_t i = 0; i < e->n_series; i++)
		if (exports_is_shown(e, i))
			put_series(&l, &e->families[e->series[i].family].family, &e->series[i]);
	for (unsigned i = 0; i < OWNER_FAMILIES; i++)
		put_owners(&l, e, i);
	for (size_t i = 0; i < e->n_parts; i++) {
		begin(&l, "uncore_counted_ratio");
		put_labels(&l, e->parts[i].labels);
		put_number(&l, e->parts[i].share);
	}
	end_text(l.out);
	return text;
}
