/* SPDX-License-Identifier: BSD-3-Clause */
/* ask_missed_wrap.c - what the user of a set can ask about wraps that nobody saw; missed_wrap.c
 * finds them. */
#include <inttypes.h>
#include <stdio.h>

#include "session/mux.h"

int uncore_set_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *missed_wrap)
{
	struct uncore *u = set->u;
	sigset_t before;
	bool running;
	int missed;

	if (unc_is_child(u)) {
		*missed_wrap = set->missed_wrap;
		return set->missed;
	}
	running = atomic_load_explicit(&set->epoch, memory_order_acquire) & 1;
	if (running && !set->mux)
		return unc_missed_wrap_find(set, unc_clock(u), missed_wrap);
	/* a reset asks, too: waiting for a window would take more time than it has */
	if (running && !unc_mux_has_missed(set->mux))
		return 0;
	unc_lock(u, &before);
	if (set->mux)
		unc_mux_missed_wrap(set);
	*missed_wrap = set->missed_wrap;
	missed = set->missed;
	unc_unlock(u, &before);
	return missed;
}

char *uncore_missed_wrap_text(struct uncore_set *set, const struct uncore_missed_wrap *missed_wrap,
			      char *buf, size_t len)
{
	const struct unc_counted *t = &set->counted;
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
