/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * init_bench.c - time that the component adds to PAPI_library_init(), and the
 * cost of listing and planning.
 *
 * Each initialisation is a separate process, alternately with the drop-in
 * library and with the distribution's.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <papi.h>

#include "../support/system_calls.h"
#include "clock.h"
#include "events.h"
#include "tree.h"

#include "hw/regs.h"
#include "plan/complete.h"
#include "set/inside.h"
#include "uncore_inspect.h"

enum { ROUNDS = 21 };

/* ---- PAPI_library_init ---- */

/* Prints the times of one initialisation and of the first event of the component, in ns. */
static int init_once(void)
{
	const double start = now_ns();
	double initialized;
	int code;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		return 1;
	initialized = now_ns();
	PAPI_event_name_to_code("uncore:::UNC_M_CAS_COUNT:RD", &code);
	printf("%.0f %.0f\n", initialized - start, now_ns() - initialized);
	return 0;
}

/* A machine, and the files that it is looked for in. */
struct place {
	const char *machine, *root;
};

struct times {
	double init, event; /* ns */
};

/* In a process of its own. */
static struct times init_process(const char *self, const char *libraries, const struct place *place)
{
	char command[1024], text[64] = "";
	struct times t;
	FILE *pipe;

	snprintf(command, sizeof(command), "%s%s UNCORE_MACHINE=%s UNCORE_SYSROOT=%s %s --init",
		 *libraries ? "LD_LIBRARY_PATH=" : "", libraries, place->machine, place->root,
		 self);
	pipe = popen(command, "r");
	if (!pipe || !fgets(text, sizeof(text), pipe) ||
	    sscanf(text, "%lf %lf", &t.init, &t.event) != 2) {
		fprintf(stderr, "init_bench: %s failed\n", command);
		exit(1);
	}
	pclose(pipe);
	return t;
}

static void bench_init(const char *self, const char *title, struct place place)
{
	const char *stock = getenv("STOCK_LIBDIR");
	double with[ROUNDS], without[ROUNDS], added[ROUNDS], first[ROUNDS];

	for (int i = 0; i < repeats(ROUNDS); i++) {
		const struct times ours = init_process(self, "", &place);

		with[i] = ours.init;
		first[i] = ours.event;
		without[i] = init_process(self, stock ? stock : "/usr/lib/x86_64-linux-gnu", &place)
				     .init;
		added[i] = with[i] - without[i];
	}
	printf("  %-20s %.3f ms with, %.3f ms without, %+.3f ms; first event %.3f ms\n", title,
	       median(with, repeats(ROUNDS)) / 1e6, median(without, repeats(ROUNDS)) / 1e6,
	       median(added, repeats(ROUNDS)) / 1e6, median(first, repeats(ROUNDS)) / 1e6);
}

/* ---- opening a machine with many PCI devices ---- */

static bool open_tree(void *root)
{
	const struct uncore_options options = {
		.size = sizeof(options), .machine = "native", .sysroot = root};
	struct uncore *u;

	return uncore_open(&u, &options) == 0;
}

static bool do_nothing(void *unused)
{
	(void)unused;
	return true;
}

static void bench_tree(const char *self)
{
	char root[] = "/tmp/uncore-bench-XXXXXX", command[64];

	if (!mkdtemp(root)) {
		perror(root);
		exit(1);
	}
	tree_build(root);
	bench_init(self, "files of an E5-2600, 83 devices", (struct place){"native", root});
	printf("  uncore_open() on these files: %ld system calls, %.1f for each PCI device\n",
	       system_calls_of(open_tree, root) - system_calls_of(do_nothing, NULL),
	       (double)(system_calls_of(open_tree, root) - system_calls_of(do_nothing, NULL)) /
		       TREE_DEVICES);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command) != 0)
		fprintf(stderr, "init_bench: %s is left\n", root);
}

/* ---- listing ---- */

static unsigned list_all(struct uncore *u)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	unsigned n = 0, id, umask;

	for (unsigned i = 0; uncore_listed_event(u, i, &id) == 1; i++) {
		uncore_event_info(u, id, &info);
		n++;
		for (umask = id; uncore_event_umask(u, umask, 0, &umask) == 1; n++)
			uncore_event_info(u, umask, &info);
	}
	return n;
}

static void bench_listing(struct uncore *u)
{
	const double start = now_ns();
	const unsigned n = list_all(u);
	const double first = now_ns() - start;
	double again[ROUNDS];

	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double t = now_ns();

		list_all(u);
		again[i] = now_ns() - t;
	}
	printf("listing %u events and umasks with descriptions: %.2f ms, again %.2f ms\n", n,
	       first / 1e6, median(again, repeats(ROUNDS)) / 1e6);
}

