/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - start, stop and check an event set. */
#include "set/set.h"

/* ---- start ---- */

/* Whether the set has events, and is stopped. */
static int startable(struct uncore *u, const struct uncore_set *set)
{
	if (unc_is_running(set))
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set is already running");
	if (set->list->counted.n == 0)
		return unc_fail(&u->err, UNCORE_ESTATE, "the event set has no events");
	return 0;
}

static int start(struct uncore *u, void *arg)
{
	struct uncore_set *set = arg;
	int r = startable(u, set);

	if (r == 0)
		r = set->backend->start(set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

int uncore_set_start(struct uncore_set *set)
{
	const int r = unc_refuse_child(set->u);

	return r < 0 ? r : unc_retry_or_busy(set->u, start, set);
}

/* ---- stop ---- */

/* NULL: all sets, which other threads may create and destroy meanwhile. */
struct stop {
	struct uncore_set *set;
	bool anyway;
};

static int stop_one(struct uncore_set *set, bool anyway)
{
	return unc_is_running(set) ? set->backend->stop(set, anyway) : 0;
}

static int stop(struct uncore *u, void *arg)
{
	const struct stop *which = arg;
	int r = 0;

	if (which->set)
		r = stop_one(which->set, which->anyway);
	for (struct uncore_set *set = which->set ? NULL : u->sets; set && r != UNC_WAIT;
	     set = set->next)
		r = stop_one(set, which->anyway);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

static int stop_with_retries(struct uncore *u, struct uncore_set *set)
{
	struct stop one = {.set = set};
	int r;

	if (unc_is_child(u))
		return 0;
	r = unc_retry_until_unlocked(u, stop, &one);
	one.anyway = true;
	return r == UNC_WAIT ? unc_retry_until_unlocked(u, stop, &one) : r;
}

void unc_stop_all(struct uncore *u)
{
	stop_with_retries(u, NULL);
}

int uncore_set_stop(struct uncore_set *set)
{
	return stop_with_retries(set->u, set);
}

/* ---- check ---- */

int uncore_set_check(struct uncore_set *set)
{
	const unsigned epoch = atomic_load(&set->epoch);
	int r;

	if (!(epoch & 1) || unc_is_child(set->u))
		return 0;
	r = set->backend->check(set, epoch);
	/* stopped meanwhile: return the result of the stop */
	return atomic_load(&set->epoch) == epoch ? r : 0;
}
