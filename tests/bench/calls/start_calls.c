/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start_calls.c - which functions of the library a start and a stop of one counter call, and how
 * often.  tests/bench/start_calls.sh makes a table of it.
 *
 * The library is compiled with -finstrument-functions, which calls the two hooks below at each
 * entry and exit, of functions that are inlined, too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "uncore.h"

#define MOST 4096

/* One thread: the wrap poller is off. */
static struct {
	const void *function;
	unsigned calls;
} called[MOST];
static unsigned n_called, depth, deepest;
static int counting;

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
	unsigned i = 0;

	(void)caller;
	if (!counting)
		return;
	depth++;
	deepest = depth > deepest ? depth : deepest;
	while (i < n_called && called[i].function != function)
		i++;
	if (i == MOST)
		abort();
	called[i].function = function;
	called[i].calls++;
	n_called += i == n_called;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
	depth -= counting && depth;
}

static void check(struct uncore *u, const char *what, int code)
{
	char why[UNCORE_ERRMSG_MAX];

	if (code == 0)
		return;
	fprintf(stderr, "start_calls: %s: %s\n", what, uncore_errmsg(u, why, sizeof(why)));
	exit(1);
}

/* Carry one function of the library out, and print: what, depth, address, calls. */
static void count(struct uncore *u, const char *what, int (*f)(struct uncore_set *),
		  struct uncore_set *set)
{
	int code;

	n_called = depth = deepest = 0;
	counting = 1;
	code = f(set);
	counting = 0;
	check(u, what, code);
	for (unsigned i = 0; i < n_called; i++) {
		printf("%s %u %p %u\n", what, deepest, called[i].function, called[i].calls);
		called[i].calls = 0;
	}
}

int main(int argc, char **argv)
{
	const struct uncore_options options = {.size = sizeof(options),
					       .machine = argc > 1 ? argv[1] : "sim:snbep",
					       .wrap_poller = -1};
	const char *event = argc > 2 ? argv[2] : "UNC_M_CAS_COUNT:RD:box=0:pkg=0";
	struct uncore *u = NULL;
	struct uncore_set *set = NULL;
	unsigned id;

	check(u, "open", uncore_open(&u, &options));
	check(u, event, uncore_event(u, event, &id));
	check(u, "set", uncore_set_create(u, &set));
	check(u, "assign", uncore_set_assign(set, &id, 1));
	count(u, "start", uncore_set_start, set);
	count(u, "stop", uncore_set_stop, set);
	uncore_set_destroy(set);
	uncore_close(u);
	return 0;
}
