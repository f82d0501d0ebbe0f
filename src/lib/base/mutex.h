/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutex.h - locks whose holder cannot be cancelled: a thread that was cancelled
 * (pthread_cancel) with a lock held would never release it.
 */
#ifndef UNC_MUTEX_H
#define UNC_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

struct unc_mutex {
	pthread_mutex_t mutex;
	int before; /* cancellation state of the holder; protected by the lock */
};

/* The same without a lock: disables cancellation.  Returns the argument of unc_cancel_on(). */
static inline int unc_cancel_off(void)
{
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	return before;
}

static inline void unc_cancel_on(int before)
{
	int ignored;

	pthread_setcancelstate(before, &ignored);
}

static inline void unc_mutex_lock(struct unc_mutex *m)
{
	const int before = unc_cancel_off();

	pthread_mutex_lock(&m->mutex);
	m->before = before;
}

/* false: another thread has it. */
static inline bool unc_mutex_trylock(struct unc_mutex *m)
{
	const int before = unc_cancel_off();

	if (pthread_mutex_trylock(&m->mutex) != 0) {
		unc_cancel_on(before);
		return false;
	}
	m->before = before;
	return true;
}

static inline void unc_mutex_unlock(struct unc_mutex *m)
{
	const int before = m->before;

	pthread_mutex_unlock(&m->mutex);
	unc_cancel_on(before);
}

#endif
