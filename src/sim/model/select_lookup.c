/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select_lookup.c - LLC lookups and victims by state and home (docs/hardware/).
 */
#include "sim/model/rows.h"

#define LOOKUP_VALID        0x01
#define LOOKUP_READ         0x02
#define LOOKUP_WRITE        0x04
#define LOOKUP_REMOTE_SNOOP 0x08
#define LOOKUP_ANY          0x10
#define LOOKUP_ANY_READ     0x20 /* HSX, BDX */
#define LOOKUP_LOCAL        0x20 /* SKX */
#define LOOKUP_REMOTE       0x80
#define UMASK_NID           0x40

/* ICX: umask extension bits of what looks up, and shares of the readers. */
#define WIDE_DATA   0x0001
#define WIDE_OTHER  0x0002
#define WIDE_FLUSH  0x0004
#define WIDE_RFO    0x0008
#define WIDE_CODE   0x0010
#define WIDE_ANY    0x0020
#define WIDE_OWN    0x01c0
#define WIDE_SNOOPS 0x0600
#define WIDE_LOCAL  0x0800
#define WIDE_REMOTE 0x1000
#define SHARE_DATA  0.6217
#define SHARE_RFO   0.2571
#define SHARE_CODE  0.1212
#define SHARE_FLUSH 0.0219
#define SNOOP_MISS  0.83

static unsigned umask_of(uint64_t control)
{
	return (unsigned)(control >> 8) & 0xff;
}

/* Lookups of each kind in the selected states, per second. */
struct lookups {
	double reads, writes, snoops;
};

static double inserts(const struct sim_traffic *traffic, const struct sim_opcode *opcode)
{
	if (opcode->kind == SIM_OP_READ)
		return opcode->miss > 0 ? traffic->reads * opcode->share / opcode->miss : 0;
	return traffic->writes * opcode->share;
}

/* Share of the lookups of a class that found the line in a selected state. */
static double state_share(const struct sim_traffic *traffic, const char *names, unsigned states,
			  double miss)
{
	double share = 0;

	for (unsigned i = 0; names[i] != '\0'; i++) {
		if ((states >> i & 1) == 0)
			continue;
		if (names[i] == 'I')
			share += miss;
		else if (names[i] != '-')
			share += (1 - miss) * traffic->state[names[i] == 'S'   ? 0
							     : names[i] == 'E' ? 1
							     : names[i] == 'M' ? 2
									       : 3];
	}
	return share;
}

/* flows: of the package, or NULL for a load, which causes no snoops. */
static struct lookups lookups_in(const struct sim_box *box, const struct sim_traffic *traffic,
				 unsigned states, const double flows[N_FLOWS])
{
	const char *names = box->kind->layout->states;
	struct lookups sum = {0};

	for (unsigned i = 0; i < SIM_OPCODES && traffic->opcodes[i].opcode != 0; i++) {
		const struct sim_opcode *opcode = &traffic->opcodes[i];
		double found;

		if (opcode->kind == SIM_OP_OTHER)
			continue;
		found = inserts(traffic, opcode) *
			state_share(traffic, names, states, opcode->miss);
		if (opcode->kind == SIM_OP_READ)
			sum.reads += found;
		else
			sum.writes += found;
	}
	if (flows != NULL)
		sum.snoops = flows[SNOOP_IN] * state_share(traffic, names, states, SNOOP_MISS);
	return sum;
}

static double by_home(const struct sim_traffic *traffic, double local, double remote)
{
	double away = traffic->remote_reads;

	return local * (1 - away) + remote * away;
}

/* SNB-EP to SKX: umask bit 0 is needed, and a state in the filter. */
static double narrow_lookup(const struct sim_box *box, const struct sim_traffic *traffic,
			    uint64_t control, uint64_t filter, const double flows[N_FLOWS])
{
	const struct sim_layout *layout = box->kind->layout;
	struct lookups found = lookups_in(box, traffic, (unsigned)(filter >> layout->state), flows);
	unsigned umask = umask_of(control);
	double local = 1, remote = 1, sum = 0;

	if (layout->any_umask)
		return found.reads + found.writes;
	if ((umask & LOOKUP_VALID) == 0)
		return 0;
	/* NID alone asks for any lookup. */
	if ((umask & LOOKUP_ANY) != 0 || ((umask & UMASK_NID) != 0 && (umask & 0x0e) == 0))
		umask |= LOOKUP_READ | LOOKUP_WRITE | LOOKUP_REMOTE_SNOOP;
	if (layout->any_read && (umask & LOOKUP_ANY_READ) != 0)
		umask |= LOOKUP_READ;
	if ((umask & LOOKUP_READ) != 0)
		sum += found.reads;
	if ((umask & LOOKUP_WRITE) != 0)
		sum += found.writes;
	if ((umask & LOOKUP_REMOTE_SNOOP) != 0)
		sum += found.snoops;
	if (layout->dialect == DIALECT_CBO)
		sim_select_nodes(box, control, filter, &local, &remote);
	else
		sim_select_homes((umask & LOOKUP_LOCAL) != 0, (umask & LOOKUP_REMOTE) != 0, &local,
				 &remote);
	return sum * by_home(traffic, local, remote);
}

