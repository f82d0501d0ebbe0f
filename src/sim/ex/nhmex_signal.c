/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_signal.c - Xeon 7500 and E7: the event that a control selects, as a
 * signal (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex_events.h"

/* The events that use MATCH and MASK: docs/hardware/nhmex.md. */
static bool matches(unsigned counter, unsigned code)
{
	static const unsigned last[] = {3, 6};

	return counter < 2 ? code <= last[counter] : counter == 2 && code == 4;
}

static bool bbox(const struct sim_box *box, unsigned counter, uint64_t control,
		 const uint64_t sub[NHMEX_SUBS], struct sim_signal *out)
{
	unsigned code = (unsigned)(control >> 1) & 0x1f;

	if (!sim_nhmex_row(box, code, 0, counter, out))
		return false;
	if (matches(counter, code))
		out->mean *= sim_nhmex_match(sub[B_MATCH], sub[B_MASK]);
	return true;
}

static bool sbox(const struct sim_box *box, uint64_t control, const uint64_t sub[NHMEX_SUBS],
		 struct sim_signal *out)
{
	unsigned code = control & 0xff;

	if (!sim_nhmex_row(box, code, (unsigned)(control >> 8) & 0xff, 0, out))
		return false;
	if (code == 0 && (sub[S_MM_CFG] & NHMEX_MM_EN) == 0)
		return false;
	if (code == 0)
		out->mean *= sim_nhmex_match(sub[S_MATCH], sub[S_MASK]);
	return true;
}

bool sim_nhmex_select(const struct sim_box *box, unsigned counter, uint64_t control,
		      const uint64_t sub[NHMEX_SUBS], struct sim_signal *out)
{
	switch (sim_nhmex_type(box)) {
	case NHMEX_B:
		return bbox(box, counter, control, sub, out);
	case NHMEX_S:
		return sbox(box, control, sub, out);
	case NHMEX_M:
		return sim_nhmex_mbox(box, control, sub, out);
	case NHMEX_R:
		return sim_nhmex_rbox(box, control, sub, out);
	default:
		return sim_nhmex_row(box, control & 0xff, (unsigned)(control >> 8) & 0xff, 0, out);
	}
}

/* Sub-control registers as the filter of sim_rate() describes them. */
static void fill(const struct sim_box *box, uint64_t filter, uint64_t sub[NHMEX_SUBS])
{
	const uint64_t low = (uint32_t)filter, high = filter >> 32;

	for (unsigned i = 0; i < NHMEX_SUBS; i++)
		sub[i] = low;
	if (sim_nhmex_type(box) == NHMEX_M) {
		sub[M_PLD] = high;
		sub[M_MM_CFG] = 0;
	}
	if (sim_nhmex_type(box) == NHMEX_B)
		sub[B_MASK] = high;
	if (sim_nhmex_type(box) == NHMEX_S) {
		sub[S_MM_CFG] = NHMEX_MM_EN;
		sub[S_MASK] = high;
	}
	for (unsigned port = 0; port < 4 && sim_nhmex_type(box) == NHMEX_R; port++) {
		sub[R_MM_CFG1 + port] = sub[R_MM_CFG2 + port] = 1;
		sub[R_MASK1 + port] = sub[R_MASK2 + port] = high;
	}
}

bool sim_nhmex_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		      struct sim_signal *out)
{
	uint64_t sub[NHMEX_SUBS];

	fill(box, filter, sub);
	/* B-Box: the counter number is in the two bits above the event select. */
	return sim_nhmex_select(box, (unsigned)(control >> 6) & 3, control, sub, out);
}
