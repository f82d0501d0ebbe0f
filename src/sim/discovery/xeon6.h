/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6.h - boxes of gnr, srf and cwf (docs/hardware/gnr.md).  Each package has two discovery
 * tables: one of the compute dies, one of the I/O dies.  The platform's table
 * adds the number of boxes of each kind.
 */
#ifndef SIM_XEON6_H
#define SIM_XEON6_H

#include "sim/discovery/discovered.h"

#define XEON6_COMPUTE 0
#define XEON6_IO      1

/* Memory-mapped units, relative to the registers of a package. */
#define XEON6_CHANNEL 0x24e800
#define XEON6_LINK    0x400 /* offset of the unit control in a page */

/* clang-format off */
#define XEON6_CHA                                                       \
	MSR_UNIT(0, 0x2000), .name = "cha", .table = XEON6_COMPUTE,     \
	.n_counters = 4, .filter = 0x200e, .filter_bits = 0x3ff,        \
	.control_bits = UNIT_CTL | UNIT_CTL_TID | UNIT_EXT(0xffffffff), \
	.layout = &sim_discovered_cha_filter, .clock_hz = sim_die_clk,  \
	.events = &sim_gnr_cha

#define XEON6_IIO                                                       \
	MSR_UNIT_WIDE(1, 0x2900), .name = "iio", .table = XEON6_IO,     \
	.n_boxes = 16, .n_counters = 4,                                 \
	.control_bits = UNIT_CTL | UNIT_EXT(0x7ffff),                   \
	.threshold_mask = 0xfff, .free = sim_xeon6_iio_free,            \
	.n_free = 3, .clock_hz = sim_uclk,                              \
	.events = &sim_gnr_iio

#define XEON6_IRP                                                       \
	MSR_UNIT(2, 0x2a00), .name = "irp", .table = XEON6_IO,          \
	.n_boxes = 16, .n_counters = 4,                                 \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_uclk, .events = &sim_gnr_irp

#define XEON6_PCU                                                       \
	MSR_UNIT(4, 0x3f00), .name = "pcu", .table = XEON6_COMPUTE,     \
	.count = sim_xeon6_pcu_count, .by_die = true,                   \
	.n_counters = 4, .control_bits = UNIT_CTL,                      \
	.clock_hz = sim_pclk, .events = &sim_gnr_pcu

#define XEON6_UBOX                                                      \
	MSR_UNIT(5, 0x3ff0), .name = "ubox", .table = XEON6_IO,         \
	.n_boxes = 1, .n_counters = 2, .control_bits = UNIT_CTL,        \
	.fixed_ctl = 0x3ffe, .fixed_ctr = 0x3ffd, .fixed_width = 48,    \
	.fixed_bits = SIM_CTL_EN | CTL_OVF, .clock_hz = sim_uclk,       \
	.events = &sim_gnr_ubox

#define XEON6_IMC                                                                    \
	CHANNEL_UNIT(6, XEON6_CHANNEL), CHANNEL_FIXED(XEON6_CHANNEL),                \
	.name = "imc", .table = XEON6_COMPUTE, .address = sim_xeon6_channel_address, \
	.events = &sim_gnr_imc

#define XEON6_UPI                                                       \
	PCI_UNIT(8, 0x318, 0x37c, 0x350, 0x320), .name = "upi",         \
	.table = XEON6_IO, .n_boxes = 6, .n_counters = 4,               \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_qclk, SIM_LINK(192, 24, 8), .events = &sim_gnr_upi

#define XEON6_CXLCM                                                     \
	MMIO_UNIT(12, XEON6_LINK, 8, 0x80, 0xc8), .name = "cxlcm",      \
	.table = XEON6_IO, .n_boxes = 4, .n_counters = 8,               \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.address = sim_xeon6_cxlcm_address, .clock_hz = sim_uclk,       \
	.events = &sim_gnr_cxlcm

#define XEON6_CXLDP                                                     \
	MMIO_UNIT(13, XEON6_LINK, 8, 0x8, 0x60), .name = "cxldp",       \
	.table = XEON6_IO, .n_boxes = 4, .n_counters = 4,               \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.address = sim_xeon6_cxldp_address, .clock_hz = sim_uclk,       \
	.events = &sim_gnr_cxldp

#define XEON6_B2HOT(first)                                              \
	MSR_UNIT(15, first), .name = "b2hot", .table = XEON6_IO,        \
	.n_counters = 4, .control_bits = UNIT_CTL,                      \
	.clock_hz = sim_uclk, .events = &sim_gnr_clock

#define XEON6_B2CMI                                                     \
	PCI_UNIT(16, 0x438, 0x4a8, 0x468, 0x440), .name = "b2cmi",      \
	.table = XEON6_COMPUTE, .n_counters = 4,                        \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_die_clk, .events = &sim_gnr_b2cmi

#define XEON6_B2CXL                                                     \
	MMIO_UNIT(17, XEON6_LINK, 8, 0x8, 0x60), .name = "b2cxl",       \
	.table = XEON6_IO, .n_counters = 4,                             \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.address = sim_xeon6_b2cxl_address, .clock_hz = sim_uclk,       \
	.events = &sim_gnr_clock

#define XEON6_B2UPI                                                     \
	PCI_UNIT(18, 0x408, 0x478, 0x430, 0x410), .name = "b2upi",      \
	.table = XEON6_IO, .n_boxes = 6, .n_counters = 4,               \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_uclk, .events = &sim_gnr_clock

#define XEON6_TYPE19                                                    \
	PCI_UNIT(19, 0x500, 0x54c, 0x510, 0x530), .name = "type19",     \
	.table = XEON6_COMPUTE, .n_boxes = 2, .n_counters = 2,          \
	.control_bits = UNIT_CTL, .clock_hz = sim_uclk,                 \
	.events = &sim_spr_any

