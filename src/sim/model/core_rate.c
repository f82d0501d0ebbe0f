/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core_rate.c - CPUID leaf 0xA of the CPUs, and the rates of the
 * architectural events happen on a CPU.
 */
#include <errno.h>
#include <string.h>

#include "sim/model/core.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

#define USER_SHARE  0.8137 /* of the time that is not idle */
#define IPC         1.3719
#define BRANCHES    0.1873 /* of the instructions */
#define MISPREDICTS 0.0117 /* of the branches */
#define HITS        2.371  /* of the last-level cache, per miss */
#define TILT        0.3    /* the first CPU of a package is less busy than the last */

const struct sim_core_part *sim_core_part(const struct sim *sim)
{
	return sim->platform->core.version != 0 ? &sim->platform->core : NULL;
}

/* Leaf 1: the signature, and that IA32_PERF_CAPABILITIES is there (ECX bit 15). */
static void identify(const struct sim_id *id, uint32_t regs[4])
{
	regs[0] = (id->model >> 4) << 16 | id->family << 8 | (id->model & 15) << 4 | id->stepping;
	regs[2] = 1 << 15;
}

static void monitoring(const struct sim_core_part *part, uint32_t regs[4])
{
	regs[0] = (uint32_t)part->events << 24 | (uint32_t)part->width << 16 |
		  (uint32_t)part->counters << 8 | part->version;
	regs[1] = part->lacking;
	regs[2] = part->version >= 5 ? (UINT32_C(1) << part->fixed) - 1 : 0;
	regs[3] = (uint32_t)part->any_gone << 15 | (uint32_t)part->fixed_width << 5 | part->fixed;
}

/* Of an APIC id: the bits below the package's number. */
static uint32_t id_bits(const struct sim *sim)
{
	return 32 - (uint32_t)__builtin_clz((sim->cores - 1) | 1);
}

/* Leaf 0BH: threads of a core, then of the package; bits of the number, and the number itself. */
static void topology(const struct sim *sim, unsigned cpu, uint32_t level, uint32_t regs[4])
{
	const uint32_t bits = id_bits(sim);

	regs[2] = level | (level < 2 ? level + 1 : 0) << 8;
	regs[3] = cpu / sim->cores << bits | sim->cpus[cpu].core;
	if (level == 0)
		regs[1] = 1;
	if (level == 1) {
		regs[0] = bits;
		regs[1] = sim->cores;
	}
}

/* Leaf 4: L1 data, L1 code, L2, L3; the L3 has 2048 sets a slice (docs/hardware/snbep.md). */
static void caches(const struct sim *sim, uint32_t level, uint32_t regs[4])
{
	static const struct {
		uint32_t kind, ways, sets;
	} inner[] = {{0x121, 8, 64}, {0x122, 8, 64}, {0x143, 8, 512}};
	const uint32_t ids = UINT32_C(1) << id_bits(sim);
	bool outer = level == N_OF(inner);
	uint32_t kind = outer ? 0x163 : 0, ways = sim->platform->slices.ways;
	uint32_t sets = 2048 * sim->slices;

	if (sim->platform->slices.device == 0 || level > N_OF(inner))
		return;
	if (!outer) {
		kind = inner[level].kind;
		ways = inner[level].ways;
		sets = inner[level].sets;
	}
	regs[0] = (ids - 1) << 26 | (outer ? ids - 1 : 0) << 14 | kind;
	regs[1] = (ways - 1) << 22 | 63;
	regs[2] = sets - 1;
}

int sim_cpuid(struct sim *sim, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	const struct sim_core_part *part = sim_core_part(sim);
	size_t n;

	sim_cpus(sim, &n);
	if (cpu >= n)
		return -ENODEV;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf == 0) {
		regs[0] = 0xb;
		memcpy(&regs[1], "Genu", 4);
		memcpy(&regs[3], "ineI", 4);
		memcpy(&regs[2], "ntel", 4);
	} else if (leaf == 1) {
		identify(&sim->id, regs);
	} else if (leaf == 4) {
		caches(sim, subleaf, regs);
	} else if (leaf == 0xa && part != NULL) {
		monitoring(part, regs);
	} else if (leaf == 0xb) {
		topology(sim, cpu, subleaf, regs);
	}
	return 0;
}

