/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon E5 v4, E7 v4 and D (Broadwell-EP/EX/DE, family 6 models 79 and 86).
 *
 * Registers and counter rules: docs/hardware/bdx.md.  The rules are the intersection of
 * Intel's tables and the Linux driver's.
 */
#include "icx/events.h"
#include "shared/event_rows.h"
#include "shared/haswell_broadwell.h"
#include "shared/overflow.h"

static const struct unc_rule cbo_rules[] = {
	UNC_RULE(0x09, 0x09, UNC_C01),
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULE(0x3e, 0x3e, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type cbo = {
	.name = "cbo",
	.sysfs_name = "cbox",
	.title = "C-Box: last-level cache slice and its coherence engine",
	UNC_HSX_CBO,
	.slice_ids = {0x6fe0, 0x6ff7},
	.n_boxes = 24,
	.rules = cbo_rules,
	.companion = &unc_ring_companion,
	.modifiers = unc_modifiers,
};

static const struct unc_box_type ubo = {
	UNC_HSX_UBO,
	.width = 48,
};

static const struct unc_capid sbo_capid = {
	.device = 0x6fc0, .offset = 0x94, .mask = 0xc0, .if_zero = 0};

static const struct unc_box_type sbo = {
	.name = "sbo",
	.sysfs_name = "sbox",
	.title = "S-Box: interface between the two rings",
	UNC_HSX_SBO,
	.width = 48,
	.capid = &sbo_capid,
	.modifiers = unc_modifiers,
};

/* Counter 0 cannot count a number of cores ("use occupancy", bit 7). */
static const struct unc_rule pcu_rules[] = {{0x80, 0x80, 0x80, UNC_C123, false}, UNC_RULES_END};

static const struct unc_box_type pcu = {
	UNC_HSX_PCU,
	.rules = pcu_rules,
	.alike = unc_icx_pcu_rows,
};

static const struct unc_pci_id ha_ids[] = {
	UNC_PCI(0x6f30, 0),
	UNC_PCI(0x6f38, 1),
	UNC_PCI_END,
};

static const struct unc_box_type ha = {
	UNC_RING_HA,       .n_boxes = 2, .event_mask = 0xff84ffff, .rules = unc_hsx_ha_rules,
	.pci_ids = ha_ids,
};

/*
 * The first channel of the second controller is also visible on processors without one; then
 * neither its next channel nor the second home agent exists (docs/hardware/bdx.md).
 */
static const struct unc_pci_id imc_ids[] = {
	UNC_PCI(0x6fb0, 0),
	UNC_PCI(0x6fb1, 1),
	UNC_PCI(0x6fb4, 2),
	UNC_PCI(0x6fb5, 3),
	UNC_PCI_WITH(0x6fd0, 4, 0x6fd1, 0x6f38),
	UNC_PCI(0x6fd1, 5),
	UNC_PCI(0x6fd4, 6),
	UNC_PCI(0x6fd5, 7),
	UNC_PCI_END,
};

static const struct unc_box_type imc = {
	UNC_IMC,
	.n_boxes = 8,
	.event_mask = 0xff84ffff,
	.pci_ids = imc_ids,
	.alike = unc_icx_imc_rows,
};

static const struct unc_pci_id qpi_ids[] = {
	UNC_PCI(0x6f32, 0),
	UNC_PCI(0x6f33, 1),
	UNC_PCI(0x6f3a, 2),
	UNC_PCI_EXTRA(0x6f86, 0),
	UNC_PCI_EXTRA(0x6f96, 1),
	UNC_PCI_EXTRA(0x6f46, 2),
	UNC_PCI_END,
};

static const struct unc_box_type qpi = {
	UNC_RING_QPI,
	.n_boxes = 3,
	.event_mask = 0xffa4ffff,
	.pci_ids = qpi_ids,
};

static const struct unc_pci_id r2pcie_ids[] = {
	UNC_PCI(0x6f34, 0),
	UNC_PCI_END,
};

static const struct unc_rule r2pcie_rules[] = {
	UNC_RULE(0x10, 0x11, UNC_C01), UNC_RULE(0x13, 0x13, UNC_C0),
	UNC_RULE(0x23, 0x23, UNC_C0),  UNC_RULE(0x25, 0x25, UNC_C0),
	UNC_RULE(0x26, 0x26, UNC_C01), UNC_RULE(0x28, 0x28, UNC_C01),
	UNC_RULE(0x2a, 0x2a, UNC_C0),  UNC_RULE(0x2c, 0x2d, UNC_C01),
	UNC_RULE(0x32, 0x33, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r2pcie = {
	UNC_RING_R2PCIE,       .width = 48,           .event_mask = 0xff84ffff,
	.rules = r2pcie_rules, .pci_ids = r2pcie_ids,
};

static const struct unc_pci_id r3qpi_ids[] = {
	UNC_PCI(0x6f36, 0),
	UNC_PCI(0x6f37, 1),
	UNC_PCI(0x6f3e, 2),
	UNC_PCI_END,
};

static const struct unc_rule r3qpi_rules[] = {
	UNC_RULE(0x10, 0x11, UNC_C01),
	UNC_RULE(0x13, 0x13, UNC_C0),
	UNC_RULE(0x14, 0x15, UNC_C01),
	UNC_RULE(0x1f, 0x23, UNC_C01),
	UNC_RULE(0x25, 0x26, UNC_C01),
	UNC_RULE(0x28, 0x29, UNC_C01),
	UNC_RULE(0x2a, 0x2b, UNC_C0),
	UNC_RULE(0x2c, 0x2f, UNC_C01),
	UNC_RULE(0x33, 0x34, UNC_C01),
	UNC_RULE(0x36, 0x39, UNC_C01),
	UNC_RULES_END,
};

static const struct unc_box_type r3qpi = {
	UNC_RING_R3QPI,           .n_boxes = 3,         .width = 48,
	.event_mask = 0xff84ffff, .rules = r3qpi_rules, .pci_ids = r3qpi_ids,
};

static const struct unc_pci_id irp_ids[] = {
	UNC_PCI(0x6f39, 0),
	UNC_PCI(0x6f39, 1),
	UNC_PCI_END,
};

static const struct unc_box_type irp = {
	UNC_RING_IRP,       .ctrs = unc_hsx_irp_ctrs,  .event_mask = 0xff84ffff,
	.pci_ids = irp_ids, .alike = unc_icx_irp_rows,
};

static const struct unc_box_type *const types[] = {
	&cbo, &ubo, &sbo, &pcu, &ha, &imc, &irp, &qpi, &r2pcie, &r3qpi, NULL,
};

/* Defaults of listed events for which libpfm4 has none. */
static const struct unc_default defaults[] = {
	{"UNC_C_TOR_INSERTS", "MISS_ALL"},
	{"UNC_C_RXR_INSERTS", "IRQ"},
	{"UNC_C_RXR_OCCUPANCY", "IRQ"},
	{"UNC_M_PRE_COUNT", "PAGE_MISS"},
	UNC_BAND_DEFAULTS,
	{"", ""},
};

/* docs/reference/differences.md: Intel's tables agree with each other and differ from libpfm4. */
static const struct unc_fix fixes[] = {
	{.event = "UNC_Q_RXL_FLITS_G0", .umask = "IDLE", .code = 0x01},
	{.event = "UNC_S_RING_AD_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_S_RING_AK_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_S_RING_BL_USED", .umask = "DOWN", .code = 0x0c},
	{.event = ""},
};

/* ---- overflow: docs/hardware/bdx.md, "Overflow" ---- */

/* The bits after those of 18 CBos belong to home agents, so those of the other six are unknown. */
static const struct unc_overflow overflow = {
	.enable = UNC_OV_EN,
	.run = UNC_BOX_LISTEN,
	.status = 0x701,
	.cores = 0xffffff,
	.at = unc_hsx_overflow_at,
};

static const struct unc_alias aliases[] = {
#include "bdx/aliases.def"
#include "shared/ring_aliases.def"
	ALIASES_END,
};

const struct unc_platform_desc unc_bdx_desc = {
	UNC_RING_PLATFORM(bdx),   .lists = "Broadwell[- ]?(DE|E[NPX]?|X|Server)\\>|Xeon.* E[57] v4",
	.style = &unc_unit_style, .global = &unc_hsx_global,
	.overflow = &overflow,    .ubox_device = 0x6f1e,
};
