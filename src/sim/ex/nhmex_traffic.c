/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_traffic.c - Xeon 7500 and E7: the default traffic of a package and the resulting
 * flows.  The numbers are plausible and arbitrary, not
 * round, and differ from package to package, so that swapped boxes or events are detected.
 */
#include "sim/ex/nhmex_events.h"

#define HITS_PER_MISS 2.371

static const struct sim_traffic base = {
	.uclk_hz = 2261743019,
	.dclk_hz = 1066270481,
	.qclk_hz = 800412377,
	.pclk_hz = 2261743019,
	.reads = 11731877, /* per core */
	.remote_reads = 0.3119,
	.writes = 4519331, /* per core */
	.remote_writes = 0.2671,
	.snoops = 2731493,     /* per core */
	.noncoherent = 157061, /* per core */
	.interrupts = 61331,
	.hit_ns = 19.3,
	.local_ns = 107.9,
	.remote_ns = 171.7,
	.ingress_ns = 5.9,
	.rpq_ns = 31.1,
	.wpq_ns = 89.3,
	.link_ns = 29.7,
	.state = {0.2131, 0.2837, 0.1913, 0.3119},
	.victims_es = 0.5719,
	.page_miss = 0.2539,
	.page_empty = 0.1723,
	.core_c0 = 0.6719,
	.core_c3 = 0.1093,
	.core_c6 = 0.2188,
	.frequency = {{1064, 0.2113}, {1862, 0.2917}, {2261, 0.3371}, {2660, 0.1599}},
};

void sim_nhmex_traffic(struct sim_traffic *traffic, unsigned package, unsigned packages,
		       unsigned cores)
{
	double load = cores * (1 - 0.0617 * package);

	*traffic = base;
	traffic->reads *= load;
	traffic->writes *= load;
	traffic->snoops *= load;
	traffic->noncoherent *= load;
	traffic->interrupts *= 1 - 0.0819 * package;
	/* Clocks differ by parts per million, as those of real boards do. */
	traffic->uclk_hz += 1321.0 * package;
	traffic->dclk_hz += 787.0 * package;
	traffic->qclk_hz += 433.0 * package;
	if (packages > 1)
		return;
	traffic->remote_reads = traffic->remote_writes = 0;
	traffic->snoops = 0;
}

/* The part of the others' remote traffic that this package receives. */
struct arrivals {
	double reads, writes, snoops;
};

/* All lines of a load have one home. */
static struct arrivals load_arrivals(const struct sim *sim, unsigned package)
{
	const struct sim_loading *loading = &sim->loading;
	const bool come = loading->on && package == loading->home && package != loading->package;

	return (struct arrivals){.reads = come ? loading->traffic.reads : 0,
				 .writes = come ? loading->traffic.writes : 0};
}

static struct arrivals arrivals(const struct sim *sim, unsigned package)
{
	struct arrivals in = load_arrivals(sim, package);

	for (unsigned p = 0; p < sim->packages; p++) {
		const struct sim_traffic *other = &sim->traffic[p];

		if (p == package)
			continue;
		in.reads += other->reads * other->remote_reads / (sim->packages - 1);
		in.writes += other->writes * other->remote_writes / (sim->packages - 1);
		in.snoops += other->snoops / (sim->packages - 1);
	}
	return in;
}

/* Flows of a load, which always misses the cache. */
static struct sim_traffic with_load(const struct sim *sim, unsigned package)
{
	const struct sim_traffic *load = sim_load_at(sim, package);
	struct sim_traffic all = sim->traffic[package];
	const double remote_reads = all.reads * all.remote_reads;
	const double remote_writes = all.writes * all.remote_writes;

	if (load == NULL)
		return all;
	all.reads += load->reads;
	all.writes += load->writes;
	if (all.reads > 0)
		all.remote_reads = (remote_reads + load->reads * load->remote_reads) / all.reads;
	if (all.writes > 0)
		all.remote_writes =
			(remote_writes + load->writes * load->remote_writes) / all.writes;
	return all;
}

