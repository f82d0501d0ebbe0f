/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ex.c - metrics of Nehalem-EX and Westmere-EX.
 *
 * One register of an M-Box selects the kind of B-Box commands, so reads and writes
 * count in one window only in different M-Boxes (docs/hardware/nhmex.md).  DRAM write
 * commands are no way out: those that leave their page open and those that close it
 * are two commands, and one register selects them, too.
 */
#include "metrics/recipe.h"

/* clang-format off */

#define UCLK "UNC_W_CLOCKTICKS"
#define IRQ  "UNC_C_OCCUPANCY_IRQ"

static const struct unc_recipe common[] = {
	RECIPE(MEM_READ_BYTES, ABOVE(64, "UNC_M_FVC_EV:BBOX_CMDS_READS"))
	RECIPE(MEM_WRITE_BYTES, ABOVE(64, "UNC_M_FVC_EV:BBOX_CMDS_WRITES"))
	RECIPE(MEM_READ_BYTES_SPLIT, ABOVE_EVEN(64, "UNC_M_FVC_EV:BBOX_CMDS_READS"))
	RECIPE(MEM_WRITE_BYTES_SPLIT, ABOVE_ODD(64, "UNC_M_FVC_EV:BBOX_CMDS_WRITES"))
	RECIPE(LLC_LOOKUPS, ABOVE(1, "UNC_C_LLC_HITS:ALL"), ABOVE(1, "UNC_C_LLC_MISSES:ALL"))
	RECIPE(LLC_MISSES, ABOVE(1, "UNC_C_LLC_MISSES:ALL"))
	RECIPE(CLOCKTICKS, ABOVE(1, UCLK))
	RECIPE(FREQUENCY, ABOVE(1, UCLK))
	RECIPE(LLC_MISS_RATIO, BOTH(1, 1, "UNC_C_LLC_MISSES:ALL"), BELOW(1, "UNC_C_LLC_HITS:ALL"))
	RECIPE(INGRESS_LATENCY_CLOCKS, ABOVE(1, IRQ), BELOW(1, "UNC_C_TRANS_IRQ"))
	RECIPE(INGRESS_LATENCY_NS, ABOVE(1, IRQ), BELOW(1, "UNC_C_TRANS_IRQ"), CLOCK(UCLK))
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, IRQ), BELOW_EACH(1, UCLK, IRQ))
	RECIPE(INGRESS_OCCUPANCY_NOT_EMPTY, ABOVE(1, IRQ), BELOW(1, IRQ ":t=1"))
	RECIPE(INGRESS_GE1_RATIO, ABOVE(1, IRQ ":t=1"), BELOW_EACH(1, UCLK, IRQ))
	RECIPE(INGRESS_GE7_RATIO, ABOVE(1, IRQ ":t=7"), BELOW_EACH(1, UCLK, IRQ))
	RECIPE(INGRESS_GE14_RATIO, ABOVE(1, IRQ ":t=14"), BELOW_EACH(1, UCLK, IRQ))
	RECIPE(INGRESS_GE18_RATIO, ABOVE(1, IRQ ":t=18"), BELOW_EACH(1, UCLK, IRQ))
	RECIPE(DRAM_PAGE_HIT_RATIO, BOTH(1, 1, "UNC_M_PAGE_HIT"), BELOW(1, "UNC_M_PAGE_EMPTY"), BELOW(1, "UNC_M_PAGE_MISS"))
	RECIPE(DRAM_PAGE_EMPTY_RATIO, BOTH(1, 1, "UNC_M_PAGE_EMPTY"), BELOW(1, "UNC_M_PAGE_HIT"), BELOW(1, "UNC_M_PAGE_MISS"))
	RECIPE(DRAM_PAGE_MISS_RATIO, BOTH(1, 1, "UNC_M_PAGE_MISS"), BELOW(1, "UNC_M_PAGE_HIT"), BELOW(1, "UNC_M_PAGE_EMPTY"))
	RECIPES_END,
};

const struct unc_recipe *const unc_metrics_nhmex[] = {common, NULL};
const struct unc_recipe *const unc_metrics_wsmex[] = {common, NULL};
