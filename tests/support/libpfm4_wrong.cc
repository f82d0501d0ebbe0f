// SPDX-License-Identifier: BSD-3-Clause
#include "support/libpfm4_wrong.h"

namespace support::libpfm4
{

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Platform kSnbep = {
	"snbep",
	8,
	177,
	{
		{"UNC_Q_CTO_COUNT", 0, 1u << 21},
		{"UNC_P_FREQ_TRANS_CYCLES", 0x300, 0},
		{"UNC_P_FREQ_MIN_IO_P_CYCLES", 0x300, 0},
		{"UNC_P_FREQ_MIN_PERF_P_CYCLES", 0x300, 0},
	},
	{},
};

const Platform kIvbep = {
	"ivbep",
	9,
	200,
	{
		{"UNC_P_FREQ_MIN_PERF_P_CYCLES", 0x2000ff, 0x62},
	},
	{
		{"UNC_H_BYPASS_IMC", "TAKEN", 0x02, 0x01},
		{"UNC_H_BYPASS_IMC", "NOT_TAKEN", 0x01, 0x02},
		{"UNC_@(H|R2)_RING_@(A[DK]|BL)_USED", "CCW_VR1_EVEN", 0x04, 0x40},
		{"UNC_@(H|R2)_RING_@(A[DK]|BL)_USED", "CCW_VR1_ODD", 0x08, 0x80},
		{"UNC_@(H|R2)_RING_@(A[DK]|BL)_USED", "CW_VR1_EVEN", 0x01, 0x10},
		{"UNC_@(H|R2)_RING_@(A[DK]|BL)_USED", "CW_VR1_ODD", 0x02, 0x20},
		{"UNC_M_CAS_COUNT", "RD_RMM", 0x10, 0x20},
		{"UNC_M_CAS_COUNT", "RD_WMM", 0x20, 0x10},
	},
};

const Platform kHswep = {
	"hswep",
	10,
	200,
	{
		{"UNC_H_SBO0_CREDIT_OCCUPANCY", 0xff, 0x6a},
		{"UNC_R2_RING_IV_USED", 0xf000, 0},
	},
	{
		{"UNC_[CS]_RING_@(A[DK]|BL)_USED", "UP", 0x33, 0x03},
		{"UNC_[CS]_RING_@(A[DK]|BL)_USED", "DOWN", 0xcc, 0x0c},
		{"UNC_C_RING_@(A[DK]|BL)_USED", "ALL", 0xcc, 0x0f},
		{"UNC_C_RING_BOUNCES", "AK", 0x04, 0x02},
		{"UNC_C_RING_BOUNCES", "BL", 0x08, 0x04},
		{"UNC_C_RXR_@(IPQ|IRQ|ISMQ)_RETRY2", "TARGET", 0x01, 0x40},
		{"UNC_C_RXR_@(IRQ|ISMQ)_RETRY2", "BL_SBO", 0x01, 0x02},
		{"UNC_H_RING_@(A[DK]|BL)_USED", "CW", 0x33, 0x03},
		{"UNC_H_RING_@(A[DK]|BL)_USED", "CCW", 0xcc, 0x0c},
		{"UNC_M_CAS_COUNT", "RD_RMM", 0x10, 0x20},
		{"UNC_M_CAS_COUNT", "RD_WMM", 0x20, 0x10},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANK12", 0xc0, 0x0c},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANK13", 0xd0, 0x0d},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANK14", 0xe0, 0x0e},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANK15", 0xf0, 0x0f},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANKG1", 0x120, 0x12},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANKG2", 0x130, 0x13},
		{"UNC_M_@(RD|WR)_CAS_RANK*", "BANKG3", 0x140, 0x14},
		{"UNC_R[23]_STALL_NO_SBO_CREDIT", "SBO1_AD", 0x01, 0x02},
		{"UNC_R[23]_STALL_NO_SBO_CREDIT", "SBO0_BL", 0x01, 0x04},
		{"UNC_R[23]_STALL_NO_SBO_CREDIT", "SBO1_BL", 0x01, 0x08},
	},
};

const Platform kBdx = {
	"bdx",
	10,
	200,
	{},
	{
		{"UNC_Q_RXL_FLITS_G0", "IDLE", 0x02, 0x01},
		{"UNC_S_RING_@(A[DK]|BL)_USED", "DOWN", 0xcc, 0x0c},
	},
};

const Platform kSkx = {
	"skx",
	9,
	450,
	{},
	{
		{"UNC_C_TOR_INSERTS", "IRQ", 0x01, 0x31, 0x30},
		{"UNC_C_TOR_OCCUPANCY", "IRQ", 0x01, 0x31, 0x30},
		{"UNC_UPI_?XL_BASIC_HDR_MATCH", "RSPI", 0x2a, 0x2a, 0, 1ull << 32},
		{"UNC_UPI_?XL_BASIC_HDR_MATCH", "RSPCNFLT", 0xaa, 0xaa, 0, 1ull << 32},
	},
	"UNC_C_TOR",
	20,
	2001,
	0,
	false,
	true,
};

const Platform kKnl = {
	"knl",
	6,
	93,
	{},
	{
		{"UNC_H_VERT_RING_@(A[DK]|BL)_IN_USE", "DN_EVEN", 0x02, 0x04},
		{"UNC_H_VERT_RING_@(A[DK]|BL)_IN_USE", "DN_ODD", 0x04, 0x08},
		{"UNC_M2P_INGRESS_CYCLES_NE", "ALL", 0x08, 0x80},
		{"UNC_M2P_INGRESS_CYCLES_NE", "", 0x08, 0x80},
	},
	"UNC_H_TOR",
	12,
	300,
	UINT64_C(8) << 32,
	false,
};

} // namespace support::libpfm4
