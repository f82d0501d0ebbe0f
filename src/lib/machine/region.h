/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region.h - a config space, or memory at an address, as struct unc_bytes; for src/lib/machine
 * only.
 */
#ifndef UNC_REGION_H
#define UNC_REGION_H

#include "machine/discovery.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_region {
	struct unc_hw *hw;
	struct unc_op op; /* the last one */
	int error;        /* its result */
	uint64_t base;    /* physical address */
};

/* The config space of a device; index into topology.pci. */
struct unc_region unc_region_config(const struct unc_machine *machine, struct unc_hw *hw,
				    unsigned device);
struct unc_region unc_region_memory(struct unc_hw *hw, unsigned package, uint64_t base);

/* For unc_bytes.read; `of` is the region. */
int unc_region_read_config(void *of, uint64_t offset, unsigned bits, uint64_t *value);
int unc_region_read_memory(void *of, uint64_t offset, unsigned bits, uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
