/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forked.c - a C program whose forked child reads and stops the event set of its parent.  Prints
 * what PAPI returned in the child: two reads, three stops.  With the environment variable NO_STACK
 * the library that reads the call stack cannot be opened.
 */
#include <dlfcn.h>
#include <papi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void *opener(const char *, int);

void *dlopen(const char *name, int flags)
{
	opener *const real = (opener *)dlsym(RTLD_NEXT, "dlopen");

	if (getenv("NO_STACK") && name && strstr(name, "libgcc_s"))
		return NULL;
	return real(name, flags);
}

static int child(int set)
{
	long long count = 0;

	printf("reads %d", PAPI_read(set, &count));
	printf(" %d", PAPI_read(set, &count));
	printf(" stops %d", PAPI_stop(set, &count));
	printf(" %d", PAPI_stop(set, &count));
	printf(" %d", PAPI_stop(set, &count));
	printf(" cleanup %d\n", PAPI_cleanup_eventset(set));
	fflush(stdout);
	return 0;
}

int main(void)
{
	int set = PAPI_NULL, status = 0;
	long long count = 0;
	pid_t pid;

	if (PAPI_library_init(PAPI_VER_CURRENT) < 0 || PAPI_create_eventset(&set) != PAPI_OK ||
	    PAPI_add_named_event(set, "uncore:::UNC_M_CAS_COUNT:RD") != PAPI_OK ||
	    PAPI_start(set) != PAPI_OK)
		return 1;
	pid = fork();
	if (pid == 0)
		_exit(child(set));
	if (waitpid(pid, &status, 0) != pid || status != 0)
		return 2;
	return PAPI_read(set, &count) != PAPI_OK || PAPI_stop(set, &count) != PAPI_OK;
}
