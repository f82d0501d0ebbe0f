/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_inspect.h - look at a machine and at what counting would do: boxes, discovery
 * tables, the CPUs' own counters, registers, plans.  Programs that only count need uncore.h
 * alone.  Compiles as C11 and as C++17; errors as in uncore.h.
 */
#ifndef UNCORE_INSPECT_H
#define UNCORE_INSPECT_H

#include "uncore.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- boxes ---- */

struct uncore_box_info {
	const char *kind;   /**< "cbo", the name in assignments and in uncore_event_info */
	const char *title;  /**< "C-Box (last-level cache coherence engine)" */
	unsigned index;     /**< the N of box=N */
	unsigned package;   /**< the N of pkg=N */
	unsigned die;       /**< the N of die=N; boxes are numbered through a package */
	unsigned counters;  /**< programmable counters */
	bool fixed;         /**< has a fixed counter beside them */
	unsigned width;     /**< width of a programmable counter in bits */
	const char *absent; /**< NULL, or why the box cannot be used */
	bool unreached;     /**< absent only because it could not be reached: sums are refused */
	char location[40];  /**< "msr 0xd04" or "pci 0000:7f:10.0" */
	const char *basis;  /**< what tells how many such boxes the package has; NULL: each of
				 them tells by itself whether it is there */
};

/**
 * Describe box number i, 0 <= i < uncore_machine_info.boxes.
 * @return 0 or UNCORE_EINVAL.  Any thread.
 */
UNCORE_API int uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info);

/* ---- discovery tables, CPUs, model-specific registers ---- */

/** A discovery table: on machines that have some, what they say is where the boxes are. */
struct uncore_discovery_table_info {
	unsigned package;      /**< the N of pkg=N */
	char device[16];       /**< PCI device that has it, "0000:00:00.1" */
	unsigned bar;          /**< number of the BAR that it is behind */
	uint64_t address;      /**< physical address of its head */
	unsigned stride;       /**< bytes from one record to the next */
	unsigned slots, empty; /**< records that it has room for, and those that say nothing */
	unsigned status_offset, n_status; /**< global status registers, behind the control */
	const char *damage;               /**< NULL, or what is wrong with the table */
	char control[40]; /**< register that holds all its boxes, "msr 0x2ff0", or "" */
};

/** A unit record of a discovery table: a box as the firmware describes it. */
struct uncore_discovered_unit_info {
	unsigned table, slot; /**< number of the table, and of the record in it, both from 0 */
	unsigned package;     /**< the N of pkg=N */
	unsigned type, id;    /**< as in the record */
	unsigned access;      /**< as in the record: 0 MSR, 1 MMIO, 2 PCI */
	uint64_t address;     /**< unit control as in the record */
	char location[40];    /**< the same, "mmio 0xc8aa2800" or "pci 0000:fe:0c.0+0x438" */
	unsigned counters, width;
	unsigned control_offset, counter_offset, status_offset; /**< from the unit control */
	unsigned position;                                      /**< of its global status bit */
	int box;             /**< its number for uncore_box(), -1: it is no box */
	const char *refused; /**< NULL, or why it is no box */
};

/**
 * Describe discovery table or unit record number i, from 0.  Tables are in the
 * order of their devices, records in the order of their tables.
 * @return 0, UNCORE_EINVAL for a number behind the last.  Any thread.
 */
UNCORE_API int uncore_discovery_table(struct uncore *u, unsigned i,
				      struct uncore_discovery_table_info *info);
UNCORE_API int uncore_discovered_unit(struct uncore *u, unsigned i,
				      struct uncore_discovered_unit_info *info);

struct uncore_core_info {
	unsigned cpu;     /**< logical CPU */
	unsigned package; /**< the N of pkg=N */
	unsigned version; /**< of architectural performance monitoring, from 1 */
	unsigned counters, width;
	unsigned fixed, fixed_width; /**< bit i: fixed counter i is there */
	bool has_global;             /**< version 2: the next four registers are there */
	uint64_t global_ctrl, global_status, fixed_ctrl, debugctl;
	bool has_in_use; /**< version 4 */
	uint64_t in_use;
};

/**
 * Describe the counters that CPU number i of those online (0 <= i <
 * uncore_machine_info.cpus) has of its own, and read their registers.
 *
 * @return 0, UNCORE_EINVAL (no such number), UNCORE_ENOSUPP (the CPUs have none),
 *         UNCORE_EACCESS, UNCORE_EIO, UNCORE_EFORK
 * Threads: any.  Blocks signals for its duration.  Implements: SDM vol. 3B 18.2.
 */
UNCORE_API int uncore_core(struct uncore *u, unsigned i, struct uncore_core_info *info);

