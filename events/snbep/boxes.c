/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon E5-2600 (Sandy Bridge-EP, Jaketown, family 6 model 45).
 *
 * Registers: manual 327043-001, docs/hardware/snbep.md.
 * Counter rules: the intersection of Intel's tables and the Linux driver's.
 */
#include "shared/event_rows.h"
#include "shared/ring.h"

enum { CBO_TID, CBO_NID, CBO_STATE, CBO_OPC };

static const struct unc_filter cbo_filters[] = {
	{.name = "Cn_MSR_PMON_BOX_FILTER", .address = 0xd14, .config = 1, .mask = 0xfffffc1f},
};

static const struct unc_field cbo_fields[] = {
	[CBO_TID] = {"tid", 0, 0x1f},
	[CBO_NID] = {"nid", 0, 0x3fc00},
	[CBO_STATE] = {"state", 0, 0x7c0000},
	[CBO_OPC] = {"opc", 0, 0xff800000},
};

/*
 * The driver lists single umasks (docs/hardware/snbep.md, "Filters"); the filter fields
 * follow from umask bit 0 of a TOR event (match the opcode) and bit 6 (match the node id).
 */
static const struct unc_need cbo_needs[] = {
	{UNC_TID_EN, UNC_TID_EN, 1 << CBO_TID},
	{0x34, UNC_EV, 1 << CBO_STATE},
	{0x4034, 0x40ff, 1 << CBO_NID},
	{0x0135, 0x01ff, 1 << CBO_OPC},
	{0x4035, 0x40ff, 1 << CBO_NID},
	{0x0136, 0x01ff, 1 << CBO_OPC},
	{0x4036, 0x40ff, 1 << CBO_NID},
	{0x4037, 0x40ff, 1 << CBO_NID},
	{0, 0, 0},
};

static const struct unc_box_type cbo = {
	.name = "cbo",
	.sysfs_name = "cbox",
	.title = "C-Box: last-level cache slice and its coherence engine",
	.space = UNC_IN_MSR,
	.count = UNC_COUNT_CORES,
	.slice_ids = {0x3ce8, 0x3ce8},
	.n_boxes = 8,
	.n_counters = 4,
	.width = 44,
	.ctl_width = 64,
	.box_ctl = 0xd04,
	.ctl = 0xd10,
	.ctl_step = 1,
	.ctr = 0xd16,
	.ctr_step = 1,
	.stride = 0x20,
	.event_mask = 0xff8cffff,
	.max_inc = 20,
	.rules = unc_ring_cbo_rules,
	.filters = cbo_filters,
	.n_filters = 1,
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
	.event_mask = 0x1f84ffff,
};

static const struct unc_filter pcu_filters[] = {
	{.name = "PCU_MSR_PMON_BOX_FILTER", .address = 0xc34, .config = 1, .mask = 0xffffffff},
};

static const struct unc_box_type pcu = {
	UNC_PCU(0xc24, 0xc30, 0xc36),
	/* bit 21 is missing in Linux, but used in Intel's event list by nine transition events */
	.event_mask = 0xdfa4c0ff,
	.max_inc = 8,
	.filters = pcu_filters,
	UNC_PCU_BANDS,
};

static const struct unc_pci_id ha_ids[] = {UNC_PCI(0x3c46, 0), UNC_PCI_END};

static const struct unc_box_type ha = {
	UNC_RING_HA,
	.n_boxes = 1,
	.event_mask = 0xff84ffff,
	.pci_ids = ha_ids,
};

static const struct unc_pci_id imc_ids[] = {
	UNC_PCI(0x3cb0, 0), UNC_PCI(0x3cb1, 1), UNC_PCI(0x3cb4, 2), UNC_PCI(0x3cb5, 3), UNC_PCI_END,
};

static const struct unc_box_type imc = {
	UNC_IMC,
	.n_boxes = 4,
	.event_mask = 0xff84ffff,
	.pci_ids = imc_ids,
};

