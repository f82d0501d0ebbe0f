/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ours.c - this library's work for a set of events: calls of register files by phase.
 *
 *	ours CALLS-FILE NAME EVENT...
 *
 * UNCORE_SYSROOT is where the machine is mounted.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "phases.h"
#include "uncore_inspect.h"

#define EVENTS 256

static void check(struct uncore *u, int code, const char *what)
{
	char why[UNCORE_ERRMSG_MAX];

	if (code >= 0)
		return;
	fprintf(stderr, "ours: %s: %s\n", what, uncore_errmsg(u, why, sizeof(why)));
	exit(1);
}

static void assign(struct uncore *u, struct uncore_set **set, char **names, int n)
{
	unsigned ids[EVENTS];

	for (int i = 0; i < n; i++)
		check(u, uncore_event(u, names[i], &ids[i]), names[i]);
	check(u, uncore_set_create(u, set), "create");
	check(u, uncore_set_assign(*set, ids, (size_t)n), "assign");
}

int main(int argc, char **argv)
{
	const struct uncore_options options = {.size = sizeof(options), .wrap_poller = -1};
	struct uncore *u = NULL;
	struct uncore_set *set = NULL;
	long at[PHASES];
	int64_t values[EVENTS];

	if (argc < 4 || argc - 3 > EVENTS)
		return 2;
	at[BEGUN] = calls(argv[1]);
	check(u, uncore_open(&u, &options), "open");
	at[INIT] = calls(argv[1]);
	assign(u, &set, argv + 3, argc - 3);
	at[SETUP] = calls(argv[1]);
	check(u, uncore_set_start(set), "start");
	at[START] = calls(argv[1]);
	for (int i = 0; i < READS; i++)
		check(u, uncore_set_read(set, values), "read");
	at[READ] = calls(argv[1]);
	advance(argv[1]);
	check(u, uncore_set_stop(set), "stop");
	at[STOP] = calls(argv[1]);
	check(u, uncore_set_read(set, values), "read");
	uncore_close(u);
	at[END] = calls(argv[1]);
	print_phases(argv[2], "ours", at);
	for (int i = 0; i < argc - 3; i++)
		printf(" %lld", (long long)values[i]);
	putchar('\n');
	return 0;
}
