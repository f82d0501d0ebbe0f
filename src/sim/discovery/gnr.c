/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gnr.c - sixth generation Xeon (Granite Rapids, Sierra Forest): numbers of boxes, PCI
 * functions and discovery tables.
 */
#include "sim/discovery/xeon6.h"

static unsigned channel_count(const struct sim *sim)
{
	return sim->platform->channels;
}

static const struct sim_kind kinds[] = {
	{XEON6_CHA, .count = sim_discovered_cha_count},
	{XEON6_IIO},
	{XEON6_IRP},
	{XEON6_PCU},
	{XEON6_UBOX},
	{XEON6_IMC, .count = channel_count},
	{XEON6_UPI},
	{XEON6_CXLCM},
	{XEON6_CXLDP},
	{XEON6_B2HOT(0x3e40), .n_boxes = 4},
	{XEON6_B2CMI, .count = channel_count},
	{XEON6_B2CXL, .n_boxes = 4},
	{XEON6_B2UPI},
	{XEON6_TYPE19},
	{XEON6_MDF_SBO, .n_boxes = 40},
	{XEON6_PCIEX16, .n_boxes = 4},
	{XEON6_PCIEX8, .n_boxes = 2},
};

/* Root ports of both widths on the third bus. */
static const struct sim_function functions[] = {
	XEON6_FUNCTIONS,
	BOX_ON(3, 0x0db0, 1, 0, "pciex16", 0),
	BOX_ON(3, 0x0db0, 2, 0, "pciex16", 1),
	BOX_ON(3, 0x0db0, 3, 0, "pciex16", 2),
	BOX_ON(3, 0x0db0, 4, 0, "pciex16", 3),
	BOX_ON(3, 0x0db6, 5, 0, "pciex8", 0),
	BOX_ON(3, 0x0db6, 6, 0, "pciex8", 1),
};

static const struct sim_discovery gnr_discovery = {
	XEON6_TABLES,
	.stride = 4,
	.bar = 2,
	.enable = true,
	.address = UINT64_C(0x20bffff00000),
	.package_step = UINT64_C(0x20000000000),
};

static const struct sim_discovery srf_discovery = {
	XEON6_TABLES,
	.stride = 5,
	.bar = 4,
	.address = UINT64_C(0x209ffff00000),
	.package_step = UINT64_C(0x20000000000),
};

const struct sim_platform sim_gnr = {
	XEON6_PLATFORM,
	.name = "gnr",
	.id = {"GenuineIntel", 6, 173, 1},
	.core = P_CORE,
	.max_packages = SIM_PACKAGES,
	.max_cores = 128,
	.cores = 120,
	.dies = 3,
	.channels = 12,
	.config_boxes = sim_discovered_cha_count,
	.discovery = &gnr_discovery,
};

const struct sim_platform sim_srf = {
	XEON6_PLATFORM,
	.name = "srf",
	.id = {"GenuineIntel", 6, 175, 3},
	.core = E_CORE,
	.read_opcode = 0x104, /* DRD_OPT */
	.max_packages = 2,
	.max_cores = 144,
	.cores = 144,
	.dies = 1,
	.channels = 8,
	.config_boxes = sim_discovered_cha_count,
	.discovery = &srf_discovery,
};
