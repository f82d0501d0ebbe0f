/* SPDX-License-Identifier: BSD-3-Clause */
/* thread.c - start, sleep and end of a handle's threads. */
#include "claim/thread.h"

#include <errno.h>
#include <time.h>

#define SECOND 1000000000 /* ns */

void unc_thread_init(struct unc_thread *t)
{
	pthread_condattr_t attr;

	t->create = unc_libc_thread_create();
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
}

/* pthread_create() returns EAGAIN for both; the C library's calls before it leave errno. */
enum unc_thread_started unc_thread_start(struct unc_thread *t, void *(*body)(void *), void *arg)
{
	t->stop = false;
	errno = 0;
	t->runs = t->create(&t->id, NULL, body, arg) == 0;
	if (t->runs)
		return UNC_THREAD_OK;
	return errno == ENOMEM ? UNC_THREAD_NO_MEMORY : UNC_THREAD_LIMIT;
}

void unc_thread_stop(struct unc_thread *t)
{
	if (!t->runs)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->id, NULL);
	t->runs = false;
}

void unc_thread_sleep(struct unc_thread *t, int64_t ns)
{
	struct timespec stop_after;

	clock_gettime(CLOCK_MONOTONIC, &stop_after);
	stop_after.tv_sec += (time_t)(ns / SECOND);
	stop_after.tv_nsec += (long)(ns % SECOND);
	if (stop_after.tv_nsec >= SECOND) {
		stop_after.tv_sec++;
		stop_after.tv_nsec -= SECOND;
	}
	pthread_cond_timedwait(&t->wake, &t->lock, &stop_after);
}
