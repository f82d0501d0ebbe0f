/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap_poller.c - a thread that reads every running counter often enough that none wraps twice
 * between reads.  It takes no lock that a starting or stopping thread holds, and no signal is
 * delivered to it.
 */
#include "claim/handle.h"

/* Half the shortest time in which a counter of this type can wrap. */
static uint64_t interval_of(const struct unc_box_type *type)
{
	const uint64_t ns = type->count_ns ? unc_slow_wrap_ns(type->width, type->count_ns)
					   : unc_wrap_ns(type->width, type->max_inc);

	return type->level ? UINT64_MAX : ns / 2 / 1000000;
}

/* The shortest interval for all boxes, or for those that count now. */
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

void unc_wrap_poller_init(struct uncore *u)
{
	unc_thread_init(&u->wrap_poller.thread);
	u->wrap_poller.interval_ms = shortest(u, false);
}

/* Several at once; if that fails, one by one, to find the register that fails. */
static int fold(struct uncore *u, struct unc_counter *const *some, unsigned n, bool report)
{
	int result = 0;

	if (n == 0 || unc_fold(u->hw, some, n, unc_clock(u->hw)) == 0)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		const int r = unc_fold(u->hw, &some[i], 1, unc_clock(u->hw));

		if (r == 0)
			continue;
		if (report && result == 0)
			unc_err_late(&u->err, &some[i]->read, r, 0);
		result = UNCORE_EIO;
	}
	return result;
}

static int poll_all(struct uncore *u, bool report)
{
	struct unc_counter *some[UNC_BATCH_MAX] = {NULL};
	unsigned n = 0;
	int result = 0, r;

	if (unc_is_child(u))
		return 0;
	for (size_t i = 0; i < u->machine.n_counters; i++) {
		if (!atomic_load_explicit(&u->counters[i].running, memory_order_acquire))
			continue;
		some[n++] = &u->counters[i];
		if (n < UNC_BATCH_MAX)
			continue;
		r = fold(u, some, n, report && result == 0);
		result = result < 0 ? result : r;
		n = 0;
	}
	r = fold(u, some, n, report && result == 0);
	return result < 0 ? result : r;
}

int uncore_poll_wraps(struct uncore *u)
{
	const int r = unc_unopened(u);

	return r < 0 ? r : poll_all(u, true);
}

static void *poll(void *arg)
{
	struct uncore *u = arg;
	struct unc_wrap_poller *k = &u->wrap_poller;

	pthread_mutex_lock(&k->thread.lock);
	while (!k->thread.stop) {
		unc_thread_sleep(&k->thread, (int64_t)k->running_ms * 1000000);
		if (!k->thread.stop)
			poll_all(u, false);
	}
	pthread_mutex_unlock(&k->thread.lock);
	return NULL;
}

/* A counter that wraps sooner than the running ones ends the wait. */
static void set_interval(struct unc_wrap_poller *k, uint64_t ms)
{
	pthread_mutex_lock(&k->thread.lock);
	if (k->thread.runs && ms < k->running_ms)
		pthread_cond_signal(&k->thread.wake);
	k->running_ms = ms;
	pthread_mutex_unlock(&k->thread.lock);
}

int unc_wrap_poller_start(struct uncore *u)
{
	struct unc_wrap_poller *k = &u->wrap_poller;
	enum unc_thread_started r = UNC_THREAD_OK;

	set_interval(k, shortest(u, true));
	if (!k->thread.runs)
		r = unc_thread_start(&k->thread, poll, u);
	if (r == UNC_THREAD_OK)
		return 0;
	if (r == UNC_THREAD_NO_MEMORY)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the wrap poller thread");
	return unc_fail(&u->err, UNCORE_ENOMEM,
			"cannot create the wrap poller thread: raise the thread limit (ulimit -u), "
			"or set UNCORE_WRAP_POLLER=0 and read every %llu ms",
			(unsigned long long)k->interval_ms);
}
