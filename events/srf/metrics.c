/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Sierra Forest. */
#include "shared/xeon6_metrics.h"

/* clang-format off */

static const struct unc_recipe srf[] = {
	XEON6_TABLE("srf")
	DRD_TABLE("srf", "DRD_OPT") /* the lists of E-cores have no DRd */
	RECIPES_END,
};

const struct unc_recipe *const unc_srf_metrics[] = {srf, NULL};
