/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon Phi x200 (Knights Landing, Knights Mill; family 6 models 87 and 133).
 *
 * Registers: docs/hardware/knl.md.  Counter rules: the Linux driver's.
 * libpfm4 has no tables of the U-Box, the PCU and the IRP.
 */
#include "shared/event_rows.h"
#include "shared/mesh.h"

/* ---- CHA ---- */

enum { CHA_TID, CHA_STATE, CHA_OPC };

/*
 * docs/hardware/knl.md, "Filters": the driver always sets remote, local and not-near-memory,
 * because otherwise nothing matches.  An event that selects no opcode counts all opcodes: bit 3.
 */
static const struct unc_filter cha_filters[] = {
	{.name = "CHAn_MSR_PMON_BOX_FILTER0", .address = 0xe05, .config = 1, .mask = 0x1c01ff},
	{.name = "CHAn_MSR_PMON_BOX_FILTER1",
	 .address = 0xe06,
	 .config = 1,
	 .shift = 32,
	 .mask = 0xfffffe2b,
	 .always = 0x23,
	 .unset = 0x8},
};

static const struct unc_field cha_fields[] = {
	[CHA_TID] = {"tid", 0, 0x1ff},
	[CHA_STATE] = {"state", 0, 0x1c0000},
	[CHA_OPC] = {"opc", 1, 0xfffffe2a},
};

static const struct unc_need cha_needs[] = {
	{UNC_TID_EN, UNC_TID_EN, 1 << CHA_TID},
	{0x3d, UNC_EV, 1 << CHA_STATE},
	{0x35, UNC_EV, 1 << CHA_OPC},
	{0x36, UNC_EV, 1 << CHA_OPC},
	{0, 0, 0},
};

/* All 38 have registers; this many are enabled. */
static const struct unc_capid cha_capid = {
	.offset = 0x702, .mask = 0x3f, .means = UNC_FUSES_NUMBER};

static const struct unc_rule cha_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x1f, 0x1f, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type cha = {
	.name = "cha",
	.sysfs_name = "cha",
	.title = "CHA: caching and home agent of a tile",
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_CAPID,
	.capid = &cha_capid,
	.n_boxes = 38,
	.n_counters = 4,
	.width = 48,
	.box_ctl = 0xe00,
	.ctl = 0xe01,
	.ctr = 0xe08,
	.stride = 0xc,
	.event_mask = 0xff8dffff,
	.max_inc = 24,
	.rules = cha_rules,
	.filters = cha_filters,
	.n_filters = 2,
	.filter_always = true,
	.fields = cha_fields,
	.needs = cha_needs,
};

/* ---- other MSR boxes ---- */

static const struct unc_box_type ubo = {
	UNC_UBO(0x703, 48, 0x705, 0x709),
	.rows = unc_ubo_rows,
	.width = 48,
	.event_mask = 0x1f8cffff,
};

/* docs/hardware/knl.md, "Controls" */
static const struct unc_modifier pcu_modifiers[] = {
	UNC_E_I_T("[0-63]", 0x3f000000),
	{.name = ""},
};

static const struct unc_row pcu_rows[] = {
#include "knl/pcu.def"
	ROWS_END,
};

static const struct unc_box_type pcu = {
	UNC_PCU(0x710, 0x711, 0x717), .rows = pcu_rows, .modifiers = pcu_modifiers,
	.event_mask = 0xff8cc0ff,     .max_inc = 72,
};

/* ---- memory ---- */

