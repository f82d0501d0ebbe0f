/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place.h - the address of a register, the same for all processes; operations use indices of
 * one process.
 */
#ifndef UNC_PLACE_H
#define UNC_PLACE_H

#include "hw/pmon.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_place {
	uint8_t space, width;
	uint16_t package; /* logical; not part of the address, see `where` */
	/* PCI: segment << 16 | bus << 8 | device and function; CPU: its number; MSR: physical
	 * package */
	uint32_t where;
	uint64_t address;
};

/* -1, 0, 1: a total order of registers. */
int unc_place_compare(const struct unc_place *a, const struct unc_place *b);

/* The address of an operation. */
struct unc_place unc_place_of(const struct unc_topology *topo, const struct unc_op *op);
/*
 * The operation that reads a register; false: this machine does not have it, or it may not be
 * written.
 */
bool unc_place_op(const struct unc_topology *topo, const struct unc_pmon *pmon,
		  const struct unc_place *place, struct unc_op *op);

/*
 * The operation that restores the bits of `before` in a register that was read and held `held`:
 * only bits in the map, and none that enable counting. bits: the ones that were changed, 0:
 * all; false: there is nothing to write.
 */
bool unc_place_restoring(const struct unc_pmon *pmon, const struct unc_op *read, uint64_t held,
			 uint64_t bits, uint64_t before, struct unc_op *op);
/*
 * The operation that writes a value, regardless of the contents, in the bits of the map that do
 * not enable counting.
 */
struct unc_op unc_place_clearing(const struct unc_pmon *pmon, const struct unc_op *read,
				 uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
