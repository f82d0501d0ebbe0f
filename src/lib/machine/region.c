/* SPDX-License-Identifier: BSD-3-Clause */
/* region.c - see region.h. */
#include "machine/region.h"

#include "hw/regs.h"

static int access(struct unc_region *r, uint64_t address, unsigned bits, uint64_t *value)
{
	r->op.address = address;
	r->op.width = (uint8_t)bits;
	r->error = unc_read_twice(r->hw, &r->op, value);
	return r->error;
}

int unc_region_read_config(void *of, uint64_t offset, unsigned bits, uint64_t *value)
{
	return access(of, offset, bits, value);
}

int unc_region_read_memory(void *of, uint64_t offset, unsigned bits, uint64_t *value)
{
	struct unc_region *r = of;
	const int map = unc_ask_mapping(r->hw, r->op.package, r->base + offset, bits / 8);

	r->op.address = r->base + offset;
	r->error = map;
	if (map < 0)
		return map;
	r->op.unit = (uint16_t)map;
	return access(r, r->base + offset, bits, value);
}

struct unc_region unc_region_config(const struct unc_machine *m, struct unc_hw *hw, unsigned device)
{
	return (struct unc_region){
		.hw = hw,
		.op = {.kind = UNCORE_READ,
		       .space = UNCORE_PCI,
		       .width = 32,
		       .devfn = m->topo.pci[device].devfn,
		       .unit = (uint16_t)device},
	};
}

struct unc_region unc_region_memory(struct unc_hw *hw, unsigned package, uint64_t base)
{
	return (struct unc_region){
		.hw = hw,
		.base = base,
		.op = {.kind = UNCORE_READ, .space = UNCORE_MMIO, .package = (uint16_t)package},
	};
}
