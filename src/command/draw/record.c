/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c - see record.h. */
#include "command/draw/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

void draw_add_series(struct draw_record *r, const char *name, const char *units, bool real)
{
	struct draw_series *s;

	r->series = need_more(r->series, r->n + 1, sizeof(*r->series));
	s = &r->series[r->n++];
	*s = (struct draw_series){.name = text_of("%s", name), .real = real};
	snprintf(s->units, sizeof(s->units), "%s", units);
}

static void make_room(struct draw_record *r)
{
	if (r->n_intervals < r->room)
		return;
	r->room = r->room ? 2 * r->room : 64;
	r->ends = need_more(r->ends, r->room, sizeof(*r->ends));
	for (size_t i = 0; i < r->n; i++)
		r->series[i].values =
			need_more(r->series[i].values, r->room, sizeof(*r->series[i].values));
}

void draw_add_interval(struct draw_record *r, const double *values, double end)
{
	make_room(r);
	for (size_t i = 0; i < r->n; i++)
		r->series[i].values[r->n_intervals] = values[i];
	r->ends[r->n_intervals++] = end;
}

void draw_free(struct draw_record *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->series[i].name);
		free(r->series[i].values);
		free(r->series[i].node);
	}
	free(r->series);
	free(r->ends);
	memset(r, 0, sizeof(*r));
}

/* ---- numbers ---- */

double draw_begin(const struct draw_record *r, size_t interval)
{
	return interval ? r->ends[interval - 1] : 0;
}

/* Units of counts, and of the same counts per second. */
static const struct {
	const char *units, *drawn;
	double factor;
} by_second[] = {{"bytes", "B/s", 1}, {"cycles", "Hz", 1}, {"uJ", "W", 1e-6}};

#define N_BY_SECOND (sizeof(by_second) / sizeof(*by_second))

static double factor_of(const struct draw_series *s)
{
	for (size_t i = 0; i < N_BY_SECOND; i++)
		if (!s->real && strcmp(by_second[i].units, s->units) == 0)
			return by_second[i].factor;
	return s->real && strcmp(s->units, "ratio") == 0 ? 100 : 1;
}

double draw_value(const struct draw_record *r, size_t series, size_t interval)
{
	const struct draw_series *s = &r->series[series];
	const double time = r->ends[interval] - draw_begin(r, interval);

	if (!s->real && !(time > 0))
		return NAN;
	return s->values[interval] * factor_of(s) / (s->real ? 1 : time);
}

double draw_mean(const struct draw_record *r, size_t series)
{
	double sum = 0, time = 0;

	for (size_t i = 0; i < r->n_intervals; i++) {
		const double value = draw_value(r, series, i);
		const double length = r->ends[i] - draw_begin(r, i);

		if (isnan(value))
			continue;
		sum += value * length;
		time += length;
	}
	return sum / time;
}

static void name_unit(const struct draw_series *s, const char *prefix, char unit[DRAW_UNIT])
{
	for (size_t i = 0; i < N_BY_SECOND; i++)
		if (!s->real && strcmp(by_second[i].units, s->units) == 0) {
			snprintf(unit, DRAW_UNIT, "%s%s", prefix, by_second[i].drawn);
			return;
		}
	if (s->real)
		snprintf(unit, DRAW_UNIT, "%s%s", prefix,
			 strcmp(s->units, "ratio") == 0 ? "%" : s->units);
	else
		snprintf(unit, DRAW_UNIT, "%s%s%s/s", prefix, *prefix ? " " : "", s->units);
}

struct draw_scale draw_scale_of(const struct draw_series *s, double largest)
{
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
	struct draw_scale scale = {.factor = 1};
	const bool prefixed = !s->real || strcmp(s->units, "Hz") == 0;
	size_t prefix = 0;

	while (prefixed && largest * scale.factor >= 1000 &&
	       prefix + 1 < sizeof(prefixes) / sizeof(*prefixes)) {
		scale.factor /= 1000;
		prefix++;
	}
	name_unit(s, prefixes[prefix], scale.unit);
	return scale;
}

const char *draw_label(const struct draw_series *s)
{
	return s->label ? s->label : s->name;
}

bool draw_same_unit(const struct draw_series *a, const struct draw_series *b)
{
	return a->real == b->real && strcmp(a->units, b->units) == 0;
}
