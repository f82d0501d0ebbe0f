/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * takeover.c - the thread of a rank that waits for another rank to stop counting, see
 * backend/ranks.h.
 *
 * A read that finds an event without a rank that counts it must not allocate memory, since it may
 * be in a signal handler.  So it wakes the thread, which starts to count, and waits for it.
 */
#include "set/takeover.h"

#include <errno.h>

#include "backend/ranks.h"
#include "base/clock.h"
#include "set/set.h"

/* A thread that was interrupted while it allocated memory may keep the other one waiting. */
#define LONGEST_NS 1000000000
#define PAUSE_NS   20000

/* ---- the thread ---- */

static int take_over(struct uncore *u, void *none)
{
	const int r = unc_ranks_take_over(u);

	(void)none;
	if (u->n_running == 0)
		unc_wrap_poller_stop(u);
	return r;
}

static void *run(void *arg)
{
	struct uncore *u = arg;
	struct unc_takeover *t = &u->takeover;

	for (;;) {
		while (sem_wait(&t->wake) != 0 && errno == EINTR)
			;
		if (atomic_load(&t->stop))
			return NULL;
		unc_retry_until_unlocked(u, take_over, NULL);
		atomic_store(&t->asked, false);
		atomic_fetch_add(&t->answers, 1);
	}
}

void unc_takeover_init(struct uncore *u)
{
	unc_thread_init(&u->takeover.thread);
	sem_init(&u->takeover.wake, 0, 0);
}

int unc_takeover_start(struct uncore *u)
{
	struct unc_takeover *t = &u->takeover;

	if (t->thread.runs)
		return 0;
	atomic_store(&t->stop, false);
	atomic_store(&t->asked, false);
	if (unc_thread_start(&t->thread, run, u) == UNC_THREAD_OK)
		return 0;
	return unc_fail(&u->err, UNCORE_ENOMEM,
			"cannot create the thread that waits for other ranks: raise the thread "
			"limit (ulimit -u)");
}

/* Without the lock, which the thread may be waiting for. */
void unc_takeover_stop(struct uncore *u)
{
	struct unc_takeover *t = &u->takeover;

	if (unc_is_child(u) || !t->thread.runs)
		return;
	atomic_store(&t->stop, true);
	sem_post(&t->wake);
	unc_thread_stop(&t->thread);
}

/* ---- reads; signal-safe ---- */

static void ask(struct unc_takeover *t, bool wait)
{
	const unsigned before = atomic_load(&t->answers);
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	const int64_t began = unc_monotonic();
	const int error = errno;

	if (atomic_exchange(&t->asked, true))
		return;
	sem_post(&t->wake);
	while (wait && atomic_load(&t->answers) == before && unc_monotonic() - began < LONGEST_NS)
		nanosleep(&pause, NULL);
	errno = error;
}

static bool is_time(const struct unc_ranks *ranks)
{
	const int64_t at = atomic_load(&ranks->retry_ns);

	return at && unc_monotonic() >= at;
}

void unc_takeover_look(struct uncore_set *set)
{
	struct unc_ranks *ranks = atomic_load_explicit(&set->list->ranks, memory_order_acquire);

	if (!ranks || !atomic_load_explicit(&ranks->in_parts, memory_order_acquire))
		return;
	if (atomic_load(&ranks->news)) {
		atomic_store(&ranks->wanted, true);
		ask(&set->u->takeover, false);
	}
	if (atomic_load(&ranks->n_waiting) &&
	    (unc_election_changed(set->u->election) || is_time(ranks)))
		ask(&set->u->takeover, true);
}
