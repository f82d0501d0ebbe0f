/* SPDX-License-Identifier: BSD-3-Clause */
/* influx.c - counts in the line protocol of InfluxDB, with the tags of ClusterCockpit; see
 * fields.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "command/base/encode.h"
#include "command/base/event_name.h"
#include "command/base/line_protocol.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/stat/fields.h"

static bool is_one(const char *value)
{
	return *value && strspn(value, "0123456789") == strlen(value);
}

static void put_if_known(FILE *out, const char *name, const char *value)
{
	if (*value)
		put_tag(out, name, value);
}

/* The types of ClusterCockpit: a socket, a hardware thread, or the node. */
static void put_place(FILE *out, const struct event_name *n)
{
	const bool thread = is_one(n->cpu), socket = !thread && is_one(n->package);

	put_tag(out, "type", thread ? "hwthread" : socket ? "socket" : "node");
	if (thread || socket)
		put_tag(out, "type-id", thread ? n->cpu : n->package);
	if (!socket)
		put_if_known(out, "pkg", n->package);
	put_if_known(out, "box", n->box);
	put_if_known(out, "die", n->die);
	if (!thread)
		put_if_known(out, "cpu", n->cpu);
}

static void put_fields(FILE *out, const struct row *row, const struct result *result,
		       double seconds)
{
	if (row->real)
		fprintf(out, " value=%.12g", result->value);
	else
		fprintf(out, " value=%" PRId64 "i", result->count);
	if (!row->real && seconds > 0)
		fprintf(out, ",rate=%.12g",
			per_second((double)result->count / row->rate_divisor, seconds));
}

/* There is no line for an event that was not counted. */
static void put_line(const struct counts *c, const struct reading *r, const struct row *row,
		     const struct result *result, const char *host, const struct timespec *when)
{
	FILE *out = c->screen.out;
	struct event_name name;

	if (has_no_window(&result->times) || (row->real && !isfinite(result->value)))
		return;
	take_name_apart(&name, row->name);
	put_influx(out, name.base);
	put_tag(out, "hostname", host);
	put_place(out, &name);
	if (*row->units)
		put_tag(out, "unit", row->units);
	if (c->machine.simulated)
		put_tag(out, "simulated", "true");
	put_fields(out, row, result, r->seconds);
	put_time(out, when);
}

void print_influx(const struct counts *c, const struct reading *r, const struct result *results)
{
	char host[HOST_TEXT];
	struct timespec now;

	text_of_host(host);
	clock_gettime(CLOCK_REALTIME, &now);
	for (size_t i = 0; i < c->wanted->n_rows; i++)
		put_line(c, r, &c->wanted->rows[i], &results[i], host, &now);
}
