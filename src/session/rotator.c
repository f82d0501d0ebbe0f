/*
 * rotator.c - the thread that lets events take turns when it is time.  It only tries
 * to get the handle's lock, so whoever holds that may stop it and wait for its end; no
 * signal is ever delivered to it.
 */
#include <time.h>

#include "session/rotation.h"

#define BUSY_NS 100000 /* until the next try to get the lock */

void unc_rotator_init(struct uncore *u)
{
	struct unc_rotator *r = &u->rotator;
	pthread_condattr_t attr;

	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &attr);
	pthread_condattr_destroy(&attr);
}

/* The counters' clock need not be this one: only what is left until then counts. */
static struct timespec after_ns(int64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns = t.tv_nsec + (ns > 0 ? ns : 0);
	t.tv_sec += (time_t)(ns / 1000000000);
	t.tv_nsec = (long)(ns % 1000000000);
	return t;
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

	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		const int64_t left = r->deadline - unc_hw_now(u->hw);
		const struct timespec until = after_ns(left);

		if (left > 0)
			pthread_cond_timedwait(&r->wake, &r->lock, &until);
		else
			r->deadline = try_turns(u);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* All signals are blocked here (unc_lock), and the thread inherits that. */
int unc_rotator_start(struct uncore *u, int64_t deadline)
{
	struct unc_rotator *r = &u->rotator;

	if (u->hw->stepped)
		return 0;
	if (r->runs) {
		pthread_mutex_lock(&r->lock);
		if (deadline < r->deadline)
			r->deadline = deadline;
		pthread_cond_signal(&r->wake);
		pthread_mutex_unlock(&r->lock);
		return 0;
	}
	r->stop = false;
	r->deadline = deadline;
	if (pthread_create(&r->thread, NULL, rotate, u) != 0)
		return unc_fail(&u->err, UNCORE_ENOMEM,
				"the thread that lets events take turns cannot be created; allow "
				"more threads, or count fewer events without multiplexing");
	r->runs = true;
	return 0;
}

void unc_rotator_stop(struct uncore *u)
{
	struct unc_rotator *r = &u->rotator;

	if (!r->runs || unc_is_child(u))
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	r->runs = false;
}
