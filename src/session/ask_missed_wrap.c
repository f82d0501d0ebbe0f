/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_missed_wrap.c - what the user of a set can ask about wraps that nobody saw; missed_wrap.c
 * finds them. */
#include <inttypes.h>
#include <stdio.h>

#include "mux/mux.h"
#include "session/session.h"

/* Of the counters of a set that runs. */
static int find(const struct uncore_set *set, struct uncore_missed_wrap *missed_wrap)
{
	const struct unc_run *run = set->run;
	const struct unc_reading *reading =
		atomic_load_explicit(&run->reading, memory_order_acquire);
	const int64_t base = atomic_load_explicit(&run->base_ns, memory_order_relaxed);
	const bool missed = unc_missed_wrap_find(reading, base, unc_clock(set->u->hw), missed_wrap);

	missed_wrap->event = unc_owner(&set->list->counted, missed_wrap->event);
	return missed;
}

int uncore_set_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *missed_wrap)
{
	struct uncore *u = set->u;
	sigset_t before;
	int missed;

	if (unc_is_child(u)) {
		*missed_wrap = set->list->missed_wrap;
		return set->list->missed;
	}
	if (unc_is_running(set) && !set->mux)
		return find(set, missed_wrap);
	/* a reset asks, too: waiting for a window would take more time than it has */
	if (unc_is_running(set) && !unc_mux_has_missed(set->mux))
		return 0;
	unc_lock(u, &before);
	if (set->mux)
		unc_take_missed_wrap(set);
	*missed_wrap = set->list->missed_wrap;
	missed = set->list->missed;
	unc_unlock(u, &before);
	return missed;
}

char *uncore_missed_wrap_text(struct uncore_set *set, const struct uncore_missed_wrap *missed_wrap,
			      char *buf, size_t len)
{
	const struct unc_counted *t = &set->list->counted;
	const char *name = missed_wrap->event < t->n_values
				   ? unc_names_name(set->u->names, t->list[missed_wrap->event])
				   : "?";

	if (missed_wrap->jumped)
		snprintf(buf, len,
			 "%s: a counter gained more than it can count: another tool has written "
			 "to it, or its register is broken",
			 name);
	else
		snprintf(buf, len,
			 "%s: nobody looked at a counter for %" PRIu64 ".%01" PRIu64
			 " s, and it can wrap within %" PRIu64 ".%01" PRIu64
			 " s: counts may be missing; leave the wrap poller on, or read more often",
			 name, missed_wrap->unseen_ms / 1000, missed_wrap->unseen_ms / 100 % 10,
			 missed_wrap->wrap_ms / 1000, missed_wrap->wrap_ms / 100 % 10);
	return buf;
}
