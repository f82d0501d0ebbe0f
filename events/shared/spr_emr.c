/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spr_emr.c - the boxes of Sapphire Rapids and Emerald Rapids, which differ only in events of the
 * CHA.
 *
 * Registers: discovery tables, and docs/hardware/spr.md.  Counter rules: the
 * intersection of the Linux driver's and Intel's event lists.
 */
#include "shared/spr_emr.h"

#include "shared/event_rows.h"

#include "spr/events.h"

/* clang-format off */
#define CHA                                                                     \
	.name = "cha", .sysfs_name = "cha",                                          \
	.title = "CHA: caching and home agent, a last-level cache slice",       \
	.modifiers = unc_discovery_cha_modifiers, .event_mask = UNC_DISCOVERY_CHA, \
	.max_inc = 64, .rules = unc_discovery_cha_rules, UNC_DISCOVERY_CHA_FILTER
/* clang-format on */

static const struct unc_box_type cha = {CHA, .rows = unc_spr_cha_rows};
static const struct unc_box_type emr_cha = {CHA, .rows = unc_emr_cha_rows};

static const struct unc_rule iio_rules[] = {
	UNC_RULE(0x02, 0x03, UNC_C01), UNC_RULE(0x40, 0x41, UNC_C0),
	UNC_RULE(0x83, 0x83, UNC_C01), UNC_RULE(0x88, 0x88, UNC_C23),
	UNC_RULE(0xc0, 0xc0, UNC_C23), UNC_RULE(0xc5, 0xc5, UNC_C23),
	UNC_RULE(0xd5, 0xd5, UNC_C23), UNC_RULES_END,
};

static const struct unc_box_type iio = {
	.name = "iio",
	.sysfs_name = "iio",
	.title = "IIO: traffic controller of a PCIe stack",
	.rows = unc_spr_iio_rows,
	.modifiers = unc_discovery_iio_modifiers,
	.event_mask = UNC_DISCOVERY_IIO,
	.max_inc = 255,
	.rules = iio_rules,
};

/* Intel's lists have two of its counters, the discovery table has more. */
static const struct unc_box_type irp = {
	.name = "irp",
	.sysfs_name = "irp",
	.title = "IRP: coherent interface of an IIO",
	.rows = unc_spr_irp_rows,
	.modifiers = unc_modifiers,
	.n_counters = 2,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 127,
};

static const struct unc_rule m2pcie_rules[] = {
	UNC_RULE(0x14, 0x14, UNC_C01),
	UNC_RULE(0x23, 0x23, UNC_C01),
	UNC_RULE(0x2d, 0x2d, UNC_C01),
	UNC_RULES_END,
};

static const struct unc_box_type m2pcie = {
	.name = "m2pcie",
	.sysfs_name = "m2pcie",
	.title = "M2PCIe: mesh to PCIe interface",
	.rows = unc_spr_m2pcie_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
	.rules = m2pcie_rules,
};

