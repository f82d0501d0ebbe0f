/*
 * snbep_select.c - SNB-EP events whose rate depends on a filter: TOR, LLC
 * lookups and victims, PCU bands and core states, QPI packet match
 * (facts snbep section 7).
 */
#include "snbep.h"

/* TOR umask bits, and the NID bit that three events share. */
#define TOR_OPCODE    0x01
#define TOR_MISS      0x02
#define TOR_EVICTION  0x04
#define TOR_ALL       0x08
#define TOR_WB        0x10
#define UMASK_NID     0x40
#define TOR_OCCUPANCY 0x36

#define LOOKUP_VALID        0x01
#define LOOKUP_READ         0x02
#define LOOKUP_WRITE        0x04
#define LOOKUP_REMOTE_SNOOP 0x08
#define LOOKUP_ANY          0x10

struct tor {
	double hit, local, remote; /* entries per second, by what they wait for */
};

static unsigned umask_of(uint64_t control)
{
	return (unsigned)(control >> 8) & 0xff;
}

/* Which share of the traffic to the own node and to the other nodes a NID mask lets through. */
static void node_shares(const struct sim_box *box, uint64_t control, uint64_t filter, double *local,
			double *remote)
{
	unsigned nodes = (unsigned)(filter >> 10) & 0xff;
	unsigned others = 0;

	*local = *remote = 1;
	if ((umask_of(control) & UMASK_NID) == 0)
		return;
	for (unsigned p = 0; p < box->sim->packages; p++)
		if (p != box->package && (nodes >> p & 1) != 0)
			others++;
	*local = nodes >> box->package & 1;
	*remote = box->sim->packages > 1 ? (double)others / (box->sim->packages - 1) : 0;
}

double sim_snbep_tid_share(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	unsigned cores = box->sim->cores;
	unsigned core = (unsigned)(filter >> 1) & 0xf;

	if ((control & SIM_CTL_TID) == 0 || (control & 0xff) == 0)
		return 1;
	/* The model has one thread per core: bit 0 of the TID selects nothing. */
	if ((filter & 1) != 0 || core >= cores)
		return 0;
	/* Core c does 8 + c parts of the work. */
	return (8.0 + core) / (8.0 * cores + cores * (cores - 1) / 2.0);
}

static struct tor tor_opcode(const struct sim_traffic *traffic, const struct sim_opcode *opcode,
			     bool misses_only)
{
	double inserts, misses;

	if (opcode->kind == SIM_OP_READ) {
		misses = traffic->reads * opcode->share;
		inserts = opcode->miss > 0 ? misses / opcode->miss : 0;
	} else {
		inserts = opcode->share *
			  (opcode->kind == SIM_OP_OTHER ? traffic->reads : traffic->writes);
		misses = inserts * opcode->miss;
	}
	return (struct tor){.hit = misses_only ? 0 : inserts - misses,
			    .local = misses * (1 - traffic->remote_reads),
			    .remote = misses * traffic->remote_reads};
}

static double evictions(const struct sim_traffic *traffic)
{
	return traffic->writes + traffic->reads * traffic->victims_es;
}

/* How often the umask counts entries of an opcode: its bits add up. */
static unsigned tor_times(const struct sim_opcode *opcode, unsigned umask, uint64_t filter)
{
	unsigned times = 0;

	if ((umask & TOR_ALL) != 0)
		times++;
	else if ((umask & TOR_OPCODE) != 0 && opcode->opcode == (filter >> 23 & 0x1ff))
		times++;
	if ((umask & TOR_WB) != 0 && opcode->kind == SIM_OP_WRITEBACK)
		times++;
	return times;
}

double sim_snbep_tor(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	unsigned umask = umask_of(control);
	bool misses_only = (umask & TOR_MISS) != 0;
	bool all = (umask & TOR_ALL) != 0 && !misses_only;
	double hit_ns = 1, local_ns = 1, remote_ns = 1, scale = 1;
	double local, remote, near, sum = 0;

	if ((control & 0xff) == TOR_OCCUPANCY) {
		hit_ns = traffic->hit_ns;
		local_ns = traffic->local_ns;
		remote_ns = traffic->remote_ns;
		scale = traffic->uclk_hz * 1e-9;
	}
	node_shares(box, control, filter, &local, &remote);
	near = local * (1 - traffic->remote_reads) + remote * traffic->remote_reads;
	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		struct tor tor = tor_opcode(traffic, &traffic->opcodes[i], misses_only);
		unsigned times = tor_times(&traffic->opcodes[i], umask, filter);

		sum += times * (tor.hit * near * hit_ns + tor.local * local * local_ns +
				tor.remote * remote * remote_ns);
	}
	if ((umask & TOR_EVICTION) != 0 || all)
		sum += evictions(traffic) * near * hit_ns;
	return sum * scale;
}

