/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_core_events.c - Xeon 7500 and E7: events of the U-, C- and W-Box (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex_events.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct nhmex_event uevents[] = {
	NX_CYCLES(0x00, 0, 0.0031), /* buffers valid: local and remote interrupts, lock, ... */
	NX_CYCLES(0x01, 0, 0.0017),
	NX_CYCLES(0x02, 0, 0.00071),
	NX_CYCLES(0x03, 0, 0.00023),
	NX_CYCLES(0x04, 0, 0.0013),
	{0x05, NX_ONLY_WSM, 0, NX_LEVEL, 1, 0, {{0, NX_CLOCK, 0.00029}}},
	{0x06, NX_ONLY_WSM, 0, NX_LEVEL, 1, 0, {{0, NX_CLOCK, 0.00037}}},
	{0x07, NX_ONLY_WSM, 0, NX_LEVEL, 1, 0, {{0, NX_CLOCK, 0.00041}}},
	NX_COUNT(0x50, 0, NX_INTERRUPTS, 1.31), /* U2R_REQUESTS */
	NX_CYCLES(0x51, 0, 0.0043),
	NX_COUNT(0xf8, 0, NX_INTERRUPTS, 0.071), /* WOKEN */
	NX_COUNT(0xf9, 0, NX_INTERRUPTS, 0.53),  /* IPIS_SENT */
	/* Listed with nine bits; the event select has eight. */
	NX_COUNT(0xdf, 0, NX_INTERRUPTS, 0.0019),
	NX_COUNT(0xe4, 0, NX_INTERRUPTS, 0.0031),
	{0xe5, NX_ONLY_WSM, 0, NX_PULSE, 4, 0, {{0, NX_INTERRUPTS, 0.0011}}},
	{0xe6, NX_ONLY_NHM, 0, NX_PULSE, 4, 0, {{0, NX_INTERRUPTS, 0.0007}}},
};

/* The queues of the C-Box have no documented depth; 32 is enough for their usual occupancy. */
#define C_QUEUE(code, stay, flow) NX_ENTRIES(code, 32, stay, 0, flow, 1)

/* Events that only the E7 has, without umasks. */
/* clang-format off */
#define C_WSM(code, factor) \
	{(code), NX_ONLY_WSM, 0, NX_PULSE, 4, 0, {{0, NX_LOOKUPS, (factor)}}}
/* clang-format on */

static const struct nhmex_event cevents[] = {
	NX_COUNT(0x01, 0x03, NX_LOOKUPS, 0.013), /* bounces */
	NX_COUNT(0x02, 0x03, NX_LOOKUPS, 0.017),
	NX_COUNT(0x03, 0x03, NX_LOOKUPS, 0.011),
	NX_COUNT(0x04, 0, NX_LOOKUPS, 0.0037),
	NX_COUNT(0x05, 0x07, NX_LOOKUPS, 0.71), /* sinks */
	NX_COUNT(0x06, 0x07, NX_LOOKUPS, 0.83),
	NX_COUNT(0x07, 0x07, NX_READS, 1.07),
	NX_COUNT(0x08, 0, NX_READS, 0.19),
	/* Losses are thought to be 0x09, wins 0x0a. */
	NX_COUNT(0x09, 0x7f, NX_LOOKUPS, 0.29),
	NX_COUNT(0x0a, 0x7f, NX_LOOKUPS, 2.3),
	NX_CYCLES(0x0b, 0xff, 0.0121),
	NX_COUNT(0x0c, 0xff, NX_LOOKUPS, 0.61),
	NX_COUNT(0x0e, 0x0f, NX_LOOKUPS, 0.43),
	NX_COUNT(0x10, 0, NX_LOOKUPS, 1), /* MAF */
	NX_COUNT(0x11, 0xff, NX_LOOKUPS, 0.059),
	NX_COUNT(0x12, 0xff, NX_LOOKUPS, 0.031),
	{0x14,
	 NX_BOTH,
	 0,
	 NX_PULSE,
	 4,
	 0, /* LLC_MISSES: shared, forward, invalid */
	 {{0x01, NX_READS, 0.0713}, {0x02, NX_READS, 0.0517}, {0x04, NX_READS, 0.877}}},
	{0x15,
	 NX_BOTH,
	 0,
	 NX_PULSE,
	 4,
	 0, /* LLC_HITS */
	 {{0x01, NX_HIT_M, 1}, {0x02, NX_HIT_E, 1}, {0x04, NX_HIT_S, 1}, {0x08, NX_HIT_F, 1}}},
	NX_COUNT(0x16, 0x0f, NX_READS, 1), /* LLC_S_FILLS */
	{0x17,
	 NX_BOTH,
	 0,
	 NX_PULSE,
	 4,
	 0, /* LLC_VICTIMS */
	 {{0x01, NX_WRITES, 1}, {0x0e, NX_VICTIMS, 1}, {0x10, NX_READS, 0.113}}},
	C_QUEUE(0x18, NX_INGRESS, NX_LOOKUPS), /* IRQ */
	NX_COUNT(0x19, 0, NX_LOOKUPS, 1),
	C_QUEUE(0x1a, NX_INGRESS, NX_SNP), /* IPQ */
	NX_COUNT(0x1b, 0, NX_SNP, 1),
	C_QUEUE(0x1c, NX_INGRESS, NX_WRITES), /* VIQ */
	NX_COUNT(0x1d, 0, NX_WRITES, 1),
	C_QUEUE(0x1e, NX_MISS, NX_READS), /* MAF */
	NX_COUNT(0x1f, 0, NX_READS, 1),
	C_QUEUE(0x20, NX_LINK, NX_LOOKUPS), /* RWRF */
	NX_COUNT(0x21, 0, NX_LOOKUPS, 1),
	C_QUEUE(0x22, NX_LINK, NX_READS), /* RSPF */
	NX_COUNT(0x23, 0, NX_READS, 1),
	{0x27, NX_BOTH, 0, NX_PULSE, 4, 0, {{0x01, NX_SNP, 0.713}, {0x02, NX_SNP, 0.287}}},
	NX_COUNT(0x28, 0xff, NX_SNP, 0.37),
	C_WSM(0x29, 0.0019),
	C_WSM(0x2a, 0.0023),
	C_WSM(0x2b, 0.0029),
	C_WSM(0x2c, 0.0031),
	C_WSM(0x2d, 0.0037),
	C_WSM(0x2e, 0.0041),
	C_WSM(0x2f, 0.0043),
	C_WSM(0x30, 0.0047),
	C_WSM(0x31, 0.0053),
	C_WSM(0x32, 0.0059),
	C_WSM(0x33, 0.0061),
	C_WSM(0x34, 0.0067),
	C_WSM(0x35, 0.0071),
	C_WSM(0x36, 0.0073),
	C_WSM(0x37, 0.0079),
	C_WSM(0x38, 0.0083),
	C_WSM(0x39, 0.0089),
	C_WSM(0x3a, 0.0097),
	C_WSM(0x3b, 0.0101),
	C_WSM(0x3c, 0.0103),
};

/* Cores in a state: the umask has a bit for each of the first eight. */
/* clang-format off */
#define W_CORES(code_, factor)                         \
	{.code = (code_), .shape = NX_LEVEL, .max = 8, \
	 .parts = {{0xff, NX_CLOCK, 8 * (factor)}}}
/* clang-format on */

static const struct nhmex_event wevents[] = {
	W_CORES(0x00, 0.0113), /* throttled by temperature, by the die, by PROCHOT */
	W_CORES(0x01, 0.0071), NX_CYCLES(0x02, 0, 0.0053), /* PROCHOT */
	W_CORES(0x03, 0.0037), W_CORES(0x04, 0.3119),      /* C_CYCLES_TURBO */
	W_CORES(0x07, 0.0029),                             /* TM1_ON */
	W_CORES(0x08, 0.0013),                             /* RATIO_CHANGE_ABORT */
};

const struct nhmex_rows sim_nhmex_uevents = {uevents, N_OF(uevents)};
const struct nhmex_rows sim_nhmex_cevents = {cevents, N_OF(cevents)};
const struct nhmex_rows sim_nhmex_wevents = {wevents, N_OF(wevents)};
