/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Third generation Xeon Scalable (Ice Lake-X, Ice Lake-D; family 6 models 106 and
 * 108).
 *
 * Registers and counter rules: docs/hardware/icx.md.  Intel's tables
 * and the Linux driver agree on the rules.  libpfm4 4.13 has no tables of this
 * platform: the events are rows of .def files.
 */
#include "icx/events.h"
#include "shared/event_rows.h"
#include "shared/mesh.h"
#include "shared/overflow.h"

/* ---- CHA ---- */

/* libpfm4 has no thread filter for this platform; tf is its name on others. */
static const struct unc_modifier cha_modifiers[] = {
	UNC_E_I_T("[0-255]", UNC_THRESH8),
	{.name = "tf",
	 .text = "thread id filter: thread in bits 2:0, core in 8:3 [0-511]",
	 .mask = 0x1ff,
	 .filter = true,
	 .with = UNC_TID_EN},
	{.name = ""},
};

/* Three banks: 0 to 17, 18 to 33 after a gap, 34 to 39 below the first. */
static const uint16_t cha_offsets[] = {
	0x2a0, 0x2ae, 0x2bc, 0x2ca, 0x2d8, 0x2e6, 0x2f4, 0x302, 0x310, 0x31e,
	0x32c, 0x33a, 0x348, 0x356, 0x364, 0x372, 0x380, 0x38e, 0x3aa, 0x3b8,
	0x3c6, 0x3d4, 0x3e2, 0x3f0, 0x3fe, 0x40c, 0x41a, 0x428, 0x436, 0x444,
	0x452, 0x460, 0x46e, 0x47c, 0x000, 0x00e, 0x01c, 0x02a, 0x038, 0x046,
};

static const struct unc_filter cha_filters[] = {
	{.name = "CHAn_MSR_PMON_BOX_FILTER", .address = 0xb65, .config = 1, .mask = 0x1ff},
};

static const struct unc_field cha_fields[] = {{"tid", 0, 0x1ff}};

static const struct unc_need cha_needs[] = {{UNC_TID_EN, UNC_TID_EN, 1}, {0, 0, 0}};

/* CAPID6 and CAPID7: a bit for each enabled CHA. */
static const struct unc_capid cha_capid = {
	.device = 0x345b, .offset = 0x9c, .mask = UINT64_MAX, .means = UNC_FUSES_BITS};

static const struct unc_rule cha_rules[] = {
	UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x36, 0x36, UNC_C0),
	UNC_RULES_END,
};

static const struct unc_box_type cha = {
	.name = "cha",
	.sysfs_name = "cha",
	.title = "CHA: caching and home agent, a last-level cache slice",
	.rows = unc_icx_cha_rows,
	.modifiers = cha_modifiers,
	UNC_LAYOUT_MSR,
	.count = UNC_COUNT_CAPID,
	.capid = &cha_capid,
	.n_boxes = 40,
	.n_counters = 4,
	.width = 48,
	.box_ctl = 0xb60,
	.ctl = 0xb61,
	.ctr = 0xb68,
	.offsets = cha_offsets,
	.event_mask = 0x3ffffffff8cffff,
	.max_inc = 24,
	.rules = cha_rules,
	.filters = cha_filters,
	.n_filters = 1,
	.fields = cha_fields,
	.needs = cha_needs,
	.companion = &unc_mesh_companion,
};

/* ---- PCIe stacks ---- */

static const uint16_t stack_offsets[] = {0x00, 0x20, 0x40, 0x90, 0xb0, 0xd0};

#define STACK                                                                \
	UNC_LAYOUT_MSR, .count = UNC_COUNT_FIXED, .n_boxes = 6, .width = 48, \
			.offsets = stack_offsets

/* The threshold has 12 bits, of which libpfm4 supports 8. */
static const struct unc_modifier iio_modifiers[] = {
	UNC_E_I_T("[0-4095]", 0xfff000000),
	{.name = ""},
};

static const struct unc_rule iio_rules[] = {
	UNC_RULE(0x02, 0x03, UNC_C01),
	UNC_RULE(0x83, 0x83, UNC_C01),
	UNC_RULE(0x88, 0x88, UNC_C23),
	UNC_RULE(0xc0, 0xc0, UNC_C23),
	UNC_RULE(0xc5, 0xc5, UNC_C23),
	UNC_RULE(0xd5, 0xd5, UNC_C23),
	UNC_RULES_END,
};

/* Control bits 47:36 are the channel mask, 50:48 the function class mask. */
static const struct unc_box_type iio = {
	.name = "iio",
	.sysfs_name = "iio",
	.title = "IIO: traffic controller of a PCIe stack",
	.rows = unc_icx_iio_rows,
	.modifiers = iio_modifiers,
	STACK,
	.n_counters = 4,
	.box_ctl = 0xa50,
	.ctl = 0xa58,
	.ctr = 0xa51,
	.event_mask = 0x7ffffff84ffff,
	.max_inc = 1024,
	.rules = iio_rules,
};

