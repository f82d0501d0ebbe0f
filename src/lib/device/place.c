/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - package, box and part of a device: registers first, then the kernel's files, then what
 * every user sees on the bus.
 */
#include <string.h>

#include "device/device.h"

static int find_stack(const struct unc_devices *d, const struct unc_stack_map *map,
		      const struct unc_root_bus_name *root, struct unc_stack_found *out,
		      struct unc_err *err)
{
	const int r = unc_stack_by_registers(d->machine, d->files.hw, map, root, out, err);

	if (r == UNCORE_ENODEV) /* the device exists; with the message of the registers */
		return UNCORE_ENOSUPP;
	if (r != 0)
		return r < 0 ? r : 0;
	if (unc_stack_by_files(d, map, root, out) ||
	    unc_stack_by_functions(d->machine, d->files.hw, map, root, out))
		return 0;
	return UNCORE_EACCESS; /* with the message of the registers */
}

/* The number of a box in names, which differs from its number on a die. */
static unsigned number_of(const struct unc_machine *m, const struct unc_device_place *place)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (strcmp(m->boxes[i].type->name, "iio") == 0 &&
		    m->boxes[i].package == place->package && m->boxes[i].index == place->box)
			return m->boxes[i].number;
	return place->box;
}

int unc_device_locate(const struct unc_devices *d, const struct unc_chain *chain, const char *name,
		      struct unc_device_place *out, struct unc_err *err)
{
	const struct unc_stack_map *map;
	struct unc_stack_found stack = {.stack = NULL};
	int r = unc_stack_map_find(d->machine, d->files.hw, &map, err);

	*out = (struct unc_device_place){.chain = *chain};
	if (r == 0)
		r = find_stack(d, map, &out->chain.root, &stack, err);
	if (r == 0 && stack.stack->refused)
		r = unc_fail(err, UNCORE_ENOSUPP, "the box of %s (stack %s) is not known: %s", name,
			     stack.stack->name, stack.stack->refused);
	if (r != 0)
		return r;
	out->package = stack.package;
	out->box = stack.stack->box;
	out->accelerator = stack.stack->kind >= UNC_STACK_ACCELERATOR;
	out->number = number_of(d->machine, out);
	out->stack = stack.stack->name;
	out->basis = stack.basis;
	return unc_device_parts(d, map, &stack, &out->chain, &out->parts, err);
}

int unc_device_find(const struct unc_devices *d, const char *name, struct unc_device_place *out,
		    struct unc_err *err)
{
	struct unc_chain chain;
	const int r = unc_device_named(d, name, &chain, err);

	return r < 0 ? r : unc_device_locate(d, &chain, name, out, err);
}
