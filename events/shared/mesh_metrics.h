/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mesh_metrics.h - recipes that platforms from Skylake-X on share.  Events that our tables have
 * no name for are RAW; their codes are those of Intel's event lists.
 */
#ifndef UNC_MESH_METRICS_H
#define UNC_MESH_METRICS_H

#include "metrics/recipe.h"

/* clang-format off */

#define LATENCY(name_, occupancy_, inserts_, clock_) \
	RECIPE(name_##_CLOCKS, ABOVE(1, occupancy_), BELOW(1, inserts_)) \
	RECIPE(name_##_NS, ABOVE(1, occupancy_), BELOW(1, inserts_), CLOCK(clock_))

/*
 * Nine slots carry the 64 bytes of a line, and a flit has three slots; the link
 * moves a flit per cycle outside L1.
 */
#define LINKS(tx_data, tx_other, rx_data, clock_, l1_) \
	RECIPE_BY(9, SOCKET_OUT_BYTES, ABOVE(64, tx_data)) \
	RECIPE_BY(9, SOCKET_IN_BYTES, ABOVE(64, rx_data)) \
	RECIPE(LINK_UTILISATION, \
	       ABOVE(1, tx_data), ABOVE(1, tx_other), BELOW(3, clock_), BELOW(-3, l1_))

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

#define COUNTED_CORES(clock_, c0, c3, c6) \
	RECIPE(CORES_IN_C0, ABOVE(1, c0), BELOW(1, clock_)) \
	RECIPE(CORES_IN_C3, ABOVE(1, c3), BELOW(1, clock_)) \
	RECIPE(CORES_IN_C6, ABOVE(1, c6), BELOW(1, clock_))

/* clang-format on */

extern const struct unc_recipe unc_metrics_tor[]; /* ICX, SPR, EMR */

#endif
