/* SPDX-License-Identifier: BSD-3-Clause */
/* report_json.c - a report as a JSON object; what is unknown has no member. */
#include <math.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "command/who/report.h"

static void add_number(struct json_object *o, const char *key, double value)
{
	if (isfinite(value))
		json_object_object_add(o, key, json_object_new_double(value));
}

static struct json_object *json_of_row(const struct report_row *row)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "name", json_object_new_string(row->name));
	add_number(o, "bytes", row->bytes);
	add_number(o, "local_bytes", row->local);
	add_number(o, "remote_bytes", row->remote);
	add_number(o, "cache_bytes", row->cache);
	add_number(o, "joules", row->joules);
	add_number(o, "bytes_per_second", row->rate);
	add_number(o, "error", row->error + row->doubt);
	return o;
}

static struct json_object *json_of_stacks(const struct report *r)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < r->n_stacks; i++) {
		const struct report_stack *stack = &r->stacks[i];
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "package", json_object_new_int64(stack->package));
		json_object_object_add(o, "box", json_object_new_int64(stack->box));
		if (stack->names)
			json_object_object_add(o, "devices", json_object_new_string(stack->names));
		add_number(o, "read_bytes", stack->read);
		add_number(o, "write_bytes", stack->write);
		add_number(o, "seconds", stack->seconds);
		json_object_array_add(list, o);
	}
	return list;
}

/* The error is absolute, since what is left may be 0. */
static void add_rate(struct json_object *o, const char *key, const char *error,
		     struct memory_rate rate)
{
	add_number(o, key, rate.rate);
	add_number(o, error, rate.doubt);
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

	json_object_object_add(o, "source", json_object_new_string(source_name(r->source)));
	json_object_object_add(o, "by", json_object_new_string(who_by_name(r->by)));
	add_number(o, "seconds", r->seconds);
	for (size_t i = 0; i < r->n; i++)
		json_object_array_add(rows, json_of_row(&r->rows[i]));
	json_object_object_add(o, "owners", rows);
	add_number(o, "device_bytes", r->devices);
	if (r->n_stacks)
		json_object_object_add(o, "stacks", json_of_stacks(r));
	add_number(o, "undivided_write_bytes", r->undivided);
	add_number(o, "unexplained_bytes", r->unexplained);
	add_number(o, "memory_read_bytes", r->read);
	add_number(o, "memory_write_bytes", r->write);
	add_rate(o, "memory_bytes_per_second", "memory_error_per_second", r->total_rate);
	add_rate(o, "device_bytes_per_second", "device_error_per_second", r->devices_rate);
	add_rate(o, "undivided_write_bytes_per_second", "undivided_write_error_per_second",
		 r->undivided_rate);
	add_rate(o, "unexplained_bytes_per_second", "unexplained_error_per_second",
		 r->unexplained_rate);
	add_number(o, "package_joules", r->package_joules);
	add_number(o, "dram_joules", r->dram_joules);
	json_object_object_add(o, "notes", json_of_notes(r));
	return o;
}
