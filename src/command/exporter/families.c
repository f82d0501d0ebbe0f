/* SPDX-License-Identifier: BSD-3-Clause */
/* families.c - see families.h. */
#include "command/exporter/families.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define COUNTER(id, unit, text) \
	static const struct family id = {"uncore_" #id, unit, text, FAMILY_COUNTER, 0, false}
#define CLOCK(id, text) \
	static const struct family id = {"uncore_" #id, "cycles", text, FAMILY_COUNTER, 0, true}
#define ENERGY(id, text) \
	static const struct family id = {"uncore_" #id, "joules", text, FAMILY_COUNTER, -6, false}
#define HERTZ(id, text) \
	static const struct family id = {"uncore_" #id, "hertz", text, FAMILY_GAUGE, 6, false}

COUNTER(memory_read_bytes, "bytes", "Bytes read from the memory of the package by all agents.");
COUNTER(memory_write_bytes, "bytes", "Bytes written to the memory of the package by all agents.");
COUNTER(mcdram_read_bytes, "bytes", "Bytes read from the memory on the package (MCDRAM).");
COUNTER(mcdram_write_bytes, "bytes", "Bytes written to the memory on the package (MCDRAM).");
COUNTER(hbm_read_bytes, "bytes", "Bytes read from the high-bandwidth memory on the package.");
COUNTER(hbm_write_bytes, "bytes", "Bytes written to the high-bandwidth memory on the package.");
COUNTER(dram_accesses, NULL, "Accesses to DRAM: its read and write commands.");
COUNTER(dram_page_hits, NULL, "Accesses to DRAM that found their page open.");
COUNTER(dram_page_misses, NULL, "Accesses to DRAM that had to close another page first.");

CLOCK(clock_cycles, "Cycles of the uncore clock, the mean of the dies of the package.");
COUNTER(demand_read_occupancy_cycles, "cycles",
	"Demand data reads in the table of requests (TOR), added up in every cycle: by requests and "
	"clock cycles the mean time that one takes.");
COUNTER(demand_read_requests, NULL, "Demand data reads that entered the table of requests (TOR).");
COUNTER(demand_read_miss_occupancy_cycles, "cycles",
	"Demand data reads in the table of requests (TOR) that missed the last-level cache, added up "
	"in every cycle.");
COUNTER(demand_read_miss_requests, NULL,
	"Demand data reads that entered the table of requests (TOR) and missed the last-level cache.");
COUNTER(ingress_occupancy_cycles, "cycles",
	"Requests of cores in the ingress queues of the last-level cache, added up in every cycle.");
COUNTER(ingress_requests, NULL,
	"Requests of cores that entered the ingress queues of the last-level cache.");

COUNTER(llc_lookups, NULL, "Lookups of the last-level cache, for requests of any kind.");
COUNTER(llc_misses, NULL, "Requests that the last-level cache of the package could not serve.");
COUNTER(llc_read_lookups, NULL, "Lookups of the last-level cache for data reads.");
COUNTER(llc_read_misses, NULL,
	"Lookups of the last-level cache for data reads that did not find their line.");

COUNTER(socket_out_bytes, "bytes",
	"Data that the package sent to other packages, without headers and protocol.");
COUNTER(socket_in_bytes, "bytes",
	"Data that the package received from other packages, without headers and protocol.");
COUNTER(link_slots, NULL, "Slots of the links to other packages, in the direction away.");
COUNTER(link_used_slots, NULL, "Those of uncore_link_slots that were used.");

COUNTER(pcie_read_bytes, "bytes", "Bytes that devices read from memory.");
COUNTER(pcie_write_bytes, "bytes", "Bytes that devices wrote to memory.");

ENERGY(package_energy_joules, "Energy that the package used (RAPL).");
ENERGY(dram_energy_joules, "Energy that the memory of the package used (RAPL).");

COUNTER(power_control_cycles, "cycles", "Cycles of the clock of the power control unit.");
COUNTER(cores_in_c0_cycles, "cycles",
	"Cores in C0 or C1, added up in every cycle of the power control unit.");
COUNTER(cores_in_c6_cycles, "cycles",
	"Cores in C6 or C7, added up in every cycle of the power control unit.");
COUNTER(thermal_limit_cycles, "cycles",
	"Cycles of the power control unit in which temperature limited the frequency of the cores.");

HERTZ(frequency_hertz, "Frequency of the uncore at this moment, in steps of 100 MHz.");
HERTZ(frequency_min_hertz, "Least frequency of the uncore that its limits allow.");
HERTZ(frequency_max_hertz, "Highest frequency of the uncore that its limits allow.");
/* clang-format on */

static const struct exported_group groups[] = {
	{"memory",
	 false,
	 {{{{"UNCORE_MEM_READ_BYTES", &memory_read_bytes},
	    {"UNCORE_MEM_WRITE_BYTES", &memory_write_bytes},
	    {"UNCORE_MCDRAM_READ_BYTES", &mcdram_read_bytes},
	    {"UNCORE_MCDRAM_WRITE_BYTES", &mcdram_write_bytes},
	    {"UNCORE_HBM_READ_BYTES", &hbm_read_bytes},
	    {"UNCORE_HBM_WRITE_BYTES", &hbm_write_bytes}},
	   {{"UNCORE_MEM_READ_BYTES_SPLIT", &memory_read_bytes},
	    {"UNCORE_MEM_WRITE_BYTES_SPLIT", &memory_write_bytes}}}}},
	{"latency",
	 false,
	 {{{{"UNCORE_TOR_DRD_OCCUPANCY", &demand_read_occupancy_cycles},
	    {"UNCORE_TOR_DRD_REQUESTS", &demand_read_requests},
	    {"UNCORE_CLOCKTICKS", &clock_cycles}},
	   {{"UNCORE_INGRESS_OCCUPANCY", &ingress_occupancy_cycles},
	    {"UNCORE_INGRESS_REQUESTS", &ingress_requests},
	    {"UNCORE_CLOCKTICKS", &clock_cycles}}},
	  {{{"UNCORE_TOR_DRD_MISS_OCCUPANCY", &demand_read_miss_occupancy_cycles},
	    {"UNCORE_TOR_DRD_MISS_REQUESTS", &demand_read_miss_requests}},
	   {{NULL, NULL}}}}},
	/* On some processors these and the bytes of the memory take turns. */
	{"dram",
	 true,
	 {{{{"UNCORE_DRAM_ACCESSES", &dram_accesses},
	    {"UNCORE_DRAM_PAGE_HITS", &dram_page_hits},
	    {"UNCORE_DRAM_PAGE_MISSES", &dram_page_misses}},
	   {{NULL, NULL}}}}},
	{"links",
	 false,
	 {{{{"UNCORE_SOCKET_OUT_BYTES", &socket_out_bytes},
	    {"UNCORE_SOCKET_IN_BYTES", &socket_in_bytes}},
	   {{NULL, NULL}}},
	  {{{"UNCORE_LINK_SLOTS_USED", &link_used_slots}, {"UNCORE_LINK_SLOTS", &link_slots}},
	   {{NULL, NULL}}}}},
	{"pcie",
	 false,
	 {{{{"UNCORE_PCIE_READ_BYTES", &pcie_read_bytes},
	    {"UNCORE_PCIE_WRITE_BYTES", &pcie_write_bytes}},
	   {{"UNCORE_PCIE_READ_BYTES_SPLIT", &pcie_read_bytes},
	    {"UNCORE_PCIE_WRITE_BYTES_SPLIT", &pcie_write_bytes}}}}},
	{"cache",
	 false,
	 {{{{"UNCORE_LLC_READ_LOOKUPS", &llc_read_lookups},
	    {"UNCORE_LLC_READ_MISSES", &llc_read_misses}},
	   {{"UNCORE_LLC_READ_LOOKUPS_SPLIT", &llc_read_lookups},
	    {"UNCORE_LLC_READ_MISSES_SPLIT", &llc_read_misses}}},
	  {{{"UNCORE_LLC_LOOKUPS", &llc_lookups}}, {{NULL, NULL}}},
	  {{{"UNCORE_LLC_MISSES", &llc_misses}}, {{NULL, NULL}}}}},
	/* Apart from power: who may not read it may count the rest. */
	{"energy",
	 false,
	 {{{{"UNCORE_ENERGY_PACKAGE_UJ", &package_energy_joules},
	    {"UNCORE_ENERGY_DRAM_UJ", &dram_energy_joules}},
	   {{NULL, NULL}}}}},
	{"power",
	 false,
	 {{{{"UNCORE_PCU_CYCLES", &power_control_cycles},
	    {"UNCORE_CORES_IN_C0_CYCLES", &cores_in_c0_cycles},
	    {"UNCORE_CORES_IN_C6_CYCLES", &cores_in_c6_cycles},
	    {"UNCORE_THERMAL_LIMIT_CYCLES", &thermal_limit_cycles}},
	   {{NULL, NULL}}}}},
	{"frequency",
	 false,
	 {{{{"UNCORE_FREQUENCY_CURRENT_MHZ", &frequency_hertz},
	    {"UNCORE_FREQUENCY_MIN_MHZ", &frequency_min_hertz},
	    {"UNCORE_FREQUENCY_MAX_MHZ", &frequency_max_hertz}},
	   {{NULL, NULL}}}}},
};

#define N_GROUPS (sizeof(groups) / sizeof(*groups))

const struct exported_group *exported_group(unsigned i)
{
	return i < N_GROUPS ? &groups[i] : NULL;
}

static const struct family *find(const struct exported *list, const char *metric)
{
	while (list->metric && strcmp(list->metric, metric) != 0)
		list++;
	return list->family;
}

const struct family *family_of_metric(const char *metric)
{
	const struct family *found = NULL;

	for (size_t i = 0; i < N_GROUPS; i++)
		for (const struct exported_window *w = groups[i].windows;
		     !found && w->metrics->metric; w++) {
			found = find(w->metrics, metric);
			if (!found)
				found = find(w->otherwise, metric);
		}
	return found;
}
