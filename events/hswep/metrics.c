/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Haswell-EP. */
#include "shared/ring_metrics.h"

/* clang-format off */

static const struct unc_recipe hswep[] = {
	LOOKUPS("STATE_MESIFD")
	MISSES
	DEVICES(FULL_WRITES)
	DEVICE_WRITE_MISSES
	LOST_FORWARDS
	STATES("hswep")
	UTILISATION(1)
	READS_BY_HOME
	PAGES("UNC_M_ACT_COUNT:RD:WR:BYP")
	RECIPES_END,
};

const struct unc_recipe *const unc_hswep_metrics[] = {RING_METRICS(hswep)};
