/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xeon6.c - the boxes of Granite Rapids, Sierra Forest and Clearwater Forest, for which Linux uses
 * the same tables.
 *
 * Registers: discovery tables, and docs/hardware/gnr.md.  Counter rules: the
 * intersection of the Linux driver's and Intel's event lists.
 */
#include "shared/xeon6.h"

#include "shared/xeon6_events.h"
#include "spr/events.h"

/* clang-format off */
#define CHA \
	.name = "cha", \
	.sysfs_name = "cha", \
	.title = "CHA: caching and home agent, a last-level cache slice", \
	.modifiers = unc_discovery_cha_modifiers, \
	.event_mask = UNC_DISCOVERY_CHA, \
	.max_inc = 64, \
	.rules = unc_discovery_cha_rules, \
	UNC_DISCOVERY_CHA_FILTER
/* clang-format on */

static const struct unc_box_type p_cha = {CHA, .rows = unc_xeon6_p_cha_rows};
static const struct unc_box_type e_cha = {CHA, .rows = unc_xeon6_e_cha_rows};

static const struct unc_rule iio_rules[] = {
	UNC_RULE(0x02, 0x03, UNC_C01),
	UNC_RULE(0x83, 0x84, UNC_C01),
	UNC_RULE(0x88, 0x88, UNC_C23),
	UNC_RULE(0xc0, 0xc1, UNC_C23),
	UNC_RULE(0xc5, 0xc5, UNC_C23),
	UNC_RULE(0xd5, 0xd5, UNC_C23),
	UNC_RULES_END,
};

static const struct unc_box_type iio = {
	.name = "iio",
	.sysfs_name = "iio",
	.title = "IIO: traffic controller of a PCIe stack",
	.rows = unc_xeon6_iio_rows,
	.modifiers = unc_discovery_iio_modifiers,
	.event_mask = UNC_DISCOVERY_IIO,
	.max_inc = 255,
	.rules = iio_rules,
};

static const struct unc_box_type irp = {
	.name = "irp",
	.sysfs_name = "irp",
	.title = "IRP: coherent interface of an IIO",
	.rows = unc_xeon6_irp_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 127,
};

static const struct unc_box_type pcu = {
	.name = "pcu",
	.sysfs_name = "pcu",
	.title = "PCU: power control unit",
	.rows = unc_xeon6_pcu_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 64,
};

static const struct unc_box_type ubo = {
	.name = "ubo",
	.sysfs_name = "ubox",
	.title = "U-Box: system configuration controller",
	.rows = unc_xeon6_ubo_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 8,
	.fixed = {.ctl = 0xe,
		  .ctr = 0xd,
		  .enable = 1u << 22,
		  .width = 48,
		  .code = 0xff,
		  .coded = true},
};

/* clang-format off */
#define IMC \
	.name = "imc", \
	.sysfs_name = "imc", \
	.title = "iMC: memory controller channel", \
	.modifiers = unc_modifiers, \
	.space = UNC_IN_MMIO, \
	.event_mask = UNC_DISCOVERY_GENERIC, \
	.max_inc = 64, \
	UNC_DISCOVERY_DCLK
/* clang-format on */

static const struct unc_box_type p_imc = {IMC, .rows = unc_xeon6_p_imc_rows};
static const struct unc_box_type e_imc = {IMC, .rows = unc_xeon6_e_imc_rows};

static const struct unc_box_type upi = {
	.name = "upi",
	.sysfs_name = "upi",
	.title = "UPI: link layer of a socket interconnect port",
	.rows = unc_xeon6_upi_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 128,
};

static const struct unc_box_type b2hot = {
	.name = "b2hot",
	.sysfs_name = "b2hot",
	.title = "B2HOT: mesh to host I/O interface",
	.rows = unc_xeon6_b2hot_rows,
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 255,
};

static const struct unc_box_type b2cmi = {
	.name = "b2cmi",
	.sysfs_name = "b2cmi",
	.title = "B2CMI: mesh to memory interface",
	.rows = unc_xeon6_b2cmi_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
};

static const struct unc_box_type b2cxl = {
	.name = "b2cxl",
	.sysfs_name = "b2cxl",
	.title = "B2CXL: mesh to CXL interface",
	.rows = unc_xeon6_b2cxl_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_MMIO,
	.ctl_step = 8,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 255,
};

static const struct unc_box_type b2upi = {
	.name = "b2upi",
	.sysfs_name = "b2upi",
	.title = "B2UPI: mesh to UPI interface",
	.rows = unc_xeon6_b2upi_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 64,
};

/* clang-format off */
#define MDF \
	.name = "mdf_sbo", \
	.sysfs_name = "mdf_sbo", \
	.title = "MDF: mesh bridge between dies", \
	.intel_units = "MDF", \
	.modifiers = unc_modifiers, \
	.event_mask = UNC_DISCOVERY_GENERIC, \
	.max_inc = 64
/* clang-format on */

static const struct unc_box_type p_mdf = {MDF, .rows = unc_xeon6_p_mdf_rows};
static const struct unc_box_type e_mdf = {MDF, .rows = unc_xeon6_e_mdf_rows};

static const struct unc_box_type pciex16 = {
	.name = "pciex16",
	.sysfs_name = "pciex16",
	.title = "PCIe port of 16 lanes",
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 255,
};

static const struct unc_box_type pciex8 = {
	.name = "pciex8",
	.sysfs_name = "pciex8",
	.title = "PCIe port of 8 lanes",
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.event_mask = UNC_DISCOVERY_EXT24,
	.max_inc = 255,
};

static const struct unc_box_type cxlcm = {
	UNC_DISCOVERY_CXLCM,
	.modifiers = unc_modifiers,
	.rows = unc_xeon6_cxlcm_rows,
};

static const struct unc_box_type cxldp = {
	UNC_DISCOVERY_CXLDP,
	.modifiers = unc_modifiers,
	.rows = unc_xeon6_cxldp_rows,
};

/* docs/hardware/gnr.md, "Registers" */
static const struct unc_free iio_free_counters[] = {
	{.first = 0x290e, .n = 1, .step = 1, .stride = 0x10},
	{.first = 0x360e, .n = 8, .step = 0x10, .stride = 0x80},
	{.first = 0x2e0e, .n = 8, .step = 0x10, .stride = 0x80},
	{.n = 0},
};

static const struct unc_box_type iio_free = {
	UNC_DISCOVERY_IIO_FREE,
	.n_boxes = 16,
	.free = iio_free_counters,
};

/* clang-format off */
#define FOUND(core_) \
	{.number = 0, .like = &core_##_cha},    {.number = 5, .like = &ubo}, \
	{.number = 4, .like = &pcu},            {.number = 1, .like = &iio, .free_type = &iio_free}, \
	{.number = 2, .like = &irp},            {.number = 6, .like = &core_##_imc}, \
	{.number = 8, .like = &upi},            {.number = 12, .like = &cxlcm}, \
	{.number = 13, .like = &cxldp},         {.number = 15, .like = &b2hot}, \
	{.number = 16, .like = &b2cmi},         {.number = 17, .like = &b2cxl}, \
	{.number = 18, .like = &b2upi},         {.number = 20, .like = &core_##_mdf}, \
	{.number = 21, .like = &pciex16},       {.number = 22, .like = &pciex8}, \
	UNC_DISCOVERY_TYPES_END
/* clang-format on */

const struct unc_discovered_type unc_gnr_discovered[] = {FOUND(p)};
const struct unc_discovered_type unc_srf_discovered[] = {FOUND(e)};
const struct unc_discovered_type unc_cwf_discovered[] = {FOUND(e)};
