/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_home_events.c - Xeon 7500 and E7: events of the B-Box, counter by
 * counter, and of the M-Box (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex_events.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define IMT 32 /* the depth of the table of requests in flight */

/* clang-format off */
#define B_COUNT(counter, code, flow, factor) \
	{(code), NX_BOTH, (counter), NX_PULSE, 4, 0, {{0, (flow), (factor)}}}
#define B_CYCLES(counter, code, factor) \
	{(code), NX_BOTH, (counter), NX_LEVEL, 1, 0, {{0, NX_CLOCK, (factor)}}}
#define B_ENTRIES(counter, code, stay, flow, factor) \
	{(code), NX_BOTH, (counter), NX_QUEUE, IMT, (stay), {{0, (flow), (factor)}}}

static const struct nhmex_event bevents[] = {
	B_COUNT(0, 0x01, NX_MEM_ALL, 1.93), /* matching requests, see nhmex_signal.c */
	B_COUNT(0, 0x02, NX_MEM_ALL, 1.87),
	B_COUNT(0, 0x03, NX_MEM_ALL, 1.79),
	B_ENTRIES(0, 0x04, NX_MISS, NX_MEM_ALL, 1), /* tracker file */
	B_ENTRIES(0, 0x05, NX_MISS, NX_MEM_WRITES, 1),
	B_ENTRIES(0, 0x06, NX_MISS, NX_MEM_WRITES, 0.0713),
	B_ENTRIES(0, 0x07, NX_MISS, NX_MEM_ALL, 1), /* IMT */
	B_ENTRIES(0, 0x09, NX_INGRESS, NX_MEM_READS, 1),
	B_ENTRIES(0, 0x0b, NX_MISS, NX_MEM_ALL, 0.0637),
	B_ENTRIES(0, 0x0d, NX_MISS, NX_MEM_WRITES, 0.0919),
	B_ENTRIES(0, 0x0f, NX_MISS, NX_MEM_WRITES, 0.0311),
	B_ENTRIES(0, 0x12, NX_INGRESS, NX_SNP, 1),
	B_ENTRIES(0, 0x17, NX_INGRESS, NX_MEM_ALL, 1.03),
	B_ENTRIES(0, 0x1c, NX_MISS, NX_MEM_READS, 0.0511),
	B_COUNT(1, 0x01, NX_MEM_ALL, 1.73), /* matching requests */
	B_COUNT(1, 0x02, NX_MEM_ALL, 1.67),
	B_COUNT(1, 0x03, NX_MEM_ALL, 1.61),
	B_COUNT(1, 0x04, NX_MEM_ALL, 1.59),
	B_COUNT(1, 0x05, NX_MEM_ALL, 1.57),
	B_COUNT(1, 0x06, NX_MEM_ALL, 1.51),
	B_COUNT(1, 0x07, NX_MEM_ALL, 1), /* IMT inserts */
	B_COUNT(1, 0x09, NX_MEM_READS, 1),
	B_COUNT(1, 0x0a, NX_MEM_ALL, 0.0637),
	B_COUNT(1, 0x0b, NX_MEM_ALL, 0.9363),
	B_COUNT(1, 0x0c, NX_MEM_WRITES, 1),
	B_COUNT(1, 0x0d, NX_MEM_WRITES, 0.0919),
	B_COUNT(1, 0x0e, NX_MEM_WRITES, 0.9081),
	B_COUNT(1, 0x0f, NX_MEM_WRITES, 0.0713),
	B_COUNT(1, 0x10, NX_MEM_WRITES, 0.0311),
	B_COUNT(1, 0x12, NX_SNP, 1),
	B_COUNT(1, 0x17, NX_MEM_ALL, 1.03),
	B_COUNT(1, 0x1c, NX_MEM_WRITES, 0.0402),
	B_COUNT(1, 0x1d, NX_MEM_READS, 1),
	B_COUNT(1, 0x1f, NX_MEM_READS, 0.9489),
	B_COUNT(2, 0x01, NX_MEM_ALL, 1.43),
	B_COUNT(2, 0x02, NX_MEM_ALL, 1.37),
	B_COUNT(2, 0x03, NX_MEM_ALL, 1.31),
	B_COUNT(2, 0x04, NX_MEM_ALL, 1.29), /* matching requests */
	{0x07, NX_BOTH, 2, NX_BUSY, IMT, NX_MISS, {{0, NX_MEM_ALL, 1}}},
	B_COUNT(3, 0x02, NX_MEM_READS, 0.31),
	B_COUNT(3, 0x06, NX_MEM_READS, 0.37),
	B_COUNT(3, 0x0e, NX_MEM_ALL, 0.41),
	B_COUNT(3, 0x0f, NX_MEM_READS, 0.43),
	B_COUNT(3, 0x12, NX_MEM_WRITES, 0.047),
	B_CYCLES(3, 0x13, 0.0053),
	B_CYCLES(3, 0x14, 0.0059),
	B_CYCLES(3, 0x15, 0.0061),
	B_CYCLES(3, 0x16, 0.0067),
	B_COUNT(3, 0x17, NX_MEM_ALL, 0.0071),
	B_COUNT(3, 0x19, NX_SNP, 0.0073),
};
/* clang-format on */

/* The sub-control registers reduce these; see nhmex_memory.c. */
static const struct nhmex_event mevents[] = {
	NX_ENTRIES(0x00, 32, NX_MISS, 0, NX_MEM_ALL, 1), /* DSP_FILL */
	NX_CYCLES(0x01, 0, 0.0113),                      /* CYCLES_MFULL */
	NX_COUNT(0x02, 0, NX_MEM_ALL, 0.0031),
	NX_COUNT(0x03, 0, NX_MEM_ALL, 0.0037),
	NX_COUNT(0x04, 0, NX_INTERRUPTS, 0.41), /* THERM_TRP_UP and _DN */
	NX_COUNT(0x05, 0, NX_INTERRUPTS, 0.43),
	NX_COUNT(0x06, 0, NX_CLOCK, 0.00016), /* REFRESH */
	NX_COUNT(0x07, 0, NX_MEM_ALL, 0.0041),
	NX_COUNT(0x08, 0, NX_MEM_ALL, 0.0043), /* SCHED_MODE_CHANGES */
	NX_COUNT(0x09, 0, NX_CLOCK, 0.25),     /* FRM_TYPE */
	NX_COUNT(0x0a, 0, NX_NONE, 0),         /* DRAM_CMD */
	NX_COUNT(0x0b, 0, NX_NONE, 0),         /* RETRIES, DRAM_MISC */
	NX_COUNT(0x0c, 0, NX_MEM_ALL, 0.0000053),
	NX_COUNT(0x0d, 0, NX_NONE, 0), /* FVC_EV0 to 3 */
	NX_COUNT(0x0e, 0, NX_NONE, 0),
	NX_COUNT(0x0f, 0, NX_NONE, 0),
	NX_COUNT(0x10, 0, NX_NONE, 0),
	NX_COUNT(0x11, 0, NX_MEM_ALL, 0.0059), /* PATROL_TXNS */
	NX_COUNT(0x12, 0, NX_MEM_ALL, 1.07),
	NX_COUNT(0x13, 0, NX_PAGE_MISS, 1),
	{.code = 0x14,
	 .shape = NX_PULSE,
	 .max = 4, /* PAGE_HIT */
	 .parts = {{0, NX_MEM_ALL, 1}, {0, NX_ACTIVATES, -1}}},
	{.code = 0x15,
	 .shape = NX_PULSE,
	 .max = 4, /* PAGE_EMPTY */
	 .parts = {{0, NX_ACTIVATES, 1}, {0, NX_PAGE_MISS, -1}}},
	NX_COUNT(0x16, 0, NX_ACTIVATES, 1.01), /* PGT_PAGE_EV */
	NX_COUNT(0x17, 0, NX_MEM_ALL, 0.061),
	NX_COUNT(0x18, 0, NX_MEM_ALL, 0.00067),
	NX_COUNT(0x19, 0, NX_MEM_ALL, 0.0071),
	NX_COUNT(0x1a, 0, NX_MEM_ALL, 1), /* BBOX_CMDS_ALL */
	NX_COUNT(0x1b, 0, NX_CLOCK, 1),   /* MBOX_CLOCKTICKS */
	NX_ENTRIES(0x1c, 64, NX_LINK, 0, NX_MEM_ALL, 1),
	NX_ENTRIES(0x1d, 64, NX_MISS, 0, NX_MEM_ALL, 1),
	/* set_flag_sel */
	NX_CYCLES(NHMEX_FLAG | 0, 0, 0.0231), /* CYCLES_DSP_FILL */
	NX_CYCLES(NHMEX_FLAG | 1, 0, 1),      /* CYCLES_SCHED_MODE */
	NX_CYCLES(NHMEX_FLAG | 3, 0, 0.0119), /* CYCLES_RETRYQ_MFULL, _STARVED */
	NX_CYCLES(NHMEX_FLAG | 4, 0, 0.0127),
	NX_CYCLES(NHMEX_FLAG | 5, 0, 1),                              /* CYCLES_PGT_STATE */
	NX_ENTRIES(NHMEX_FLAG | 6, 32, NX_MISS, 0, NX_MEM_ALL, 1.01), /* BCMD_SCHEDQ_OCCUPANCY */
};

const struct nhmex_rows sim_nhmex_bevents = {bevents, N_OF(bevents)};
const struct nhmex_rows sim_nhmex_mevents = {mevents, N_OF(mevents)};
