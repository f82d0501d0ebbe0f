/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.c - `uncore show --devices`: PCI devices, and the box and part that count each. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <json-c/json.h>

#include "command/base/devices.h"
#include "tools.h"

#define PARTS 16 /* of a stack, at most */

/* ---- what counts a device ---- */

/* Names of events for dev=. */
struct names {
	char **name;
	size_t n;
};

static void add_name(struct names *to, char *name)
{
	to->name = need_more(to->name, to->n + 1, sizeof(*to->name));
	to->name[to->n++] = name;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
}

/* The umasks of one event of a stack. */
static void add_umasks(struct names *to, struct uncore *u, unsigned event)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	unsigned umask;

	if (uncore_event_info(u, event, &info) < 0 || strcmp(info.kind, DEVICES_OF) != 0)
		return;
	for (unsigned i = 0; uncore_event_umask(u, event, i, &umask) == 1; i++)
		add_name(to, text_of("%s", uncore_event_name(u, umask)));
}

/* All umasks of stacks: there are many, so they are read once for all devices. */
static struct names umasks_of_stacks(struct uncore *u)
{
	struct names all = {NULL, 0};
	unsigned event;

	for (unsigned i = 0; uncore_listed_event(u, i, &event) == 1; i++)
		add_umasks(&all, u, event);
	return all;
}

/* "EVENT:UMASK_PART2" counts a device in part 2 as "EVENT:UMASK:dev=", one without umask too. */
static void add_if_of_part(struct names *to, const char *name, const char *suffix)
{
	const size_t len = strlen(name), end = suffix ? strlen(suffix) : len;

	if (len > end && strcasecmp(name + len - end, suffix) == 0)
		add_name(to, text_of("%.*s", (int)(len - end), name));
}

static void add_metrics(struct names *to, struct uncore *u, const char *address)
{
	static const char *const metrics[] = {"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES"};
	unsigned id;

	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		char *name = text_of("%s:dev=%s", metrics[i], address);

		if (uncore_event(u, name, &id) == 0)
			add_name(to, text_of("%s", metrics[i]));
		free(name);
	}
}

/* All devices, whose texts are valid until the list is read again; and what counts them. */
struct devices {
	struct uncore *u;
	struct uncore_device_info *list;
	size_t n;
	struct names umasks; /* of stacks */
};

/* Metrics first.  A device with several parts has events for each, and no name with dev=. */
static struct names names_for(const struct devices *d, const struct uncore_device_info *device)
{
	const bool all = device->parts == UNCORE_ALL_PARTS;
	char *part = all ? text_of("_ALL_PARTS") : text_of("_PART%d", ffs((int)device->parts) - 1);
	char *running = all ? NULL : text_of(":PART%d_FREERUN", ffs((int)device->parts) - 1);
	struct names names = {NULL, 0};

	add_metrics(&names, d->u, device->address);
	for (size_t i = 0; i < d->umasks.n; i++) {
		if (!all && (device->parts & (device->parts - 1)))
			break;
		add_if_of_part(&names, d->umasks.name[i], part);
		add_if_of_part(&names, d->umasks.name[i], running);
	}
	free(running);
	free(part);
	return names;
}

/* ---- table ---- */

/* "2", "0-7", "1,2" */
static char *parts_text(unsigned parts)
{
	char *text = NULL;

	if (parts == UNCORE_ALL_PARTS)
		return text_of("all");
	for (unsigned p = 0; p < PARTS; p++)
		if (parts >> p & 1)
			text = text ? text_and(text, ",%u", p) : text_of("%u", p);
	return text ? text : text_of("none");
}

/* "x16 16 GT/s" */
static char *link_text(unsigned width, unsigned speed)
{
	char *text;

	if (!width || !speed)
		return text_of("-");
	text = text_of("x%u %u", width, speed / 1000);
	if (speed % 1000)
		text = text_and(text, ".%u", speed % 1000 / 100);
	return text_and(text, " GT/s");
}

