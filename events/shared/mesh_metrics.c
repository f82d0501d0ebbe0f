/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh_metrics.c - recipes of Ice Lake-X, Sapphire Rapids and Emerald Rapids. */
#include "shared/mesh_metrics.h"

/* clang-format off */

/* Opcodes are part of the event and need no filter, so no events conflict. */
const struct unc_recipe unc_metrics_tor[] = {
	RECIPE(LLC_MISSES, ABOVE(1, IN("IA_MISS")), ABOVE(1, IN("IO_MISS")))
	RECIPE(PCIE_READ_BYTES, ABOVE(64, IN("IO_PCIRDCUR")))
	RECIPE(PCIE_WRITE_BYTES, ABOVE(64, IN("IO_ITOM")), ABOVE(64, IN("IO_ITOMCACHENEAR")))
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, IN("IA_MISS_DRD")), BELOW(1, IN("IA_DRD")))
	RECIPE(LLC_RFO_MISS_RATIO, ABOVE(1, IN("IA_MISS_RFO")), BELOW(1, IN("IA_RFO")))
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, OCC("IA_HIT_DRD")), BELOW(1, IN("IA_HIT_DRD")))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, OCC("IA_DRD")), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	DEVICES_BY_HOME
	WRITE_MISSES
	LOST_FORWARDS
	STATES
	FREQUENCY_LIMITS
	READS_BY_HOME("DRD")
	READ_MISSES("DRD")
	HOME_REQUESTS("UNC_CHA_REQUESTS")
	DIRECTORY
	RECIPES_END,
};
