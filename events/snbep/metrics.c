/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Sandy Bridge-EP. */
#include "shared/ring_metrics.h"

/* clang-format off */

static const struct unc_recipe snbep[] = {
	LOOKUPS("STATE_MESIF")
	RECIPE(LLC_MISSES, ABOVE(1, INSERTS ":MISS_ALL"))
	DEVICES(PCI_WRITES)
	WRITE_MISSES(FULL, "OPC_PCIITOM")
	STATES("snbep")
	FREQUENCY_LIMIT(CURRENT, "UNC_P_FREQ_MAX_CURRENT_CYCLES")
	UTILISATION(2)
	PAGES("UNC_M_ACT_COUNT")
	READ_QUEUE
	RECIPES_END,
};

const struct unc_recipe *const unc_snbep_metrics[] = {RING_METRICS(snbep)};
