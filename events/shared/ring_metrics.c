/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_metrics.c - recipes of Sandy Bridge-EP, Ivy Bridge-EP, Haswell-EP and Broadwell-EP.
 *
 * The formulas are those of Intel's manuals and tools with their errors corrected: the
 * companion counts cycles (no edge detect), device reads use opcode PCIRDCUR, and
 * the thermal limit uses the thermal event.
 */
#include "shared/ring_metrics.h"

/* clang-format off */

#define OCCUPANCY "UNC_C_TOR_OCCUPANCY"
#define IRQ_IN    "UNC_C_RXR_INSERTS:IRQ"
#define IRQ       "UNC_C_RXR_OCCUPANCY:IRQ"
#define UCLK      "UNC_U_CLOCKTICKS"
#define CBO_CLOCK "UNC_C_CLOCKTICKS"

/* A latency in both units, with the manual's layout: occupancy on counter 0, inserts on counter 1. */
#define LATENCY(name_, occupancy_, inserts_) \
	RECIPE(name_##_CLOCKS, ABOVE(1, occupancy_), BELOW(1, inserts_)) \
	RECIPE(name_##_NS, ABOVE(1, occupancy_), BELOW(1, inserts_), CLOCK(UCLK))

/* A histogram needs all counters of a slice, so the U-Box's clock is used for the slice's. */
#define SHARE(name_, threshold_) \
	RECIPE(name_, ABOVE(1, IRQ ":t=" threshold_), BELOW_EACH(1, UCLK, IRQ))

const struct unc_recipe unc_metrics_ring_queues[] = {
	LATENCY(TOR_DRD_LATENCY, OCCUPANCY ":OPCODE:OPC_DRD", INSERTS ":OPCODE:OPC_DRD")
	LATENCY(TOR_DRD_MISS_LATENCY, OCCUPANCY ":MISS_OPCODE:OPC_DRD", INSERTS ":MISS_OPCODE:OPC_DRD")
	COLLIDES_ABOVE("", TOR_DRD_HIT_LATENCY_CLOCKS,
		 ABOVE(1, OCCUPANCY ":OPCODE:OPC_DRD"), ABOVE(-1, OCCUPANCY ":MISS_OPCODE:OPC_DRD"),
		 BELOW(1, INSERTS ":OPCODE:OPC_DRD"), BELOW(-1, INSERTS ":MISS_OPCODE:OPC_DRD"))
	RECIPE(PARALLEL_READS,
	       ABOVE(1, OCCUPANCY ":MISS_OPCODE:OPC_DRD"), BELOW(1, OCCUPANCY ":MISS_OPCODE:OPC_DRD:t=1"))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, OCCUPANCY ":OPCODE:OPC_DRD"), BELOW(1, CBO_CLOCK))
	RECIPE(TOR_DRD_OCCUPANCY_NOT_EMPTY,
	       ABOVE(1, OCCUPANCY ":OPCODE:OPC_DRD"), BELOW(1, OCCUPANCY ":OPCODE:OPC_DRD:t=1"))
	LATENCY(INGRESS_LATENCY, IRQ, IRQ_IN)
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, IRQ), BELOW(1, CBO_CLOCK))
	RECIPE(INGRESS_OCCUPANCY_NOT_EMPTY, ABOVE(1, IRQ), BELOW(1, IRQ ":t=1"))
	SHARE(INGRESS_GE1_RATIO, "1")
	SHARE(INGRESS_GE7_RATIO, "7")
	SHARE(INGRESS_GE14_RATIO, "14")
	SHARE(INGRESS_GE18_RATIO, "18")
	RECIPES_END,
};

/* Demand reads and prefetches have two opcodes, of which a slice can count one. */
#define READ_MISSES(name_, demand_, prefetch_) \
	COLLIDES(#name_ "_MISSES_SPLIT", name_##_MISSES, \
		 ABOVE(1, INSERTS ":MISS_OPCODE:" demand_), ABOVE(1, INSERTS ":MISS_OPCODE:" prefetch_)) \
	RECIPE(name_##_MISSES_SPLIT, \
	       ABOVE_EVEN(1, INSERTS ":MISS_OPCODE:" demand_), ABOVE_ODD(1, INSERTS ":MISS_OPCODE:" prefetch_))

/* The cache by opcode: both events have the same filter. */
const struct unc_recipe unc_metrics_ring_cache[] = {
	RECIPE(LLC_DRD_MISS_RATIO,
	       ABOVE(1, INSERTS ":MISS_OPCODE:OPC_DRD"), BELOW(1, INSERTS ":OPCODE:OPC_DRD"))
	RECIPE(LLC_RFO_MISS_RATIO,
	       ABOVE(1, INSERTS ":MISS_OPCODE:OPC_RFO"), BELOW(1, INSERTS ":OPCODE:OPC_RFO"))
	READ_MISSES(LLC_DATA_READ, "OPC_DRD", "OPC_PF_DATA")
	READ_MISSES(LLC_CODE_READ, "OPC_CRD", "OPC_PF_CODE")
	RECIPES_END,
};

/* A data flit carries 8 bytes. */
const struct unc_recipe unc_metrics_ring_links[] = {
	RECIPE(SOCKET_OUT_BYTES, ABOVE(8, "UNC_Q_TXL_FLITS_G0:DATA"))
	RECIPE(SOCKET_IN_BYTES, ABOVE(8, "UNC_Q_RXL_FLITS_G1:DRS_DATA"), ABOVE(8, "UNC_Q_RXL_FLITS_G2:NCB_DATA"))
	RECIPES_END,
};

const struct unc_recipe unc_metrics_ring_limits[] = {
	FREQUENCY_LIMITS
	FREQUENCY_LIMIT(OS, "UNC_P_FREQ_MAX_OS_CYCLES")
	RECIPES_END,
};
