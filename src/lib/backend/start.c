/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c - start and stop a set by registers of this process, with other processes on the
 * machine.
 */
#include <string.h>

#include "backend/backend.h"
#include "claim/others.h"
#include "count/readers.h"

/* Events that another process counts are left out first, which may leave nothing to multiplex. */
static int claim_and_go(struct uncore_set *set)
{
	int r = unc_owner_claim(set);

	if (r == 0)
		r = set->backend->go(set);
	if (r < 0)
		unc_others_unclaim(set->u, set);
	return r;
}

/* Determine what the set needs; nothing is changed yet. */
static int ready(struct uncore_set *set)
{
	int r = unc_choose_again(set);

	if (r == 0)
		r = unc_mark_samples(set);
	if (r == 0)
		r = unc_owner_ready(set);
	return r < 0 ? r : unc_stop_after_ready(set);
}

static void find_packages(const struct uncore_set *set, bool *packages)
{
	const struct unc_mux *mux = set->list->mux;
	const struct unc_machine *m = &set->u->machine;
	const struct unc_counted *t = &set->list->counted;
	const size_t n = m->topo.n_packages;

	memset(packages, 0, n * sizeof(*packages));
	if (mux)
		memcpy(packages, mux->packages, n * sizeof(*packages));
	else
		unc_run_packages(set->run, packages);
	/* which process counts an event is decided under the lock, so that only one does */
	for (size_t i = 0; set->u->owner_counts && i < m->n_boxes; i++)
		for (size_t e = 0; e < t->n; e++)
			if (m->boxes[i].type->free && unc_box_counts(&m->boxes[i], t->events[e]))
				packages[m->boxes[i].package] = true;
}

int unc_registers_start(struct uncore_set *set)
{
	struct uncore *u = set->u;
	const struct unc_list *list;
	unsigned which;
	uint64_t began;
	int r = ready(set);

	if (r < 0)
		return r;
	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r <= 0)
		return r < 0 ? r : UNC_WAIT;
	/* not earlier: reader threads keep the privileges that the process may drop */
	if (u->with_readers && !atomic_load(&u->readers))
		atomic_store(&u->readers, unc_readers_new(u->hw, &u->machine.topo));
	r = claim_and_go(set);
	unc_others_end(u, u->packages);
	if (r < 0)
		return r;
	/* the time of the set begins when its boxes start */
	list = set->list;
	which = unc_which(atomic_load(&set->epoch) + 1);
	began = (uint64_t)atomic_load(&list->began);
	atomic_store(&list->base[which][list->counted.n], began);
	atomic_store(&list->last[which][list->counted.n], began);
	u->n_running++;
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

/*
 * anyway: if the lock holder does not release it, stop without it; frozen counters help no
 * process
 */
int unc_registers_stop(struct uncore_set *set, bool anyway)
{
	struct uncore *u = set->u;
	int r;

	find_packages(set, u->packages);
	r = unc_others_begin(u, u->packages);
	if (r != 1 && !anyway)
		return UNC_WAIT;
	if (r != 1)
		unc_others_unseen(set->run, u->packages);
	r = set->backend->halt(set);
	unc_others_unclaim(u, set);
	u->n_running--;
	unc_others_end(u, u->packages);
	return r;
}
