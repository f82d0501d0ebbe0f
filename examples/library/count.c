/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count.c - count memory traffic for one second with the C library, without PAPI.
 *
 *	cc count.c $(pkg-config --cflags --libs uncore) -o count
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <uncore_inspect.h>

static const char *const names[] = {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR"};

/* Print the error message, which includes cause and remedy, and exit. */
static void check(struct uncore *u, int code)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code == 0)
		return;
	fprintf(stderr, "%s\n", u ? uncore_errmsg(u, text, sizeof(text)) : uncore_strerror(code));
	uncore_close(u);
	exit(1);
}

int main(void)
{
	struct uncore_machine_info machine = {.size = sizeof(machine)};
	struct uncore_set *set;
	struct uncore *u;
	unsigned events[2];
	int64_t counts[2];
	int code;

	code = uncore_open(&u, NULL);
	check(u, code);
	for (int i = 0; i < 2; i++)
		check(u, uncore_event(u, names[i], &events[i]));
	check(u, uncore_set_create(u, &set));
	check(u, uncore_set_assign(set, events, 2));
	check(u, uncore_set_start(set));
	sleep(1);
	check(u, uncore_set_stop(set));
	check(u, uncore_set_read(set, counts));

	uncore_machine(u, &machine);
	printf("%s%s\n", machine.simulated ? "SIMULATED " : "", machine.title);
	for (int i = 0; i < 2; i++)
		printf("%-20s %" PRId64 " lines of 64 bytes\n", uncore_event_name(u, events[i]),
		       counts[i]);
	uncore_close(u);
	return 0;
}
