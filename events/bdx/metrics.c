/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Broadwell-EP and Broadwell-DE. */
#include "shared/ring_metrics.h"

/* clang-format off */

/* Writes have two opcodes, of which a slice can count one: with reads, this needs three groups of
 * slices. */
static const struct unc_recipe bdx[] = {
	LOOKUPS("STATE_MESIFD")
	MISSES
	READS_BY_HOME
	RECIPE(PCIE_READ_BYTES, ABOVE(64, DEVICE_READS))
	COLLIDES("PCIE_WRITE_BYTES_SPLIT", PCIE_WRITE_BYTES, ABOVE(64, FULL_WRITES), ABOVE(64, PART_WRITES))
	RECIPE(PCIE_READ_BYTES_SPLIT, ABOVE_PART(0, 3, 64, DEVICE_READS))
	RECIPE(PCIE_WRITE_BYTES_SPLIT, ABOVE_PART(1, 3, 64, FULL_WRITES), ABOVE_PART(2, 3, 64, PART_WRITES))
	DEVICE_WRITE_MISSES
	LOST_FORWARDS
	STATES("bdx")
	UTILISATION(1)
	PAGES("UNC_M_ACT_COUNT:RD:WR:BYP")
	RECIPES_END,
};

const struct unc_recipe *const unc_bdx_metrics[] = {RING_METRICS(bdx)};
