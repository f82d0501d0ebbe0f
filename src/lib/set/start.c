/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - start, stop and check an event set. */
#include "backend/ranks.h"
#include "base/clock.h"
#include "set/set.h"
#include "set/takeover.h"

/* ---- start ---- */

/* Count the events that no other rank counts. */
static int start_with_ranks(struct uncore *u, struct uncore_set *set)
{
	int r = unc_ranks_start(set);

	if (r != 0 || !set->n_by_others)
		return r;
	r = unc_takeover_start(u);
	if (r < 0)
		unc_ranks_stop(set, true);
	return r;
}

static int start(struct uncore *u, void *arg)
{
	struct uncore_set *set = arg;
	int r;

	if (unc_is_running(set))
		r = unc_fail(&u->err, UNCORE_ESTATE, "the event set is already running");
	else if (set->list->counted.n == 0)
		r = unc_fail(&u->err, UNCORE_ESTATE, "the event set has no events");
	else if (u->election && !set->run->stop_after)
		r = start_with_ranks(u, set);
	else /* sets that stop by themselves count for this process only */
		r = set->backend->start(set);
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

int uncore_set_start(struct uncore_set *set)
{
	int r = unc_refuse_child(set->u);

	if (r == 0)
		r = unc_retry_until_unlocked(set->u, start, set);
	return r == UNC_WAIT ? unc_still_locked(set->u) : r;
}

/* ---- stop ---- */

/* NULL: all sets, which other threads may create and destroy meanwhile. */
struct stop {
	struct uncore_set *set;
	bool anyway;
};

static int stop(struct uncore *u, void *arg)
{
	const struct stop *which = arg;
	struct uncore_set *set = which->set ? which->set : u->sets;
	int r = 0;

	for (; set && r != UNC_WAIT; set = which->set ? NULL : set->next)
		if (unc_is_running(set))
			r = atomic_load(&set->list->ranks) ? unc_ranks_stop(set, which->anyway)
							   : set->backend->stop(set, which->anyway);
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
	r = unc_backend_of(set)->check(set, epoch);
	/* stopped meanwhile: return the result of the stop */
	return atomic_load(&set->epoch) == epoch ? r : 0;
}

/* ---- wait while another process is claiming or releasing counters ---- */

#define LONGEST_US 20000

struct wait {
	int64_t began; /* ns; 0: not waiting yet */
	unsigned us;   /* of the next sleep */
};

/*
 * Signals can be delivered meanwhile.  A claim takes a millisecond or two, so the first sleeps
 * are short. false: the timeout is over.
 */
static bool wait_with_backoff(const struct uncore *u, struct wait *wait)
{
	struct timespec t = {.tv_sec = 0};

	if (!wait->began) {
		wait->began = unc_monotonic();
		wait->us = 100;
	}
	if (unc_monotonic() - wait->began >= (int64_t)u->lock_timeout_ms * 1000000)
		return false;
	t.tv_nsec = (long)wait->us * 1000;
	nanosleep(&t, NULL);
	wait->us = wait->us * 2 > LONGEST_US ? LONGEST_US : wait->us * 2;
	return true;
}

int unc_retry_until_unlocked(struct uncore *u, unc_attempt *body, void *arg)
{
	struct wait wait = {.began = 0};
	sigset_t before;
	int r;

	do {
		unc_lock(u, &before);
		r = body(u, arg);
		unc_unlock(u, &before);
	} while (r == UNC_WAIT && wait_with_backoff(u, &wait));
	return r;
}

int unc_still_locked(struct uncore *u)
{
	if (u->election && unc_election_is_locked(u->election))
		return unc_ranks_busy(u);
	return unc_share_held(u->share, u->lock_timeout_ms);
}
