/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Knights Landing. */
#include "shared/mesh_metrics.h"

/* clang-format off */

static const struct unc_recipe knl[] = {
	RECIPE(MCDRAM_READ_BYTES, ABOVE(64, "UNC_E_RPQ_INSERTS"))
	RECIPE(MCDRAM_WRITE_BYTES, ABOVE(64, "UNC_E_WPQ_INSERTS"))
	RECIPE(MCDRAM_BYTES, ABOVE(64, "UNC_E_RPQ_INSERTS"), ABOVE(64, "UNC_E_WPQ_INSERTS"))
	LATENCY(INGRESS_LATENCY, "UNC_H_INGRESS_OCCUPANCY:IRQ", "UNC_H_INGRESS_INSERTS:IRQ", "UNC_U_CLOCKTICKS")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "UNC_H_INGRESS_OCCUPANCY:IRQ"), BELOW(1, "UNC_H_U_CLOCKTICKS"))
	RECIPES_END,
};

const struct unc_recipe *const unc_knl_metrics[] = {
	unc_metrics_memory, knl, unc_metrics_clock, unc_metrics_cores, NULL,
};
