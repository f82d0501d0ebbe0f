/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep.h - what the E5/E7 platforms from SNB-EP to BDX share: PCI register
 * layout, home agent and QPI match registers, PCU bands.
 */
#ifndef UNC_EP_H
#define UNC_EP_H

#include "box.h"

#define UNC_EV       0xff
#define UNC_EV_UMASK 0xffff

#define UNC_C0   0x1
#define UNC_C1   0x2
#define UNC_C01  0x3
#define UNC_C012 0x7
#define UNC_C23  0xc
#define UNC_C123 0xe

/* Control bits, docs/hardware/snbep.md, "Controls". */
#define UNC_EDGE    (1u << 18)
#define UNC_TID_EN  (1u << 19)
#define UNC_EXT     (1u << 21) /* bit 8 of the event code */
#define UNC_INVERT  (1u << 23)
#define UNC_THRESH8 (0xffu << 24)

/* A row of counter rules: codes lo to hi on these counters. */
/* clang-format off */
#define UNC_RULE(lo, hi, counters) {lo, hi, UNC_EV, counters, false}
#define UNC_RULES_END {0, 0, 0, 0, false}

/* One PCI function per box, the same offsets in all of them; docs/hardware/snbep.md. */
#define UNC_EP_PCI                                                              \
	.space = UNCORE_PCI, .count = UNC_COUNT_PCI, .ctl_width = 32,           \
	.box_ctl = 0xf4, .ctl = 0xd8, .ctl_step = 4, .ctr = 0xa0, .ctr_step = 8

/* MSR boxes: control and counter registers follow each other. */
#define UNC_EP_MSR .space = UNCORE_MSR, .ctl_width = 64, .ctl_step = 1, .ctr_step = 1

/* The same with controls of 64 bits, at offsets of the box's own. */
#define UNC_EP_PCI64                                                            \
	.space = UNCORE_PCI, .count = UNC_COUNT_PCI, .ctl_width = 64,           \
	.ctl_step = 8, .ctr_step = 8

/*
 * The fixed counter follows its control.  The manuals of SNB-EP and IVT show 44 bits of it and
 * say 48 (327043-001, 329468-002 table 2-9): differences of the lower 44 are right either way.
 */
#define UNC_EP_UBO(fixed_ctl, fixed_width, ctl_, ctr_)                          \
	.name = "ubo", .linux = "ubox",                                         \
	.title = "U-Box: system configuration controller", UNC_EP_MSR,          \
	.count = UNC_COUNT_FIXED, .n_boxes = 1, .n_counters = 2,                \
	.no_box_ctl = true, .ctl = (ctl_), .ctr = (ctr_), .max_inc = 1,             \
	.fixed = {.ctl = (fixed_ctl), .ctr = (fixed_ctl) + 1, .enable = 1u << 22, \
		  .width = (fixed_width), .code = 0xff, .coded = true}

#define UNC_EP_PCU(box_ctl_, ctl_, ctr_)                                        \
	.name = "pcu", .linux = "pcu", .title = "PCU: power control unit",      \
	UNC_EP_MSR, .count = UNC_COUNT_FIXED, .n_boxes = 1, .n_counters = 4,    \
	.width = 48, .box_ctl = (box_ctl_), .ctl = (ctl_), .ctr = (ctr_)

#define UNC_EP_QPI                                                              \
	.name = "qpi", .linux = "qpi",                                          \
	.title = "QPI: link layer of a socket interconnect port", UNC_EP_PCI,   \
	.n_counters = 4, .width = 48, .max_inc = 128, UNC_EP_QPI_MATCH

#define UNC_EP_R2PCIE                                                           \
	.name = "r2pcie", .linux = "r2pcie",                                    \
	.title = "R2PCIe: ring to PCIe interface", UNC_EP_PCI, .n_boxes = 1,    \
	.n_counters = 4, .max_inc = 32

#define UNC_EP_R3QPI                                                            \
	.name = "r3qpi", .linux = "r3qpi",                                      \
	.title = "R3QPI: ring to QPI interface", UNC_EP_PCI, .n_counters = 3,   \
	.max_inc = 32

/* Counters that always run: nothing to write. */
#define UNC_EP_FREE .count = UNC_COUNT_FIXED, .no_box_ctl = true, .event_mask = 0xffff

