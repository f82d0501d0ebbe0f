/* SPDX-License-Identifier: BSD-3-Clause */
/* device_info.c - the public function that shows PCI devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "device/device.h"
#include "set/set.h"

#define OTHERS 512

/* Texts of a list that live as long as it. */
struct device_text {
	char address[UNC_AT_TEXT], port[UNC_AT_TEXT], others[OTHERS];
};

struct unc_device_infos {
	struct unc_device_list list;
	struct device_text *texts;
};

void unc_device_infos_free(struct uncore *u)
{
	if (u->devices) {
		unc_device_list_free(&u->devices->list);
		free(u->devices->texts);
	}
	free(u->devices);
	u->devices = NULL;
}

static void fill_texts(struct unc_device_infos *infos)
{
	for (size_t i = 0; i < infos->list.n; i++) {
		const struct unc_chain *chain = &infos->list.device[i].chain;
		struct device_text *t = &infos->texts[i];

		unc_at_text(&chain->device, t->address);
		unc_at_text(&chain->port, t->port);
		unc_device_others(&infos->list, &chain->device, t->others, sizeof(t->others));
	}
}

static int refresh(struct uncore *u)
{
	int r = UNCORE_ENOMEM;

	unc_device_infos_free(u);
	u->devices = calloc(1, sizeof(*u->devices));
	if (u->devices)
		r = unc_device_list_make(unc_names_known_devices(u->names), &u->devices->list,
					 &u->err);
	if (r == 0) {
		u->devices->texts = calloc(u->devices->list.n + 1, sizeof(*u->devices->texts));
		r = u->devices->texts ? 0 : UNCORE_ENOMEM;
	}
	if (r == 0)
		fill_texts(u->devices);
	else
		unc_device_infos_free(u);
	return r == UNCORE_ENOMEM
		       ? unc_fail(&u->err, r, "out of memory for the list of PCI devices")
		       : r;
}

/* ---- links ---- */

/* A file of a device; an integrated one has no link, and a number that means unknown. */
static bool read_file(const struct uncore *u, const struct unc_listed_device *device,
		      const char *name, char text[32])
{
	char path[UNC_PATH_TEXT + 32];

	snprintf(path, sizeof(path), "%s/%s", device->path + 1, name);
	return unc_kernel_line(&unc_names_known_devices(u->names)->files, path, text, 32);
}

#define MOST_LANES 32

static unsigned width_of(const struct uncore *u, const struct unc_listed_device *device,
			 const char *name)
{
	unsigned width;
	char text[32];

	return read_file(u, device, name, text) && sscanf(text, "%u", &width) == 1 &&
			       width <= MOST_LANES
		       ? width
		       : 0;
}

/* "2.5 GT/s PCIe": in MT/s. */
static unsigned speed_of(const struct uncore *u, const struct unc_listed_device *device,
			 const char *name)
{
	unsigned whole, tenth;
	char text[32];

	return read_file(u, device, name, text) && sscanf(text, "%3u.%1u GT/s", &whole, &tenth) == 2
		       ? 1000 * whole + 100 * tenth
		       : 0;
}

/* ---- the interface ---- */

static void describe_place(const struct uncore *u, const struct unc_device_place *place,
			   struct uncore_device_info *info)
{
	info->package = u->machine.dies[place->package].socket;
	info->die = u->machine.dies[place->package].die;
	info->box = place->number;
	info->parts = place->parts;
	info->stack = place->stack;
	info->basis = place->basis;
}

int uncore_device(struct uncore *u, unsigned i, struct uncore_device_info *info)
{
	struct uncore_device_info is = {.stack = "", .basis = ""};
	const struct unc_listed_device *device;
	int r = unc_unopened(u);

	if (r == 0 && (i == 0 || !u->devices))
		r = refresh(u);
	if (r < 0 || !u->devices || i >= u->devices->list.n)
		return r;
	device = &u->devices->list.device[i];
	is.address = u->devices->texts[i].address;
	is.names = device->names;
	is.port = u->devices->texts[i].port;
	is.problem = device->problem;
	if (device->place.stack)
		describe_place(u, &device->place, &is);
	is.others = u->devices->texts[i].others;
	is.virtual_function = device->virtual_function;
	is.width = width_of(u, device, "current_link_width");
	is.speed = speed_of(u, device, "current_link_speed");
	is.max_width = width_of(u, device, "max_link_width");
	is.max_speed = speed_of(u, device, "max_link_speed");
	return unc_give(&u->err, info, &is, UNC_SIZED(uncore_device_info), 1);
}
