/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pattern.c - traffic in bursts: a package's traffic at its busy rates, on a clock
 * that is slower while the package is quiet.
 */
#include "sim/model/model.h"

#define QUIET_SHIFT 20 /* factors in units of 2^-20 */
#define RATE_SHIFT  20 /* rates in units of 2^-20 per second */
#define NS_PER_S    UINT64_C(1000000000)

/* time * factor, or * rate, does not fit 64 bits */
__extension__ typedef unsigned __int128 wide;

uint64_t sim_count_at(double rate, uint64_t ns)
{
	wide fixed = (wide)(rate * (1 << RATE_SHIFT) + 0.5);

	return (uint64_t)(fixed * ns / ((wide)NS_PER_S << RATE_SHIFT));
}

uint64_t sim_gain(double rate, uint64_t since, uint64_t now)
{
	return rate > 0 ? sim_count_at(rate, now) - sim_count_at(rate, since) : 0;
}

/* Any irregular sequence of numbers is suitable. */
static uint64_t mixed(uint64_t n)
{
	n = (n ^ n >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	n = (n ^ n >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return n ^ n >> 32;
}

/* Busy time of the whole periods before, and of this one until now. */
static uint64_t busy_up_to(const struct sim_pattern *pattern, uint64_t now)
{
	uint64_t busy = (uint64_t)(pattern->busy * (double)pattern->period_ns + 0.5);
	uint64_t n = now / pattern->period_ns, into = now % pattern->period_ns;
	uint64_t start = 0;

	if (pattern->scattered && busy < pattern->period_ns)
		start = mixed(n + 1) % (pattern->period_ns - busy + 1);
	if (into <= start)
		return n * busy;
	return n * busy + (into - start < busy ? into - start : busy);
}

static uint64_t active(const struct sim_pattern *pattern, uint64_t now)
{
	uint64_t busy, strength;

	if (pattern->period_ns == 0)
		return now;
	busy = busy_up_to(pattern, now);
	strength = (uint64_t)(pattern->quiet * (1 << QUIET_SHIFT) + 0.5);
	return busy + (uint64_t)((wide)(now - busy) * strength >> QUIET_SHIFT);
}

uint64_t sim_active(const struct sim *sim, unsigned package, uint64_t now)
{
	return active(&sim->traffic[package].pattern, now);
}

/* An event in every cycle is the clock, which does not stop. */
static bool is_clock(const struct sim_box *box, double rate)
{
	double clock = box->kind->clock_hz != NULL ? box->kind->clock_hz(box) : 0;

	return rate > clock * (1 - 1e-12) && rate < clock * (1 + 1e-12);
}

uint64_t sim_box_time(const struct sim_box *box, double rate, uint64_t now)
{
	const struct sim_pattern *pattern = &box->sim->traffic[box->package].pattern;

	return pattern->period_ns == 0 || is_clock(box, rate) ? now : active(pattern, now);
}

uint64_t sim_box_gain(const struct sim_box *box, double rate, uint64_t since, uint64_t now)
{
	return sim_gain(rate, sim_box_time(box, rate, since), sim_box_time(box, rate, now));
}
