/* SPDX-License-Identifier: BSD-3-Clause */
/* clusters.c - see clusters.h; docs/hardware/clusters.md. */
#include "shared/clusters.h"

#include <stddef.h>

#include "types.h"

const struct unc_cluster_kind unc_cluster_kinds[] = {
	{"imc", UNC_SERVES_DDR, "UNCORE_MEM_READ_BYTES"},
	{"imc_free_running", UNC_SERVES_DDR, ""},
	{"m2m", UNC_SERVES_DDR, "UNC_M2M_IMC_READS:NORMAL"},
	{"b2cmi", UNC_SERVES_DDR, "UNC_B2CMI_IMC_READS:NORMAL"},
	{"ha", UNC_SERVES_DDR, "UNC_H_REQUESTS:READS"},
	{"hbm", UNC_SERVES_HBM, "UNCORE_HBM_READ_BYTES"},
	{"m2hbm", UNC_SERVES_HBM, "UNC_M2HBM_IMC_READS:NORMAL"},
	{"cha", UNC_SERVES_ALL, "UNCORE_LLC_MISSES"},
	{"cbo", UNC_SERVES_ALL, "UNCORE_LLC_MISSES"},
	{.kind = ""},
};

#define PERF     "perf's table, Linux tools/perf/arch/x86/util/pmu.c"
#define PERF_M2M PERF ", with the channels of each M2M"

/* clang-format off */
const struct unc_cluster_rule unc_cluster_rules[] = {
	{&unc_spr, "imc", 2, 4, {0, 0, 1, 1}, PERF},
	{&unc_spr, "m2m", 2, 2, {0, 1}, PERF_M2M},
	{&unc_spr, "imc_free_running", 2, 2, {0, 1}, PERF_M2M},
	{&unc_spr, "cha", 2, 0, {0}, PERF},
	{&unc_emr, "imc", 2, 4, {0, 0, 1, 1}, PERF},
	{&unc_emr, "m2m", 2, 2, {0, 1}, PERF_M2M},
	{&unc_emr, "cha", 2, 0, {0}, PERF},
	{&unc_gnr, "imc", 2, 4, {1, 1, 0, 0}, PERF},
	{&unc_gnr, "imc", 3, 6, {1, 1, 0, 0, 2, 2}, PERF},
	{&unc_gnr, "cha", 2, 0, {0}, PERF},
	{&unc_gnr, "cha", 3, 0, {0}, PERF},
	{.kind = ""},
};
/* clang-format on */

const struct unc_cluster_gap unc_cluster_gaps[] = {
	{&unc_hswep, "no source states which home agent serves the first node, nor its slices"},
	{&unc_bdx, "no source states which home agent serves the first node, nor its slices"},
	{&unc_skx, "sources agree that channels 0 to 2 and 3 to 5 are a cluster each, but not on "
		   "their order, and none states the slices"},
	{&unc_icx, "no source states which controllers and slices belong to a cluster"},
	{&unc_spr, "sources state only the channels, M2M and slices of two clusters"},
	{&unc_emr, "sources state only the channels, M2M and slices of two clusters"},
	{&unc_gnr, "sources state only the channels and slices of two and three clusters"},
	{NULL, NULL},
};
