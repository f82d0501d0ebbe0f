/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gnr.c - sixth generation Xeon (Granite Rapids, Sierra Forest): boxes, PCI functions and
 * registers (docs/hardware/gnr.md).  Each package has two discovery
 * tables: one of the compute dies, one of the I/O dies, which have a PCU each.
 */
#include "portal.h"

#define COMPUTE 0
#define IO      1

/* Memory-mapped units, from where a package's registers begin. */
#define CHANNEL      0x24e800
#define CHANNEL_STEP UINT64_C(0x4000)
#define LINKS        0x400000
#define LINK         0x400 /* where the unit control is in a page */

static uint64_t channel_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_portal_registers(sim, package) + CHANNEL + index * CHANNEL_STEP;
}

static uint64_t cxlcm_address(const struct sim *sim, unsigned package, unsigned index)
{
	return sim_portal_registers(sim, package) + LINKS + index * UINT64_C(0x10000) + LINK;
}

static uint64_t cxldp_address(const struct sim *sim, unsigned package, unsigned index)
{
	return cxlcm_address(sim, package, index) + 0x2000;
}

static uint64_t b2cxl_address(const struct sim *sim, unsigned package, unsigned index)
{
	return cxlcm_address(sim, package, index) + 0x5000;
}

static unsigned channel_count(const struct sim *sim)
{
	return sim->platform == &sim_srf ? 8 : 12;
}

/* clang-format off */
static const struct sim_free iio_free[] = {
	{.first = 0x290e, .step = 1, .n = 1, .width = 48, .stride = 0x10,
	 .rate = sim_free_clock},
	{.first = 0x360e, .step = 0x10, .n = 8, .width = 48, .stride = 0x80,
	 .rate = sim_free_in_half_lines},
	{.first = 0x2e0e, .step = 0x10, .n = 8, .width = 48, .stride = 0x80,
	 .rate = sim_free_out_half_lines},
};

static const struct sim_kind kinds[] = {
	{
		MSR_UNIT(0, 0x2000),
		.name = "cha",
		.table = COMPUTE,
		.count = sim_portal_cha_count,
		.n_counters = 4,
		.filter = 0x200e,
		.filter_bits = 0x3ff,
		.control_bits = UNIT_CTL | UNIT_CTL_TID | UNIT_EXT(0xffffffff),
		.layout = &sim_portal_cha_filter,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_cha,
	},
	{
		MSR_UNIT_WIDE(1, 0x2900),
		.name = "iio",
		.table = IO,
		.n_boxes = 16,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0x7ffff),
		.threshold_mask = 0xfff,
		.free = iio_free,
		.n_free = N_OF(iio_free),
		.clock_hz = sim_uclk,
		.events = &sim_gnr_iio,
	},
	{
		MSR_UNIT(2, 0x2a00),
		.name = "irp",
		.table = IO,
		.n_boxes = 16,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_gnr_irp,
	},
	{
		MSR_UNIT(4, 0x3f00),
		.name = "pcu",
		.table = COMPUTE,
		.split = 1,
		.n_boxes = 2,
		.n_counters = 4,
		.control_bits = UNIT_CTL,
		.clock_hz = sim_pclk,
		.events = &sim_gnr_pcu,
	},
	{
		MSR_UNIT(5, 0x3ff0),
		.name = "ubox",
		.table = IO,
		.n_boxes = 1,
		.n_counters = 2,
		.control_bits = UNIT_CTL,
		.fixed_ctl = 0x3ffe,
		.fixed_ctr = 0x3ffd,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN | CTL_OVF,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_ubox,
	},
	{
		CHANNEL_UNIT(6, CHANNEL),
		CHANNEL_FIXED(CHANNEL),
		.name = "imc",
		.table = COMPUTE,
		.count = channel_count,
		.address = channel_address,
		.events = &sim_gnr_imc,
	},
	{
		PCI_UNIT(8, 0x318, 0x37c, 0x350, 0x320),
		.name = "upi",
		.table = IO,
		.n_boxes = 6,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_qclk,
		.events = &sim_gnr_upi,
	},
	{
		MMIO_UNIT(12, LINK, 8, 0x80, 0xc8),
		.name = "cxlcm",
		.table = IO,
		.n_boxes = 4,
		.n_counters = 8,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.address = cxlcm_address,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_cxlcm,
	},
	{
		MMIO_UNIT(13, LINK, 8, 0x8, 0x60),
		.name = "cxldp",
		.table = IO,
		.n_boxes = 4,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.address = cxldp_address,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_cxldp,
	},
	{
		MSR_UNIT(15, 0x3e40),
		.name = "b2hot",
		.table = IO,
		.n_boxes = 4,
		.n_counters = 4,
		.control_bits = UNIT_CTL,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_clock,
	},
	{
		PCI_UNIT(16, 0x438, 0x4a8, 0x468, 0x440),
		.name = "b2cmi",
		.table = COMPUTE,
		.count = channel_count,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_gnr_b2cmi,
	},
	{
		MMIO_UNIT(17, LINK, 8, 0x8, 0x60),
		.name = "b2cxl",
		.table = IO,
		.n_boxes = 4,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.address = b2cxl_address,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_clock,
	},
	{
		PCI_UNIT(18, 0x408, 0x478, 0x430, 0x410),
		.name = "b2upi",
		.table = IO,
		.n_boxes = 6,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_gnr_clock,
	},
	{
		PCI_UNIT(19, 0x500, 0x54c, 0x510, 0x530),
		.name = "type19",
		.table = COMPUTE,
		.n_boxes = 2,
		.n_counters = 2,
		.control_bits = UNIT_CTL,
		.clock_hz = sim_uclk,
		.events = &sim_spr_any,
	},
	{
		MSR_UNIT(20, 0x3100),
		.name = "mdf_sbo",
		.table = COMPUTE,
		.n_boxes = 40,
		.n_counters = 4,
		.control_bits = UNIT_CTL,
		.clock_hz = sim_uclk,
		.events = &sim_gnr_mdf,
	},
	{
		PCI_UNIT(21, 0x620, 0x674, 0x630, 0x650),
		.name = "pciex16",
		.table = IO,
		.n_boxes = 4,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_spr_any,
	},
	{
		PCI_UNIT(22, 0x620, 0x674, 0x630, 0x650),
		.name = "pciex8",
		.table = IO,
		.n_boxes = 2,
		.n_counters = 4,
		.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),
		.clock_hz = sim_uclk,
		.events = &sim_spr_any,
	},
};
/* clang-format on */

