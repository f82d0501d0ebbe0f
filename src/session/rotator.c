/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rotator.c - the thread that lets events take turns when it is time.  It only tries
 * to get the handle's lock, so whoever holds that may stop it and wait for its end; no
 * signal is ever delivered to it.
 */
#include "session/rotation.h"

#define BUSY_NS 100000 /* until the next try to get the lock */

void unc_rotator_init(struct uncore *u)
{
	unc_thread_init(&u->rotator.thread);
}

/* Returns when to look again. */
static int64_t try_turns(struct uncore *u)
{
	int64_t next;

	if (pthread_mutex_trylock(&u->lock) != 0)
		return unc_hw_now(u->hw) + BUSY_NS;
	next = unc_rotations_due(u);
	pthread_mutex_unlock(&u->lock);
	return next;
}

static void *rotate(void *arg)
{
	struct uncore *u = arg;
	struct unc_rotator *r = &u->rotator;

	pthread_mutex_lock(&r->thread.lock);
	while (!r->thread.stop) {
		/* The counters' clock need not be the thread's: only what is left counts. */
		const int64_t left = r->deadline - unc_hw_now(u->hw);

		if (left > 0)
			unc_thread_sleep(&r->thread, left);
		else
			r->deadline = try_turns(u);
	}
	pthread_mutex_unlock(&r->thread.lock);
	return NULL;
}

int unc_rotator_start(struct uncore *u, int64_t deadline)
{
	struct unc_rotator *r = &u->rotator;

	if (u->hw->stepped)
		return 0;
	if (r->thread.runs) {
		pthread_mutex_lock(&r->thread.lock);
		if (deadline < r->deadline)
			r->deadline = deadline;
		pthread_cond_signal(&r->thread.wake);
		pthread_mutex_unlock(&r->thread.lock);
		return 0;
	}
	r->deadline = deadline;
	if (unc_thread_start(&r->thread, rotate, u))
		return 0;
	return unc_fail(&u->err, UNCORE_ENOMEM,
			"the thread that lets events take turns cannot be created; allow more "
			"threads, or count fewer events without multiplexing");
}

void unc_rotator_stop(struct uncore *u)
{
	if (!unc_is_child(u))
		unc_thread_stop(&u->rotator.thread);
}
