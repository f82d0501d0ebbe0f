/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovery.h - what discovery tables say, as they say it; docs/hardware/discovery.md
 * 1 to 3.  Pure: bytes in, records out.  Nothing in the bytes is believed before it
 * is checked.
 */
#ifndef UNC_DISCOVERY_H
#define UNC_DISCOVERY_H

#include "types.h"
#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Something that can be read: a config space, or what is behind a BAR. */
struct unc_bytes {
	/* bits: 32 or 64; 0 or -errno */
	int (*read)(void *of, uint64_t offset, unsigned bits, uint64_t *value);
	void *of;
};

/* Where a PCI device has a table. */
struct unc_discovery_bar {
	uint8_t number;
	uint8_t entries; /* of a list of TPMI's features, ... */
	uint32_t offset; /* ... which begins there behind the BAR */
	uint64_t base;   /* physical address */
	const char *why; /* NULL, or why the table cannot be there */
};

/*
 * The tables that the extended capabilities of a device speak of.
 * @return how many, at most max; -errno if the config space cannot be read
 */
int unc_discovery_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max);
/* The same of the lists of TPMI's features; docs/hardware/power.md. */
int unc_tpmi_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max);

/* A table's head. */
struct unc_discovery_table {
	unsigned device; /* index into topology.pci, of one that is behind a BAR */
	uint32_t msr;    /* 0, or the register that tells its address */
	uint16_t package;
	struct unc_discovery_bar bar;
	uint8_t type, access;
	uint8_t stride;     /* of the records, in qwords */
	uint16_t max_units; /* slots for records */
	uint64_t control;   /* address of the register that stops all boxes, 0: none */
	uint8_t status_offset;
	uint16_t n_status;
	uint16_t n_empty; /* slots that hold nothing */
	const char *why;  /* NULL, or why nothing can be read from it */
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
	uint16_t position; /* of its bit in the global status */
	uint64_t control;  /* unit control as the table has it */
	const char *why;   /* NULL, or why it is no box */
	/* what became of it */
	const struct unc_discovered_type *row;
	uint16_t index;   /* N of box=N */
	int pci;          /* of a PCI unit: index into topology.pci, -1: none */
	int box;          /* index into machine->boxes, -1: none */
	uint8_t status;   /* its status_offset, if that is a register of its own; 0: it has none */
	uint32_t summary; /* the global status that has its bit, 0: none */
};

struct unc_units {
	size_t n, room;
	struct unc_unit *unit;
};

/*
 * Read the head of a table and add its records.  table->bar is filled already;
 * memory begins at the head and has that many bytes, 0: unknown.  What makes a
 * table or a record unusable is told in its why.
 *
 * @return 0, UNCORE_ENOMEM
 */
int unc_discovery_table_read(const struct unc_bytes *memory, uint64_t bytes,
			     struct unc_discovery_table *table, uint16_t number,
			     struct unc_units *units);

/* Why no box can be where a unit record says, NULL: it can. */
const char *unc_address_refusal(const struct unc_unit *u);

/* Whether the status of a unit can be where its record says, and one MSR at all. */
bool unc_status_fits(const struct unc_unit *u);
bool unc_msr_fits(uint64_t address);

/* PCI units: where the control is. */
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

/* What a box's registers are counted from: MSR, address, or config space offset. */
static inline uint64_t unc_unit_offset(const struct unc_unit *u)
{
	return u->access == UNC_BY_PCI ? u->control & 0xfff : u->control;
}

#ifdef __cplusplus
}
#endif
#endif
