/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    multiplex.c
 * @ingroup papi_components
 * @brief   Multiplexing: settings of PAPI and the environment, and the report.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "multiplex.h"

#define MAX_US (INT_MAX / 1000) /* PAPI stores ns in an int */

static unsigned within(unsigned long us)
{
	if (us < UNCORE_MULTIPLEX_MIN_US)
		return UNCORE_MULTIPLEX_MIN_US;
	return us > MAX_US ? MAX_US : (unsigned)us;
}

unsigned _uncore_multiplex_us(unsigned long ns)
{
	return ns ? within(ns / 1000) : UNCORE_MULTIPLEX_US;
}

/* UNCORE_MULTIPLEX in ms.  A value that is not a number means "on". */
unsigned _uncore_multiplex_default(void)
{
	const char *text = getenv("UNCORE_MULTIPLEX");
	unsigned long ms;
	char *end;

	if (!text || !*text || strcmp(text, "0") == 0)
		return 0;
	ms = strtoul(text, &end, 10);
	if (*end || ms == 0)
		return UNCORE_MULTIPLEX_US;
	return within(ms > MAX_US / 1000 ? MAX_US : ms * 1000);
}

void _uncore_multiplex_show(struct uncore *u, struct uncore_set *set, const unsigned *ids, size_t n)
{
	struct uncore_times *times = calloc(n ? n : 1, sizeof(*times));
	struct uncore_set_info info = {.size = sizeof(info)};

	if (times)
		times->size = sizeof(*times);
	if (times && n && uncore_set_info(set, &info) == 0 && info.rounds > 1 &&
	    uncore_set_times(set, times) == 0)
		for (size_t i = 0; i < n; i++)
			fprintf(stderr,
				"uncore: %s: multiplexed, counted for %.3f of %.3f ms (%.1f %%), count %lld\n",
				uncore_event_name(u, ids[i]), (double)times[i].running_ns / 1e6,
				(double)times[i].enabled_ns / 1e6,
				times[i].enabled_ns ? 100.0 * (double)times[i].running_ns /
							      (double)times[i].enabled_ns
						    : 0,
				(long long)times[i].count);
	free(times);
}
