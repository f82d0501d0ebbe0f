/* SPDX-License-Identifier: BSD-3-Clause */
/* list.c - the PCI devices of a machine, with their names and places; device.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

#define PCI_DEVICES "sys/bus/pci/devices"
#define BRIDGE      "0x0604" /* the class of PCI bridges, with any interface */

static int no_memory(struct unc_err *err)
{
	return unc_fail(err, UNCORE_ENOMEM, "out of memory for the list of PCI devices");
}

static void free_device(struct unc_listed_device *device)
{
	free(device->path);
	free(device->names);
	free(device->problem);
}

void unc_device_list_free(struct unc_device_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_device(&list->device[i]);
	free(list->device);
	*list = (struct unc_device_list){NULL, 0};
}

/* ---- devices ---- */

/* A device that is removed meanwhile is left out. */
static int add_device(const struct unc_devices *d, struct unc_device_list *list,
		      const char *address)
{
	struct unc_listed_device *to = &list->device[list->n];
	char path[64 + UNC_AT_TEXT], target[UNC_PATH_TEXT];

	snprintf(path, sizeof(path), PCI_DEVICES "/%.60s", address);
	if (unc_kernel_link(&d->files, path, target, sizeof(target)) < 0 ||
	    !unc_chain_parse(target, &to->chain))
		return 0;
	*to = (struct unc_listed_device){
		.chain = to->chain, .path = strdup(target), .names = strdup("")};
	list->n++;
	return to->path && to->names ? 0 : UNCORE_ENOMEM;
}

static int by_path(const void *a, const void *b)
{
	const struct unc_listed_device *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static int add_devices(const struct unc_devices *d, struct unc_device_list *list)
{
	struct unc_kernel_names names;
	int r = 0;

	if (unc_kernel_list(&d->files, PCI_DEVICES, &names) < 0)
		return 0;
	list->device = calloc(names.n + 1, sizeof(*list->device));
	if (!list->device)
		r = UNCORE_ENOMEM;
	for (size_t i = 0; r == 0 && i < names.n; i++)
		r = add_device(d, list, names.name[i]);
	unc_kernel_names_free(&names);
	if (r == 0)
		qsort(list->device, list->n, sizeof(*list->device), by_path);
	return r;
}

static bool is_below(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	return strncmp(path, dir, len) == 0 && path[len] == '/';
}

/* A bridge has other devices below it, or the class of one; the list is sorted by path. */
static void look_at_files(const struct unc_devices *d, struct unc_device_list *list)
{
	char file[UNC_PATH_TEXT + 8], text[UNC_PATH_TEXT];

	for (size_t i = 0; i < list->n; i++) {
		struct unc_listed_device *device = &list->device[i];

		snprintf(file, sizeof(file), "%s/class", device->path + 1);
		device->bridge =
			(i + 1 < list->n && is_below(list->device[i + 1].path, device->path)) ||
			(unc_kernel_line(&d->files, file, text, sizeof(text)) &&
			 strncmp(text, BRIDGE, strlen(BRIDGE)) == 0);
		snprintf(file, sizeof(file), "%s/physfn", device->path + 1);
		device->virtual_function =
			unc_kernel_link(&d->files, file, text, sizeof(text)) == 0;
	}
}

/* ---- names ---- */

static struct unc_listed_device *find_device(const struct unc_device_list *list,
					     const struct unc_at *at)
{
	for (size_t i = 0; i < list->n; i++)
		if (unc_at_same(&list->device[i].chain.device, at))
			return &list->device[i];
	return NULL;
}

static bool has_name(const char *names, const char *name, size_t len)
{
	for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
		if (strcspn(at, " ") == len && strncmp(at, name, len) == 0)
			return true;
	return false;
}

/* Partitions, namespaces and connectors are below a device that has a name already. */
static bool is_part(const struct unc_listed_device *device, const char *path)
{
	for (const char *at = path + strlen(device->path); *at;) {
		at += *at == '/';
		if (has_name(device->names, at, strcspn(at, "/")))
			return true;
		at += strcspn(at, "/");
	}
	return false;
}

static int add_name(const struct unc_devices *d, struct unc_device_list *list, const char *class,
		    const char *name)
{
	char path[UNC_PATH_TEXT], target[UNC_PATH_TEXT], *names;
	struct unc_listed_device *device;
	struct unc_chain chain;

	snprintf(path, sizeof(path), "%s/%.200s", class, name);
	if (unc_kernel_link(&d->files, path, target, sizeof(target)) < 0 ||
	    !unc_chain_parse(target, &chain))
		return 0;
	device = find_device(list, &chain.device);
	if (!device || !is_below(target, device->path) || is_part(device, target))
		return 0;
	if (asprintf(&names, "%s%s%s", device->names, *device->names ? " " : "", name) < 0)
		return UNCORE_ENOMEM;
	free(device->names);
	device->names = names;
	return 0;
}

static int add_names(const struct unc_devices *d, struct unc_device_list *list)
{
	const char *class;
	int r = 0;

	for (size_t i = 0; r == 0 && (class = unc_device_class(i)); i++) {
		struct unc_kernel_names names;

		if (unc_kernel_list(&d->files, class, &names) < 0)
			continue;
		for (size_t k = 0; r == 0 && k < names.n; k++)
			r = add_name(d, list, class, names.name[k]);
		unc_kernel_names_free(&names);
	}
	return r;
}

const char *unc_device_name(const struct unc_listed_device *device, char text[UNC_DEVICE_NAME])
{
	const size_t len = strcspn(device->names, " ");

	if (len > 0 && len < UNC_DEVICE_NAME)
		snprintf(text, UNC_DEVICE_NAME, "%.*s", (int)len, device->names);
	else
		unc_at_text(&device->chain.device, text);
	return text;
}

/* ---- places ---- */

static int find_place(const struct unc_devices *d, struct unc_listed_device *device)
{
	char name[UNC_DEVICE_NAME];
	struct unc_err err;
	int r;

	unc_err_init(&err);
	r = unc_device_locate(d, &device->chain, unc_device_name(device, name), &device->place,
			      &err);
	if (r < 0)
		device->problem = strdup(err.text);
	unc_err_destroy(&err);
	return r < 0 && !device->problem ? UNCORE_ENOMEM : 0;
}

/* On a root bus there are many functions that move no data. */
static bool is_shown(const struct unc_listed_device *device)
{
	if (device->bridge)
		return false;
	return *device->names || device->chain.vmd ||
	       !unc_at_same(&device->chain.port, &device->chain.device) ||
	       (!device->problem && device->place.accelerator);
}

static int find_places(const struct unc_devices *d, struct unc_device_list *list)
{
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct unc_listed_device *device = &list->device[i];

		if (r == 0 && !device->bridge)
			r = find_place(d, device);
		if (is_shown(device))
			list->device[n++] = *device;
		else
			free_device(device);
	}
	list->n = n;
	return r;
}

