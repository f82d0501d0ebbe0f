/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.c - a multi-threaded program that measures the traffic of its own run: memory,
 * last-level cache and socket interconnect, using only PAPI.
 *
 *	cc -O2 -pthread traffic.c $(pkg-config --cflags --libs papi-uncore) -o traffic
 *
 * The counters belong to the package: the traffic of other programs is counted, too.
 */
#include <papi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECONDS     2
#define MAX_THREADS 64
#define ELEMENTS    ((size_t)8 << 20) /* per array: 64 MiB, larger than a cache */

/* ---- the counters ---- */

enum { READ, WRITTEN, BETWEEN, REQUESTS, OCCUPANCY, CLOCK, N_EVENTS };

/*
 * These names are the same on all processors with such counters.  Without pkg= the counts
 * are sums over all packages.
 */
static const char *const events[N_EVENTS] = {
	[READ] = "uncore:::UNCORE_MEM_READ_BYTES",
	[WRITTEN] = "uncore:::UNCORE_MEM_WRITE_BYTES",
	[BETWEEN] = "uncore:::UNCORE_SOCKET_IN_BYTES",
	[REQUESTS] = "uncore:::UNCORE_TOR_DRD_REQUESTS",
	[OCCUPANCY] = "uncore:::UNCORE_TOR_DRD_OCCUPANCY",
	[CLOCK] = "uncore:::UNCORE_CLOCKTICKS:pkg=0",
};

struct counted {
	int set;
	int n;                  /* events in the set */
	int position[N_EVENTS]; /* in the set; -1: not counted */
	long long counts[N_EVENTS];
};

static void give_up(const char *what, int code)
{
	const PAPI_component_info_t *c =
		PAPI_get_component_info(PAPI_get_component_index("uncore"));

	fprintf(stderr, "traffic: %s: %s\n", what, PAPI_strerror(code));
	if (c && c->disabled)
		fprintf(stderr, "%s\n", c->disabled_reason);
	fprintf(stderr,
		"set UNCORE_VERBOSE=1 for details, UNCORE_MACHINE=sim:snbep to simulate a Xeon\n");
	exit(1);
}

/* Memory reads are required; other events are skipped if this processor cannot count them. */
static void open_counters(struct counted *c)
{
	int code = PAPI_library_init(PAPI_VER_CURRENT);

	if (code != PAPI_VER_CURRENT)
		give_up("PAPI_library_init", code);
	c->set = PAPI_NULL;
	c->n = 0;
	code = PAPI_create_eventset(&c->set);
	if (code != PAPI_OK)
		give_up("PAPI_create_eventset", code);
	for (int i = 0; i < N_EVENTS; i++) {
		code = PAPI_add_named_event(c->set, events[i]);
		if (code != PAPI_OK && i == READ)
			give_up(events[i], code);
		c->position[i] = code == PAPI_OK ? c->n++ : -1;
		if (code != PAPI_OK)
			printf("%s: not counted, %s\n", events[i] + strlen("uncore:::"),
			       code == PAPI_ECNFLCT ? "conflicts with the other events"
						    : "not supported on this processor");
	}
}

static double value(const struct counted *c, int event)
{
	return c->position[event] < 0 ? 0 : (double)c->counts[c->position[event]];
}

/* ---- the work: a[i] = b[i] + s * c[i] ---- */

struct worker {
	pthread_t thread;
	size_t n, rounds;
	double *a, *b, *c;
};

static atomic_bool enough;

/* Each thread writes its part of the arrays first, so that it is allocated in its package. */
static void *work(void *argument)
{
	struct worker *w = argument;

	for (size_t i = 0; i < w->n; i++) {
		w->a[i] = 0;
		w->b[i] = 1;
		w->c[i] = 2;
	}
	for (w->rounds = 0; !atomic_load(&enough); w->rounds++) {
		const double s = (double)w->rounds;

		for (size_t i = 0; i < w->n; i++)
			w->a[i] = w->b[i] + s * w->c[i];
	}
	return NULL;
}

static size_t count_threads(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (cpus < 1)
		return 1;
	return cpus > MAX_THREADS ? MAX_THREADS : (size_t)cpus;
}

/* Returns the number of bytes loaded and stored by the threads. */
static double run_threads(struct worker *workers, size_t n, double *arrays)
{
	const size_t part = ELEMENTS / n;
	double bytes = 0;

	for (size_t t = 0; t < n; t++) {
		struct worker *w = &workers[t];

		w->n = part;
		w->a = arrays + t * part;
		w->b = w->a + ELEMENTS;
		w->c = w->b + ELEMENTS;
		if (pthread_create(&w->thread, NULL, work, w) != 0) {
			fprintf(stderr, "traffic: cannot create more than %zu threads\n", t);
			exit(1);
		}
	}
	sleep(SECONDS);
	atomic_store(&enough, true);
	for (size_t t = 0; t < n; t++) {
		pthread_join(workers[t].thread, NULL);
		bytes += 3.0 * sizeof(double) * (double)(part * (workers[t].rounds + 1));
	}
	return bytes;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the table ---- */

static void print_origin(void)
{
	const char *machine = getenv("UNCORE_MACHINE");

	if (machine && strncmp(machine, "sim:", 4) == 0)
		printf("SIMULATED Xeon (%s):\n"
		       "the counts describe simulated traffic, not this program\n\n",
		       machine);
}

static void print_rate(const struct counted *c, int event, const char *what, double seconds)
{
	const double bytes = value(c, event);

	if (c->position[event] >= 0)
		printf("%-20s %9.2f GB %9.2f GB/s\n", what, bytes / 1e9, bytes / seconds / 1e9);
}

static void print_requests(const struct counted *c, double seconds)
{
	const double n = value(c, REQUESTS), hz = value(c, CLOCK) / seconds;
	const double clocks = n > 0 ? value(c, OCCUPANCY) / n : 0;

	if (c->position[REQUESTS] < 0)
		return;
	printf("%-20s %9.2f M  %9.2f M/s   (at the last-level cache)\n", "demand data reads",
	       n / 1e6, n / seconds / 1e6);
	if (clocks > 0)
		printf("  %-18s %9.1f uncore clocks", "mean latency", clocks);
	if (clocks > 0 && hz > 0)
		printf(" = %.1f ns at %.2f GHz", clocks / hz * 1e9, hz / 1e9);
	printf("\n");
}

static void print_table(const struct counted *c, double seconds)
{
	print_rate(c, READ, "memory read", seconds);
	print_rate(c, WRITTEN, "memory written", seconds);
	print_rate(c, BETWEEN, "between packages", seconds);
	print_requests(c, seconds);
}

int main(void)
{
	static struct worker workers[MAX_THREADS];
	const size_t n = count_threads();
	double *arrays = malloc(3 * ELEMENTS * sizeof(*arrays));
	double seconds, bytes;
	struct counted c;
	int code;

	if (!arrays)
		return perror("traffic"), 1;
	print_origin();
	open_counters(&c);
	seconds = now();
	code = PAPI_start(c.set);
	if (code != PAPI_OK)
		give_up("PAPI_start", code);
	bytes = run_threads(workers, n, arrays);
	code = PAPI_stop(c.set, c.counts);
	if (code != PAPI_OK)
		give_up("PAPI_stop", code);
	seconds = now() - seconds;
	printf("a[i] = b[i] + s * c[i] in %zu threads for %.2f s: the program loaded and stored\n"
	       "%.2f GB; traffic of the whole machine in this time:\n\n",
	       n, seconds, bytes / 1e9);
	print_table(&c, seconds);
	free(arrays);
	return 0;
}
