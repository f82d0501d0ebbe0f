/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region_bench.c - cost of a region beyond the reads of its begin and end: docs/regions.md.
 *
 * A two-package E5-2600 whose registers are files in memory, so that a read is as cheap as it can
 * be; each figure is measured together with reads of the same set in the same round.
 */
#include <pthread.h>

#include "clock.h"
#include "events.h"
#include "tree.h"

#include "uncore.h"

enum { ROUNDS = 1001, LOOPS = 20 };

static void die(struct uncore *u, const char *what)
{
	char text[UNCORE_ERRMSG_MAX];

	fprintf(stderr, "region_bench: %s: %s\n", what,
		u ? uncore_errmsg(u, text, sizeof(text)) : "failed");
	exit(1);
}

static double time_reads(struct uncore_set *set)
{
	int64_t values[40];
	const double start = now_ns();

	for (int i = 0; i < 2 * LOOPS; i++)
		uncore_set_read(set, values);
	return (now_ns() - start) / LOOPS;
}

static double time_region(struct uncore_set *set, unsigned id)
{
	const double start = now_ns();

	for (int i = 0; i < LOOPS; i++) {
		uncore_region_begin(set, id);
		uncore_region_end(set, id);
	}
	return (now_ns() - start) / LOOPS;
}

static double time_named(struct uncore_set *set, const char *name)
{
	const double start = now_ns();
	unsigned id;

	for (int i = 0; i < LOOPS; i++) {
		uncore_region(set, name, &id);
		uncore_region_begin(set, id);
		uncore_region(set, name, &id);
		uncore_region_end(set, id);
	}
	return (now_ns() - start) / LOOPS;
}

static struct uncore_set *start(struct uncore *u, const struct bench_set *events)
{
	const size_t n = bench_set_size(events);
	struct uncore_set *set;
	unsigned ids[40];

	for (size_t i = 0; i < n; i++)
		if (uncore_event(u, events->events[i], &ids[i]) < 0)
			die(u, events->events[i]);
	if (uncore_set_create(u, &set) < 0 || uncore_set_assign(set, ids, n) < 0 ||
	    uncore_set_start(set) < 0)
		die(u, events->title);
	return set;
}

static void bench_set(struct uncore *u, const struct bench_set *events)
{
	double reads[ROUNDS], beyond[ROUNDS], ratio[ROUNDS], named[ROUNDS], inside[ROUNDS];
	struct uncore_set *set = start(u, events);
	unsigned id, outer;

	if (uncore_region(set, "a region of the program", &id) < 0 ||
	    uncore_region(set, "another one", &outer) < 0)
		die(u, "region");
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double read = time_reads(set), region = time_region(set, id),
			     by_name = time_named(set, "a region of the program");

		reads[i] = read / 2;
		beyond[i] = (region - read) / 2;
		ratio[i] = region / read;
		named[i] = (by_name - read) / 2;
		uncore_region_begin(set, outer);
		inside[i] = time_region(set, outer) / 2;
		uncore_region_end(set, outer);
	}
	printf("  %-34s read %7.0f ns; begin or end %+6.1f ns, %.3f x; by name %+6.1f ns; others "
	       "inside %5.1f ns\n",
	       events->title, median(reads, repeats(ROUNDS)), median(beyond, repeats(ROUNDS)),
	       median(ratio, repeats(ROUNDS)), median(named, repeats(ROUNDS)),
	       median(inside, repeats(ROUNDS)));
	uncore_set_stop(set); /* files do not reset: what it finds is not looked at */
	uncore_set_destroy(set);
}

/* ---- two threads that use one region ---- */

struct crowd {
	struct uncore_set *set;
	unsigned id;
	double took;
};

static void *use(void *arg)
{
	struct crowd *crowd = arg;
	double rounds[ROUNDS];

	for (int i = 0; i < repeats(ROUNDS); i++)
		rounds[i] = time_region(crowd->set, crowd->id) / 2;
	crowd->took = median(rounds, repeats(ROUNDS));
	return NULL;
}

static void bench_threads(struct uncore *u)
{
	struct crowd crowd = {.set = start(u, &bench_sets[0])}, other;
	pthread_t thread;

	if (uncore_region(crowd.set, "a region of two threads", &crowd.id) < 0)
		die(u, "region");
	uncore_region_begin(crowd.set, crowd.id);
	other = crowd;
	if (pthread_create(&thread, NULL, use, &other) != 0)
		die(NULL, "thread");
	use(&crowd);
	pthread_join(thread, NULL);
	printf("  two threads at once, others inside: %.1f and %.1f ns\n", crowd.took, other.took);
	uncore_set_stop(crowd.set);
	uncore_set_destroy(crowd.set);
}

int main(void)
{
	char root[] = "/dev/shm/uncore-bench-XXXXXX", command[128];
	const struct uncore_options options = {.size = sizeof(options),
					       .machine = "native",
					       .sysroot = root,
					       .wrap_poller = -1,
					       .journal = "none",
					       .access = "direct"};
	struct uncore *u;

	if (!mkdtemp(root))
		die(NULL, root);
	tree_build(root);
	if (uncore_open(&u, &options) < 0)
		die(u, "opening");
	printf("regions (register files in memory; goal: 50 ns beyond the reads):\n");
	for (size_t i = 0; i < BENCH_SETS; i++)
		bench_set(u, &bench_sets[i]);
	bench_threads(u);
	uncore_close(u);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) != 0;
}
