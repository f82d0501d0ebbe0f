/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh_boxes.h - MSR boxes shared by skx, knl and icx (docs/hardware/).  The platform's
 * table adds the differences.
 */
#ifndef SIM_MESH_BOXES_H
#define SIM_MESH_BOXES_H

#include "sim/mesh/mesh.h"
#include "sim/model/platform.h"

/* clang-format off */
#define MESH_UBOX                                                        \
	MSR_BLOCK, .name = "ubox", .n_boxes = 1, .n_counters = 2,        \
	.width = 48, .control = 0x705, .counter = 0x709,                 \
	.status = 0x708, .fixed_first = true, .threshold_mask = 0x1f,    \
	.fixed_ctl = 0x703, .fixed_ctr = 0x704, .fixed_width = 48,       \
	.summary = 1, .summary_boxes = 1, .clock_hz = sim_uclk

/* The fixed counter reports overflows; on icx this is likely but not verified (section 5). */
#define MESH_UBOX_TELLS                                                  \
	MESH_UBOX, .fixed_bits = SIM_CTL_EN | CTL_OVF, .fixed_reports = true

#define MESH_PCU                                                         \
	MSR_BLOCK, .name = "pcu", .n_boxes = 1, .n_counters = 4,         \
	.width = 48, .box_ctl = 0x710, .control = 0x711,                 \
	.counter = 0x717, .status = 0x716,                               \
	.occ_invert = UINT64_C(1) << 30, .occ_edge = UINT64_C(1) << 31,  \
	.summary = 2, .summary_boxes = 1, .clock_hz = sim_pclk

#define MESH_CHA                                                         \
	MSR_BLOCK, .name = "cha", .n_counters = 4, .width = 48,          \
	.threshold_mask = 0xff, .narrow = true, .clock_hz = sim_uclk

/* MSRs 0x700 and 0x702, wk_on_pmi and pmi_core_sel; the status differs. */
#define MESH_GLOBAL                                                      \
	.control = 0x700, .freeze = UINT64_C(1) << 63,                   \
	.unfreeze = UINT64_C(1) << 61,                                   \
	.bits = UINT64_C(1) << 62 | UINT32_MAX, .pmi = UINT32_MAX,       \
	.config = 0x702
/* clang-format on */

#endif
