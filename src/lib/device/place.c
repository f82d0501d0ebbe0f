/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.c - package, box and part of a device: registers first, then the kernel's files, then what
 * every user sees on the bus.
 */
#include "device/device.h"

static int find_stack(const struct unc_devices *d, const struct unc_stack_map *map,
		      const struct unc_root_bus_name *root, struct unc_stack_found *out,
		      struct unc_err *err)
{
	const int r = unc_stack_by_registers(d->machine, d->files.hw, map, root, out, err);

	if (r != 0)
		return r < 0 ? r : 0;
	if (unc_stack_by_files(d, map, root, out) ||
	    unc_stack_by_functions(d->machine, d->files.hw, map, root, out))
		return 0;
	return UNCORE_EACCESS; /* with the message of the registers */
}

int unc_device_find(const struct unc_devices *d, const char *name, struct unc_device_place *out,
		    struct unc_err *err)
{
	const struct unc_stack_map *map;
	struct unc_stack_found stack = {.stack = NULL};
	int r = unc_device_named(d, name, &out->chain, err);

	if (r == 0)
		r = unc_stack_map_find(d->machine, d->files.hw, &map, err);
	if (r == 0)
		r = find_stack(d, map, &out->chain.root, &stack, err);
	if (r == 0 && stack.stack->refused)
		r = unc_fail(err, UNCORE_ENOSUPP, "the box of %s (stack %s) is not known: %s", name,
			     stack.stack->name, stack.stack->refused);
	if (r == 0)
		r = unc_device_parts(d, map, &stack, &out->chain, &out->parts, err);
	if (r < 0)
		return r;
	out->package = stack.package;
	out->box = stack.stack->box;
	out->stack = stack.stack->name;
	out->basis = stack.basis;
	return 0;
}
