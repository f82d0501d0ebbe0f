/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mux_thread.c - the thread that rotates multiplexed events.  It only tries to take the
 * handle's lock, so a thread that holds the lock may stop it and wait for it to end.  No signal
 * is delivered to it.
 */
#include "backend/multiplexed/mux.h"

#define BUSY_NS 100000 /* until the next attempt to take the lock */

void unc_mux_thread_init(struct uncore *u)
{
	unc_thread_init(&u->mux_thread.thread);
}

/*
 * Returns when to run again.  If register accesses are slow, windows could follow each other
 * without a pause: leave the lock free for as long as it was held.
 */
static int64_t try_windows(struct uncore *u)
{
	int64_t before, after, next;

	if (!unc_lock_try(u))
		return unc_hw_now(u->hw) + BUSY_NS;
	before = unc_hw_now(u->hw);
	next = unc_mux_rotate(u);
	after = unc_hw_now(u->hw);
	unc_lock_end(u);
	return next > after + (after - before) ? next : after + (after - before);
}

static void *run(void *arg)
{
	struct uncore *u = arg;
	struct unc_mux_thread *r = &u->mux_thread;

	pthread_mutex_lock(&r->thread.lock);
	while (!r->thread.stop) {
		/*
		 * The clock of the counters may differ from the thread's: use the remaining
		 * time.
		 */
		const int64_t left = r->deadline - unc_hw_now(u->hw);

		if (left > 0)
			unc_thread_sleep(&r->thread, left);
		else
			r->deadline = try_windows(u);
	}
	pthread_mutex_unlock(&r->thread.lock);
	return NULL;
}

int unc_mux_thread_start(struct uncore *u, int64_t deadline)
{
	struct unc_mux_thread *r = &u->mux_thread;
	enum unc_thread_started started;

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
	started = unc_thread_start(&r->thread, run, u);
	if (started == UNC_THREAD_OK)
		return 0;
	if (started == UNC_THREAD_NO_MEMORY)
		return unc_fail(&u->err, UNCORE_ENOMEM,
				"out of memory for the multiplexing thread");
	return unc_fail(&u->err, UNCORE_ENOMEM,
			"cannot create the multiplexing thread: raise the thread limit (ulimit "
			"-u), or count fewer events without multiplexing");
}

void unc_mux_thread_stop(struct uncore *u)
{
	if (!unc_is_child(u))
		unc_thread_stop(&u->mux_thread.thread);
}
