/* SPDX-License-Identifier: BSD-3-Clause */
/* report_json.c - a report as a JSON object; what is unknown has no member. */
#include <math.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "command/emit/emit.h"
#include "command/who/report.h"

static struct json_object *json_of_row(const struct report_row *row)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "name", row->name);
	add_json_number(o, "bytes", row->bytes);
	add_json_number(o, "local_bytes", row->local);
	add_json_number(o, "remote_bytes", row->remote);
	add_json_number(o, "cache_bytes", row->cache);
	add_json_number(o, "joules", row->joules);
	add_json_number(o, "bytes_per_second", isinf(row->doubt) ? (double)NAN : row->rate);
	add_json_number(o, "error", row->error + row->doubt);
	return o;
}

static struct json_object *json_of_stacks(const struct report *r)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < r->n_stacks; i++) {
		const struct report_stack *stack = &r->stacks[i];
		struct json_object *o = json_object_new_object();

		add_json_integer(o, "package", stack->package);
		add_json_integer(o, "box", stack->box);
		if (stack->part >= 0)
			add_json_integer(o, "part", stack->part);
		if (stack->estimate)
			add_json_flag(o, "estimate", true);
		if (stack->names)
			add_json_text(o, "devices", stack->names);
		add_json_number(o, "read_bytes", stack->read);
		add_json_number(o, "write_bytes", stack->write);
		if (stack->estimate) {
			add_json_number(o, "read_error", stack->read_error);
			add_json_number(o, "write_error", stack->write_error);
		}
		add_json_number(o, "seconds", stack->seconds);
		json_object_array_add(list, o);
	}
	return list;
}

/* The error is absolute, since what is left may be 0. */
static void add_rate(struct json_object *o, const char *key, const char *error,
		     struct memory_rate rate)
{
	add_json_number(o, key, isinf(rate.doubt) ? (double)NAN : rate.rate);
	add_json_number(o, error, rate.doubt);
}

static struct json_object *json_of_notes(const struct report *r)
{
	struct json_object *list = json_object_new_array();
	char *note;

	for (unsigned i = 0; (note = report_note(r, i)) != NULL; i++) {
		json_object_array_add(list, json_object_new_string(note));
		free(note);
	}
	return list;
}

struct json_object *report_json(const struct report *r)
{
	struct json_object *o = json_object_new_object(), *rows = json_object_new_array();

	add_json_text(o, "source", source_name(r->source));
	add_json_text(o, "by", who_by_name(r->by));
	add_json_number(o, "seconds", r->seconds);
	for (size_t i = 0; i < r->n; i++)
		json_object_array_add(rows, json_of_row(&r->rows[i]));
	json_object_object_add(o, "owners", rows);
	add_json_number(o, "device_bytes", r->devices);
	if (r->n_stacks)
		json_object_object_add(o, "stacks", json_of_stacks(r));
	add_json_number(o, "undivided_write_bytes", r->undivided);
	add_json_number(o, "unexplained_bytes", r->unexplained);
	add_json_number(o, "memory_read_bytes", r->read);
	add_json_number(o, "memory_write_bytes", r->write);
	add_rate(o, "memory_bytes_per_second", "memory_error_per_second", r->total_rate);
	add_rate(o, "device_bytes_per_second", "device_error_per_second", r->devices_rate);
	add_rate(o, "undivided_write_bytes_per_second", "undivided_write_error_per_second",
		 r->undivided_rate);
	add_rate(o, "unexplained_bytes_per_second", "unexplained_error_per_second",
		 r->unexplained_rate);
	add_json_number(o, "package_joules", r->package_joules);
	add_json_number(o, "dram_joules", r->dram_joules);
	json_object_object_add(o, "notes", json_of_notes(r));
	return o;
}
