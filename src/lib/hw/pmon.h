/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmon.h - the map of PMON registers of this machine: the last check before a write.  Nothing
 * else is ever written, whatever the caller.  Reads are not checked.
 */
#ifndef UNC_PMON_H
#define UNC_PMON_H

#include "base/index.h"
#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A register that may be written. */
struct unc_pmon_register {
	/* the key */
	uint64_t address;
	uint16_t unit;   /* MSR: the package; PCI and MMIO: as unc_op.unit; a CPU's: 0 */
	uint8_t space;   /* enum uncore_space */
	uint8_t width;   /* of the access */
	bool shared;     /* its other bits belong to other users; otherwise they are reserved */
	uint64_t bits;   /* that a write may change */
	uint64_t starts; /* those of them that enable counting, or report an overflow */
};

struct unc_pmon {
	size_t n, room;
	bool failed; /* out of memory: the map is incomplete */
	struct unc_pmon_register *reg;
	struct unc_index index;
};

/* The key of the register that an operation accesses. */
struct unc_pmon_register unc_pmon_key(const struct unc_op *op);

/* If the register is already in the map, the bits are added. */
void unc_pmon_add(struct unc_pmon *map, const struct unc_pmon_register *reg);
void unc_pmon_free(struct unc_pmon *map);

/* The register of an operation, or NULL. */
const struct unc_pmon_register *unc_pmon_find(const struct unc_pmon *map, const struct unc_op *op);

/*
 * Whether a write or rmw is allowed: 0, -UNC_NOT_PMON, or the error of a read if that depends
 * on the old value.  Signal-safe.
 */
int unc_pmon_check(struct unc_hw *hw, const struct unc_op *op);
/* The same without reading the register: false if it would have to be read. */
bool unc_pmon_certain(const struct unc_hw *hw, const struct unc_op *op);

/* Explain why a write was refused. */
void unc_pmon_explain(const struct unc_hw *hw, const struct unc_op *op, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
