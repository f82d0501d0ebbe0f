/* SPDX-License-Identifier: BSD-3-Clause */
/* ring_metrics.h - recipes shared by SNB-EP to BDX. */
#ifndef UNC_RING_METRICS_H
#define UNC_RING_METRICS_H

#include "metrics/recipe.h"

/* clang-format off */

#define INSERTS "UNC_C_TOR_INSERTS"

/* Page misses cause a precharge; page misses and accesses to an empty bank cause an activate. */
#define PAGES(activates_) \
	RECIPE(DRAM_PAGE_HIT_RATIO, \
	       BOTH(1, 1, "UNC_M_CAS_COUNT:RD"), BOTH(1, 1, "UNC_M_CAS_COUNT:WR"), ABOVE(-1, activates_)) \
	RECIPE(DRAM_PAGE_EMPTY_RATIO, \
	       ABOVE(1, activates_), ABOVE(-1, "UNC_M_PRE_COUNT:PAGE_MISS"), \
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR")) \
	RECIPE(DRAM_PAGE_MISS_RATIO, \
	       ABOVE(1, "UNC_M_PRE_COUNT:PAGE_MISS"), \
	       BELOW(1, "UNC_M_CAS_COUNT:RD"), BELOW(1, "UNC_M_CAS_COUNT:WR"))

/* Cache lookups: the states are a filter, so state I and all states cannot be counted together. */
#define LOOKUPS(all_) \
	RECIPE(LLC_LOOKUPS, ABOVE(1, "UNC_C_LLC_LOOKUP:ANY:" all_)) \
	COLLIDES("LLC_MISS_RATIO_SPLIT", LLC_MISS_RATIO, \
		 ABOVE(1, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I"), BELOW(1, "UNC_C_LLC_LOOKUP:DATA_READ:" all_)) \
	RECIPE(LLC_MISS_RATIO_SPLIT, \
	       ABOVE_EVEN(1, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I"), \
	       BELOW_ODD(1, "UNC_C_LLC_LOOKUP:DATA_READ:" all_))

/* Reads of devices, and their writes of whole lines. */
#define DEVICE_READS  INSERTS ":OPCODE:OPC_PCIRDCUR"
#define PCI_WRITES    INSERTS ":OPCODE:OPC_PCIITOM" /* SNB-EP, IVT */

/*
 * On Haswell-EP and Broadwell-EP, device writes have no separate opcodes.  TID 0x3e selects
 * requests that no core has made: ItoM writes whole lines, RFO partial lines.
 */
#define OF_NO_CORE    ":tf=0:cf=31"
#define FULL_WRITES   INSERTS ":OPCODE:OPC_ITOM" OF_NO_CORE
#define PART_WRITES   INSERTS ":OPCODE:OPC_RFO" OF_NO_CORE

/* There is one opcode filter per slice: reads and writes need different slices in one window. */
#define DEVICES(writes_) \
	RECIPE(PCIE_READ_BYTES, ABOVE(64, DEVICE_READS)) \
	RECIPE(PCIE_WRITE_BYTES, ABOVE(64, writes_)) \
	RECIPE(PCIE_READ_BYTES_SPLIT, ABOVE_EVEN(64, DEVICE_READS)) \
	RECIPE(PCIE_WRITE_BYTES_SPLIT, ABOVE_ODD(64, writes_))

/* Writes of devices that miss; the opcode is a filter that both events share. */
#define WRITE_MISSES(name_, opcode_) \
	RECIPE(PCIE_##name_##_WRITE_MISS_RATIO, \
	       ABOVE(1, INSERTS ":MISS_OPCODE:" opcode_), BELOW(1, INSERTS ":OPCODE:" opcode_))
#define DEVICE_WRITE_MISSES \
	WRITE_MISSES(FULL, "OPC_ITOM" OF_NO_CORE) \
	WRITE_MISSES(PARTIAL, "OPC_RFO" OF_NO_CORE)

/* All eight ranks; a cycle in which several are throttled counts once. */
#define STATES(p_) \
	DRAM_STATES("UNC_M_POWER_CHANNEL_PPD", "UNC_M_POWER_SELF_REFRESH", p_ "_unc_imc::RAW:config=0xff41")

/*
 * A flit has 80 bits, a port 20 lanes.  The link's clock is an eighth of its transfers per second,
 * from Haswell-EP on a quarter (docs/hardware/README.md, "Capacity of links").
 */
#define UTILISATION(flits_per_cycle_) \
	RECIPE(LINK_UTILISATION, \
	       ABOVE(1, "UNC_Q_TXL_FLITS_G0:DATA"), ABOVE(1, "UNC_Q_TXL_FLITS_G0:NON_DATA"), \
	       BELOW(flits_per_cycle_, "UNC_Q_CLOCKTICKS"))

#define MISSES \
	RECIPE(LLC_MISSES, ABOVE(1, INSERTS ":MISS_LOCAL"), ABOVE(1, INSERTS ":MISS_REMOTE"))

/* From IVT on, umasks select the home of a request; one opcode filter serves both. */
#define READS_BY_HOME \
	RECIPE(NUMA_LOCAL_READ_RATIO, \
	       BOTH(1, 1, INSERTS ":MISS_LOCAL_OPCODE:OPC_DRD"), BELOW(1, INSERTS ":MISS_REMOTE_OPCODE:OPC_DRD")) \
	RECIPE(NUMA_REMOTE_READ_RATIO, \
	       BOTH(1, 1, INSERTS ":MISS_REMOTE_OPCODE:OPC_DRD"), BELOW(1, INSERTS ":MISS_LOCAL_OPCODE:OPC_DRD")) \
	RECIPE(TOR_DRD_MISS_LOCAL_LATENCY_NS, ABOVE(1, "UNC_C_TOR_OCCUPANCY:MISS_LOCAL_OPCODE:OPC_DRD"), \
	       BELOW(1, INSERTS ":MISS_LOCAL_OPCODE:OPC_DRD"), CLOCK("UNC_U_CLOCKTICKS")) \
	RECIPE(TOR_DRD_MISS_REMOTE_LATENCY_NS, ABOVE(1, "UNC_C_TOR_OCCUPANCY:MISS_REMOTE_OPCODE:OPC_DRD"), \
	       BELOW(1, INSERTS ":MISS_REMOTE_OPCODE:OPC_DRD"), CLOCK("UNC_U_CLOCKTICKS")) \
	RECIPE(HOME_READ_LOCAL_BYTES, ABOVE(64, "UNC_H_REQUESTS:READS_LOCAL")) \
	RECIPE(HOME_READ_REMOTE_BYTES, ABOVE(64, "UNC_H_REQUESTS:READS_REMOTE")) \
	RECIPE(HOME_WRITE_LOCAL_BYTES, ABOVE(64, "UNC_H_REQUESTS:WRITES_LOCAL")) \
	RECIPE(HOME_WRITE_REMOTE_BYTES, ABOVE(64, "UNC_H_REQUESTS:WRITES_REMOTE"))

/* All lists of a platform, one of which is specific to it. */
#define RING_METRICS(own_) \
	unc_metrics_memory, own_, unc_metrics_ring_links, \
	unc_metrics_clock, unc_metrics_ring_cache, unc_metrics_ring_queues, \
	unc_metrics_cores, unc_metrics_ring_limits, NULL

/* clang-format on */

extern const struct unc_recipe unc_metrics_ring_queues[], unc_metrics_ring_cache[],
	unc_metrics_ring_links[], unc_metrics_ring_limits[];

#endif
