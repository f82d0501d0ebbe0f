/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simple.c - a minimal program: count memory reads for one second with PAPI.
 *
 *	cc simple.c $(pkg-config --cflags --libs papi-uncore) -o simple
 *
 * Add -ldl if glibc is older than 2.34.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#endif
#include <dlfcn.h>
#include <papi.h>
#include <stdio.h>
#include <unistd.h>

#define EVENT "uncore:::UNCORE_MEM_READ_BYTES"

static int failed(const char *what, int code)
{
	fprintf(stderr, "%s: %s\n", what, PAPI_strerror(code));
	return 1;
}

/* A PAPI library without the component was loaded: print its path and the remedy. */
static int no_component(void)
{
	Dl_info libpapi = {.dli_fname = NULL};

	dladdr(dlsym(RTLD_DEFAULT, "PAPI_library_init"), &libpapi);
	fprintf(stderr,
		"%s has no component \"uncore\".\n"
		"Put the directory of the libpapi.so with the component first:\n"
		"  LD_LIBRARY_PATH=build/papi, or PREFIX/lib/uncore after make install\n"
		"papi_component_avail lists the components of the library that is loaded.\n",
		libpapi.dli_fname ? libpapi.dli_fname : "The loaded libpapi");
	return 1;
}

/* The component is disabled: print the reason. */
static int cannot_count(const PAPI_component_info_t *uncore)
{
	fprintf(stderr,
		"%s\n"
		"Set UNCORE_MACHINE=sim:snbep to simulate a Xeon.\n",
		uncore->disabled_reason);
	return 1;
}

int main(void)
{
	const PAPI_component_info_t *uncore;
	int set = PAPI_NULL, code;
	long long bytes;

	code = PAPI_library_init(PAPI_VER_CURRENT);
	if (code != PAPI_VER_CURRENT)
		return failed("PAPI_library_init", code);
	uncore = PAPI_get_component_info(PAPI_get_component_index("uncore"));
	if (!uncore)
		return no_component();
	code = PAPI_create_eventset(&set);
	if (code != PAPI_OK)
		return failed("PAPI_create_eventset", code);
	/* from PAPI 6 on, a component may detect its counters only now */
	code = PAPI_add_named_event(set, EVENT);
	if (uncore->disabled)
		return cannot_count(uncore);
	if (code == PAPI_OK)
		code = PAPI_start(set);
	if (code != PAPI_OK)
		return failed(EVENT " (set UNCORE_VERBOSE=1 for the reason)", code);
	sleep(1);
	code = PAPI_stop(set, &bytes);
	if (code != PAPI_OK)
		return failed("PAPI_stop", code);
	/* begins with "SIMULATED" unless the counters of this computer were read */
	printf("%s\n", uncore->description);
	printf("%lld bytes were read from memory in one second\n", bytes);
	return 0;
}
