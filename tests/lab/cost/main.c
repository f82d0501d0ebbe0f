/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost.c - cost of counting, one program after the other in one guest.
 *
 *	cost NAME N     one line: name, counters, then for init, setup, read and stop
 *	                microseconds and system calls
 *	cost NAME list  one line: name, entries, milliseconds
 *
 * System calls of this thread are counted by the kernel (the trace point
 * raw_syscalls:sys_enter as a perf event).  Run as root on CPU 0 of a guest
 * with E5-2600 C-Boxes.
 */
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../bench/clock.h"
#include "cost.h"

enum { ROUNDS = 21, ROUND_NS = 4000000 };

const struct cost_event cost_events[4] = {
	{"UNC_C_TOR_INSERTS:WB", "TOR_INSERTS_WB", 0x1035},
	{"UNC_C_LLC_VICTIMS:M_STATE", "LLC_VICTIMS_M_STATE", 0x137},
	{"UNC_C_RING_BL_USED:UP_EVEN", "RING_BL_USED_UP_EVEN", 0x11d},
	{"UNC_C_COUNTER0_OCCUPANCY", "COUNTER0_OCCUPANCY", 0x1f},
};

static const struct contestant *const contestants[] = {&cost_component, &cost_library, &cost_stock,
						       &cost_perf, &cost_likwid};

unsigned cost_boxes(unsigned n)
{
	return n < 16 ? 1 : 16;
}

unsigned cost_per_box(unsigned n)
{
	return n / cost_boxes(n);
}

/* ---- measuring ---- */

static int open_call_counter(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr)};
	FILE *id = fopen("/sys/kernel/tracing/events/raw_syscalls/sys_enter/id", "r");
	unsigned long long config;
	int fd = -1;

	if (id && fscanf(id, "%llu", &config) == 1) {
		attr.config = config;
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	}
	if (id)
		fclose(id);
	if (fd < 0) {
		perror("cost: system calls cannot be counted");
		exit(1);
	}
	return fd;
}

struct mark {
	double ns;
	uint64_t calls;
};

static struct mark now(int calls)
{
	struct mark m;

	if (read(calls, &m.calls, sizeof(m.calls)) != (ssize_t)sizeof(m.calls))
		exit(1);
	m.ns = now_ns();
	return m;
}

/* The read() in now() is one of the calls. */
static struct mark since(int calls, struct mark start, double n)
{
	struct mark m = {.ns = now_ns()};

	m.calls = now(calls).calls;
	return (struct mark){(m.ns - start.ns) / n,
			     (uint64_t)((double)(m.calls - start.calls - 1) / n)};
}

static void check(const struct contestant *c, const char *what, const char *why)
{
	if (!why)
		return;
	printf("%s: %s: %s\n", c->name, what, why);
	exit(2);
}

static struct mark time_reads(const struct contestant *c, int calls)
{
	double ns[ROUNDS];
	struct mark start, one;
	unsigned loops;

	check(c, "read", c->read());
	start = now(calls);
	check(c, "read", c->read());
	one = since(calls, start, 1);
	loops = (unsigned)(ROUND_NS / one.ns) + 1;
	for (int i = 0; i < ROUNDS; i++) {
		start = now(calls);
		for (unsigned k = 0; k < loops; k++)
			c->read();
		ns[i] = since(calls, start, loops).ns;
	}
	return (struct mark){median(ns, ROUNDS), one.calls};
}

static void measure(const struct contestant *c, unsigned n)
{
	const int calls = open_call_counter();
	struct mark t[4], start = now(calls);

	check(c, "init", c->init(n));
	t[0] = since(calls, start, 1);
	start = now(calls);
	check(c, "setup", c->setup(n));
	t[1] = since(calls, start, 1);
	t[2] = time_reads(c, calls);
	start = now(calls);
	check(c, "stop", c->stop());
	t[3] = since(calls, start, 1);
	printf("%s %u", c->name, n);
	for (int i = 0; i < 4; i++)
		printf(" %.1f %llu", t[i].ns / 1e3, (unsigned long long)t[i].calls);
	printf("\n");
}

static void measure_list(const struct contestant *c)
{
	double start;
	unsigned n;

	check(c, "list", c->list ? NULL : "has no list to walk");
	check(c, "init", c->init(COST_MAX));
	start = now_ns();
	n = c->list();
	printf("%s list %u %.2f\n", c->name, n, (now_ns() - start) / 1e6);
}

int main(int argc, char **argv)
{
	const struct contestant *c = NULL;
	cpu_set_t first;

	for (size_t i = 0; argc == 3 && i < sizeof(contestants) / sizeof(*contestants); i++)
		if (strcmp(argv[1], contestants[i]->name) == 0)
			c = contestants[i];
	if (!c) {
		fprintf(stderr, "usage: cost component|library|stock|perf|likwid 1|4|16|64|list\n");
		return 1;
	}
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	if (strcmp(argv[2], "list") == 0)
		measure_list(c);
	else
		measure(c, (unsigned)atoi(argv[2]));
	return 0;
}
