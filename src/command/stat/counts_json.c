/* SPDX-License-Identifier: BSD-3-Clause */
/* counts_json.c - counts as JSON; the form is in docs/uncore.1. */
#include <json-c/json.h>
#include <math.h>

#include "command/base/rate.h"
#include "counts.h"
#include "program_share.h"

/* JSON has no NaN: an undefined mean is null. */
static struct json_object *real(double value)
{
	char text[32];

	if (!isfinite(value))
		return NULL;
	snprintf(text, sizeof(text), "%.12g", value);
	return json_object_new_double_s(value, text);
}

static void add_times(struct json_object *o, const struct row *row,
		      const struct uncore_times *times)
{
	if (!row->formula)
		json_object_object_add(o, "counted", json_object_new_int64(times->count));
	json_object_object_add(o, "enabled_ns", json_object_new_int64(times->enabled_ns));
	json_object_object_add(o, "running_ns", json_object_new_int64(times->running_ns));
	json_object_object_add(o, "error", times->error < 0 ? NULL : real(times->error));
}

static struct json_object *value(const struct row *row, const struct result *result)
{
	if (has_no_window(&result->times))
		return NULL;
	return row->real ? real(result->value) : json_object_new_int64(result->count);
}

static struct json_object *count(const struct counts *c, const struct row *row,
				 const struct result *result, double seconds)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "event", row->name);
	if (row->formula)
		add_json_text(o, "formula", row->formula->text);
	add_json_text(o, "units", row->units);
	json_object_object_add(o, "count", value(row, result));
	if (!row->real && seconds > 0 && !has_no_window(&result->times))
		json_object_object_add(
			o, "per_second",
			real(per_second((double)result->count / row->rate_divisor, seconds)));
	if (row->counters > 0)
		json_object_object_add(o, "counters", json_object_new_uint64(row->counters));
	if (c->repeated)
		json_object_object_add(o, "deviation_percent", real(result->deviation));
	if (c->multiplexed)
		add_times(o, row, &result->times);
	if (row->erratum)
		add_erratum_json(o, row->erratum);
	return o;
}

static void add_seconds(struct json_object *o, double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", seconds);
	json_object_object_add(o, "seconds", json_object_new_double_s(seconds, text));
}

void print_counts_json(const struct counts *c, enum json_kind kind, const struct reading *r,
		       const struct result *results, unsigned runs)
{
	static const char *const kinds[] = {"interval", "total", "run", "mean"};
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	for (size_t i = 0; i < c->wanted->n_rows; i++)
		json_object_array_add(list, count(c, &c->wanted->rows[i], &results[i], r->seconds));
	add_json_text(o, "kind", kinds[kind]);
	if (runs)
		json_object_object_add(o, kind == JSON_RUN ? "run" : "runs",
				       json_object_new_int64(runs));
	json_object_object_add(o, "simulated", json_object_new_boolean(c->machine.simulated));
	add_json_text(o, "machine", c->machine.title);
	add_seconds(o, r->at);
	json_object_object_add(o, "counts", list);
	if (c->set && kind != JSON_INTERVAL)
		add_stop_after_json(o, c, r->values);
	if (c->share && kind == JSON_TOTAL)
		add_share_json(o, c->share);
	print_json_object(c->screen.out, o);
}
