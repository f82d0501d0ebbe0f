/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * snbep_memory_events.c - events of the SNB-EP boxes of the memory path: HA and iMC channels.
 *
 * A row: code, counters that count it, largest increment per cycle (queues:
 * their depth), shape, time of stay, then the flow of each umask bit (0: any
 * umask).  Codes, umasks and counters: Intel's event list.
 * Factors without a stated relation are plausible and arbitrary.
 */
#include "sim/model/rows.h"

/* Home agent */
/* clang-format off */
static const struct sim_event ha_rows[] = {
	/* CLOCKTICKS */
	{0x00, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* REQUESTS: READS and WRITES have two bits each */
	{0x01, 0xf, 1, PULSE, STAY_NONE, {{0x01, READ_LOCAL, 1}, {0x02, READ_IN, 1},
		{0x04, WRITE_LOCAL, 1}, {0x08, WRITE_IN, 1}}},
	/* TRACKER_INSERTS */
	{0x06, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 1}, {0x02, MEM_WRITES, 1}}},
	/* CONFLICT_CYCLES */
	{0x0b, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.7321}, {0x02, CLOCK, 0.0217}}},
	/* DIRECTORY_LOOKUP: every read looks up */
	{0x0c, 0xf, 1, PULSE, STAY_NONE, {{0x01, SNOOP_OUT, 1}, {0x02, MEM_READS, 1},
		{0x02, SNOOP_OUT, -1}}},
	/* DIRECTORY_UPDATE */
	{0x0d, 0xf, 1, PULSE, STAY_NONE, {{0x01, READ_IN, 0.713},
		{0x02, MEM_WRITES, 0.317}}},
	/* TxR_AK_NDR */
	{0x0e, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_WRITES, 1}}},
	/* TxR_AD */
	{0x0f, 0xf, 1, PULSE, STAY_NONE, {{0x01, WRITE_IN, 1}, {0x02, SNOOP_OUT, 1}}},
	/* TxR_BL: data of every read leaves once */
	{0x10, 0xf, 1, PULSE, STAY_NONE, {{0x01, READ_LOCAL, 0.173},
		{0x02, READ_LOCAL, 0.827}, {0x04, READ_IN, 1}}},
	/* DIRECT2CORE_COUNT */
	{0x11, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_READS, 0.773}}},
	/* DIRECT2CORE_CYCLES_DISABLED */
	{0x12, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00119}}},
	/* DIRECT2CORE_TXN_OVERRIDE */
	{0x13, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_READS, 0.0113}}},
	/* BYPASS_IMC */
	{0x14, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.619},
		{0x02, MEM_READS, 0.381}}},
	/* RPQ_CYCLES_NO_REG_CREDITS */
	{0x15, 0xf, 4, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0127}, {0x02, CLOCK, 0.0109},
		{0x04, CLOCK, 0.0117}, {0x08, CLOCK, 0.0103}}},
	/* RPQ_CYCLES_NO_SPEC_CREDITS */
	{0x16, 0xf, 4, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0057}, {0x02, CLOCK, 0.0049},
		{0x04, CLOCK, 0.0053}, {0x08, CLOCK, 0.0043}}},
	/* WPQ_CYCLES_NO_REG_CREDITS */
	{0x18, 0xf, 4, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0227}, {0x02, CLOCK, 0.0209},
		{0x04, CLOCK, 0.0217}, {0x08, CLOCK, 0.0203}}},
	/* WPQ_CYCLES_NO_SPEC_CREDITS */
	{0x19, 0xf, 4, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0087}, {0x02, CLOCK, 0.0079},
		{0x04, CLOCK, 0.0083}, {0x08, CLOCK, 0.0073}}},
	/* IMC_WRITES: the four kinds are all writes */
	{0x1a, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.9521},
		{0x02, MEM_WRITES, 0.0417}, {0x04, MEM_WRITES, 0.0039},
		{0x08, MEM_WRITES, 0.0023}}},
	/* TAD_REQUESTS_G0: regions 0-11 are all requests */
	{0x1b, 0xf, 2, PULSE, STAY_NONE, {{0x01, MEM_ALL, 0.31}, {0x02, MEM_ALL, 0.23},
		{0x04, MEM_ALL, 0.11}, {0x08, MEM_ALL, 0.09}, {0x10, MEM_ALL, 0.07},
		{0x20, MEM_ALL, 0.05}, {0x40, MEM_ALL, 0.03}, {0x80, MEM_ALL, 0.025}}},
	/* TAD_REQUESTS_G1 */
	{0x1c, 0xf, 2, PULSE, STAY_NONE, {{0x01, MEM_ALL, 0.031}, {0x02, MEM_ALL, 0.023},
		{0x04, MEM_ALL, 0.019}, {0x08, MEM_ALL, 0.012}}},
	/* IMC_RETRY */
	{0x1e, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_ALL, 0.0047}}},
	/* ADDR_OPC_MATCH */
	{0x20, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.0019},
		{0x02, MEM_WRITES, 0.0023}}},
	/* IGR_NO_CREDIT_CYCLES */
	{0x22, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.0033}, {0x02, CLOCK, 0.0029},
		{0x04, CLOCK, 0.0041}, {0x08, CLOCK, 0.0037}}},
	/* TxR_AD_INSERTS */
	{0x27, 0xf, 1, PULSE, STAY_NONE, {{0x01, SNOOP_OUT, 0.53},
		{0x02, SNOOP_OUT, 0.47}}},
	/* TxR_AD_OCCUPANCY */
	{0x28, 0xf, 16, QUEUE, STAY_INGRESS, {{0x01, SNOOP_OUT, 0.53},
		{0x02, SNOOP_OUT, 0.47}}},
	/* TxR_AD_CYCLES_NE */
	{0x29, 0xf, 16, BUSY, STAY_INGRESS, {{0x01, SNOOP_OUT, 0.53},
		{0x02, SNOOP_OUT, 0.47}}},
	/* TxR_AD_CYCLES_FULL */
	{0x2a, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00071}, {0x02, CLOCK, 0.00067}}},
	/* TxR_AK_INSERTS */
	{0x2f, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_WRITES, 0.52},
		{0x02, MEM_WRITES, 0.48}}},
	/* TxR_AK_OCCUPANCY */
	{0x30, 0xf, 16, QUEUE, STAY_INGRESS, {{0x01, MEM_WRITES, 0.52},
		{0x02, MEM_WRITES, 0.48}}},
	/* TxR_AK_CYCLES_NE */
	{0x31, 0xf, 16, BUSY, STAY_INGRESS, {{0x01, MEM_WRITES, 0.52},
		{0x02, MEM_WRITES, 0.48}}},
	/* TxR_AK_CYCLES_FULL */
	{0x32, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00061}, {0x02, CLOCK, 0.00059}}},
	/* TxR_BL_INSERTS */
	{0x33, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.51},
		{0x02, MEM_READS, 0.49}}},
	/* TxR_BL_OCCUPANCY */
	{0x34, 0xf, 16, QUEUE, STAY_INGRESS, {{0x01, MEM_READS, 0.51},
		{0x02, MEM_READS, 0.49}}},
	/* TxR_BL_CYCLES_NE */
	{0x35, 0xf, 16, BUSY, STAY_INGRESS, {{0x01, MEM_READS, 0.51},
		{0x02, MEM_READS, 0.49}}},
	/* TxR_BL_CYCLES_FULL */
	{0x36, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00083}, {0x02, CLOCK, 0.00079}}},
	/* RING_AD_USED */
	{0x3e, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_ALL, 0.2781},
		{0x02, MEM_ALL, 0.2369}, {0x04, MEM_ALL, 0.2678}, {0x08, MEM_ALL, 0.2472}}},
	/* RING_AK_USED */
	{0x3f, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_ALL, 0.2457},
		{0x02, MEM_ALL, 0.2093}, {0x04, MEM_ALL, 0.2366}, {0x08, MEM_ALL, 0.2184}}},
	/* RING_BL_USED */
	{0x40, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_ALL, 0.54}, {0x02, MEM_ALL, 0.46},
		{0x04, MEM_ALL, 0.52}, {0x08, MEM_ALL, 0.48}}},
};
/* clang-format on */