static void cache_flows(const struct sim_traffic *traffic, double hits, double flows[N_NHMEX_FLOWS])
{
	flows[NX_LOOKUPS] = traffic->reads + hits;
	flows[NX_READS] = traffic->reads;
	flows[NX_WRITES] = traffic->writes;
	flows[NX_HIT_S] = hits * traffic->state[0];
	flows[NX_HIT_E] = hits * traffic->state[1];
	flows[NX_HIT_M] = hits * traffic->state[2];
	flows[NX_HIT_F] = hits * traffic->state[3];
	flows[NX_VICTIMS] = traffic->reads * traffic->victims_es;
}

static void memory_flows(const struct sim_traffic *traffic, const struct arrivals *in,
			 double flows[N_NHMEX_FLOWS])
{
	flows[NX_READ_REMOTE] = traffic->reads * traffic->remote_reads;
	flows[NX_READ_LOCAL] = traffic->reads - flows[NX_READ_REMOTE];
	flows[NX_WRITE_REMOTE] = traffic->writes * traffic->remote_writes;
	flows[NX_WRITE_LOCAL] = traffic->writes - flows[NX_WRITE_REMOTE];
	flows[NX_TO_B] = flows[NX_READ_LOCAL] + flows[NX_WRITE_LOCAL];
	flows[NX_TO_R] = flows[NX_READ_REMOTE] + flows[NX_WRITE_REMOTE] + 0.0023 * traffic->reads;
	flows[NX_MEM_READS] = flows[NX_READ_LOCAL] + in->reads;
	flows[NX_MEM_WRITES] = flows[NX_WRITE_LOCAL] + in->writes;
	flows[NX_MEM_ALL] = flows[NX_MEM_READS] + flows[NX_MEM_WRITES];
	flows[NX_PAGE_MISS] = flows[NX_MEM_ALL] * traffic->page_miss;
	flows[NX_ACTIVATES] = flows[NX_MEM_ALL] * (traffic->page_miss + traffic->page_empty);
}

/* A part of the reads and writes comes from devices, which are also connected to the router. */
static void router_flows(const struct sim_traffic *traffic, const struct arrivals *in,
			 double flows[N_NHMEX_FLOWS])
{
	double sent = flows[NX_READ_REMOTE] + flows[NX_WRITE_REMOTE] + traffic->snoops;
	double lines = in->reads + flows[NX_WRITE_REMOTE] + 0.0071 * traffic->reads;

	flows[NX_DRS] = flows[NX_READ_REMOTE] + in->writes + 0.0113 * traffic->reads;
	flows[NX_HOM] = in->reads + in->writes + 0.0191 * traffic->reads;
	flows[NX_SNP] = in->snoops + 0.0017 * traffic->reads;
	flows[NX_NDR] = flows[NX_WRITE_REMOTE] + 0.0131 * traffic->reads;
	flows[NX_NCB] = traffic->noncoherent;
	flows[NX_NCS] = 0.19 * traffic->noncoherent;
	for (unsigned i = NX_HOM; i <= NX_NCS; i++)
		flows[NX_PACKETS] += flows[i];
	/* A line is a header and eight flits of data. */
	flows[NX_FLITS] = 9 * lines + sent;
}

void sim_nhmex_flows(const struct sim *sim, unsigned package, double flows[N_NHMEX_FLOWS])
{
	const struct sim_traffic traffic = with_load(sim, package);
	const struct arrivals in = arrivals(sim, package);

	for (unsigned i = 0; i < N_NHMEX_FLOWS; i++)
		flows[i] = 0;
	cache_flows(&traffic, sim->traffic[package].reads * HITS_PER_MISS, flows);
	memory_flows(&traffic, &in, flows);
	router_flows(&traffic, &in, flows);
	flows[NX_INTERRUPTS] = traffic.interrupts;
}
