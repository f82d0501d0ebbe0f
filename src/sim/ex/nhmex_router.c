/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_router.c - Xeon 7500 and E7, R-Box: the events that a port's
 * sub-control registers select (docs/hardware/nhmex.md).
 */
#include "sim/ex/nhmex_events.h"

#define PORT_EVENTS 6
#define PORTS       4

/* Message classes in the order of NEW_PACKETS_RECV. */
enum { NCB = 1 << 0, NCS = 1 << 1, DRS = 1 << 2, NDR = 1 << 3, SNP = 1 << 4, HOM = 1 << 5 };

/* A port's traffic, per cycle. */
struct port {
	double flows[N_NHMEX_FLOWS];
	double link_cycles; /* time in its queues */
};

static struct port port_of(const struct sim_box *box, unsigned port)
{
	static const double weights[PORTS] = {0.3137, 0.2719, 0.2311, 0.1833};
	double clock = box->kind->clock_hz(box);
	struct port out;

	sim_nhmex_flows(box->sim, box->package, out.flows);
	for (unsigned i = 0; i < N_NHMEX_FLOWS; i++)
		out.flows[i] *= sim_nhmex_weight(box) * weights[port] / clock;
	out.link_cycles = box->sim->traffic[box->package].link_ns * 1e-9 * clock;
	return out;
}

static double packets(const struct port *port, unsigned classes)
{
	static const uint8_t flow[] = {NX_NCB, NX_NCS, NX_DRS, NX_NDR, NX_SNP, NX_HOM};
	double sum = 0;

	for (unsigned i = 0; i < sizeof(flow); i++)
		if ((classes >> i & 1) != 0)
			sum += port->flows[flow[i]];
	return sum;
}

/* VN0, VN1, VNA, any of them. */
static double vn_share(uint64_t vn)
{
	static const double shares[4] = {0.6131, 0.0709, 0.316, 1};

	return shares[vn & 3];
}

/* ALLOC_TO_ARB: NCB, NCS, DRS, NDR, SNP as above, then HOM on VN0 and on VN1. */
static double allocated(const struct port *port, uint64_t classes)
{
	double sum = packets(port, (unsigned)classes & 0x1f);

	if ((classes & 0x20) != 0)
		sum += packets(port, HOM) * (1 - vn_share(1));
	if ((classes & 0x40) != 0)
		sum += packets(port, HOM) * vn_share(1);
	return sum;
}

