/* SPDX-License-Identifier: BSD-3-Clause */
/* events.h - sets of events that fill 1, 8, 64 and all counters of the machine. */
#ifndef BENCH_EVENTS_H
#define BENCH_EVENTS_H

#include <stddef.h>

struct bench_set {
	const char *title;
	const char *events[40];
};

#define CBO_4                                                   \
	"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", \
		"UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD", "UNC_C_RING_BL_USED:UP_EVEN"

static const struct bench_set bench_sets[] = {
	{"1 counter", {"UNC_U_CLOCKTICKS:pkg=0"}},
	{"8 counters (iMC, one a channel)", {"UNC_M_CAS_COUNT:RD"}},
	{"64 counters (CBo, four a box)", {CBO_4}},
	{"all 162 counters",
	 {CBO_4,
	  "UNC_U_CLOCKTICKS",
	  "UNC_U_EVENT_MSG:DOORBELL_RCVD",
	  "UNC_U_LOCK_CYCLES",
	  "UNC_P_CLOCKTICKS",
	  "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0",
	  "UNC_P_POWER_STATE_OCCUPANCY:CORES_C3",
	  "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6",
	  "UNC_H_CLOCKTICKS",
	  "UNC_H_REQUESTS:READS",
	  "UNC_H_REQUESTS:WRITES",
	  "UNC_H_TXR_BL:DRS_QPI",
	  "UNC_M_CLOCKTICKS",
	  "UNC_M_CAS_COUNT:RD",
	  "UNC_M_CAS_COUNT:WR",
	  "UNC_M_ACT_COUNT",
	  "UNC_M_PRE_COUNT:PAGE_MISS",
	  "UNC_Q_CLOCKTICKS",
	  "UNC_Q_TXL_FLITS_G0:DATA",
	  "UNC_Q_RXL_FLITS_G0:DATA",
	  "UNC_Q_RXL_FLITS_G1:DRS",
	  "UNC_R2_CLOCKTICKS",
	  "UNC_R2_RING_AD_USED:CW_EVEN",
	  "UNC_R2_RING_AK_USED:CW_EVEN",
	  "UNC_R2_TXR_INSERTS",
	  "UNC_R3_CLOCKTICKS",
	  "UNC_R3_RXR_INSERTS:DRS",
	  "UNC_R3_RXR_OCCUPANCY:DRS"}},
};

enum { BENCH_SETS = sizeof(bench_sets) / sizeof(*bench_sets) };

static inline size_t bench_set_size(const struct bench_set *set)
{
	size_t n = 0;

	while (n < 40 && set->events[n])
		n++;
	return n;
}

#endif
