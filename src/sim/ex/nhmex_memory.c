/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_memory.c - Xeon 7500 and E7, M-Box: the effect of the sub-control registers
 * on events (docs/hardware/nhmex.md).  count_mode,
 * storage_mode, wrap_mode and fvid are stored but do not affect counting.
 */
#include "sim/ex/nhmex_events.h"

#define FLAG_MODE (UINT64_C(1) << 7)

struct part {
	uint8_t flow;
	double factor;
};

static const struct nhmex_fvc layout_nhm = {.bcmd = 5, .resp = 8, .event = 11};
static const struct nhmex_fvc layout_wsm = {.bcmd = 6, .resp = 9, .event = 12};

/* B-Box commands: read, write, merge, v2f, v2v, f2v, f2b, spare write. */
static const struct part commands[8] = {
	{NX_MEM_READS, 1},    {NX_MEM_WRITES, 1},   {NX_MEM_WRITES, 0.0311}, {NX_MEM_ALL, 0.0013},
	{NX_MEM_ALL, 0.0017}, {NX_MEM_ALL, 0.0019}, {NX_MEM_ALL, 0.0023},    {NX_MEM_ALL, 0.00029},
};

/* Responses: ack, retry, corrected, uncorrected, speculative, spare ack, -, spare uncorrected. */
static const struct part responses[8] = {
	{NX_MEM_ALL, 1},      {NX_MEM_ALL, 0.0031},  {NX_MEM_ALL, 0.00031}, {NX_MEM_ALL, 0.0000031},
	{NX_MEM_ALL, 0.2113}, {NX_MEM_ALL, 0.00011}, {NX_NONE, 0},          {NX_MEM_ALL, 0.000013},
};

/* evnt: CRC error, ECC error, poison, alert, fast reset, command, response, NB trigger. */
static const struct part incidents[8] = {
	{NX_MEM_ALL, 0.0000037},
	{NX_MEM_ALL, 0.0000041},
	{NX_MEM_ALL, 0.0000043},
	{NX_MEM_ALL, 0.0000047},
	{NX_MEM_ALL, 0.0000053},
	{NX_NONE, 0},
	{NX_NONE, 0},
	{NX_MEM_ALL, 0.0000059},
};

/* DRAM commands; 0 is all of them. */
static const struct part dram[32] = {
	[0x00] = {NX_MEM_ALL, 1.9},      [0x01] = {NX_MEM_ALL, 0.0031},
	[0x02] = {NX_ACTIVATES, 1},      [0x03] = {NX_MEM_READS, 0.8317},
	[0x04] = {NX_MEM_WRITES, 0.791}, [0x05] = {NX_MEM_READS, 0.1683},
	[0x06] = {NX_MEM_WRITES, 0.209}, [0x07] = {NX_MEM_ALL, 0.0000061},
	[0x09] = {NX_MEM_ALL, 0.0037},   [0x0a] = {NX_MEM_ALL, 0.00041},
	[0x0b] = {NX_MEM_ALL, 0.00043},  [0x0c] = {NX_MEM_ALL, 0.31},
	[0x10] = {NX_MEM_ALL, 0.0047},   [0x11] = {NX_PAGE_MISS, 1},
	[0x12] = {NX_MEM_ALL, 0.0053},   [0x14] = {NX_MEM_ALL, 0.00059},
	[0x15] = {NX_MEM_ALL, 0.00061},  [0x17] = {NX_MEM_ALL, 0.0000067},
	[0x1c] = {NX_MEM_ALL, 0.00071},  [0x1d] = {NX_MEM_ALL, 0.00073},
	[0x1e] = {NX_MEM_ALL, 0.00079},
};

static const struct part retries = {NX_MEM_ALL, 0.0083};

static double per_cycle(const struct sim_box *box, struct part part)
{
	double flows[N_NHMEX_FLOWS];

	sim_nhmex_flows(box->sim, box->package, flows);
	return part.factor * flows[part.flow] * sim_nhmex_weight(box) / box->kind->clock_hz(box);
}

static double fvc(const struct sim_box *box, uint64_t value, unsigned slot)
{
	const struct nhmex_fvc *layout = sim_nhmex_is_wsm(box->sim) ? &layout_wsm : &layout_nhm;
	unsigned event = (unsigned)(value >> (layout->event + 3 * slot)) & 7;

	if (event == 5)
		return per_cycle(box, commands[value >> layout->bcmd & 7]);
	if (event == 6)
		return per_cycle(box, responses[value >> layout->resp & 7]);
	return per_cycle(box, incidents[event]);
}

