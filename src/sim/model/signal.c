/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal.c - conversion of an event's mean increment to a counter's rate: the fixed
 * pattern of sim.h with threshold, invert and edge detect applied.
 */
#include "sim/model/model.h"

/* In place of <math.h>: the drop-in libpapi must not gain a library. */
static double smaller(double a, double b)
{
	return a < b ? a : b;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* The next whole number, for 0 <= x < 2^32. */
static double whole_above(double x)
{
	const double below = (double)(uint32_t)x;

	return below < x ? below + 1 : below;
}

static double staircase(double mean, unsigned max, unsigned threshold)
{
	double steps = larger(1, whole_above(smaller(2 * mean, max)));

	if (steps > max)
		steps = max;
	if (threshold > steps)
		return 0;
	return 2 * mean * (steps + 1 - threshold) / (steps * (steps + 1));
}

double sim_share_at_least(double mean, unsigned max, unsigned threshold)
{
	if (threshold == 0)
		return 1;
	if (threshold > max || mean <= 0)
		return 0;
	if (mean >= max)
		return 1;
	if (2 * mean <= max)
		return staircase(mean, max, threshold);
	return 1 - staircase(max - mean, max, max + 1 - threshold);
}

/* Rising edges of a condition that is true for `share` of the cycles. */
static double edges(const struct sim_signal *signal, double share)
{
	double most = smaller(share, 1 - share);

	if (signal->shape != SIM_PULSE)
		most = smaller(most, 1.0 / SIM_PERIOD);
	return most * signal->clock_hz;
}

double sim_signal_rate(const struct sim_signal *signal, const struct sim_kind *kind,
		       uint64_t control, bool narrow)
{
	unsigned threshold = (unsigned)(control >> 24) & kind->threshold_mask;
	bool level = signal->occupancy && kind->occ_invert != 0;
	bool invert = (control & SIM_CTL_INVERT) != 0;
	bool edge = (control & SIM_CTL_EDGE) != 0;
	double mean = smaller(larger(signal->mean, 0), signal->max);
	double share;

	if (level && (control & kind->occ_invert) != 0)
		invert = !invert;
	if (level && (control & kind->occ_edge) != 0)
		edge = true;
	if (threshold == 0 && !edge && !narrow)
		return mean * signal->clock_hz;
	share = sim_share_at_least(mean, signal->max, threshold == 0 ? 1 : threshold);
	/* Invert applies to the comparison, so it has no effect without a threshold. */
	if (invert && threshold != 0)
		share = 1 - share;
	return edge ? edges(signal, share) : share * signal->clock_hz;
}
