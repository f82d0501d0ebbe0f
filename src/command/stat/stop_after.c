/* SPDX-License-Identifier: BSD-3-Clause */
/* stop_after.c - `--until EVENT=N`: stop counting after N occurrences, and report it. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "command/emit/emit.h"

#include "counts.h"

/* Names may also contain '=': the number follows the last one. */
int add_stop_after(struct stop_after *stop_after, char *text, size_t event,
		   const struct command *command)
{
	char *equals = strrchr(text, '='), *end = NULL;
	uint64_t n = 0;

	errno = 0;
	if (equals && equals[1] >= '0' && equals[1] <= '9')
		n = strtoull(equals + 1, &end, 0);
	if (!end || *end || errno || n == 0)
		return wrong_usage(command,
				   "invalid --until \"%s\": expected EVENT=N, for example "
				   "UNC_C_CLOCKTICKS:box=0:pkg=0=1000000",
				   text);
	if (stop_after->n == STOP_AFTER_MAX)
		return wrong_usage(command, "too many --until options: the maximum is %d",
				   STOP_AFTER_MAX);
	*equals = '\0';
	stop_after->list[stop_after->n++] = (struct uncore_stop_after){
		.size = sizeof(*stop_after->list), .event = (unsigned)event, .count = n};
	return TOOL_OK;
}

int add_pmi_core(struct stop_after *stop_after, const char *text, const struct command *command)
{
	char *end = NULL;
	unsigned long core = 0;

	errno = 0;
	if (*text >= '0' && *text <= '9')
		core = strtoul(text, &end, 10);
	if (!end || *end || errno || core >= 64)
		return wrong_usage(command,
				   "invalid --pmi-core \"%s\": expected the number of a core in "
				   "its package, from 0 to 63",
				   text);
	stop_after->cores |= UINT64_C(1) << core;
	return TOOL_OK;
}

int check_stop_after(const struct stop_after *stop_after, const struct command *command)
{
	if (stop_after->cores && stop_after->n == 0)
		return wrong_usage(command, "--pmi-core requires --until EVENT=N");
	return TOOL_OK;
}

int set_stop_after(struct uncore_set *set, const struct stop_after *stop_after)
{
	const int code =
		uncore_set_stop_after(set, stop_after->list, stop_after->n, stop_after->cores);

	if (code == 0 && stop_after->cores)
		say("warning: the overflow interrupts a core (--pmi-core): a kernel without a "
		    "handler for it may report an unknown NMI");
	return code;
}

static const struct uncore_stop_after_info *info_of(const struct counts *c, unsigned i,
						    struct uncore_stop_after_info *info)
{
	return c->set && uncore_set_stop_after_info(c->set, i, info) == 1 ? info : NULL;
}

static void print_one(const struct counts *c, const struct uncore_stop_after_info *u, int64_t count)
{
	const struct screen *s = &c->screen;
	char box[BOX_NAME];

	fputc('\n', s->out);
	print_paragraph(s, 2, "%s (%s of package %u, counter %u):",
			uncore_event_name(c->u, c->wanted->basket.events[u->event].id),
			box_name(box, u->kind, u->box), u->package, u->counter);
	if ((uint64_t)count < u->count)
		print_paragraph(s, 2, "%" PRIu64 " was not reached", u->count);
	else
		print_paragraph(s, 2,
				"%" PRIu64 " reached, and %" PRIu64
				" more before counting stopped %s",
				u->count, (uint64_t)count - u->count,
				u->polled ? "by polling" : "by overflow");
	if (u->polled)
		print_paragraph(s, 2, "not exact: %s", u->polled);
}

void print_stop_after(const struct counts *c, const int64_t *values)
{
	struct uncore_stop_after_info info = {.size = sizeof(info)};

	for (unsigned i = 0; info_of(c, i, &info); i++)
		print_one(c, &info, values[info.event]);
}

static struct json_object *stop_after_json(const struct counts *c,
					   const struct uncore_stop_after_info *u, int64_t count)
{
	struct json_object *o = json_object_new_object();
	const int64_t past = count - (int64_t)u->count;
	char box[BOX_NAME];

	add_json_text(o, "event", uncore_event_name(c->u, c->wanted->basket.events[u->event].id));
	add_json_text(o, "box", box_name(box, u->kind, u->box));
	add_json_integer(o, "package", u->package);
	add_json_integer(o, "counter", u->counter);
	add_json_integer(o, "until", (int64_t)u->count);
	add_json_flag(o, "reached", past >= 0);
	if (past >= 0)
		add_json_integer(o, "past", past);
	add_json_flag(o, "exact", !u->polled);
	if (u->polled)
		add_json_text(o, "why", u->polled);
	return o;
}

void add_stop_after_json(struct json_object *o, const struct counts *c, const int64_t *values)
{
	struct json_object *list = json_object_new_array();
	struct uncore_stop_after_info info = {.size = sizeof(info)};

	for (unsigned i = 0; info_of(c, i, &info); i++)
		json_object_array_add(list, stop_after_json(c, &info, values[info.event]));
	json_object_object_add(o, "until", list);
}
