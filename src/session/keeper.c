/*
 * keeper.c - a thread that reads every running counter often enough that none
 * wraps twice unseen.  It takes no lock that a starting or stopping thread
 * holds, and no signal is ever delivered to it.
 */
#include <time.h>

#include "session/core.h"
#include "session/inside.h"

/* Half the shortest time in which a counter of this type can wrap. */
static uint64_t interval_of(const struct unc_box_type *type)
{
	return unc_wrap_ns(type->width, type->max_inc) / 2 / 1000000;
}

/* Of all boxes, or of those that count now. */
static uint64_t shortest(const struct uncore *u, bool running)
{
	uint64_t all = 3600000;

	for (size_t i = 0; i < u->machine.n_boxes; i++) {
		const uint64_t ms = interval_of(u->machine.boxes[i].type);

		if (ms < all && (!running || u->uses[i].n))
			all = ms;
	}
	return all;
}

void unc_keeper_init(struct uncore *u)
{
	struct unc_keeper *k = &u->keeper;
	pthread_condattr_t attr;

	pthread_mutex_init(&k->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&k->wake, &attr);
	pthread_condattr_destroy(&attr);
	k->interval_ms = shortest(u, false);
}

static struct timespec after_ms(uint64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += (time_t)(ms / 1000);
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

static void *keep(void *arg)
{
	struct uncore *u = arg;
	struct unc_keeper *k = &u->keeper;

	pthread_mutex_lock(&k->lock);
	while (!k->stop) {
		const struct timespec until = after_ms(k->running_ms);

		pthread_cond_timedwait(&k->wake, &k->lock, &until);
		if (!k->stop)
			uncore_keep(u);
	}
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

/* A counter that wraps sooner than those before it ends the wait. */
static void set_interval(struct unc_keeper *k, uint64_t ms)
{
	pthread_mutex_lock(&k->lock);
	if (k->runs && ms < k->running_ms)
		pthread_cond_signal(&k->wake);
	k->running_ms = ms;
	pthread_mutex_unlock(&k->lock);
}

/* All signals are blocked here (unc_lock), and the thread inherits that. */
int unc_keeper_start(struct uncore *u)
{
	struct unc_keeper *k = &u->keeper;
	int r;

	if (!k->wanted)
		return 0;
	set_interval(k, shortest(u, true));
	if (k->runs)
		return 0;
	k->stop = false;
	r = pthread_create(&k->thread, NULL, keep, u);
	if (r != 0)
		return unc_fail(
			&u->err, UNCORE_ENOMEM,
			"the thread that watches for counter wraps cannot be created; allow "
			"more threads, or set UNCORE_KEEPER=0 and read every %llu ms",
			(unsigned long long)k->interval_ms);
	k->runs = true;
	return 0;
}

void unc_keeper_stop(struct uncore *u)
{
	struct unc_keeper *k = &u->keeper;

	if (!k->runs || unc_is_child(u))
		return;
	pthread_mutex_lock(&k->lock);
	k->stop = true;
	pthread_cond_signal(&k->wake);
	pthread_mutex_unlock(&k->lock);
	pthread_join(k->thread, NULL);
	k->runs = false;
}

uint64_t unc_keep_interval_running(struct uncore *u)
{
	uint64_t ms;

	pthread_mutex_lock(&u->keeper.lock);
	ms = u->keeper.running_ms;
	pthread_mutex_unlock(&u->keeper.lock);
	return ms;
}

uint64_t uncore_keep_interval_ms(struct uncore *u)
{
	return u->keeper.interval_ms;
}
