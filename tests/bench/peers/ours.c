/*
 * ours.c - what this library does for a set of events: calls of register files by phase.
 *
 *	ours CALLS-FILE NAME EVENT...
 *
 * UNCORE_SYSROOT is where the machine is mounted.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncore.h"

#define READS  9
#define EVENTS 256

static const char *calls_file;

static long calls(void)
{
	long n = -1;
	FILE *f = fopen(calls_file, "re");

	if (!f || fscanf(f, "%ld", &n) != 1)
		fprintf(stderr, "%s cannot be read\n", calls_file);
	if (f)
		fclose(f);
	return n;
}

/* A second passes. */
static void advance(void)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s", calls_file);
	memcpy(strrchr(path, '/'), "/advance", sizeof("/advance"));
	f = fopen(path, "we");
	if (!f || fprintf(f, "1000000000") < 0 || fclose(f) != 0)
		fprintf(stderr, "%s cannot be written\n", path);
}

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
	const struct uncore_options options = {.keeper = -1};
	struct uncore *u = NULL;
	struct uncore_set *set = NULL;
	long at[7];
	int64_t values[EVENTS];

	if (argc < 4 || argc - 3 > EVENTS)
		return 2;
	calls_file = argv[1];
	at[0] = calls();
	check(u, uncore_open(&u, &options), "open");
	at[1] = calls();
	assign(u, &set, argv + 3, argc - 3);
	at[2] = calls();
	check(u, uncore_set_start(set), "start");
	at[3] = calls();
	for (int i = 0; i < READS; i++)
		check(u, uncore_set_read(set, values), "read");
	at[4] = calls();
	advance();
	check(u, uncore_set_stop(set), "stop");
	at[5] = calls();
	check(u, uncore_set_read(set, values), "read");
	uncore_close(u);
	at[6] = calls();
	printf("%-8s ours   %6ld %6ld %6ld %6ld %6ld %6ld counts", argv[2], at[1] - at[0],
	       at[2] - at[1], at[3] - at[2], (at[4] - at[3]) / READS, at[5] - at[4], at[6] - at[5]);
	for (int i = 0; i < argc - 3; i++)
		printf(" %lld", (long long)values[i]);
	putchar('\n');
	return 0;
}