static void print_cells(const struct screen *s, const char *name, const char *address,
			const char *package, const char *box, const char *part, const char *link,
			const char *events)
{
	print_name(s, 2, name, 16);
	fprintf(s->out, "%-14s  %6s  %-5s  %-4s  %-12s  %s\n", address, package, box, part, link,
		events);
}

static void print_device(const struct screen *s, const struct devices *all,
			 const struct uncore_device_info *device)
{
	char *name = name_of_device(device), *part = parts_text(device->parts);
	char *link = link_text(device->width, device->speed), box[BOX_NAME];
	struct names names = names_for(all, device);
	char *package = device->die ? text_of("%u.%u", device->package, device->die)
				    : text_of("%u", device->package);
	char *events = text_of("%zu", names.n);

	print_cells(s, name, device->address, package, box_name(box, DEVICES_OF, device->box), part,
		    link, events);
	free(events);
	free(package);
	free_names(&names);
	free(link);
	free(part);
	free(name);
}

/* ---- lists below the table ---- */

static int read_devices(struct uncore *u, struct devices *all)
{
	struct uncore_device_info device = {.size = sizeof(device)};
	int r;

	*all = (struct devices){.u = u};
	while ((r = uncore_device(u, (unsigned)all->n, &device)) == 1) {
		all->list = need_more(all->list, all->n + 1, sizeof(*all->list));
		all->list[all->n++] = device;
	}
	if (r == 0 && all->n)
		all->umasks = umasks_of_stacks(u);
	return r;
}

static bool is_first_of_port(const struct devices *all, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(all->list[k].port, all->list[i].port) == 0)
			return false;
	return true;
}

/* "eth0, eth1 (virtual function)": the devices behind a port. */
static char *devices_of_port(const struct devices *all, const char *port)
{
	char *text = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct uncore_device_info *d = &all->list[i];
		char *name = strcmp(d->port, port) == 0 ? name_of_device(d) : NULL;

		if (!name)
			continue;
		text = text ? text_and(text, ", %s", name) : text_of("%s", name);
		if (d->virtual_function)
			text = text_and(text, " (virtual function)");
		free(name);
	}
	return text;
}

/* The line of a port in a list; NULL: it is not in the list.  To be freed. */
typedef char *port_line(const struct devices *all, const struct uncore_device_info *device);

static char *shared_line(const struct devices *all, const struct uncore_device_info *device)
{
	char *names, *text;

	if (!*device->others)
		return NULL;
	names = devices_of_port(all, device->port);
	text = text_of("port %s: %s", device->port, names);
	free(names);
	return text;
}

static char *unknown_line(const struct devices *all, const struct uncore_device_info *device)
{
	char *names, *text;

	if (!device->problem)
		return NULL;
	names = devices_of_port(all, device->port);
	text = text_of("%s (%s): %s", names, device->address, device->problem);
	free(names);
	return text;
}

static void print_ports(const struct screen *s, const struct devices *all, const char *title,
			port_line *line_of)
{
	for (size_t i = 0; i < all->n; i++) {
		char *line = is_first_of_port(all, i) ? line_of(all, &all->list[i]) : NULL;

		if (!line)
			continue;
		fprintf(s->out, "%s", title);
		title = "";
		print_item(s, line);
		free(line);
	}
}

static void print_table(const struct screen *s, const struct devices *all)
{
	unsigned known = 0;

	fputc('\n', s->out);
	print_cells(s, "device", "address", "socket", "box", "part", "link", "events");
	for (size_t i = 0; i < all->n; i++)
		if (!all->list[i].problem) {
			print_device(s, all, &all->list[i]);
			known++;
		}
	if (!known)
		print_paragraph(s, 2, "no device whose box is known");
	print_ports(s, all, "\ncounted together\n", shared_line);
	print_ports(s, all, "\nbox or part unknown\n", unknown_line);
	if (!known)
		return;
	fputc('\n', s->out);
	print_paragraph(
		s, 0,
		"Count with dev=DEVICE, for example UNCORE_PCIE_READ_BYTES:dev=DEVICE; --json "
		"lists the events of each device.");
}

/* ---- JSON ---- */

