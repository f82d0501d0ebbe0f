/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hswep.h - boxes shared by hswep and bdx (docs/hardware/hswep.md, docs/hardware/bdx.md).  The
 * platform's table adds the differences.
 */
#ifndef SIM_HSWEP_H
#define SIM_HSWEP_H

#include "sim/ep/ring.h"
#include "sim/model/platform.h"

/* FILTER0: TID 5:0, LINK 9:6, state 23:17; FILTER1: NID 15:0, opcode 28:20, C6, NC, ISOC. */
#define HSX_CBOX_FILTER UINT64_C(0xfff0ffff00fe03ff)

/* clang-format off */
#define HSX_UBOX                                                            \
	MSR_BLOCK, .name = "ubox", .n_boxes = 1, .n_counters = 2,           \
	.control = 0x705, .counter = 0x709, .status = 0x708,                \
	.filter = 0x707, .filter_bits = 0x3f, .fixed_first = true,          \
	.control_bits = 0x1f84ffff | CTL_OVF, .threshold_mask = 0x1f,       \
	.fixed_ctl = 0x703, .fixed_ctr = 0x704, .fixed_width = 48,          \
	.fixed_bits = SIM_CTL_EN | CTL_OVF, .fixed_reports = true,            \
	.summary = 1, .summary_boxes = 1, .clock_hz = sim_uclk

#define HSX_CBOX                                                            \
	MSR_BLOCK, .name = "cbox", .n_counters = 4, .width = 48,            \
	.box_ctl = 0xe00, .control = 0xe01, .counter = 0xe08,               \
	.status = 0xe07, .stride = 0x10, .filter = 0xe05,                   \
	.filter_high = 0xe06, .filter_bits = HSX_CBOX_FILTER,               \
	.control_bits = 0xff8cffff | CTL_OVF, .threshold_mask = 0xff,       \
	.narrow = true, .companion = COUNTER0_OCCUPANCY,                    \
	.summary = 3, .summary_boxes = 18, .clock_hz = sim_uclk

#define HSX_SBOX                                                            \
	MSR_BLOCK, .name = "sbox", .n_counters = 4, .box_ctl = 0x720,       \
	.control = 0x721, .counter = 0x726, .status = 0x725,                \
	.stride = 0xa, .control_bits = 0xff8cffff | CTL_OVF,                \
	.threshold_mask = 0xff, .bitwise = true, .summary_none = true,      \
	.clock_hz = sim_uclk

#define HSX_PCU                                                             \
	MSR_BLOCK, .name = "pcu", .n_boxes = 1, .n_counters = 4,            \
	.width = 48, .box_ctl = 0x710, .control = 0x711, .counter = 0x717,  \
	.status = 0x716, .filter = 0x715, .filter_bits = 0xffffffff,        \
	.control_bits = 0xdf84c0ff | CTL_OVF, .threshold_mask = 0x1f,       \
	.occ_invert = UINT64_C(1) << 30, .occ_edge = UINT64_C(1) << 31,     \
	.summary = 2, .summary_boxes = 1, .clock_hz = sim_pclk

#define HSX_HA                                                              \
	PCI_BLOCK, .name = "ha", .n_boxes = 2, .n_counters = 4,             \
	.width = 48, .control_bits = CTL_PLAIN, .summary = 21,              \
	.summary_boxes = 2, .clock_hz = sim_uclk

#define HSX_IMC                                                             \
	PCI_BLOCK, .name = "imc", .n_boxes = 8, .n_counters = 4,            \
	.width = 48, .control_bits = CTL_PLAIN, .fixed_ctl = 0xf0,          \
	.fixed_ctr = 0xd0, .fixed_width = 48,                               \
	.fixed_bits = SIM_CTL_EN | UINT64_C(1) << 19, .fixed_first = true,  \
	.summary = 23, .summary_boxes = 8, .summary_share = 4,              \
	.clock_hz = sim_dclk

