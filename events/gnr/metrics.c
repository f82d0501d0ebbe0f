/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Granite Rapids. */
#include "shared/xeon6_metrics.h"

/* clang-format off */

static const struct unc_recipe gnr[] = {
	RAW_TABLE("gnr")
	RECIPE(LLC_DRD_MISS_RATIO, ABOVE(1, CHA("gnr", "0xc817fe00000135")), BELOW(1, CHA("gnr", "0xc817ff00000135")))
	LATENCY(TOR_DRD_LATENCY, CHA("gnr", "0xc817ff00000136"), CHA("gnr", "0xc817ff00000135"), UBO("gnr"))
	LATENCY(TOR_DRD_MISS_LATENCY, CHA("gnr", "0xc817fe00000136"), CHA("gnr", "0xc817fe00000135"), UBO("gnr"))
	RECIPE(TOR_DRD_HIT_LATENCY_CLOCKS, ABOVE(1, CHA("gnr", "0xc817fd00000136")), BELOW(1, CHA("gnr", "0xc817fd00000135")))
	RECIPE(TOR_DRD_OCCUPANCY_AVG, ABOVE(1, CHA("gnr", "0xc817ff00000136")), BELOW(1, CHA("gnr", "0x1")))
	RECIPES_END,
};

const struct unc_recipe *const unc_gnr_metrics[] = {gnr, NULL};
