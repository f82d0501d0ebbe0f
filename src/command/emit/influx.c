/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * influx.c - samples as InfluxDB's line protocol, with the tags of ClusterCockpit: the host comes
 * first.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "command/base/encode.h"
#include "command/base/line_protocol.h"
#include "command/base/text.h"
#include "command/emit/emit.h"

/* The type of a field never changes: counts in units other than 1 are real numbers. */
static void put_fields(FILE *out, const struct metric_sample *s)
{
	if (s->real)
		fprintf(out, " value=%.*g", s->digits, s->value);
	else if (s->exponent)
		fprintf(out, " value=%.17g", (double)s->count * pow(10, s->exponent));
	else
		fprintf(out, " value=%" PRId64 "i", s->count);
	if (!isnan(s->rate))
		fprintf(out, ",rate=%.*g", s->digits, s->rate);
}

static void put_line(FILE *out, const struct metric_sample *s, const char *host,
		     const struct timespec *now)
{
	put_influx(out, s->name);
	put_tag(out, "hostname", host);
	for (unsigned i = 0; i < s->n_tags; i++)
		if (s->tags[i].form != FORM_FAMILIES)
			put_tag(out, s->tags[i].key, s->tags[i].value);
	put_fields(out, s);
	put_time(out, now);
}

static void emit_influx(const struct emission *to, const struct rows *rows)
{
	char host[HOST_TEXT];
	struct timespec now;
	struct metric_sample s;

	text_of_host(host);
	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; next_sample(rows, i, &s); i++) {
		if (s.name && s.form != FORM_FAMILIES)
			put_line(to->out, &s, host, &now);
		free_sample(&s);
	}
}

const struct emitter influx_emitter = {"influx", NULL, emit_influx};
