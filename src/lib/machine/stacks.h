/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stacks.h - the PCIe stack of a root bus: its package and IIO box, from registers or from the
 * functions on the bus (docs/hardware/stacks.md).  Nothing is asked while a machine is opened.
 */
#ifndef UNC_MACHINE_STACKS_H
#define UNC_MACHINE_STACKS_H

#include "machine/machine.h"
#include "shared/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_root_bus_name {
	unsigned segment, bus;
};

struct unc_stack_found {
	const struct unc_stack *stack;
	unsigned package;  /* logical */
	unsigned above;    /* number of the bus, counted from the root bus of the stack */
	const char *basis; /* the source of the answer */
};

/*
 * How this machine's stacks are found: 0; UNCORE_ENOSUPP, or UNCORE_EACCESS if a register that
 * decides cannot be read.
 */
int unc_stack_map_find(const struct unc_machine *machine, struct unc_hw *hw,
		       const struct unc_stack_map **map, struct unc_err *err);

/*
 * From the registers: 1; 0: they cannot be read, and err has the reason; UNCORE_ENODEV: none of
 * them, or several, list the bus.
 */
int unc_stack_by_registers(const struct unc_machine *machine, struct unc_hw *hw,
			   const struct unc_stack_map *map, const struct unc_root_bus_name *root,
			   struct unc_stack_found *out, struct unc_err *err);

/* From the PCI functions on the bus, or the number of root buses of the package; false: unclear. */
bool unc_stack_by_functions(const struct unc_machine *machine, struct unc_hw *hw,
			    const struct unc_stack_map *map, const struct unc_root_bus_name *root,
			    struct unc_stack_found *out);

/* The row of the map with this id, or box; NULL: none. */
const struct unc_stack *unc_stack_of_id(const struct unc_stack_map *map, unsigned id);
const struct unc_stack *unc_stack_of_box(const struct unc_stack_map *map, unsigned box);

/* The index of the device that names the stack of a root bus (8086:09a2, function 0); -1: none. */
int unc_stack_device(const struct unc_machine *machine, const struct unc_root_bus_name *root);

/* Whether a device is one of those. */
bool unc_names_stack(const struct unc_pci *device);

/* For a recording: read all registers that the functions above may read. */
void unc_stacks_ask(const struct unc_machine *machine, struct unc_hw *hw);

#ifdef __cplusplus
}
#endif
#endif