/* ---- rates ---- */

/* How busy a CPU is, as a share of the average of its package, which stays as described. */
static double weight(const struct sim *sim, unsigned cpu)
{
	double position = (2.0 * sim->cpus[cpu].core + 1) / sim->cores - 1; /* above -1, below 1 */
	double c0 = sim->traffic[cpu / sim->cores].core_c0;
	double tilt = c0 > 0 && (1 - c0) / c0 < TILT ? (1 - c0) / c0 : TILT;

	return 1 + tilt * position;
}

static const struct sim_traffic *traffic_of(const struct sim *sim, unsigned cpu)
{
	return &sim->traffic[cpu / sim->cores];
}

static double busy_share(const struct sim *sim, unsigned cpu)
{
	return traffic_of(sim, cpu)->core_c0 * weight(sim, cpu);
}

static double cycles(const struct sim *sim, unsigned cpu)
{
	const struct sim_traffic *traffic = traffic_of(sim, cpu);
	double mhz = 0;

	for (unsigned i = 0; i < SIM_FREQUENCIES; i++)
		mhz += traffic->frequency[i].mhz * traffic->frequency[i].share;
	return busy_share(sim, cpu) * mhz * SIM_MHZ;
}

static double misses(const struct sim *sim, unsigned cpu)
{
	return traffic_of(sim, cpu)->reads * weight(sim, cpu) / sim->cores;
}

struct happening {
	double rate;  /* per second */
	unsigned max; /* per cycle */
};

/* The architectural events (SDM table 18-1): event select, then unit mask. */
static struct happening happening(const struct sim *sim, unsigned cpu, unsigned code)
{
	const struct sim_core_part *part = sim_core_part(sim);
	double clock = cycles(sim, cpu);

	switch (code) {
	case 0x003c:
		return (struct happening){clock, 1};
	case 0x00c0:
		return (struct happening){clock * IPC, part->slots};
	case 0x013c:
		return (struct happening){busy_share(sim, cpu) * part->bus_hz, 1};
	case 0x4f2e:
		return (struct happening){misses(sim, cpu) * (1 + HITS), 1};
	case 0x412e:
		return (struct happening){misses(sim, cpu), 1};
	case 0x00c4:
		return (struct happening){clock * IPC * BRANCHES, 2};
	case 0x00c5:
		return (struct happening){clock * IPC * BRANCHES * MISPREDICTS, 1};
	case 0x01a4:
		if (part->events > 7)
			return (struct happening){clock * part->slots, part->slots};
		break;
	default:
		break;
	}
	return (struct happening){0, 1};
}

static double ring_share(bool user, bool system)
{
	return (user ? USER_SHARE : 0) + (system ? 1 - USER_SHARE : 0);
}

double sim_core_rate(struct sim *sim, unsigned cpu, uint64_t select)
{
	static const struct sim_kind logic = {.threshold_mask = 0xff};
	double share = ring_share((select & CORE_USR) != 0, (select & CORE_OS) != 0);
	struct sim_signal signal = {.shape = SIM_PULSE};
	struct happening event;
	size_t n;

	sim_cpus(sim, &n);
	if (cpu >= n || sim_core_part(sim) == NULL || share <= 0)
		return 0;
	signal.clock_hz = cycles(sim, cpu) * share;
	if (signal.clock_hz <= 0)
		return 0;
	event = happening(sim, cpu, (unsigned)select & 0xffff);
	signal.max = event.max;
	signal.mean = event.rate * share / signal.clock_hz;
	return sim_signal_rate(&signal, &logic, select, false);
}

double sim_core_fixed_rate(const struct sim *sim, unsigned cpu, unsigned i, unsigned field)
{
	double share = ring_share((field & FIXED_USR) != 0, (field & FIXED_OS) != 0);

	switch (i) {
	case 0:
		return share * happening(sim, cpu, 0x00c0).rate;
	case 1:
		return share * cycles(sim, cpu);
	case 2: /* at the rate of the time stamp counter */
		return share * busy_share(sim, cpu) * traffic_of(sim, cpu)->frequency[1].mhz *
		       SIM_MHZ;
	default:
		return share * happening(sim, cpu, 0x01a4).rate;
	}
}
