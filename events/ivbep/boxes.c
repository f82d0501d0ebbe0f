/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon E5 v2 and E7 v2 (Ivy Bridge-EP/EX, Ivytown, family 6 model 62).
 *
 * Registers: manual 329468-002, docs/hardware/ivbep.md.
 * Counter rules: the intersection of Intel's tables and the Linux driver's.
 */
#include "shared/event_rows.h"
#include "shared/overflow.h"
#include "shared/ring.h"

static const struct unc_global global = {.msr = 0xc00, .freeze = 1u << 31, .unfreeze = 1u << 29};

enum { CBO_TID, CBO_LINK, CBO_STATE, CBO_NID, CBO_OPC };

/* Linux's config1 contains both registers: FILTER0 in the lower half, FILTER1 in the upper. */
static const struct unc_filter cbo_filters[] = {
	{.name = "Cn_MSR_PMON_BOX_FILTER0", .address = 0xd14, .config = 1, .mask = 0x7e01ff},
	{.name = "Cn_MSR_PMON_BOX_FILTER1",
	 .address = 0xd1a,
	 .config = 1,
	 .shift = 32,
	 .mask = 0xfff0ffff},
};

/* The C6, non-coherent and isochronous bits belong to the opcode. */
static const struct unc_field cbo_fields[] = {
	[CBO_TID] = {"tid", 0, 0x1f},         [CBO_LINK] = {"link", 0, 0x1e0},
	[CBO_STATE] = {"state", 0, 0x7e0000}, [CBO_NID] = {"nid", 1, 0xffff},
	[CBO_OPC] = {"opc", 1, 0xfff00000},
};

/* The filter fields of the driver's list of umasks: 0 match opcode, 6 match node id. */
static const struct unc_need cbo_needs[] = {
	{UNC_TID_EN, UNC_TID_EN, 1 << CBO_TID}, {0x1031, 0x10ff, 1 << CBO_LINK},
	{0x34, UNC_EV, 1 << CBO_STATE},         {0x4034, 0x40ff, 1 << CBO_NID},
	{0x0135, 0x01ff, 1 << CBO_OPC},         {0x4035, 0x40ff, 1 << CBO_NID},
	{0x0136, 0x01ff, 1 << CBO_OPC},         {0x4036, 0x40ff, 1 << CBO_NID},
	{0x4037, 0x40ff, 1 << CBO_NID},         {0, 0, 0},
};

/* As SNB-EP, and 0x3c, which Intel's list has on counters 0 and 1. */
static const struct unc_rule cbo_rules[] = {
	UNC_RULE(0x01, 0x01, UNC_C0),
	UNC_RULE(0x02, 0x07, UNC_C01),
	UNC_RULE(0x09, 0x09, UNC_C01),
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x12, 0x14, UNC_C01),
	UNC_RULE(0x1b, 0x1e, UNC_C23),
	UNC_RULE(0x1f, 0x1f, UNC_C123),
	{0x21, 0x21, UNC_EV, UNC_C01, true},
	UNC_RULE(0x23, 0x23, UNC_C01),
	UNC_RULE(0x31, 0x35, UNC_C01),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULE(0x37, 0x39, UNC_C01),
	UNC_RULE(0x3b, 0x3b, UNC_C0),
	UNC_RULE(0x3c, 0x3c, UNC_C01),
	UNC_RULES_END,
};

static const struct unc_box_type cbo = {
	.name = "cbo",
	.sysfs_name = "cbox",
	.title = "C-Box: last-level cache slice and its coherence engine",
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_CORES,
	.slice_ids = {0x0ee0, 0x0eef},
	.n_boxes = 15,
	.n_counters = 4,
	.width = 44,
	.box_ctl = 0xd04,
	.ctl = 0xd10,
	.ctr = 0xd16,
	.stride = 0x20,
	.event_mask = 0xff0cffff,
	.max_inc = 20,
	.rules = cbo_rules,
	.filters = cbo_filters,
	.n_filters = 2,
	.filter_always = true,
	.fields = cbo_fields,
	.needs = cbo_needs,
	.companion = &unc_ring_companion,
	.modifiers = unc_modifiers,
};

