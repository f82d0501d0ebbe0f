/* SPDX-License-Identifier: BSD-3-Clause */
/* table_packages.h - the package of each discovery table; for src/lib/machine only. */
#ifndef UNC_TABLE_PACKAGES_H
#define UNC_TABLE_PACKAGES_H

#include "machine/discovered.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- root_buses.c ---- */

#define UNC_LISTS_BUSES    0x09a6 /* the PCI device with the list */
#define UNC_MAX_ROOT_BUSES 512
#define UNC_NO_CPU_BUS     255 /* the bus of the function itself */

struct unc_root_buses {
	unsigned n;
	struct unc_root_bus {
		uint16_t segment;
		uint8_t bus;
		uint8_t cpu_bus; /* its number in the list */
		int package;     /* physical */
	} bus[UNC_MAX_ROOT_BUSES];
};

/* The root buses that the processor lists, as far as their registers can be read. */
void unc_root_buses_read(const struct unc_machine *machine, struct unc_hw *hw,
			 struct unc_root_buses *to);
/* The physical package of a device's bus; -1: not listed, or listed for several packages. */
int unc_root_buses_package(const struct unc_root_buses *of, const struct unc_pci *pci);

/* ---- alike.c ---- */

#define UNC_MAX_TABLES 64 /* eight packages with eight dies each */

/* Tables located by PCI devices, compared by their records. */
struct unc_alike {
	uint64_t differ[UNC_MAX_TABLES]; /* bit u: table u belongs to another package */
	int same[UNC_MAX_TABLES];        /* the first table that lists the same registers, or -1 */
};

/* Compare the first n tables; 0 or UNCORE_ENOMEM. */
int unc_tables_compare(const struct unc_machine *machine, const struct unc_discovered *discovered,
		       unsigned n, struct unc_alike *to);

/* ---- table_packages.c ---- */

/*
 * Find the package of each table, and remove tables of offline packages. Tables and packages
 * that remain unclear are added to what sums may lack. 0 or UNCORE_ENOMEM.
 */
int unc_table_packages(struct unc_machine *machine, struct unc_hw *hw,
		       struct unc_discovered *discovered);

#ifdef __cplusplus
}
#endif
#endif
