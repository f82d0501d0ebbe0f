/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.h - how many boxes a package has and where they are; src/lib/machine only. */
#ifndef UNC_BOXES_H
#define UNC_BOXES_H

#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A dword of a device's config space; false if it cannot be read. */
bool unc_config_read(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value);
/* The same; 0, or -errno and why, to be freed, if there is memory for that. */
int unc_config_ask(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value, char **why);

/* A box that could not be reached: absent, with the operation's failure as the reason. */
void unc_box_lost(struct unc_box *box, struct unc_hw *hw, const struct unc_op *op, int error);
/* The same with a reason of the caller's; takes why, which may be NULL for lack of memory. */
void unc_box_lost_for(struct unc_box *box, int error, char *why);
/*
 * A box whose PCI device was not found in its package.  It may be one that could not be listed, or
 * (unknown) one of which nobody knows the package; otherwise absence is why.
 */
void unc_box_no_device(const struct unc_machine *machine, struct unc_box *box, bool unknown,
		       enum uncore_absence absence);

/* Warn of boxes that sums lack, or are refused for; 0 or UNCORE_ENOMEM.  unreached.c */
int unc_warn_of_unreached(struct unc_machine *machine);

/* Whether the registers of a box have to be there, so that EIO is a failure. */
bool unc_box_certain(const struct unc_machine *machine, struct unc_hw *hw,
		     const struct unc_box *box);

/* One more at the end of the list, of which nothing else is known; NULL: no memory. */
struct unc_box *unc_box_append(struct unc_machine *machine, const struct unc_box_type *type,
			       unsigned package, unsigned index);

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

/* What logical packages are called, 0 or UNCORE_ENOMEM, and what their boxes; dies.c. */
int unc_dies_find(struct unc_machine *machine);
void unc_dies_name(struct unc_machine *machine);

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
