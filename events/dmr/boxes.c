/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diamond Rapids (family 19 model 1): compute dies, whose discovery tables are located by an MSR of
 * the die, and I/O dies, whose tables are located by PCI devices.
 *
 * Registers: discovery tables, and docs/hardware/dmr.md.  Counter rules: the Linux driver's.
 * Intel has not published the events: only RAW can be counted.
 */
#include "shared/discovery.h"

/* 32 more bits of umask, in boxes with 64-bit controls; those of memory have 32 bits. */
#define EXT32 0xffffffffff84ffffull

/* clang-format off */
#define BOX(name_, title_, mask, rules_)                                        \
	static const struct unc_box_type name_ = {                              \
		.name = #name_, .sysfs_name = #name_, .title = title_,             \
		.modifiers = unc_modifiers, .event_mask = (mask), .max_inc = 255, \
		.rules = (rules_),                                              \
	}
/* clang-format on */

/* ---- compute dies ---- */

static const struct unc_rule cbo_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x19, 0x1a, UNC_C0),
	UNC_RULE(0x1f, 0x1f, UNC_C0),
	UNC_RULE(0x21, 0x21, UNC_C0),
	UNC_RULE(0x25, 0x25, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_rule sbo_rules[] = {
	UNC_RULE(0x1f, 0x1f, UNC_C0),
	UNC_RULE(0x25, 0x25, UNC_C0),
	UNC_RULES_END,
};

BOX(cbo, "CBo: a last-level cache slice", EXT32, cbo_rules);
BOX(sbo, "SBo: a box of the compute die", EXT32, sbo_rules);
BOX(santa, "SANTA: a box of the compute die", UNC_DISCOVERY_GENERIC, NULL);
BOX(cncu, "CNCU: a box of the compute die", UNC_DISCOVERY_GENERIC, NULL);
BOX(sncu, "SNCU: a box of the compute die", UNC_DISCOVERY_GENERIC, NULL);
BOX(dda, "DDA: a box of the compute die", EXT32, NULL);
BOX(ula, "ULA: link between dies", EXT32, NULL);

/* ---- I/O dies ---- */

static const struct unc_rule cxlcm_rules[] = {
	UNC_RULE(0x01, 0x24, 0x0f),
	UNC_RULE(0x41, 0x41, 0xf0),
	UNC_RULE(0x50, 0x5e, 0xf0),
	UNC_RULE(0x60, 0x61, 0xf0),
	UNC_RULES_END,
};

static const struct unc_box_type ubo = {
	.name = "ubo",
	.sysfs_name = "ubox",
	.title = "U-Box: system configuration controller",
	.modifiers = unc_modifiers,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 255,
};

static const struct unc_box_type imc = {
	.name = "imc",
	.sysfs_name = "imc",
	.title = "iMC: memory controller channel",
	.modifiers = unc_modifiers,
	.space = UNC_IN_MMIO,
	.event_mask = UNC_DISCOVERY_GENERIC,
	.max_inc = 255,
	.fixed = {.ctl = 0x10,
		  .ctr = 0x18,
		  .enable = 1u << 22,
		  .width = 48,
		  .code = 0xff,
		  .coded = true},
};

BOX(cxlcm, "CXLCM: CXL.cache and CXL.mem of a port", UNC_DISCOVERY_GENERIC | 0xfull << 32,
    cxlcm_rules);
BOX(pcu, "PCU: power control unit", UNC_DISCOVERY_GENERIC, NULL);
BOX(sca, "SCA: a box of the I/O die", EXT32, NULL);
BOX(hamvf, "HAMVF: a box of the I/O die", EXT32, NULL);
BOX(ubr, "UBR: a box of the I/O die", EXT32, NULL);
BOX(crs, "CRS: a box of the I/O die", UNC_DISCOVERY_GENERIC, NULL);
BOX(cpc, "CPC: a box of the I/O die", EXT32, NULL);
BOX(itc, "ITC: inbound traffic of a PCIe stack", EXT32, NULL);
BOX(otc, "OTC: outbound traffic of a PCIe stack", EXT32, NULL);
BOX(cms, "CMS: stop of the mesh", UNC_DISCOVERY_GENERIC, NULL);
BOX(pcie4, "PCIe port of generation 4", UNC_DISCOVERY_EXT24, NULL);
BOX(pcie6, "PCIe port of generation 6", UNC_DISCOVERY_EXT24, NULL);

/* ---- the tables ---- */

static const struct unc_discovered_type discovered[] = {
	{.number = 0x1f, .like = &cbo},   {.number = 0x26, .like = &sbo},
	{.number = 0x20, .like = &santa}, {.number = 0x21, .like = &cncu},
	{.number = 0x22, .like = &sncu},  {.number = 0x24, .like = &dda},
	{.number = 0x23, .like = &ula},   {.number = 0x05, .like = &ubo},
	{.number = 0x04, .like = &pcu},   {.number = 0x06, .like = &imc},
	{.number = 0x17, .like = &sca},   {.number = 0x1e, .like = &hamvf},
	{.number = 0x18, .like = &cxlcm}, {.number = 0x2b, .like = &ubr},
	{.number = 0x2e, .like = &crs},   {.number = 0x2f, .like = &cpc},
	{.number = 0x30, .like = &itc},   {.number = 0x31, .like = &otc},
	{.number = 0x32, .like = &cms},   {.number = 0x2d, .like = &pcie4},
	{.number = 0x33, .like = &pcie6}, {.number = 0x13, .like = NULL}, /* MSE, SB2UCIE */
	{.number = 0x25, .like = NULL},   UNC_DISCOVERY_TYPES_END,
};

const struct unc_platform_desc unc_dmr_desc = {
	.pfm_prefix = "dmr_unc_",
	.style = &unc_discovery_style,
	.types = unc_discovery_no_types,
	.discovered = discovered,
	.table_msr = 0x710,
	.overflow = &unc_discovery_overflow,
	.metrics = unc_no_metrics,
};
