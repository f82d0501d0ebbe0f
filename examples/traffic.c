/*
 * traffic.c - a multi-threaded program that measures what its own run does to
 * memory, last-level cache and socket interconnect; through PAPI alone.
 *
 *	cc -pthread traffic.c $(pkg-config --cflags --libs papi-uncore) -o traffic
 *
 * The counters belong to the package: whatever else runs there is counted, too.
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
#define ELEMENTS    ((size_t)8 << 20) /* of each array: 64 MiB, more than a cache holds */
#define LINE        64.0              /* bytes */
#define FLIT        8.0               /* data bytes of a QPI flit */

/* ---- the counters ---- */

enum { READS, WRITES, INSERTS, OCCUPANCY, CLOCK, COHERENT, NONCOHERENT, N_EVENTS };

/* Without box= and pkg= an event is the sum over all boxes and packages. */
static const char *const events[N_EVENTS] = {
	[READS] = "uncore:::UNC_M_CAS_COUNT:RD",
	[WRITES] = "uncore:::UNC_M_CAS_COUNT:WR",
	[INSERTS] = "uncore:::UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
	[OCCUPANCY] = "uncore:::UNC_C_TOR_OCCUPANCY:OPCODE:OPC_DRD",
	[CLOCK] = "uncore:::UNC_C_CLOCKTICKS:box=0:pkg=0",
	[COHERENT] = "uncore:::UNC_Q_RXL_FLITS_G1:DRS_DATA",
	[NONCOHERENT] = "uncore:::UNC_Q_RXL_FLITS_G2:NCB_DATA",
};

static void give_up(const char *what, int code)
{
	const PAPI_component_info_t *c =
		PAPI_get_component_info(PAPI_get_component_index("uncore"));

	fprintf(stderr, "traffic: %s: %s\n", what, PAPI_strerror(code));
	if (c && c->disabled)
		fprintf(stderr, "%s\n", c->disabled_reason);
	fprintf(stderr, "UNCORE_VERBOSE=1 tells more; UNCORE_MACHINE=sim:snbep simulates a Xeon\n");
	exit(1);
}

static int open_counters(void)
{
	int set = PAPI_NULL, code = PAPI_library_init(PAPI_VER_CURRENT);

	if (code != PAPI_VER_CURRENT)
		give_up("PAPI_library_init", code);
	code = PAPI_create_eventset(&set);
	if (code != PAPI_OK)
		give_up("PAPI_create_eventset", code);
	for (int i = 0; i < N_EVENTS; i++) {
		code = PAPI_add_named_event(set, events[i]);
		if (code != PAPI_OK)
			give_up(events[i], code);
	}
	return set;
}

/* ---- the work: a[i] = b[i] + s * c[i] ---- */

struct worker {
	pthread_t thread;
	size_t n, rounds;
	double *a, *b, *c;
};

static atomic_bool enough;

/* Each thread touches its part of the arrays first, so that it lies in its own package. */
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

/* Returns the bytes that the threads asked for. */
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
			fprintf(stderr, "traffic: no more than %zu threads\n", t);
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
		       "these numbers describe the simulated traffic, not this program\n\n",
		       machine);
}

static void print_table(const double *v, double seconds)
{
	const double hz = v[CLOCK] / seconds;
	const double clocks = v[INSERTS] > 0 ? v[OCCUPANCY] / v[INSERTS] : 0;
	const double qpi = FLIT * (v[COHERENT] + v[NONCOHERENT]);

	printf("memory read          %9.2f GB  %9.2f GB/s\n", v[READS] * LINE / 1e9,
	       v[READS] * LINE / seconds / 1e9);
	printf("memory written       %9.2f GB  %9.2f GB/s\n", v[WRITES] * LINE / 1e9,
	       v[WRITES] * LINE / seconds / 1e9);
	printf("between packages     %9.2f GB  %9.2f GB/s   (QPI data)\n", qpi / 1e9,
	       qpi / seconds / 1e9);
	printf("demand data reads    %9.2f M   %9.2f M/s    (that reached the last-level cache)\n",
	       v[INSERTS] / 1e6, v[INSERTS] / seconds / 1e6);
	printf("  average latency    %9.1f uncore clocks = %.1f ns at %.2f GHz\n", clocks,
	       hz > 0 ? clocks / hz * 1e9 : 0, hz / 1e9);
}

int main(void)
{
	static struct worker workers[MAX_THREADS];
	const size_t n = count_threads();
	double *arrays = malloc(3 * ELEMENTS * sizeof(*arrays));
	const int set = open_counters();
	long long counts[N_EVENTS];
	double value[N_EVENTS], seconds, bytes;
	int code;

	if (!arrays)
		return perror("traffic"), 1;
	print_origin();
	seconds = now();
	code = PAPI_start(set);
	if (code != PAPI_OK)
		give_up("PAPI_start", code);
	bytes = run_threads(workers, n, arrays);
	code = PAPI_stop(set, counts);
	if (code != PAPI_OK)
		give_up("PAPI_stop", code);
	seconds = now() - seconds;
	for (int i = 0; i < N_EVENTS; i++)
		value[i] = (double)counts[i];
	printf("a[i] = b[i] + s * c[i] in %zu threads for %.2f s: the program loaded and stored\n"
	       "%.2f GB; what the whole machine did meanwhile:\n\n",
	       n, seconds, bytes / 1e9);
	print_table(value, seconds);
	free(arrays);
	return 0;
}
