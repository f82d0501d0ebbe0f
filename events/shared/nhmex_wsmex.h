/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_wsmex.h - shared by the Xeon 7500 (Nehalem-EX) and the Xeon E7 (Westmere-EX):
 * registers of all boxes, modifiers, and the boxes that are identical in both.
 *
 * Registers: docs/hardware/nhmex.md.
 */
#ifndef UNC_NHMEX_WSMEX_H
#define UNC_NHMEX_WSMEX_H

#include "shared/event_rows.h"
#include "shared/overflow.h"

/* clang-format off */
/* Control and counter registers alternate. */
#define UNC_EX_BOX                                                              \
	.space = UNC_IN_MSR, .ctl_width = 64, .width = 48, .ctl_step = 2, .ctr_step = 2

#define UNC_EX_UBOX                                                             \
	.name = "ubox", .sysfs_name = "ubox", .title = "U-Box: system configuration controller", \
	UNC_EX_BOX, .count = UNC_COUNT_FIXED, .n_boxes = 1, .n_counters = 1,    \
	.box_ctl = 0xc00, .ctl = 0xc10, .ctr = 0xc11, .event_mask = 0x400ff,    \
	.max_inc = 4, .modifiers = unc_ex_edge

#define UNC_EX_CBOX                                                             \
	.name = "cbox", .sysfs_name = "cbox", .title = "C-Box: last-level cache slice", \
	UNC_EX_BOX, .count = UNC_COUNT_CORES, .n_counters = 6, .box_ctl = 0xd00, \
	.ctl = 0xd10, .ctr = 0xd11, .offsets = unc_ex_cbox_offsets,             \
	.event_mask = 0xff84ffff, .max_inc = 64, .modifiers = unc_ex_threshold

#define UNC_EX_SBOX                                                             \
	.name = "sbox", .sysfs_name = "sbox", .title = "S-Box: caching agent, between ring and router", \
	UNC_EX_BOX, .count = UNC_COUNT_FIXED, .n_boxes = 2, .n_counters = 4,    \
	.box_ctl = 0xc40, .ctl = 0xc50, .ctr = 0xc51, .stride = 0x80,           \
	.event_mask = 0xff84ffff, .max_inc = 64, .modifiers = unc_ex_threshold, \
	.filters = unc_ex_sbox_filters, .n_filters = 3, .filter_by_event = true, \
	.fields = unc_ex_sbox_fields, .needs = unc_ex_sbox_needs,               \
	.qualifiers = unc_ex_sbox_qualifiers

/*
 * Sub-control registers of the M-Box in the order of Linux's shared registers,
 * followed by the address filter.
 */
enum {
	UNC_EX_DSP, UNC_EX_ISS, UNC_EX_MAP, UNC_EX_MSC_THR, UNC_EX_PGT, UNC_EX_PLD,
	UNC_EX_FVC, UNC_EX_MM_CFG, UNC_EX_ADDR_MATCH, UNC_EX_ADDR_MASK, UNC_EX_M_FILTERS
};
/* Fields: one per register (for FVC, the bits common to its events), then the four slots of FVC. */
enum { UNC_EX_FVC_SLOT = UNC_EX_M_FILTERS };

#define UNC_EX_SUB(register_, address_)                                         \
	{.name = "M_MSR_PMU_" register_, .address = (address_), .config = 1, .mask = 0xffffffff}
#define UNC_EX_M_FILTERS_(fvc_mask)                                             \
	[UNC_EX_DSP] = UNC_EX_SUB("DSP", 0xca5),                                \
	[UNC_EX_ISS] = UNC_EX_SUB("ISS", 0xca6),                                \
	[UNC_EX_MAP] = UNC_EX_SUB("MAP", 0xca7),                                \
	[UNC_EX_MSC_THR] = UNC_EX_SUB("MSC_THR", 0xca8),                        \
	[UNC_EX_PGT] = UNC_EX_SUB("PGT", 0xca9),                                \
	[UNC_EX_PLD] = {.name = "M_MSR_PMU_PLD", .address = 0xcaa, .config = 1, \
			.shift = 32, .mask = 0xffffffff},                       \
	[UNC_EX_FVC] = {.name = "M_MSR_PMU_ZDP_CTL_FVC", .address = 0xcab, .config = 1, \
			.mask = (fvc_mask)},                                      \
	[UNC_EX_MM_CFG] = {.name = "M_MSR_MM_CFG", .address = 0xe54, .stride = 8, \
			   .gate = true, .config = 2, .mask = UINT64_C(1) << 63}, \
	[UNC_EX_ADDR_MATCH] = {.name = "M_MSR_PMU_ADDR_MATCH", .address = 0xe55, \
			       .stride = 8, .config = 2, .mask = 0x3ffffffff},  \
	[UNC_EX_ADDR_MASK] = {.name = "M_MSR_PMU_ADDR_MASK", .address = 0xe56,  \
			      .stride = 8, .config = 2, .shift = 34, .mask = 0x7ffffff}

