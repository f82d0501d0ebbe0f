/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * papi.c - the PAPI library that a program would load, and whether it has the component.
 *
 * A child process loads the library and asks it: components may wait for devices, print, or crash.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/documents.h"
#include "command/base/caller.h"
#include "command/doctor/patient.h"

#define LONGEST_MS 20000

struct answer {
	char path[256];
	int version;   /* major << 8 | minor; 0: unsupported */
	int component; /* its index; negative if missing */
	int events;    /* it lists some */
};

/* ---- in the child ---- */

typedef int init_function(int);
typedef int index_function(const char *);
typedef int enum_function(int *, int, int);

/* Copy the address: ISO C has no conversion from object to function pointers. */
static bool find(void *library, const char *name, void *function)
{
	void *const symbol = dlsym(library, name);

	memcpy(function, &symbol, sizeof(symbol));
	return symbol != NULL;
}

/* PAPI_library_init() requires the library's own version and does not report it. */
static int start(init_function *init)
{
	for (int major = 5; major <= 9; major++)
		for (int minor = 0; minor < 16; minor++) {
			const int version = major << 24 | minor << 16;

			if (init(version) == version)
				return major << 8 | minor;
		}
	return 0;
}

static void ask_component(void *library, struct answer *a)
{
	index_function *index;
	enum_function *list;
	int code = 0x40000000; /* PAPI_NATIVE_MASK */

	a->component = -1;
	if (!find(library, "PAPI_get_component_index", &index))
		return;
	a->component = index("uncore");
	if (a->component >= 0 && find(library, "PAPI_enum_cmp_event", &list))
		a->events = list(&code, 1 /* PAPI_ENUM_FIRST */, a->component) == 0;
}

static bool ask(struct answer *a)
{
	static const char *const names[] = {"libpapi.so",     "libpapi.so.7.3", "libpapi.so.7.2",
					    "libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.6.0",
					    "libpapi.so.5.7"};
	void *library = NULL;
	init_function *init;
	Dl_info info;

	for (size_t i = 0; !library && i < sizeof(names) / sizeof(*names); i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library || !find(library, "PAPI_library_init", &init))
		return false;
	if (dladdr(dlsym(library, "PAPI_library_init"), &info))
		snprintf(a->path, sizeof(a->path), "%s", info.dli_fname);
	a->version = start(init);
	if (a->version)
		ask_component(library, a);
	return true;
}

static void answer(int fd)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct answer a = {.component = -1};

	caller_become(); /* loading a library runs its code */
	alarm(LONGEST_MS / 1000);
	if (nothing >= 0)
		for (int i = 0; i <= 2; i++)
			dup2(nothing, i);
	if (ask(&a) && write(fd, &a, sizeof(a)) != (ssize_t)sizeof(a))
		_exit(1);
	_exit(0);
}

/* ---- in the command ---- */

/* 1: library found, 0: no library found, -1: the child crashed or timed out. */
static int ask_child(struct answer *a)
{
	int ends[2], status = 0;
	ssize_t n = 0;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	child = fork();
	if (child == 0)
		answer(ends[1]);
	close(ends[1]);
	if (child > 0) {
		struct pollfd wait = {.fd = ends[0], .events = POLLIN};

		if (poll(&wait, 1, LONGEST_MS) > 0)
			n = read(ends[0], a, sizeof(*a));
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	close(ends[0]);
	if (n == (ssize_t)sizeof(*a))
		return 1;
	return child > 0 && n == 0 && WIFEXITED(status) ? 0 : -1;
}

static void judge(struct patient *p, const struct answer *a)
{
	const int major = a->version >> 8, minor = a->version & 0xff;

	if (!a->version)
		found_note(p, "papi", text_of("%s: unsupported version", a->path),
			   text_of("use PAPI 5.7 to 7.3"));
	else if (a->component < 0)
		found_note(p, "papi",
			   text_of("%s, version %d.%d, lacks the component uncore", a->path, major,
				   minor),
			   text_of("put the directory of this project's libpapi.so first in "
				   "LD_LIBRARY_PATH (" UNC_DOC_INSTALLING
				   "), or build PAPI with the component"));
	else if (!a->events)
		found_problem(p, "papi",
			      text_of("%s, version %d.%d: the component uncore lists no events",
				      a->path, major, minor),
			      text_of("see papi_component_avail for the reason, usually one of "
				      "the problems above"));
	else
		found_fine(p, "papi", "%s, version %d.%d, has the component uncore", a->path, major,
			   minor);
}

void check_papi(struct patient *p)
{
	struct answer a;
	int result;

	/* the library uses the machine that UNCORE_MACHINE names, as in any program */
	if (p->other_machine)
		return;
	result = ask_child(&a);
	if (result > 0)
		judge(p, &a);
	else if (result == 0)
		found_note(p, "papi", text_of("no libpapi.so found"),
			   text_of("to use PAPI, add its directory to LD_LIBRARY_PATH"));
	else
		found_note(p, "papi",
			   text_of("libpapi.so crashed or did not respond within %d s",
				   LONGEST_MS / 1000),
			   text_of("run papi_component_avail to see the failure"));
}
