/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    sharing.c
 * @ingroup papi_components
 * @brief   Messages about other processes that count on the machine.
 */
#include "sharing.h"

#include <stdio.h>

void _uncore_sharing_warn(struct sharing *sharing, struct uncore *u, bool verbose)
{
	const char *warning;

	while (verbose && uncore_warning(u, sharing->reported, &warning) == 1) {
		atomic_fetch_add(&sharing->reported, 1);
		fprintf(stderr, "uncore: warning: %s\n", warning);
	}
}

void _uncore_sharing_note(struct sharing *sharing, struct uncore_set *set)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	if (uncore_set_info(set, &info) < 0)
		return;
	sharing->started = true;
	if (info.elsewhere < info.events)
		sharing->has_owned = true;
}

void _uncore_sharing_refused(int code, struct uncore *u, bool verbose)
{
	static atomic_bool reported;
	char text[UNCORE_ERRMSG_MAX];

	if (code == UNCORE_EBUSY && !verbose && !atomic_exchange(&reported, true))
		fprintf(stderr, "uncore: %s\n", uncore_errmsg(u, text, sizeof(text)));
}

void _uncore_sharing_end(const struct sharing *sharing, bool verbose)
{
	if (verbose && sharing->started && !sharing->has_owned)
		fprintf(stderr,
			"uncore: all events of this process were counted by another process of this user, "
			"or rank of this job, and read 0 (UNCORE_SHARE)\n");
}
