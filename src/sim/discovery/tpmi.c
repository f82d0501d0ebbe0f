/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tpmi.c - energy and uncore frequency in TPMI (docs/hardware/power.md): a list
 * of features and their instances in a separate BAR.  Two dies have cores, one has I/O.
 */
#include "sim/discovery/discovered.h"
#include "sim/model/rows.h"

#define KIB          1024
#define DOMAIN_BYTES 128
#define DIES         3
#define DIE_BYTES    64
#define ENERGY_BITS  14 /* a count is 2^-14 J */

#define RAPL 0
#define UFS  2
#define INFO 0x81

/* Ids, numbers of instances, their sizes (in dwords) and offsets (in KiB). */
static const struct {
	unsigned id, n, dwords, at;
} features[] = {
	{INFO, 1, 4, 1},
	{RAPL, 1, 3 * DOMAIN_BYTES / 4, 2},
	{5, 0, 0, 0}, /* disabled by the firmware */
	{UFS, DIES, DIE_BYTES / 4, 4},
};

unsigned sim_tpmi_features(void)
{
	return N_OF(features);
}

static uint64_t entry(size_t i)
{
	return i < N_OF(features)
		       ? features[i].id | (uint64_t)features[i].n << 8 |
				 (uint64_t)features[i].dwords << 16 | (uint64_t)features[i].at << 32
		       : 0;
}

/* Domains: the system, which reports no energy, the package, and its memory. */
static uint64_t domain_word(struct sim *sim, unsigned package, uint64_t offset, uint64_t now)
{
	static const uint8_t types[] = {1, 2, 4};
	static const uint16_t registers[] = {0x402, 0xc83, 0xc83};
	const uint64_t domain = offset / DOMAIN_BYTES;

	switch (offset % DOMAIN_BYTES / 8) {
	case 0:
		return 1 | (uint64_t)types[domain] << 8 | 1 << 16 |
		       (uint64_t)registers[domain] << 32;
	case 1:
		return 0xa003 | ENERGY_BITS << 6;
	case 7:
		return domain ? sim_energy(sim, package, domain == 2, ENERGY_BITS, now) : 0;
	default:
		return 0;
	}
}

/* One cluster, two registers after the headers: agents are cores, cache and memory, or I/O. */
static uint64_t die_word(const struct sim *sim, unsigned package, uint64_t offset)
{
	const uint64_t now = sim_ratio(sim, package), least = 8;
	const bool io = offset / DIE_BYTES == DIES - 1;

	switch (offset % DIE_BYTES / 8) {
	case 0:
		return 0x02 | 1 << 8;
	case 1:
		return 2;
	case 2:
		return io ? (now - 2) | UINT64_C(8) << 23 : now | UINT64_C(7) << 23;
	case 3:
		return least << 15 | (io ? now : now + 2) << 8;
	default:
		return 0;
	}
}

uint64_t sim_tpmi_word(struct sim *sim, unsigned package, uint64_t offset, uint64_t now)
{
	if (offset < KIB)
		return entry(offset / 8);
	for (size_t i = 0; i < N_OF(features); i++) {
		const uint64_t at = (uint64_t)features[i].at * KIB;
		const uint64_t bytes = 4ULL * features[i].n * features[i].dwords;

		if (offset < at || offset - at >= bytes)
			continue;
		if (features[i].id == RAPL)
			return domain_word(sim, package, offset - at, now);
		if (features[i].id == UFS)
			return die_word(sim, package, offset - at);
	}
	return 0;
}