/* How the scheduler's time divides: trade-off, read, write priority, adaptive. */
static double mode_share(uint64_t mode)
{
	static const double shares[8] = {0.4127, 0.2713, 0.1919, 0.1241};

	return shares[mode & 7];
}

static double frame_share(uint64_t type)
{
	/* 3CMD, WDAT, SYNC, CHNL, ..., NOP, ..., 1CMD */
	static const double shares[16] = {
		[0] = 0.3719, [1] = 0.2311, [2] = 0.0317, [3] = 0.0113, [8] = 0.2429, [12] = 0.1111,
	};

	return shares[type & 15];
}

/* Queues full or empty: read and write queue full, then empty. */
static double fill_share(uint64_t dsp)
{
	static const double shares[4] = {0.0711, 0.0519, 0.3119, 0.4337};
	double sum = 0;

	for (unsigned i = 0; i < 4; i++)
		if ((dsp >> (7 + i) & 1) != 0)
			sum += shares[i];
	return sum;
}

/* Trips of one level, of all DIMMs (bit 3 clear) or of the one in bits 6:4. */
static double trip_share(uint64_t thr, unsigned level)
{
	double share = 0.1 * (1 + (double)(thr >> level & 3));

	return (thr & 8) != 0 ? share * (0.31 - 0.03 * (double)(thr >> 4 & 7)) : share;
}

/* READS, WRITES, MERGE, ... as in FVC, then ALL, in bits 8:5 (323535 table 2-93). */
static double map_share(uint64_t map)
{
	static const double shares[16] = {0.5113, 0.3017, 0.0711, 0.0317, 0.0211,
					  0.0193, 0.0229, 0.0209, 1};

	return shares[map >> 5 & 15];
}

/* PLD selects the command, the mode of the scheduler, and the address filter. */
static double command(const struct sim_box *box, unsigned code, const uint64_t sub[NHMEX_SUBS])
{
	unsigned which = (unsigned)(sub[M_PLD] >> 8) & 0x1f;
	double mean = per_cycle(box, code == 0x0b && which == 0 ? retries : dram[which]);

	if (code == 0x0a && (sub[M_PLD] & 1) != 0)
		mean *= mode_share(sub[M_ISS] >> 7);
	if ((sub[M_MM_CFG] & NHMEX_MM_EN) != 0)
		mean *= sim_nhmex_match(sub[M_ADDR_MATCH], sub[M_ADDR_MASK]);
	return mean;
}

static double modified(const struct sim_box *box, unsigned code, double mean,
		       const uint64_t sub[NHMEX_SUBS])
{
	switch (code) {
	case 0x00:
	case NHMEX_FLAG | 0:
		return mean * fill_share(sub[M_DSP]);
	case 0x04:
		return mean * trip_share(sub[M_MSC_THR], 7);
	case 0x05:
		return mean * trip_share(sub[M_MSC_THR], 9);
	case 0x09:
		return mean * frame_share(sub[M_ISS]);
	case 0x0a:
	case 0x0b:
		return command(box, code, sub);
	case 0x0d:
	case 0x0e:
	case 0x0f:
	case 0x10:
		return fvc(box, sub[M_FVC], code - 0x0d);
	case 0x16:
		return mean * ((sub[M_PGT] & 1) != 0 ? 0.4817 : 0.5183);
	case NHMEX_FLAG | 1:
		return mean * mode_share(sub[M_ISS] >> 4);
	case NHMEX_FLAG | 5:
		return mean * ((sub[M_PGT] >> 6 & 1) != 0 ? 0.3719 : 0.6281);
	case NHMEX_FLAG | 6:
		return mean * map_share(sub[M_MAP]);
	default:
		return mean;
	}
}

bool sim_nhmex_mbox(const struct sim_box *box, uint64_t control, const uint64_t sub[NHMEX_SUBS],
		    struct sim_signal *out)
{
	unsigned code = (unsigned)(control >> 9) & 0x1f;

	if ((control & FLAG_MODE) != 0)
		code = NHMEX_FLAG | ((unsigned)(control >> 19) & 7);
	if (!sim_nhmex_row(box, code, 0, 0, out))
		return false;
	out->mean = modified(box, code, out->mean, sub);
	return true;
}
