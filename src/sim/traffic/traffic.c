/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.c - the default traffic of a package.  The numbers are
 * plausible and arbitrary, not round, and differ from package to package, so
 * that swapped boxes, packages or events are detected.
 */
#include "sim/model/rows.h"

/* Opcodes of TOR_INSERTS: docs/hardware/snbep.md, "Filters". */
static const struct sim_opcode ring_opcodes[] = {
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

/*
 * Haswell-EP and Broadwell-EP: device writes have the opcodes of cores, ItoM for whole lines and
 * RFO for partial lines (docs/hardware/hswep.md, "Filters").
 */
static const struct sim_opcode haswell_opcodes[] = {
	{0x180, SIM_OP_READ, 0.1873, 0.41},                 /* RFO */
	{0x181, SIM_OP_READ, 0.0291, 0.17},                 /* CRD */
	{0x182, SIM_OP_READ, 0.3514, 0.37},                 /* DRD */
	{0x190, SIM_OP_READ, 0.0817, 0.53},                 /* PF_RFO */
	{0x191, SIM_OP_READ, 0.0102, 0.23},                 /* PF_CODE */
	{0x192, SIM_OP_READ, 0.2889, 0.61},                 /* PF_DATA */
	{0x19e | SIM_OP_DEVICE, SIM_OP_READ, 0.0514, 0.71}, /* PCIRDCUR */
	{0x1c4, SIM_OP_WRITEBACK, 1.307, 0.013},            /* WBMTOI */
	{0x1c5, SIM_OP_WRITEBACK, 0.413, 0.019},            /* WBMTOE */
	{0x1c8, SIM_OP_WRITE, 0.227, 0.67},                 /* ITOM */
	{0x1c8 | SIM_OP_DEVICE, SIM_OP_WRITE, 0.193, 0.59}, /* ITOM of devices */
	{0x180 | SIM_OP_DEVICE, SIM_OP_WRITE, 0.031, 0.47}, /* RFO of devices */
	{0x18c, SIM_OP_WRITE, 0.017, 0.97},                 /* WCILF */
	{0x18d, SIM_OP_WRITE, 0.0071, 0.93},                /* WCIL */
	{0x187, SIM_OP_OTHER, 0.0043, 0.89},                /* PRD */
};

/* The same by the opcodes of Skylake-X. */
static const struct sim_opcode mesh_opcodes[] = {
	{0x200, SIM_OP_READ, 0.1873, 0.41},                 /* RFO */
	{0x201, SIM_OP_READ, 0.0291, 0.17},                 /* CRD */
	{0x202, SIM_OP_READ, 0.4331, 0.37},                 /* DRD */
	{0x258, SIM_OP_READ, 0.0613, 0.53},                 /* LLC_PF_RFO */
	{0x259, SIM_OP_READ, 0.0102, 0.23},                 /* LLC_PF_CODE */
	{0x25a, SIM_OP_READ, 0.2276, 0.61},                 /* LLC_PF_DATA */
	{0x21e | SIM_OP_DEVICE, SIM_OP_READ, 0.0514, 0.71}, /* PCIRDCUR */
	{0x244, SIM_OP_WRITEBACK, 1.307, 0.013},            /* WB_MTOI */
	{0x245, SIM_OP_WRITEBACK, 0.413, 0.019},            /* WB_MTOE */
	{0x248, SIM_OP_WRITE, 0.227, 0.67},                 /* ITOM */
	{0x248 | SIM_OP_DEVICE, SIM_OP_WRITE, 0.193, 0.59}, /* ITOM of devices */
	{0x20c, SIM_OP_WRITE, 0.017, 0.97},                 /* WCILF */
	{0x20d, SIM_OP_WRITE, 0.0071, 0.93},                /* WCIL */
	{0x207, SIM_OP_OTHER, 0.0043, 0.89},                /* PRD */
	{0x20f, SIM_OP_OTHER, 0.0037, 0.67},                /* WIL */
	{0x243, SIM_OP_OTHER, 0.0029, 0.07},                /* WB_PUSH_HINT */
	{0x246, SIM_OP_OTHER, 0.0023, 0.11},                /* WB_EFTOI */
	{0x247, SIM_OP_OTHER, 0.0019, 0.13},                /* WB_EFTOE */
	{0x200 | SIM_OP_DEVICE, SIM_OP_OTHER, 0.011, 0.47}, /* RFO of devices */
};

/* The same by umask extension bits 21:11 of Ice Lake-X. */
static const struct sim_opcode wide_opcodes[] = {
	{0x100, SIM_OP_READ, 0.1873, 0.41},                  /* RFO */
	{0x101, SIM_OP_READ, 0.0291, 0.17},                  /* CRD */
	{0x102, SIM_OP_READ, 0.3514, 0.37},                  /* DRD */
	{0x110, SIM_OP_READ, 0.0519, 0.43},                  /* RFO_PREF */
	{0x112, SIM_OP_READ, 0.0817, 0.57},                  /* DRD_PREF */
	{0x198, SIM_OP_READ, 0.0201, 0.53},                  /* LLCPREFRFO */
	{0x199, SIM_OP_READ, 0.0102, 0.23},                  /* LLCPREFCODE */
	{0x19a, SIM_OP_READ, 0.2169, 0.61},                  /* LLCPREFDATA */
	{0x11e | SIM_OP_DEVICE, SIM_OP_READ, 0.0514, 0.71},  /* PCIRDCUR */
	{0x184, SIM_OP_WRITEBACK, 1.307, 0.013},             /* WBMTOI */
	{0x185, SIM_OP_WRITEBACK, 0.413, 0.019},             /* WBMTOE */
	{0x188, SIM_OP_WRITE, 0.227, 0.67},                  /* ITOM */
	{0x188 | SIM_OP_DEVICE, SIM_OP_WRITE, 0.131, 0.59},  /* ITOM of devices */
	{0x1a8 | SIM_OP_DEVICE, SIM_OP_WRITE, 0.062, 0.47},  /* ITOMCACHENEAR */
	{0x10c, SIM_OP_WRITE, 0.017, 0.97},                  /* WCILF */
	{0x10d, SIM_OP_WRITE, 0.0071, 0.93},                 /* WCIL */
	{0x107, SIM_OP_OTHER, 0.0043, 0.89},                 /* PRD */
	{0x104, SIM_OP_OTHER, 0.0211, 0.31},                 /* DRD_OPT */
	{0x106, SIM_OP_OTHER, 0.0117, 0.43},                 /* DRDPTE */
	{0x111, SIM_OP_OTHER, 0.0091, 0.29},                 /* CRD_PREF */
	{0x114, SIM_OP_OTHER, 0.0083, 0.59},                 /* DRD_OPT_PREF */
	{0x10e, SIM_OP_OTHER, 0.0031, 0.83},                 /* UCRDF */
	{0x10f, SIM_OP_OTHER, 0.0037, 0.67},                 /* WIL */
	{0x118, SIM_OP_OTHER, 0.0017, 0.37},                 /* CLFLUSH */
	{0x11a, SIM_OP_OTHER, 0.0021, 0.41},                 /* CLFLUSHOPT */
	{0x186, SIM_OP_OTHER, 0.0023, 0.11},                 /* WBEFTOI */
	{0x187, SIM_OP_OTHER, 0.0019, 0.13},                 /* WBEFTOE */
	{0x18a, SIM_OP_OTHER, 0.0047, 0.53},                 /* SPECITOM */
	{0x18c, SIM_OP_OTHER, 0.0013, 0.07},                 /* WBSTOI */
	{0x1a8, SIM_OP_OTHER, 0.0041, 0.61},                 /* ITOMCACHENEAR of cores */
	{0x100 | SIM_OP_DEVICE, SIM_OP_OTHER, 0.0053, 0.47}, /* RFO of devices */
	{0x118 | SIM_OP_DEVICE, SIM_OP_OTHER, 0.0011, 0.19}, /* CLFLUSH of devices */
	{0x184 | SIM_OP_DEVICE, SIM_OP_OTHER, 0.0061, 0.03}, /* WBMTOI of devices */
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
	.pmem_slower = 3.1,
	.cxl_slower = 2.3,
	.ingress_ns = 4.3,
	.rpq_ns = 19.7,
	.wpq_ns = 71.9,
	.link_ns = 23.1,
	.state = {0.1719, 0.3127, 0.2351, 0.2803},
	.victims_es = 0.6137,
	.page_miss = 0.2117,
	.page_empty = 0.1371,
	.thermal = 0.0137,
	.core_c0 = 0.6133,
	.core_c3 = 0.1279,
	.core_c6 = 0.2588,
	.frequency = {{1200, 0.1931}, {2300, 0.3719}, {2700, 0.2963}, {3100, 0.1387}},
};

/* More cores than these share the capacity of memory and links of a package. */
#define BUSY_CORES 128

static void fill(struct sim_traffic *traffic, unsigned package, unsigned packages, unsigned cores)
{
	const unsigned busy = cores < BUSY_CORES ? cores : BUSY_CORES;
	double load = busy * (1 - 0.0713 * package);

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
	if (packages > 1)
		return;
	traffic->remote_reads = traffic->remote_writes = 0;
	traffic->snoops = traffic->noncoherent = 0;
}

void sim_traffic_ring(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores)
{
	fill(traffic, package, packages, cores);
	for (unsigned i = 0; i < N_OF(ring_opcodes); i++)
		traffic->opcodes[i] = ring_opcodes[i];
	traffic->read_opcode = 0x182;  /* DRD */
	traffic->store_opcode = 0x18c; /* WCILF */
}

/* QPI at 9.6 GT/s, whose clock is a quarter of that from Haswell-EP on. */
#define HASWELL_QCLK 2.4

void sim_traffic_haswell(struct sim_traffic *traffic, unsigned package, unsigned packages,
			 unsigned cores)
{
	fill(traffic, package, packages, cores);
	for (unsigned i = 0; i < N_OF(haswell_opcodes); i++)
		traffic->opcodes[i] = haswell_opcodes[i];
	traffic->qclk_hz *= HASWELL_QCLK;
	traffic->read_opcode = 0x182;  /* DRD */
	traffic->store_opcode = 0x18c; /* WCILF */
}

/* The clocks of DDR4-3200 and DDR5-4800, relative to DDR3-1600. */
#define DDR4 2
#define DDR5 3

void sim_traffic_mesh(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores)
{
	fill(traffic, package, packages, cores);
	for (unsigned i = 0; i < N_OF(mesh_opcodes); i++)
		traffic->opcodes[i] = mesh_opcodes[i];
	traffic->pmem_share = 0.0229;
	traffic->dclk_hz *= DDR4;
	traffic->read_opcode = 0x202;  /* DRD */
	traffic->store_opcode = 0x20c; /* WCILF */
}

void sim_traffic_wide(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores)
{
	fill(traffic, package, packages, cores);
	for (unsigned i = 0; i < N_OF(wide_opcodes); i++)
		traffic->opcodes[i] = wide_opcodes[i];
	traffic->dclk_hz *= DDR5;
	traffic->partial_opcode = 0x1a8 | SIM_OP_DEVICE; /* ITOMCACHENEAR */
	traffic->partial_bytes = 20.7;
	traffic->read_opcode = 0x102;  /* DRD */
	traffic->store_opcode = 0x10c; /* WCILF */
	traffic->pmem_share = 0.0229;
}

void sim_traffic_spr(struct sim_traffic *traffic, unsigned package, unsigned packages,
		     unsigned cores)
{
	sim_traffic_wide(traffic, package, packages, cores);
	traffic->cxl_share = 0.0173;
}

/* No processor after SPR supports persistent memory. */
void sim_traffic_cxl(struct sim_traffic *traffic, unsigned package, unsigned packages,
		     unsigned cores)
{
	sim_traffic_spr(traffic, package, packages, cores);
	traffic->pmem_share = 0;
}
