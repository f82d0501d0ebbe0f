/* SPDX-License-Identifier: BSD-3-Clause */
/* haswell_broadwell.c - tables shared by Haswell-EP and Broadwell-EP; docs/hardware/hswep.md. */
#include "shared/haswell_broadwell.h"

const struct unc_global unc_hsx_global = {.msr = 0x700, .freeze = 1u << 31, .unfreeze = 1u << 29};

/* An S-Box may raise a general protection fault when two bits change at once. */
const uint32_t unc_hsx_sbo_steps[] = {0x10000, 0x10100, 0};

enum { CBO_TID, CBO_LINK, CBO_STATE, CBO_NID, CBO_OPC };

/* Linux's config1 contains both registers: FILTER0 in the lower half, FILTER1 in the upper. */
const struct unc_filter unc_hsx_cbo_filters[] = {
	{.name = "Cn_MSR_PMON_BOX_FILTER0", .address = 0xe05, .config = 1, .mask = 0xfe03ff},
	{.name = "Cn_MSR_PMON_BOX_FILTER1",
	 .address = 0xe06,
	 .config = 1,
	 .shift = 32,
	 .mask = 0xfff0ffff},
};

/* The C6, non-coherent and isochronous bits belong to the opcode. */
const struct unc_field unc_hsx_cbo_fields[] = {
	[CBO_TID] = {"tid", 0, 0x3f},         [CBO_LINK] = {"link", 0, 0x3c0},
	[CBO_STATE] = {"state", 0, 0xfe0000}, [CBO_NID] = {"nid", 1, 0xffff},
	[CBO_OPC] = {"opc", 1, 0xfff00000},
};

/*
 * The filter fields of the driver's list of umasks.  Its row for event 0x135 also has
 * the link field, which no other source requires, and its rows for event 0x34 lack the
 * node id of UNC_C_LLC_LOOKUP:NID; docs/hardware/hswep.md, "Filters".
 */
const struct unc_need unc_hsx_cbo_needs[] = {
	{UNC_TID_EN, UNC_TID_EN, 1 << CBO_TID}, {0x34, UNC_EV, 1 << CBO_STATE},
	{0x4034, 0x40ff, 1 << CBO_NID},         {0x4028, 0x40ff, 1 << CBO_NID},
	{0x4029, 0x40ff, 1 << CBO_NID},         {0x402a, 0x40ff, 1 << CBO_NID},
	{0x4032, 0x40ff, 1 << CBO_NID},         {0x4033, 0x40ff, 1 << CBO_NID},
	{0x0135, 0x01ff, 1 << CBO_OPC},         {0x4035, 0x40ff, 1 << CBO_NID},
	{0x0136, 0x01ff, 1 << CBO_OPC},         {0x4036, 0x40ff, 1 << CBO_NID},
	{0x4037, 0x40ff, 1 << CBO_NID},         {0, 0, 0},
};

const struct unc_rule unc_hsx_ha_rules[] = {
	UNC_RULE(0x0b, 0x0b, UNC_C1),
	UNC_RULE(0x61, 0x62, UNC_C012),
	UNC_RULE(0x64, 0x65, UNC_C012),
	UNC_RULES_END,
};

const uint16_t unc_hsx_irp_ctrs[] = {0xa0, 0xa8, 0xb0, 0xb8};

const struct unc_overflow_at unc_hsx_overflow_at[] = {
	UNC_AT_UBOX(0x708, false),
	UNC_AT("pcu", 0x716, 0, 2, 1, 0),
	UNC_AT("cbo", 0xe07, 0, 3, 18, 0),
	UNC_AT("sbo", 0x725, 0, UNC_NO_BIT, 0, 0),
	UNC_AT("ha", 0xf8, 0, 21, 2, 0),
	UNC_AT("imc", 0xf8, 1, 23, 8, 4),
	UNC_AT("qpi", 0xf8, 0, 25, 2, 0),
	UNC_AT("r3qpi", 0xf8, 0, 27, 2, 0),
	UNC_AT("r2pcie", 0xf8, 0, 29, 1, 0),
	UNC_AT("irp", 0xf8, 0, 34, 2, 2),
	UNC_AT_END,
};
