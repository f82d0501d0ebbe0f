/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon E5 v3 and E7 v3 (Haswell-EP/EX, family 6 model 63).
 *
 * Registers and counter rules: docs/hardware/hswep.md.  The rules are the intersection of
 * Intel's tables and the Linux driver's.
 */
#include "shared/event_rows.h"
#include "shared/haswell_broadwell.h"
#include "shared/overflow.h"

static const struct unc_rule cbo_rules[] = {
	UNC_RULE(0x01, 0x01, UNC_C0),   UNC_RULE(0x09, 0x09, UNC_C0), UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x1f, 0x1f, UNC_C123), UNC_RULE(0x36, 0x36, UNC_C0), UNC_RULE(0x38, 0x38, UNC_C01),
	UNC_RULE(0x3b, 0x3b, UNC_C0),   UNC_RULE(0x3e, 0x3e, UNC_C0), UNC_RULES_END,
};

static const struct unc_box_type cbo = {
	.name = "cbo",
	.sysfs_name = "cbox",
	.title = "C-Box: last-level cache slice and its coherence engine",
	UNC_HSX_CBO,
	.slice_ids = {0x2fe0, 0x2ff7},
	.n_boxes = 18,
	.rules = cbo_rules,
	.companion = &unc_ring_companion,
	.modifiers = unc_modifiers,
};

/* Thread and core filter, for every event of the box. */
static const struct unc_filter ubo_filters[] = {
	{.name = "U_MSR_PMON_BOX_FILTER", .address = 0x707, .config = 1, .mask = 0x3f},
};

static const struct unc_field ubo_fields[] = {{"tid and cid", 0, 0x3f}};

static const struct unc_need ubo_needs[] = {{0, 0, 1}, {0, 0, 0}};

static const struct unc_box_type ubo = {
	UNC_HSX_UBO,    .width = 44,          .filters = ubo_filters,
	.n_filters = 1, .fields = ubo_fields, .needs = ubo_needs,
};

static const struct unc_capid sbo_capid = {
	.device = 0x2fc0, .offset = 0x94, .mask = 0xc0, .if_zero = 2};

static const struct unc_rule sbo_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type sbo = {
	.name = "sbo",
	.sysfs_name = "sbox",
	.title = "S-Box: interface between the two rings",
	UNC_HSX_SBO,
	.width = 44,
	.capid = &sbo_capid,
	.rules = sbo_rules,
	.modifiers = unc_modifiers,
};

static const struct unc_box_type pcu = {
	UNC_HSX_PCU,
};

static const struct unc_pci_id ha_ids[] = {
	UNC_PCI(0x2f30, 0),
	UNC_PCI(0x2f38, 1),
	UNC_PCI_END,
};

static const struct unc_box_type ha = {
	UNC_RING_HA,       .n_boxes = 2, .event_mask = 0xff84ffff, .rules = unc_hsx_ha_rules,
	.pci_ids = ha_ids,
};

/*
 * The first channel of the second controller is also visible on processors without one; then
 * neither its next channel nor the second home agent exists (docs/hardware/hswep.md).
 */
static const struct unc_pci_id imc_ids[] = {
	UNC_PCI(0x2fb0, 0),
	UNC_PCI(0x2fb1, 1),
	UNC_PCI(0x2fb4, 2),
	UNC_PCI(0x2fb5, 3),
	UNC_PCI_WITH(0x2fd0, 4, 0x2fd1, 0x2f38),
	UNC_PCI(0x2fd1, 5),
	UNC_PCI(0x2fd4, 6),
	UNC_PCI(0x2fd5, 7),
	UNC_PCI_END,
};

static const struct unc_box_type imc = {
	UNC_IMC,
	.n_boxes = 8,
	.event_mask = 0xff84ffff,
	.pci_ids = imc_ids,
};

/* Port 2 has no filter device. */
static const struct unc_pci_id qpi_ids[] = {
	UNC_PCI(0x2f32, 0),       UNC_PCI(0x2f33, 1),       UNC_PCI(0x2f3a, 2),
	UNC_PCI_EXTRA(0x2f86, 0), UNC_PCI_EXTRA(0x2f96, 1), UNC_PCI_END,
};

static const struct unc_box_type qpi = {
	UNC_RING_QPI,
	.n_boxes = 3,
	.event_mask = 0xffa4ffff,
	.pci_ids = qpi_ids,
};

