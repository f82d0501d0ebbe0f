/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - see fit.h. */
#include "command/base/fit.h"

int events_fit(struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_set *set = NULL;
	int code = uncore_set_create(u, &set);

	if (code == 0)
		code = uncore_set_assign(set, ids, n);
	uncore_set_destroy(set);
	return code;
}

bool is_not_here(int code)
{
	return code == UNCORE_ENOEVENT || code == UNCORE_ENODEV || code == UNCORE_ECONFLICT;
}