static struct json_object *json_of_link(unsigned width, unsigned speed)
{
	struct json_object *o = json_object_new_object();

	add_json_integer(o, "width", width);
	add_json_number(o, "gigatransfers", speed / 1000.0);
	return o;
}

static void add_links(struct json_object *o, const struct uncore_device_info *d)
{
	if (d->width && d->speed)
		json_object_object_add(o, "link", json_of_link(d->width, d->speed));
	if (d->max_width && d->max_speed)
		json_object_object_add(o, "fastest_link", json_of_link(d->max_width, d->max_speed));
}

static void add_place(struct json_object *o, const struct uncore_device_info *d)
{
	char box[BOX_NAME];

	add_json_integer(o, "package", d->package);
	if (d->die)
		add_json_integer(o, "die", d->die);
	add_json_text(o, "box", box_name(box, DEVICES_OF, d->box));
	add_json_text(o, "stack", d->stack);
	add_json_text(o, "source", d->basis);
}

static void add_counting(struct json_object *o, const struct devices *all,
			 const struct uncore_device_info *d)
{
	struct json_object *parts = json_object_new_array(), *events = json_object_new_array();
	struct names names = names_for(all, d);

	for (unsigned p = 0; p < PARTS && d->parts != UNCORE_ALL_PARTS; p++)
		if (d->parts >> p & 1)
			json_object_array_add(parts, json_object_new_int64(p));
	if (d->parts == UNCORE_ALL_PARTS)
		json_object_array_add(parts, json_object_new_string("all"));
	json_object_object_add(o, "parts", parts);
	for (size_t i = 0; i < names.n; i++)
		json_object_array_add(events, json_object_new_string(names.name[i]));
	json_object_object_add(o, "events", events);
	free_names(&names);
}

/* A list of words as an array. */
static void add_list(struct json_object *o, const char *key, const char *text, const char *between)
{
	struct json_object *list = json_object_new_array();

	for (size_t len; *text; text += len, text += strspn(text, between)) {
		len = strcspn(text, between);
		json_object_array_add(list, json_object_new_string_len(text, (int)len));
	}
	json_object_object_add(o, key, list);
}

static struct json_object *json_of(const struct devices *all, const struct uncore_device_info *d)
{
	struct json_object *o = json_object_new_object();

	add_json_text(o, "address", d->address);
	add_list(o, "names", d->names, " ");
	add_json_text(o, "port", d->port);
	if (*d->stack)
		add_place(o, d);
	if (d->problem)
		add_json_text(o, "problem", d->problem);
	else
		add_counting(o, all, d);
	add_list(o, "counted_with", d->others, ", ");
	if (d->virtual_function)
		add_json_flag(o, "virtual_function", true);
	add_links(o, d);
	return o;
}

static struct json_object *devices_object(const void *of)
{
	const struct devices *devices = of;
	struct json_object *all = json_object_new_object(), *list = json_object_new_array();
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	uncore_machine(devices->u, &machine);
	if (machine.simulated)
		add_json_flag(all, "simulated", true);
	for (size_t i = 0; i < devices->n; i++)
		json_object_array_add(list, json_of(devices, &devices->list[i]));
	json_object_object_add(all, "devices", list);
	return all;
}

static void print_devices_text(const void *of, const struct screen *s)
{
	const struct devices *all = of;
	struct uncore_machine_info machine = {.size = sizeof(machine)};

	uncore_machine(all->u, &machine);
	print_machine(s, &machine);
	if (all->n == 0)
		print_paragraph(s, 0, "No PCI devices behind ports were found.");
	else
		print_table(s, all);
}

static const struct rows_class devices_rows = {.object = devices_object,
					       .text = print_devices_text};

int print_devices(const struct screen *s, struct uncore *u, bool json)
{
	struct devices all;
	const struct rows rows = {&devices_rows, &all};
	const int code = read_devices(u, &all);
	const int status = code < 0 ? report(u, code) : TOOL_OK;

	if (status == TOOL_OK)
		emit_json_or_text(json, s, &rows);
	free_names(&all.umasks);
	free(all.list);
	return status;
}
