/* SPDX-License-Identifier: BSD-3-Clause */
/* ubox_pcu_imc.h - U-Box, PCU and memory channel of SNB-EP to ICX. */
#ifndef UNC_UBOX_PCU_IMC_H
#define UNC_UBOX_PCU_IMC_H

#include "shared/controls.h"

/* clang-format off */
/*
 * The fixed counter follows its control.  The manuals of SNB-EP and IVT show a width of 44 bits and
 * state 48 (327043-001, 329468-002 table 2-9); differences of the lower 44 bits are right either way.
 */
#define UNC_UBO(fixed_ctl, fixed_width, ctl_, ctr_)                               \
	.name = "ubo", .sysfs_name = "ubox",                                           \
	.title = "U-Box: system configuration controller", UNC_LAYOUT_MSR,        \
	.count = UNC_COUNT_FIXED, .n_boxes = 1, .n_counters = 2,                  \
	.no_box_ctl = true, .ctl = (ctl_), .ctr = (ctr_), .max_inc = 1,           \
	.fixed = {.ctl = (fixed_ctl), .ctr = (fixed_ctl) + 1, .enable = 1u << 22, \
		  .width = (fixed_width), .code = 0xff, .coded = true}

#define UNC_PCU(box_ctl_, ctl_, ctr_)                                            \
	.name = "pcu", .sysfs_name = "pcu", .title = "PCU: power control unit",       \
	UNC_LAYOUT_MSR, .count = UNC_COUNT_FIXED, .n_boxes = 1, .n_counters = 4, \
	.width = 48, .box_ctl = (box_ctl_), .ctl = (ctl_), .ctr = (ctr_)

/* The fixed counter of a memory channel; 0xff is its pseudo event code. */
#define UNC_DCLK                                                                \
	.fixed = {.ctl = 0xf0, .ctr = 0xd0, .enable = 1u << 22, .width = 48,    \
		  .code = 0xff, .coded = true}

#define UNC_IMC                                                                   \
	.name = "imc", .sysfs_name = "imc", .title = "iMC: memory controller channel", \
	UNC_LAYOUT_PCI, .n_counters = 4, .width = 48, .max_inc = 64, UNC_DCLK

/* The four frequency bands of the PCU share one filter register. */
#define UNC_PCU_BANDS                                                           \
	.n_filters = 1, .filter_always = true, .fields = unc_pcu_fields,        \
	.needs = unc_pcu_needs, .families = unc_pcu_families

/* Default threshold of a frequency band event, in units of 100 MHz. */
#define UNC_BAND_DEFAULTS                                                           \
	{"UNC_P_FREQ_BAND0_CYCLES", "ff=12"}, {"UNC_P_FREQ_BAND1_CYCLES", "ff=20"}, \
	{"UNC_P_FREQ_BAND2_CYCLES", "ff=28"}, {"UNC_P_FREQ_BAND3_CYCLES", "ff=36"}
/* clang-format on */

extern const struct unc_filter unc_pcu_filters[]; /* HSX to ICX */
extern const struct unc_field unc_pcu_fields[];
extern const struct unc_need unc_pcu_needs[];
extern const struct unc_family unc_pcu_families[];
extern const struct unc_row unc_ubo_rows[];

#endif
