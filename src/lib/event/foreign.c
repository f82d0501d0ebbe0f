/* SPDX-License-Identifier: BSD-3-Clause */
/* foreign.c - the step before the parser: detect the syntax of a name. */
#include "event/foreign.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* perf(1), perf-list(1): names of hardware and cache events, and what is closest to them here. */
static const struct {
	char perf[24], here[32];
} cpu_events[] = {
	{"cycles", "UNHALTED_CORE_CYCLES"},
	{"cpu-cycles", "UNHALTED_CORE_CYCLES"},
	{"ref-cycles", "UNHALTED_REFERENCE_CYCLES"},
	{"instructions", "INSTRUCTION_RETIRED"},
	{"branches", "BRANCH_INSTRUCTIONS_RETIRED"},
	{"branch-instructions", "BRANCH_INSTRUCTIONS_RETIRED"},
	{"branch-misses", "MISPREDICTED_BRANCH_RETIRED"},
	{"cache-references", "LLC_REFERENCES"},
	{"cache-misses", "LLC_MISSES"},
	{"LLC-loads", "LLC_REFERENCES"},
	{"LLC-load-misses", "LLC_MISSES"},
	{"LLC-stores", "LLC_REFERENCES"},
	{"LLC-store-misses", "LLC_MISSES"},
};

/* RAPL's, which perf counts in units of its own. */
static const struct {
	char perf[24], own[32];
} energy_events[] = {
	{"power/energy-pkg/", "UNCORE_ENERGY_PACKAGE_UJ"},
	{"power/energy-ram/", "UNCORE_ENERGY_DRAM_UJ"},
};

static int refuse_cpu_event(struct unc_names *names, const char *text)
{
	for (size_t i = 0; i < sizeof(cpu_events) / sizeof(*cpu_events); i++)
		if (strcasecmp(text, cpu_events[i].perf) == 0)
			return unc_fail(names->err, UNCORE_ENOEVENT,
					"%s is an event of the CPUs, not of the uncore: use "
					"ix86arch::%s for all programs on the machine, or perf "
					"stat for one program",
					cpu_events[i].perf, cpu_events[i].here);
	return 0;
}

static bool is_energy(const char *text, char own[UNC_OWN_NAME])
{
	for (size_t i = 0; i < sizeof(energy_events) / sizeof(*energy_events); i++)
		if (strcasecmp(text, energy_events[i].perf) == 0) {
			snprintf(own, UNC_OWN_NAME, "%s", energy_events[i].own);
			return true;
		}
	return false;
}

/* An event of perf's lists, with box=, pkg= or die=, unless a loaded list has one of that name. */
static const char *expand(struct unc_names *names, const char *text, char out[UNC_OWN_NAME])
{
	const size_t len = strcspn(text, ":");
	const char *event = unc_perf_listed(names, text, len);
	struct unc_parsed own;

	if (!event || unc_parse(names, text, &own) == 0)
		return text;
	snprintf(out, UNC_OWN_NAME, "%s%s", event, text + len);
	return out;
}

int unc_foreign(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	const char *prefix = "uncore:::";
	char expanded[UNC_OWN_NAME], unnamed[UNC_OWN_NAME];
	int r;

	if (strncasecmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	text = expand(names, text, expanded);
	if (unc_perf_without_name(text, unnamed, sizeof(unnamed)))
		text = unnamed;
	r = refuse_cpu_event(names, text);
	if (r < 0 || is_energy(text, own))
		return r < 0 ? r : 1;
	if (unc_is_perf_name(text))
		r = unc_perf_name(names, text, own);
	else if (unc_is_likwid_name(names, text))
		r = unc_likwid_name(names, text, own);
	else
		return 0;
	return r < 0 ? r : 1;
}