/* The output tracker: entries, with 0x10 inserts, of one class. */
static double tracked(const struct port *port, uint64_t select)
{
	static const struct {
		uint8_t class, vn1, vn0;
	} list[9] = {
		[1] = {HOM, 0, 1}, [2] = {HOM, 1, 0}, [3] = {NDR, 1, 1}, [4] = {DRS, 0, 1},
		[5] = {SNP, 1, 1}, [6] = {NCB, 1, 1}, [7] = {NCS, 1, 1}, [8] = {DRS, 1, 0},
	};
	unsigned which = select & 0xf;
	double share, inserts;

	if (which == 0 || which > 8)
		return 0;
	share = list[which].vn0 * (1 - vn_share(1)) + list[which].vn1 * vn_share(1);
	inserts = packets(port, list[which].class) * share;
	return (select & 0x10) != 0 ? inserts : inserts * port->link_cycles;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Bits 31:24 and 16 of IPERF_CFG: one condition or kind of flit each. */
static double iperf_flag(const struct port *port, unsigned bit)
{
	double sent = smaller(port->flows[NX_FLITS], 1);

	switch (bit) {
	case 16: /* tracker not empty */
		return sim_share_at_least(port->flows[NX_PACKETS] * port->link_cycles, 64, 1);
	case 24: /* flits received with errors, speculatively */
		return sent * 0.0000071;
	case 25:
		return sent * 0.9731;
	case 26: /* output queue not empty, overflowing; retry queue */
		return 0.1719;
	case 27:
		return 0.0031;
	case 28:
		return 0.0113;
	case 29:
		return 0.00071;
	case 30: /* NULL_IDLE: one flit per cycle minus FLITS_SENT */
		return 1 - sent;
	case 31:
		return sent;
	default:
		return 0;
	}
}

/* Sum of everything selected by the register. */
static double iperf(const struct port *port, uint64_t config)
{
	double sum = packets(port, config & 0x3f) * vn_share(config >> 6);

	if ((config >> 8 & 1) != 0) /* INQUE_READ_WIN */
		sum += port->flows[NX_PACKETS] * 0.9713;
	sum += allocated(port, config >> 9 & 0x7f);
	sum += tracked(port, config >> 17 & 0x1f);
	for (unsigned bit = 16; bit < 32; bit++)
		if ((config >> bit & 1) != 0)
			sum += iperf_flag(port, bit);
	return sum;
}

/*
 * QLX: bits 3:0 select the event, bits 7:4 the class.  The position of the class is
 * an assumption; the sources have only the two numbers.
 */
static double qlx(const struct port *port, unsigned config)
{
	static const uint8_t classes[8] = {HOM, SNP, NDR, NCS, DRS, NCB};
	unsigned what = config & 0xf, select = config >> 4;
	double bids = packets(port, classes[select & 7]);
	double all = port->flows[NX_PACKETS];

	switch (what) {
	case 0x0: /* QUE_ARB_BID */
		return bids * 1.2113;
	case 0x1: /* LOCAL_, GLOBAL_ARB_BID */
		return all * 1.1719;
	case 0x2:
		return all * 1.1311;
	case 0x3: /* the same three, failed */
		return bids * 0.2113;
	case 0x4:
		return all * 0.1719;
	case 0x5:
		return bids * 0.1311 * vn_share(select >> 3);
	case 0x9: /* TARGET_AVAILABLE */
		return 0.9713 - 0.0173 * select;
	case 0xa: /* STARVING */
		return 0.0013;
	default:
		return 0;
	}
}

/* Without MM_CFG, the crossbar's match registers are disabled and nothing is counted. */
static double crossbar(const struct port *port, const uint64_t sub[NHMEX_SUBS], unsigned mm_cfg,
		       unsigned match, unsigned mask)
{
	if (sub[mm_cfg] == 0)
		return 0;
	return port->flows[NX_PACKETS] * sim_nhmex_match(sub[match], sub[mask]);
}

bool sim_nhmex_rbox(const struct sim_box *box, uint64_t control, const uint64_t sub[NHMEX_SUBS],
		    struct sim_signal *out)
{
	unsigned event = (unsigned)(control >> 1) & 0x1f;
	unsigned p = event / PORT_EVENTS;
	struct port port;
	double mean;

	if (p >= PORTS || box->kind->clock_hz(box) <= 0)
		return false;
	port = port_of(box, p);
	switch (event % PORT_EVENTS) {
	case 0:
	case 1:
		mean = iperf(&port, sub[(event % PORT_EVENTS == 0 ? R_IPERF0 : R_IPERF1) + p]);
		break;
	case 2:
		mean = qlx(&port, sub[R_QLX + p] & 0xff);
		break;
	case 3:
		mean = qlx(&port, sub[R_QLX + p] >> 8 & 0xff);
		break;
	case 4:
		mean = crossbar(&port, sub, R_MM_CFG1 + p, R_MATCH1 + p, R_MASK1 + p);
		break;
	default:
		mean = crossbar(&port, sub, R_MM_CFG2 + p, R_MATCH2 + p, R_MASK2 + p);
		break;
	}
	*out = (struct sim_signal){.mean = mean,
				   .clock_hz = box->kind->clock_hz(box),
				   .max = 64,
				   .allowed = 0xff,
				   .shape = SIM_PULSE};
	return true;
}
