/*
 * snbep_traffic.c - the default traffic of an SNB-EP package.  The numbers are
 * plausible and arbitrary, not round, and differ from package to package, so
 * that swapped boxes, packages or events show.
 */
#include "snbep.h"

/* Opcodes: facts csv/snbep.csv, the filter-only umasks of TOR_INSERTS. */
static const struct sim_opcode opcodes[] = {
	{0x180, SIM_OP_READ, 0.1873, 0.41},      /* RFO */
	{0x181, SIM_OP_READ, 0.0291, 0.17},      /* CRD */
	{0x182, SIM_OP_READ, 0.3514, 0.37},      /* DRD */
	{0x190, SIM_OP_READ, 0.0817, 0.53},      /* PF_RFO */
	{0x191, SIM_OP_READ, 0.0102, 0.23},      /* PF_CODE */
	{0x192, SIM_OP_READ, 0.2889, 0.61},      /* PF_DATA */
	{0x19e, SIM_OP_READ, 0.0514, 0.71},      /* PCIRDCUR */
	{0x1c4, SIM_OP_WRITEBACK, 1.307, 0.013}, /* WBMTOI */
	{0x1c5, SIM_OP_WRITEBACK, 0.413, 0.019}, /* WBMTOE */
	{0x1c8, SIM_OP_WRITE, 0.227, 0.67},      /* ITOM */
	{0x19c, SIM_OP_WRITE, 0.193, 0.59},      /* PCIITOM */
	{0x194, SIM_OP_WRITE, 0.031, 0.47},      /* PCIWILF */
	{0x18c, SIM_OP_WRITE, 0.017, 0.97},      /* WCILF */
	{0x18d, SIM_OP_WRITE, 0.0071, 0.93},     /* WCIL */
	{0x187, SIM_OP_OTHER, 0.0043, 0.89},     /* PRD */
	{0x195, SIM_OP_OTHER, 0.0037, 0.31},     /* PCIPRD */
	{0x1e4, SIM_OP_OTHER, 0.0029, 0.43},     /* PCINSRD */
	{0x1e5, SIM_OP_OTHER, 0.0023, 0.29},     /* PCINSWR */
	{0x1e6, SIM_OP_OTHER, 0.0019, 0.73},     /* PCINSWRF */
};

static const struct sim_traffic base = {
	.uclk_hz = 2293718341,
	.dclk_hz = 799871233,
	.qclk_hz = 1000173019,
	.pclk_hz = 800031127,
	.reads = 23471193, /* per core */
	.remote_reads = 0.2713,
	.writes = 9318457, /* per core */
	.remote_writes = 0.2239,
	.snoops = 3127549,     /* per core */
	.noncoherent = 193057, /* per core */
	.interrupts = 71327,
	.hit_ns = 13.7,
	.local_ns = 81.3,
	.remote_ns = 133.9,
	.ingress_ns = 4.3,
	.rpq_ns = 19.7,
	.wpq_ns = 71.9,
	.link_ns = 23.1,
	.state = {0.1719, 0.3127, 0.2351, 0.2803},
	.victims_es = 0.6137,
	.page_miss = 0.2117,
	.page_empty = 0.1371,
	.core_c0 = 0.6133,
	.core_c3 = 0.1279,
	.core_c6 = 0.2588,
	.frequency = {{1200, 0.1931}, {2300, 0.3719}, {2700, 0.2963}, {3100, 0.1387}},
};

void sim_snbep_traffic(struct sim_traffic *traffic, unsigned package, unsigned packages,
		       unsigned cores)
{
	double load = cores * (1 - 0.0713 * package);

	*traffic = base;
	traffic->reads *= load;
	traffic->writes *= load;
	traffic->snoops *= load;
	traffic->noncoherent *= load;
	traffic->interrupts *= 1 - 0.0931 * package;
	/* Clocks differ by parts per million, as those of real boards do. */
	traffic->uclk_hz += 1709.0 * package;
	traffic->dclk_hz += 677.0 * package;
	traffic->core_c0 -= 0.0311 * package;
	traffic->core_c6 += 0.0311 * package;
	traffic->frequency[0].share += 0.0137 * package;
	traffic->frequency[2].share -= 0.0137 * package;
	for (unsigned i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		traffic->opcodes[i] = opcodes[i];
	if (packages > 1)
		return;
	traffic->remote_reads = traffic->remote_writes = 0;
	traffic->snoops = traffic->noncoherent = 0;
}