static const struct unc_pci_id qpi_ids[] = {
	UNC_PCI(0x3c41, 0),       UNC_PCI(0x3c42, 1), UNC_PCI_EXTRA(0x3c86, 0),
	UNC_PCI_EXTRA(0x3c96, 1), UNC_PCI_END,
};

static const struct unc_box_type qpi = {
	UNC_RING_QPI,
	.n_boxes = 2,
	.event_mask = 0xffa4ffff,
	.pci_ids = qpi_ids,
};

static const struct unc_pci_id r2pcie_ids[] = {UNC_PCI(0x3c43, 0), UNC_PCI_END};

/* 0x23 to 0x25: the driver allows counters 0 and 1, Intel's tables 0 only. */
static const struct unc_rule r2pcie_rules[] = {
	UNC_RULE(0x10, 0x11, UNC_C01), UNC_RULE(0x12, 0x12, UNC_C0),  UNC_RULE(0x23, 0x25, UNC_C0),
	UNC_RULE(0x26, 0x26, UNC_C01), UNC_RULE(0x32, 0x34, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r2pcie = {
	UNC_RING_R2PCIE,       .width = 44,           .event_mask = 0xff84ffff,
	.rules = r2pcie_rules, .pci_ids = r2pcie_ids,
};

static const struct unc_pci_id r3qpi_ids[] = {UNC_PCI(0x3c44, 0), UNC_PCI(0x3c45, 1), UNC_PCI_END};

static const struct unc_rule r3qpi_rules[] = {
	UNC_RULE(0x10, 0x12, UNC_C01), UNC_RULE(0x13, 0x13, UNC_C0),  UNC_RULE(0x20, 0x26, UNC_C01),
	UNC_RULE(0x28, 0x34, UNC_C01), UNC_RULE(0x36, 0x39, UNC_C01), UNC_RULES_END,
};

static const struct unc_box_type r3qpi = {
	UNC_RING_R3QPI,           .n_boxes = 2,         .width = 44,
	.event_mask = 0xff84ffff, .rules = r3qpi_rules, .pci_ids = r3qpi_ids,
};

static const struct unc_box_type *const types[] = {
	&cbo, &ubo, &pcu, &ha, &imc, &qpi, &r2pcie, &r3qpi, NULL,
};

/*
 * Defaults of listed events for which libpfm4 has none; the default of other events is
 * ALL, ANY or their first umask.
 */
static const struct unc_default defaults[] = {
	{"UNC_C_TOR_INSERTS", "MISS_ALL"},
	{"UNC_C_RXR_INSERTS", "IRQ"},
	{"UNC_C_RXR_OCCUPANCY", "IRQ"},
	{"UNC_M_PRE_COUNT", "PAGE_MISS"},
	{"UNC_Q_DIRECT2CORE", "SUCCESS"},
	UNC_BAND_DEFAULTS,
	{"", ""},
};

/*
 * docs/reference/differences.md: CTO_COUNT is event 0x138, whose bit 8 is control bit
 * 21.  The PCU events have no umask in Intel's list, and the control has no field for
 * one: libpfm4's C-state umasks all encode the same event.
 */
static const struct unc_fix fixes[] = {
	{.event = "UNC_Q_CTO_COUNT", .set = UNC_EXT},
	{.event = "UNC_P_FREQ_TRANS_CYCLES", .clear = 0x3f00},
	{.event = "UNC_P_FREQ_MIN_IO_P_CYCLES", .clear = 0x3f00},
	{.event = "UNC_P_FREQ_MIN_PERF_P_CYCLES", .clear = 0x3f00},
	{.event = ""},
};

static const struct unc_alias aliases[] = {
#include "shared/ring_aliases.def"
#include "snbep/aliases.def"
	ALIASES_END,
};

const struct unc_platform_desc unc_snbep_desc = {
	UNC_RING_PLATFORM(snbep),
	.lists = "Sandy ?Bridge[- ]?E[NPX]?\\>|Jaketown",
	.style = &unc_unit_style,
	.ubox_device = 0x3ce0,
};
