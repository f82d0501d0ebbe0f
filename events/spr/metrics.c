/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metrics.c - metrics of Sapphire Rapids, of its Xeon Max, and of Emerald Rapids.  No list has
 * core requests in the ingress queue, which are RxC_OCCUPANCY.IRQ and RxC_INSERTS.IRQ in the list
 * of ICX.
 */
#include "shared/mesh_metrics.h"

#define QUEUED "spr_unc_cha::RAW:config=0x111"
#define PUT_IN "spr_unc_cha::RAW:config=0x113"

/* clang-format off */

static const struct unc_recipe spr[] = {
	RECIPE(LLC_LOOKUPS, ABOVE(1, "UNC_CHA_LLC_LOOKUP:ALL"))
	RECIPE(LLC_MISS_RATIO, ABOVE(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_MISS"), BELOW(1, "UNC_CHA_LLC_LOOKUP:DATA_READ_ALL"))
	UPI(HALF_SLOTS_24_LANES)
	QUEUES("UNC_U_CLOCKTICKS")
	LATENCY_BY_HOME(CLOCK("UNC_U_CLOCKTICKS"))
	LATENCY_NS(TOR_DRD_MISS_CXL_LATENCY_NS, "IA_MISS_DRD_CXL_ACC", CLOCK("UNC_U_CLOCKTICKS"))
	PARALLEL_READS_SPLIT("DRD")
	MSIS
	ALL_STACKS
	LATENCY(INGRESS_LATENCY, QUEUED, PUT_IN, "UNC_U_CLOCKTICKS")
	RECIPE(INGRESS_OCCUPANCY_AVG, ABOVE(1, QUEUED), BELOW(1, "UNC_CHA_CLOCKTICKS"))
	PAGES(BELOW(1, "UNC_M_CAS_COUNT:ALL"), BOTH(1, 1, "UNC_M_CAS_COUNT:ALL"), "UNC_M_ACT_COUNT:ALL",
	      "UNC_M_PRE_COUNT:RD_PCH0:RD_PCH1:UFILL_PCH0:UFILL_PCH1:WR_PCH0:WR_PCH1")
	COUNTED_CORES(BELOW(1, "UNC_P_CLOCKTICKS"))
	RECIPES_END,
};

/* Emerald Rapids has no persistent memory. */
static const struct unc_recipe pmem[] = {
	PERSISTENT_MEMORY
	LATENCY_NS(TOR_DRD_MISS_PMEM_LATENCY_NS, "IA_MISS_DRD_PMM", CLOCK("UNC_U_CLOCKTICKS"))
	RECIPES_END,
};

static const struct unc_recipe max[] = {
	RECIPE(HBM_READ_BYTES, ABOVE(64, "UNC_MCHBM_CAS_COUNT:RD"))
	RECIPE(HBM_WRITE_BYTES, ABOVE(64, "UNC_MCHBM_CAS_COUNT:WR"))
	RECIPE(HBM_BYTES, ABOVE(64, "UNC_MCHBM_CAS_COUNT:ALL"))
	RECIPES_END,
};

const struct unc_recipe *const unc_spr_metrics[] = {
	unc_metrics_memory, max, pmem, spr, unc_metrics_clock, unc_metrics_tor, NULL,
};
const struct unc_recipe *const unc_emr_metrics[] = {
	unc_metrics_memory, spr, unc_metrics_clock, unc_metrics_tor, NULL,
};
