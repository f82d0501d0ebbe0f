/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * growth_bench.c - how the cost of each call grows with packages, CHAs, events, sets and threads,
 * as the exponent of a fit: 1 is linear.  An exponent far above the expected one is a mistake.
 *
 * All machines are simulated, but for recovery: that needs the files of one.
 */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "clock.h"
#include "tree.h"

#include "uncore_inspect.h"

enum {
	ROUNDS = 5,
	SIZES = 4,
	MOST_EVENTS = 1024,
	MOST_SETS = 1000,
	MOST_THREADS = 16,
	READS = 200
};

static void need(int code, const char *what, struct uncore *u)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code == 0)
		return;
	fprintf(stderr, "growth_bench: %s: %s\n", what,
		u ? uncore_errmsg(u, text, sizeof(text)) : "");
	exit(1);
}

/* ---- machines, events and sets ---- */

static struct uncore *open_machine(const char *platform, unsigned packages, unsigned cores)
{
	char spec[80];
	const struct uncore_options options = {
		.size = sizeof(options), .machine = spec, .wrap_poller = -1};
	struct uncore *u = NULL;

	snprintf(spec, sizeof(spec), "sim:%s:packages=%u,cores=%u", platform, packages, cores);
	need(uncore_open(&u, &options), spec, u);
	return u;
}

static struct uncore *open_large(void)
{
	return open_machine("gnr", 2, 128);
}

/* Of one CHA each, four in each CHA. */
static void find_events(struct uncore *u, unsigned *ids, unsigned n)
{
	char name[80];

	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "gnr_unc_cha%u::RAW:config=%#x:pkg=%u", i / 4 % 128,
			 i % 4 + 1, i / 512);
		need(uncore_event(u, name, &ids[i]), name, u);
	}
}

static struct uncore_set *make_set(struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_set *set = NULL;

	need(uncore_set_create(u, &set), "create", u);
	need(uncore_set_assign(set, ids, n), "assign", u);
	return set;
}

/* An event of all CHAs. */
static struct uncore_set *set_of_all(struct uncore *u)
{
	unsigned id;

	need(uncore_event(u, "UNC_CHA_TOR_INSERTS:IA_MISS_DRD", &id), "event", u);
	return make_set(u, &id, 1);
}

/* ---- what is timed; each returns ns ---- */

static double time_open(const char *platform, unsigned packages, unsigned cores)
{
	const double start = now_ns();
	struct uncore *u = open_machine(platform, packages, cores);
	const double ns = now_ns() - start;

	uncore_close(u);
	return ns;
}

static double open_packages(unsigned n)
{
	return time_open("icx", n, 40);
}

static double open_chas(unsigned n)
{
	return time_open("gnr", 2, n);
}

static double time_start_and_stop(struct uncore *u, struct uncore_set *set)
{
	const double start = now_ns();

	need(uncore_set_start(set), "start", u);
	need(uncore_set_stop(set), "stop", u);
	return now_ns() - start;
}

/* The first start finds which registers read back.  Closes the machine. */
static double time_second_start(struct uncore *u, struct uncore_set *set)
{
	double ns;

	time_start_and_stop(u, set);
	ns = time_start_and_stop(u, set);
	uncore_close(u);
	return ns;
}

static double start_on(const char *platform, unsigned packages, unsigned cores)
{
	struct uncore *u = open_machine(platform, packages, cores);

	return time_second_start(u, set_of_all(u));
}

static double start_packages(unsigned n)
{
	return start_on("icx", n, 40);
}

static double start_chas(unsigned n)
{
	return start_on("gnr", 2, n);
}

static double assign_events(unsigned n)
{
	static unsigned ids[MOST_EVENTS];
	struct uncore *u = open_large();
	double ns;

	find_events(u, ids, n);
	uncore_set_destroy(make_set(u, ids, 1));
	ns = now_ns();
	make_set(u, ids, n);
	ns = now_ns() - ns;
	uncore_close(u);
	return ns;
}

static double start_events(unsigned n)
{
	static unsigned ids[MOST_EVENTS];
	struct uncore *u = open_large();

	find_events(u, ids, n);
	return time_second_start(u, make_set(u, ids, n));
}

static double read_events(unsigned n)
{
	static unsigned ids[MOST_EVENTS];
	static int64_t values[MOST_EVENTS];
	struct uncore *u = open_large();
	struct uncore_set *set;
	double ns;

	find_events(u, ids, n);
	set = make_set(u, ids, n);
	need(uncore_set_start(set), "start", u);
	ns = now_ns();
	for (int i = 0; i < READS; i++)
		need(uncore_set_read(set, values), "read", u);
	ns = (now_ns() - ns) / READS;
	uncore_close(u);
	return ns;
}

/* Sets of one event each, which share its counter. */
static double make_sets(unsigned n)
{
	static struct uncore_set *sets[MOST_SETS];
	struct uncore *u = open_large();
	unsigned id;
	double ns;

	find_events(u, &id, 1);
	ns = now_ns();
	for (unsigned i = 0; i < n; i++)
		sets[i] = make_set(u, &id, 1);
	for (unsigned i = 0; i < n; i++)
		need(uncore_set_start(sets[i]), "start", u);
	for (unsigned i = 0; i < n; i++)
		need(uncore_set_stop(sets[i]), "stop", u);
	for (unsigned i = 0; i < n; i++)
		uncore_set_destroy(sets[i]);
	ns = now_ns() - ns;
	uncore_close(u);
	return ns;
}

