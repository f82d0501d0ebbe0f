/* SPDX-License-Identifier: BSD-3-Clause */
/* device_places.c - see device_places.h. */
#include "command/base/device_places.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/basket.h"
#include "command/base/text.h"

#define PARTS 16 /* of a stack, at most */

char *name_of_place(unsigned box, int part)
{
	return part < 0 ? text_of(DEVICES_OF "%u", box)
			: text_of(DEVICES_OF "%u part %d", box, part);
}

/* ---- a place ---- */

/* False: the machine does not count its bytes. */
static bool find_events(struct uncore *u, struct device_place *place)
{
	static const char *const metrics[] = {"UNCORE_IIO_READ_BYTES", "UNCORE_IIO_WRITE_BYTES"};
	char *part = place->part < 0 ? text_of("%s", "") : text_of(":part=%d", place->part);
	bool fit = true;

	for (size_t i = 0; fit && i < 2; i++)
		fit = event_that_fits(u, &place->ids[i], "%s%s:box=%u:pkg=%u", metrics[i], part,
				      place->box, place->package) == 0;
	free(part);
	return fit;
}

static bool add(struct uncore *u, struct device_places *to, const struct device_labels *labels,
		const struct uncore_box_info *box, int part)
{
	struct device_place place = {.package = box->package, .box = box->index, .part = part};

	if (!find_events(u, &place))
		return false;
	place.devices = label_of_parts(labels, box, part < 0 ? UNCORE_ALL_PARTS : 1U << part);
	to->list = need_more(to->list, to->n + 1, sizeof(*to->list));
	to->list[to->n++] = place;
	return true;
}

static void remove_from(struct device_places *places, size_t first)
{
	while (places->n > first)
		free(places->list[--places->n].devices);
}

void free_device_places(struct device_places *places)
{
	remove_from(places, 0);
	free(places->list);
	*places = (struct device_places){NULL, 0};
}

/* ---- a stack ---- */

/* Parts that have devices; UNCORE_ALL_PARTS: the part of a device is unknown.  0: no devices. */
static unsigned parts_of_box(const struct device_labels *labels, const struct uncore_box_info *box)
{
	unsigned parts = 0;

	for (size_t i = 0; i < labels->n; i++) {
		const struct device_label *d = &labels->list[i];

		if (d->package == box->package && d->box == box->index)
			parts |= d->parts ? d->parts : UNCORE_ALL_PARTS;
	}
	return parts;
}

static void add_stack(struct uncore *u, struct device_places *to,
		      const struct device_labels *labels, const struct uncore_box_info *box)
{
	const unsigned parts = parts_of_box(labels, box);
	const size_t first = to->n;
	bool by_port = parts != 0 && parts != UNCORE_ALL_PARTS;

	for (int p = 0; by_port && p < PARTS; p++)
		if (parts >> p & 1)
			by_port = add(u, to, labels, box, p);
	if (by_port)
		return;
	remove_from(to, first);
	add(u, to, labels, box, -1);
}

void find_device_places(struct uncore *u, const struct device_labels *labels, bool all,
			struct device_places *places)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	*places = (struct device_places){NULL, 0};
	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++)
		if (!box.absent && strcmp(box.kind, DEVICES_OF) == 0 &&
		    (all || parts_of_box(labels, &box)))
			add_stack(u, places, labels, &box);
}
