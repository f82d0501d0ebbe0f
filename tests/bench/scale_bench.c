/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scale_bench.c - how listing, planning and reading grow with the machine.
 *
 * Simulated machines from 16 to 256 boxes of one kind: one event over all of
 * them must cost one register access a box and nothing that grows faster, and
 * a listing has each event once per kind of box, however many boxes there are.
 * Lists of up to 512 events for four counters, multiplexed and refused; 1,024
 * events added one by one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

#include "plan/complete.h"
#include "plan/plan.h"
#include "set/inside.h"
#include "uncore_inspect.h"

enum { ROUNDS = 21, READS = 100 };

struct machine {
	const char *spec, *event; /* the event that every CBo or CHA can count */
};

static const struct machine machines[] = {
	{"sim:snbep:packages=2,cores=8", "UNC_C_CLOCKTICKS"},
	{"sim:skx:packages=2,cores=28", "UNC_C_CLOCKTICKS"},
	{"sim:icx:packages=2,cores=40", "UNC_CHA_CLOCKTICKS"},
	{"sim:spr:packages=2,cores=60", "UNC_CHA_CLOCKTICKS"},
	{"sim:gnr:packages=2,cores=128", "gnr_unc_cha::RAW:config=0x1"},
};

static void die(const char *what, struct uncore *u)
{
	char text[UNCORE_ERRMSG_MAX];

	fprintf(stderr, "scale_bench: %s: %s\n", what,
		u ? uncore_errmsg(u, text, sizeof(text)) : "");
	exit(1);
}

static struct uncore *open_timed(const char *spec, double *ns)
{
	const struct uncore_options options = {
		.size = sizeof(options), .machine = spec, .wrap_poller = -1};
	const double start = now_ns();
	struct uncore *u;

	if (uncore_open(&u, &options) < 0)
		die(spec, u);
	*ns = now_ns() - start;
	return u;
}

/* As PAPI's enumeration: names and descriptions of all listed events. */
static unsigned list_events(struct uncore *u)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	unsigned n = 0, id;

	for (unsigned i = 0; uncore_listed_event(u, i, &id) == 1; i++) {
		uncore_event_info(u, id, &info);
		n++;
	}
	return n;
}

static double time_plan(struct uncore *u, unsigned id, size_t *reads)
{
	double times[ROUNDS];

	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double start = now_ns();
		struct uncore_plan *plan;

		if (uncore_plan(u, &id, 1, NULL, &plan) < 0 || !plan->feasible)
			die("plan", u);
		times[i] = now_ns() - start;
		*reads = plan->read.n;
		uncore_plan_free(plan);
	}
	return median(times, repeats(ROUNDS));
}

/* The accesses themselves, as a bare loop over the plan's reads. */
static double time_accesses(struct uncore *u, unsigned id)
{
	struct unc_hw *hw = unc_hw_of(u);
	struct uncore_plan *plan;
	uint64_t value;
	double start, ns;

	if (uncore_plan(u, &id, 1, NULL, &plan) < 0)
		die("plan", u);
	start = now_ns();
	for (int k = 0; k < READS; k++)
		for (size_t i = 0; i < plan->read.n; i++)
			hw->ops->read(hw, &plan->read.op[i], &value);
	ns = (now_ns() - start) / READS;
	uncore_plan_free(plan);
	return ns;
}

static double time_read(struct uncore_set *set)
{
	const double start = now_ns();
	int64_t value;

	for (int k = 0; k < READS; k++)
		uncore_set_read(set, &value);
	return (now_ns() - start) / READS;
}

static void bench_reading(struct uncore *u, unsigned id, size_t boxes)
{
	double ratio[ROUNDS], own[ROUNDS];
	struct uncore_set *set;

	if (uncore_set_create(u, &set) < 0 || uncore_set_assign(set, &id, 1) < 0 ||
	    uncore_set_start(set) < 0)
		die("start", u);
	for (int i = 0; i < repeats(ROUNDS); i++) {
		const double bare = time_accesses(u, id), read = time_read(set);

		ratio[i] = read / bare;
		own[i] = (read - bare) / (double)boxes;
	}
	printf("; read %.2f x its bare accesses, own time %.1f ns a box\n",
	       median(ratio, repeats(ROUNDS)), median(own, repeats(ROUNDS)));
	uncore_set_destroy(set);
}

