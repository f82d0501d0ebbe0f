/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * haswell_broadwell.h - shared by Haswell-EP and Broadwell-EP: the C-Box filters, the S-Box
 * start-up, the registers of the MSR boxes, the home agent's counters.
 */
#ifndef UNC_HASWELL_BROADWELL_H
#define UNC_HASWELL_BROADWELL_H

#include "shared/overflow.h"
#include "shared/ring.h"

/* clang-format off */
#define UNC_HSX_CBO                                                             \
	UNC_LAYOUT_MSR, .count = UNC_COUNT_CORES, .n_counters = 4, .width = 48, \
	.box_ctl = 0xe00, .ctl = 0xe01, .ctr = 0xe08, .stride = 0x10,           \
	.event_mask = 0xff8cffff, .max_inc = 20, .filters = unc_hsx_cbo_filters, \
	.n_filters = 2, .filter_always = true, .fields = unc_hsx_cbo_fields,    \
	.needs = unc_hsx_cbo_needs

#define UNC_HSX_SBO                                                             \
	UNC_LAYOUT_MSR, .count = UNC_COUNT_CAPID, .n_boxes = 4, .n_counters = 4, \
	.box_ctl = 0x720, .reset_steps = unc_hsx_sbo_steps, .ctl = 0x721,       \
	.ctr = 0x726, .stride = 0xa, .event_mask = 0xff8cffff, .max_inc = 20

#define UNC_HSX_PCU                                                             \
	UNC_PCU(0x710, 0x711, 0x717), .event_mask = 0xdfa4c0ff, .max_inc = 24, \
	.filters = unc_pcu_filters, UNC_PCU_BANDS

#define UNC_HSX_UBO                                                             \
	UNC_UBO(0x703, 48, 0x705, 0x709), .rows = unc_ubo_rows, .event_mask = 0x1f84ffff
/* clang-format on */

extern const struct unc_global unc_hsx_global;
extern const struct unc_filter unc_hsx_cbo_filters[];
extern const struct unc_field unc_hsx_cbo_fields[];
extern const struct unc_need unc_hsx_cbo_needs[];
extern const uint32_t unc_hsx_sbo_steps[];
extern const struct unc_rule unc_hsx_ha_rules[];
extern const uint16_t unc_hsx_irp_ctrs[];
extern const struct unc_overflow_at unc_hsx_overflow_at[];

#endif
