/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline.c - see timeline.h. */
#include "machine/timeline.h"

#include <inttypes.h>
#include <math.h> /* isfinite(), without libm */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "machine/recording.h"
#include "machine/replay.h"

#define NS 1000000000.0

void unc_timeline_free(struct unc_timeline *t)
{
	for (size_t i = 0; i < t->n_series; i++)
		free(t->series[i].counts);
	free(t->series);
	free(t->ns);
}

/* ---- the name of the machine ---- */

static double *value_of(struct unc_replay_part *part, const char *option)
{
	if (strncmp(option, ":from=", 6) == 0)
		return &part->from;
	if (strncmp(option, ":until=", 7) == 0)
		return &part->until;
	return strncmp(option, ":speed=", 7) == 0 ? &part->speed : NULL;
}

int unc_replay_options(const char *spec, char path[PATH_MAX], struct unc_replay_part *part,
		       struct unc_err *err)
{
	char *option, *end;

	*part = (struct unc_replay_part){.speed = 1};
	if (strlen(spec) >= PATH_MAX)
		return unc_fail(err, UNCORE_EINVAL, "the name of the recording is too long");
	strcpy(path, spec);
	while ((option = strrchr(path, ':')) && value_of(part, option)) {
		double *value = value_of(part, option);

		*value = strtod(strchr(option, '=') + 1, &end);
		if (end == strchr(option, '=') + 1 || *end || !isfinite(*value) || *value < 0 ||
		    (value == &part->speed && !(*value > 0 && *value <= 1e6)))
			return unc_fail(err, UNCORE_EINVAL,
					"invalid %s of the recording: use from= and until= in "
					"seconds, and speed= up to 1000000",
					option + 1);
		*option = '\0';
	}
	if (part->until > 0 && part->until <= part->from)
		return unc_fail(err, UNCORE_EINVAL,
				"invalid part of the recording: until= must be later than from=");
	return 0;
}

int unc_replay_part_check(const struct unc_timeline *t, struct unc_err *err)
{
	const double last = (double)t->ns[t->n - 1] / NS;

	if (t->part.from < last)
		return 0;
	return unc_fail(err, UNCORE_EINVAL,
			"invalid from=%g of the recording: its last sample is at %.3f s",
			t->part.from, last);
}

/* ---- time ---- */

struct unc_timeline *unc_replayed_timeline(struct unc_hw *hw)
{
	struct unc_timeline *t;

	if (hw->where != UNC_RECORDED)
		return NULL;
	t = &((struct unc_replayed *)hw)->recording->timeline;
	return t->n ? t : NULL;
}

/* passed: ns since the first start */
static int64_t recorded_time(const struct unc_timeline *t, int64_t passed)
{
	const struct unc_replay_part *part = &t->part;
	const double last = (double)t->ns[t->n - 1];
	const double until = part->until * NS, end = until > 0 && until < last ? until : last;
	const double now = part->from * NS + (double)passed * part->speed;

	return (int64_t)(now < end ? now : end);
}

int64_t unc_replay_begin(struct unc_timeline *t)
{
	const int64_t now = unc_monotonic();
	int64_t begun = 0;

	if (atomic_compare_exchange_strong(&t->begun, &begun, now))
		begun = now;
	return recorded_time(t, now - begun);
}

int64_t unc_replay_now(const struct unc_timeline *t)
{
	return recorded_time(t, unc_monotonic() - atomic_load(&t->begun));
}

uint64_t unc_series_at(const struct unc_timeline *t, const struct unc_series *series, int64_t ns)
{
	size_t low = 0, high = t->n - 1;
	double part;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (t->ns[middle] <= ns)
			low = middle;
		else
			high = middle;
	}
	if (ns >= t->ns[high])
		return series->counts[high];
	part = (double)(ns - t->ns[low]) / (double)(t->ns[high] - t->ns[low]);
	return series->counts[low] +
	       (uint64_t)(part * (double)(series->counts[high] - series->counts[low]));
}

/* ---- the samples of a recording as JSON, a counter per line ---- */

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