static const uint16_t port_offsets[] = {0x00, 0x10, 0x20, 0x90, 0xa0, 0xb0};

static const struct unc_free iio_free_counters[] = {
	{.first = 0xa55, .n = 1, .step = 1, .offsets = stack_offsets},
	{.first = 0xaa0, .n = 8, .step = 1, .offsets = port_offsets},
	{.n = 0},
};

static const struct unc_row iio_free_rows[] = {
#include "icx/iio_free.def"
	ROWS_END,
};

static const struct unc_box_type iio_free = {
	.name = "iio_free_running",
	.sysfs_name = "iio_free_running",
	.title = "IIO: counters of a PCIe stack that always run",
	UNC_LAYOUT_FREE,
	.space = UNC_IN_MSR,
	.n_boxes = 6,
	.n_counters = 9,
	.width = 48,
	.max_inc = 2,
	.free = iio_free_counters,
	.rows = iio_free_rows,
};

static const struct unc_box_type irp = {
	.name = "irp",
	.sysfs_name = "irp",
	.title = "IRP: IIO ring port",
	.rows = unc_icx_irp_rows,
	.modifiers = unc_modifiers,
	STACK,
	.n_counters = 2,
	.box_ctl = 0xa4a,
	.ctl = 0xa4d,
	.ctr = 0xa4b,
	.event_mask = 0xff84ffff,
	.max_inc = 511,
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
	.rows = unc_icx_m2pcie_rows,
	.modifiers = unc_modifiers,
	STACK,
	.n_counters = 4,
	.box_ctl = 0xa40,
	.ctl = 0xa46,
	.ctr = 0xa41,
	.event_mask = 0xff84ffff,
	.max_inc = 127,
	.rules = m2pcie_rules,
};

/* ---- other MSR boxes ---- */

static const struct unc_box_type ubo = {
	UNC_UBO(0x703, 48, 0x705, 0x709), .rows = unc_icx_ubo_rows,
	.modifiers = unc_modifiers5,      .width = 48,
	.event_mask = 0x1f84ffff,
};

static const struct unc_box_type pcu = {
	UNC_PCU(0x710, 0x711, 0x717),
	.rows = unc_icx_pcu_rows,
	.modifiers = unc_modifiers5,
	.event_mask = 0xdf84c0ff,
	.max_inc = 40,
	.filters = unc_pcu_filters,
	UNC_PCU_BANDS,
};

/* ---- PCI boxes ---- */

static const struct unc_pci_id m2m_ids[] = {
	UNC_PCI_AT(0x344a, 0, 12, 0),
	UNC_PCI_AT(0x344a, 1, 13, 0),
	UNC_PCI_AT(0x344a, 2, 14, 0),
	UNC_PCI_AT(0x344a, 3, 15, 0),
	UNC_PCI_END,
};

static const struct unc_box_type m2m = {
	.name = "m2m",
	.sysfs_name = "m2m",
	.title = "M2M: mesh to memory interface",
	.rows = unc_icx_m2m_rows,
	.modifiers = unc_modifiers,
	UNC_LAYOUT_PCI64,
	.box_ctl = 0x438,
	.ctl = 0x468,
	.ctr = 0x440,
	.n_boxes = 4,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xffff84ffff,
	.max_inc = 64,
	.pci_ids = m2m_ids,
};

static const struct unc_pci_id upi_ids[] = {
	UNC_PCI_AT(0x3441, 0, 2, 1),
	UNC_PCI_AT(0x3441, 1, 3, 1),
	UNC_PCI_AT(0x3441, 2, 4, 1),
	UNC_PCI_END,
};

static const struct unc_box_type upi = {
	.name = "upi",
	.sysfs_name = "upi",
	.title = "UPI: link layer of a socket interconnect port",
	.rows = unc_icx_upi_rows,
	.modifiers = unc_modifiers,
	UNC_LAYOUT_PCI64,
	.box_ctl = 0x318,
	.ctl = 0x350,
	.ctr = 0x320,
	.n_boxes = 3,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xffffffff84ffff,
	.max_inc = 128,
	.pci_ids = upi_ids,
};

static const struct unc_pci_id m3upi_ids[] = {
	UNC_PCI_AT(0x3446, 0, 5, 1),
	UNC_PCI_AT(0x3446, 1, 6, 1),
	UNC_PCI_AT(0x3446, 2, 7, 1),
	UNC_PCI_END,
};

static const struct unc_rule m3upi_rules[] = {
	UNC_RULE(0x1c, 0x1f, UNC_C0),
	UNC_RULE(0x40, 0x40, UNC_C012),
	UNC_RULE(0x4e, 0x50, UNC_C012),
	UNC_RULES_END,
};

static const struct unc_box_type m3upi = {
	.name = "m3upi",
	.sysfs_name = "m3upi",
	.title = "M3UPI: mesh to UPI interface",
	.rows = unc_icx_m3upi_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_PCI,
	.count = UNC_COUNT_PCI,
	.ctl_width = 32,
	.ctl_step = 4,
	.ctr_step = 8,
	.box_ctl = 0xa0,
	.ctl = 0xd8,
	.ctr = 0xa8,
	.n_boxes = 3,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xff84ffff,
	.max_inc = 64,
	.rules = m3upi_rules,
	.pci_ids = m3upi_ids,
};