/* Share of the lookups of a class that found the line in a selected state. */
static double state_share(const struct sim_traffic *traffic, unsigned states, double miss)
{
	double share = (states & 1) != 0 ? miss : 0; /* state I */

	for (unsigned i = 0; i < 4; i++)
		if ((states >> (i + 1) & 1) != 0)
			share += (1 - miss) * traffic->state[i];
	return share;
}

/* Lookups of the reading or the writing opcodes in the selected states. */
static double opcode_lookups(const struct sim_traffic *traffic, bool reading, unsigned states)
{
	double sum = 0;

	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		const struct sim_opcode *opcode = &traffic->opcodes[i];
		struct tor tor = tor_opcode(traffic, opcode, false);

		if (opcode->kind == SIM_OP_OTHER || (opcode->kind == SIM_OP_READ) != reading)
			continue;
		sum += (tor.hit + tor.local + tor.remote) *
		       state_share(traffic, states, opcode->miss);
	}
	return sum;
}

double sim_snbep_lookup(const struct sim_box *box, uint64_t control, uint64_t filter,
			const double flows[N_FLOWS])
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	unsigned umask = umask_of(control);
	unsigned states = (unsigned)(filter >> 18) & 0x1f;
	double local, remote, sum = 0;

	/* Without umask bit 0 the event is off; NID alone asks for any lookup. */
	if ((umask & LOOKUP_VALID) == 0)
		return 0;
	if ((umask & (LOOKUP_ANY | UMASK_NID)) != 0 &&
	    ((umask & LOOKUP_ANY) != 0 || (umask & 0x0e) == 0))
		umask |= LOOKUP_READ | LOOKUP_WRITE | LOOKUP_REMOTE_SNOOP;
	if ((umask & LOOKUP_READ) != 0)
		sum += opcode_lookups(traffic, true, states);
	if ((umask & LOOKUP_WRITE) != 0)
		sum += opcode_lookups(traffic, false, states);
	if ((umask & LOOKUP_REMOTE_SNOOP) != 0)
		sum += flows[SNOOP_IN] * state_share(traffic, states, 0.83);
	node_shares(box, control, filter, &local, &remote);
	return sum * (local * (1 - traffic->remote_reads) + remote * traffic->remote_reads);
}

double sim_snbep_victims(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	double clean = traffic->reads * traffic->victims_es;
	unsigned umask = umask_of(control);
	double local, remote, sum = 0;

	if (umask == UMASK_NID)
		umask |= 0x07;
	if ((umask & 0x01) != 0)
		sum += traffic->writes;
	if ((umask & 0x02) != 0)
		sum += clean * 0.69;
	if ((umask & 0x04) != 0)
		sum += clean * 0.31;
	if ((umask & 0x08) != 0) /* MISS: victims that were gone already */
		sum += clean * 0.07;
	node_shares(box, control, filter, &local, &remote);
	return sum * (local * (1 - traffic->remote_writes) + remote * traffic->remote_writes);
}

/* Events 0x0b-0x0e: band n is byte n of the filter, in 100 MHz. */
double sim_snbep_band(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	unsigned band = (unsigned)(control & 0xff) - 0x0b;
	double mhz = 100.0 * (double)(filter >> 8 * band & 0xff);
	double share = 0;

	for (unsigned i = 0; i < SIM_FREQUENCIES; i++)
		if (traffic->frequency[i].mhz >= mhz)
			share += traffic->frequency[i].share;
	return share * traffic->pclk_hz;
}

double sim_snbep_cores(const struct sim_box *box, uint64_t control)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	const double share[4] = {0, traffic->core_c0, traffic->core_c3, traffic->core_c6};

	return share[control >> 14 & 3] * box->sim->cores * traffic->pclk_hz;
}

/*
 * Packets from the link whose message class and opcode match.  The other match
 * fields are not modelled: they let everything through.  Opcode o of a class
 * makes up (o + 1) / 136 of its packets.
 */
double sim_snbep_cto(const struct sim_box *box, const double flows[N_FLOWS])
{
	const struct {
		unsigned code;
		double packets;
	} classes[] = {
		{0x0, flows[RX_REQ]},        /* HOM requests */
		{0x1, flows[SNOOP_OUT]},     /* HOM responses to our snoops */
		{0x2, flows[WRITE_REMOTE]},  /* NDR */
		{0x3, flows[SNOOP_IN]},      /* SNP */
		{0x4, flows[NCB_IN] * 0.19}, /* NCS */
		{0xc, flows[NCB_IN]},        /* NCB */
		{0xe, flows[RX_DRS]},        /* DRS */
	};
	uint32_t match = box->extra[0], mask = box->extra[2];
	double sum = 0, share = 0;

	for (unsigned i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (((classes[i].code ^ match >> 9) & (mask >> 9) & 0xf) == 0)
			sum += classes[i].packets;
	for (unsigned opcode = 0; opcode < 16; opcode++)
		if (((opcode ^ match >> 5) & (mask >> 5) & 0xf) == 0)
			share += (opcode + 1) / 136.0;
	return sum * share;
}
