/* SPDX-License-Identifier: BSD-3-Clause */
/* counts_json.c - counts as an object, which docs/uncore.1 describes; see rows.h. */
#include <json-c/json.h>
#include <math.h>

#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/emit/emit.h"
#include "command/roofline/roofline.h"
#include "command/stat/rows.h"
#include "program_share.h"

static void add_times(struct json_object *o, const struct row *row,
		      const struct uncore_times *times)
{
	if (!row->formula)
		add_json_integer(o, "counted", times->count);
	add_json_integer(o, "enabled_ns", times->enabled_ns);
	add_json_integer(o, "running_ns", times->running_ns);
	json_object_object_add(o, "error", times->error < 0 ? NULL : json_number(times->error));
}

static struct json_object *value(const struct row *row, const struct result *result)
{
	if (has_no_window(&result->times))
		return NULL;
	return row->real ? json_number(result->value) : json_object_new_int64(result->count);
}

static struct json_object *count(const struct counts *c, const struct row *row,
				 const struct result *result, double seconds)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "event", row->name);
	if (row->formula)
		add_json_text(o, "formula", row->formula->text);
	if (row->devices)
		add_json_text(o, "devices", row->devices);
	if (*row->node)
		add_json_text(o, "node", row->node);
	add_json_text(o, "units", row->units);
	json_object_object_add(o, "count", value(row, result));
	if (!row->real && seconds > 0 && !has_no_window(&result->times))
		json_object_object_add(
			o, "per_second",
			json_number(
				per_second((double)result->count / row->rate_divisor, seconds)));
	if (row->counters > 0)
		json_object_object_add(o, "counters", json_object_new_uint64(row->counters));
	if (c->repeated)
		json_object_object_add(o, "deviation_percent", json_number(result->deviation));
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

struct json_object *counts_object(const void *of)
{
	static const char *const kinds[] = {"interval", "total", "run", "mean"};
	const struct counts_rows *rows = of;
	const struct counts *c = rows->counts;
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	for (size_t i = 0; i < c->wanted->n_rows; i++)
		json_object_array_add(list, count(c, &c->wanted->rows[i], &rows->results[i],
						  result_seconds(rows->r, &rows->results[i])));
	add_json_text(o, "kind", kinds[rows->kind]);
	if (rows->runs)
		add_json_integer(o, rows->kind == ROWS_RUN ? "run" : "runs", rows->runs);
	add_json_flag(o, "simulated", c->machine.simulated);
	add_json_text(o, "machine", c->machine.title);
	add_seconds(o, rows->r->at);
	json_object_object_add(o, "counts", list);
	if (c->set && rows->kind != ROWS_INTERVAL)
		add_stop_after_json(o, c, rows->r->values);
	if (c->share && rows->kind == ROWS_TOTAL)
		add_share_json(o, c->share);
	if (c->roofline && rows->kind == ROWS_TOTAL)
		json_object_object_add(o, "roofline", roofline_json(c->roofline));
	return o;
}