/* docs/hardware/knl.md: 0 makes them count. */
static const struct unc_style memory_style = {
	.run = 0,
	.freeze = 0x10100,
	.reset = 0x10102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/*
 * One part of a memory controller (DDR4) or of an EDC (on-package memory); the
 * registers of each part are in a separate page.
 */
/* clang-format off */
#define MEMORY(page, fixed_ctl)                                                 \
	.space = UNC_IN_PCI, .style = &memory_style, .count = UNC_COUNT_PCI,    \
	.n_counters = 4, .width = 48, .ctl_width = 32, .box_ctl = (page) + 0x30, \
	.ctl = (page) + 0x20, .ctl_step = 4, .ctr = (page), .ctr_step = 8,      \
	.event_mask = 0xff84ffff, .max_inc = 64,                                \
	.fixed = {.ctl = (fixed_ctl), .ctr = (fixed_ctl) - 8, .enable = 1,        \
		  .width = 48, .code = 0xff, .coded = true}
/* clang-format on */

static const struct unc_pci_id imc_uclk_ids[] = {
	UNC_PCI_AT(0x7841, 0, 10, 0),
	UNC_PCI_AT(0x7841, 1, 11, 0),
	UNC_PCI_END,
};

static const struct unc_box_type imc_uclk = {
	.name = "imc_uclk",
	.sysfs_name = "imc_uclk",
	.title = "iMC: memory controller (DDR4), in uncore clocks",
	MEMORY(0x400, 0x454),
	.n_boxes = 2,
	.pci_ids = imc_uclk_ids,
};

static const struct unc_pci_id imc_ids[] = {
	UNC_PCI_AT(0x7843, 0, 8, 2),
	UNC_PCI_AT(0x7843, 1, 8, 3),
	UNC_PCI_AT(0x7843, 2, 8, 4),
	UNC_PCI_AT(0x7843, 3, 9, 2),
	UNC_PCI_AT(0x7843, 4, 9, 3),
	UNC_PCI_AT(0x7843, 5, 9, 4),
	UNC_PCI_END,
};

static const struct unc_box_type imc = {
	.name = "imc",
	.sysfs_name = "imc",
	.title = "iMC: memory controller channel (DDR4)",
	MEMORY(0xb00, 0xb44),
	.n_boxes = 6,
	.pci_ids = imc_ids,
};

static const struct unc_pci_id edc_uclk_ids[] = {
	UNC_PCI_AT(0x7833, 0, 15, 0), UNC_PCI_AT(0x7833, 1, 16, 0), UNC_PCI_AT(0x7833, 2, 17, 0),
	UNC_PCI_AT(0x7833, 3, 18, 0), UNC_PCI_AT(0x7833, 4, 19, 0), UNC_PCI_AT(0x7833, 5, 20, 0),
	UNC_PCI_AT(0x7833, 6, 21, 0), UNC_PCI_AT(0x7833, 7, 22, 0), UNC_PCI_END,
};

static const struct unc_box_type edc_uclk = {
	.name = "edc_uclk",
	.sysfs_name = "edc_uclk",
	.title = "EDC: controller of on-package memory, in uncore clocks",
	MEMORY(0x400, 0x454),
	.n_boxes = 8,
	.pci_ids = edc_uclk_ids,
};

static const struct unc_pci_id edc_eclk_ids[] = {
	UNC_PCI_AT(0x7835, 0, 24, 2), UNC_PCI_AT(0x7835, 1, 25, 2), UNC_PCI_AT(0x7835, 2, 26, 2),
	UNC_PCI_AT(0x7835, 3, 27, 2), UNC_PCI_AT(0x7835, 4, 28, 2), UNC_PCI_AT(0x7835, 5, 29, 2),
	UNC_PCI_AT(0x7835, 6, 30, 2), UNC_PCI_AT(0x7835, 7, 31, 2), UNC_PCI_END,
};

static const struct unc_box_type edc_eclk = {
	.name = "edc_eclk",
	.sysfs_name = "edc_eclk",
	.title = "EDC: channel of on-package memory",
	MEMORY(0xa00, 0xa44),
	.n_boxes = 8,
	.pci_ids = edc_eclk_ids,
};

/* ---- other PCI boxes ---- */

static const struct unc_pci_id m2pcie_ids[] = {
	UNC_PCI(0x7817, 0),
	UNC_PCI_END,
};

static const struct unc_rule m2pcie_rules[] = {
	UNC_RULE(0x23, 0x23, UNC_C01),
	UNC_RULES_END,
};

static const struct unc_box_type m2pcie = {
	.name = "m2pcie",
	.sysfs_name = "m2pcie",
	.title = "M2PCIe: mesh to PCIe interface",
	UNC_LAYOUT_PCI,
	.n_boxes = 1,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xff84ffff,
	.max_inc = 64,
	.rules = m2pcie_rules,
	.pci_ids = m2pcie_ids,
};

static const struct unc_pci_id irp_ids[] = {
	UNC_PCI(0x7814, 0),
	UNC_PCI_END,
};

static const struct unc_row irp_rows[] = {
#include "knl/irp.def"
	ROWS_END,
};

static const struct unc_box_type irp = {
	.name = "irp",
	.sysfs_name = "irp",
	.title = "IRP: ring port of the I/O unit",
	.rows = irp_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.count = UNC_COUNT_PCI,
	.n_boxes = 1,
	.n_counters = 2,
	.width = 48,
	.ctl_width = 32,
	.box_ctl = 0xf0,
	.ctl = 0xd8,
	.ctl_step = 4,
	.ctr = 0xa0,
	.ctr_step = 8,
	.event_mask = 0xff85ffff,
	.max_inc = 127,
	.pci_ids = irp_ids,
};

static const struct unc_box_type *const types[] = {
	&cha, &ubo, &pcu, &imc_uclk, &imc, &edc_uclk, &edc_eclk, &m2pcie, &irp, NULL,
};

/* As in Intel's event list; libpfm4 has the bits of other umasks here. */
static const struct unc_fix fixes[] = {
	{.event = "UNC_H_VERT_RING_AD_IN_USE", .umask = "DN_EVEN", .code = 0x04},
	{.event = "UNC_H_VERT_RING_AD_IN_USE", .umask = "DN_ODD", .code = 0x08},
	{.event = "UNC_H_VERT_RING_AK_IN_USE", .umask = "DN_EVEN", .code = 0x04},
	{.event = "UNC_H_VERT_RING_AK_IN_USE", .umask = "DN_ODD", .code = 0x08},
	{.event = "UNC_H_VERT_RING_BL_IN_USE", .umask = "DN_EVEN", .code = 0x04},
	{.event = "UNC_H_VERT_RING_BL_IN_USE", .umask = "DN_ODD", .code = 0x08},
	{.event = "UNC_M2P_INGRESS_CYCLES_NE", .umask = "ALL", .code = 0x80},
	{.event = ""},
};

static const struct unc_row more[] = {
#include "knl/more.def"
	ROWS_END,
};

static const struct unc_alias aliases[] = {
#include "knl/aliases.def"
	ALIASES_END,
};

const struct unc_platform_desc unc_knl_desc = {
	.pfm_prefix = "knl_unc_",
	.also_prefix = "knm_unc_",
	.lists = "Xeon Phi|Knights ?(Landing|Mill)",
	.style = &unc_unit_style,
	.global = &unc_mesh_global,
	.types = types,
	.fixes = fixes,
	.more = more,
	.aliases = aliases,
	.metrics = unc_knl_metrics,
};
