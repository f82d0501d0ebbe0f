/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Ivy Bridge-EP. */
#include "shared/ring_metrics.h"

/* clang-format off */

static const struct unc_recipe ivbep[] = {
	LOOKUPS("STATE_MESIF")
	MISSES
	DEVICES(PCI_WRITES)
	WRITE_MISSES(FULL, "OPC_PCIITOM")
	STATES("ivbep")
	FREQUENCY_LIMIT(CURRENT, "UNC_P_FREQ_MAX_CURRENT_CYCLES")
	UTILISATION(2)
	READS_BY_HOME
	PAGES("UNC_M_ACT_COUNT:RD:WR:BYP")
	RECIPES_END,
};

const struct unc_recipe *const unc_ivbep_metrics[] = {RING_METRICS(ivbep)};