struct reader {
	struct uncore *u;
	struct uncore_set *set;
	pthread_t thread;
};

static void *read_often(void *arg)
{
	const struct reader *r = arg;
	int64_t value;

	for (int i = 0; i < READS; i++)
		need(uncore_set_read(r->set, &value), "read", r->u);
	return NULL;
}

/* Threads that read one set; there are more of them than processors. */
static double read_threads(unsigned n)
{
	struct uncore *u = open_large();
	struct reader readers[MOST_THREADS];
	struct uncore_set *set = set_of_all(u);
	double ns;

	need(uncore_set_start(set), "start", u);
	ns = now_ns();
	for (unsigned i = 0; i < n; i++) {
		readers[i] = (struct reader){.u = u, .set = set};
		if (pthread_create(&readers[i].thread, NULL, read_often, &readers[i]) != 0)
			need(UNCORE_ENOMEM, "thread", NULL);
	}
	for (unsigned i = 0; i < n; i++)
		pthread_join(readers[i].thread, NULL);
	ns = now_ns() - ns;
	uncore_close(u);
	return ns;
}

/* ---- recovery ---- */

static struct uncore *open_tree(const char *root, const char *journal)
{
	const struct uncore_options options = {.size = sizeof(options),
					       .machine = "native",
					       .sysroot = root,
					       .wrap_poller = -1,
					       .journal = journal};
	struct uncore *u = NULL;

	need(uncore_open(&u, &options), root, u);
	return u;
}

/* The first start after a process that counted in n boxes of each package was killed. */
static double recover_boxes(unsigned n)
{
	char root[] = "/dev/shm/uncore-growth-XXXXXX", journal[64], command[128], event[64];
	struct uncore *u;
	struct uncore_set *set;
	cpu_set_t all, first;
	unsigned id;
	pid_t pid;
	double ns;

	/* the files of a tree are not shared by the CPUs of a package, as registers are */
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_getaffinity(0, sizeof(all), &all) != 0 ||
	    sched_setaffinity(0, sizeof(first), &first) != 0 || !mkdtemp(root))
		need(UNCORE_EACCESS, root, NULL);
	tree_build(root);
	snprintf(journal, sizeof(journal), "%s/journal", root);
	snprintf(event, sizeof(event), "UNC_C_CLOCKTICKS:box=0-%u", n - 1);
	pid = fork();
	if (pid == 0) {
		u = open_tree(root, journal);
		need(uncore_event(u, event, &id), event, u);
		need(uncore_set_start(make_set(u, &id, 1)), event, u);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	u = open_tree(root, journal);
	need(uncore_event(u, "UNC_M_CLOCKTICKS:box=0", &id), "event", u);
	set = make_set(u, &id, 1);
	ns = now_ns();
	need(uncore_set_start(set), "start", u);
	ns = now_ns() - ns;
	uncore_close(u);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	need(system(command), command, NULL);
	sched_setaffinity(0, sizeof(all), &all);
	return ns;
}

/* ---- growth ---- */

struct growth {
	const char *what, *by;
	double (*time)(unsigned n);
	unsigned sizes[SIZES];
};

#define HIGH 1.25 /* all of them are expected to be linear */

static const struct growth growths[] = {
	{"open", "packages", open_packages, {1, 2, 4, 8}},
	{"open", "CHAs of a package", open_chas, {16, 32, 64, 128}},
	{"start and stop", "packages", start_packages, {1, 2, 4, 8}},
	{"start and stop", "CHAs of a package", start_chas, {16, 32, 64, 128}},
	{"assign", "events", assign_events, {16, 64, 256, 1024}},
	{"start and stop", "events", start_events, {16, 64, 256, 1024}},
	{"read", "events", read_events, {16, 64, 256, 1024}},
	{"create to destroy", "sets", make_sets, {1, 10, 100, 1000}},
	{"read", "threads", read_threads, {2, 4, 8, 16}},
	{"recovery", "boxes", recover_boxes, {1, 2, 4, 8}},
};

/* By least squares, of the logarithms. */
static double exponent(const unsigned *sizes, const double *ns)
{
	double x = 0, y = 0, xx = 0, xy = 0;

	for (int i = 0; i < SIZES; i++) {
		x += log(sizes[i]) / SIZES;
		y += log(ns[i]) / SIZES;
	}
	for (int i = 0; i < SIZES; i++) {
		xx += (log(sizes[i]) - x) * (log(sizes[i]) - x);
		xy += (log(sizes[i]) - x) * (log(ns[i]) - y);
	}
	return xy / xx;
}

static void bench(const struct growth *g)
{
	double ns[SIZES], fit;

	printf("  %-18s by %-18s", g->what, g->by);
	for (int i = 0; i < SIZES; i++) {
		double times[ROUNDS];

		for (int k = 0; k < repeats(ROUNDS); k++)
			times[k] = g->time(g->sizes[i]);
		ns[i] = median(times, repeats(ROUNDS));
		printf(" %4u: %9.3f ms", g->sizes[i], ns[i] / 1e6);
	}
	fit = exponent(g->sizes, ns);
	printf("; exponent %.2f%s\n", fit, fit > HIGH ? ", TOO HIGH" : "");
}

int main(void)
{
	printf("growth of the cost, simulated machines:\n");
	for (size_t i = 0; i < sizeof(growths) / sizeof(*growths); i++)
		bench(&growths[i]);
	return 0;
}
