/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read_bench.c - the price of a read.
 *
 * On a tree of register files: PAPI_read against a bare loop of the preads that
 * it makes, and against one pread per counter, in the same run.  On the
 * simulated machine: the component's own time per counter, above the accesses.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <papi.h>

#include "clock.h"
#include "events.h"
#include "tree.h"

#include "plan/complete.h"
#include "plan/plan.h"
#include "set/inside.h"
#include "set/set.h"
#include "uncore_inspect.h"

enum { ROUNDS = 21, MAX_COUNTERS = 256 };

static char root[64];

static void die(const char *what, int code)
{
	fprintf(stderr, "read_bench: %s: error %d\n", what, code);
	exit(1);
}

/* ---- the bare loop ---- */

struct access {
	int fd;
	off_t offset;
	size_t bytes;
};

struct bare {
	size_t n_single, n_merged;
	struct access single[MAX_COUNTERS], merged[MAX_COUNTERS];
};

static int open_register_file(const struct unc_op *op)
{
	char path[512];

	if (op->space == UNCORE_MSR)
		tree_path(path, sizeof(path), root, "dev/cpu/%d/msr", op->package * TREE_CORES);
	else
		tree_path(path, sizeof(path), root, "sys/bus/pci/devices/0000:%02x:%02x.%x/config",
			  op->package ? 0xff : 0x7f, op->devfn >> 3, op->devfn & 7);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void plan_bare(struct bare *bare, struct uncore *u, const struct bench_set *set)
{
	unsigned ids[40];
	struct uncore_plan *plan;
	const size_t n = bench_set_size(set);

	for (size_t i = 0; i < n; i++)
		if (uncore_event(u, set->events[i], &ids[i]) < 0)
			die(set->events[i], 0);
	if (uncore_plan(u, ids, n, NULL, &plan) < 0 || !plan->feasible)
		die("plan", 0);
	memset(bare, 0, sizeof(*bare));
	for (size_t i = 0; i < plan->read.n; i++) {
		const struct unc_op *op = &plan->read.op[i], *before = op - 1;
		const struct access a = {open_register_file(op), (off_t)op->address, 8};

		bare->single[bare->n_single++] = a;
		if (i && op->space == UNCORE_PCI && before->unit == op->unit &&
		    before->space == UNCORE_PCI && op->address == before->address + 8)
			bare->merged[bare->n_merged - 1].bytes += 8;
		else
			bare->merged[bare->n_merged++] = a;
	}
	uncore_plan_free(plan);
}

static double time_bare(const struct access *accesses, size_t n, int loops)
{
	uint64_t buffer[8], sum = 0;
	const double start = now_ns();

	for (int k = 0; k < loops; k++)
		for (size_t i = 0; i < n; i++) {
			if (pread(accesses[i].fd, buffer, accesses[i].bytes, accesses[i].offset) <
			    0)
				die("pread", 0);
			sum += buffer[0];
		}
	(void)sum;
	return (now_ns() - start) / loops;
}

static void close_bare(struct bare *bare)
{
	for (size_t i = 0; i < bare->n_single; i++)
		close(bare->single[i].fd);
}

/* ---- PAPI ---- */

static int start_papi(const struct bench_set *set)
{
	int eventset = PAPI_NULL, r = PAPI_create_eventset(&eventset);
	char name[PAPI_MAX_STR_LEN];

	for (size_t i = 0; r == PAPI_OK && i < bench_set_size(set); i++) {
		snprintf(name, sizeof(name), "uncore:::%s", set->events[i]);
		r = PAPI_add_named_event(eventset, name);
	}
	if (r == PAPI_OK)
		r = PAPI_start(eventset);
	if (r != PAPI_OK)
		die(PAPI_strerror(r), r);
	return eventset;
}

static void stop_papi(int eventset)
{
	long long values[40];

	/* in a plain file neighbouring MSRs overlap, so the controls look tampered with once */
	if (PAPI_stop(eventset, values) != PAPI_OK)
		PAPI_stop(eventset, values);
	PAPI_cleanup_eventset(eventset);
	PAPI_destroy_eventset(&eventset);
}

static double time_papi(int eventset, int loops)
{
	long long values[40];
	const double start = now_ns();

	for (int k = 0; k < loops; k++)
		PAPI_read(eventset, values);
	return (now_ns() - start) / loops;
}

static void bench_tree_set(struct uncore *u, const struct bench_set *set)
{
	double papi[ROUNDS], same[ROUNDS], one[ROUNDS];
	struct bare bare;
	const int eventset = start_papi(set);
	int loops;

	plan_bare(&bare, u, set);
	loops = (int)(20000 / (bare.n_single + 1)) + 1;
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double same_ns = time_bare(bare.merged, bare.n_merged, loops);
		const double papi_ns = time_papi(eventset, loops);
		const double one_ns = time_bare(bare.single, bare.n_single, loops);

		papi[i] = papi_ns;
		same[i] = papi_ns / same_ns;
		one[i] = papi_ns / one_ns;
	}
	printf("  %-34s %4zu accesses %9.0f ns %6.2f x the same preads %6.2f x one pread a counter\n",
	       set->title, bare.n_merged, median(papi, repeats(ROUNDS)),
	       median(same, repeats(ROUNDS)), median(one, repeats(ROUNDS)));
	stop_papi(eventset);
	close_bare(&bare);
}

