/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc_thread.c - the pthread_create() of the C library.
 *
 * Profilers replace it to measure each thread of the program, to which the library's own threads do
 * not belong.  HPCToolkit's waits until hpcrun has been initialized, and hpcrun starts event sets
 * while it initializes: the start would never return.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "claim/thread.h"

/* A sanitizer has to see all threads. */
extern void __asan_init(void) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static unc_thread_create *find_in(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
	unc_thread_create *found = NULL;

	if (library) {
		found = (unc_thread_create *)dlsym(library, "pthread_create");
		dlclose(library);
	}
	return found;
}

unc_thread_create *unc_libc_thread_create(void)
{
	unc_thread_create *create;

	if (__asan_init || __tsan_init)
		return pthread_create;
	create = find_in("libc.so.6");
	if (!create) /* before glibc 2.34 */
		create = find_in("libpthread.so.0");
	return create ? create : pthread_create;
}
