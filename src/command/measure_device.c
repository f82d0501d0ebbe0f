/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_device.c - `uncore show --devices --measure`: the box and part of a device by its
 * traffic. */
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "command/base/device_traffic.h"
#include "command/base/devices.h"
#include "command/emit/emit.h"
#include "command/stat/process.h"
#include "tools.h"

#define IDLE 1.0 /* s of background */

/* ---- the device ---- */

static bool has_name(const struct uncore_device_info *device, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = device->names; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == len && strncmp(at, name, len) == 0)
			return true;
	return strcmp(device->address, name) == 0;
}

/* By its name for dev=: the list has only few of the functions on root buses. */
static int find_unlisted(struct uncore *u, const char *name, struct uncore_device_info *device)
{
	char *event = text_of("UNCORE_PCIE_READ_BYTES:dev=%s", name);
	struct uncore_box_info box;
	unsigned id;
	const int code = uncore_event(u, event, &id);

	free(event);
	*device = (struct uncore_device_info){.address = name, .problem = "not in the list"};
	if (code == UNCORE_ENODEV || code == UNCORE_EINVAL)
		return code;
	if (code == 0 && place_of_event(u, id, &box, &device->parts)) {
		device->package = box.package;
		device->box = box.index;
		device->problem = NULL;
	}
	return 0;
}

/* TOOL_OK, or an exit status after a message. */
static int find_device(struct uncore *u, const char *name, struct uncore_device_info *device)
{
	int code;

	for (unsigned i = 0; (code = uncore_device(u, i, device)) == 1; i++)
		if (has_name(device, name))
			return TOOL_OK;
	if (code < 0)
		return report(u, code);
	code = find_unlisted(u, name, device);
	return code < 0 ? report_name(u, code) : TOOL_OK;
}

/* ---- its traffic ---- */

struct runs {
	struct process process;
	char **command;
};

static int run_command(void *arg, bool idle)
{
	struct runs *r = arg;
	const int status = idle ? 0 : process_spawn(&r->process, r->command);

	if (status != TOOL_OK)
		return status;
	if (idle)
		process_wait(&r->process, IDLE);
	while (!idle && !process_is_over(&r->process))
		process_wait(&r->process, -1);
	process_finish(&r->process);
	if (!r->process.signal && (idle || r->process.status == 0))
		return 0;
	if (!r->process.signal)
		say("%s: exit status %d: have a command that succeeds move the data", *r->command,
		    r->process.status);
	return TOOL_FAILED;
}

/* ---- what was found ---- */

struct measured {
	const char *name;
	const struct uncore_device_info *device; /* what the map of devices says */
	struct traffic_place place;
	char *event; /* which counts it */
};

static bool agrees(const struct measured *m)
{
	return m->device->package == m->place.package && m->device->box == m->place.box &&
	       (m->device->parts >> m->place.part & 1);
}

static void print_measured(const void *of, const struct screen *s)
{
	const struct measured *m = of;
	const struct traffic_place *p = &m->place;

	print_paragraph(s, 0, "%s: part %u of %s%u of socket %u moved %.3g bytes in a run", m->name,
			p->part, DEVICES_OF, p->box, p->package, p->bytes);
	if (!m->device->problem)
		print_paragraph(s, 0,
				agrees(m)
					? "This agrees with the map of devices."
					: "This contradicts the map of devices: please report it.");
	print_paragraph(s, 0, "Count it with %s", m->event);
}

static struct json_object *measured_object(const void *of)
{
	const struct measured *m = of;
	struct json_object *o = json_object_new_object();
	char box[BOX_NAME];

	add_json_text(o, "device", m->name);
	add_json_text(o, "address", m->device->address);
	add_json_integer(o, "package", m->place.package);
	add_json_text(o, "box", box_name(box, DEVICES_OF, m->place.box));
	add_json_integer(o, "part", m->place.part);
	add_json_text(o, "direction", m->place.write ? "write" : "read");
	json_object_object_add(o, "bytes", json_number(m->place.bytes));
	if (!m->device->problem)
		add_json_flag(o, "agrees_with_map", agrees(m));
	add_json_text(o, "event", m->event);
	return o;
}

static const struct rows_class measured_rows = {.object = measured_object, .text = print_measured};

static int measure(const struct screen *s, struct uncore *u, const char *name, bool json,
		   struct runs *r)
{
	struct uncore_device_info device = {.size = sizeof(device)};
	struct measured m = {.name = name, .device = &device};
	char why[UNCORE_ERRMSG_MAX];
	int status = find_device(u, name, &device), code;

	if (status != TOOL_OK)
		return status;
	code = find_device_traffic(u, run_command, r, &m.place, why, sizeof(why));
	if (code == 0) {
		m.event = traffic_event(&m.place);
		emit_json_or_text(json, s, &(const struct rows){&measured_rows, &m});
		free(m.event);
	} else if (*why) {
		say("cannot tell the box of %s: %s", name, why);
	}
	return code == 0 ? TOOL_OK : *why ? TOOL_NO_FIT : code < 0 ? report(u, code) : code;
}

int measure_device(const struct screen *s, struct uncore *u, const char *name, bool json,
		   char **command)
{
	struct runs r = {.command = command};
	int status;

	process_begin(&r.process);
	status = measure(s, u, name, json, &r);
	if (uncore_restore(u) < 0) /* last attempt */
		status = report(u, UNCORE_EIO);
	uncore_close(u);
	return process_end(&r.process, end_output(status));
}