static void bench_tree(void)
{
	struct uncore_options options = {
		.size = sizeof(options), .machine = "native", .sysroot = root, .wrap_poller = -1};
	struct uncore *u;

	if (uncore_open(&u, &options) < 0)
		die("tree", 0);
	printf("PAPI_read on a tree of register files, against bare loops in the same run:\n");
	for (int i = 0; i < BENCH_SETS; i++)
		bench_tree_set(u, &bench_sets[i]);
	uncore_close(u);
}

/* ---- own time on the simulated machine ---- */

static double time_accesses(struct unc_hw *hw, const struct uncore_plan *plan, int loops)
{
	uint64_t value;
	const double start = now_ns();

	for (int k = 0; k < loops; k++)
		for (size_t i = 0; i < plan->read.n; i++)
			hw->ops->read(hw, &plan->read.op[i], &value);
	return (now_ns() - start) / loops;
}

/* A read looks at the clock before its first register. */
static double time_clock(struct uncore *u, int loops)
{
	const double start = now_ns();

	for (int k = 0; k < loops; k++)
		unc_clock(unc_hw_of(u));
	return (now_ns() - start) / loops;
}

static double time_read(struct uncore_set *set, int loops)
{
	int64_t values[40];
	const double start = now_ns();

	for (int k = 0; k < loops; k++)
		uncore_set_read(set, values);
	return (now_ns() - start) / loops;
}

static void bench_own_time_set(struct uncore *u, const struct bench_set *b)
{
	const size_t n = bench_set_size(b);
	double own[ROUNDS];
	struct uncore_plan *plan;
	struct uncore_set *set;
	unsigned ids[40];

	for (size_t i = 0; i < n; i++)
		uncore_event(u, b->events[i], &ids[i]);
	if (uncore_plan(u, ids, n, NULL, &plan) < 0 || !plan->read.n ||
	    uncore_set_create(u, &set) < 0 || uncore_set_assign(set, ids, n) < 0 ||
	    uncore_set_start(set) < 0)
		die("simulated machine", 0);
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double bare = time_accesses(unc_hw_of(u), plan, 200);

		own[i] = (time_read(set, 200) - bare) / (double)plan->read.n;
	}
	printf("  %-34s %6.1f ns a counter\n", b->title, median(own, repeats(ROUNDS)));
	uncore_set_destroy(set);
	uncore_plan_free(plan);
}

static void bench_own_time(void)
{
	struct uncore_options options = {.size = sizeof(options),
					 .machine = "sim:snbep:packages=2,cores=8",
					 .wrap_poller = -1};
	double looks[ROUNDS];
	struct uncore *u;

	if (uncore_open(&u, &options) < 0)
		die("simulated machine", 0);
	printf("own time of a library read above its accesses, simulated machine:\n");
	for (int i = 0; i < BENCH_SETS; i++)
		bench_own_time_set(u, &bench_sets[i]);
	for (int i = 0; i < repeats(ROUNDS); i++)
		looks[i] = time_clock(u, 20000);
	printf("  of it, a look at the clock         %6.1f ns a read\n",
	       median(looks, repeats(ROUNDS)));
	uncore_close(u);
}

int main(void)
{
	char remove[128];
	int r;

	snprintf(root, sizeof(root), "/tmp/uncore-bench-XXXXXX");
	if (!mkdtemp(root))
		die("mkdtemp", 0);
	tree_build(root);
	setenv("UNCORE_MACHINE", "native", 1);
	setenv("UNCORE_SYSROOT", root, 1);
	setenv("UNCORE_WRAP_POLLER", "0", 1);
	r = PAPI_library_init(PAPI_VER_CURRENT);
	if (r != PAPI_VER_CURRENT)
		die("PAPI_library_init", r);
	bench_tree();
	PAPI_shutdown();
	bench_own_time();
	snprintf(remove, sizeof(remove), "rm -rf %s", root);
	return system(remove) != 0;
}
