/* SPDX-License-Identifier: BSD-3-Clause */
/* discovered.h - boxes from discovery tables; for src/lib/machine and `uncore show` only. */
#ifndef UNC_DISCOVERED_H
#define UNC_DISCOVERED_H

#include "machine/discovery.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A box type made from records. */
struct unc_discovered_box_type {
	struct unc_box_type type;
	const struct unc_discovered_type *row;
	uint16_t number;
};

struct unc_discovered {
	unsigned n_tables, n_types;
	struct unc_discovery_table *tables;
	struct unc_units units;
	struct unc_discovered_box_type *types;
	/* of the machine: discovered ones, and the platform's own */
	const struct unc_box_type **list;
	/*
	 * Sums may lack boxes, because a table cannot be read or belongs to an unknown package:
	 * the first reason, -errno, and a bit for each package that may have the boxes.
	 */
	char *lack;
	int lack_error;
	uint64_t lack_packages;
};

#define UNC_ALL_PACKAGES UINT64_MAX

/* The first access that failed while looking for boxes. */
struct unc_probe {
	int first_error; /* -errno, or 0 */
	char why[512];
};

/* probe.c */
void unc_probe_failed(struct unc_probe *probe, struct unc_hw *hw, const struct unc_op *op,
		      int error);
/* Open a box and read its first register; marks the box absent if that fails. */
void unc_box_probe(const struct unc_machine *machine, struct unc_box *box, struct unc_hw *hw,
		   struct unc_probe *probe);

/*
 * read_discovery.c: read all tables of the machine.  Errors of devices that should have tables
 * are stored in probe. 0 or UNCORE_ENOMEM.
 */
int unc_discovery_read(struct unc_machine *machine, struct unc_hw *hw,
		       struct unc_discovered *discovered, struct unc_probe *probe);
/* Add the registers that freeze all boxes of a package to machine->globals. */
int unc_discovery_globals(struct unc_machine *machine, struct unc_hw *hw,
			  const struct unc_discovered *discovered);

/* The source of a table's address: "0000:00:03.1" or "msr 0x710". */
#define UNC_TABLE_NAME 16
const char *unc_table_name(char name[UNC_TABLE_NAME], const struct unc_machine *machine,
			   const struct unc_discovery_table *table);

/*
 * Devices known to have tables, and TPMI; the second one on Diamond Rapids
 * (docs/hardware/dmr.md).
 */
bool unc_has_tables(const struct unc_pci *device);

enum unc_space unc_unit_space(const struct unc_unit *unit);

/*
 * discovered.c: check and sort the records, make the machine's box types.  Boxes follow, type
 * by type. 0 or UNCORE_ENOMEM.
 */
int unc_discovered_types(struct unc_machine *machine, struct unc_hw *hw,
			 struct unc_discovered *discovered);
/* The boxes of machine->types[type] if it is a discovered one: true, with the result in *r. */
bool unc_discovered_boxes(struct unc_machine *machine, struct unc_hw *hw, unsigned type, int *r);
void unc_discovered_free(struct unc_discovered *discovered);

/* ---- unit_devices.c ---- */

/* The PCI device that a unit's record names, or -1. */
int unc_unit_device(const struct unc_machine *machine, const struct unc_unit *unit);
/* Find the PCI device of a unit, or mark the unit as lost. */
void unc_unit_find_device(const struct unc_machine *machine, struct unc_unit *unit);
/* A lost unit, of which nothing but the device is missing. */
bool unc_unit_has_no_device(const struct unc_unit *unit);
/* Mark the units of types whose devices are all missing: the firmware hides them. */
void unc_units_mark_hidden(const struct unc_machine *machine, struct unc_units *units);

/* ---- unreached.c ---- */

/* Add to what sums may lack; 0 or UNCORE_ENOMEM. */
int unc_discovered_lack(struct unc_discovered *discovered, int error, uint64_t packages,
			const char *format, ...) __attribute__((format(printf, 4, 5)));
/*
 * Whether boxes of the type in these packages may be missing: 0, or enum uncore_error with the
 * reason.
 */
int unc_discovered_lacks(const struct unc_machine *machine, const struct unc_box_type *type,
			 const struct unc_numbers *packages, char *why, size_t len);

/*
 * register_overlap.c: refuse records whose registers overlap others, and find status registers.
 */
int unc_discovered_overlaps(const struct unc_discovered *discovered);

/* machine.c */
struct unc_box *unc_machine_add(struct unc_machine *machine, struct unc_hw *hw,
				const struct unc_box_type *type, unsigned package, unsigned index);

#ifdef __cplusplus
}
#endif
#endif
