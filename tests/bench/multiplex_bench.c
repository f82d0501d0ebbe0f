/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * multiplex_bench.c - the error of the counts of multiplexed events, under
 * traffic that comes and goes; and what a turn costs.  On simulated machines in stepped time,
 * where the truth is what the same events count one by one over the same time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

#include "set/inside.h"
#include "sim/sim.h"
#include "uncore_inspect.h"

#define MACHINE "sim:snbep:packages=1,cores=2,time=virtual"
#define EVENTS  3
#define RUNS    40
#define MS      UINT64_C(1000000)

/* All three need counter 0 of the C-Boxes: three rounds. */
static const char *const names[EVENTS] = {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
					  "UNC_C_RXR_OCCUPANCY:IRQ"};

static const struct {
	const char *title;
	struct sim_pattern pattern;
} traffic[] = {
	{"steady", {0, 0, 0, false}},
	{"half the time, period 1 ms", {1 * MS, 0.5, 0, false}},
	{"half the time, period 10 ms (a turn)", {10 * MS, 0.5, 0, false}},
	{"half the time, period 30 ms (a cycle)", {30 * MS, 0.5, 0, false}},
	{"half the time, period 31 ms", {31 * MS, 0.5, 0, false}},
	{"half the time, period 300 ms", {300 * MS, 0.5, 0, false}},
	{"+-50 %, period 30 ms", {30 * MS, 0.5, 1.0 / 3, false}},
	{"bursts of 1 ms, one in 10 ms", {10 * MS, 0.1, 0, true}},
	{"bursts of 5 ms, one in 100 ms", {100 * MS, 0.05, 0, true}},
	{"bursts of 50 ms, one in 1 s", {1000 * MS, 0.05, 0, true}},
};

static const uint64_t spans[] = {100 * MS, 1000 * MS, 10000 * MS};

static void need(int code, struct uncore *u)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code >= 0)
		return;
	fprintf(stderr, "%s\n", uncore_errmsg(u, text, sizeof(text)));
	exit(1);
}

struct machine {
	struct uncore *u;
	struct sim *sim;
	struct uncore_set *set;
};

static struct machine open_machine(const struct sim_pattern *pattern, const char *const *events,
				   unsigned n)
{
	const struct uncore_options options = {
		.size = sizeof(options), .machine = MACHINE, .wrap_poller = -1};
	struct machine m;
	unsigned ids[EVENTS];
	int code;

	code = uncore_open(&m.u, &options);
	need(code, m.u);
	m.sim = unc_hw_sim(unc_hw_of(m.u));
	sim_traffic(m.sim, 0)->pattern = *pattern;
	need(uncore_set_create(m.u, &m.set), m.u);
	need(uncore_set_multiplex(m.set, UNCORE_MULTIPLEX_US), m.u);
	for (unsigned i = 0; i < n; i++)
		need(uncore_event(m.u, events[i], &ids[i]), m.u);
	need(uncore_set_assign(m.set, ids, n), m.u);
	return m;
}

/* Counts from a moment on, for some time. */
static void count(struct machine *m, uint64_t from, uint64_t span, int64_t *counts)
{
	uint64_t end;

	sim_advance(m->sim, from);
	end = sim_now(m->sim) + span;
	need(uncore_set_start(m->set), m->u);
	for (uint64_t now; (now = sim_now(m->sim)) < end;) {
		const uint64_t next = (uint64_t)unc_multiplex_due(m->u);

		sim_advance(m->sim, (next < end ? next : end) - now);
	}
	need(uncore_set_stop(m->set), m->u);
	need(uncore_set_read(m->set, counts), m->u);
}

struct errors {
	double squares, most;
	int n;
};

static void measure(const struct sim_pattern *pattern, uint64_t span, struct errors *e)
{
	struct machine all = open_machine(pattern, names, EVENTS), one[EVENTS];

	for (unsigned i = 0; i < EVENTS; i++)
		one[i] = open_machine(pattern, &names[i], 1);
	for (int run = 0; run < repeats(RUNS); run++) {
		const uint64_t pause = 7919 * MS + (uint64_t)run * 1234567;
		int64_t counts[EVENTS], truth;

		count(&all, pause, span, counts);
		for (unsigned i = 0; i < EVENTS; i++) {
			double error;

			count(&one[i], pause, span, &truth);
			if (truth == 0)
				continue; /* between two bursts */
			error = fabs((double)counts[i] / (double)truth - 1);
			e->squares += error * error;
			e->most = error > e->most ? error : e->most;
			e->n++;
		}
	}
	uncore_close(all.u);
	for (unsigned i = 0; i < EVENTS; i++)
		uncore_close(one[i].u);
}

static void accuracy(void)
{
	printf("Multiplexing: error of three events multiplexed in windows of 10 ms, %d runs each:\n"
	       "root mean square (largest), in percent\n\n%-40s",
	       repeats(RUNS), "traffic");
	for (size_t s = 0; s < sizeof(spans) / sizeof(*spans); s++)
		printf("  %5.1f s         ", (double)spans[s] / 1e9);
	printf("\n");
	for (size_t t = 0; t < sizeof(traffic) / sizeof(*traffic); t++) {
		printf("%-40s", traffic[t].title);
		for (size_t s = 0; s < sizeof(spans) / sizeof(*spans); s++) {
			struct errors e = {0, 0, 0};

			measure(&traffic[t].pattern, spans[s], &e);
			printf("  %6.2f (%6.1f)", 100 * sqrt(e.squares / (e.n ? e.n : 1)),
			       100 * e.most);
		}
		printf("\n");
	}
}

/* Everything but the registers themselves, of which the simulated ones take next to no time. */
static void cost(void)
{
	static const struct sim_pattern steady = {0, 0, 0, false};
	struct machine m = open_machine(&steady, names, EVENTS);
	double times[200];

	need(uncore_set_start(m.set), m.u);
	for (int i = 0; i < 200; i++) {
		const double before = now_ns();

		unc_multiplex_next(m.set);
		times[i] = now_ns() - before;
	}
	need(uncore_set_stop(m.set), m.u);
	printf("\none turn, 2 boxes: %.1f us without the time that real registers take\n",
	       median(times, 200) / 1000);
	uncore_close(m.u);
}

int main(void)
{
	accuracy();
	cost();
	return 0;
}
