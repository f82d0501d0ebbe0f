/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow.c - the flows of a package, computed from its traffic and that of the
 * other packages.
 */
#include "sim/model/rows.h"

/* Lines per second received from the other packages, given what each sends. */
static double inbound(const struct sim *sim, unsigned package,
		      double (*outbound)(const struct sim_traffic *))
{
	double sum = 0;

	for (unsigned p = 0; p < sim->packages; p++)
		if (p != package)
			sum += outbound(&sim->traffic[p]);
	return sim->packages > 1 ? sum / (sim->packages - 1) : 0;
}

static double read_out(const struct sim_traffic *traffic)
{
	return traffic->reads * traffic->remote_reads;
}

static double write_out(const struct sim_traffic *traffic)
{
	return traffic->writes * traffic->remote_writes;
}

static double snoop_out(const struct sim_traffic *traffic)
{
	return traffic->snoops;
}

static double noncoherent_out(const struct sim_traffic *traffic)
{
	return traffic->noncoherent;
}

static double inserts(const struct sim_traffic *traffic, const struct sim_opcode *opcode)
{
	switch (opcode->kind) {
	case SIM_OP_READ:
		return opcode->miss > 0 ? traffic->reads * opcode->share / opcode->miss : 0;
	case SIM_OP_OTHER:
		return traffic->reads * opcode->share;
	default:
		return traffic->writes * opcode->share;
	}
}

static double requests(const struct sim_traffic *traffic)
{
	double sum = 0;

	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++)
		sum += inserts(traffic, &traffic->opcodes[i]);
	return sum;
}

/* Lines read or written by devices: device opcodes, and opcodes marked SIM_OP_DEVICE. */
static double device_requests(const struct sim_traffic *traffic, uint16_t own, uint8_t kind)
{
	double sum = 0;

	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		const struct sim_opcode *opcode = &traffic->opcodes[i];

		if (opcode->opcode == own ||
		    ((opcode->opcode & SIM_OP_DEVICE) != 0 && opcode->kind == kind))
			sum += inserts(traffic, opcode);
	}
	return sum;
}

/* Lines of device writes that stay as they were, as parts of lines add up to them. */
static double untouched(const struct sim_traffic *traffic)
{
	double lines = 0;

	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++)
		if (traffic->opcodes[i].opcode == traffic->partial_opcode)
			lines += inserts(traffic, &traffic->opcodes[i]);
	return lines * (1 - traffic->partial_bytes / 64);
}

/* All lines of a load have one home. */
static void load_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS])
{
	const struct sim_loading *loading = &sim->loading;
	const bool home = package == loading->home;

	if (!loading->on)
		return;
	if (package == loading->package) {
		flows[READS] += loading->traffic.reads;
		flows[WRITES] += loading->traffic.writes;
		flows[home ? READ_LOCAL : READ_REMOTE] += loading->traffic.reads;
		flows[home ? WRITE_LOCAL : WRITE_REMOTE] += loading->traffic.writes;
	} else if (home) {
		flows[READ_IN] += loading->traffic.reads;
		flows[WRITE_IN] += loading->traffic.writes;
	}
}

static void memory_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS])
{
	const struct sim_traffic *traffic = &sim->traffic[package];

	flows[READS] = traffic->reads;
	flows[WRITES] = traffic->writes;
	flows[READ_REMOTE] = read_out(traffic);
	flows[READ_LOCAL] = traffic->reads - flows[READ_REMOTE];
	flows[READ_IN] = inbound(sim, package, read_out);
	flows[WRITE_REMOTE] = write_out(traffic);
	flows[WRITE_LOCAL] = traffic->writes - flows[WRITE_REMOTE];
	flows[WRITE_IN] = inbound(sim, package, write_out);
	load_flows(sim, package, flows);
	flows[MEM_READS] = flows[READ_LOCAL] + flows[READ_IN];
	flows[MEM_WRITES] = flows[WRITE_LOCAL] + flows[WRITE_IN];
	flows[MEM_ALL] = flows[MEM_READS] + flows[MEM_WRITES];
	flows[PMEM_READS] = flows[MEM_READS] * traffic->pmem_share;
	flows[PMEM_WRITES] = flows[MEM_WRITES] * traffic->pmem_share;
	flows[PAGE_MISS] = flows[MEM_ALL] * traffic->page_miss;
	flows[ACTIVATES] = flows[MEM_ALL] * (traffic->page_miss + traffic->page_empty);
}

/*
 * Classes on the link: DRS carries lines, HOM the requests and the responses
 * to snoops, NDR completes writes, and there are 0.19 NCS packets per NCB.
 */
static void link_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS])
{
	flows[SNOOP_OUT] = snoop_out(&sim->traffic[package]);
	flows[SNOOP_IN] = inbound(sim, package, snoop_out);
	flows[NCB_OUT] = noncoherent_out(&sim->traffic[package]);
	flows[NCB_IN] = inbound(sim, package, noncoherent_out);
	flows[RX_DRS] = flows[READ_REMOTE] + flows[WRITE_IN];
	flows[TX_DRS] = flows[READ_IN] + flows[WRITE_REMOTE];
	flows[RX_REQ] = flows[READ_IN] + flows[WRITE_IN];
	flows[TX_REQ] = flows[READ_REMOTE] + flows[WRITE_REMOTE];
	flows[RX_PACKETS] = flows[RX_DRS] + flows[RX_REQ] + flows[SNOOP_IN] + flows[SNOOP_OUT] +
			    flows[WRITE_REMOTE] + 1.19 * flows[NCB_IN];
	flows[TX_PACKETS] = flows[TX_DRS] + flows[TX_REQ] + flows[SNOOP_IN] + flows[SNOOP_OUT] +
			    flows[WRITE_IN] + 1.19 * flows[NCB_OUT];
}

void sim_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS])
{
	const struct sim_traffic *traffic = &sim->traffic[package];
	const struct sim_traffic *load = sim_load_at(sim, package);

	for (unsigned i = 0; i < N_FLOWS; i++)
		flows[i] = 0;
	memory_flows(sim, package, flows);
	link_flows(sim, package, flows);
	flows[OPS] = requests(traffic) + (load != NULL ? requests(load) : 0);
	flows[IO_READ] = device_requests(traffic, 0x19e, SIM_OP_READ);   /* PCIRDCUR */
	flows[IO_WRITE] = device_requests(traffic, 0x19c, SIM_OP_WRITE); /* PCIITOM */
	flows[IO_WRITE_DATA] = flows[IO_WRITE] - untouched(traffic);
	flows[INTERRUPTS] = traffic->interrupts;
}
