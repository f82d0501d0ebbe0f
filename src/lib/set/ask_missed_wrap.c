/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_missed_wrap.c - public functions about missed wraps; missed_wrap.c detects them. */
#include <inttypes.h>
#include <stdio.h>

#include "base/sized.h"
#include "set/set.h"

static int find(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	struct uncore *u = set->u;
	sigset_t before;
	int missed;

	if (unc_is_child(u)) {
		*worst = set->list->missed_wrap;
		return set->list->missed;
	}
	if (unc_is_running(set))
		return set->backend->missed_wrap ? set->backend->missed_wrap(set, worst) : 0;
	unc_lock(u, &before);
	*worst = set->list->missed_wrap;
	missed = set->list->missed;
	unc_unlock(u, &before);
	return missed;
}

int uncore_set_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *missed_wrap)
{
	struct uncore_missed_wrap worst = {.size = sizeof(worst)};
	const int missed = find(set, &worst);

	return unc_give(&set->u->err, missed_wrap, &worst, UNC_SIZED(uncore_missed_wrap), missed);
}

/* The message for a struct of invalid size. */
char *uncore_missed_wrap_text(struct uncore_set *set, const struct uncore_missed_wrap *missed_wrap,
			      char *buf, size_t len)
{
	struct uncore_missed_wrap is;
	const struct unc_counted *t = &set->list->counted;
	const char *name;

	if (unc_take(&set->u->err, &is, missed_wrap, UNC_SIZED(uncore_missed_wrap)) < 0)
		return uncore_errmsg(set->u, buf, len);
	name = is.event < t->n_values ? unc_names_name(set->u->names, t->list[is.event]) : "?";
	if (is.jumped)
		snprintf(buf, len,
			 "%s: a counter advanced further than it can count: another tool wrote to "
			 "it, or its register is broken",
			 name);
	else
		snprintf(buf, len,
			 "%s: a counter was not read for %" PRIu64 ".%01" PRIu64 " s and can "
			 "wrap within %" PRIu64 ".%01" PRIu64 " s: counts may be too low; "
			 "keep the wrap poller enabled or read more often",
			 name, is.unseen_ms / 1000, is.unseen_ms / 100 % 10, is.wrap_ms / 1000,
			 is.wrap_ms / 100 % 10);
	return buf;
}