#define HSX_IRP                                                             \
	PCI_BLOCK, .name = "irp", .n_boxes = 1, .n_counters = 4,            \
	.halves = true, .width = 48, .control_bits = CTL_PLAIN,             \
	.summary = 34, .summary_boxes = 1, .clock_hz = sim_uclk

#define HSX_QPI                                                             \
	PCI_BLOCK, .name = "qpi", .n_boxes = 3, .n_counters = 4,            \
	.width = 48, .control_bits = CTL_PLAIN | CTL_EXT, .summary = 25,    \
	.summary_boxes = 2, .clock_hz = sim_qclk, SIM_LINK(80, 20, 4)

#define HSX_R2PCIE                                                          \
	PCI_BLOCK, .name = "r2pcie", .n_boxes = 1, .n_counters = 4,         \
	.width = 48, .control_bits = CTL_PLAIN, .summary = 29,              \
	.summary_boxes = 1, .clock_hz = sim_uclk

#define HSX_R3QPI                                                           \
	PCI_BLOCK, .name = "r3qpi", .n_boxes = 3, .n_counters = 3,          \
	.control_bits = CTL_PLAIN, .summary = 27, .summary_boxes = 2,       \
	.clock_hz = sim_uclk

/* The same functions with the ids of the two generations: 0x2fXX and 0x6fXX. */
#define HSX_FUNCTIONS(id)                                                   \
	BOX_ON(1, (id) | 0x39, 5, 6, "irp", 0),                             \
	BOX((id) | 0x32, 8, 2, "qpi", 0),                                   \
	EXTRA((id) | 0x86, 8, 6, "qpi", 0, sim_qpi_match),                  \
	BOX((id) | 0x33, 9, 2, "qpi", 1),                                   \
	EXTRA((id) | 0x96, 9, 6, "qpi", 1, sim_qpi_match),                  \
	BOX((id) | 0x3a, 10, 2, "qpi", 2),                                  \
	BOX((id) | 0x36, 11, 1, "r3qpi", 0),                                \
	BOX((id) | 0x37, 11, 2, "r3qpi", 1),                                \
	BOX((id) | 0x3e, 11, 5, "r3qpi", 2),                                \
	BOX((id) | 0x34, 16, 1, "r2pcie", 0),                               \
	PLAIN(0, (id) | 0x1e, 16, 5),                                       \
	BOX_WITH((id) | 0x30, 18, 1, "ha", 0, sim_ha_match),                \
	BOX_WITH((id) | 0x38, 18, 5, "ha", 1, sim_ha_match),                \
	BOX((id) | 0xb0, 20, 0, "imc", 0),                                  \
	BOX((id) | 0xb1, 20, 1, "imc", 1),                                  \
	BOX((id) | 0xb4, 21, 0, "imc", 2),                                  \
	BOX((id) | 0xb5, 21, 1, "imc", 3),                                  \
	BOX((id) | 0xd0, 23, 0, "imc", 4),                                  \
	BOX((id) | 0xd1, 23, 1, "imc", 5),                                  \
	BOX((id) | 0xd4, 24, 0, "imc", 6),                                  \
	BOX((id) | 0xd5, 24, 1, "imc", 7),                                  \
	PLAIN(0, (id) | 0xc0, 30, 3)

/* MSRs 0x700 to 0x702: freeze, summary, configuration. */
#define HSX_GLOBAL                                                          \
	{                                                                   \
		.control = 0x700, .freeze = UINT64_C(1) << 31,              \
		.unfreeze = UINT64_C(1) << 29, .bits = 0x40ffffff,          \
		.pmi = 0xffffff,                                            \
		.status = {0x701}, .config = 0x702                          \
	}
/* clang-format on */

extern const struct sim_layout sim_hswep_filter;

/* CAPID4: bits 7:6 are 0 in the models with the fewest cores. */
#define HSX_CAPID4    0x94
#define HSX_FEW_CORES 8
uint32_t sim_hswep_capid4(const struct sim *sim);

#endif
