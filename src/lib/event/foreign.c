/* SPDX-License-Identifier: BSD-3-Clause */
/* foreign.c - the step before the parser: detect the syntax of a name. */
#include "event/foreign.h"

#include <string.h>
#include <strings.h>

int unc_foreign(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	const char *prefix = "uncore:::";
	int r = 0;

	if (strncasecmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	if (unc_is_perf_name(text))
		r = unc_perf_name(names, text, own);
	else if (unc_is_likwid_name(names, text))
		r = unc_likwid_name(names, text, own);
	else
		return 0;
	return r < 0 ? r : 1;
}
