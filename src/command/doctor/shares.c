/* SPDX-License-Identifier: BSD-3-Clause */
/* shares.c - the source that divides traffic among processes (docs/who.md). */
#include "command/doctor/patient.h"
#include "command/who/cores.h"
#include "command/who/resctrl.h"
#include "command/who/threads.h"

static bool has_perf(const struct patient *p)
{
	struct threads threads;
	char why[UNCORE_ERRMSG_MAX];

	if (*p->root || !threads_open(&threads, p->u, NULL, BY_PROCESS, why, sizeof(why)))
		return false;
	threads_close(&threads);
	return true;
}

void check_shares(struct patient *p)
{
	struct resctrl resctrl;
	char why[UNCORE_ERRMSG_MAX];
	const char *check = "shares";

	if (p->code < 0)
		return;
	if (resctrl_open(&resctrl, p->root, p->u, why, sizeof(why)))
		found_fine(p, check, "`uncore who`, stat --share: by monitoring groups (resctrl)%s",
			   resctrl.uncorrected ? ", not corrected before Linux 5.11" : "");
	else if (cores_have_filters(p->u))
		found_fine(p, check, "`uncore who`: reads only, by the filters of the C-Boxes; %s",
			   why);
	else if (has_perf(p))
		found_fine(p, check,
			   "`uncore who`: reads only, by cache misses of threads (perf); %s", why);
	else
		found_fine(p, check, "`uncore who` cannot divide traffic: %s", why);
	resctrl_close(&resctrl);
}
