/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * select_other.c - rates that depend on a filter or several umask bits at once:
 * PCU bands and core states, QPI packet match, UPI flits, IIO ports (docs/hardware/).
 */
#include "sim/model/rows.h"

/* Events 0x0b-0x0e: band n is byte n of the filter, in 100 MHz. */
double sim_select_band(const struct sim_box *box, uint64_t control, uint64_t filter)
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

double sim_select_cores(const struct sim_box *box, uint64_t control)
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
double sim_select_cto(const struct sim_box *box, const double flows[N_FLOWS])
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

/* Umask bits: which slots of a flit, and which kinds of flits. */
#define SLOTS     0x07
#define FLIT_DATA 0x08
#define FLIT_LLC  0x10 /* link credits */
#define FLIT_NULL 0x20
#define FLIT_CTRL 0x40
#define FLIT_HEAD 0x80

/* Slots of link credits per packet, in flits. */
#define CREDITS 0.0613

double sim_link_flits(const struct sim_box *box)
{
	return box->kind->clock_hz(box) * box->kind->cycle_bits / box->kind->flit_bits;
}

/*
 * UPI: three slots per flit.  A line takes nine slots of data, three at each
 * position, a packet one header slot; the rest is null and credits.  Traffic beyond
 * the capacity of a link is dropped.
 */
double sim_select_flits(const struct sim_box *box, uint64_t control, bool incoming, double share,
			const double flows[N_FLOWS])
{
	unsigned umask = (unsigned)(control >> 8) & 0xff;
	double lines = flows[incoming ? RX_DRS : TX_DRS] + flows[incoming ? NCB_IN : NCB_OUT];
	double packets = flows[incoming ? RX_PACKETS : TX_PACKETS];
	double room = sim_link_flits(box) * (1 - SIM_UPI_L1);
	double asked = share * (3 * lines + packets * (1 / 3.0 + CREDITS));
	double used = asked > room ? room : asked;
	double sum = 0;
	unsigned slots = 0;

	/* Bits of one type only select all of the other type. */
	if ((umask & SLOTS) == 0)
		umask |= SLOTS;
	if ((umask & ~(unsigned)SLOTS) == 0)
		umask |= ~(unsigned)SLOTS;
	for (unsigned i = 0; i < 3; i++)
		slots += umask >> i & 1;
	if (asked > 0)
		share *= used / asked;
	if ((umask & FLIT_DATA) != 0)
		sum += share * 3 * lines;
	if ((umask & FLIT_HEAD) != 0)
		sum += share * packets / 3;
	if ((umask & FLIT_LLC) != 0)
		sum += share * packets * CREDITS;
	if ((umask & FLIT_NULL) != 0)
		sum += (room - used) * 0.9613;
	if ((umask & FLIT_CTRL) != 0)
		sum += (room - used) * 0.0387;
	return sum * slots;
}

/* Share of a stack's ports in the channel mask (43:36, one bit per existing port). */
double sim_select_ports(const struct sim_box *box, uint64_t control)
{
	unsigned ports = box->kind->control_bits >> 47 != 0 ? 8 : 4;
	uint64_t classes = control >> (ports == 8 ? 48 : 44) & 7;
	double share = 0;

	/* Fully posted, non-posted, completions: the data needs the mask to be full. */
	if (classes == 0)
		return 0;
	for (unsigned port = 0; port < ports; port++)
		if ((control >> (36 + port) & 1) != 0)
			share += sim_port_share(box, port, ports);
	return share;
}
