/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snbep.c - Xeon E5-2600 (SNB-EP): its boxes, PCI functions and registers
 * (docs/hardware/snbep.md).
 */
#include "sim/model/platform.h"

/* Box control: rst_ctrl, rst_ctrs, frz, frz_en. */
#undef BOX_BITS
#define BOX_BITS 0x10103

/* Filter: TID 4:0, NID 17:10, state 22:18, opcode 31:23. */
static const struct sim_layout cbox_filter = {
	.dialect = DIALECT_CBO,
	.thread_bits = 1,
	.core_bits = 4,
	.nid = 10,
	.nid_bits = 8,
	.state = 18,
	.states = "ISEMF",
	.opc = 23,
};

/* Common to all boxes in config space. */
#define PCI_BOX                                                                       \
	.access = SIM_BY_PCI, .n_counters = 4, .box_ctl = 0xf4, .box_bits = BOX_BITS, \
	.frz_en_needed = true, .control = 0xd8, .control_step = 4, .counter = 0xa0,   \
	.counter_step = 8, .threshold_mask = 0xff, .signal = sim_row_signal

/* clang-format off */
static const struct sim_kind kinds[] = {
	{
		.name = "ubox",
		.access = SIM_BY_MSR,
		.n_boxes = 1,
		.n_counters = 2,
		.width = 44,
		.control = 0xc10,
		.control_step = 1,
		.counter = 0xc16,
		.counter_step = 1,
		.control_bits = 0x1f84ffff,
		.threshold_mask = 0x1f,
		.fixed_ctl = 0xc08,
		.fixed_ctr = 0xc09,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN,
		.signal = sim_row_signal,
		.clock_hz = sim_uclk,
		.events = &sim_snbep_ubox,
	},
	{
		.name = "cbox",
		.access = SIM_BY_MSR,
		.n_counters = 4,
		.width = 44,
		.box_ctl = 0xd04,
		.box_bits = BOX_BITS, .frz_en_needed = true,
		.control = 0xd10,
		.control_step = 1,
		.counter = 0xd16,
		.counter_step = 1,
		.stride = 0x20,
		.filter = 0xd14,
		.filter_bits = 0xfffffc1f,
		.control_bits = 0xff8cffff,
		.threshold_mask = 0xff,
		.narrow = true,
		.companion = COUNTER0_OCCUPANCY,
		.layout = &cbox_filter,
		.signal = sim_row_signal,
		.clock_hz = sim_uclk,
		.events = &sim_snbep_cbox,
	},
	{
		.name = "pcu",
		.access = SIM_BY_MSR,
		.n_boxes = 1,
		.n_counters = 4,
		.width = 48,
		.box_ctl = 0xc24,
		.box_bits = BOX_BITS, .frz_en_needed = true,
		.control = 0xc30,
		.control_step = 1,
		.counter = 0xc36,
		.counter_step = 1,
		.filter = 0xc34,
		.filter_bits = 0xffffffff,
		.control_bits = 0xdfa4c0ff, /* bit 21: Intel's list has nine PCU events with it */
		.threshold_mask = 0x1f,
		.occ_invert = UINT64_C(1) << 30,
		.occ_edge = UINT64_C(1) << 31,
		.signal = sim_row_signal,
		.clock_hz = sim_pclk,
		.events = &sim_snbep_pcu,
	},
	{
		PCI_BOX,
		.name = "ha",
		.n_boxes = 1,
		.width = 48,
		.control_bits = 0xff84ffff,
		.clock_hz = sim_uclk,
		.events = &sim_snbep_ha,
	},
	{
		PCI_BOX,
		.name = "imc",
		.n_boxes = 4,
		.width = 48,
		.control_bits = 0xff84ffff,
		.fixed_ctl = 0xf0,
		.fixed_ctr = 0xd0,
		.fixed_width = 48,
		.fixed_bits = SIM_CTL_EN | UINT64_C(1) << 19,
		.clock_hz = sim_dclk,
		.events = &sim_snbep_imc,
	},
	{
		PCI_BOX,
		.name = "qpi",
		.n_boxes = 2,
		.width = 48,
		.control_bits = 0xffa4ffff,
		.clock_hz = sim_qclk,
		SIM_LINK(80, 20, 8),
		.events = &sim_snbep_qpi,
	},
	{
		PCI_BOX,
		.name = "r2pcie",
		.n_boxes = 1,
		.width = 44,
		.control_bits = 0xff84ffff,
		.clock_hz = sim_uclk,
		.events = &sim_snbep_r2pcie,
	},
	{
		.name = "r3qpi",
		.access = SIM_BY_PCI,
		.n_boxes = 2,
		.n_counters = 3,
		.width = 44,
		.box_ctl = 0xf4,
		.box_bits = BOX_BITS, .frz_en_needed = true,
		.control = 0xd8,
		.control_step = 4,
		.counter = 0xa0,
		.counter_step = 8,
		.control_bits = 0xff84ffff,
		.threshold_mask = 0xff,
		.signal = sim_row_signal,
		.clock_hz = sim_uclk,
		.events = &sim_snbep_r3qpi,
	},
};
/* clang-format on */

static const struct sim_function functions[] = {
	BOX(0x3c41, 8, 2, "qpi", 0),     EXTRA(0x3c86, 8, 6, "qpi", 0, sim_qpi_match),
	BOX(0x3c42, 9, 2, "qpi", 1),     EXTRA(0x3c96, 9, 6, "qpi", 1, sim_qpi_match),
	PLAIN(0, 0x3ce0, 11, 3),         BOX_WITH(0x3c46, 14, 1, "ha", 0, sim_ha_match),
	BOX(0x3cb0, 16, 0, "imc", 0),    BOX(0x3cb1, 16, 1, "imc", 1),
	BOX(0x3cb4, 16, 4, "imc", 2),    BOX(0x3cb5, 16, 5, "imc", 3),
	BOX(0x3c43, 19, 1, "r2pcie", 0), BOX(0x3c44, 19, 5, "r3qpi", 0),
	BOX(0x3c45, 19, 6, "r3qpi", 1),
};

const struct sim_platform sim_snbep = {
	.name = "snbep",
	.id = {"GenuineIntel", 6, 45, 7},
	.core = SNB_CORE,
	.max_packages = SIM_PACKAGES,
	.max_cores = 8,
	.packages = 2,
	.cores = 8,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.slices = {.device = 0x3ce8, .in_row = 4, .ways = 20},
	.node_device = 0x3ce0,
	.node_id = 0x40,
	.node_map = 0x54,
	.traffic = sim_traffic_ring,
};