static const struct unc_box_type ubo = {
	UNC_UBO(0xc08, 44, 0xc10, 0xc16),
	.rows = unc_ubo_rows,
	.width = 44,
	.event_mask = 0x1f04ffff,
};

static const struct unc_filter pcu_filters[] = {
	{.name = "PCU_MSR_PMON_BOX_FILTER", .address = 0xc34, .config = 1, .mask = 0xffffffff},
};

/* Linux has no bit 21 in the PCU's mask, Intel's event list does. */
static const struct unc_box_type pcu = {
	UNC_PCU(0xc24, 0xc30, 0xc36),
	.event_mask = 0xdf24c0ff,
	.max_inc = 16,
	.filters = pcu_filters,
	UNC_PCU_BANDS,
};

static const struct unc_pci_id ha_ids[] = {
	UNC_PCI(0x0e30, 0),
	UNC_PCI(0x0e38, 1),
	UNC_PCI_END,
};

static const struct unc_box_type ha = {
	UNC_RING_HA,
	.n_boxes = 2,
	.event_mask = 0xff04ffff,
	.pci_ids = ha_ids,
};

static const struct unc_pci_id imc_ids[] = {
	UNC_PCI(0x0eb4, 0), UNC_PCI(0x0eb5, 1), UNC_PCI(0x0eb0, 2),
	UNC_PCI(0x0eb1, 3), UNC_PCI(0x0ef4, 4), UNC_PCI(0x0ef5, 5),
	UNC_PCI(0x0ef0, 6), UNC_PCI(0x0ef1, 7), UNC_PCI_END,
};

static const struct unc_box_type imc = {
	UNC_IMC,
	.n_boxes = 8,
	.event_mask = 0xff04ffff,
	.pci_ids = imc_ids,
};

/* Port 2 has no filter device. */
static const struct unc_pci_id qpi_ids[] = {
	UNC_PCI(0x0e32, 0),       UNC_PCI(0x0e33, 1),       UNC_PCI(0x0e3a, 2),
	UNC_PCI_EXTRA(0x0e86, 0), UNC_PCI_EXTRA(0x0e96, 1), UNC_PCI_END,
};

static const struct unc_box_type qpi = {
	UNC_RING_QPI,
	.n_boxes = 3,
	.event_mask = 0xff24ffff,
	.pci_ids = qpi_ids,
};

/* 0x13 and 0x28 are missing in the driver's list, 0x23 to 0x25 stricter here. */
static const struct unc_pci_id r2pcie_ids[] = {
	UNC_PCI(0x0e34, 0),
	UNC_PCI_END,
};

static const struct unc_rule r2pcie_rules[] = {
	UNC_RULE(0x10, 0x11, UNC_C01),
	UNC_RULE(0x12, 0x13, UNC_C0),
	UNC_RULE(0x23, 0x25, UNC_C0),
	UNC_RULE(0x26, 0x26, UNC_C0),
	UNC_RULE(0x28, 0x28, UNC_C0),
	UNC_RULE(0x32, 0x34, UNC_C01),
	UNC_RULES_END,
};

static const struct unc_box_type r2pcie = {
	UNC_RING_R2PCIE,       .width = 44,           .event_mask = 0xff04ffff,
	.rules = r2pcie_rules, .pci_ids = r2pcie_ids,
};

static const struct unc_pci_id r3qpi_ids[] = {
	UNC_PCI(0x0e36, 0),
	UNC_PCI(0x0e37, 1),
	UNC_PCI(0x0e3e, 2),
	UNC_PCI_END,
};

