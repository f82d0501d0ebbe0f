/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_perf.c - perf_event_open(2) for a program that is started with it in LD_PRELOAD: core events
 * with known counts, since virtual machines have no counters of cores.
 *
 * FAKE_PERF        CONFIG=COUNT,...: hexadecimal codes, counts of the program
 * FAKE_PERF_FREE   counters that are free; events beyond them are open but never count
 * FAKE_PERF_ERRNO  fail with this error
 * FAKE_PERF_STOLEN the counters are shared while the program runs
 * FAKE_PERF_UNTIL  seconds: counts grow evenly up to this time since they were opened
 * FAKE_PERF_LOG    a file, to which each event is written
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOST 1024

static struct event {
	bool open, program, has_counter;
	uint64_t config, format;
	double since;
} events[MOST];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned in_use(void)
{
	unsigned n = 0;

	for (int i = 0; i < MOST; i++)
		n += events[i].open && events[i].has_counter;
	return n;
}

static uint64_t count_of(uint64_t config)
{
	const char *at = getenv("FAKE_PERF");
	char *end;

	while (at && *at) {
		const uint64_t code = strtoull(at, &end, 16), count = strtoull(end + 1, &end, 10);

		if (code == config)
			return count;
		at = *end ? end + 1 : end;
	}
	return 0;
}

static void note(const struct perf_event_attr *attr)
{
	const char *name = getenv("FAKE_PERF_LOG");
	FILE *file = name ? fopen(name, "ae") : NULL;

	if (!file)
		return;
	fprintf(file, "type %u config %llx inherit %d on_exec %d kernel %d\n", attr->type,
		(unsigned long long)attr->config, (int)attr->inherit, (int)attr->enable_on_exec,
		!attr->exclude_kernel);
	fclose(file);
}

static long open_event(const struct perf_event_attr *attr)
{
	const char *error = getenv("FAKE_PERF_ERRNO"), *limit = getenv("FAKE_PERF_FREE");
	const bool has = in_use() < (limit ? (unsigned)atoi(limit) : 8);
	int fd;

	if (error) {
		errno = atoi(error);
		return -1;
	}
	note(attr);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fd >= MOST)
		abort();
	events[fd] = (struct event){true, attr->inherit, has, attr->config, attr->read_format,
				    now()};
	return fd;
}

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	va_list args;
	long a[6];

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_event((const struct perf_event_attr *)a[0]);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void read_event(const struct event *e, uint64_t value[3])
{
	const char *until = getenv("FAKE_PERF_UNTIL");
	const double seconds = until ? atof(until) : 0, passed = now() - e->since;
	const double share = passed < seconds ? passed / seconds : 1;

	value[0] = e->program ? (uint64_t)(share * (double)count_of(e->config)) : 1;
	value[1] = 1000;
	value[2] = !e->has_counter ? 0 : e->program && getenv("FAKE_PERF_STOLEN") ? 700 : 1000;
}

/* A group of one event, as PAPI reads a set with one event of this thread. */
static ssize_t read_group(const struct event *e, uint64_t *to)
{
	to[0] = 1;
	to[1] = count_of(e->config);
	return 2 * sizeof(uint64_t);
}

ssize_t read(int fd, void *to, size_t n)
{
	if (fd >= 0 && fd < MOST && events[fd].open && events[fd].format == PERF_FORMAT_GROUP &&
	    n >= 2 * sizeof(uint64_t))
		return read_group(&events[fd], to);
	if (fd >= 0 && fd < MOST && events[fd].open && n == 3 * sizeof(uint64_t)) {
		uint64_t value[3];

		read_event(&events[fd], value);
		memcpy(to, value, sizeof(value));
		return (ssize_t)n;
	}
	return (ssize_t)syscall(SYS_read, fd, to, n);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *to;

	va_start(args, request);
	to = va_arg(args, void *);
	va_end(args);
	if (fd >= 0 && fd < MOST && events[fd].open)
		return 0;
	return (int)syscall(SYS_ioctl, fd, request, to);
}

int close(int fd)
{
	if (fd >= 0 && fd < MOST)
		events[fd].open = false;
	return (int)syscall(SYS_close, fd);
}
