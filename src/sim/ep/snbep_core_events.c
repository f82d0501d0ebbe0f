/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snbep_core_events.c - events of the SNB-EP boxes read by MSR: UBox, CBo, PCU.
 *
 * A row: code, counters that count it, largest increment per cycle (queues:
 * their depth), shape, time of stay, then the flow of each umask bit (0: any
 * umask).  Codes, umasks and counters: Intel's event list.
 * Factors without a stated relation are plausible and arbitrary.
 */
#include "sim/model/rows.h"

/* UBox */
/* clang-format off */
static const struct sim_event ubox_rows[] = {
	/* CLOCKTICKS */
	{0x00, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* FILTER_MATCH */
	{0x41, 0x3, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.613},
		{0x02, INTERRUPTS, 0.387}, {0x04, INTERRUPTS, 0.071},
		{0x08, INTERRUPTS, 0.053}}},
	/* EVENT_MSG */
	{0x42, 0x3, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.017},
		{0x02, INTERRUPTS, 0.313}, {0x04, INTERRUPTS, 0.527},
		{0x08, INTERRUPTS, 0.041}, {0x10, INTERRUPTS, 0.029}}},
	/* U2C_EVENTS */
	{0x43, 0x3, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.011},
		{0x02, INTERRUPTS, 0.009}, {0x04, INTERRUPTS, 0.0007},
		{0x08, INTERRUPTS, 0.0005}, {0x10, INTERRUPTS, 0.0013},
		{0x20, INTERRUPTS, 0.0003}, {0x40, INTERRUPTS, 0.0017},
		{0x80, INTERRUPTS, 0.0071}}},
	/* LOCK_CYCLES */
	{0x44, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00137}}},
	/* PHOLD_CYCLES */
	{0x145, 0x3, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00037}, {0x02, CLOCK, 0.00041}}},
	/* RACU_REQUESTS */
	{0x146, 0x3, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.219}}},
	/* MSG_CHNL_SIZE_COUNT */
	{0x147, 0x3, 1, PULSE, STAY_NONE, {{0x01, INTERRUPTS, 0.153},
		{0x02, INTERRUPTS, 0.091}}},
};
/* clang-format on */

static const double ubox_weights[] = {1};

const struct sim_events sim_snbep_ubox = {
	.rows = ubox_rows,
	.n = N_OF(ubox_rows),
	.weights = ubox_weights,
};

