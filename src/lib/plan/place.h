/* SPDX-License-Identifier: BSD-3-Clause */
/* place.h - where a register is, for all processes on a machine; operations have numbers of one. */
#ifndef UNC_PLACE_H
#define UNC_PLACE_H

#include "hw/pmon.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_place {
	uint8_t space, width;
	uint16_t package; /* logical; it does not belong to the place: where tells */
	/* PCI: segment << 16 | bus << 8 | device and function; CPU: its number; MSR: physical
	 * package */
	uint32_t where;
	uint64_t address;
};

/* -1, 0, 1: an order of registers. */
int unc_place_compare(const struct unc_place *a, const struct unc_place *b);

/* Where an operation goes. */
struct unc_place unc_place_of(const struct unc_topology *topo, const struct unc_op *op);
/* The operation that reads a register; false: this machine has none such that may be written. */
bool unc_place_op(const struct unc_topology *topo, const struct unc_pmon *pmon,
		  const struct unc_place *place, struct unc_op *op);

/*
 * What gives back to a register that was read, and held so much, the bits of `before` that may be:
 * those of the map, and none that would let something count.  bits: that were changed, 0: all;
 * false: nothing is to be written.
 */
bool unc_place_restoring(const struct unc_pmon *pmon, const struct unc_op *read, uint64_t held,
			 uint64_t bits, uint64_t before, struct unc_op *op);
/* What writes a value, whatever the register holds, in the bits of the map that start nothing. */
struct unc_op unc_place_clearing(const struct unc_pmon *pmon, const struct unc_op *read,
				 uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
