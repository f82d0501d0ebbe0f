/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmetrics.c - samples as OpenMetrics 1.0, and as Prometheus' older text format.  The samples of
 * a family are together, below its heading.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/text.h"
#include "command/emit/emit.h"

static const char *const kinds[] = {
	[FAMILY_COUNTER] = "counter", [FAMILY_GAUGE] = "gauge", [FAMILY_INFO] = "info"};
static const char *const endings[] = {
	[FAMILY_COUNTER] = "_total", [FAMILY_GAUGE] = "", [FAMILY_INFO] = "_info"};

/* The older format names samples instead of families, and has no info type. */
static void put_heading(FILE *out, const struct family *f, bool open)
{
	const char *ending = open ? "" : endings[f->kind];

	fprintf(out, "# HELP %s%s ", f->name, ending);
	put_openmetrics(out, f->help, open);
	fprintf(out, "\n# TYPE %s%s %s\n", f->name, ending,
		!open && f->kind == FAMILY_INFO ? "gauge" : kinds[f->kind]);
	if (open && f->unit)
		fprintf(out, "# UNIT %s %s\n", f->name, f->unit);
}

static void put_labels(FILE *out, const struct metric_sample *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n_tags; i++) {
		const struct metric_tag *tag = &s->tags[i];

		if (tag->form == FORM_LINES)
			continue;
		fprintf(out, "%c%s=\"", n++ ? ',' : '{', tag->key);
		put_openmetrics(out, tag->value, true);
		fputc('"', out);
	}
	fputs(n ? "} " : " ", out);
}

/* Microjoules are exact joules. */
static void put_value(FILE *out, const struct metric_sample *s)
{
	if (s->real && s->decimals >= 0)
		fprintf(out, "%.*f\n", s->decimals, s->value);
	else if (s->real)
		fprintf(out, "%.*g\n", s->digits, s->value);
	else if (s->exponent == -6)
		fprintf(out, "%" PRId64 ".%06" PRId64 "\n", s->count / 1000000, s->count % 1000000);
	else
		fprintf(out, "%" PRId64 "\n", s->count);
}

static void put_sample(FILE *out, const struct metric_sample *s)
{
	fprintf(out, "%s%s", s->family->name, endings[s->family->kind]);
	put_labels(out, s);
	put_value(out, s);
}

/* From the first one of a family on; those that were printed have no family any more. */
static void put_family(FILE *out, struct metric_sample *list, size_t n, bool open)
{
	const struct family *f = list->family;
	bool headed = false;

	for (size_t i = 0; i < n; i++) {
		if (!list[i].family || strcmp(list[i].family->name, f->name) != 0)
			continue;
		if (list[i].name) {
			if (!headed)
				put_heading(out, list[i].family, open);
			headed = true;
			put_sample(out, &list[i]);
		}
		list[i].family = NULL;
	}
}

static void emit(const struct emission *to, const struct rows *rows, bool open)
{
	struct metric_sample *list = need_memory(1, sizeof(*list));
	size_t n = 0;

	while (next_sample(rows, n, &list[n])) {
		if (list[n].form == FORM_LINES)
			list[n].family = NULL;
		list = need_more(list, ++n + 1, sizeof(*list));
	}
	for (size_t i = 0; i < n; i++)
		if (list[i].family)
			put_family(to->out, &list[i], n - i, open);
	for (size_t i = 0; i < n; i++)
		free_sample(&list[i]);
	free(list);
	if (open)
		fputs("# EOF\n", to->out);
}

static void emit_openmetrics(const struct emission *to, const struct rows *rows)
{
	emit(to, rows, true);
}

static void emit_prometheus(const struct emission *to, const struct rows *rows)
{
	emit(to, rows, false);
}

const struct emitter openmetrics_emitter = {"openmetrics", NULL, emit_openmetrics};
const struct emitter prometheus_emitter = {"prometheus", NULL, emit_prometheus};