/* ICX: the states are the umask, all else is its extension. */
static double wide_lookup(const struct sim_box *box, const struct sim_traffic *traffic,
			  uint64_t control, const double flows[N_FLOWS])
{
	unsigned states = umask_of(control) != 0 ? umask_of(control) : 0xff;
	struct lookups found = lookups_in(box, traffic, states, flows);
	const bool load = flows == NULL; /* data alone, and no flush */
	uint64_t what = control >> 32;
	double local = 1, remote = 1, sum = 0;

	if (what == 0 || (what & WIDE_ANY) != 0)
		what |= WIDE_DATA | WIDE_OTHER | WIDE_FLUSH | WIDE_RFO | WIDE_CODE;
	if ((what & (WIDE_OWN | WIDE_SNOOPS)) == 0)
		what |= WIDE_OWN | WIDE_SNOOPS;
	if ((what & WIDE_OWN) != 0) {
		sum += (what & WIDE_DATA) != 0 ? found.reads * (load ? 1 : SHARE_DATA) : 0;
		sum += (what & WIDE_RFO) != 0 ? found.reads * (load ? 0 : SHARE_RFO) : 0;
		sum += (what & WIDE_CODE) != 0 ? found.reads * (load ? 0 : SHARE_CODE) : 0;
		sum += (what & WIDE_OTHER) != 0 ? found.writes * (load ? 1 : 1 - SHARE_FLUSH) : 0;
		sum += (what & WIDE_FLUSH) != 0 ? found.writes * (load ? 0 : SHARE_FLUSH) : 0;
	}
	if ((what & WIDE_SNOOPS) != 0)
		sum += found.snoops;
	sim_select_homes((what & WIDE_LOCAL) != 0, (what & WIDE_REMOTE) != 0, &local, &remote);
	return sum * by_home(traffic, local, remote);
}

double sim_select_lookup(const struct sim_box *box, uint64_t control, uint64_t filter,
			 const double flows[N_FLOWS])
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	const struct sim_traffic *load = sim_load_at(box->sim, box->package);

	if (box->kind->layout->dialect == DIALECT_WIDE)
		return wide_lookup(box, traffic, control, flows) +
		       (load != NULL ? wide_lookup(box, load, control, NULL) : 0);
	return narrow_lookup(box, traffic, control, filter, flows) +
	       (load != NULL ? narrow_lookup(box, load, control, filter, NULL) : 0);
}

/* Victims by state: M, E, S, then either F or those that were gone already. */
static double victims_of(const struct sim_box *box, unsigned umask)
{
	const struct sim_traffic *traffic = &box->sim->traffic[box->package];
	double clean = traffic->reads * traffic->victims_es;
	bool forward = box->kind->layout->forward_victims;
	double sum = 0;

	if ((umask & 0x01) != 0)
		sum += traffic->writes;
	if ((umask & 0x02) != 0)
		sum += clean * 0.69;
	if ((umask & 0x04) != 0)
		sum += clean * (forward ? 0.19 : 0.31);
	if (forward && (umask & 0x08) != 0)
		sum += clean * 0.12;
	if ((umask & (forward ? 0x10 : 0x08)) != 0)
		sum += clean * 0.07;
	return sum;
}

/* Where bits 5:4 are who asked, devices or cores: neither is both, and no state all. */
static double victims_by(const struct sim_box *box, unsigned umask)
{
	unsigned who = umask >> 4 & 3;
	double share = who == 1 ? 0.0713 : who == 2 ? 0.9287 : 1;

	umask &= 0x0f;
	return share * victims_of(box, umask != 0 ? umask : 0x0f);
}

double sim_select_victims(const struct sim_box *box, uint64_t control, uint64_t filter)
{
	double away = box->sim->traffic[box->package].remote_writes;
	const struct sim_layout *layout = box->kind->layout;
	unsigned umask = umask_of(control);
	unsigned homes = layout->dialect == DIALECT_WIDE ? (unsigned)(control >> 32) : umask;
	double local = 1, remote = 1;

	if (layout->dialect == DIALECT_CBO) {
		sim_select_nodes(box, control, filter, &local, &remote);
		if (umask == UMASK_NID)
			umask |= 0x07;
	} else {
		sim_select_homes((homes & LOOKUP_LOCAL) != 0, (homes & LOOKUP_REMOTE) != 0, &local,
				 &remote);
		if ((umask & 0x1f) == 0 && homes != 0)
			umask |= 0x0f;
	}
	return (layout->accelerators ? victims_by(box, umask) : victims_of(box, umask)) *
	       (local * (1 - away) + remote * away);
}
