/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pmon.h - this machine's own map of PMON registers: the last guard before a write.
 * Whoever asks for it, nothing else is written.  Reads are not looked at.
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
	uint64_t address;
	uint64_t bits;   /* that a write may change */
	uint64_t starts; /* those of them that let a counter count, or tell of its overflow */
	uint16_t unit;   /* MSR: the package; PCI and MMIO: as unc_op.unit; a CPU's: 0 */
	uint8_t space;   /* enum uncore_space */
	uint8_t width;   /* of the access */
	bool shared;     /* its other bits are somebody else's; if not, they are reserved */
};

struct unc_pmon {
	size_t n, room;
	bool failed; /* out of memory: the map is not complete */
	struct unc_pmon_register *reg;
	struct unc_index index;
};

/* Operations go to a register by this. */
struct unc_pmon_register unc_pmon_key(const struct unc_op *op);

/* To one that is there already its bits are added. */
void unc_pmon_add(struct unc_pmon *map, const struct unc_pmon_register *reg);
void unc_pmon_free(struct unc_pmon *map);

/* The register of an operation, NULL: it is not in the map. */
const struct unc_pmon_register *unc_pmon_find(const struct unc_pmon *map, const struct unc_op *op);

/*
 * Whether a write or rmw may be carried out: 0, -UNC_NOT_PMON, or what the register is
 * read with where only its old value can tell.  Signal-safe.
 */
int unc_pmon_check(struct unc_hw *hw, const struct unc_op *op);
/* The same without a look at the register: false if it would take one, too. */
bool unc_pmon_certain(const struct unc_hw *hw, const struct unc_op *op);

/* What was refused, in a sentence. */
void unc_pmon_explain(const struct unc_hw *hw, const struct unc_op *op, char *text, size_t len);

#ifdef __cplusplus
}
#endif
#endif
