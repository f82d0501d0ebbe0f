/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * config.c - PCI config space: the boxes in it, and functions with information about
 * the machine.
 */
#include <errno.h>

#include "sim/pcie/pcie.h"

#define CONFIG_SIZE 4096

static size_t find_device(const struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn)
{
	size_t i;

	for (i = 0; i < sim->n_pci; i++) {
		const struct sim_pci *pci = &sim->pci[i];

		if (pci->segment == segment && pci->bus == bus && pci->devfn == devfn)
			break;
	}
	return i;
}

/* Which registers have an upper half: counters, and controls with more than 32 bits. */
static bool has_high(const struct sim_kind *kind, enum sim_reg reg)
{
	if (reg == SIM_REG_CONTROL)
		return kind->control_bits >> 32 != 0;
	return reg == SIM_REG_COUNTER || reg == SIM_REG_FIXED_CTR;
}

/* Decode a dword of config space; false: not a register of a box. */
static bool config_target(const struct sim_device *device, uint32_t offset, struct sim_ref *ref)
{
	const struct sim_function *function = device->function;

	*ref = (struct sim_ref){0};
	if (device->box == NULL)
		return false;
	for (unsigned i = 0; i < function->n_extra; i++) {
		if (function->extra[i].offset == offset) {
			*ref = (struct sim_ref){.reg = SIM_REG_EXTRA, .index = i};
			return true;
		}
	}
	if (!function->pmon)
		return false;
	if (sim_decode(device->box->kind, 0, offset, ref))
		return true;
	if (offset < 4 || !sim_decode(device->box->kind, 0, offset - 4, ref))
		return false;
	ref->high = true;
	return has_high(device->box->kind, ref->reg);
}

/* Registers of the package's node device: docs/hardware/README.md. */
static uint32_t node_dword(const struct sim *sim, unsigned package, uint32_t offset)
{
	uint32_t map = 0;

	if (offset == sim->platform->node_id)
		return 0x1f00 | package; /* only bits 2:0 are the node */
	if (offset == sim->platform->node_map)
		for (unsigned i = 0; i < sim->packages; i++)
			map |= i << 3 * i;
	return map;
}

static uint32_t plain_dword(const struct sim *sim, size_t device, uint32_t offset)
{
	const struct sim_platform *platform = sim->platform;
	const struct sim_pci *pci = &sim->pci[device];
	unsigned package = sim->devices[device].package;
	uint32_t value;

	if (offset == 0)
		return (uint32_t)pci->device << 16 | pci->vendor;
	if (offset == 8)
		return UINT32_C(0x08800007); /* class: other system peripheral */
	if (sim_pcie_config(sim, pci, package, offset, &value))
		return value;
	if (sim->devices[device].function == NULL)
		return 0;
	if (sim->devices[device].function->table != 0)
		return sim_discovery_config(sim, package, sim->devices[device].function->table - 1u,
					    offset);
	if (pci->device == platform->node_device)
		return node_dword(sim, package, offset);
	if (platform->constant != NULL)
		return platform->constant(sim, package, pci->device, offset);
	return 0;
}

static uint32_t read_dword(struct sim *sim, size_t device, uint32_t offset)
{
	struct sim_device *target = &sim->devices[device];
	struct sim_ref ref;

	if (!config_target(target, offset, &ref))
		return plain_dword(sim, device, offset);
	return sim_read_half(sim, target->box, ref);
}

static uint64_t existing(const struct sim_device *target, struct sim_ref ref)
{
	return ref.reg == SIM_REG_EXTRA ? target->function->extra[ref.index].mask
					: sim_box_bits(target->box, ref.reg);
}

static void write_dword(struct sim *sim, size_t device, uint32_t offset, uint32_t value,
			uint32_t bits)
{
	struct sim_device *target = &sim->devices[device];
	struct sim_ref ref;

	if (config_target(target, offset, &ref))
		sim_write_half(sim, target->box, ref, value, bits, existing(target, ref));
}

uint32_t sim_pci_bits(const struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn,
		      uint32_t offset)
{
	size_t device = find_device(sim, segment, bus, devfn);
	struct sim_ref ref;

	if (device == sim->n_pci || !config_target(&sim->devices[device], offset, &ref))
		return 0;
	return (uint32_t)(existing(&sim->devices[device], ref) >> (ref.high ? 32 : 0));
}

static int check_access(const struct sim *sim, size_t device, uint32_t offset, unsigned width)
{
	if (device == sim->n_pci)
		return -ENODEV;
	if (width != 8 && width != 16 && width != 32 && width != 64)
		return -EINVAL;
	/* 64 bits are two accesses and require only dword alignment. */
	if (offset % (width == 64 ? 4 : width / 8) != 0)
		return -EINVAL;
	return offset > CONFIG_SIZE - width / 8 ? -EINVAL : 0;
}

int sim_pci_read(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		 unsigned width, uint64_t *value)
{
	size_t device = find_device(sim, segment, bus, devfn);
	int err = check_access(sim, device, offset, width);

	if (err != 0)
		return err;
	*value = read_dword(sim, device, offset & ~UINT32_C(3)) >> offset % 4 * 8;
	if (width < 32)
		*value &= (UINT64_C(1) << width) - 1;
	if (width == 64)
		*value |= (uint64_t)read_dword(sim, device, offset + 4) << 32;
	return 0;
}

int sim_pci_write(struct sim *sim, uint16_t segment, uint8_t bus, uint8_t devfn, uint32_t offset,
		  unsigned width, uint64_t value)
{
	size_t device = find_device(sim, segment, bus, devfn);
	int err = check_access(sim, device, offset, width);
	unsigned shift = offset % 4 * 8;
	uint32_t bits = width >= 32 ? UINT32_MAX : ((UINT32_C(1) << width) - 1) << shift;

	atomic_fetch_add_explicit(&sim->writes, 1, memory_order_relaxed);
	if (err != 0)
		return err;
	write_dword(sim, device, offset & ~UINT32_C(3), (uint32_t)value << shift, bits);
	if (width == 64)
		write_dword(sim, device, offset + 4, (uint32_t)(value >> 32), UINT32_MAX);
	return 0;
}