int unc_device_list_make(const struct unc_devices *d, struct unc_device_list *list,
			 struct unc_err *err)
{
	int r;

	*list = (struct unc_device_list){NULL, 0};
	if (!d->files.hw || !unc_kernel_has_files(&d->files))
		return unc_fail(err, UNCORE_ENOSUPP,
				"the PCI devices of this machine are not known: this is not the "
				"machine with the devices");
	r = add_devices(d, list);
	if (r == 0)
		look_at_files(d, list);
	if (r == 0)
		r = add_names(d, list);
	if (r == 0)
		r = find_places(d, list);
	if (r < 0)
		unc_device_list_free(list);
	return r < 0 ? no_memory(err) : 0;
}

/* ---- devices that are counted together ---- */

static bool is_behind_same(const struct unc_chain *a, const struct unc_chain *b)
{
	return a->root.segment == b->root.segment && a->root.bus == b->root.bus &&
	       unc_at_same(&a->port, &b->port);
}

bool unc_device_shares(const struct unc_listed_device *a, const struct unc_listed_device *b)
{
	if (a == b)
		return false;
	if (a->problem || b->problem)
		return is_behind_same(&a->chain, &b->chain);
	return a->place.package == b->place.package && a->place.box == b->place.box &&
	       (a->place.parts & b->place.parts) != 0;
}

void unc_device_others(const struct unc_device_list *list, const struct unc_at *at, char *text,
		       size_t len)
{
	const struct unc_listed_device *device = find_device(list, at);
	char name[UNC_DEVICE_NAME];
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; device && i < list->n && n < len; i++)
		if (unc_device_shares(device, &list->device[i]))
			n += (size_t)snprintf(text + n, len - n, "%s%s", n ? ", " : "",
					      unc_device_name(&list->device[i], name));
}
