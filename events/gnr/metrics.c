/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Granite Rapids. */
#include "shared/xeon6_metrics.h"

/* clang-format off */

static const struct unc_recipe gnr[] = {
	XEON6_TABLE("gnr")
	DRD_TABLE("gnr", "DRD")
	LATENCY_BY_HOME(CLOCK_MEAN(CHA_CLOCK))
	LATENCY_NS(TOR_DRD_MISS_CXL_LATENCY_NS, "IA_MISS_DRD_CXL_ACC", CLOCK_MEAN(CHA_CLOCK))
	RECIPES_END,
};

const struct unc_recipe *const unc_gnr_metrics[] = {gnr, NULL};
