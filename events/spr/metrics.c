/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Sapphire Rapids, and of Emerald Rapids. */
#include "shared/mesh_metrics.h"

/* clang-format off */

static const struct unc_recipe spr[] = {
	RECIPE(LLC_LOOKUPS, ABOVE(1, "spr_unc_cha::RAW:config=0x1fff0000ff34"))
	RECIPE(LLC_MISS_RATIO, ABOVE(1, "spr_unc_cha::RAW:config=0x1fc100000134"), BELOW(1, "spr_unc_cha::RAW:config=0x1fc10000ff34"))
	QUEUES("spr_unc_ubo::RAW:config=0xff")
	LATENCY(INGRESS_LATENCY, "spr_unc_cha::RAW:config=0x111", "spr_unc_cha::RAW:config=0x113", "spr_unc_ubo::RAW:config=0xff")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, "spr_unc_cha::RAW:config=0x111"), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	RECIPE(CLOCKTICKS, ABOVE(1, "spr_unc_ubo::RAW:config=0xff"))
	RECIPE(FREQUENCY, ABOVE(1, "spr_unc_ubo::RAW:config=0xff"))
	PAGES(BELOW(1, "UNC_M_CAS_COUNT:ALL"), BOTH(1, 1, "UNC_M_CAS_COUNT:ALL"),
	      "UNC_M_ACT_COUNT:ALL", "spr_unc_imc::RAW:config=0x7703")
	COUNTED_CORES("UNC_P_CLOCKTICKS", "spr_unc_pcu::RAW:config=0x35", "spr_unc_pcu::RAW:config=0x36", "spr_unc_pcu::RAW:config=0x37")
	RECIPES_END,
};

const struct unc_recipe *const unc_spr_metrics[] = {unc_metrics_memory, spr, unc_metrics_tor, NULL};