/* CBo */
/* clang-format off */
static const struct sim_event cbox_rows[] = {
	/* CLOCKTICKS */
	{0x00, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* TxR_INSERTS */
	{0x02, 0x3, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.311}, {0x02, OPS, 0.173},
		{0x04, OPS, 0.257}, {0x08, SNOOP_IN, 0.119}, {0x10, OPS, 0.057},
		{0x20, OPS, 0.231}, {0x40, OPS, 0.613}}},
	/* TxR_STARVED */
	{0x03, 0x3, 1, PULSE, STAY_NONE, {{0x02, OPS, 0.0031}, {0x04, OPS, 0.0043}}},
	/* TxR_ADS_USED */
	{0x04, 0x3, 1, PULSE, STAY_NONE, {{0, OPS, 0.457}}},
	/* RING_BOUNCES */
	{0x05, 0x3, 1, PULSE, STAY_NONE, {{0x02, OPS, 0.0071}, {0x04, OPS, 0.0053},
		{0x08, OPS, 0.0029}}},
	/* RING_SINK_STARVED */
	{0x06, 0x3, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.0013}, {0x02, OPS, 0.0017},
		{0x04, OPS, 0.0019}, {0x08, OPS, 0.0011}}},
	/* RING_SRC_THRTL */
	{0x07, 0x3, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00217}}},
	/* RxR_OCCUPANCY */
	{0x11, 0x1, 20, QUEUE, STAY_INGRESS, {{0x01, OPS, 1}, {0x02, OPS, 0.113},
		{0x04, SNOOP_IN, 1}, {0x10, WRITES, 0.571}}},
	/* RxR_EXT_STARVED */
	{0x12, 0x3, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0131}, {0x02, CLOCK, 0.0047},
		{0x04, CLOCK, 0.0023}, {0x08, CLOCK, 0.0019}}},
	/* RxR_INSERTS */
	{0x13, 0x3, 1, PULSE, STAY_NONE, {{0x01, OPS, 1}, {0x02, OPS, 0.113},
		{0x04, SNOOP_IN, 1}, {0x10, WRITES, 0.571}}},
	/* RxR_INT_STARVED */
	{0x14, 0x3, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0059}, {0x04, CLOCK, 0.0037},
		{0x08, CLOCK, 0.0017}}},
	/* RING_AD_USED */
	{0x1b, 0xc, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.2889}, {0x02, OPS, 0.2461},
		{0x04, OPS, 0.2782}, {0x08, OPS, 0.2568}}},
	/* RING_AK_USED */
	{0x1c, 0xc, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.2241}, {0x02, OPS, 0.1909},
		{0x04, OPS, 0.2158}, {0x08, OPS, 0.1992}}},
	/* RING_BL_USED: two 32-byte cycles per line */
	{0x1d, 0xc, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.54}, {0x02, OPS, 0.46},
		{0x04, OPS, 0.52}, {0x08, OPS, 0.48}}},
	/* RING_IV_USED */
	{0x1e, 0xc, 1, PULSE, STAY_NONE, {{0x01, SNOOP_IN, 0.1}, {0x02, SNOOP_IN, 0.12},
		{0x04, SNOOP_IN, 0.11}, {0x08, SNOOP_IN, 0.13}}},
	/* COUNTER0_OCCUPANCY: see companion() in box.c */
	{0x1f, 0xe, 20, QUEUE, STAY_NONE, {{0, CLOCK, 0}}},
	/* ISMQ_DRD_MISS_OCC */
	{0x21, 0x3, 20, QUEUE, STAY_INGRESS, {{0, READS, 17.3}}},
	/* RxR_IPQ_RETRY */
	{0x31, 0x3, 1, PULSE, STAY_NONE, {{0x01, SNOOP_IN, 0.093},
		{0x02, SNOOP_IN, 0.031}, {0x04, SNOOP_IN, 0.041}, {0x10, SNOOP_IN, 0.021}}},
	/* RxR_IRQ_RETRY */
	{0x32, 0x3, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.113}, {0x02, OPS, 0.029},
		{0x04, OPS, 0.037}, {0x08, OPS, 0.028}, {0x10, OPS, 0.019}}},
	/* RxR_ISMQ_RETRY */
	{0x33, 0x3, 1, PULSE, STAY_NONE, {{0x01, READS, 0.057}, {0x02, READS, 0.012},
		{0x08, READS, 0.019}, {0x10, READS, 0.015}, {0x20, READS, 0.011}}},
	/* LLC_LOOKUP */
	{0x34, 0x3, 1, PULSE, STAY_NONE, {{0, LOOKUP, 1}}},
	/* TOR_INSERTS */
	{0x35, 0x3, 1, PULSE, STAY_NONE, {{0, TOR, 1}}},
	/* TOR_OCCUPANCY */
	{0x36, 0x1, 20, QUEUE, STAY_NONE, {{0, TOR, 1}}},
	/* LLC_VICTIMS */
	{0x37, 0x3, 1, PULSE, STAY_NONE, {{0, VICTIMS, 1}}},
	/* MISC */
	{0x39, 0x3, 1, PULSE, STAY_NONE, {{0x01, OPS, 0.0067}, {0x02, OPS, 0.0021},
		{0x04, OPS, 0.0239}, {0x08, OPS, 0.0173}}},
};
/* clang-format on */

