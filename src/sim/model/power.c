/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * power.c - energy of a package and its memory (RAPL; docs/hardware/power.md): a constant part,
 * and a part proportional to the lines transferred.  Also limits of the uncore frequency.
 */
#include <string.h>

#include "sim/model/rows.h"

#define UNIT    0x606
#define PACKAGE 0x611
#define DRAM    0x619
#define LIMIT   0x620
#define STATUS  0x621

#define RATIO_MIN 8
#define RATIO_HZ  100e6

#define PACKAGE_IDLE_W 83.7
#define DRAM_IDLE_W    7.3
#define PACKAGE_LINE_J 21.1e-9
#define DRAM_LINE_J    38.9e-9

/*
 * MSRs: a count is 2^-bits J; for memory on some platforms 2^-16 J regardless of the register.
 * Other platforms use TPMI (sim/discovery/tpmi.c).
 */
static const struct {
	const char *platform;
	uint8_t bits, dram_bits;
	bool limits;
} units[] = {
	{"snbep", 16, 16, false}, {"ivbep", 16, 16, false}, {"hswep", 14, 16, true},
	{"bdx", 14, 16, true},    {"skx", 14, 16, true},    {"knl", 14, 16, true},
	{"icx", 14, 16, true},    {"spr", 14, 14, true},    {"emr", 14, 14, true},
	{"gnr", 14, 14, false},   {"srf", 14, 14, false},
};

static unsigned bits_of(const struct sim *sim, bool dram)
{
	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].platform, sim->platform->name) == 0)
			return dram ? units[i].dram_bits : units[i].bits;
	return 0;
}

double sim_power(const struct sim *sim, unsigned package, bool dram)
{
	double flows[N_FLOWS];

	sim_flows(sim, package, flows);
	return dram ? DRAM_IDLE_W + DRAM_LINE_J * flows[MEM_ALL]
		    : PACKAGE_IDLE_W + PACKAGE_LINE_J * (flows[READS] + flows[WRITES]);
}

/* Traffic in bursts transfers lines only in its busy part. */
static void catch_up(struct sim *sim, unsigned package, uint64_t now)
{
	struct sim_energy *energy = &sim->package[package].energy;
	const double busy =
		(double)(sim_active(sim, package, now) - sim_active(sim, package, energy->since)) *
		1e-9;
	const double all = (double)(now - energy->since) * 1e-9;

	energy->package +=
		PACKAGE_IDLE_W * all + (sim_power(sim, package, false) - PACKAGE_IDLE_W) * busy;
	energy->dram += DRAM_IDLE_W * all + (sim_power(sim, package, true) - DRAM_IDLE_W) * busy;
	energy->since = now;
}

/* Energy used before the first read. */
static uint32_t count(double joules, unsigned bits)
{
	return (uint32_t)(uint64_t)((joules + 1) * (double)(UINT64_C(1) << bits));
}

uint32_t sim_energy(struct sim *sim, unsigned package, bool dram, unsigned bits, uint64_t now)
{
	catch_up(sim, package, now);
	return count(dram ? sim->package[package].energy.dram
			  : sim->package[package].energy.package,
		     bits);
}

unsigned sim_ratio(const struct sim *sim, unsigned package)
{
	return (unsigned)(sim->traffic[package].uclk_hz / RATIO_HZ);
}

/* Unless the traffic has a limit, it is two steps above the current clock. */
static unsigned most_ratio(const struct sim *sim, unsigned package)
{
	const double most = sim->traffic[package].most_uclk_hz;

	return most > 0 ? (unsigned)(most / RATIO_HZ) : sim_ratio(sim, package) + 2;
}

static bool read_ratio(const struct sim *sim, unsigned package, uint32_t msr, uint64_t *value)
{
	const unsigned now = sim_ratio(sim, package);
	bool limits = false;

	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].platform, sim->platform->name) == 0)
			limits = units[i].limits;
	if (!limits || (msr != LIMIT && msr != STATUS))
		return false;
	*value = msr == STATUS ? now : RATIO_MIN << 8 | most_ratio(sim, package);
	return true;
}

bool sim_power_read(struct sim *sim, unsigned package, uint32_t msr, uint64_t *value, uint64_t now)
{
	const unsigned bits = bits_of(sim, false);

	if (read_ratio(sim, package, msr, value))
		return true;
	if (bits == 0 || (msr != UNIT && msr != PACKAGE && msr != DRAM))
		return false;
	if (msr == UNIT)
		*value = UINT64_C(0xa0003) | (uint64_t)bits << 8;
	else
		*value = sim_energy(sim, package, msr == DRAM, bits_of(sim, msr == DRAM), now);
	return true;
}
