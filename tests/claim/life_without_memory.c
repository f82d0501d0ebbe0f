/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * life_without_memory.c MACHINE EVENT STEP: opens a handle, adds an event, counts it and closes the
 * handle, in a child process for every STEP-th allocation, which fails, alone and then with all
 * later ones.  Allocations of libpfm4 and of the C library fail, too, because a program's malloc()
 * is also that of its libraries.  Prints each child that ended by a signal, and the number of
 * children and of failed calls.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uncore.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static _Thread_local bool watched; /* other threads belong to the simulated machine */
static _Thread_local unsigned long count, failing;
static _Thread_local bool lasts;

static bool fails(void)
{
	if (!watched)
		return false;
	count++;
	if (count != failing && !(lasts && count > failing))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

/* As a program reports errors: whatever failed, the handle is asked for the message. */
static bool check(struct uncore *u, const char *what, int code)
{
	char text[UNCORE_ERRMSG_MAX];
	const bool was_watched = watched;

	if (code >= 0)
		return true;
	uncore_errmsg(u, text, sizeof(text));
	watched = false;
	if (code != UNCORE_ENOMEM || !strstr(text, "memory"))
		printf("%s: %d, %s\n", what, code, text);
	watched = was_watched;
	return false;
}

static bool live(const char *machine, const char *event)
{
	struct uncore_options options = {.size = sizeof(options), .machine = machine};
	struct uncore *u = NULL;
	struct uncore_set *set = NULL;
	int64_t value;
	unsigned id;
	bool ok;

	watched = true;
	ok = check(u, "open", uncore_open(&u, &options)) &&
	     check(u, "event", uncore_event(u, event, &id)) &&
	     check(u, "create", uncore_set_create(u, &set)) &&
	     check(u, "assign", uncore_set_assign(set, &id, 1)) &&
	     check(u, "start", uncore_set_start(set)) &&
	     check(u, "read", uncore_set_read(set, &value));
	if (set)
		ok = check(u, "stop", uncore_set_stop(set)) && ok;
	uncore_set_destroy(set);
	uncore_close(u);
	watched = false;
	return ok;
}

/* The exit status of a child: 0 succeeded, 1 failed, 2 no allocation was left to fail. */
static int in_child(char **argv, unsigned long at, bool then)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		failing = at;
		lasts = then;
		status = !live(argv[1], argv[2]);
		if (count < at)
			status = 2;
		fflush(stdout);
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	if (WIFSIGNALED(status))
		printf("allocation %lu%s: signal %d\n", at, then ? " and all later ones" : "",
		       WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	const unsigned long step = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	unsigned long children = 0, failed = 0;
	int status = 0;

	if (step == 0)
		return 2;
	for (int then = 0; then < 2; then++)
		for (unsigned long at = 1; (status = in_child(argv, at, then)) != 2; at += step) {
			children++;
			failed += status == 1;
		}
	printf("children %lu failed %lu\n", children, failed);
	return 0;
}
