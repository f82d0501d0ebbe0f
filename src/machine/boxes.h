/* boxes.h - how many boxes a package has and where they are; src/machine only. */
#ifndef UNC_BOXES_H
#define UNC_BOXES_H

#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A dword of a device's config space; false if it cannot be read. */
bool unc_config_read(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value);

/* Logical package of a physical one, -1: none of this machine. */
int unc_logical_package(const struct unc_machine *machine, unsigned physical);

/* How many boxes of a type a package has. */
struct unc_number {
	unsigned n;
	unsigned cores;    /* those from this number on have no core; 0: all have, or none */
	const char *basis; /* what n rests on, NULL: the type */
};

struct unc_number unc_boxes_in_package(const struct unc_machine *machine, struct unc_hw *hw,
				       const struct unc_box_type *type, unsigned package);

/* Slices of the L3 cache of a package; 0: nothing tells, or not credibly.  slices.c */
unsigned unc_slices_by_functions(const struct unc_machine *machine, const struct unc_box_type *type,
				 unsigned package);
unsigned unc_slices_by_cache(const struct unc_machine *machine, struct unc_hw *hw,
			     unsigned package);

/* Find out to which packages the PCI devices that boxes need belong; 0 or UNCORE_ENOMEM.  buses.c
 */
int unc_map_buses(struct unc_machine *machine, struct unc_hw *hw);
/* The logical package of any PCI device, -1: nobody knows, UNC_OFFLINE: no CPU of it is online. */
int unc_device_package(struct unc_machine *machine, struct unc_hw *hw, unsigned unit);

/*
 * The PCI device of a box, or the extra one with its filters; -1: none.  package -1:
 * among those of which nobody knows where they belong.
 */
int unc_box_device(const struct unc_machine *machine, const struct unc_box *box, int package,
		   bool extra);

/* Fill in the PCI devices of a box, or why it is absent although a device shows. */
void unc_box_devices(const struct unc_machine *machine, struct unc_box *box);

/* Fill in the address of a box by its type's memory rule, or why it is absent. */
void unc_box_locate(const struct unc_machine *machine, struct unc_hw *hw, struct unc_box *box);

/* A box that a controller may or may not have. */
bool unc_box_uncertain(const struct unc_box *box);

#ifdef __cplusplus
}
#endif
#endif
