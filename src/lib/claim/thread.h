/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread.h - a thread that sleeps until a deadline or until it is woken: the wrap poller and the
 * multiplexing thread.
 */
#ifndef UNC_THREAD_H
#define UNC_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef int unc_thread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
/* The C library's pthread_create(), or the one that a sanitizer has put in its place. */
unc_thread_create *unc_libc_thread_create(void);

struct unc_thread {
	unc_thread_create *create;
	bool runs; /* under the handle's lock */
	pthread_t id;
	pthread_mutex_t lock; /* protects stop, and the deadline of the thread */
	pthread_cond_t wake;
	bool stop;
};

void unc_thread_init(struct unc_thread *thread);

/*
 * Start requires the handle's lock, which blocks all signals (unc_lock): the thread inherits the
 * mask, so no signal is delivered to it.  Stop waits for the thread to end.
 */
enum unc_thread_started { UNC_THREAD_OK, UNC_THREAD_LIMIT, UNC_THREAD_NO_MEMORY };

enum unc_thread_started unc_thread_start(struct unc_thread *thread, void *(*body)(void *),
					 void *arg);
void unc_thread_stop(struct unc_thread *thread);

/* In the thread, with its own lock held: sleep for that time, or until wake is signalled. */
void unc_thread_sleep(struct unc_thread *thread, int64_t ns);

#endif
