/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * die_files.c - the root buses of IIO boxes in the kernel's files, which every user may read
 * (docs/hardware/stacks.md, "The kernel's files").
 */
#include <stdio.h>

#include "base/sysfs.h"
#include "device/device.h"

#define MOST_BOXES 16

/* A stack without the register reads as 0000:00, which is true for one box only. */
static bool has_bus(const struct unc_devices *d, const struct unc_stack_map *map, unsigned box,
		    unsigned package, const struct unc_root_bus_name *root)
{
	unsigned segment, bus;
	char text[32];

	if (!unc_read_line(text, sizeof(text), d->files.root, "sys/devices/uncore_iio_%u/die%u",
			   box, package) ||
	    sscanf(text, "%x:%x", &segment, &bus) != 2)
		return false;
	if (segment == 0 && bus == 0 && box != map->zero_box)
		return false;
	return segment == root->segment && bus == root->bus;
}

bool unc_stack_by_files(const struct unc_devices *d, const struct unc_stack_map *map,
			const struct unc_root_bus_name *root, struct unc_stack_found *out)
{
	unsigned n = 0;

	if (!map->has_files || !d->files.root)
		return false;
	for (unsigned box = 0; box < MOST_BOXES; box++) {
		const struct unc_stack *stack = unc_stack_of_box(map, box);

		for (unsigned p = 0; stack && p < d->machine->topo.n_packages; p++) {
			if (!has_bus(d, map, box, p, root))
				continue;
			*out = (struct unc_stack_found){stack, p, 0, "uncore_iio_N/dieM"};
			n++;
		}
	}
	return n == 1;
}
