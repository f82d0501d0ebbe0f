/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select_wide.c - events selected by the umasks of iMC and M2M on machines with discovery
 * tables (Intel's event lists).
 */
#include "sim/model/rows.h"

/* Halves of a channel, and channels of a memory controller. */
#define FIRST_HALF  0.5217
#define SECOND_HALF 0.4783

struct share {
	uint8_t bit;
	double share;
};

static double sum(const struct share *shares, unsigned n, unsigned umask)
{
	double total = 0;

	for (unsigned i = 0; i < n; i++)
		if ((umask >> shares[i].bit & 1) != 0)
			total += shares[i].share;
	return total;
}

static double halves(uint64_t bits)
{
	return ((bits & 1) != 0 ? FIRST_HALF : 0) + ((bits & 2) != 0 ? SECOND_HALF : 0);
}

static unsigned umask_of(uint64_t control)
{
	return (unsigned)(control >> 8) & 0xff;
}

/* Bits 3:0 are types of reads, 5:4 of writes, 7:6 the halves; no type: all of them. */
double sim_select_cas(uint64_t control, const double flows[N_FLOWS])
{
	static const struct share in[] = {{0, 0.7913}, {1, 0.1404}, {2, 0.0471}, {3, 0.0212}};
	static const struct share out[] = {{4, 0.9589}, {5, 0.0411}};
	unsigned umask = umask_of(control);

	if ((umask & 0x3f) == 0)
		umask |= 0x3f;
	return halves(umask >> 6) * (sum(in, N_OF(in), umask) * flows[MEM_READS] +
				     sum(out, N_OF(out), umask) * flows[MEM_WRITES]);
}

/* Bit 2 is all; 3 and 4 are kinds of memory, the others kinds of reads. */
static double reads(unsigned umask)
{
	static const struct share sorts[] = {{0, 0.9713}, {1, 0.0287}, {2, 1},
					     {3, 0.9031}, {4, 0.0969}, {6, 0.0113}};

	return sum(sorts, N_OF(sorts), umask);
}

/* Bit 4 is all; writes without data are in the extension. */
static double writes(unsigned umask)
{
	static const struct share sorts[] = {{0, 0.9521}, {1, 0.0417}, {2, 0.0039}, {3, 0.0023},
					     {4, 1},      {5, 0.9031}, {6, 0.0969}};

	return sum(sorts, N_OF(sorts), umask);
}

/* From a tag, all, missed. */
#define FROM_TAG     0.0091
#define NO_DATA      0.0237
#define NO_DATA_MISS 0.0173

double sim_select_m2m_reads(uint64_t control)
{
	return halves(control >> 32) * reads(umask_of(control));
}

/* Extension bits 2:0 are writes without data, 4:3 the channels. */
double sim_select_m2m_writes(uint64_t control)
{
	static const struct share without[] = {{0, FROM_TAG}, {1, NO_DATA}, {2, NO_DATA_MISS}};

	return halves(control >> 35) *
	       (writes(umask_of(control)) + sum(without, N_OF(without), (unsigned)(control >> 32)));
}

/* Extension bit 0 is the channel. */
double sim_select_b2cmi_reads(uint64_t control)
{
	return (control >> 32 & 1) != 0 ? reads(umask_of(control)) : 0;
}

double sim_select_b2cmi_writes(uint64_t control)
{
	static const struct share without[] = {{1, NO_DATA}, {2, NO_DATA_MISS}};

	if ((control >> 32 & 1) == 0)
		return 0;
	return writes(umask_of(control)) + sum(without, N_OF(without), (unsigned)(control >> 32));
}

/* Bits 2:0 are reads, writes, underfills, bit 3 the page timer; 7:4 the quarters. */
double sim_select_pages(uint64_t control, const double flows[N_FLOWS])
{
	static const struct share sorts[] = {{0, 0.65}, {1, 0.3}, {2, 0.05}};
	static const struct share quarters[] = {{4, 0.2677}, {5, 0.2454}, {6, 0.2540}, {7, 0.2329}};
	const double too_long = 0.0713;
	bool activates = (control & 0xff) == 0x02;
	unsigned umask = umask_of(control);
	double pages = sum(sorts, N_OF(sorts), umask) * flows[activates ? ACTIVATES : PAGE_MISS];

	if (!activates && (umask & 0x08) != 0)
		pages += too_long * flows[ACTIVATES];
	return pages * sum(quarters, N_OF(quarters), umask);
}
