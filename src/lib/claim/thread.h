/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h - a thread that sleeps until it is time or somebody wakes it; the wrap poller's and
 * the multiplex thread.
 */
#ifndef UNC_THREAD_H
#define UNC_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct unc_thread {
	bool runs; /* under the handle's lock */
	pthread_t id;
	pthread_mutex_t lock; /* of stop, and of what the thread goes by */
	pthread_cond_t wake;
	bool stop;
};

void unc_thread_init(struct unc_thread *thread);

/*
 * Under the handle's lock, with which all signals are blocked (unc_lock): the thread
 * inherits that, so no signal is ever delivered to it.  False: there cannot be one more.
 * Stop waits for its end.
 */
bool unc_thread_start(struct unc_thread *thread, void *(*body)(void *), void *arg);
void unc_thread_stop(struct unc_thread *thread);

/* In the thread, under its own lock: sleep that long, or until wake is signalled. */
void unc_thread_sleep(struct unc_thread *thread, int64_t ns);

#endif
