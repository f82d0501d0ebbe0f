/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_ring_events.c - Xeon 7500 and E7: events of the S-Box (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex_events.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The C-Boxes of one side: four bits on the Xeon 7500, see nhmex_signal.c. */
#define CBOXES 0x1f

/*
 * A message queue: cycles full, cycles not empty, entries.  It is assumed
 * to be full for a small share of its occupancy.
 */
/* clang-format off */
#define FULL(code_, ...)                                                       \
	{.code = (code_), .shape = NX_LEVEL, .max = 1, .stay = NX_LINK,        \
	 .parts = {__VA_ARGS__}}
#define NOT_EMPTY(code_, max_, ...)                                            \
	{.code = (code_), .shape = NX_BUSY, .max = (max_), .stay = NX_LINK,    \
	 .parts = {__VA_ARGS__}}
#define ENTRIES(code_, max_, ...)                                              \
	{.code = (code_), .shape = NX_QUEUE, .max = (max_), .stay = NX_LINK,   \
	 .parts = {__VA_ARGS__}}

static const struct nhmex_event sevents[] = {
	NX_COUNT(0x00, 0, NX_PACKETS, 1), /* TO_R_PROG_EV: matching packets, see nhmex_signal.c */
	FULL(0x03, {0x01, NX_TO_R, 0.0113}, {0x02, NX_TO_B, 0.0113}),
	NOT_EMPTY(0x06, 64, {0x01, NX_TO_R, 1}, {0x02, NX_TO_B, 1}),
	ENTRIES(0x07, 64, {0x01, NX_TO_R, 1}, {0x02, NX_TO_B, 1}),
	FULL(0x08, {0, NX_SNP, 0.0131}),
	NOT_EMPTY(0x09, 32, {0, NX_SNP, 1}),
	ENTRIES(0x0a, 32, {0, NX_SNP, 1}),
	FULL(0x0b, {0, NX_NDR, 0.0137}),
	NOT_EMPTY(0x0c, 16, {0, NX_NDR, 1}),
	ENTRIES(0x0d, 16, {0, NX_NDR, 1}),
	FULL(0x0e, {CBOXES, NX_DRS, 0.0149}),
	NOT_EMPTY(0x0f, 16, {CBOXES, NX_DRS, 1}),
	ENTRIES(0x10, 16, {CBOXES, NX_DRS, 1}),
	FULL(0x11, {CBOXES, NX_NCB, 0.0151}),
	NOT_EMPTY(0x12, 8, {CBOXES, NX_NCB, 1}),
	ENTRIES(0x13, 8, {CBOXES, NX_NCB, 1}),
	FULL(0x14, {CBOXES, NX_NCS, 0.0157}),
	NOT_EMPTY(0x15, 8, {CBOXES, NX_NCS, 1}),
	ENTRIES(0x16, 8, {CBOXES, NX_NCS, 1}),
	/* Towards the ring. */
	FULL(0x20, {0, NX_SNP, 0.0163}),
	FULL(0x21, {0, NX_NCB, 0.0167}),
	FULL(0x22, {0, NX_NCS, 0.0173}),
	NOT_EMPTY(0x23, 8, {0, NX_SNP, 1.07}),
	NOT_EMPTY(0x24, 8, {0, NX_NCB, 1.11}),
	{0x25, NX_ONLY_WSM, 0, NX_BUSY, 8, NX_LINK, {{0, NX_NCS, 1.13}}},
	ENTRIES(0x26, 32, {0x01, NX_SNP, 1.07}, {0x02, NX_NCS, 1.13}, {0x04, NX_NCB, 1.11}),
	FULL(0x27, {0, NX_NDR, 0.0179}),
	NOT_EMPTY(0x28, 8, {0, NX_NDR, 1.17}),
	ENTRIES(0x29, 8, {0, NX_NDR, 1.17}),
	/* From the router and from the B-Box: the codes differ except the first and last. */
	FULL(0x2a, {0, NX_TO_R, 0.0181}),
	{0x2b, NX_ONLY_NHM, 0, NX_LEVEL, 1, NX_LINK, {{0, NX_READ_LOCAL, 0.0191}}},
	{0x2c, NX_ONLY_NHM, 0, NX_BUSY, 8, NX_LINK, {{0, NX_DRS, 1.19}}},
	{0x2d, NX_ONLY_NHM, 0, NX_BUSY, 8, NX_LINK, {{0, NX_READ_LOCAL, 1.23}}},
	{0x2e, NX_ONLY_NHM, 0, NX_QUEUE, 8, NX_LINK, {{0, NX_DRS, 1.19}}},
	{0x2d, NX_ONLY_WSM, 0, NX_LEVEL, 1, NX_LINK, {{0, NX_READ_LOCAL, 0.0191}}},
	{0x2b, NX_ONLY_WSM, 0, NX_BUSY, 8, NX_LINK, {{0, NX_DRS, 1.19}}},
	{0x2e, NX_ONLY_WSM, 0, NX_BUSY, 8, NX_LINK, {{0, NX_READ_LOCAL, 1.23}}},
	{0x2c, NX_ONLY_WSM, 0, NX_QUEUE, 8, NX_LINK, {{0, NX_DRS, 1.19}}},
	ENTRIES(0x2f, 8, {0, NX_READ_LOCAL, 1.23}),
	NX_COUNT(0x30, 0, NX_READS, 0.037), /* HALFLINE_BYPASS */
	{0x31, NX_BOTH, 0, NX_QUEUE, 48, NX_MISS, /* REQ_TBL_OCCUPANCY */
	 {{0x01, NX_TO_B, 1}, {0x02, NX_TO_R, 1}}},
	NX_COUNT(0x40, 0x3f, NX_READS, 0.61), /* egress */
	NX_COUNT(0x41, 0x3f, NX_READS, 1.91),
	NX_COUNT(0x42, 0x3f, NX_READS, 0.23),
	NX_CYCLES(0x43, 0x3f, 0.0109),
	NX_COUNT(0x50, 0, NX_HOM, 0.41), /* bypasses */
	NX_COUNT(0x51, 0x03, NX_SNP, 0.43),
	NX_COUNT(0x52, 0, NX_READ_LOCAL, 0.47),
	NX_COUNT(0x53, 0, NX_READ_LOCAL, 0.53),
	NX_COUNT(0x54, 0, NX_READ_LOCAL, 0.59),
	/* Packets and flits sent: to the router and, PKTS_SENT_HOM, to the B-Box. */
	{0x60, NX_BOTH, 0, NX_PULSE, 4, 0, {{0x01, NX_TO_R, 1}, {0x02, NX_TO_B, 1}}},
	NX_COUNT(0x62, 0, NX_SNP, 1.31),
	NX_COUNT(0x63, 0, NX_NDR, 1),
	NX_COUNT(0x64, CBOXES, NX_DRS, 1),
	NX_COUNT(0x65, 0, NX_DRS, 9),
	NX_COUNT(0x66, CBOXES, NX_NCS, 1),
	NX_COUNT(0x67, 0, NX_NCS, 3),
	NX_COUNT(0x68, CBOXES, NX_NCB, 1),
	NX_COUNT(0x69, 0, NX_NCB, 9),
	NX_COUNT(0x6a, 0, NX_PACKETS, 0.71),
	NX_COUNT(0x6b, 0, NX_READ_LOCAL, 0.73),
	{0x6c, NX_BOTH, 0, NX_PULSE, 4, 0, {{0x01, NX_TO_B, 1}, {0x02, NX_TO_R, 1}}},
	NX_COUNT(0x70, 0, NX_NDR, 1.07), /* received */
	NX_COUNT(0x71, 0, NX_SNP, 1),
	NX_COUNT(0x72, 0, NX_DRS, 1.03),
	NX_COUNT(0x73, 0, NX_READ_LOCAL, 1),
	NX_COUNT(0x74, 0, NX_NCS, 1.01),
	NX_COUNT(0x75, 0, NX_NCB, 1.01),
	NX_COUNT(0x76, 0, NX_PACKETS, 0.79),
	NX_COUNT(0x77, 0, NX_READ_LOCAL, 0.83),
	NX_CYCLES(0x80, 0, 0.0031), /* no credit */
	NX_CYCLES(0x81, 0, 0.0037),
	NX_CYCLES(0x82, 0, 0.0041),
	NX_CYCLES(0x83, 0, 0.0043),
	NX_CYCLES(0x84, 0, 0.0047),
	NX_CYCLES(0x85, 0, 0.0053),
	NX_CYCLES(0x86, 0x03, 0.0059),
	NX_CYCLES(0x87, 0, 0.0061),
	NX_CYCLES(0x88, 0, 0.0067),
	NX_CYCLES(0x89, 0, 0.0071),
	NX_CYCLES(0x8a, 0, 0.0073),
	{0x8b, NX_ONLY_WSM, 0, NX_LEVEL, 1, 0, {{0, NX_CLOCK, 0.0079}}},
	{0x8c, NX_ONLY_WSM, 0, NX_LEVEL, 1, NX_LINK, {{CBOXES, NX_NCS, 0.0193}}},
	{0x8d, NX_ONLY_WSM, 0, NX_BUSY, 8, NX_LINK, {{CBOXES, NX_NCS, 0.71}}},
	{0x8e, NX_ONLY_WSM, 0, NX_QUEUE, 8, NX_LINK, {{CBOXES, NX_NCS, 0.71}}},
	{0x8f, NX_ONLY_WSM, 0, NX_PULSE, 4, 0, {{0, NX_NCS, 0.73}}},
	{0x90, NX_ONLY_WSM, 0, NX_PULSE, 4, 0, {{0, NX_NCS, 2.13}}},
};
/* clang-format on */

const struct nhmex_rows sim_nhmex_sevents = {sevents, N_OF(sevents)};