static const struct unc_rule r3qpi_rules[] = {
	UNC_RULE(0x10, 0x12, UNC_C01), UNC_RULE(0x13, 0x13, UNC_C0),  UNC_RULE(0x20, 0x26, UNC_C01),
	UNC_RULE(0x28, 0x34, UNC_C01), UNC_RULE(0x36, 0x39, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r3qpi = {
	UNC_RING_R3QPI,           .n_boxes = 3,         .width = 44,
	.event_mask = 0xff04ffff, .rules = r3qpi_rules, .pci_ids = r3qpi_ids,
};

static const struct unc_pci_id irp_ids[] = {
	UNC_PCI(0x0e39, 0),
	UNC_PCI(0x0e39, 1),
	UNC_PCI_END,
};

/* docs/hardware/ivbep.md, "Registers" */
static const uint16_t irp_ctrs[] = {0xa0, 0xb0, 0xb8, 0xc0};

static const struct unc_box_type irp = {
	UNC_RING_IRP,
	.ctrs = irp_ctrs,
	.event_mask = 0xff04ffff,
	.pci_ids = irp_ids,
};

static const struct unc_box_type *const types[] = {
	&cbo, &ubo, &pcu, &ha, &imc, &irp, &qpi, &r2pcie, &r3qpi, NULL,
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

/*
 * docs/reference/differences.md: the ring umasks of virtual ring 1 repeat those of
 * ring 0, two pairs are swapped, CTO_COUNT lacks bit 8 of its event code.
 */
static const struct unc_fix fixes[] = {
	{.event = "UNC_H_RING_*", .umask = "CW_VR1_EVEN", .code = 0x10},
	{.event = "UNC_H_RING_*", .umask = "CW_VR1_ODD", .code = 0x20},
	{.event = "UNC_H_RING_*", .umask = "CCW_VR1_EVEN", .code = 0x40},
	{.event = "UNC_H_RING_*", .umask = "CCW_VR1_ODD", .code = 0x80},
	{.event = "UNC_R2_RING_*", .umask = "CW_VR1_EVEN", .code = 0x10},
	{.event = "UNC_R2_RING_*", .umask = "CW_VR1_ODD", .code = 0x20},
	{.event = "UNC_R2_RING_*", .umask = "CCW_VR1_EVEN", .code = 0x40},
	{.event = "UNC_R2_RING_*", .umask = "CCW_VR1_ODD", .code = 0x80},
	{.event = "UNC_H_BYPASS_IMC", .umask = "TAKEN", .code = 0x01},
	{.event = "UNC_H_BYPASS_IMC", .umask = "NOT_TAKEN", .code = 0x02},
	{.event = "UNC_M_CAS_COUNT", .umask = "RD_RMM", .code = 0x20},
	{.event = "UNC_M_CAS_COUNT", .umask = "RD_WMM", .code = 0x10},
	{.event = "UNC_Q_CTO_COUNT", .set = UNC_EXT},
	/* 0x62, next to FREQ_TRANS (0x60) and FREQ_MIN_IO_P (0x61); libpfm4 has SNB-EP's code */
	{.event = "UNC_P_FREQ_MIN_PERF_P_CYCLES", .set = 0x60, .clear = UNC_EXT},
	{.event = ""},
};

/* ---- overflow: docs/hardware/ivbep.md, "Overflow" ---- */

/* A CBo has no status register: its bit in the global one is used instead. */
static const struct unc_overflow_at overflow_at[] = {
	UNC_AT_UBOX(0xc15, false),
	UNC_AT("pcu", 0xc35, 0, 2, 1, 0),
	UNC_AT("cbo", 0, 0, 3, 15, 0),
	UNC_AT("ha", 0xf8, 0, 18, 2, 0),
	UNC_AT("imc", 0xf8, 1, 20, 8, 4),
	UNC_AT("qpi", 0xf8, 0, 22, 2, 0),
	UNC_AT("r3qpi", 0xf8, 0, 24, 2, 0),
	UNC_AT("r2pcie", 0xf8, 0, 26, 1, 0),
	UNC_AT("irp", 0xf8, 0, UNC_NO_BIT, 0, 0),
	UNC_AT_END,
};

static const struct unc_overflow overflow = {
	.enable = UNC_OV_EN,
	.run = UNC_BOX_LISTEN,
	.status = 0xc01,
	.cores = 0x7fff,
	.at = overflow_at,
};

static const struct unc_alias aliases[] = {
#include "ivbep/aliases.def"
#include "shared/ring_aliases.def"
	ALIASES_END,
};

const struct unc_platform_desc unc_ivbep_desc = {
	UNC_RING_PLATFORM(ivbep),    .lists = "Ivy ?Bridge[- ]?E[NPX]?\\>|Ivytown",
	.style = &unc_unit_style_17, .global = &global,
	.overflow = &overflow,       .ubox_device = 0x0e1e,
};
