/* SPDX-License-Identifier: BSD-3-Clause */
/* ep.c - tables that the E5/E7 platforms from SNB-EP to BDX share. */
#include "ep.h"

#include "def.h"

/*
 * The manual calls the box control write-only, so whole values are written: bit
 * 16 frz_en, 8 frz, 1 rst_ctrs.  Bit 0, rst_ctrl, would clear the controls of
 * counters that are not ours.
 */
const struct unc_style unc_ep_style = {
	.run = 0x10000,
	.freeze = 0x10100,
	.reset = 0x10102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

/* docs/hardware/ivbep.md: the manual wants both; Intel's own tool does so on SKX and ICX, too. */
const struct unc_style unc_ep_style_17 = {
	.run = 0x30000,
	.freeze = 0x30100,
	.reset = 0x30102,
	.enable = 1u << 22,
	.clear = 1u << 17,
};

const struct unc_global unc_ep_global = {
	.msr = 0x700, .freeze = 1ull << 63, .unfreeze = 1ull << 61};

/* ---- modifiers of .def events, spelled as libpfm4 spells them ---- */

const struct unc_modifier unc_ep_modifiers[] = {
	{.name = "e", .text = "edge detect", .mask = UNC_EDGE},
	{.name = "i", .text = "invert", .mask = UNC_INVERT},
	{.name = "t", .text = "threshold in range [0-255]", .mask = UNC_THRESH8},
	{.name = NULL},
};

const struct unc_modifier unc_ep_modifiers5[] = {
	{.name = "e", .text = "edge detect", .mask = UNC_EDGE},
	{.name = "i", .text = "invert", .mask = UNC_INVERT},
	{.name = "t", .text = "threshold in range [0-31]", .mask = 0x1f000000},
	{.name = NULL},
};

/* ---- home agent ---- */

/*
 * ADDR_OPC_MATCH (0x20).  The address is a physical one: config1 carries its
 * bits 45:6, the match registers hold 31:6 and 45:32 (327043-001 tables 2-37, 2-38).
 */
const struct unc_filter unc_ep_ha_filters[] = {
	{.name = "HA_PCI_PMON_BOX_ADDRMATCH0", .address = 0x40, .config = 1, .mask = 0xffffffc0},
	{.name = "HA_PCI_PMON_BOX_ADDRMATCH1",
	 .address = 0x44,
	 .config = 1,
	 .shift = 32,
	 .mask = 0x3fff},
	{.name = "HA_PCI_PMON_BOX_OPCODEMATCH", .address = 0x48, .config = 2, .mask = 0x3f},
};

const struct unc_field unc_ep_ha_fields[] = {
	{"address", 0, 0xffffffc0},
	{"address", 1, 0x3fff},
	{"opcode", 2, 0x3f},
};

const struct unc_need unc_ep_ha_needs[] = {{0x20, UNC_EV, 0x7}, {0, 0, 0}};

const struct unc_qualifier unc_ep_ha_qualifiers[] = {
	{"addr", "physical address to match, bits 45:6", 0x20, 1},
	{"opc", "opcode to match [0-63]", 0x20, 2},
	{NULL, NULL, 0, 0},
};

const struct unc_row unc_ep_ha_rows[] = {
	EVENT(UNC_H_ADDR_OPC_MATCH, 0x320, 0,
	      "Requests whose address and opcode match the qualifiers addr= and opc=") ROWS_END,
};

/* ---- QPI ---- */

const struct unc_filter unc_ep_qpi_filters[] = {
	{.name = "Q_Py_PCI_PMON_PKT_MATCH0",
	 .address = 0x228,
	 .extra_device = true,
	 .config = 1,
	 .mask = 0xffffffff},
	{.name = "Q_Py_PCI_PMON_PKT_MATCH1",
	 .address = 0x22c,
	 .extra_device = true,
	 .config = 1,
	 .shift = 32,
	 .mask = 0xffffffff},
	{.name = "Q_Py_PCI_PMON_PKT_MASK0",
	 .address = 0x238,
	 .extra_device = true,
	 .config = 2,
	 .mask = 0xffffffff},
	{.name = "Q_Py_PCI_PMON_PKT_MASK1",
	 .address = 0x23c,
	 .extra_device = true,
	 .config = 2,
	 .shift = 32,
	 .mask = 0xffffffff},
};

const struct unc_field unc_ep_qpi_fields[] = {
	{"packet match", 0, 0xffffffff},
	{"packet match", 1, 0xffffffff},
	{"packet mask", 2, 0xffffffff},
	{"packet mask", 3, 0xffffffff},
};

const struct unc_need unc_ep_qpi_needs[] = {{0x38, UNC_EV, 0xf}, {0, 0, 0}};

const struct unc_qualifier unc_ep_qpi_qualifiers[] = {
	{"match", "packet header bits to match (PKT_MATCH1:PKT_MATCH0)", 0x38, 1},
	{"mask", "which header bits are compared (PKT_MASK1:PKT_MASK0)", 0x38, 2},
	{NULL, NULL, 0, 0},
};

/* ---- IRP ---- */

const uint16_t unc_ep_irp_ctls[] = {0xd8, 0xdc, 0xe0, 0xe4};

/* ---- PCU ---- */

const struct unc_field unc_ep_pcu_fields[] = {
	{"band0", 0, 0xff},
	{"band1", 0, 0xff00},
	{"band2", 0, 0xff0000},
	{"band3", 0, 0xff000000},
};

/* From Haswell-EP to Ice Lake-X. */
const struct unc_filter unc_ep_pcu_filters[] = {
	{.name = "PCU_MSR_PMON_BOX_FILTER", .address = 0x715, .config = 1, .mask = 0xffffffff},
};

/* With bit 8 the codes mean other events. */
const struct unc_need unc_ep_pcu_needs[] = {
	{0x0b, UNC_EV | UNC_EXT, 1 << 0},
	{0x0c, UNC_EV | UNC_EXT, 1 << 1},
	{0x0d, UNC_EV | UNC_EXT, 1 << 2},
	{0x0e, UNC_EV | UNC_EXT, 1 << 3},
	{0, 0, 0},
};

const struct unc_family unc_ep_pcu_families[] = {{UNC_EV | UNC_EXT, 0x0b, 1, 4}, {0, 0, 0, 0}};

/* ---- U-Box ---- */

const struct unc_row unc_ep_ubo_rows[] = {
	EVENT(UNC_U_CLOCKTICKS, 0xff, 0, "Uncore clock cycles, on the fixed counter of the U-Box")
		ROWS_END,
};

/* ---- CBo of SNB-EP and IVT ---- */

/*
 * COUNTER0_OCCUPANCY aside, 0x21 is the one event that adds up to 20 per cycle
 * and is allowed on counter 1, which adds 1 (docs/hardware/snbep.md).
 */
const struct unc_rule unc_ep_cbo_rules[] = {
	UNC_RULE(0x01, 0x01, UNC_C0),   UNC_RULE(0x02, 0x07, UNC_C01),
	UNC_RULE(0x09, 0x09, UNC_C01),  UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x12, 0x14, UNC_C01),  UNC_RULE(0x1b, 0x1e, UNC_C23),
	UNC_RULE(0x1f, 0x1f, UNC_C123), {0x21, 0x21, UNC_EV, UNC_C01, true},
	UNC_RULE(0x23, 0x23, UNC_C01),  UNC_RULE(0x31, 0x35, UNC_C01),
	UNC_RULE(0x36, 0x36, UNC_C0),   UNC_RULE(0x37, 0x39, UNC_C01),
	UNC_RULE(0x3b, 0x3b, UNC_C0),   UNC_RULES_END,
};

/* The extended umask of ICX is part of the queue's name. */
const struct unc_companion unc_mesh_companion = {
	.event = 0x1f,
	.counters = UNC_C123,
	.queues = {0x11, 0x36},
	.queue_mask = 0xffffffff00000000 | UNC_EV_UMASK | UNC_TID_EN,
	.how_mask = UNC_EDGE | UNC_INVERT | UNC_THRESH8,
	.threshold = UNC_THRESH8,
};

const struct unc_companion unc_ep_companion = {
	.event = 0x1f,
	.counters = UNC_C123,
	.queues = {0x11, 0x36},
	.queue_mask = UNC_EV_UMASK | UNC_TID_EN,
	.how_mask = UNC_EDGE | UNC_INVERT | UNC_THRESH8,
	.threshold = UNC_THRESH8,
};
