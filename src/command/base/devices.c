/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.c - see devices.h. */
#include "command/base/devices.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/base/box.h"
#include "command/base/event_name.h"
#include "command/base/text.h"

char *name_of_device(const struct uncore_device_info *device)
{
	const int len = (int)strcspn(device->names, " ");

	return len ? text_of("%.*s", len, device->names) : text_of("%s", device->address);
}

void read_device_labels(struct uncore *u, struct device_labels *labels)
{
	struct uncore_device_info device = {.size = sizeof(device)};

	*labels = (struct device_labels){NULL, 0};
	for (unsigned i = 0; uncore_device(u, i, &device) == 1; i++) {
		if (!*device.stack)
			continue;
		labels->list = need_more(labels->list, labels->n + 1, sizeof(*labels->list));
		labels->list[labels->n++] = (struct device_label){
			name_of_device(&device), device.package, device.box, device.parts};
	}
}

void free_device_labels(struct device_labels *labels)
{
	for (size_t i = 0; i < labels->n; i++)
		free(labels->list[i].name);
	free(labels->list);
	*labels = (struct device_labels){NULL, 0};
}

/* "...:part=2" or "..._PART2", else all. */
static unsigned parts_of(const char *name)
{
	const char *at = strcasestr(name, ":part=");
	unsigned part;

	at = at ? at + 6 : strcasestr(name, "PART");
	if (at && strncasecmp(at, "PART", 4) == 0)
		at += 4;
	return at && sscanf(at, "%2u", &part) == 1 && part < 32 ? 1U << part : UNCORE_ALL_PARTS;
}

bool place_of_event(struct uncore *u, unsigned id, struct uncore_box_info *box, unsigned *parts)
{
	const char *kind = box_kind_of(u, id);
	struct event_name n;

	if (strncmp(kind, DEVICES_OF, strlen(DEVICES_OF)) != 0) /* or its free-running counters */
		return false;
	take_name_apart(&n, uncore_event_name(u, id));
	*box = (struct uncore_box_info){.kind = DEVICES_OF};
	*parts = parts_of(n.base);
	return has_one_box(&n, &box->package, &box->index);
}

char *label_of_event(const struct device_labels *labels, struct uncore *u, unsigned id)
{
	struct uncore_box_info box;
	unsigned parts;

	return labels->n && place_of_event(u, id, &box, &parts)
		       ? label_of_parts(labels, &box, parts)
		       : NULL;
}

static bool is_in(const struct device_label *d, const struct uncore_box_info *box)
{
	return d->package == box->package && d->box == box->index;
}

/* A part belongs to one port: if that is known, other devices are not behind it. */
static bool is_known_part(const struct device_labels *labels, const struct uncore_box_info *box,
			  unsigned parts)
{
	for (size_t i = 0; i < labels->n; i++)
		if (is_in(&labels->list[i], box) && (labels->list[i].parts & parts) == parts)
			return true;
	return false;
}

char *label_of_parts(const struct device_labels *labels, const struct uncore_box_info *box,
		     unsigned parts)
{
	const bool known = parts != UNCORE_ALL_PARTS && is_known_part(labels, box, parts);
	char *text = NULL;

	if (strcmp(box->kind, DEVICES_OF) != 0)
		return NULL;
	for (size_t i = 0; i < labels->n; i++) {
		const struct device_label *d = &labels->list[i];
		const bool doubtful = !d->parts && parts != UNCORE_ALL_PARTS;

		if (!is_in(d, box) || (d->parts && !(d->parts & parts)) || (doubtful && known))
			continue;
		text = text ? text_and(text, ", %s", d->name) : text_of("%s", d->name);
		text = doubtful ? text_and(text, "?") : text;
	}
	return text;
}

char *label_of_box(const struct device_labels *labels, const struct uncore_box_info *box)
{
	return label_of_parts(labels, box, UNCORE_ALL_PARTS);
}
