/*
 * snbep.h - SNB-EP events as rows: each part of an event is a flow of the
 * traffic times a factor.
 */
#ifndef SIM_SNBEP_H
#define SIM_SNBEP_H

#include "model.h"

/* Package totals per second, unless noted otherwise. */
enum flow {
	FLOW_NONE,
	/* Not spread over the boxes: */
	CLOCK,   /* the box's clock */
	RX_IDLE, /* QPI: flit slots of the port that carry nothing */
	TX_IDLE,
	/* They look at umask and filter themselves: */
	TOR, /* CBo: inserts or occupancy */
	LOOKUP,
	VICTIMS,
	BAND,  /* PCU: frequency band */
	CORES, /* PCU: cores in the selected state */
	CTO,   /* QPI: packets that match */
	/* Spread over the boxes by weight: */
	OPS, /* requests of cores and devices to the LLC */
	READS,
	WRITES,
	READ_LOCAL,
	READ_REMOTE,
	READ_IN, /* reads of other packages that are served here */
	WRITE_LOCAL,
	WRITE_REMOTE,
	WRITE_IN,
	MEM_READS, /* READ_LOCAL + READ_IN */
	MEM_WRITES,
	MEM_ALL,
	PAGE_MISS, /* DRAM pages closed for another one */
	ACTIVATES,
	SNOOP_IN,
	SNOOP_OUT,
	RX_DRS, /* packets with data that come in over QPI: reads' data, writes from others */
	TX_DRS,
	RX_REQ, /* home requests from others */
	TX_REQ,
	NCB_IN,
	NCB_OUT,
	RX_PACKETS, /* all classes; each has one header flit */
	TX_PACKETS,
	IO_READ, /* lines that devices read */
	IO_WRITE,
	INTERRUPTS,
	N_FLOWS
};

enum row_shape {
	PULSE = SIM_PULSE,
	LEVEL = SIM_LEVEL,
	QUEUE = SIM_QUEUE, /* flow = inserts; the rate is entries summed over cycles */
	BUSY               /* like QUEUE with a depth of max, but the cycles that it is not empty */
};

enum stay { STAY_NONE, STAY_INGRESS, STAY_RPQ, STAY_WPQ, STAY_LINK };

#define EVENT_PARTS 8

struct sim_part {
	uint8_t umask; /* one bit; 0: counts with any umask */
	uint8_t flow;
	double factor;
};

struct sim_event {
	uint16_t code;    /* event select, bit 8 = ev_sel_ext */
	uint8_t counters; /* that can count it */
	uint8_t max;      /* largest increment per cycle */
	uint8_t shape;    /* enum row_shape */
	uint8_t stay;     /* QUEUE and BUSY: which time of the traffic */
	struct sim_part parts[EVENT_PARTS];
};

struct sim_events {
	const struct sim_event *rows;
	unsigned n;
	const double *weights; /* of the boxes; NULL: the CBo rule */
};

/* CBo occupancy companion, facts events-counters section 2. */
#define COUNTER0_OCCUPANCY 0x1f

extern const struct sim_events sim_snbep_ubox, sim_snbep_cbox, sim_snbep_pcu;
extern const struct sim_events sim_snbep_ha, sim_snbep_imc, sim_snbep_qpi;
extern const struct sim_events sim_snbep_r2pcie, sim_snbep_r3qpi;

/* snbep_traffic.c: default traffic of a package. */
void sim_snbep_traffic(struct sim_traffic *traffic, unsigned package, unsigned packages,
		       unsigned cores);

/* snbep_flow.c: every flow below N_FLOWS that is a plain package total. */
void sim_snbep_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS]);

/* snbep_select.c: flows that depend on umask and filter; package totals per second. */
double sim_snbep_tor(const struct sim_box *box, uint64_t control, uint64_t filter);
double sim_snbep_lookup(const struct sim_box *box, uint64_t control, uint64_t filter,
			const double flows[N_FLOWS]);
double sim_snbep_victims(const struct sim_box *box, uint64_t control, uint64_t filter);
double sim_snbep_band(const struct sim_box *box, uint64_t control, uint64_t filter);
double sim_snbep_cores(const struct sim_box *box, uint64_t control);
double sim_snbep_cto(const struct sim_box *box, const double flows[N_FLOWS]);
/* Share of the core that the CBo filter's TID selects; 1 without tid_en. */
double sim_snbep_tid_share(const struct sim_box *box, uint64_t control, uint64_t filter);

/* snbep_signal.c */
bool sim_snbep_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		      struct sim_signal *out);

#endif
