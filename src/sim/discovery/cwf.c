/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cwf.c - Clearwater Forest: numbers of boxes, PCI functions and discovery tables.  The
 * kinds of boxes and their events are those of srf; numbers and ids are those reported by Linux on
 * such machines (docs/hardware/gnr.md, "Boxes"), or else those of gnr.
 */
#include "sim/discovery/xeon6.h"

/* A module of four cores has one CHA. */
static unsigned module_count(const struct sim *sim)
{
	return (sim->cores + 3) / 4;
}

static const uint8_t pciex16_ids[] = {1, 2, 3, 8};

static const struct sim_kind kinds[] = {
	{XEON6_CHA, .count = module_count},
	{XEON6_IIO},
	{XEON6_IRP},
	{XEON6_PCU},
	{XEON6_UBOX},
	{XEON6_IMC, .n_boxes = 12},
	{XEON6_UPI},
	{XEON6_CXLCM},
	{XEON6_CXLDP},
	{XEON6_B2HOT(0x2b00), .n_boxes = 20},
	{XEON6_B2CMI, .n_boxes = 12},
	{XEON6_B2CXL, .n_boxes = 16},
	{XEON6_B2UPI},
	{XEON6_TYPE19},
	{XEON6_MDF_SBO, .n_boxes = 80},
	{XEON6_PCIEX16, .n_boxes = N_OF(pciex16_ids), .ids = pciex16_ids},
	{XEON6_PCIEX8, .n_boxes = 1},
};

static const struct sim_function functions[] = {
	XEON6_FUNCTIONS,
	BOX_ON(3, 0x0db0, 1, 0, "pciex16", 0),
	BOX_ON(3, 0x0db0, 2, 0, "pciex16", 1),
	BOX_ON(3, 0x0db0, 3, 0, "pciex16", 2),
	BOX_ON(3, 0x0db0, 8, 0, "pciex16", 3),
	BOX_ON(3, 0x0db6, 5, 0, "pciex8", 0),
};

static const struct sim_discovery discovery = {
	XEON6_TABLES,
	.stride = 4,
	.bar = 2,
	.enable = true,
	.address = UINT64_C(0x207ffff00000),
	.package_step = UINT64_C(0x20000000000),
};

const struct sim_platform sim_cwf = {
	XEON6_PLATFORM,
	.name = "cwf",
	.id = {"GenuineIntel", 6, 221, 3},
	.core = E_CORE,
	.read_opcode = 0x104, /* DRD_OPT */
	.max_packages = 2,
	.max_cores = 288,
	.cores = 288,
	.dies = 3,
	.config_boxes = module_count,
	.discovery = &discovery,
};
