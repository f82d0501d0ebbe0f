/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xeon Scalable, first and second generation (Skylake-X, Cascade Lake-X, Cooper
 * Lake; family 6 model 85).
 *
 * Registers and counter rules: docs/hardware/skx.md.  The rules are the intersection of
 * Intel's tables and the Linux driver's.
 *
 * UPI links 3 to 5 of Cooper Lake are not supported.
 */
#include "icx/events.h"
#include "shared/event_rows.h"
#include "shared/mesh.h"
#include "shared/overflow.h"

#define CASCADE_LAKE 5 /* first stepping */

/* ---- CHA ---- */

static const struct unc_row cha_rows[] = {
#include "skx/cha.def"
	ROWS_END,
};

static const uint8_t link_credits[] = {0x38, 0x3b, 0};

/* For events from Intel's lists; libpfm4 has its own for its events. */
static const struct unc_modifier cha_modifiers[] = {
	UNC_E_I_T("[0-255]", UNC_THRESH8),
	{.name = "link",
	 .text = "UPI link in range [0-15]",
	 .mask = 0x1e00,
	 .filter = true,
	 .events = link_credits},
	{.name = ""},
};

enum { CHA_TID, CHA_LINK, CHA_STATE, CHA_FILTER1 };

/* Linux's config1 contains both registers: FILTER0 in the lower half, FILTER1 in the upper. */
static const struct unc_filter cha_filters[] = {
	{.name = "CHAn_MSR_PMON_BOX_FILTER0", .address = 0xe05, .config = 1, .mask = 0x7fe1fff},
	{.name = "CHAn_MSR_PMON_BOX_FILTER1",
	 .address = 0xe06,
	 .config = 1,
	 .shift = 32,
	 .mask = 0xdffffe3b},
};

/* Remote, local, opcodes and the rest of FILTER1 belong together. */
static const struct unc_field cha_fields[] = {
	[CHA_TID] = {"tid", 0, 0x1ff},
	[CHA_LINK] = {"link", 0, 0x1e00},
	[CHA_STATE] = {"state", 0, 0x7fe0000},
	[CHA_FILTER1] = {"opcode and target", 1, 0xdffffe3b},
};

/*
 * With tid_en, the driver claims every field by mistake (docs/hardware/skx.md, "Filters").  0x38
 * counts the credits of one link, which the thread field selects, too.
 */
static const struct unc_need cha_needs[] = {
	{UNC_TID_EN, UNC_TID_EN, 1 << CHA_TID},
	{0x34, UNC_EV, 1 << CHA_STATE},
	{0x35, UNC_EV, 1 << CHA_FILTER1},
	{0x36, UNC_EV, 1 << CHA_FILTER1},
	{0x38, UNC_EV, 1 << CHA_TID | 1 << CHA_LINK},
	{0x3b, UNC_EV, 1 << CHA_TID | 1 << CHA_LINK},
	{0, 0, 0},
};

/* Local and remote; near and not near memory; opcodes, or every one of them. */
static const struct unc_whole cha_wholes[] = {
	{CHA_FILTER1, 0x3ull << 32, 0x3ull << 32},
	{CHA_FILTER1, 0x30ull << 32, 0x30ull << 32},
	{CHA_FILTER1, 0x1ffffe08ull << 32, 0x8ull << 32},
	{0, 0, 0},
};

/* CAPID6: a bit for each enabled CHA. */
static const struct unc_capid cha_capid = {
	.device = 0x2083, .offset = 0x9c, .mask = 0xfffffff, .means = UNC_FUSES_BITS};

