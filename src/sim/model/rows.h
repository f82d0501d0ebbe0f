/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rows.h - events as rows: each part of an event is a flow of the traffic times
 * a factor.  Events without a row have an arbitrary rate.
 */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/model/model.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Package totals per second, unless noted otherwise. */
enum flow {
	FLOW_NONE,
	/* Not spread over the boxes: */
	CLOCK,   /* the box's clock */
	HOT,     /* PCU: the part of its clock in which it is limited by temperature */
	RX_IDLE, /* QPI: flit slots of the port that carry nothing */
	TX_IDLE,
	/* They look at umask and filter themselves: */
	TOR, /* CBo: inserts or occupancy */
	LOOKUP,
	VICTIMS,
	BAND,     /* PCU: frequency band */
	CORES,    /* PCU: cores in the selected state */
	CTO,      /* QPI: packets that match */
	RX_FLITS, /* UPI: a third of a flit each */
	TX_FLITS,
	PORTS_IN, /* IIO: lines from devices, to devices */
	PORTS_OUT,
	DATA_IN,   /* the bytes of PORTS_IN, in lines */
	CAS,       /* iMC with two halves of a channel: of the selected type and half */
	M2M_READS, /* M2M: of the selected type and channel */
	M2M_WRITES,
	B2CMI_READS, /* the same with one channel */
	B2CMI_WRITES,
	PAGES,    /* iMC with four quarters of a channel: activates or precharges */
	CORES_C0, /* PCU: cores in a state */
	CORES_C3,
	CORES_C6,
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
	PMEM_READS, /* of persistent memory, in addition */
	PMEM_WRITES,
	PAGE_MISS, /* DRAM pages closed for another one */
	ACTIVATES,
	SNOOP_IN,
	SNOOP_OUT,
	RX_DRS, /* packets with data received over QPI: reads' data, writes from others */
	TX_DRS,
	RX_REQ, /* home requests from others */
	TX_REQ,
	NCB_IN,
	NCB_OUT,
	RX_PACKETS, /* all classes; each has one header flit */
	TX_PACKETS,
	IO_READ, /* lines that devices read */
	IO_WRITE,
	IO_WRITE_DATA, /* the bytes of it, in lines */
	INTERRUPTS,
	N_FLOWS
};

enum row_shape {
	PULSE = SIM_PULSE,
	LEVEL = SIM_LEVEL,
	QUEUE = SIM_QUEUE, /* flow = inserts; the rate is entries summed over cycles */
	BUSY /* like QUEUE with a depth of max, but the cycles in which it is not empty */
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
	uint8_t stay;     /* QUEUE and BUSY: index of a time of the traffic */
	struct sim_part parts[EVENT_PARTS];
};

/* Codes that only some counters count, or with increments of more than 1 per cycle. */
struct sim_limit {
	uint16_t low, high;
	uint8_t counters;
	uint16_t max;
};

/* All event codes of a box: bit c % 64 of word c / 64. */
struct sim_codes {
	uint64_t known[8];
	const struct sim_limit *limits;
	unsigned n_limits;
};

struct sim_events {
	const struct sim_event *rows;
	unsigned n;
	const double *weights;         /* of the boxes; NULL: the CBo rule */
	const struct sim_codes *codes; /* NULL: only events with a row exist */
	const struct sim_events *like; /* its rows are also used, */
	const uint16_t *unlike;        /* except for these codes; 0 ends the list */
};

/* How umask and filter of a CBo or CHA select TOR entries and lookups. */
enum sim_dialect {
	DIALECT_CBO, /* SNB-EP to BDX */
	DIALECT_CHA, /* KNL, SKX: opcode and home in the filter, sources in the umask */
	DIALECT_WIDE /* ICX: all of it in the umask and its extension */
};

/* Positions in a filter: high MSR << 32 | low MSR. */
struct sim_layout {
	enum sim_dialect dialect;
	uint8_t thread_bits, core_bits; /* TID, at bit 0 */
	uint64_t tid;                   /* control bit that makes it count; 0: SIM_CTL_TID */
	uint8_t state;
	const char *states; /* from bit `state` on; '-': none of the five */
	uint8_t nid, nid_bits, opc;
	bool homes;           /* umask bits 0x20 and 0x80 are local and remote */
	bool any_read;        /* lookups: umask bit 0x20 is all reads */
	bool any_umask;       /* lookups: the umask selects nothing */
	bool forward_victims; /* victims: umask bit 0x08 is state F */
	bool device_tid;      /* the highest core of TID selects requests of devices */
	bool accelerators;    /* spr and later: more sources, kinds of memory and requestors */
};

