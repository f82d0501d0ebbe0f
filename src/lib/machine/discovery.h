/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovery.h - contents of discovery tables; docs/hardware/discovery.md 1 to 3.  Pure
 * functions: bytes in, records out.  All bytes are checked.
 */
#ifndef UNC_DISCOVERY_H
#define UNC_DISCOVERY_H

#include "types.h"
#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A readable range: a config space, or memory from the start of a BAR. */
struct unc_bytes {
	/* bits: 32 or 64; 0 or -errno */
	int (*read)(void *of, uint64_t offset, unsigned bits, uint64_t *value);
	void *of;
};

/* A table of a PCI device. */
struct unc_discovery_bar {
	uint8_t number;
	uint8_t entries; /* for a list of TPMI features: number of entries ... */
	uint32_t offset; /* ... and offset of the list in the BAR */
	uint64_t base;   /* physical address */
	const char *why; /* why there cannot be a table, or NULL */
};

/*
 * The tables in the extended capabilities of a device.
 * @return how many, at most max; -errno if the config space cannot be read
 */
int unc_discovery_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max);
/* The same for lists of TPMI features; docs/hardware/power.md. */
int unc_tpmi_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max);

/* The head of a table. */
struct unc_discovery_table {
	unsigned device;  /* index into topology.pci, of a table in a BAR */
	uint32_t msr;     /* register with its address, or 0 */
	uint16_t package; /* logical; UINT16_MAX: unknown */
	struct unc_discovery_bar bar;
	uint8_t type, access;
	uint8_t stride;     /* of the records, in qwords */
	uint16_t max_units; /* slots for records */
	uint64_t control;   /* address of the register that freezes all boxes, or 0 */
	uint8_t status_offset;
	uint16_t n_status;
	uint16_t n_empty; /* empty slots */
	const char *why;  /* why it cannot be read, or NULL */
	/* table_packages.c */
	const char *basis; /* source of its package, or NULL: unknown */
	bool assumed;      /* by the order of PCI devices alone */
	bool offline;      /* its package has no online CPU */
	int error;         /* of the access that failed, -errno, or 0; ... */
	char *unread;      /* ... and the reason */
};

enum { UNC_BY_MSR, UNC_BY_MMIO, UNC_BY_PCI, UNC_BY_NOTHING };

/* A unit record: one box. */
struct unc_unit {
	uint16_t table, slot;
	uint16_t type, id;
	uint16_t package;
	uint8_t access;
	uint8_t n_counters, width;
	uint8_t control_offset, counter_offset, status_offset;
	uint16_t position; /* of its bit in the global status registers */
	uint64_t control;  /* unit control as in the table */
	const char *why;   /* why it is refused, or NULL */
	bool lost;         /* it is refused, but there is a box: sums would lack it */
	bool hidden;       /* the PCI devices of all boxes of its type are missing */
	/* result */
	const struct unc_discovered_type *row;
	uint16_t index;   /* N of box=N */
	int pci;          /* of a PCI unit: index into topology.pci, or -1 */
	int box;          /* index into machine->boxes, or -1 */
	uint8_t status;   /* its status_offset if it has a status register of its own, else 0 */
	uint32_t summary; /* the global status register with its bit, or 0 */
};

struct unc_units {
	size_t n, room;
	struct unc_unit *unit;
};

/*
 * Read the head of a table and add its records. table->bar must be filled; memory begins at the
 * head and has that many bytes, 0: unknown.  Unusable tables and records have the reason in
 * `why`.
 *
 * @return 0, UNCORE_ENOMEM
 */
int unc_discovery_table_read(const struct unc_bytes *memory, uint64_t bytes,
			     struct unc_discovery_table *table, uint16_t number,
			     struct unc_units *units);

/* The record cannot be used, although there is a box. */
static inline void unc_unit_lose(struct unc_unit *u, const char *why)
{
	u->why = why;
	u->lost = true;
}

/* Why a unit record cannot be a box, or NULL. */
const char *unc_address_refusal(const struct unc_unit *u);

/* Whether the status of a unit can be where its record says, and whether an MSR can. */
bool unc_status_fits(const struct unc_unit *u);
bool unc_msr_fits(uint64_t address);

/* PCI units: address of the control. */
static inline unsigned unc_unit_segment(const struct unc_unit *u)
{
	return (unsigned)(u->control >> 28) & 7;
}
static inline unsigned unc_unit_bus(const struct unc_unit *u)
{
	return (unsigned)(u->control >> 20) & 0xff;
}
static inline unsigned unc_unit_devfn(const struct unc_unit *u)
{
	return (unsigned)(u->control >> 12) & 0xff;
}

/* The base of a box's registers: MSR, address, or config space offset. */
static inline uint64_t unc_unit_offset(const struct unc_unit *u)
{
	return u->access == UNC_BY_PCI ? u->control & 0xfff : u->control;
}

#ifdef __cplusplus
}
#endif
#endif
