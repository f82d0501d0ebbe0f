/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dmr.c - Diamond Rapids (docs/hardware/dmr.md): each die of the machine is a compute die, whose
 * table is located by MSR 0x710, with an I/O die, whose table is located by a PCI function.
 *
 * Types of boxes, two sorts of tables, freeze and ids are taken from Linux, which
 * has reported four SBo, DDA and ULA, two SB2UCIE and one SNCU on a compute die.  The numbers,
 * addresses and events of all other boxes are unpublished and invented here.
 */
#include "sim/discovery/discovered.h"

#define COMPUTE 0
#define IO      1

#define UNIT_CONTROL 0x400 /* offset in a page */

/* clang-format off */
#define MAPPED_AT(type_, table_, page_, counters, clock)                     \
	MMIO_UNIT(type_, UNIT_CONTROL, 4, 0x60, 0xc8), .table = (table_),    \
	.page = (page_), .n_counters = (counters), .control_bits = UNIT_CTL, \
	.clock_hz = (clock), .events = &sim_spr_any
#define MAPPED(type_, table_, page_)                                         \
	MAPPED_AT(type_, table_, page_, 4, sim_uclk)

#define PORT(type_)                                                          \
	PCI_UNIT(type_, 0x620, 0x674, 0x630, 0x650), .table = IO,            \
	.n_counters = 4, .control_bits = UNIT_CTL | UNIT_EXT(0xffffff),      \
	.clock_hz = sim_uclk, .events = &sim_spr_any
/* clang-format on */

static const struct sim_kind kinds[] = {
	{MAPPED(0x1f, COMPUTE, 0x100000), .name = "cbo", .count = sim_discovered_cha_count},
	{MAPPED(0x20, COMPUTE, 0x200000), .name = "santa", .n_boxes = 2},
	{MAPPED(0x21, COMPUTE, 0x210000), .name = "cncu", .n_boxes = 1},
	{MAPPED(0x22, COMPUTE, 0x220000), .name = "sncu", .n_boxes = 1},
	{MAPPED(0x23, COMPUTE, 0x230000), .name = "ula", .n_boxes = 4},
	{MAPPED(0x24, COMPUTE, 0x240000), .name = "dda", .n_boxes = 4},
	{MAPPED(0x25, COMPUTE, 0x250000), .name = "sb2ucie", .n_boxes = 2},
	{MAPPED(0x26, COMPUTE, 0x260000), .name = "sbo", .n_boxes = 4},
	{MAPPED_AT(0x04, IO, 0x300000, 4, sim_pclk), .name = "pcu", .n_boxes = 1},
	{MAPPED(0x05, IO, 0x310000), .name = "ubox", .n_boxes = 1},
	{MAPPED_AT(0x06, IO, 0x320000, 4, sim_dclk), .name = "imc", .n_boxes = 8,
	 .fixed_ctl = UNIT_CONTROL + 0x10, .fixed_ctr = UNIT_CONTROL + 0x18, .fixed_width = 48,
	 .fixed_bits = SIM_CTL_EN | CTL_OVF},
	{MAPPED(0x13, IO, 0x330000), .name = "mse", .n_boxes = 4},
	{MAPPED(0x17, IO, 0x340000), .name = "sca", .n_boxes = 4},
	{MAPPED_AT(0x18, IO, 0x350000, 8, sim_uclk), .name = "cxlcm", .n_boxes = 4},
	{MAPPED(0x1e, IO, 0x360000), .name = "hamvf", .n_boxes = 8},
	{MAPPED(0x2b, IO, 0x370000), .name = "ubr", .n_boxes = 2},
	{MAPPED(0x2e, IO, 0x380000), .name = "crs", .n_boxes = 2},
	{MAPPED(0x2f, IO, 0x390000), .name = "cpc", .n_boxes = 2},
	{MAPPED(0x30, IO, 0x3a0000), .name = "itc", .n_boxes = 4},
	{MAPPED(0x31, IO, 0x3b0000), .name = "otc", .n_boxes = 4},
	{MAPPED(0x32, IO, 0x3c0000), .name = "cms", .n_boxes = 8},
	{MAPPED(0x39, IO, 0x3d0000), .name = "type57", .n_boxes = 2},
	{PORT(0x2d), .name = "pcie4", .n_boxes = 1},
	{PORT(0x33), .name = "pcie6", .n_boxes = 4},
};

static const struct sim_function functions[] = {
	{0x09a1, DEVFN(3, 1), NULL, 0, false, NULL, 0, 1, IO + 1},
	BOX_ON(2, 0x0dd0, 1, 0, "pcie6", 0),
	BOX_ON(2, 0x0dd0, 2, 0, "pcie6", 1),
	BOX_ON(2, 0x0dd0, 3, 0, "pcie6", 2),
	BOX_ON(2, 0x0dd0, 4, 0, "pcie6", 3),
	BOX_ON(2, 0x0dd6, 5, 0, "pcie4", 0),
};

static const uint16_t broken[] = {0x13, 0x25, 0};

static const struct sim_discovery discovery = {
	.tables = 2,
	.stride = 4,
	.bar = 0,
	.wide = true,
	.tpmi = true,
	.tpmi_bar = 2,
	.frozen = 1 << COMPUTE,
	.segments = true,
	.address = UINT64_C(0x20ffff00000),
	.package_step = UINT64_C(0x20000000000),
	.table_step = 0x40000,
	.registers = UINT64_C(0x20800000000),
	.registers_step = UINT64_C(0x20000000000),
	.broken = broken,
	.table_msr = 0x710,
	.control_page = 0x80000,
	.later_ids = 0x8000,
};

const struct sim_platform sim_dmr = {
	.name = "dmr",
	.id = {"GenuineIntel", 19, 1, 1},
	.core = P_CORE,
	.max_dies = 2,
	.max_cores = 64,
	.packages = 2,
	.cores = 32,
	.kinds = kinds,
	.n_kinds = N_OF(kinds),
	.functions = functions,
	.n_functions = N_OF(functions),
	.others = sim_others,
	.n_others = N_OF(sim_others),
	.traffic = sim_traffic_cxl,
	.discovery = &discovery,
};
