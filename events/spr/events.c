/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - the event tables of Sapphire Rapids and Emerald Rapids.
 */
#include "spr/events.h"

#include "shared/event_rows.h"

/* clang-format off */
/* Umasks that several events share, in more than one table. */
#define STATE_CHANGES \
	ALONE(ANY, 0x300000100, "any change of state", REGULAR) \
	ALONE(A2I, 0x300002000, "from state A to state I") \
	ALONE(A2S, 0x300004000, "from state A to state S") \
	ALONE(I2A, 0x300000400, "from state I to state A") \
	ALONE(I2S, 0x300000200, "from state I to state S") \
	ALONE(S2A, 0x300001000, "from state S to state A") \
	ALONE(S2I, 0x300000800, "from state S to state I") \
	ALONE(HIT_NON_PMM, 0x100000100, "any change, hit outside persistent memory") \
	ALONE(I_TO_S_HIT_NON_PMM, 0x100000200, "from state I to state S, hit outside persistent memory") \
	ALONE(I_TO_A_HIT_NON_PMM, 0x100000400, "from state I to state A, hit outside persistent memory") \
	ALONE(S_TO_I_HIT_NON_PMM, 0x100000800, "from state S to state I, hit outside persistent memory") \
	ALONE(S_TO_A_HIT_NON_PMM, 0x100001000, "from state S to state A, hit outside persistent memory") \
	ALONE(A_TO_I_HIT_NON_PMM, 0x100002000, "from state A to state I, hit outside persistent memory") \
	ALONE(A_TO_S_HIT_NON_PMM, 0x100004000, "from state A to state S, hit outside persistent memory") \
	ALONE(MISS_NON_PMM, 0x200000100, "any change, miss outside persistent memory") \
	ALONE(I_TO_S_MISS_NON_PMM, 0x200000200, "from state I to state S, miss outside persistent memory") \
	ALONE(I_TO_A_MISS_NON_PMM, 0x200000400, "from state I to state A, miss outside persistent memory") \
	ALONE(S_TO_I_MISS_NON_PMM, 0x200000800, "from state S to state I, miss outside persistent memory") \
	ALONE(S_TO_A_MISS_NON_PMM, 0x200001000, "from state S to state A, miss outside persistent memory") \
	ALONE(A_TO_I_MISS_NON_PMM, 0x200002000, "from state A to state I, miss outside persistent memory") \
	ALONE(A_TO_S_MISS_NON_PMM, 0x200004000, "from state A to state S, miss outside persistent memory")
#define TWO_CHANNELS \
	UMASK(CH0, 0x100, "of channel 0") \
	UMASK(CH1, 0x200, "of channel 1")
#define READ_BUFFER_ENTRIES \
	ALONE(RDB_1_ELEM, 0x100, "1 entry (the umask is this number)") \
	ALONE(RDB_2_ELEM, 0x200, "2 entries (the umask is this number)") \
	ALONE(RDB_3_ELEM, 0x300, "3 entries (the umask is this number)") \
	ALONE(RDB_4_ELEM, 0x400, "4 entries (the umask is this number)") \
	ALONE(RDB_5_ELEM, 0x500, "5 entries (the umask is this number)") \
	ALONE(RDB_6_ELEM, 0x600, "6 entries (the umask is this number)") \
	ALONE(RDB_7_ELEM, 0x700, "7 entries (the umask is this number)") \
	ALONE(RDB_8_ELEM, 0x800, "8 entries (the umask is this number)") \
	ALONE(RDB_9_ELEM, 0x900, "9 entries (the umask is this number)") \
	ALONE(RDB_10_ELEM, 0xa00, "10 entries (the umask is this number)") \
	ALONE(RDB_11_ELEM, 0xb00, "11 entries (the umask is this number)") \
	ALONE(RDB_12_ELEM, 0xc00, "12 entries (the umask is this number)") \
	ALONE(RDB_13_ELEM, 0xd00, "13 entries (the umask is this number)") \
	ALONE(RDB_14_ELEM, 0xe00, "14 entries (the umask is this number)") \
	ALONE(RDB_15_ELEM, 0xf00, "15 entries (the umask is this number)") \
	ALONE(RDB_16_ELEM, 0x1000, "16 entries (the umask is this number)") \
	ALONE(RDB_17_ELEM, 0x1100, "17 entries (the umask is this number)") \
	ALONE(RDB_18_ELEM, 0x1200, "18 entries (the umask is this number)") \
	ALONE(RDB_19_ELEM, 0x1300, "19 entries (the umask is this number)") \
	ALONE(RDB_20_ELEM, 0x1400, "20 entries (the umask is this number)") \
	ALONE(RDB_21_ELEM, 0x1500, "21 entries (the umask is this number)") \
	ALONE(RDB_22_ELEM, 0x1600, "22 entries (the umask is this number)") \
	ALONE(RDB_23_ELEM, 0x1700, "23 entries (the umask is this number)") \
	ALONE(RDB_24_ELEM, 0x1800, "24 entries (the umask is this number)")
#define PSEUDO_CHANNELS \
	UMASK(PCH0, 0x100, "on pseudo channel 0", REGULAR) \
	UMASK(PCH1, 0x200, "on pseudo channel 1", REGULAR)
/* clang-format on */

#define EMR_ALONE(name_, bits_, ...)
const struct unc_row unc_spr_cha_rows[] = {
#include "spr/cha.def"
	ROWS_END,
};

#undef EMR_ALONE
#define EMR_ALONE(name_, bits_, ...) XALONE(name_, bits_, __VA_ARGS__)
const struct unc_row unc_emr_cha_rows[] = {
#include "spr/cha.def"
	ROWS_END,
};

const struct unc_row unc_spr_iio_rows[] = {
#include "spr/iio.def"
	ROWS_END,
};

const struct unc_row unc_spr_irp_rows[] = {
#include "spr/irp.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2pcie_rows[] = {
#include "spr/m2pcie.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2m_rows[] = {
#include "spr/m2m.def"
	ROWS_END,
};

const struct unc_row unc_spr_m2hbm_rows[] = {
#include "spr/m2hbm.def"
	ROWS_END,
};

const struct unc_row unc_spr_upi_rows[] = {
#include "spr/upi.def"
	ROWS_END,
};

const struct unc_row unc_spr_m3upi_rows[] = {
#include "spr/m3upi.def"
	ROWS_END,
};

const struct unc_row unc_spr_mdf_rows[] = {
#include "spr/mdf.def"
	ROWS_END,
};

const struct unc_row unc_spr_imc_rows[] = {
#include "spr/imc.def"
	ROWS_END,
};

const struct unc_row unc_spr_hbm_rows[] = {
#include "spr/hbm.def"
	ROWS_END,
};

const struct unc_row unc_spr_cxlcm_rows[] = {
#include "spr/cxlcm.def"
	ROWS_END,
};

const struct unc_row unc_spr_cxldp_rows[] = {
#include "spr/cxldp.def"
	ROWS_END,
};

const struct unc_row unc_spr_pcu_rows[] = {
#include "spr/pcu.def"
	ROWS_END,
};

const struct unc_row unc_spr_ubo_rows[] = {
#include "spr/ubo.def"
	ROWS_END,
};

const struct unc_row unc_spr_iio_free_rows[] = {
#include "spr/iio_free.def"
	ROWS_END,
};

const struct unc_row unc_spr_imc_free_rows[] = {
#include "spr/imc_free.def"
	ROWS_END,
};