/* slot: the field of evnt0; each following one is 3 bits higher */
#define UNC_EX_M_FIELDS(common, slot)                                           \
	[UNC_EX_DSP] = {"DSP", UNC_EX_DSP, 0xffffffff},                         \
	[UNC_EX_ISS] = {"ISS", UNC_EX_ISS, 0xffffffff},                         \
	[UNC_EX_MAP] = {"MAP", UNC_EX_MAP, 0xffffffff},                         \
	[UNC_EX_MSC_THR] = {"MSC_THR", UNC_EX_MSC_THR, 0xffffffff},             \
	[UNC_EX_PGT] = {"PGT", UNC_EX_PGT, 0xffffffff},                         \
	[UNC_EX_PLD] = {"PLD", UNC_EX_PLD, 0xffffffff},                         \
	[UNC_EX_FVC] = {"FVC command or response", UNC_EX_FVC, common},         \
	[UNC_EX_MM_CFG] = {"address", UNC_EX_MM_CFG, UINT64_C(1) << 63},        \
	[UNC_EX_ADDR_MATCH] = {"address", UNC_EX_ADDR_MATCH, 0x3ffffffff},      \
	[UNC_EX_ADDR_MASK] = {"address mask", UNC_EX_ADDR_MASK, 0x7ffffff},     \
	[UNC_EX_FVC_SLOT] = {"FVC event 0", UNC_EX_FVC, slot},                  \
	[UNC_EX_FVC_SLOT + 1] = {"FVC event 1", UNC_EX_FVC, (slot) << 3},       \
	[UNC_EX_FVC_SLOT + 2] = {"FVC event 2", UNC_EX_FVC, (slot) << 6},       \
	[UNC_EX_FVC_SLOT + 3] = {"FVC event 3", UNC_EX_FVC, (slot) << 9}

/* The fields used by the values of inc_sel and, in flag mode, of set_flag_sel. */
#define UNC_EX_INC(sel, fields)  {(sel) << 9, 0x3e80, fields}
#define UNC_EX_FLAG(sel, fields) {(sel) << 19 | 0x80, 0x380080, fields}
#define UNC_EX_ADDRESS                                                          \
	(1 << UNC_EX_MM_CFG | 1 << UNC_EX_ADDR_MATCH | 1 << UNC_EX_ADDR_MASK)
#define UNC_EX_SLOT(n) (1 << UNC_EX_FVC | 1 << (UNC_EX_FVC_SLOT + (n)))
#define UNC_EX_M_NEEDS                                                          \
	UNC_EX_INC(0x00, 1 << UNC_EX_DSP), UNC_EX_INC(0x04, 1 << UNC_EX_MSC_THR), \
	UNC_EX_INC(0x05, 1 << UNC_EX_MSC_THR), UNC_EX_INC(0x09, 1 << UNC_EX_ISS), \
	UNC_EX_INC(0x0a, 1 << UNC_EX_ISS | 1 << UNC_EX_PLD | UNC_EX_ADDRESS),   \
	UNC_EX_INC(0x0b, 1 << UNC_EX_PLD | UNC_EX_ADDRESS),                     \
	UNC_EX_INC(0x0d, UNC_EX_SLOT(0)), UNC_EX_INC(0x0e, UNC_EX_SLOT(1)),     \
	UNC_EX_INC(0x0f, UNC_EX_SLOT(2)), UNC_EX_INC(0x10, UNC_EX_SLOT(3)),     \
	UNC_EX_INC(0x16, 1 << UNC_EX_PGT), UNC_EX_FLAG(0, 1 << UNC_EX_DSP),     \
	UNC_EX_FLAG(1, 1 << UNC_EX_ISS), UNC_EX_FLAG(5, 1 << UNC_EX_PGT),       \
	UNC_EX_FLAG(6, 1 << UNC_EX_MAP)

#define UNC_EX_MBOX                                                             \
	.name = "mbox", .sysfs_name = "mbox", .title = "M-Box: memory controller",   \
	.style = &unc_ex_low_style, UNC_EX_BOX, .count = UNC_COUNT_FIXED,       \
	.n_boxes = 2, .n_counters = 6, .box_ctl = 0xca0, .ctl = 0xcb0, .ctr = 0xcb1, \
	.stride = 0x40, .event_mask = 0x383efc, .max_inc = 64,                  \
	.n_filters = UNC_EX_M_FILTERS, .filter_by_event = true,                 \
	.families = unc_ex_mbox_families

#define UNC_EX_PLATFORM                                                         \
	.style = &unc_ex_style, .global = &unc_ex_global,          \
	.overflow = &unc_ex_overflow
/* clang-format on */

extern const struct unc_style unc_ex_style, unc_ex_low_style;
extern const struct unc_global unc_ex_global;
extern const struct unc_overflow unc_ex_overflow;
extern const struct unc_modifier unc_ex_edge[], unc_ex_threshold[];
extern const uint16_t unc_ex_cbox_offsets[];
extern const struct unc_filter unc_ex_sbox_filters[];
extern const struct unc_field unc_ex_sbox_fields[];
extern const struct unc_need unc_ex_sbox_needs[];
extern const struct unc_qualifier unc_ex_sbox_qualifiers[];
extern const struct unc_family unc_ex_mbox_families[];
extern const struct unc_box_type unc_ex_bbox, unc_ex_rbox, unc_ex_wbox;

#endif