#define XEON6_MDF_SBO                                                    \
	MSR_UNIT(20, 0x3100), .name = "mdf_sbo", .table = XEON6_COMPUTE, \
	.n_counters = 4, .control_bits = UNIT_CTL,                       \
	.clock_hz = sim_die_clk, .events = &sim_gnr_mdf

#define XEON6_PCIEX16                                                   \
	PCI_UNIT(21, 0x620, 0x674, 0x630, 0x650), .name = "pciex16",    \
	.table = XEON6_IO, .n_counters = 4,                             \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_uclk, .events = &sim_spr_any

#define XEON6_PCIEX8                                                    \
	PCI_UNIT(22, 0x620, 0x674, 0x630, 0x650), .name = "pciex8",     \
	.table = XEON6_IO, .n_counters = 4,                             \
	.control_bits = UNIT_CTL | UNIT_EXT(0xffffff),                  \
	.clock_hz = sim_uclk, .events = &sim_spr_any

/* All PCI functions except the root ports; b2cmi 8 to 11 only on machines with 12 channels. */
#define XEON6_FUNCTIONS                                                 \
	PLAIN(2, 0x09a2, 0, 0),                                         \
	PLAIN(1, 0x09a6, 3, 0),                                         \
	TABLE(1, 3, 1, 1),                                              \
	TABLE(2, 3, 1, 2),                                              \
	BOX(0x3258, 5, 1, "b2cmi", 0),                                  \
	BOX(0x3258, 5, 2, "b2cmi", 1),                                  \
	BOX(0x3258, 5, 3, "b2cmi", 2),                                  \
	BOX(0x3258, 5, 4, "b2cmi", 3),                                  \
	BOX(0x3258, 5, 5, "b2cmi", 4),                                  \
	BOX(0x3258, 5, 6, "b2cmi", 5),                                  \
	BOX(0x3258, 5, 7, "b2cmi", 6),                                  \
	BOX(0x3258, 6, 1, "b2cmi", 7),                                  \
	BOX(0x3258, 6, 2, "b2cmi", 8),                                  \
	BOX(0x3258, 6, 3, "b2cmi", 9),                                  \
	BOX(0x3258, 6, 4, "b2cmi", 10),                                 \
	BOX(0x3258, 6, 5, "b2cmi", 11),                                 \
	BOX(0x325d, 11, 0, "type19", 0),                                \
	BOX(0x325d, 12, 0, "type19", 1),                                \
	BOX(0x3241, 16, 1, "upi", 0),                                   \
	BOX(0x3241, 17, 1, "upi", 1),                                   \
	BOX(0x3241, 18, 1, "upi", 2),                                   \
	BOX(0x3241, 19, 1, "upi", 3),                                   \
	BOX(0x3241, 20, 1, "upi", 4),                                   \
	BOX(0x3241, 21, 1, "upi", 5),                                   \
	BOX(0x3257, 24, 0, "b2upi", 0),                                 \
	BOX(0x3257, 25, 0, "b2upi", 1),                                 \
	BOX(0x3257, 26, 0, "b2upi", 2),                                 \
	BOX(0x3257, 27, 0, "b2upi", 3),                                 \
	BOX(0x3257, 28, 0, "b2upi", 4),                                 \
	BOX(0x3257, 29, 0, "b2upi", 5)

#define XEON6_TABLES                                                                               \
	.tables = 2, .wide = true, .frozen = 3, .segments = true, .status_offset = 4, .tpmi = true,           \
	.control = {0x3fc0, 0x3fd0}, .table_step = 0x40000, .registers = UINT64_C(0x204400000000), \
	.registers_step = UINT64_C(0x20000000000)

#define XEON6_PLATFORM                                                                      \
	.kinds = kinds, .n_kinds = N_OF(kinds), .functions = functions,                     \
	.n_functions = N_OF(functions), .others = sim_others, .n_others = N_OF(sim_others), \
	.global = {.config = 0x3fed}, .traffic = sim_traffic_cxl, .packages = 2,            \
	.constant = sim_xeon6_constant

/* E-cores have three fixed counters, and those of Clearwater Forest are assumed to be the same. */
#define E_CORE                                                          \
	{                                                               \
		.version = 5, .counters = 8, .width = 48, .fixed = 3,   \
		.fixed_width = 48, .events = 8, .slots = 6,             \
		.any_gone = true, .trace = true,                        \
		.select_more = SIM_CORE_ADAPTIVE,                       \
		.fixed_more = UINT64_C(0x111) << 32,                    \
		.capabilities = 0xc4c5 | SIM_CORE_FULL_WIDTH,           \
		.bus_hz = 25 * SIM_MHZ,                                 \
	}
/* clang-format on */

/* A PCU for each die: those with cores, and two for I/O. */
unsigned sim_xeon6_pcu_count(const struct sim *sim);

/* Config space of the functions that name the root buses of a package, and the package. */
uint32_t sim_xeon6_constant(const struct sim *sim, unsigned package, uint16_t device,
			    uint32_t offset);

extern const struct sim_free sim_xeon6_iio_free[3];

uint64_t sim_xeon6_channel_address(const struct sim *sim, unsigned package, unsigned index);
uint64_t sim_xeon6_cxlcm_address(const struct sim *sim, unsigned package, unsigned index);
uint64_t sim_xeon6_cxldp_address(const struct sim *sim, unsigned package, unsigned index);
uint64_t sim_xeon6_b2cxl_address(const struct sim *sim, unsigned package, unsigned index);

#endif