static const struct unc_pci_id r2pcie_ids[] = {
	UNC_PCI(0x2f34, 0),
	UNC_PCI_END,
};

static const struct unc_rule r2pcie_rules[] = {
	UNC_RULE(0x10, 0x11, UNC_C01), UNC_RULE(0x13, 0x13, UNC_C0),
	UNC_RULE(0x23, 0x25, UNC_C0),  UNC_RULE(0x26, 0x26, UNC_C01),
	UNC_RULE(0x27, 0x27, UNC_C0),  UNC_RULE(0x28, 0x29, UNC_C01),
	UNC_RULE(0x2a, 0x2a, UNC_C0),  UNC_RULE(0x2b, 0x2d, UNC_C01),
	UNC_RULE(0x32, 0x35, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r2pcie = {
	UNC_RING_R2PCIE,       .width = 48,           .event_mask = 0xff84ffff,
	.rules = r2pcie_rules, .pci_ids = r2pcie_ids,
};

static const struct unc_pci_id r3qpi_ids[] = {
	UNC_PCI(0x2f36, 0),
	UNC_PCI(0x2f37, 1),
	UNC_PCI(0x2f3e, 2),
	UNC_PCI_END,
};

static const struct unc_rule r3qpi_rules[] = {
	UNC_RULE(0x01, 0x01, UNC_C01), UNC_RULE(0x10, 0x12, UNC_C01), UNC_RULE(0x13, 0x13, UNC_C0),
	UNC_RULE(0x14, 0x15, UNC_C01), UNC_RULE(0x1f, 0x23, UNC_C01), UNC_RULE(0x25, 0x26, UNC_C01),
	UNC_RULE(0x28, 0x29, UNC_C01), UNC_RULE(0x2a, 0x2b, UNC_C0),  UNC_RULE(0x2c, 0x2f, UNC_C01),
	UNC_RULE(0x31, 0x34, UNC_C01), UNC_RULE(0x36, 0x39, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r3qpi = {
	UNC_RING_R3QPI,           .n_boxes = 3,         .width = 44,
	.event_mask = 0xff84ffff, .rules = r3qpi_rules, .pci_ids = r3qpi_ids,
};

static const struct unc_pci_id irp_ids[] = {
	UNC_PCI(0x2f39, 0),
	UNC_PCI(0x2f39, 1),
	UNC_PCI_END,
};

static const struct unc_box_type irp = {
	UNC_RING_IRP,
	.ctrs = unc_hsx_irp_ctrs,
	.event_mask = 0xff84ffff,
	.pci_ids = irp_ids,
};

static const struct unc_box_type *const types[] = {
	&cbo, &ubo, &sbo, &pcu, &ha, &imc, &irp, &qpi, &r2pcie, &r3qpi, NULL,
};

/* Defaults of listed events for which libpfm4 has none. */
static const struct unc_default defaults[] = {
	{"UNC_C_TOR_INSERTS", "MISS_ALL"},
	{"UNC_C_RXR_INSERTS", "IRQ"},
	{"UNC_C_RING_AD_USED", "UP_EVEN:UP_ODD:DOWN_EVEN:DOWN_ODD"},
	{"UNC_C_RING_AK_USED", "UP_EVEN:UP_ODD:DOWN_EVEN:DOWN_ODD"},
	{"UNC_C_RING_BL_USED", "UP_EVEN:UP_ODD:DOWN_EVEN:DOWN_ODD"},
	{"UNC_C_RXR_OCCUPANCY", "IRQ"},
	{"UNC_M_PRE_COUNT", "PAGE_MISS"},
	UNC_BAND_DEFAULTS,
	{"", ""},
};

/* docs/reference/differences.md: Intel's tables agree with each other and differ from libpfm4. */
static const struct unc_fix fixes[] = {
	{.event = "UNC_C_RING_AD_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_C_RING_AD_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_C_RING_AD_USED", .umask = "ALL", .code = 0x0f},
	{.event = "UNC_C_RING_AK_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_C_RING_AK_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_C_RING_AK_USED", .umask = "ALL", .code = 0x0f},
	{.event = "UNC_C_RING_BL_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_C_RING_BL_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_C_RING_BL_USED", .umask = "ALL", .code = 0x0f},
	{.event = "UNC_C_RING_BOUNCES", .umask = "AK", .code = 0x02},
	{.event = "UNC_C_RING_BOUNCES", .umask = "BL", .code = 0x04},
	{.event = "UNC_C_RXR_IPQ_RETRY2", .umask = "TARGET", .code = 0x40},
	{.event = "UNC_C_RXR_IRQ_RETRY2", .umask = "BL_SBO", .code = 0x02},
	{.event = "UNC_C_RXR_IRQ_RETRY2", .umask = "TARGET", .code = 0x40},
	{.event = "UNC_C_RXR_ISMQ_RETRY2", .umask = "BL_SBO", .code = 0x02},
	{.event = "UNC_C_RXR_ISMQ_RETRY2", .umask = "TARGET", .code = 0x40},
	{.event = "UNC_H_RING_*", .umask = "CW", .code = 0x03},
	{.event = "UNC_H_RING_*", .umask = "CCW", .code = 0x0c},
	{.event = "UNC_H_SBO0_CREDIT_OCCUPANCY", .clear = 1},
	{.event = "UNC_M_CAS_COUNT", .umask = "RD_RMM", .code = 0x20},
	{.event = "UNC_M_CAS_COUNT", .umask = "RD_WMM", .code = 0x10},
	/* libpfm4's BANKG1 to BANKG3 reach into bit 16 */
	{.event = "UNC_M_RD_CAS_RANK*", .clear = 1u << 16},
	{.event = "UNC_M_WR_CAS_RANK*", .clear = 1u << 16},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANK12", .code = 0x0c},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANK13", .code = 0x0d},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANK14", .code = 0x0e},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANK15", .code = 0x0f},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANKG1", .code = 0x12},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANKG2", .code = 0x13},
	{.event = "UNC_M_RD_CAS_RANK*", .umask = "BANKG3", .code = 0x14},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANK12", .code = 0x0c},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANK13", .code = 0x0d},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANK14", .code = 0x0e},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANK15", .code = 0x0f},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANKG1", .code = 0x12},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANKG2", .code = 0x13},
	{.event = "UNC_M_WR_CAS_RANK*", .umask = "BANKG3", .code = 0x14},
	{.event = "UNC_R2_RING_IV_USED", .clear = 0xf000}, /* ANY, the default */
	{.event = "UNC_R2_STALL_NO_SBO_CREDIT", .umask = "SBO1_AD", .code = 0x02},
	{.event = "UNC_R2_STALL_NO_SBO_CREDIT", .umask = "SBO0_BL", .code = 0x04},
	{.event = "UNC_R2_STALL_NO_SBO_CREDIT", .umask = "SBO1_BL", .code = 0x08},
	{.event = "UNC_R3_STALL_NO_SBO_CREDIT", .umask = "SBO1_AD", .code = 0x02},
	{.event = "UNC_R3_STALL_NO_SBO_CREDIT", .umask = "SBO0_BL", .code = 0x04},
	{.event = "UNC_R3_STALL_NO_SBO_CREDIT", .umask = "SBO1_BL", .code = 0x08},
	{.event = "UNC_S_RING_AD_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_S_RING_AD_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_S_RING_AK_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_S_RING_AK_USED", .umask = "DOWN", .code = 0x0c},
	{.event = "UNC_S_RING_BL_USED", .umask = "UP", .code = 0x03},
	{.event = "UNC_S_RING_BL_USED", .umask = "DOWN", .code = 0x0c},
	{.event = ""},
};

/* ---- overflow: docs/hardware/hswep.md, "Overflow" ---- */

static const struct unc_overflow overflow = {
	.enable = UNC_OV_EN,
	.run = UNC_BOX_LISTEN,
	.status = 0x701,
	.cores = 0x3ffff,
	.at = unc_hsx_overflow_at,
};

static const struct unc_alias aliases[] = {
#include "hswep/aliases.def"
#include "shared/ring_aliases.def"
	ALIASES_END,
};

const struct unc_platform_desc unc_hswep_desc = {
	UNC_RING_PLATFORM(hswep), .lists = "Haswell[- ]?(E[NPX]?|X|Server)\\>|Xeon.* E[57] v3",
	.style = &unc_unit_style, .global = &unc_hsx_global,
	.overflow = &overflow,    .ubox_device = 0x2f1e,
};