/* ---- planning, starting and stopping ---- */

static const struct unc_hw_ops *behind;
static size_t accesses;

static int count_read(struct unc_hw *hw, const struct unc_op *op, uint64_t *value)
{
	accesses++;
	return behind->read(hw, op, value);
}

static int count_write(struct unc_hw *hw, const struct unc_op *op, uint64_t value)
{
	accesses++;
	return behind->write(hw, op, value);
}

/* Counters that one access can read are one access. */
static int count_read_many(struct unc_hw *hw, const struct unc_op *const *ops, unsigned n,
			   uint64_t *values)
{
	accesses++;
	for (unsigned i = 0; i < n; i++)
		behind->read(hw, ops[i], &values[i]);
	return 0;
}

static size_t count_writes(const struct unc_ops *ops)
{
	size_t n = 0;

	for (size_t i = 0; i < ops->n; i++)
		n += ops->op[i].kind != UNCORE_READ;
	return n;
}

static size_t accesses_of(int (*call)(struct uncore_set *), struct uncore_set *set)
{
	accesses = 0;
	if (call(set) < 0)
		exit(1);
	return accesses;
}

static size_t accesses_of_read(struct uncore_set *set)
{
	int64_t values[40];

	accesses = 0;
	uncore_set_read(set, values);
	return accesses;
}

/* The first start, one when all is known, and a stop; relative to the writes and reads needed. */
static void bench_start_stop(struct uncore *u, const unsigned *ids, size_t n,
			     const struct uncore_plan *plan)
{
	const size_t starts = count_writes(&plan->setup) + count_writes(&plan->start);
	size_t stops = count_writes(&plan->stop) + count_writes(&plan->restore);
	size_t first = 0, again = 0, stop = 0;
	struct uncore_set *set;

	if (uncore_set_create(u, &set) < 0 || uncore_set_assign(set, ids, n) < 0)
		exit(1);
	for (int i = 0; i < 3; i++) {
		again = accesses_of(uncore_set_start, set);
		first = first ? first : again;
		stops += i == 0 ? accesses_of_read(set) : 0;
		stop = accesses_of(uncore_set_stop, set);
	}
	uncore_set_destroy(set);
	printf("; start %4zu, later %4zu (%.2f x), stop %4zu (%.2f x)\n", first, again,
	       (double)again / (double)starts, stop, (double)stop / (double)stops);
}

static void bench_plan_set(struct uncore *u, const struct bench_set *set)
{
	const size_t n = bench_set_size(set);
	double times[ROUNDS];
	struct uncore_plan *plan;
	unsigned ids[40];

	for (size_t i = 0; i < n; i++)
		uncore_event(u, set->events[i], &ids[i]);
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double start = now_ns();

		if (uncore_plan(u, ids, n, NULL, &plan) < 0 || !plan->feasible)
			exit(1);
		times[i] = now_ns() - start;
		if (i < repeats(ROUNDS) - 1)
			uncore_plan_free(plan);
	}
	printf("  %-34s %6.1f us", set->title, median(times, repeats(ROUNDS)) / 1e3);
	bench_start_stop(u, ids, n, plan);
	uncore_plan_free(plan);
}

static void bench_planning(struct uncore *u)
{
	struct unc_hw *hw = unc_hw_of(u);
	struct unc_hw_ops counting = *hw->ops;

	behind = hw->ops;
	counting.read = count_read;
	counting.write = count_write;
	counting.read_many = count_read_many;
	hw->ops = &counting;
	printf("planning, and register accesses (minimum: the writes of the program; at a stop also a\n"
	       "read of the counters), simulated two-package machine:\n");
	for (int i = 0; i < BENCH_SETS; i++)
		bench_plan_set(u, &bench_sets[i]);
	hw->ops = behind;
}

int main(int argc, char **argv)
{
	struct uncore_options options = {.size = sizeof(options),
					 .machine = "sim:snbep:packages=2,cores=8"};
	struct uncore *u;

	if (argc > 1 && strcmp(argv[1], "--init") == 0)
		return init_once();
	printf("PAPI_library_init in a new process, drop-in against the distribution's library:\n");
	bench_init(argv[0], "this machine", (struct place){"native", "/"});
	bench_init(argv[0], "simulated E5-2600", (struct place){"sim:snbep", "/"});
	bench_tree(argv[0]);
	if (uncore_open(&u, &options) < 0)
		return 1;
	bench_listing(u);
	bench_planning(u);
	uncore_close(u);
	return 0;
}
