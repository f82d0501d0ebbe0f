/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * samples.c - counts as samples: the event without its place, with the tags of ClusterCockpit; see
 * rows.h.
 */
#include <math.h>
#include <string.h>

#include "command/base/event_name.h"
#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/stat/rows.h"

static bool is_one(const char *value)
{
	return *value && strspn(value, "0123456789") == strlen(value);
}

static void add_if_known(struct metric_sample *s, const char *key, const char *value)
{
	if (*value)
		add_tag(s, FORM_ALL, key, value);
}

/* The types of ClusterCockpit: a socket, a hardware thread, or the node. */
static void add_place(struct metric_sample *s, const struct event_name *n)
{
	const bool thread = is_one(n->cpu), socket = !thread && is_one(n->package);

	add_tag(s, FORM_ALL, "type", thread ? "hwthread" : socket ? "socket" : "node");
	if (thread || socket)
		add_tag(s, FORM_ALL, "type-id", thread ? n->cpu : n->package);
	if (!socket)
		add_if_known(s, "pkg", n->package);
	add_if_known(s, "box", n->box);
	add_if_known(s, "die", n->die);
	if (!thread)
		add_if_known(s, "cpu", n->cpu);
}

static void take_value(struct metric_sample *s, const struct row *row, const struct result *result,
		       double seconds)
{
	s->digits = 12;
	s->real = row->real;
	s->value = result->value;
	s->count = result->count;
	if (!row->real && seconds > 0)
		s->rate = per_second((double)result->count / row->rate_divisor, seconds);
}

/* Not for an event that was not counted. */
bool counts_sample(const void *of, size_t i, struct metric_sample *s)
{
	const struct counts_rows *rows = of;
	const struct counts *c = rows->counts;
	const struct row *row = &c->wanted->rows[i];
	const struct result *result = &rows->results[i];
	struct event_name name;

	if (i >= c->wanted->n_rows)
		return false;
	if (has_no_window(&result->times) || (row->real && !isfinite(result->value)))
		return true;
	take_name_apart(&name, row->name);
	s->name = text_of("%s", name.base);
	add_place(s, &name);
	add_if_known(s, "unit", row->units);
	if (c->machine.simulated)
		add_tag(s, FORM_ALL, "simulated", "true");
	take_value(s, row, result, result_seconds(rows->r, result));
	return true;
}
