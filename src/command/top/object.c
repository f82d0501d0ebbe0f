/* SPDX-License-Identifier: BSD-3-Clause */
/* object.c - see object.h. */
#include "command/top/object.h"
#include "command/emit/emit.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/devices.h"

/* An unknown value is null. */
static void add_real(struct json_object *o, const char *key, double value)
{
	json_object_object_add(o, key, json_number(value));
}

static struct json_object *value_object(const struct top_metric *m, const struct top_value *value,
					unsigned package)
{
	struct json_object *o = json_object_new_object();

	add_json_integer(o, "package", package);
	add_real(o, m->real ? "value" : "per_second", value->number);
	add_json_flag(o, "estimate", value->estimate);
	if (value->estimate)
		add_real(o, "error", value->error < 0 ? (double)NAN : value->error);
	return o;
}

static struct json_object *box_object(const struct top_metric *m, const struct top_box *box)
{
	struct json_object *o = value_object(m, &box->value, box->package);
	char name[BOX_NAME];

	add_json_text(o, "box", box_name(name, m->kind, box->number));
	if (box->expected > 0)
		add_real(o, "line_share", box->expected);
	if (box->port)
		add_json_integer(o, "part", box->port - 1);
	return o;
}

/* Of a PCIe port or stack. */
static void add_devices(struct json_object *o, const struct top_view *v, const struct top_box *box)
{
	for (size_t i = 0; i < v->n_stacks; i++)
		if (v->stacks[i].package == box->package && v->stacks[i].number == box->number &&
		    v->stacks[i].port == box->port)
			add_json_text(o, "devices", v->stacks[i].devices);
}

static struct json_object *metric_object(const struct top_view *v, const struct top_section *s,
					 const struct top_metric *m)
{
	struct json_object *o = json_object_new_object(), *packages = json_object_new_array(),
			   *boxes = json_object_new_array();

	add_json_text(o, "event", m->name);
	add_json_text(o, "section", s->title);
	add_json_text(o, "label", m->label);
	add_json_text(o, "units", m->units);
	for (unsigned p = 0; p < v->packages; p++)
		json_object_array_add(packages, value_object(m, &m->packages[p], p));
	for (size_t i = 0; i < m->n_boxes; i++) {
		struct json_object *box = box_object(m, &m->boxes[i]);

		if (m->kind && strcmp(m->kind, DEVICES_OF) == 0)
			add_devices(box, v, &m->boxes[i]);
		json_object_array_add(boxes, box);
	}
	json_object_object_add(o, "packages", packages);
	json_object_object_add(o, "boxes", boxes);
	return o;
}

struct json_object *top_object(const void *view)
{
	const struct top_view *v = view;
	struct json_object *o = json_object_new_object(), *list = json_object_new_array(),
			   *notes = json_object_new_array();

	add_json_text(o, "machine", v->machine);
	add_json_flag(o, "simulated", v->simulated);
	if (v->time)
		add_json_text(o, "time", v->time);
	add_real(o, "seconds", v->seconds);
	for (size_t s = 0; s < v->n; s++)
		for (size_t i = 0; i < v->sections[s].n; i++)
			json_object_array_add(list, metric_object(v, &v->sections[s],
								  &v->sections[s].metrics[i]));
	for (size_t i = 0; i < v->n_notes; i++)
		json_object_array_add(notes, json_object_new_string(v->notes[i]));
	json_object_object_add(o, "metrics", list);
	json_object_object_add(o, "notes", notes);
	return o;
}