static void bench_machine(const struct machine *m)
{
	double open_ns, list_ns, plan_ns, start;
	struct uncore *u = open_timed(m->spec, &open_ns);
	struct uncore_machine_info info = {.size = sizeof(info)};
	unsigned n, id;
	size_t reads = 0;

	uncore_machine(u, &info);
	start = now_ns();
	n = list_events(u);
	list_ns = now_ns() - start;
	if (uncore_event(u, m->event, &id) < 0)
		die(m->event, u);
	plan_ns = time_plan(u, id, &reads);
	printf("  %-29s %4u boxes: open %5.2f ms, list %4u events %5.2f ms;\n", m->spec, info.boxes,
	       open_ns / 1e6, n, list_ns / 1e6);
	printf("    one event on %3zu boxes: %zu reads, plan %.0f ns a box", reads, reads,
	       plan_ns / (double)reads);
	bench_reading(u, id, reads);
	uncore_close(u);
}

/* ---- lists that do not fit ---- */

enum { MOST = 512 };

/* Events of the CHAs of Ice Lake-X: of several codes, or all for counter 0. */
static void find_events(struct uncore *u, bool one_counter, unsigned *ids)
{
	static const unsigned codes[] = {0x35, 0x34, 0x50, 0x37, 0x5b, 0x25, 0x11, 0x36};
	char name[80];

	for (unsigned i = 0; i < MOST; i++) {
		const unsigned code = one_counter ? 0x36 : codes[i % 8];

		/* the umask has more bits from 32 on */
		snprintf(name, sizeof(name), "icx_unc_cha::RAW:config=%#llx",
			 (unsigned long long)(i / 255) << 32 | (i % 255 + 1) << 8 | code);
		if (uncore_event(u, name, &ids[i]) < 0)
			die(name, u);
	}
}

/* The lists of the first `first` to n events, one after another. */
static double time_assign(struct uncore *u, const unsigned *ids, size_t first, size_t n,
			  unsigned interval_us, int expected)
{
	double times[5];

	for (int i = 0; i < 5; i++) {
		struct uncore_set *set;
		double start;

		if (uncore_set_create(u, &set) < 0 || uncore_set_multiplex(set, interval_us) < 0)
			die("create", u);
		start = now_ns();
		for (size_t k = first; k <= n; k++)
			if (uncore_set_assign(set, ids, k) != expected)
				die("assign", u);
		times[i] = now_ns() - start;
		uncore_set_destroy(set);
	}
	return median(times, 5);
}

/* The exponent is that of the growth from 128 to 512 events. */
static void bench_lists(struct uncore *u, const char *what, bool one_counter)
{
	static unsigned ids[MOST];
	double ms[5];

	find_events(u, one_counter, ids);
	printf("  %s, multiplexed:", what);
	for (int i = 0; i < 5; i++) {
		const size_t n = (size_t)32 << i;

		ms[i] = time_assign(u, ids, n, n, UNCORE_MULTIPLEX_US, 0) / 1e6;
		printf(" %zu: %.2f ms", n, ms[i]);
	}
	printf("; exponent %.1f\n  %s, refused:", log2(ms[4] / ms[2]) / 2, what);
	for (size_t n = 12; n <= 60; n += 24)
		printf(" %zu: %.2f ms", n, time_assign(u, ids, n, n, 0, UNCORE_ECONFLICT) / 1e6);
	printf("\n");
}

static void bench_planning(void)
{
	double ns;
	struct uncore *u = open_timed("sim:icx:packages=2,cores=40", &ns);

	printf("lists of events that do not fit:\n");
	bench_lists(u, "of eight codes", false);
	bench_lists(u, "all for counter 0", true);
	uncore_close(u);
}

/* Four events for each CHA, until all counters are in use. */
static void bench_adding(void)
{
	enum { ALL = 1024 };
	static unsigned ids[ALL];
	double ns, ms[3];
	struct uncore *u = open_timed("sim:gnr:packages=2,cores=128", &ns);
	char name[80];

	for (unsigned i = 0; i < ALL; i++) {
		snprintf(name, sizeof(name), "gnr_unc_cha%u::RAW:config=%#x:pkg=%u", i / 4 % 128,
			 i % 4 + 1, i / 512);
		if (uncore_event(u, name, &ids[i]) < 0)
			die(name, u);
	}
	printf("events added one by one:");
	for (int i = 0; i < 3; i++) {
		ms[i] = time_assign(u, ids, 1, (size_t)256 << i, 0, 0) / 1e6;
		printf(" %d: %.2f ms", 256 << i, ms[i]);
	}
	printf("; exponent %.1f\n", log2(ms[2] / ms[0]) / 2);
	uncore_close(u);
}

int main(void)
{
	printf("the same on larger machines, all simulated:\n");
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		bench_machine(&machines[i]);
	bench_planning();
	bench_adding();
	return 0;
}