/** A model-specific register that events of this machine need. */
struct uncore_msr_info {
	uint32_t msr;
	uint64_t writable;    /**< bits that are written; 0: it is only read */
	uint64_t stop_after;  /**< further bits that only uncore_set_stop_after() needs */
	bool stop_after_only; /**< nothing else needs this register */
	const char *kind;     /**< of its box, "core" for CPUs, "" for a package's own */
	char what[40];        /**< "cbo3 control 1", "PERFEVTSEL 0", "global control" */
};

/**
 * MSR number i, from 0, of those that sets of events may read or write: ascending, each
 * once, for all packages.  This is what msr-safe's allow-list has to have.  Boxes
 * that cannot be used are included, so it works, too, on a handle that
 * uncore_open() has refused with UNCORE_EACCESS.
 *
 * @return 0, UNCORE_EINVAL behind the last, UNCORE_ENOMEM.  Any thread.
 */
UNCORE_API int uncore_msr(struct uncore *u, unsigned i, struct uncore_msr_info *info);

/* ---- plans ---- */

enum uncore_space {
	UNCORE_MSR, /**< of a package: any of its CPUs reaches it */
	UNCORE_PCI,
	UNCORE_MMIO,
	UNCORE_CPU /**< MSR of one logical CPU */
};
enum uncore_op_kind { UNCORE_READ, UNCORE_WRITE, UNCORE_RMW };

/** One register operation; a list of them is all that a backend gets to see. */
struct uncore_op {
	uint8_t kind;     /**< enum uncore_op_kind */
	uint8_t space;    /**< enum uncore_space */
	uint8_t width;    /**< bits accessed: 32 or 64 */
	uint8_t devfn;    /**< PCI only: device << 3 | function */
	uint16_t package; /**< the N of pkg=N */
	/** PCI: index of the device in the machine's list; MMIO: of the mapping; CPU: its number */
	uint16_t unit;
	uint64_t address; /**< MSR number, offset in the config space, or physical address */
	bool saved;       /**< restore[], stop[]: write what setup[]'s read of the register gave;
			   of that read: the bits under mask will be put back, if there is a mask */
	uint8_t die;      /**< of that package: the N of die=N */
	uint64_t value; /**< write: the value; rmw: the new bits; read with mask: what must be there
			 */
	uint64_t mask;  /**< rmw: the bits to change; read: the bits to compare, if any */
};

/** Kinds of registers of a box. */
enum uncore_register { UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_COUNTER, UNCORE_FILTER };

/**
 * The operation that would read a register of box number i.
 *
 * @param which  what kind
 * @param n      which control or counter (as many as the box has: the fixed
 *               counter's), or which filter; 0 for the unit control
 * @return 0, UNCORE_EINVAL (no such box), UNCORE_ENODEV (it has no such register,
 *         or is absent).  Any thread.
 */
UNCORE_API int uncore_register(struct uncore *u, unsigned i, enum uncore_register which, unsigned n,
			       struct uncore_op *op);

struct uncore_assignment {
	unsigned event;   /**< index into the list that was planned */
	unsigned counted; /**< number of the event that is counted: that one, or one that it is made
			   * of
			   */
	unsigned package, die;
	const char *kind; /**< box kind */
	unsigned box;     /**< box number */
	/** counter number; the number of counters for the fixed one; a CPU's fixed ones follow its
	 * others */
	unsigned counter;
	bool fixed;
	uint64_t control; /**< control value without the enable bit */
};

struct uncore_plan {
	bool feasible;
	size_t n_assignments;
	struct uncore_assignment *assignments;
	size_t n_setup, n_start, n_read, n_stop, n_restore;
	struct uncore_op *setup, *start, *read, *stop, *restore;
	size_t n_conflict;
	unsigned *conflict; /**< indices of the smallest set of events that conflict */
	char reason[1024];  /**< why, in one sentence */
};

/**
 * Plan a list of events on an idle machine.  Touches no register.
 *
 * @param ids, n  events; the same one may be given more than once
 * @param out     receives the plan, also an infeasible one; free with uncore_plan_free()
 * @return 0 (look at feasible), UNCORE_ENODEV (a box or package is absent),
 *         UNCORE_EINVAL, UNCORE_ENOMEM
 * Threads: any.  Implements: design.md 4-8, docs/hardware/README.md.
 */
UNCORE_API int uncore_plan(struct uncore *u, const unsigned *ids, size_t n,
			   struct uncore_plan **out);
UNCORE_API void uncore_plan_free(struct uncore_plan *plan);

/** As uncore_plan(), for a set that stops by itself; returns what uncore_set_stop_after() does,
 * too. */
UNCORE_API int uncore_plan_stop_after(struct uncore *u, const unsigned *ids, size_t n,
				      const struct uncore_stop_after *stop_after,
				      size_t n_stop_after, uint64_t cores,
				      struct uncore_plan **out);

#ifdef __cplusplus
}
#endif
#endif
