/* SPDX-License-Identifier: BSD-3-Clause */
/* controls.c - unit controls, and modifiers of events. */
#include "shared/controls.h"

/*
 * The manual calls the box control write-only, so whole values are written: bit
 * 16 frz_en, 8 frz, 1 rst_ctrs.  Bit 0, rst_ctrl, would clear the controls of
 * counters that are not ours.
 */
const struct unc_style unc_unit_style = {
	.run = 0x10000,
	.freeze = 0x10100,
	.reset = 0x10102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/* docs/hardware/ivbep.md: the manual wants both; Intel's own tool does so on SKX and ICX, too. */
const struct unc_style unc_unit_style_17 = {
	.run = 0x30000,
	.freeze = 0x30100,
	.reset = 0x30102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/* ---- modifiers of .def events, spelled as libpfm4 spells them ---- */

const struct unc_modifier unc_modifiers[] = {
	{.name = "e", .text = "edge detect", .mask = UNC_EDGE},
	{.name = "i", .text = "invert", .mask = UNC_INVERT},
	{.name = "t", .text = "threshold in range [0-255]", .mask = UNC_THRESH8},
	{.name = NULL},
};

const struct unc_modifier unc_modifiers5[] = {
	{.name = "e", .text = "edge detect", .mask = UNC_EDGE},
	{.name = "i", .text = "invert", .mask = UNC_INVERT},
	{.name = "t", .text = "threshold in range [0-31]", .mask = 0x1f000000},
	{.name = NULL},
};
