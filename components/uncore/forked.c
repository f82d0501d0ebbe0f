/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    forked.c
 * @ingroup papi_components
 * @brief   Event sets of the parent process in a forked child: which function of PAPI reads them.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "papi.h"

#include "forked.h"

#define LIBRARY    "libgcc_s.so.1"
#define MAX_FRAMES 16 /* more than PAPI has between its functions and a component */

/*
 * Of a library that libpapi must not need: the C library opens it, too, to end threads.  It stays
 * open.
 */
static struct {
	_Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn look, void *arg);
	void *(*function_of)(void *ip);
	_Unwind_Ptr (*ip_of)(struct _Unwind_Context *context);
} stack;

struct search {
	unsigned frames;
	bool found;
};

/* Function pointers cannot be converted from those of objects in ISO C. */
static bool find(void *library, const char *name, void *function)
{
	void *const address = dlsym(library, name);

	memcpy(function, &address, sizeof(address));
	return address != NULL;
}

void _uncore_forked_init(void)
{
	void *library;

	if (stack.walk)
		return;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library && !(find(library, "_Unwind_GetIP", &stack.ip_of) &&
			 find(library, "_Unwind_FindEnclosingFunction", &stack.function_of) &&
			 find(library, "_Unwind_Backtrace", &stack.walk)))
		stack.walk = NULL;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *arg)
{
	struct search *s = arg;
	/* a return address may be the first one after the function */
	const uintptr_t ip = (uintptr_t)stack.ip_of(context) - 1;

	s->found = (uintptr_t)stack.function_of((void *)ip) == (uintptr_t)PAPI_stop;
	return s->found || ++s->frames == MAX_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/*
 * PAPI_stop() and PAPI_read() call a component's read function in the same way.  If it fails,
 * PAPI_stop() does not stop the event set, which could then never be cleaned up.
 */
bool _uncore_is_in_stop(void)
{
	struct search s = {.frames = 0};

	if (stack.walk)
		stack.walk(look, &s);
	return s.found;
}

/* Reads are allowed in signal handlers, printf() is not. */
void _uncore_forked_report(void)
{
	static const char text[] =
		"uncore: cannot read an event set of the parent process in a forked child: call "
		"PAPI_library_init() in the child and create event sets there\n";
	static atomic_bool reported;
	ssize_t written;

	if (atomic_exchange(&reported, true))
		return;
	written = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)written;
}
