/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Clearwater Forest. */
#include "shared/xeon6_metrics.h"

/* clang-format off */

static const struct unc_recipe cwf[] = {
	XEON6_TABLE("cwf")
	DRD_TABLE("cwf", "DRD_OPT") /* the lists of E-cores have no DRd */
	RECIPES_END,
};

const struct unc_recipe *const unc_cwf_metrics[] = {cwf, NULL};
