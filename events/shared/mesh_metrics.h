/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh_metrics.h - recipes shared by platforms from Skylake-X on.  Events without a name in the
 * tables use RAW; their codes are those of Intel's event lists.
 */
#ifndef UNC_MESH_METRICS_H
#define UNC_MESH_METRICS_H

#include "metrics/recipe.h"

/* clang-format off */

#define LATENCY_BY(name_, occupancy_, inserts_, clock_) \
	RECIPE(name_##_CLOCKS, ABOVE(1, occupancy_), BELOW(1, inserts_)) \
	RECIPE(name_##_NS, ABOVE(1, occupancy_), BELOW(1, inserts_), clock_)
#define LATENCY(name_, occupancy_, inserts_, clock_) \
	LATENCY_BY(name_, occupancy_, inserts_, CLOCK(clock_))

/*
 * Nine slots carry the 64 bytes of a line.  A flit has three slots in 192 bits, and a lane moves
 * 8 bits in a cycle outside L1: 20 lanes move 2.5 slots, the 24 of UPI 2.0 move 3
 * (docs/hardware/README.md, "Capacity of links").
 */
#define HALF_SLOTS_20_LANES 5
#define HALF_SLOTS_24_LANES 6
#define LINKS(half_slots_, tx_data, tx_other, rx_data, clock_, l1_) \
	RECIPE_BY(9, SOCKET_OUT_BYTES, ABOVE(64, tx_data)) \
	RECIPE_BY(9, SOCKET_IN_BYTES, ABOVE(64, rx_data)) \
	MEAN_BY(2, LINK_UTILISATION, ABOVE(2, tx_data), ABOVE(2, tx_other), \
		BELOW(half_slots_, clock_), BELOW(-(half_slots_), l1_))
#define UPI(half_slots_) \
	LINKS(half_slots_, "UNC_UPI_TxL_FLITS:ALL_DATA", "UNC_UPI_TxL_FLITS:NON_DATA", \
	      "UNC_UPI_RxL_FLITS:ALL_DATA", "UNC_UPI_CLOCKTICKS", "UNC_UPI_L1_POWER_CYCLES")

/* Requests to the home agents of a package, from its own agents and from other packages. */
#define HOME_REQUESTS(event_) \
	RECIPE(HOME_READ_LOCAL_BYTES, ABOVE(64, event_ ":READS_LOCAL")) \
	RECIPE(HOME_READ_REMOTE_BYTES, ABOVE(64, event_ ":READS_REMOTE")) \
	RECIPE(HOME_WRITE_LOCAL_BYTES, ABOVE(64, event_ ":WRITES_LOCAL")) \
	RECIPE(HOME_WRITE_REMOTE_BYTES, ABOVE(64, event_ ":WRITES_REMOTE"))

/* An I/O stack counts data in units of 4 bytes. */
#define STACKS(reads_, writes_) \
	RECIPE(IIO_READ_BYTES, ABOVE(4, reads_)) \
	RECIPE(IIO_WRITE_BYTES, ABOVE(4, writes_))

/* ---- request opcodes are part of the event: from Ice Lake-X on ---- */

#define IN(what)  "UNC_CHA_TOR_INSERTS:" what
#define OCC(what) "UNC_CHA_TOR_OCCUPANCY:" what

#define QUEUES(clock_) \
	LATENCY(TOR_DRD_LATENCY, OCC("IA_DRD"), IN("IA_DRD"), clock_) \
	LATENCY(TOR_DRD_MISS_LATENCY, OCC("IA_MISS_DRD"), IN("IA_MISS_DRD"), clock_)

#define LATENCY_NS(name_, what_, ...) \
	RECIPE(name_, ABOVE(1, OCC(what_)), BELOW(1, IN(what_)), __VA_ARGS__)

/* Demand data reads by the location of their memory. */
#define LATENCY_BY_HOME(...) \
	LATENCY_NS(TOR_DRD_MISS_LOCAL_LATENCY_NS, "IA_MISS_DRD_LOCAL", __VA_ARGS__) \
	LATENCY_NS(TOR_DRD_MISS_REMOTE_LATENCY_NS, "IA_MISS_DRD_REMOTE", __VA_ARGS__) \
	LATENCY_NS(TOR_DRD_MISS_DDR_LATENCY_NS, "IA_MISS_DRD_DDR", __VA_ARGS__)

/* Reads of data by home: drd_ is DRD or DRD_OPT. */
#define READS_BY_HOME(drd_) \
	RECIPE(NUMA_LOCAL_READ_RATIO, \
	       BOTH(1, 1, IN("IA_MISS_" drd_ "_LOCAL")), BOTH(1, 1, IN("IA_MISS_" drd_ "_PREF_LOCAL")), \
	       BELOW(1, IN("IA_MISS_" drd_ "_REMOTE")), BELOW(1, IN("IA_MISS_" drd_ "_PREF_REMOTE"))) \
	RECIPE(NUMA_REMOTE_READ_RATIO, \
	       BOTH(1, 1, IN("IA_MISS_" drd_ "_REMOTE")), BOTH(1, 1, IN("IA_MISS_" drd_ "_PREF_REMOTE")), \
	       BELOW(1, IN("IA_MISS_" drd_ "_LOCAL")), BELOW(1, IN("IA_MISS_" drd_ "_PREF_LOCAL")))

/* Prefetches into the L2 and into the last-level cache have separate opcodes. */
#define READ_MISSES(drd_) \
	RECIPE(LLC_DATA_READ_MISSES, ABOVE(1, IN("IA_MISS_" drd_)), \
	       ABOVE(1, IN("IA_MISS_" drd_ "_PREF")), ABOVE(1, IN("IA_MISS_LLCPREFDATA"))) \
	RECIPE(LLC_CODE_READ_MISSES, ABOVE(1, IN("IA_MISS_CRD")), \
	       ABOVE(1, IN("IA_MISS_CRD_PREF")), ABOVE(1, IN("IA_MISS_LLCPREFCODE")))

/* Lines accessed by devices, by home, and those that miss the cache. */
#define DEVICES_BY_HOME \
	RECIPE(PCIE_READ_LOCAL_BYTES, ABOVE(64, IN("IO_PCIRDCUR_LOCAL"))) \
	RECIPE(PCIE_READ_REMOTE_BYTES, ABOVE(64, IN("IO_PCIRDCUR_REMOTE"))) \
	RECIPE(PCIE_WRITE_LOCAL_BYTES, \
	       ABOVE(64, IN("IO_ITOM_LOCAL")), ABOVE(64, IN("IO_ITOMCACHENEAR_LOCAL"))) \
	RECIPE(PCIE_WRITE_REMOTE_BYTES, \
	       ABOVE(64, IN("IO_ITOM_REMOTE")), ABOVE(64, IN("IO_ITOMCACHENEAR_REMOTE"))) \
	RECIPE(PCIE_READ_MISS_BYTES, ABOVE(64, IN("IO_MISS_PCIRDCUR"))) \
	RECIPE(PCIE_WRITE_MISS_BYTES, \
	       ABOVE(64, IN("IO_MISS_ITOM")), ABOVE(64, IN("IO_MISS_ITOMCACHENEAR")))

/* A device that writes a part of a line uses one of two opcodes. */
#define WRITE_MISSES \
	RECIPE(PCIE_FULL_WRITE_MISS_RATIO, ABOVE(1, IN("IO_MISS_ITOM")), BELOW(1, IN("IO_ITOM"))) \
	RECIPE(PCIE_PARTIAL_WRITE_MISS_RATIO, \
	       ABOVE(1, IN("IO_MISS_ITOMCACHENEAR")), ABOVE(1, IN("IO_MISS_RFO")), \
	       BELOW(1, IN("IO_ITOMCACHENEAR")), BELOW(1, IN("IO_RFO")))

/* A slice counts one occupancy at a time, and no list has the companion of counter 0. */
#define PARALLEL_READS_SPLIT(drd_) \
	COLLIDES("PARALLEL_READS_SPLIT", PARALLEL_READS, \
		 ABOVE(1, OCC("IA_MISS_" drd_)), BELOW(1, OCC("IA_MISS_" drd_ ":t=1"))) \
	RECIPE(PARALLEL_READS_SPLIT, \
	       ABOVE_EVEN(1, OCC("IA_MISS_" drd_)), BELOW_ODD(1, OCC("IA_MISS_" drd_ ":t=1")))

#define MSIS RECIPE(IIO_MSIS, ABOVE(1, "UNC_IIO_NUM_REQ_OF_CPU_BY_TGT:UBOX_POSTED"))

/* Ice Lake-X to Emerald Rapids */
#define STATES \
	DRAM_STATES("UNC_M_POWER_CHANNEL_PPD", "UNC_M_POWER_SELF_REFRESH", \
		    "UNC_M_POWER_THROTTLE_CYCLES:SLOT0:SLOT1")

#define DIRECTORY \
	RECIPE(DIRECTORY_UPDATE_BYTES, ABOVE(64, "UNC_CHA_DIR_UPDATE:HA"), \
	       ABOVE(64, "UNC_CHA_DIR_UPDATE:TOR"), ABOVE(64, "UNC_M2M_DIRECTORY_UPDATE:ANY"))

#define ALL_STACKS \
	STACKS("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_ALL_PARTS", "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_ALL_PARTS")

/* ---- counters of the iMC and the PCU: from Sapphire Rapids on ---- */

/*
 * Activates for any reason including bypasses; precharges for reads, writes and fills, but not those
 * by the page timer.
 */
#define PAGES(accesses_below, accesses_both, activates_, precharges_) \
	RECIPE(DRAM_PAGE_HIT_RATIO, accesses_both, ABOVE(-1, activates_)) \
	RECIPE(DRAM_PAGE_EMPTY_RATIO, ABOVE(1, activates_), ABOVE(-1, precharges_), accesses_below) \
	RECIPE(DRAM_PAGE_MISS_RATIO, ABOVE(1, precharges_), accesses_below)

#define COUNTED_CORES(clock_) \
	RECIPE(CORES_IN_C0, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY_CORES_C0"), clock_) \
	RECIPE(CORES_IN_C3, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY_CORES_C3"), clock_) \
	RECIPE(CORES_IN_C6, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY_CORES_C6"), clock_)

/* clang-format on */

extern const struct unc_recipe unc_metrics_tor[]; /* ICX, SPR, EMR */

#endif
