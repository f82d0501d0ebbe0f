/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Granite Rapids. */
#include "shared/xeon6_metrics.h"

/* clang-format off */

static const struct unc_recipe gnr[] = {
	RAW_TABLE("gnr")
	DRD_TABLE("gnr", "0xc817")
	RECIPES_END,
};

const struct unc_recipe *const unc_gnr_metrics[] = {gnr, NULL};
