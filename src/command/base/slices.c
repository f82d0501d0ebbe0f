/* SPDX-License-Identifier: BSD-3-Clause */
/* slices.c - see slices.h. */
#include "command/base/slices.h"

#include <stdlib.h>
#include <string.h>

#include "uncore_inspect.h"

/* Events whose count in a slice is proportional to the number of lines it owns. */
static bool counts_lines(const char *name)
{
	static const char *const parts[] = {
		"UNCORE_LLC_",  "UNCORE_TOR_",  "_TOR_INSERTS", "_TOR_OCCUPANCY", "_LLC_LOOKUP",
		"_LLC_VICTIMS", "_SF_EVICTION", "_REQUESTS",    "_DIR_LOOKUP",    "_DIR_UPDATE"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

/* The single number after ":box=" or ":pkg="; -1 without one. */
static long place_of(const char *name, const char *part)
{
	const char *at = strstr(name, part);
	char *end;
	long number;

	if (!at)
		return -1;
	number = strtol(at + strlen(part), &end, 10);
	return *end && *end != ':' ? -1 : number;
}

/* The expected share of this box; 0: unknown. */
static double expected_of_box(struct uncore *u, const struct uncore_box_info *slice)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	unsigned slices = 0;

	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++)
		slices += strcmp(box.kind, slice->kind) == 0 && box.package == slice->package;
	return slice->line_share * slices;
}

/* A metric has no box kind; metrics of counts_lines() are counted in slices only. */
static bool counts_in(const struct uncore_event_info *event, const struct uncore_box_info *box)
{
	return box->line_share > 0 && (*event->formula || strcmp(box->kind, event->kind) == 0);
}

/* Packages that the event is counted in. */
static unsigned packages_of(struct uncore *u, long package)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	return package >= 0 ? 1 : m.packages;
}

double expected_of_slice(struct uncore *u, unsigned id)
{
	struct uncore_event_info event = {.size = sizeof(event)};
	struct uncore_box_info box = {.size = sizeof(box)};
	double sum = 0;
	unsigned found = 0;
	long number, package;

	if (uncore_event_info(u, id, &event) < 0 || event.real || !counts_lines(event.name))
		return 0;
	number = place_of(event.name, ":box=");
	package = place_of(event.name, ":pkg=");
	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++) {
		if ((long)box.index != number || !counts_in(&event, &box) ||
		    (package >= 0 && (long)box.package != package))
			continue;
		sum += expected_of_box(u, &box);
		found++;
	}
	return found && found == packages_of(u, package) ? sum / found : 0;
}
