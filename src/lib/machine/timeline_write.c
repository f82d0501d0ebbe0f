/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_write.c - the samples of a recording as JSON, a counter per line. */
#include <inttypes.h>

#include "machine/timeline.h"

static void write_series(const struct unc_timeline *t, const struct unc_series *s, FILE *file)
{
	fprintf(file, "{\"box\":\"%s\",\"number\":%u,\"package\":%u", s->kind, s->number,
		s->package);
	if (s->die)
		fprintf(file, ",\"die\":%u", s->die);
	fprintf(file, ",\"width\":%u", (unsigned)s->width);
	if (s->counter >= 0)
		fprintf(file, ",\"counter\":%d", s->counter);
	else if (s->fixed)
		fprintf(file, ",\"fixed\":true");
	else
		fprintf(file, ",\"control\":\"0x%" PRIx64 "\"", s->control);
	fprintf(file, ",\"filters\":[");
	for (unsigned i = 0; i < UNC_SERIES_FILTERS; i++)
		fprintf(file, "%s\"0x%" PRIx64 "\"", i ? "," : "", s->filters[i]);
	fprintf(file, "],\"values\":[");
	for (size_t i = 0; i < t->n; i++)
		fprintf(file, "%s\"0x%" PRIx64 "\"", i ? "," : "", s->counts[i]);
	fprintf(file, "]}");
}

void unc_timeline_write(const struct unc_timeline *t, FILE *file)
{
	fprintf(file, ",\n\"samples\": {\"ns\":[");
	for (size_t i = 0; i < t->n; i++)
		fprintf(file, "%s%" PRId64, i ? "," : "", t->ns[i] - t->ns[0]);
	fprintf(file, "],\n\"counters\": [");
	for (size_t i = 0; i < t->n_series; i++) {
		fputs(i ? ",\n" : "\n", file);
		write_series(t, &t->series[i], file);
	}
	fputs("]}", file);
}