/* ---- memory controllers ---- */

/* clang-format off */
#define CONTROLLERS                                                             \
	.device = 0x3451, .base = 0xd0, .base_mask = 0x1fffffff, .base_shift = 23, \
	.controller = 0xd8, .controller_mask = 0x7ff, .controller_shift = 12
/* clang-format on */

/* A controller has registers for three channels; all processors have two of them. */
static const struct unc_memory channels = {
	CONTROLLERS,
	.boxes = 3,
	.certain = 2,
	.first = 0x22800,
};

static const struct unc_box_type imc = {
	.name = "imc",
	.sysfs_name = "imc",
	.title = "iMC: memory controller channel",
	.rows = unc_icx_imc_rows,
	.modifiers = unc_modifiers,
	.space = UNC_IN_MMIO,
	.count = UNC_COUNT_FIXED,
	.memory = &channels,
	.stride = 0x4000,
	.ctl_width = 32,
	.ctl = 0x40,
	.ctl_step = 4,
	.ctr = 0x8,
	.ctr_step = 8,
	.n_boxes = 12,
	.n_counters = 4,
	.width = 48,
	.event_mask = 0xff84ffff,
	.max_inc = 128,
	.fixed = {.ctl = 0x54,
		  .ctr = 0x38,
		  .enable = 1u << 22,
		  .width = 48,
		  .code = 0xff,
		  .coded = true},
};

static const struct unc_memory controllers = {CONTROLLERS, .boxes = 1, .certain = 1,
					      .first = 0x2200};

/* The clock, reads and writes of DRAM, of persistent memory. */
static const struct unc_free imc_free_counters[] = {
	{.first = 0xb0, .n = 1, .step = 8},
	{.first = 0x90, .n = 2, .step = 8},
	{.first = 0xa0, .n = 2, .step = 8},
	{.n = 0},
};

static const struct unc_row imc_free_rows[] = {
#include "icx/imc_free.def"
	ROWS_END,
};

static const struct unc_box_type imc_free = {
	.name = "imc_free_running",
	.sysfs_name = "imc_free_running",
	.title = "iMC: counters of a memory controller that always run",
	UNC_LAYOUT_FREE,
	.space = UNC_IN_MMIO,
	.memory = &controllers,
	.n_boxes = 4,
	.n_counters = 5,
	.width = 48,
	.max_inc = 2,
	.free = imc_free_counters,
	.rows = imc_free_rows,
};

static const struct unc_box_type *const types[] = {
	&cha, &ubo, &pcu, &iio, &iio_free, &irp, &m2pcie, &imc, &imc_free, &m2m, &upi, &m3upi, NULL,
};

/* ---- overflow: docs/hardware/icx.md, "Overflow" ---- */

/*
 * Most bit positions are undocumented, among them all of the second status register, and the known
 * ones of the CHAs and the U-Box are doubtful: docs/hardware/icx.md, "Overflow".
 */
static const struct unc_overflow_at overflow_at[] = {
	UNC_AT_UBOX(0x708, true),
	UNC_AT("pcu", 0x716, 0, UNC_NO_BIT, 0, 0),
	UNC_AT("cha", 0xb67, 0, UNC_NO_BIT, 0, 0),
	UNC_AT("iio", 0xa57, 0, UNC_NO_BIT, 0, 0),
	UNC_AT("imc", 0x5c, 1, UNC_NO_BIT, 0, 0),
	UNC_AT("m2m", 0x4a8, 0, UNC_NO_BIT, 0, 0),
	UNC_AT("upi", 0x37c, 0, UNC_NO_BIT, 0, 0),
	UNC_AT_END,
};

static const struct unc_overflow overflow = {
	.enable = UNC_OV_EN,
	.run = UNC_BOX_LISTEN,
	.status = 0x70e,
	.cores = UINT32_MAX,
	.at = overflow_at,
};

/* libpfm4 has no default here; this is its default on Sapphire Rapids. */
static const struct unc_default defaults[] = {
	{"UNC_M_PCLS", "TOTAL"},
	{"", ""},
};

const struct unc_platform_desc unc_icx_desc = {
	.pfm_prefix = "icx_unc_",
	.rows_only = true,
	.lists = "3rd Gen[a-z]* (Intel )?Xeon|Ice ?Lake[- ]?(X|SP|Server)\\>",
	.style = &unc_unit_style_17,
	.global = &unc_mesh_global,
	.overflow = &overflow,
	.types = types,
	.ubox_device = 0x3450,
	.nodeid_offset = 0xc0,
	.gidnidmap_offset = 0xd4,
	.inherit_higher = true,
	.defaults = defaults,
	.regular_rows = 1,
	.metrics = unc_icx_metrics,
};
