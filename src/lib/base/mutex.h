/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mutex.h - locks that outlast their holder: a thread is not cancelled (pthread_cancel) while it
 * has one, since it would never give it back.
 */
#ifndef UNC_MUTEX_H
#define UNC_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

struct unc_mutex {
	pthread_mutex_t mutex;
	int before; /* whether its holder could be cancelled; under the lock */
};

/* No lock, but the same: what follows is done as a whole.  Returns what unc_cancel_on() takes. */
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
