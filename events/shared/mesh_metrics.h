/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh_metrics.h - recipes that platforms from Skylake-X on share.  Events that our tables have
 * no name for are RAW; their codes are those of Intel's event lists.
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
		BELOW(half_slots_, clock_), BELOW(-half_slots_, l1_))
#define UPI(half_slots_) \
	LINKS(half_slots_, "UNC_UPI_TxL_FLITS:ALL_DATA", "UNC_UPI_TxL_FLITS:NON_DATA", \
	      "UNC_UPI_RxL_FLITS:ALL_DATA", "UNC_UPI_CLOCKTICKS", "UNC_UPI_L1_POWER_CYCLES")

/* ---- the opcodes of requests are parts of events: from Ice Lake-X on ---- */

#define IN(what)  "UNC_CHA_TOR_INSERTS:" what
#define OCC(what) "UNC_CHA_TOR_OCCUPANCY:" what

#define QUEUES(clock_) \
	LATENCY(TOR_DRD_LATENCY, OCC("IA_DRD"), IN("IA_DRD"), clock_) \
	LATENCY(TOR_DRD_MISS_LATENCY, OCC("IA_MISS_DRD"), IN("IA_MISS_DRD"), clock_)

/* ---- counters of the iMC and the PCU: from Sapphire Rapids on ---- */

/*
 * Activates for any reason, a bypass included; precharges for reads, writes and fills, that is,
 * not for the page timer.
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
