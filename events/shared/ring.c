/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c - match registers of home agent and QPI, rules of the C-Box; SNB-EP to BDX. */
#include "shared/ring.h"

#include "shared/event_rows.h"

/* ---- home agent ---- */

/*
 * ADDR_OPC_MATCH (0x20).  The address is physical: config1 contains its
 * bits 45:6, the match registers 31:6 and 45:32 (327043-001 tables 2-37, 2-38).
 */
const struct unc_filter unc_ring_ha_filters[] = {
	{.name = "HA_PCI_PMON_BOX_ADDRMATCH0", .address = 0x40, .config = 1, .mask = 0xffffffc0},
	{.name = "HA_PCI_PMON_BOX_ADDRMATCH1",
	 .address = 0x44,
	 .config = 1,
	 .shift = 32,
	 .mask = 0x3fff},
	{.name = "HA_PCI_PMON_BOX_OPCODEMATCH", .address = 0x48, .config = 2, .mask = 0x3f},
};

const struct unc_field unc_ring_ha_fields[] = {
	{"address", 0, 0xffffffc0},
	{"address", 1, 0x3fff},
	{"opcode", 2, 0x3f},
};

const struct unc_need unc_ring_ha_needs[] = {{0x20, UNC_EV, 0x7}, {0, 0, 0}};

const struct unc_qualifier unc_ring_ha_qualifiers[] = {
	{"addr", "physical address to match, bits 45:6", 0x20, 1},
	{"opc", "opcode to match [0-63]", 0x20, 2},
	{"", "", 0, 0},
};

const struct unc_row unc_ring_ha_rows[] = {
	/* clang-format off */
	EVENT(UNC_H_ADDR_OPC_MATCH, 0x20, 0,
	      "Requests whose address and opcode match the qualifiers addr= and opc=")
	ALONE(FILT, 0x300, "address and opcode")
	UMASK(ADDR_ONLY, 0x100, "address only")
	UMASK(OPC_ONLY, 0x200, "opcode only")
	UMASK(AD, 0x400, "opcodes of the AD ring")
	UMASK(BL, 0x800, "opcodes of the BL ring")
	UMASK(AK, 0x1000, "opcodes of the AK ring")
	ROWS_END,
	/* clang-format on */
};

/* ---- QPI ---- */

const struct unc_filter unc_ring_qpi_filters[] = {
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

const struct unc_field unc_ring_qpi_fields[] = {
	{"packet match", 0, 0xffffffff},
	{"packet match", 1, 0xffffffff},
	{"packet mask", 2, 0xffffffff},
	{"packet mask", 3, 0xffffffff},
};

const struct unc_need unc_ring_qpi_needs[] = {{0x38, UNC_EV, 0xf}, {0, 0, 0}};

const struct unc_qualifier unc_ring_qpi_qualifiers[] = {
	{"match", "packet header bits to match (PKT_MATCH1:PKT_MATCH0)", 0x38, 1},
	{"mask", "which header bits are compared (PKT_MASK1:PKT_MASK0)", 0x38, 2},
	{"", "", 0, 0},
};

/* ---- IRP ---- */

const uint16_t unc_ring_irp_ctls[] = {0xd8, 0xdc, 0xe0, 0xe4};

/* ---- CBo of SNB-EP and IVT ---- */

/*
 * Apart from COUNTER0_OCCUPANCY, 0x21 is the only event that increments by up to 20 per cycle
 * and is allowed on counter 1, which increments by at most 1 (docs/hardware/snbep.md).
 */
const struct unc_rule unc_ring_cbo_rules[] = {
	UNC_RULE(0x01, 0x01, UNC_C0),   UNC_RULE(0x02, 0x07, UNC_C01),
	UNC_RULE(0x09, 0x09, UNC_C01),  UNC_RULE(0x11, 0x11, UNC_C0),
	UNC_RULE(0x12, 0x14, UNC_C01),  UNC_RULE(0x1b, 0x1e, UNC_C23),
	UNC_RULE(0x1f, 0x1f, UNC_C123), {0x21, 0x21, UNC_EV, UNC_C01, true},
	UNC_RULE(0x23, 0x23, UNC_C01),  UNC_RULE(0x31, 0x35, UNC_C01),
	UNC_RULE(0x36, 0x36, UNC_C0),   UNC_RULE(0x37, 0x39, UNC_C01),
	UNC_RULE(0x3b, 0x3b, UNC_C0),   UNC_RULES_END,
};

const struct unc_companion unc_ring_companion = {
	.event = 0x1f,
	.counters = UNC_C123,
	.queues = {0x11, 0x36},
	.queue_mask = UNC_EV_UMASK | UNC_TID_EN,
	.how_mask = UNC_EDGE | UNC_INVERT | UNC_THRESH8,
	.threshold = UNC_THRESH8,
};
