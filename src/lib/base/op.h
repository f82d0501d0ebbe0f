/* SPDX-License-Identifier: BSD-3-Clause */
/* op.h - a register operation.  Access methods get lists of them, and nothing else. */
#ifndef UNC_OP_H
#define UNC_OP_H

#include "uncore_inspect.h"

struct unc_op {
	uint8_t kind;     /* enum uncore_op_kind */
	uint8_t space;    /* enum uncore_space */
	uint8_t width;    /* bits accessed: 32 or 64 */
	uint8_t devfn;    /* PCI only: device << 3 | function */
	uint16_t package; /* see struct unc_machine */
	/* PCI: index of the device in the machine's list; MMIO: of the mapping; CPU: its number */
	uint16_t unit;
	uint64_t address; /* MSR number, offset in the config space, or physical address */
	bool saved; /* restore, stop: write the value that setup's read of the register returned;
		       for that read: the bits under mask, if any, will be restored */
	uint64_t value; /* write: the value; rmw: the new bits; read with mask: the expected bits;
			   read before the setup: the bits that must be 0, see unc_program_save() */
	uint64_t mask;  /* rmw: the bits to change; read: the bits to compare, if any */
};

static inline bool unc_is_msr(const struct unc_op *op)
{
	return op->space == UNCORE_MSR || op->space == UNCORE_CPU;
}

/* Whether two operations access the same register. */
static inline bool unc_same_register(const struct unc_op *a, const struct unc_op *b)
{
	return a->address == b->address && a->space == b->space && a->package == b->package &&
	       a->unit == b->unit;
}

/*
 * When an operation was carried out: between these times, ns by unc_hw_now(). after 0: not
 * carried out.
 */
struct unc_bracket {
	int64_t before, after;
};

#define UNC_SLOW_NS 10000 /* no access takes longer, unless the thread is descheduled */

/* The k-th of n operations that one call carries out one after another. */
static inline struct unc_bracket unc_bracket_part(struct unc_bracket all, unsigned k, unsigned n)
{
	const int64_t took = all.after - all.before;

	if (took > UNC_SLOW_NS * (int64_t)n)
		return all;
	return (struct unc_bracket){all.before + took * k / n, all.before + took * (k + 1) / n};
}

#endif
