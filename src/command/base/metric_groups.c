/* SPDX-License-Identifier: BSD-3-Clause */
/* metric_groups.c - see metric_groups.h. */
#include "command/base/metric_groups.h"

#include <stdio.h>
#include <strings.h>

#include "command/base/fit.h"

static const struct metric_group groups[] = {
	{"memory",
	 "Memory bandwidth",
	 {{"UNCORE_MEM_READ_BYTES", NULL},
	  {"UNCORE_MEM_WRITE_BYTES", NULL},
	  {"UNCORE_MEM_BYTES", "UNCORE_MEM_BYTES_SPLIT"},
	  {"UNCORE_MCDRAM_READ_BYTES", NULL},
	  {"UNCORE_MCDRAM_WRITE_BYTES", NULL},
	  {"UNCORE_HBM_READ_BYTES", NULL},
	  {"UNCORE_HBM_WRITE_BYTES", NULL},
	  {"UNCORE_DRAM_PAGE_HIT_RATIO", NULL}}},
	{"latency",
	 "Latency",
	 {{"UNCORE_TOR_DRD_LATENCY_NS", "UNCORE_INGRESS_LATENCY_NS"},
	  {"UNCORE_TOR_DRD_MISS_LATENCY_NS", NULL},
	  {"UNCORE_TOR_DRD_OCCUPANCY_AVG", "UNCORE_INGRESS_OCCUPANCY_AVG"},
	  {"UNCORE_FREQUENCY", NULL}}},
	{"cache",
	 "Last-level cache",
	 {{"UNCORE_LLC_LOOKUPS", NULL},
	  {"UNCORE_LLC_MISSES", NULL},
	  {"UNCORE_LLC_MISS_RATIO", "UNCORE_LLC_MISS_RATIO_SPLIT"},
	  {"UNCORE_LLC_DRD_MISS_RATIO", NULL},
	  {"UNCORE_LLC_RFO_MISS_RATIO", NULL}}},
	{"links",
	 "Links between packages",
	 {{"UNCORE_SOCKET_OUT_BYTES", NULL},
	  {"UNCORE_SOCKET_IN_BYTES", NULL},
	  {"UNCORE_LINK_UTILISATION", NULL}}},
	{"pcie",
	 "PCIe",
	 {{"UNCORE_PCIE_READ_BYTES", NULL},
	  {"UNCORE_PCIE_WRITE_BYTES", "UNCORE_PCIE_WRITE_BYTES_SPLIT"}}},
	{"power",
	 "Power and frequency",
	 {{"UNCORE_POWER_PACKAGE_WATTS", NULL},
	  {"UNCORE_POWER_DRAM_WATTS", NULL},
	  {"UNCORE_FREQUENCY", NULL},
	  {"UNCORE_CORES_IN_C0", NULL},
	  {"UNCORE_CORES_IN_C6", NULL},
	  {"UNCORE_THERMAL_LIMIT_RATIO", NULL}}},
};

#define N_GROUPS (sizeof(groups) / sizeof(*groups))

const struct metric_group *metric_group(unsigned i)
{
	return i < N_GROUPS ? &groups[i] : NULL;
}

const struct metric_group *metric_group_named(const char *name)
{
	for (size_t i = 0; i < N_GROUPS; i++)
		if (strcasecmp(name, groups[i].name) == 0)
			return &groups[i];
	return NULL;
}

/* The events of a metric may exclude each other. */
static int find(struct uncore *u, const char *metric, const char *qualifier, unsigned *id)
{
	char name[UNCORE_NAME_MAX];
	int code;

	snprintf(name, sizeof(name), "%s%s%s", metric, qualifier ? ":" : "",
		 qualifier ? qualifier : "");
	code = uncore_event(u, name, id);
	return code == 0 ? events_fit(u, id, 1) : code;
}

int metric_group_events(struct uncore *u, const struct metric_group *group, const char *qualifier,
			unsigned ids[METRIC_GROUP_MAX])
{
	int n = 0;

	for (size_t i = 0; group->metrics[i].name; i++) {
		int code = find(u, group->metrics[i].name, qualifier, &ids[n]);

		if (is_not_here(code) && group->metrics[i].otherwise)
			code = find(u, group->metrics[i].otherwise, qualifier, &ids[n]);
		if (code == 0)
			n++;
		else if (!is_not_here(code))
			return code;
	}
	return n;
}
