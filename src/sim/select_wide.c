/*
 * select_wide.c - what the umasks of iMC and M2M choose on machines with discovery
 * tables (facts csv/spr.csv, csv/gnr.csv).
 */
#include "rows.h"

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

/* Bits 3:0 are sorts of reads, 5:4 of writes, 7:6 the halves; no sort: all of them. */
double sim_select_cas(uint64_t control, const double flows[N_FLOWS])
{
	static const struct share reads[] = {{0, 0.7913}, {1, 0.1404}, {2, 0.0471}, {3, 0.0212}};
	static const struct share writes[] = {{4, 0.9589}, {5, 0.0411}};
	unsigned umask = umask_of(control);

	if ((umask & 0x3f) == 0)
		umask |= 0x3f;
	return halves(umask >> 6) * (sum(reads, N_OF(reads), umask) * flows[MEM_READS] +
				     sum(writes, N_OF(writes), umask) * flows[MEM_WRITES]);
}

/* Bit 2 is all; 3 and 4 are kinds of memory, the others kinds of reads. */
double sim_select_m2m_reads(uint64_t control)
{
	static const struct share sorts[] = {{0, 0.9713}, {1, 0.0287}, {2, 1},
					     {3, 0.9031}, {4, 0.0969}, {6, 0.0113}};

	return halves(control >> 32) * sum(sorts, N_OF(sorts), umask_of(control));
}

/* Bit 4 is all; the channels follow after three bits for writes without data. */
double sim_select_m2m_writes(uint64_t control)
{
	static const struct share sorts[] = {{0, 0.9521}, {1, 0.0417}, {2, 0.0039}, {3, 0.0023},
					     {4, 1},      {5, 0.9031}, {6, 0.0969}};
	static const struct share without[] = {{0, 0.0091}, {1, 0.0237}, {2, 0.0173}};

	return halves(control >> 35) * (sum(sorts, N_OF(sorts), umask_of(control)) +
					sum(without, N_OF(without), (unsigned)(control >> 32)));
}
