/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    threads.c
 * @ingroup papi_components
 * @brief   Starts the threads of the linked library with the C library's pthread_create().
 *
 * Profilers replace pthread_create() to measure every thread of the program, but the wrap poller is
 * not a thread of the program.  HPCToolkit's pthread_create() also waits until hpcrun has been
 * initialized, and hpcrun calls PAPI_start() while it initializes: PAPI_start() would never return.
 *
 * Rules.linked links with --wrap=pthread_create.  A sanitizer has to see every thread, so its
 * pthread_create() is not bypassed.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "threads.h"

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

create_function __real_pthread_create, __wrap_pthread_create;

extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static create_function *libc_pthread_create;

static create_function *find_in(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
	create_function *found = NULL;

	if (library) {
		found = (create_function *)dlsym(library, "pthread_create");
		dlclose(library);
	}
	return found;
}

void _uncore_threads_init(void)
{
	if (libc_pthread_create || __asan_init || __tsan_init)
		return;
	/* until glibc 2.33 it was in a library of its own */
	libc_pthread_create = find_in("libpthread.so.0");
	if (!libc_pthread_create)
		libc_pthread_create = find_in("libc.so.6");
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
			  void *arg)
{
	create_function *create = libc_pthread_create;

	return (create ? create : __real_pthread_create)(thread, attr, body, arg);
}