/* Share of its time that a UPI link is in L1, where it carries nothing. */
#define SIM_UPI_L1 0.0137

/* CBo occupancy companion, docs/hardware/snbep.md. */
#define COUNTER0_OCCUPANCY 0x1f

extern const struct sim_events sim_snbep_ubox, sim_snbep_cbox, sim_snbep_pcu;
extern const struct sim_events sim_snbep_ha, sim_snbep_imc, sim_snbep_qpi;
extern const struct sim_events sim_snbep_r2pcie, sim_snbep_r3qpi;

/* clocks.c: the clock of a box. */
double sim_uclk(const struct sim_box *box);
/* The same where each die has a clock of its own, in which die the box is. */
double sim_die_clk(const struct sim_box *box);
unsigned sim_die_of(const struct sim_box *box);
double sim_dclk(const struct sim_box *box);
double sim_qclk(const struct sim_box *box);
double sim_pclk(const struct sim_box *box);

/* traffic.c: default traffic of a package. */
void sim_traffic_ring(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores);
void sim_traffic_haswell(struct sim_traffic *traffic, unsigned package, unsigned packages,
			 unsigned cores);
void sim_traffic_mesh(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores);
void sim_traffic_wide(struct sim_traffic *traffic, unsigned package, unsigned packages,
		      unsigned cores);
void sim_traffic_spr(struct sim_traffic *traffic, unsigned package, unsigned packages,
		     unsigned cores);
void sim_traffic_cxl(struct sim_traffic *traffic, unsigned package, unsigned packages,
		     unsigned cores);

/* flow.c: every flow below N_FLOWS that is a package total. */
void sim_flows(const struct sim *sim, unsigned package, double flows[N_FLOWS]);

/* select.c: flows that depend on umask and filter; package totals per second. */
double sim_select_tor(const struct sim_box *box, uint64_t control, uint64_t filter,
		      const double flows[N_FLOWS]);
/* Share of the core that the filter's TID selects; 1 without tid_en. */
double sim_select_tid(const struct sim_box *box, uint64_t control, uint64_t filter);
/* Whether the filter selects a core's traffic; the control without tid_en. */
bool sim_select_core(const struct sim_box *box, uint64_t *control, uint64_t filter, unsigned core);
/* Shares of the traffic to the local node and to others selected by a NID mask. */
void sim_select_nodes(const struct sim_box *box, uint64_t control, uint64_t filter, double *local,
		      double *remote);
void sim_select_homes(bool want_local, bool want_remote, double *local, double *remote);

/* select_lookup.c */
double sim_select_lookup(const struct sim_box *box, uint64_t control, uint64_t filter,
			 const double flows[N_FLOWS]);
double sim_select_victims(const struct sim_box *box, uint64_t control, uint64_t filter);
/* select_other.c: the same for PCU, QPI, UPI and IIO. */
double sim_select_band(const struct sim_box *box, uint64_t control, uint64_t filter);
double sim_select_cores(const struct sim_box *box, uint64_t control);
double sim_select_cto(const struct sim_box *box, const double flows[N_FLOWS]);
double sim_select_flits(const struct sim_box *box, uint64_t control, bool incoming, double share,
			const double flows[N_FLOWS]);
/* Flits that a link can carry per second and direction. */
double sim_link_flits(const struct sim_box *box);
double sim_select_ports(const struct sim_box *box, uint64_t control);
/* Share of a stack's traffic that one of its ports has; pcie/stacks.c. */
double sim_port_share(const struct sim_box *box, unsigned port, unsigned ports);
/* select_wide.c: events selected by umask and extension of iMC and M2M. */
double sim_select_cas(uint64_t control, const double flows[N_FLOWS]);
double sim_select_m2m_reads(uint64_t control);
double sim_select_m2m_writes(uint64_t control);
double sim_select_b2cmi_reads(uint64_t control);
double sim_select_b2cmi_writes(uint64_t control);
/* ACT_COUNT and PRE_COUNT of an iMC with four quarters of a channel. */
double sim_select_pages(uint64_t control, const double flows[N_FLOWS]);

/* rows.c */
bool sim_row_signal(const struct sim_box *box, uint64_t control, uint64_t filter,
		    struct sim_signal *out);
/* A box's share of a package total. */
double sim_weight(const struct sim_box *box);

#endif
