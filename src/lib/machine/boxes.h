/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.h - how many boxes a package has and where they are; for src/lib/machine only. */
#ifndef UNC_BOXES_H
#define UNC_BOXES_H

#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read a dword of a device's config space; false if it cannot be read. */
bool unc_config_read(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value);
/* The same; 0, or -errno with the reason, to be freed (or NULL if out of memory). */
int unc_config_ask(struct unc_hw *hw, unsigned unit, uint32_t offset, uint64_t *value, char **why);

/* Mark a box that could not be accessed as absent, with the failed operation as the reason. */
void unc_box_lost(struct unc_box *box, struct unc_hw *hw, const struct unc_op *op, int error);
/*
 * The same with a reason of the caller; takes ownership of why, which may be NULL if out of
 * memory.
 */
void unc_box_lost_for(struct unc_box *box, int error, char *why);
/*
 * A box whose PCI device was not found in its package.  The device may be one that could not be
 * listed, or (unknown) one in an unknown package; otherwise absence is the reason.
 */
void unc_box_no_device(const struct unc_machine *machine, struct unc_box *box, bool unknown,
		       enum uncore_absence absence);

/*
 * Warn of boxes that are missing in sums, or for which sums are refused; 0 or UNCORE_ENOMEM.
 * unreached.c
 */
int unc_warn_of_unreached(struct unc_machine *machine);

/* Whether the registers of a box must exist, so that EIO is a failure. */
bool unc_box_certain(const struct unc_machine *machine, struct unc_hw *hw,
		     const struct unc_box *box);

/* Append an empty box to the list; NULL: no memory. */
struct unc_box *unc_box_append(struct unc_machine *machine, const struct unc_box_type *type,
			       unsigned package, unsigned index);

/* How many boxes of a type a package has. */
struct unc_number {
	unsigned n;
	unsigned cores; /* boxes from this number on have no core; 0: all have one, or none has */
	const char *basis; /* source of n; NULL: the type */
};

struct unc_number unc_boxes_in_package(const struct unc_machine *machine, struct unc_hw *hw,
				       const struct unc_box_type *type, unsigned package);

/* L3 cache slices of a package; 0: no source, or not a credible one. slices.c */
unsigned unc_slices_by_functions(const struct unc_machine *machine, const struct unc_box_type *type,
				 unsigned package);
unsigned unc_slices_by_cache(const struct unc_machine *machine, struct unc_hw *hw,
			     unsigned package);

/* Names of logical packages, 0 or UNCORE_ENOMEM, and of their boxes; dies.c. */
int unc_dies_find(struct unc_machine *machine);
void unc_dies_name(struct unc_machine *machine);

/* Find the packages of the PCI devices that boxes need; 0 or UNCORE_ENOMEM. buses.c */
int unc_map_buses(struct unc_machine *machine, struct unc_hw *hw);
/* The logical package of a PCI device; -1: unknown, UNC_OFFLINE: it has no online CPU. */
int unc_device_package(struct unc_machine *machine, struct unc_hw *hw, unsigned unit);

/*
 * The PCI device of a box, or the extra one with its filters; -1: not found. package -1: among
 * those in unknown packages.
 */
int unc_box_device(const struct unc_machine *machine, const struct unc_box *box, int package,
		   bool extra);

/* Fill in the PCI devices of a box, or why it is absent although it has a device. */
void unc_box_devices(const struct unc_machine *machine, struct unc_box *box);

/* Fill in the address of a box by the memory rule of its type, or why it is absent. */
void unc_box_locate(const struct unc_machine *machine, struct unc_hw *hw, struct unc_box *box);

/* A box that a memory controller may or may not have. */
bool unc_box_uncertain(const struct unc_box *box);

#ifdef __cplusplus
}
#endif
#endif