static const double ha_weights[] = {1};

const struct sim_events sim_snbep_ha = {
	.rows = ha_rows,
	.n = N_OF(ha_rows),
	.weights = ha_weights,
};

/* iMC channel */
/* clang-format off */
static const struct sim_event imc_rows[] = {
	/* CLOCKTICKS */
	{0x00, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 1}}},
	/* ACT_COUNT */
	{0x01, 0xf, 1, PULSE, STAY_NONE, {{0, ACTIVATES, 1}}},
	/* PRE_COUNT */
	{0x02, 0xf, 1, PULSE, STAY_NONE, {{0x01, PAGE_MISS, 1}, {0x02, ACTIVATES, 0.0713}}},
	/* CAS_COUNT: RD and WR have two bits each */
	{0x04, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.9317},
		{0x02, MEM_READS, 0.0683}, {0x04, MEM_WRITES, 0.9589},
		{0x08, MEM_WRITES, 0.0411}}},
	/* DRAM_REFRESH */
	{0x05, 0xf, 1, PULSE, STAY_NONE, {{0x02, CLOCK, 1.7e-6}, {0x04, CLOCK, 1.603e-4}}},
	/* DRAM_PRE_ALL */
	{0x06, 0xf, 1, PULSE, STAY_NONE, {{0, CLOCK, 1.62e-4}}},
	/* MAJOR_MODES */
	{0x07, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.8119}, {0x02, CLOCK, 0.1673},
		{0x04, CLOCK, 0.0137}, {0x08, CLOCK, 0.0071}}},
	/* PREEMPTION */
	{0x08, 0xf, 1, PULSE, STAY_NONE, {{0x01, MEM_READS, 0.0193},
		{0x02, MEM_READS, 0.0117}}},
	/* ECC_CORRECTABLE_ERRORS */
	{0x09, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_READS, 1.9e-7}}},
	/* RPQ_INSERTS */
	{0x10, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_READS, 1}}},
	/* RPQ_CYCLES_NE */
	{0x11, 0xf, 22, BUSY, STAY_RPQ, {{0, MEM_READS, 1}}},
	/* RPQ_CYCLES_FULL */
	{0x12, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00031}}},
	/* WPQ_INSERTS */
	{0x20, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_WRITES, 1}}},
	/* WPQ_CYCLES_NE */
	{0x21, 0xf, 32, BUSY, STAY_WPQ, {{0, MEM_WRITES, 1}}},
	/* WPQ_CYCLES_FULL */
	{0x22, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00053}}},
	/* WPQ_READ_HIT */
	{0x23, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_READS, 0.0073}}},
	/* WPQ_WRITE_HIT */
	{0x24, 0xf, 1, PULSE, STAY_NONE, {{0, MEM_WRITES, 0.0411}}},
	/* POWER_THROTTLE_CYCLES */
	{0x41, 0xf, 1, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.00071}, {0x02, CLOCK, 0.00067},
		{0x04, CLOCK, 0.00061}, {0x08, CLOCK, 0.00059}, {0x10, CLOCK, 0.00053},
		{0x20, CLOCK, 0.00047}, {0x40, CLOCK, 0.00043}, {0x80, CLOCK, 0.00041}}},
	/* POWER_SELF_REFRESH */
	{0x43, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0037}}},
	/* RPQ_OCCUPANCY */
	{0x80, 0xf, 22, QUEUE, STAY_RPQ, {{0, MEM_READS, 1}}},
	/* WPQ_OCCUPANCY */
	{0x81, 0xf, 32, QUEUE, STAY_WPQ, {{0, MEM_WRITES, 1}}},
	/* POWER_CKE_CYCLES */
	{0x83, 0xf, 16, LEVEL, STAY_NONE, {{0x01, CLOCK, 0.31}, {0x02, CLOCK, 0.29},
		{0x04, CLOCK, 0.23}, {0x08, CLOCK, 0.19}, {0x10, CLOCK, 0.17},
		{0x20, CLOCK, 0.13}, {0x40, CLOCK, 0.11}, {0x80, CLOCK, 0.07}}},
	/* POWER_CHANNEL_DLLOFF */
	{0x84, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.0113}}},
	/* POWER_CHANNEL_PPD */
	{0x85, 0xf, 4, LEVEL, STAY_NONE, {{0, CLOCK, 0.1427}}},
	/* POWER_CRITICAL_THROTTLE_CYCLES */
	{0x86, 0xf, 1, LEVEL, STAY_NONE, {{0, CLOCK, 0.00017}}},
};
/* clang-format on */

static const double imc_weights[] = {0.26, 0.24, 0.255, 0.245};

const struct sim_events sim_snbep_imc = {
	.rows = imc_rows,
	.n = N_OF(imc_rows),
	.weights = imc_weights,
};
