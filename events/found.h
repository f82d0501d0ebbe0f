/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * found.h - what the platforms with discovery tables share: style D, box types of
 * Sapphire Rapids that its successors kept; docs/hardware/spr.md, docs/hardware/gnr.md.
 *
 * The registers of these types are offsets to the unit control.
 */
#ifndef UNC_EVENTS_FOUND_H
#define UNC_EVENTS_FOUND_H

#include "ep.h"
#include "spr/rows.h"

/* Control bits; docs/hardware/discovery.md, "Controls". */
#define UNC_FOUND_GENERIC 0xff84ffffu           /* event, umask, edge, invert, threshold */
#define UNC_FOUND_EXT24   0x00ffffffff84ffffull /* ... and 24 more bits of umask */
#define UNC_FOUND_CHA     0xffffffffff85ffffull /* ... 32, and tid_en */
#define UNC_FOUND_IIO     0x0007ffffff84ffffull /* threshold, channels and function class */
#define UNC_FOUND_TID_EN  (1u << 16)

/* clang-format off */
#define UNC_FOUND_TYPES_END {.number = UNC_UNNAMED, .like = &unc_found_unnamed}

/* The fixed counter of a memory channel. */
#define UNC_FOUND_DCLK                                                          \
	.fixed = {.ctl = 0x54, .ctr = 0x38, .enable = 1u << 22, .width = 48,    \
		  .code = 0xff, .coded = true}

/* The thread filter of a CHA. */
#define UNC_FOUND_CHA_FILTER                                                    \
	.filters = unc_found_cha_filters, .n_filters = 1,                       \
	.fields = unc_found_cha_fields, .needs = unc_found_cha_needs

/* CXL boxes have 64-bit controls at steps of 8, which no table tells. */
#define UNC_FOUND_CXLCM                                                         \
	.name = "cxlcm", .linux = "cxlcm",                                      \
	.title = "CXLCM: CXL.cache and CXL.mem of a port", .space = UNCORE_MMIO, \
	.ctl_step = 8, .event_mask = UNC_FOUND_EXT24, .max_inc = 255,           \
	.rules = unc_found_cxlcm_rules

#define UNC_FOUND_CXLDP                                                         \
	.name = "cxldp", .linux = "cxldp", .title = "CXLDP: CXL data path of a port", \
	.space = UNCORE_MMIO, .ctl_step = 8, .event_mask = UNC_FOUND_EXT24,     \
	.max_inc = 255

/* Counters of a PCIe stack that always run. */
#define UNC_FOUND_IIO_FREE                                                      \
	.name = "iio_free_running", .linux = "iio_free_running",                \
	.title = "IIO: counters of a PCIe stack that always run", UNC_EP_FREE,  \
	.space = UNCORE_MSR, .n_counters = 17, .width = 48, .max_inc = 2,       \
	.rows = unc_spr_iio_free_rows
/* clang-format on */

extern const struct unc_style unc_found_style;
extern const struct unc_box_type unc_found_unnamed;
extern const struct unc_modifier unc_found_cha_modifiers[], unc_found_iio_modifiers[];
extern const struct unc_filter unc_found_cha_filters[];
extern const struct unc_field unc_found_cha_fields[];
extern const struct unc_need unc_found_cha_needs[];
extern const struct unc_rule unc_found_cha_rules[], unc_found_cxlcm_rules[];

#endif