const struct sim_events sim_snbep_cbox = {
	.rows = cbox_rows,
	.n = N_OF(cbox_rows),
};

/* PCU */
/* clang-format off */
static const struct sim_event pcu_rows[] = {
	/* CLOCKTICKS */
	{0x00, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* VOLT_TRANS_CYCLES_INCREASE */
	{0x01, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00171}}},
	/* VOLT_TRANS_CYCLES_DECREASE */
	{0x02, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00193}}},
	/* VOLT_TRANS_CYCLES_CHANGE */
	{0x03, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00079}}},
	/* FREQ_MAX_LIMIT_THERMAL_CYCLES */
	{0x04, 0xf, 1, LEVEL, STAY_NONE, {{0, HOT, 1}}},
	/* FREQ_MAX_POWER_CYCLES */
	{0x05, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0719}}},
	/* FREQ_MAX_OS_CYCLES */
	{0x06, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.2311}}},
	/* FREQ_MAX_CURRENT_CYCLES */
	{0x07, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0313}}},
	/* PROCHOT_INTERNAL_CYCLES */
	{0x09, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00053}}},
	/* PROCHOT_EXTERNAL_CYCLES */
	{0x0a, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00037}}},
	/* FREQ_BAND0_CYCLES */
	{0x0b, 0xf, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	/* FREQ_BAND1_CYCLES */
	{0x0c, 0xf, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	/* FREQ_BAND2_CYCLES */
	{0x0d, 0xf, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	/* FREQ_BAND3_CYCLES */
	{0x0e, 0xf, 1, LEVEL, STAY_NONE, {{0, BAND, 1}}},
	/* DEMOTIONS_CORE0 */
	{0x1e, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000001300}}},
	/* DEMOTIONS_CORE1 */
	{0x1f, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000001470}}},
	/* DEMOTIONS_CORE2 */
	{0x20, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000001640}}},
	/* DEMOTIONS_CORE3 */
	{0x21, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000001810}}},
	/* DEMOTIONS_CORE4 */
	{0x22, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000001980}}},
	/* DEMOTIONS_CORE5 */
	{0x23, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000002150}}},
	/* DEMOTIONS_CORE6 */
	{0x24, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000002320}}},
	/* DEMOTIONS_CORE7 */
	{0x25, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 0.000002490}}},
	/* MEMORY_PHASE_SHEDDING_CYCLES */
	{0x2f, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0271}}},
	/* VR_HOT_CYCLES */
	{0x32, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00029}}},
	/* POWER_STATE_OCCUPANCY */
	{0x80, 0xf, 8, QUEUE, STAY_NONE, {{0, CORES, 1}}},
	/* FREQ_TRANS_CYCLES */
	{0x100, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0041}}},
	/* FREQ_MIN_IO_P_CYCLES */
	{0x101, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0173}}},
	/* FREQ_MIN_PERF_P_CYCLES */
	{0x102, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0211}}},
	/* CORE0_TRANSITION_CYCLES */
	{0x103, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00310}}},
	/* CORE1_TRANSITION_CYCLES */
	{0x104, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00333}}},
	/* CORE2_TRANSITION_CYCLES */
	{0x105, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00356}}},
	/* CORE3_TRANSITION_CYCLES */
	{0x106, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00379}}},
	/* CORE4_TRANSITION_CYCLES */
	{0x107, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00402}}},
	/* CORE5_TRANSITION_CYCLES */
	{0x108, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00425}}},
	/* CORE6_TRANSITION_CYCLES */
	{0x109, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00448}}},
	/* CORE7_TRANSITION_CYCLES */
	{0x10a, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00471}}},
	/* TOTAL_TRANSITION_CYCLES */
	{0x10b, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0229}}},
};
/* clang-format on */

static const double pcu_weights[] = {1};

const struct sim_events sim_snbep_pcu = {
	.rows = pcu_rows,
	.n = N_OF(pcu_rows),
	.weights = pcu_weights,
};
