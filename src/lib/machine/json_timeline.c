/* SPDX-License-Identifier: BSD-3-Clause */
/* json_timeline.c - read the samples of a recording. The file is not trusted. */
#include <stdlib.h>
#include <string.h>

#include "machine/json_members.h"
#include "machine/timeline.h"

#define NO_MEMORY "there is no memory for its samples"

static const char *read_times(struct unc_timeline *samples, struct json_object *list)
{
	const size_t n = json_object_array_length(list);

	if (n < 2)
		return "it has less than two samples";
	samples->ns = calloc(n, sizeof(*samples->ns));
	if (!samples->ns)
		return NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		struct json_object *ns = json_object_array_get_idx(list, i);

		if (!json_object_is_type(ns, json_type_int))
			return "the time of a sample is not a number";
		samples->ns[i] = json_object_get_int64(ns);
		if (i ? samples->ns[i] <= samples->ns[i - 1] : samples->ns[i] != 0)
			return "the times of its samples do not begin at 0, or are out of order";
	}
	samples->n = n;
	return NULL;
}

/* Differences of the registers, which wrap, added up. */
static const char *read_values(const struct unc_timeline *samples, struct unc_series *series,
			       struct json_object *list, int64_t width)
{
	const uint64_t mask = width < 64 ? (1ull << width) - 1 : UINT64_MAX;
	uint64_t value, before = 0;

	if (json_object_array_length(list) != samples->n)
		return "a counter does not have a value for each sample";
	series->counts = calloc(samples->n, sizeof(*series->counts));
	if (!series->counts)
		return NO_MEMORY;
	for (size_t i = 0; i < samples->n; i++) {
		if (!unc_json_hex_value(json_object_array_get_idx(list, i), mask, &value))
			return "a sample of a counter is damaged, or too large for it";
		if (i)
			series->counts[i] = series->counts[i - 1] + ((value - before) & mask);
		before = value;
	}
	return NULL;
}

static const char *read_filters(struct unc_series *series, struct json_object *list)
{
	const size_t n = list ? json_object_array_length(list) : 0;

	if (n > UNC_SERIES_FILTERS)
		return "a box has too many filters";
	for (size_t i = 0; i < n; i++)
		if (!unc_json_hex_value(json_object_array_get_idx(list, i), UINT64_MAX,
					&series->filters[i]))
			return "a filter is damaged";
	return NULL;
}

static const char *read_counter(struct unc_timeline *samples, struct json_object *o)
{
	struct unc_series *series = &samples->series[samples->n_series++];
	struct json_object *values = unc_json_member(o, "values", json_type_array);
	struct json_object *fixed = unc_json_member(o, "fixed", json_type_boolean);
	const char *kind = unc_json_text(o, "box"), *why;
	int64_t number, package, die, width, counter;

	if (!kind || strlen(kind) >= sizeof(series->kind) || !values ||
	    !unc_json_number(o, "number", 0, UINT16_MAX, &number) ||
	    !unc_json_number(o, "package", 0, UINT16_MAX, &package) ||
	    !unc_json_number(o, "width", 1, 64, &width))
		return "a counter of its samples is damaged";
	strcpy(series->kind, kind);
	series->number = (unsigned)number;
	series->package = (unsigned)package;
	unc_json_number(o, "die", 0, UINT16_MAX, &die);
	series->die = (unsigned)die;
	series->fixed = fixed && json_object_get_boolean(fixed);
	series->counter = unc_json_number(o, "counter", 0, UINT8_MAX, &counter) ? (int)counter : -1;
	if (!series->fixed && series->counter < 0 &&
	    !unc_json_hex(o, "control", UINT64_MAX, &series->control))
		return "a counter of its samples has no control";
	why = read_filters(series, unc_json_member(o, "filters", json_type_array));
	return why ? why : read_values(samples, series, values, width);
}

const char *unc_timeline_read(struct unc_timeline *samples, struct json_object *o)
{
	struct json_object *times = unc_json_member(o, "ns", json_type_array);
	struct json_object *list = unc_json_member(o, "counters", json_type_array);
	const size_t n = list ? json_object_array_length(list) : 0;
	const char *why = times && n ? read_times(samples, times) : "its samples have no counters";

	if (why)
		return why;
	samples->series = calloc(n, sizeof(*samples->series));
	if (!samples->series)
		return NO_MEMORY;
	for (size_t i = 0; !why && i < n; i++)
		why = read_counter(samples, json_object_array_get_idx(list, i));
	return why;
}
