/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_events.c - events of the Xeons with rings after SNB-EP (ivbep, hswep, bdx).
 * Most are those of SNB-EP with the same code; *_codes.c has the existing codes
 * and their counters.
 */
#include "sim/ep/ring.h"

/* clang-format off */
/* CLOCKTICKS alone */
static const struct sim_event clock_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
};

/* IMC_READS.NORMAL, in addition to those of SNB-EP */
static const struct sim_event ha_rows[] = {
	{0x17, 0, 4, PULSE, STAY_NONE, {{0x01, MEM_READS, 1}}},
};

/* POWER_STATE_OCCUPANCY with more cores than SNB-EP has */
static const struct sim_event pcu_rows[] = {
	{0x80, 0, 72, QUEUE, STAY_NONE, {{0, CORES, 1}}},
};

/* CLOCKTICKS, TRANSACTIONS */
static const struct sim_event ivbep_irp_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x15, 0, 1, PULSE, STAY_NONE, {{0x01, IO_READ, 1}, {0x02, IO_WRITE, 1}}},
};
static const struct sim_event hswep_irp_rows[] = {
	{0x00, 0, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	{0x16, 0, 1, PULSE, STAY_NONE, {{0x01, IO_READ, 1}, {0x02, IO_WRITE, 1}}},
};

/* Codes of other events than on SNB-EP, or without umasks. */
static const uint16_t hswep_pcu_unlike[] = {0x32, 0};
static const uint16_t hswep_ha_unlike[] = {0x0b, 0};
static const uint16_t ivbep_r3qpi_unlike[] = {0x12, 0};
static const uint16_t hswep_r3qpi_unlike[] = {0x20, 0x21, 0x22, 0};
/* clang-format on */

#define NO_ROWS     .rows = NULL, .n = 0
#define ROWS(array) .rows = (array), .n = N_OF(array)

#define LIKE_SNBEP(platform, kind)                          \
	const struct sim_events sim_##platform##_##kind = { \
		NO_ROWS, .codes = &sim_##platform##_##kind##_codes, .like = &sim_snbep_##kind}

LIKE_SNBEP(ivbep, ubox);
LIKE_SNBEP(ivbep, cbox);
LIKE_SNBEP(ivbep, imc);
LIKE_SNBEP(ivbep, qpi);
LIKE_SNBEP(ivbep, r2pcie);
LIKE_SNBEP(hswep, ubox);
LIKE_SNBEP(hswep, cbox);
LIKE_SNBEP(hswep, imc);
LIKE_SNBEP(hswep, qpi);
LIKE_SNBEP(hswep, r2pcie);
LIKE_SNBEP(bdx, ubox);
LIKE_SNBEP(bdx, cbox);
LIKE_SNBEP(bdx, imc);
LIKE_SNBEP(bdx, qpi);
LIKE_SNBEP(bdx, r2pcie);

const struct sim_events sim_ivbep_ha = {ROWS(ha_rows), .codes = &sim_ivbep_ha_codes,
					.like = &sim_snbep_ha};
const struct sim_events sim_hswep_ha = {ROWS(ha_rows), .codes = &sim_hswep_ha_codes,
					.like = &sim_snbep_ha, .unlike = hswep_ha_unlike};
const struct sim_events sim_bdx_ha = {ROWS(ha_rows), .codes = &sim_bdx_ha_codes,
				      .like = &sim_snbep_ha, .unlike = hswep_ha_unlike};

const struct sim_events sim_ivbep_r3qpi = {NO_ROWS, .codes = &sim_ivbep_r3qpi_codes,
					   .like = &sim_snbep_r3qpi, .unlike = ivbep_r3qpi_unlike};

const struct sim_events sim_ivbep_pcu = {ROWS(pcu_rows), .codes = &sim_ivbep_pcu_codes,
					 .like = &sim_snbep_pcu};
const struct sim_events sim_hswep_pcu = {ROWS(pcu_rows), .codes = &sim_hswep_pcu_codes,
					 .like = &sim_snbep_pcu, .unlike = hswep_pcu_unlike};
const struct sim_events sim_bdx_pcu = {ROWS(pcu_rows), .codes = &sim_bdx_pcu_codes,
				       .like = &sim_snbep_pcu, .unlike = hswep_pcu_unlike};

const struct sim_events sim_hswep_r3qpi = {NO_ROWS, .codes = &sim_hswep_r3qpi_codes,
					   .like = &sim_snbep_r3qpi, .unlike = hswep_r3qpi_unlike};
const struct sim_events sim_bdx_r3qpi = {NO_ROWS, .codes = &sim_bdx_r3qpi_codes,
					 .like = &sim_snbep_r3qpi, .unlike = hswep_r3qpi_unlike};

const struct sim_events sim_ivbep_irp = {ROWS(ivbep_irp_rows), .codes = &sim_ivbep_irp_codes};
const struct sim_events sim_hswep_irp = {ROWS(hswep_irp_rows), .codes = &sim_hswep_irp_codes};
const struct sim_events sim_bdx_irp = {ROWS(hswep_irp_rows), .codes = &sim_bdx_irp_codes};

const struct sim_events sim_hswep_sbox = {ROWS(clock_rows), .codes = &sim_hswep_sbox_codes};
const struct sim_events sim_bdx_sbox = {ROWS(clock_rows), .codes = &sim_bdx_sbox_codes};