/* Root ports of both widths on the third bus; b2cmi 8 to 11 only where there are so many. */
static const struct sim_function functions[] = {
	TABLE(1, 3, 1, 1),
	TABLE(2, 3, 1, 2),
	BOX(0x3258, 5, 1, "b2cmi", 0),
	BOX(0x3258, 5, 2, "b2cmi", 1),
	BOX(0x3258, 5, 3, "b2cmi", 2),
	BOX(0x3258, 5, 4, "b2cmi", 3),
	BOX(0x3258, 5, 5, "b2cmi", 4),
	BOX(0x3258, 5, 6, "b2cmi", 5),
	BOX(0x3258, 5, 7, "b2cmi", 6),
	BOX(0x3258, 6, 1, "b2cmi", 7),
	BOX(0x3258, 6, 2, "b2cmi", 8),
	BOX(0x3258, 6, 3, "b2cmi", 9),
	BOX(0x3258, 6, 4, "b2cmi", 10),
	BOX(0x3258, 6, 5, "b2cmi", 11),
	BOX(0x325d, 11, 0, "type19", 0),
	BOX(0x325d, 12, 0, "type19", 1),
	BOX(0x3241, 16, 1, "upi", 0),
	BOX(0x3241, 17, 1, "upi", 1),
	BOX(0x3241, 18, 1, "upi", 2),
	BOX(0x3241, 19, 1, "upi", 3),
	BOX(0x3241, 20, 1, "upi", 4),
	BOX(0x3241, 21, 1, "upi", 5),
	BOX(0x3257, 24, 0, "b2upi", 0),
	BOX(0x3257, 25, 0, "b2upi", 1),
	BOX(0x3257, 26, 0, "b2upi", 2),
	BOX(0x3257, 27, 0, "b2upi", 3),
	BOX(0x3257, 28, 0, "b2upi", 4),
	BOX(0x3257, 29, 0, "b2upi", 5),
	BOX_ON(3, 0x0db0, 1, 0, "pciex16", 0),
	BOX_ON(3, 0x0db0, 2, 0, "pciex16", 1),
	BOX_ON(3, 0x0db0, 3, 0, "pciex16", 2),
	BOX_ON(3, 0x0db0, 4, 0, "pciex16", 3),
	BOX_ON(3, 0x0db6, 5, 0, "pciex8", 0),
	BOX_ON(3, 0x0db6, 6, 0, "pciex8", 1),
};

#define TABLES                                                                                     \
	.tables = 2, .wide = true, .frozen = true, .segments = true, .status_offset = 4,           \
	.control = {0x3fc0, 0x3fd0}, .table_step = 0x40000, .registers = UINT64_C(0x204400000000), \
	.registers_step = UINT64_C(0x20000000000)

static const struct sim_discovery gnr_discovery = {
	TABLES,
	.stride = 4,
	.bar = 2,
	.enable = true,
	.address = UINT64_C(0x20bffff00000),
	.package_step = UINT64_C(0x20000000000),
};

static const struct sim_discovery srf_discovery = {
	TABLES,
	.stride = 5,
	.bar = 4,
	.address = UINT64_C(0x209ffff00000),
	.package_step = UINT64_C(0x20000000000),
};

#define COMMON                                                                              \
	.kinds = kinds, .n_kinds = N_OF(kinds), .functions = functions,                     \
	.n_functions = N_OF(functions), .others = sim_others, .n_others = N_OF(sim_others), \
	.global = {.config = 0x3fed}, .config_boxes = sim_portal_cha_count,                 \
	.traffic = sim_traffic_wide, .packages = 2

const struct sim_platform sim_gnr = {
	COMMON,
	.name = "gnr",
	.id = {"GenuineIntel", 6, 173, 1},
	.max_packages = SIM_PACKAGES,
	.max_cores = 128,
	.cores = 120,
	.discovery = &gnr_discovery,
};

const struct sim_platform sim_srf = {
	COMMON,           .name = "srf", .id = {"GenuineIntel", 6, 175, 3}, .max_packages = 2,
	.max_cores = 144, .cores = 144,  .discovery = &srf_discovery,
};
