/* SPDX-License-Identifier: BSD-3-Clause */
/* discovery.c - shared by the platforms with discovery tables. */
#include "shared/discovery.h"

/*
 * docs/hardware/discovery.md.  Bit 8, which freezes on older processors, resets the
 * controls here.  The enable bit is not needed; it is set because other tools check
 * it.  A control with an event, or with the enable bit, is in use.
 */
const struct unc_style unc_discovery_style = {
	.run = 0x0,
	.freeze = 0x1,
	.reset = 0x201,
	.enable = 1u << 22,
	.busy = 1u << 22 | 0xffff,
	.no_enable = true,
};

/* ---- CHA ---- */

const struct unc_filter unc_discovery_cha_filters[] = {
	{.name = "CHA_MSR_PMON_BOX_FILTER0", .address = 0xe, .config = 1, .mask = 0x3ff},
};

const struct unc_field unc_discovery_cha_fields[] = {{"tid", 0, 0x3ff}};

const struct unc_need unc_discovery_cha_needs[] = {
	{UNC_DISCOVERY_TID_EN, UNC_DISCOVERY_TID_EN, 1 << 0},
	{0, 0, 0},
};

const struct unc_rule unc_discovery_cha_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULES_END,
};

/* The name is that of libpfm4 for the filter on other platforms. */
const struct unc_modifier unc_discovery_cha_modifiers[] = {
	UNC_E_I_T("[0-255]", UNC_THRESH8),
	{.name = "tf",
	 .text = "thread id filter [0-1023]",
	 .mask = 0x3ff,
	 .filter = true,
	 .with = UNC_DISCOVERY_TID_EN},
	{.name = ""},
};

/* ---- IIO, CXL ---- */

const struct unc_modifier unc_discovery_iio_modifiers[] = {
	UNC_E_I_T("[0-4095]", 0xfff000000),
	{.name = ""},
};

const struct unc_rule unc_discovery_cxlcm_rules[] = {
	UNC_RULE(0x02, 0x02, 0x0f), UNC_RULE(0x05, 0x05, 0x0f), UNC_RULE(0x40, 0x43, 0xf0),
	UNC_RULE(0x4b, 0x4b, 0xf0), UNC_RULE(0x52, 0x52, 0xf0), UNC_RULES_END,
};

/* ---- overflow ---- */

/* The bits that select cores are unknown: docs/hardware/README.md, "Freeze on overflow". */
const struct unc_overflow unc_discovery_overflow = {.enable = UNC_OV_EN};

/* ---- boxes without a name ---- */

/* The register layout common to all boxes of this style, as in Linux. */
const struct unc_box_type unc_discovery_unnamed = {
	.name = "type",
	.sysfs_name = "type",
	.title = "boxes that the discovery table calls type",
	.prefix = "uncore_",
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 255,
};

const struct unc_box_type *const unc_discovery_no_types[] = {NULL};