/*
 * The IRP: one PCI device with two units of two counters each, box 0 and 1, and
 * one box control; docs/hardware/ivbep.md, "Registers".
 */
#define UNC_EP_IRP                                                              \
	.name = "irp", .linux = "irp", .title = "IRP: ring port of the I/O unit", \
	UNC_EP_PCI, .units = true, .n_boxes = 2, .n_counters = 2, .width = 48,  \
	.ctls = unc_ep_irp_ctls, .max_inc = 128

/* The fixed counter of a memory channel; 0xff is its pseudo event code. */
#define UNC_EP_DCLK                                                             \
	.fixed = {.ctl = 0xf0, .ctr = 0xd0, .enable = 1u << 22, .width = 48,    \
		  .code = 0xff, .coded = true}

/* Address and opcode match of the home agent (event 0x20). */
#define UNC_EP_HA_MATCH                                                         \
	.filters = unc_ep_ha_filters, .n_filters = 3, .fields = unc_ep_ha_fields, \
	.needs = unc_ep_ha_needs, .rows = unc_ep_ha_rows,                       \
	.qualifiers = unc_ep_ha_qualifiers

/* Packet match and mask of a QPI port (event 0x38), on another PCI function. */
#define UNC_EP_QPI_MATCH                                                        \
	.filters = unc_ep_qpi_filters, .n_filters = 4, .fields = unc_ep_qpi_fields, \
	.needs = unc_ep_qpi_needs, .qualifiers = unc_ep_qpi_qualifiers

/* The four frequency bands of the PCU share one filter register. */
#define UNC_EP_PCU_BANDS                                                        \
	.n_filters = 1, .filter_always = true, .fields = unc_ep_pcu_fields,     \
	.needs = unc_ep_pcu_needs, .families = unc_ep_pcu_families

#define UNC_EP_HA                                                               \
	.name = "ha", .linux = "ha", .title = "HA: home agent", UNC_EP_PCI,     \
	.n_counters = 4, .width = 48, .max_inc = 512, UNC_EP_HA_MATCH

#define UNC_EP_IMC                                                              \
	.name = "imc", .linux = "imc", .title = "iMC: memory controller channel", \
	UNC_EP_PCI, .n_counters = 4, .width = 48, .max_inc = 64, UNC_EP_DCLK

/* The frequency that a band event counts from on when none is given, in units of 100 MHz. */
#define UNC_EP_BAND_DEFAULTS                                                    \
	{"UNC_P_FREQ_BAND0_CYCLES", "ff=12"}, {"UNC_P_FREQ_BAND1_CYCLES", "ff=20"}, \
	{"UNC_P_FREQ_BAND2_CYCLES", "ff=28"}, {"UNC_P_FREQ_BAND3_CYCLES", "ff=36"}
/* clang-format on */

/* Values of the unit control: docs/hardware/README.md. */
extern const struct unc_style unc_ep_style;    /* SNB-EP, HSX, BDX, KNL */
extern const struct unc_style unc_ep_style_17; /* IVT, SKX, ICX: bits 17:16 are written as 1 */
extern const struct unc_global unc_ep_global;  /* SKX, KNL, ICX */

extern const struct unc_filter unc_ep_ha_filters[], unc_ep_qpi_filters[], unc_ep_pcu_filters[];
extern const struct unc_field unc_ep_ha_fields[], unc_ep_qpi_fields[], unc_ep_pcu_fields[];
extern const struct unc_need unc_ep_ha_needs[], unc_ep_qpi_needs[], unc_ep_pcu_needs[];
extern const struct unc_modifier unc_ep_modifiers[], unc_ep_modifiers5[]; /* threshold: 8, 5 bits */
extern const struct unc_row unc_ep_ha_rows[], unc_ep_ubo_rows[];
extern const struct unc_qualifier unc_ep_ha_qualifiers[], unc_ep_qpi_qualifiers[];
extern const uint16_t unc_ep_irp_ctls[];
extern const struct unc_family unc_ep_pcu_families[];
extern const struct unc_rule unc_ep_cbo_rules[];
extern const struct unc_companion unc_ep_companion;
extern const struct unc_companion unc_mesh_companion; /* CHA of SKX and ICX */

#endif
