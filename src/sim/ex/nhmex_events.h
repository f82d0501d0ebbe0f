/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nhmex_events.h - Xeon 7500 and E7 events as rows: each part of an event is a
 * flow of the traffic times a factor.
 */
#ifndef SIM_NHMEX_EVENTS_H
#define SIM_NHMEX_EVENTS_H

#include "sim/ex/nhmex.h"

/* Package totals per second; only the clock is per box. */
enum nhmex_flow {
	NX_NONE,
	NX_CLOCK,
	NX_LOOKUPS, /* requests to the LLC */
	NX_READS,   /* requests that miss; lines fetched from memory */
	NX_WRITES,
	NX_HIT_S,
	NX_HIT_E,
	NX_HIT_M,
	NX_HIT_F,
	NX_VICTIMS, /* evictions of clean lines */
	NX_READ_LOCAL,
	NX_READ_REMOTE,
	NX_WRITE_LOCAL,
	NX_WRITE_REMOTE,
	NX_TO_B,      /* requests to this package's memory */
	NX_TO_R,      /* to other packages and to devices */
	NX_MEM_READS, /* served by this package's memory */
	NX_MEM_WRITES,
	NX_MEM_ALL,
	NX_PAGE_MISS,
	NX_ACTIVATES,
	/* Packets received by the router, including those of devices. */
	NX_HOM,
	NX_SNP,
	NX_NDR,
	NX_DRS,
	NX_NCB,
	NX_NCS,
	NX_PACKETS, /* all of them */
	NX_FLITS,   /* sent by the router */
	NX_INTERRUPTS,
	N_NHMEX_FLOWS
};

enum nhmex_shape {
	NX_PULSE = SIM_PULSE,
	NX_LEVEL = SIM_LEVEL, /* cycles, or entries if the row has a stay */
	NX_QUEUE = SIM_QUEUE, /* flow = inserts; counts entries summed over cycles */
	NX_BUSY               /* cycles in which such a queue is not empty */
};

enum nhmex_stay { NX_NO_STAY, NX_INGRESS, NX_MISS, NX_LINK };

enum nhmex_models { NX_BOTH, NX_ONLY_NHM, NX_ONLY_WSM };

#define NHMEX_PARTS 4

/*
 * umask 0: counts with any umask.  Several bits share the flow; higher bits
 * get a larger part.
 */
struct nhmex_part {
	uint8_t umask;
	uint8_t flow;
	double factor;
};

struct nhmex_event {
	uint8_t code; /* M-Box: inc_sel, or NHMEX_FLAG | set_flag_sel */
	uint8_t models;
	uint8_t counter; /* B-Box: the only counter with the event */
	uint8_t shape;
	uint8_t max; /* largest increment per cycle */
	uint8_t stay;
	struct nhmex_part parts[NHMEX_PARTS];
};

#define NHMEX_FLAG 0x20

struct nhmex_rows {
	const struct nhmex_event *rows;
	unsigned n;
};

/* Without a documented limit: 4 per cycle is more than any of them reaches. */
/* clang-format off */
#define NX_COUNT(code_, umask_, flow_, factor_)             \
	{.code = (code_), .shape = NX_PULSE, .max = 4,      \
	 .parts = {{(umask_), (flow_), (factor_)}}}
#define NX_CYCLES(code_, umask_, factor_)                   \
	{.code = (code_), .shape = NX_LEVEL, .max = 1,      \
	 .parts = {{(umask_), NX_CLOCK, (factor_)}}}
#define NX_ENTRIES(code_, max_, stay_, umask_, flow_, factor_)             \
	{.code = (code_), .shape = NX_QUEUE, .max = (max_), .stay = (stay_), \
	 .parts = {{(umask_), (flow_), (factor_)}}}
/* clang-format on */

extern const struct nhmex_rows sim_nhmex_uevents, sim_nhmex_cevents, sim_nhmex_bevents;
extern const struct nhmex_rows sim_nhmex_sevents, sim_nhmex_mevents, sim_nhmex_wevents;

/* nhmex_traffic.c */
void sim_nhmex_flows(const struct sim *sim, unsigned package, double flows[N_NHMEX_FLOWS]);

/* nhmex_signal.c: a box's share of a package total. */
double sim_nhmex_weight(const struct sim_box *box);
/* The share of packets selected by a pair of match and mask registers. */
double sim_nhmex_match(uint64_t match, uint64_t mask);
/* The signal of a row, before its sub-control registers are applied. */
bool sim_nhmex_row(const struct sim_box *box, unsigned code, unsigned umask, unsigned counter,
		   struct sim_signal *out);

/* nhmex_memory.c, nhmex_router.c: M-Box and R-Box controls. */
bool sim_nhmex_mbox(const struct sim_box *box, uint64_t control, const uint64_t sub[NHMEX_SUBS],
		    struct sim_signal *out);
bool sim_nhmex_rbox(const struct sim_box *box, uint64_t control, const uint64_t sub[NHMEX_SUBS],
		    struct sim_signal *out);

#endif
