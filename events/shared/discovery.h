/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovery.h - shared by the platforms with discovery tables: style D, and box types of
 * Sapphire Rapids and its successors; docs/hardware/spr.md, docs/hardware/gnr.md.
 *
 * Register addresses of these types are offsets from the unit control.
 */
#ifndef UNC_SHARED_DISCOVERY_H
#define UNC_SHARED_DISCOVERY_H

#include "shared/controls.h"
#include "shared/overflow.h"

/* Control bits; docs/hardware/discovery.md, "Controls". */
#define UNC_DISCOVERY_GENERIC 0xff84ffffu           /* event, umask, edge, invert, threshold */
#define UNC_DISCOVERY_EXT24   0x00ffffffff84ffffull /* with 24 more bits of umask */
#define UNC_DISCOVERY_CHA     0xffffffffff85ffffull /* with 32 more bits of umask, and tid_en */
#define UNC_DISCOVERY_IIO     0x0007ffffff84ffffull /* threshold, channels and function class */
#define UNC_DISCOVERY_TID_EN  (1u << 16)

/* clang-format off */
#define UNC_DISCOVERY_TYPES_END {.number = UNC_UNNAMED, .like = &unc_discovery_unnamed}

/* The fixed counter of a memory channel. */
#define UNC_DISCOVERY_DCLK                                                      \
	.fixed = {.ctl = 0x54, .ctr = 0x38, .enable = 1u << 22, .width = 48,    \
		  .code = 0xff, .coded = true}

/* The thread filter of a CHA. */
#define UNC_DISCOVERY_CHA_FILTER                                                \
	.filters = unc_discovery_cha_filters, .n_filters = 1,                   \
	.fields = unc_discovery_cha_fields, .needs = unc_discovery_cha_needs

/* CXL boxes have 64-bit controls 8 bytes apart, which the tables do not describe. */
#define UNC_DISCOVERY_CXLCM                                                     \
	.name = "cxlcm", .sysfs_name = "cxlcm",                                      \
	.title = "CXLCM: CXL.cache and CXL.mem of a port", .space = UNC_IN_MMIO, \
	.ctl_step = 8, .event_mask = UNC_DISCOVERY_EXT24, .max_inc = 255,       \
	.rules = unc_discovery_cxlcm_rules

#define UNC_DISCOVERY_CXLDP                                                     \
	.name = "cxldp", .sysfs_name = "cxldp", .title = "CXLDP: CXL data path of a port", \
	.space = UNC_IN_MMIO, .ctl_step = 8, .event_mask = UNC_DISCOVERY_EXT24, \
	.max_inc = 255

/* Free-running counters of a PCIe stack. */
#define UNC_DISCOVERY_IIO_FREE                                                  \
	.name = "iio_free_running", .sysfs_name = "iio_free_running",                \
	.title = "IIO: counters of a PCIe stack that always run", UNC_LAYOUT_FREE, \
	.space = UNC_IN_MSR, .n_counters = 17, .width = 48, .max_inc = 2,       \
	.rows = unc_spr_iio_free_rows
/* clang-format on */

extern const struct unc_style unc_discovery_style;
extern const struct unc_overflow unc_discovery_overflow;
extern const struct unc_box_type unc_discovery_unnamed;
extern const struct unc_box_type *const unc_discovery_no_types[]; /* all are in the tables */
extern const struct unc_modifier unc_discovery_cha_modifiers[], unc_discovery_iio_modifiers[];
extern const struct unc_filter unc_discovery_cha_filters[];
extern const struct unc_field unc_discovery_cha_fields[];
extern const struct unc_need unc_discovery_cha_needs[];
extern const struct unc_rule unc_discovery_cha_rules[], unc_discovery_cxlcm_rules[];

#endif