static const struct unc_rule pcu_rules[] = {
	UNC_RULE(0x06, 0x06, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type pcu = {
	.name = "pcu",
	.sysfs_name = "pcu",
	.title = "PCU: power control unit",
	.rows = unc_spr_pcu_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 64,
	.rules = pcu_rules,
};

static const struct unc_rule ubo_rules[] = {
	UNC_RULE(0x4c, 0x4f, UNC_C0),
	UNC_RULES_END,
};

/* Linux has no name for it. */
static const struct unc_box_type ubo = {
	.name = "ubo",
	.sysfs_name = "type_5",
	.intel_units = "UBOX",
	.title = "U-Box: system configuration controller",
	.rows = unc_spr_ubo_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 8,
	.rules = ubo_rules,
	.fixed = {.ctl = 0xe,
		  .ctr = 0xf,
		  .enable = 1u << 22,
		  .width = 48,
		  .code = 0xff,
		  .coded = true},
};

/* 32-bit controls: the extended umask of its events does not exist (docs/hardware/spr.md). */
static const struct unc_box_type imc = {
	.name = "imc",
	.sysfs_name = "imc",
	.title = "iMC: memory controller channel",
	.rows = unc_spr_imc_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_MMIO,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 64,
	UNC_DISCOVERY_DCLK,
};

static const struct unc_box_type hbm = {
	.name = "hbm",
	.sysfs_name = "hbm",
	.intel_units = "MCHBM",
	.title = "MCHBM: high-bandwidth memory channel",
	.rows = unc_spr_hbm_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_MMIO,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 64,
};

static const struct unc_box_type m2m = {
	.name = "m2m",
	.sysfs_name = "m2m",
	.title = "M2M: mesh to memory interface",
	.rows = unc_spr_m2m_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
};

/* Records of the same type, at other PCI functions. */
static const struct unc_box_type m2hbm = {
	.name = "m2hbm",
	.sysfs_name = "m2m",
	.title = "M2HBM: mesh to high-bandwidth memory interface",
	.rows = unc_spr_m2hbm_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
};

static const struct unc_box_type mdf = {
	.name = "mdf",
	.sysfs_name = "mdf",
	.title = "MDF: mesh bridge between dies",
	.rows = unc_spr_mdf_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
};

static const struct unc_box_type cxlcm = {
	UNC_DISCOVERY_CXLCM,
	.rows = unc_spr_cxlcm_rows,
	.modifiers = unc_modifiers,
};

static const struct unc_box_type cxldp = {
	UNC_DISCOVERY_CXLDP,
	.rows = unc_spr_cxldp_rows,
	.modifiers = unc_modifiers,
};

/* ---- boxes whose records are wrong: docs/hardware/spr.md ---- */

static const struct unc_pci_id upi_ids[] = {
	UNC_PCI_AT(0x3241, 0, 1, 1),
	UNC_PCI_AT(0x3241, 1, 2, 1),
	UNC_PCI_AT(0x3241, 2, 3, 1),
	UNC_PCI_AT(0x3241, 3, 4, 1),
	UNC_PCI_END,
};

/*
 * Counts of the counters 0 and 2 only are reliable: events/errata.def, UNC_UPI_*.  Clocks, 0x01 and
 * 0x21, may use the others, because the utilization of a link needs them at the same time.
 */
static const struct unc_rule upi_rules[] = {
	UNC_RULE(0x02, 0x20, 0x5),
	UNC_RULE(0x22, 0xff, 0x5),
	UNC_RULES_END,
};

static const struct unc_box_type upi = {
	.name = "upi",
	.sysfs_name = "upi",
	.title = "UPI: link layer of a socket interconnect port",
	.rows = unc_spr_upi_rows,
	.modifiers = unc_modifiers,
	UNC_LAYOUT_PCI64,
	.n_boxes = 4,
	.n_counters = 4,
	.width = 48,
	.box_ctl = 0x318,
	.ctl = 0x350,
	.ctr = 0x320,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 128,
	.rules = upi_rules,
	.pci_ids = upi_ids,
};

static const struct unc_pci_id m3upi_ids[] = {
	UNC_PCI_AT(0x3246, 0, 5, 1),
	UNC_PCI_AT(0x3246, 1, 6, 1),
	UNC_PCI_AT(0x3246, 2, 7, 1),
	UNC_PCI_AT(0x3246, 3, 8, 1),
	UNC_PCI_END,
};

/*
 * Its controls are 8 bytes apart in Linux and 4 bytes in PCM.  Both agree only on the lower half of
 * the first one, so only that is used (docs/hardware/spr.md).
 */
static const struct unc_box_type m3upi = {
	.name = "m3upi",
	.sysfs_name = "m3upi",
	.title = "M3UPI: mesh to UPI interface",
	.rows = unc_spr_m3upi_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.count = UNC_COUNT_PCI,
	.n_boxes = 4,
	.n_counters = 1,
	.width = 48,
	.ctl_width = 32,
	.box_ctl = 0xa0,
	.ctl = 0xd8,
	.ctl_step = 8,
	.ctr = 0xa8,
	.ctr_step = 8,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 64,
	.pci_ids = m3upi_ids,
};

/* ---- free-running counters: docs/hardware/spr.md, "Registers" ---- */

static const struct unc_free iio_free_counters[] = {
	{.first = 0x340e, .n = 1, .step = 1, .stride = 0x10},
	{.first = 0x3800, .n = 8, .step = 1, .stride = 0x10},
	{.first = 0x3808, .n = 8, .step = 1, .stride = 0x10},
	{.n = 0},
};

static const struct unc_box_type iio_free = {
	UNC_DISCOVERY_IIO_FREE,
	.n_boxes = 12,
	.free = iio_free_counters,
};

static const struct unc_memory controllers = {
	.device = 0x3251,
	.base = 0xd0,
	.base_mask = 0x1fffffff,
	.base_shift = 23,
	.controller = 0xd8,
	.controller_mask = 0x7ff,
	.controller_shift = 12,
	.boxes = 1,
	.certain = 1,
	.first = 0x22b0,
};

static const struct unc_free imc_free_counters[] = {
	{.first = 0x0, .n = 1, .step = 8},
	{.first = 0x68, .n = 2, .step = 8},
	{.n = 0},
};

static const struct unc_box_type imc_free = {
	.name = "imc_free_running",
	.sysfs_name = "imc_free_running",
	.title = "iMC: counters of a memory controller that always run",
	UNC_LAYOUT_FREE,
	.space = UNC_IN_MMIO,
	.memory = &controllers,
	.n_boxes = 4,
	.n_counters = 3,
	.width = 48,
	.max_inc = 128,
	.free = imc_free_counters,
	.rows = unc_spr_imc_free_rows,
};

const struct unc_box_type *const unc_spr_emr_types[] = {&upi, &m3upi, &imc_free, NULL};

/* Some firmware lists more CHAs than exist.  The MSR has the right number unless it is 0. */
/* clang-format off */
#define FOUND(cha_) \
	{.number = 0, .like = &(cha_), .count_msr = 0x2ffe}, \
	{.number = 5, .like = &ubo}, \
	{.number = 4, .like = &pcu}, \
	{.number = 1, .like = &iio, .free_type = &iio_free}, \
	{.number = 2, .like = &irp}, \
	{.number = 3, .like = &m2pcie}, \
	{.number = 6, .like = &imc}, \
	{.number = 14, .like = &hbm}, \
	{.number = 7, .like = &m2m, .functions = 1 << 0}, \
	{.number = 7, .like = &m2hbm}, \
	{.number = 8, .like = NULL}, \
	{.number = 9, .like = NULL}, \
	{.number = 11, .like = &mdf}, \
	{.number = 12, .like = &cxlcm}, \
	{.number = 13, .like = &cxldp}, \
	UNC_DISCOVERY_TYPES_END
/* clang-format on */

const struct unc_discovered_type unc_spr_discovered[] = {FOUND(cha)};
const struct unc_discovered_type unc_emr_discovered[] = {FOUND(emr_cha)};

/* The list has umask 0 and states that it must be replaced by 24. */
const struct unc_default unc_spr_emr_defaults[] = {
	{"UNC_M_RDB_FULL", "RDB_24_ELEM"},
	{"UNC_MCHBM_RDB_FULL", "RDB_24_ELEM"},
	{"UNC_M_PCLS", "TOTAL"}, /* as libpfm4 counts it */
	{"", ""},
};
