/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * controls.h - macros for the tables of all platforms: bits of a control register, counter rules,
 * addresses of controls and counters, unit controls, event modifiers.
 */
#ifndef UNC_CONTROLS_H
#define UNC_CONTROLS_H

#include "types.h"

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
#define UNC_LAYOUT_PCI                                                          \
	.space = UNC_IN_PCI, .count = UNC_COUNT_PCI, .ctl_width = 32,           \
	.box_ctl = 0xf4, .ctl = 0xd8, .ctl_step = 4, .ctr = 0xa0, .ctr_step = 8

/* MSR boxes with consecutive control and counter registers. */
#define UNC_LAYOUT_MSR .space = UNC_IN_MSR, .ctl_width = 64, .ctl_step = 1, .ctr_step = 1

/* The same with 64-bit controls at box-specific offsets. */
#define UNC_LAYOUT_PCI64                                                        \
	.space = UNC_IN_PCI, .count = UNC_COUNT_PCI, .ctl_width = 64,           \
	.ctl_step = 8, .ctr_step = 8

/* Modifiers of .def events with libpfm4's names: edge, invert, threshold. */
#define UNC_E_I_T(range_, mask_)                                                \
	{.name = "e", .text = "edge detect", .mask = UNC_EDGE},                 \
	{.name = "i", .text = "invert", .mask = UNC_INVERT},                    \
	{.name = "t", .text = "threshold in range " range_, .mask = (mask_)}

/* Free-running counters: nothing is written. */
#define UNC_LAYOUT_FREE .count = UNC_COUNT_FIXED, .no_box_ctl = true, .event_mask = 0xffff
/* clang-format on */

/* Values of the unit control: docs/hardware/README.md. */
extern const struct unc_style unc_unit_style;    /* SNB-EP, HSX, BDX, KNL */
extern const struct unc_style unc_unit_style_17; /* IVT, SKX, ICX: bits 17:16 are written as 1 */

extern const struct unc_modifier unc_modifiers[], unc_modifiers5[]; /* threshold: 8, 5 bits */

#endif
