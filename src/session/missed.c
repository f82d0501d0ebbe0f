/* SPDX-License-Identifier: BSD-3-Clause */
/* missed.c - what the user of a set can ask about wraps that nobody saw; doubt.c finds them. */
#include <inttypes.h>
#include <stdio.h>

#include "session/rotation.h"

int uncore_set_doubt(struct uncore_set *set, struct uncore_doubt *doubt)
{
	struct uncore *u = set->u;
	sigset_t before;
	bool running;
	int doubted;

	if (unc_is_child(u)) {
		*doubt = set->doubt;
		return set->doubted;
	}
	running = atomic_load_explicit(&set->epoch, memory_order_acquire) & 1;
	if (running && !set->rotation)
		return unc_doubt_find(set, unc_clock(u), doubt);
	/* a reset asks, too: waiting for a turn would take more time than it has */
	if (running && !unc_rotation_doubted(set->rotation))
		return 0;
	unc_lock(u, &before);
	if (set->rotation)
		unc_rotation_doubt(set);
	*doubt = set->doubt;
	doubted = set->doubted;
	unc_unlock(u, &before);
	return doubted;
}

char *uncore_doubt_text(struct uncore_set *set, const struct uncore_doubt *doubt, char *buf,
			size_t len)
{
	const struct unc_terms *t = &set->terms;
	const char *name = doubt->event < t->n_values
				   ? unc_names_name(set->u->names, t->list[doubt->event])
				   : "?";

	if (doubt->jumped)
		snprintf(buf, len,
			 "%s: a counter gained more than it can count: another tool has written "
			 "to it, or its register is broken",
			 name);
	else
		snprintf(buf, len,
			 "%s: nobody looked at a counter for %" PRIu64 ".%01" PRIu64
			 " s, and it can wrap within %" PRIu64 ".%01" PRIu64
			 " s: counts may be missing; leave the wrap poller on, or read more often",
			 name, doubt->unseen_ms / 1000, doubt->unseen_ms / 100 % 10,
			 doubt->wrap_ms / 1000, doubt->wrap_ms / 100 % 10);
	return buf;
}
