/* SPDX-License-Identifier: BSD-3-Clause */
/* controls.c - unit controls, and modifiers of events. */
#include "shared/controls.h"

/*
 * According to the manual the box control is write-only, so complete values are written: bit
 * 16 frz_en, 8 frz, 1 rst_ctrs.  Bit 0, rst_ctrl, is not used: it would clear the controls of
 * counters used by others.
 */
const struct unc_style unc_unit_style = {
	.run = 0x10000,
	.freeze = 0x10100,
	.reset = 0x10102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/* docs/hardware/ivbep.md: the manual requires both bits; Intel's tool sets them on SKX and ICX,
 * too. */
const struct unc_style unc_unit_style_17 = {
	.run = 0x30000,
	.freeze = 0x30100,
	.reset = 0x30102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/* ---- modifiers ---- */

const struct unc_modifier unc_modifiers[] = {
	UNC_E_I_T("[0-255]", UNC_THRESH8),
	{.name = ""},
};

const struct unc_modifier unc_modifiers5[] = {
	UNC_E_I_T("[0-31]", 0x1f000000),
	{.name = ""},
};