static const struct unc_rule cha_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULE(0x3b, 0x3b, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type cha = {
	.name = "cha",
	.sysfs_name = "cha",
	.title = "CHA: caching and home agent, a last-level cache slice",
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_CAPID,
	.capid = &cha_capid,
	.n_boxes = 28,
	.n_counters = 4,
	.width = 48,
	.box_ctl = 0xe00,
	.ctl = 0xe01,
	.ctr = 0xe08,
	.stride = 0x10,
	.event_mask = 0xff8cffff,
	.rows = cha_rows,
	.modifiers = cha_modifiers,
	.max_inc = 24,
	.rules = cha_rules,
	.filters = cha_filters,
	.n_filters = 2,
	.filter_always = true,
	.fields = cha_fields,
	.needs = cha_needs,
	.wholes = cha_wholes,
	.companion = &unc_mesh_companion,
	.alike = unc_icx_cha_rows,
};

/* ---- other MSR boxes ---- */

static const struct unc_box_type ubo = {
	UNC_UBO(0x703, 48, 0x705, 0x709), .rows = unc_ubo_rows,      .width = 48,
	.event_mask = 0x1f84ffff,         .alike = unc_icx_ubo_rows,
};

/* 64-bit controls: channel and function class masks, 12 bits of threshold. */
static const struct unc_rule iio_rules[] = {
	UNC_RULE(0x83, 0x83, UNC_C01),
	UNC_RULE(0x88, 0x88, UNC_C23),
	UNC_RULE(0x95, 0x95, UNC_C23),
	UNC_RULE(0xc0, 0xc0, UNC_C23),
	UNC_RULE(0xc5, 0xc5, UNC_C23),
	UNC_RULE(0xd4, 0xd5, UNC_C23),
	UNC_RULES_END,
};

/* For events from Intel's lists; libpfm4 has its own for its events. */
static const struct unc_modifier iio_modifiers[] = {
	UNC_E_I_T("[0-4095]", 0xfffull << 24),
	{.name = ""},
};

static const struct unc_row iio_rows[] = {
#include "skx/iio.def"
	ROWS_END,
};

static const struct unc_box_type iio = {
	.name = "iio",
	.sysfs_name = "iio",
	.title = "IIO: traffic controller of a PCIe stack",
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_FIXED,
	.n_boxes = 6,
	.n_counters = 4,
	.width = 48,
	.box_ctl = 0xa40,
	.ctl = 0xa48,
	.ctr = 0xa41,
	.stride = 0x20,
	.event_mask = 0x7fffff84ffff,
	.rows = iio_rows,
	.modifiers = iio_modifiers,
	.class_bit = 44,
	.max_inc = 64,
	.rules = iio_rules,
	.alike = unc_icx_iio_rows,
};

/* The clock, inbound and outbound bytes of four ports, and their utilization. */
static const struct unc_free iio_free_counters[] = {
	{.first = 0xa45, .n = 1, .step = 1, .stride = 0x20},
	{.first = 0xb00, .n = 8, .step = 1, .stride = 0x10},
	{.first = 0xb08, .n = 8, .step = 1, .stride = 0x10},
	{.n = 0},
};

static const struct unc_row iio_free_rows[] = {
#include "skx/iio_free.def"
	ROWS_END,
};

static const struct unc_box_type iio_free = {
	.name = "iio_free_running",
	.sysfs_name = "iio_free_running",
	.title = "IIO: counters of a PCIe stack that always run",
	UNC_LAYOUT_FREE,
	.space = UNC_IN_MSR,
	.n_boxes = 6,
	.n_counters = 17,
	.width = 36,
	.max_inc = 2,
	.free = iio_free_counters,
	.rows = iio_free_rows,
};

static const struct unc_box_type irp = {
	.name = "irp",
	.sysfs_name = "irp",
	.title = "IRP: IIO ring port",
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_FIXED,
	.n_boxes = 6,
	.n_counters = 2,
	.width = 48,
	.box_ctl = 0xa58,
	.ctl = 0xa5b,
	.ctr = 0xa59,
	.stride = 0x20,
	.event_mask = 0xff84ffff,
	.modifiers = unc_modifiers,
	.max_inc = 127,
	.alike = unc_icx_irp_rows,
};

static const struct unc_box_type pcu = {
	UNC_PCU(0x710, 0x711, 0x717),
	.event_mask = 0xdf84c0ff,
	.max_inc = 32,
	.filters = unc_pcu_filters,
	UNC_PCU_BANDS,
	.alike = unc_icx_pcu_rows,
};

/* ---- PCI boxes ---- */

static const struct unc_pci_id imc_ids[] = {
	UNC_PCI_AT(0x2042, 0, 10, 2),
	UNC_PCI_AT(0x2046, 1, 10, 6),
	UNC_PCI_AT(0x204a, 2, 11, 2),
	UNC_PCI_AT(0x2042, 3, 12, 2),
	UNC_PCI_AT(0x2046, 4, 12, 6),
	UNC_PCI_AT(0x204a, 5, 13, 2),
	UNC_PCI_END,
};

static const struct unc_row imc_rows[] = {
#include "skx/imc.def"
	ROWS_END,
};

static const struct unc_box_type imc = {
	UNC_IMC,
	.n_boxes = 6,
	.event_mask = 0xff84ffff,
	.rows = imc_rows,
	.modifiers = unc_modifiers,
	.pci_ids = imc_ids,
	.alike = unc_icx_imc_rows,
};

static const struct unc_pci_id m2m_ids[] = {
	UNC_PCI_AT(0x2066, 0, 8, 0),
	UNC_PCI_AT(0x2066, 1, 9, 0),
	UNC_PCI_END,
};

static const struct unc_row m2m_rows[] = {
#include "skx/m2m.def"
	ROWS_END,
};

static const struct unc_box_type m2m = {
	.name = "m2m",
	.sysfs_name = "m2m",
	.title = "M2M: mesh to memory interface",
	UNC_LAYOUT_PCI64,
	.box_ctl = 0x258,
	.ctl = 0x228,
	.ctr = 0x200,
	.n_boxes = 2,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xff84ffff,
	.rows = m2m_rows,
	.modifiers = unc_modifiers,
	.max_inc = 64,
	.pci_ids = m2m_ids,
	.alike = unc_icx_m2m_rows,
};

/* The extended umask is a packet header filter; Linux never writes it. */
static const struct unc_pci_id upi_ids[] = {
	UNC_PCI_AT(0x2058, 0, 14, 0),
	UNC_PCI_AT(0x2058, 1, 15, 0),
	UNC_PCI_AT(0x2058, 2, 16, 0),
	UNC_PCI_END,
};

static const struct unc_row upi_rows[] = {
#include "skx/upi.def"
	ROWS_END,
};

static const struct unc_box_type upi = {
	.name = "upi",
	.sysfs_name = "upi",
	.title = "UPI: link layer of a socket interconnect port",
	UNC_LAYOUT_PCI64,
	.box_ctl = 0x378,
	.ctl = 0x350,
	.ctr = 0x318,
	.n_boxes = 3,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xffefffff84ffff,
	.rows = upi_rows,
	.modifiers = unc_modifiers,
	.filter_above = true,
	.max_inc = 128,
	.pci_ids = upi_ids,
	.alike = unc_icx_upi_rows,
};

/* The fourth is at D22:F5 on all machines seen; the Linux driver expects it at D21:F5. */
static const struct unc_pci_id m2pcie_ids[] = {
	UNC_PCI_AT(0x2088, 0, 21, 1), UNC_PCI_AT(0x2088, 1, 22, 1), UNC_PCI_AT(0x2088, 2, 23, 1),
	UNC_PCI_AT(0x2088, 3, 22, 5), UNC_PCI_AT(0x2088, 3, 21, 5), UNC_PCI_END,
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
	.n_boxes = 4,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xff84ffff,
	.modifiers = unc_modifiers,
	.max_inc = 64,
	.rules = m2pcie_rules,
	.pci_ids = m2pcie_ids,
};

static const struct unc_pci_id m3upi_ids[] = {
	UNC_PCI_AT(0x204d, 0, 18, 1),
	UNC_PCI_AT(0x204e, 1, 18, 2),
	UNC_PCI_AT(0x204d, 2, 18, 5),
	UNC_PCI_END,
};

static const struct unc_rule m3upi_rules[] = {
	UNC_RULE(0x1c, 0x1e, UNC_C0),
	UNC_RULE(0x3c, 0x3c, UNC_C0),
	UNC_RULE(0x8e, 0x8e, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type m3upi = {
	.name = "m3upi",
	.sysfs_name = "m3upi",
	.title = "M3UPI: mesh to UPI interface",
	UNC_LAYOUT_PCI,
	.n_boxes = 3,
	.n_counters = 3,
	.width = 48,
	.event_mask = 0xff84ffff,
	.modifiers = unc_modifiers,
	.max_inc = 64,
	.rules = m3upi_rules,
	.pci_ids = m3upi_ids,
	.alike = unc_icx_m3upi_rows,
};

static const struct unc_box_type *const types[] = {
	&cha, &ubo, &pcu, &iio, &iio_free, &irp, &imc, &m2m, &upi, &m2pcie, &m3upi, NULL,
};

/* Defaults of listed events for which libpfm4 has none. */
static const struct unc_default defaults[] = {
	UNC_BAND_DEFAULTS,
	{"", ""},
};

#define UPI_OPCODE   (1ull << 32) /* match the opcode of a header */
#define CHA_HIT_MISS 0x30         /* umask bits: neither of them means both */

/*
 * docs/reference/differences.md.  Two responses are distinguished by opcodes; libpfm4 omits the bit
 * that enables the match.
 */
static const struct unc_fix fixes[] = {
	{.event = "UNC_C_TOR_INSERTS", .umask = "IRQ", .code = 0x31, .unless = CHA_HIT_MISS},
	{.event = "UNC_C_TOR_OCCUPANCY", .umask = "IRQ", .code = 0x31, .unless = CHA_HIT_MISS},
	{.event = "UNC_UPI_*", .umask = "RSPI", .code = 0x2a, .set = UPI_OPCODE},
	{.event = "UNC_UPI_*", .umask = "RSPCNFLT", .code = 0xaa, .set = UPI_OPCODE},
	{.event = ""},
};

/* FILTER1: lmem is near memory (bit 4), loc the local node (bit 1). */
static const struct unc_modifier_fix modifier_fixes[] = {
	{"lmem", "loc", 1ull << 33, 1ull << 36},
	{"", "", 0, 0},
};

/* ---- overflow: docs/hardware/skx.md, "Overflow" ---- */

/* The IIO and IRP of a stack share one bit. */
static const struct unc_overflow_at overflow_at[] = {
	UNC_AT_UBOX(0x708, false),
	UNC_AT("pcu", 0x716, 0, 2, 1, 0),
	UNC_AT("cha", 0xe07, 0, 3, 28, 0),
	UNC_AT("imc", 0xf8, 1, 39, 6, 3),
	UNC_AT("upi", 0x37c, 0, 41, 3, 0),
	UNC_AT("m3upi", 0xf8, 0, 46, 2, 0),
	UNC_AT("iio", 0xa47, 0, 56, 5, 0),
	UNC_AT("irp", 0xa5f, 0, 56, 5, 0),
	UNC_AT("m2m", 0x260, 0, 62, 2, 0),
	UNC_AT("m2pcie", 0xf8, 0, UNC_NO_BIT, 0, 0),
	UNC_AT_END,
};

static const struct unc_overflow overflow = {
	.enable = UNC_OV_EN,
	.run = UNC_BOX_LISTEN,
	.status = 0x701,
	.cores = 0xfffffff,
	.at = overflow_at,
};

static const struct unc_alias aliases[] = {
#include "skx/aliases.def"
	ALIASES_END,
};

static const char regular[] =
#include "skx/regular.def"
	;

const struct unc_platform_desc unc_skx_desc = {
	.pfm_prefix = "skx_unc_",
	.later = "Cascade Lake-X and Cooper Lake-X",
	.lists =
		"Skylake[- ]?(X|SP|Server)\\>|Scalable.*Skylake|Cascade ?Lake|2nd Gen[a-z]* (Intel )?Xeon|"
		"Cooper ?Lake",
	.style = &unc_unit_style_17,
	.global = &unc_mesh_global,
	.overflow = &overflow,
	.types = types,
	.ubox_device = 0x2014,
	.nodeid_offset = 0xc0,
	.gidnidmap_offset = 0xd4,
	.defaults = defaults,
	.fixes = fixes,
	.modifier_fixes = modifier_fixes,
	.aliases = aliases,
	.regular = regular,
	.metrics = unc_skx_metrics,
};
