/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows_bench.c - how far multiplexed counts are from the truth while others use the
 * processors, in real time: on every simulated machine under steady traffic, portable metrics
 * in windows of 10, 100 and 200 ms while four processes only use CPU time.  The truth is
 * what each metric gives alone, with the computer idle.
 *
 *	windows_bench [RUNS [MACHINE...]]
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "uncore.h"

#define BUSY    4
#define SECONDS 1.0

static const char *const machines[] = {
#define MACHINE(name) #name,
#include "sim/machines.def"
#undef MACHINE
};
static const unsigned windows_ms[] = {10, 100, 200};

static const char *const metrics[] = {
	"UNCORE_MEM_READ_BYTES",
	"UNCORE_MEM_WRITE_BYTES",
	"UNCORE_FREQUENCY",
	"UNCORE_DRAM_PAGE_HIT_RATIO",
	"UNCORE_TOR_DRD_LATENCY_CLOCKS",
	"UNCORE_TOR_DRD_LATENCY_NS",
	"UNCORE_TOR_DRD_MISS_LATENCY_CLOCKS",
	"UNCORE_TOR_DRD_MISS_LATENCY_NS",
	"UNCORE_LLC_MISS_RATIO",
	"UNCORE_PCIE_READ_BYTES",
};
#define MOST (sizeof(metrics) / sizeof(metrics[0]))

struct machine {
	struct uncore *u;
	size_t n; /* metrics that it has */
	unsigned ids[MOST];
	bool real[MOST];
	double truth[MOST]; /* of counts: per second */
};

struct errors {
	double worst_count, worst_ratio, worst_bias;
	unsigned withheld, values;
};

static void need(int code, struct uncore *u)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code >= 0)
		return;
	fprintf(stderr, "windows_bench: %s\n", uncore_errmsg(u, text, sizeof(text)));
	exit(1);
}

static void sleep_for(double seconds)
{
	usleep((useconds_t)(1e6 * shortened(seconds)));
}

static double value_of(const struct machine *m, size_t i, int64_t count, int64_t ns)
{
	return m->real[i] ? uncore_real(count) : (double)count / (1e-9 * (double)ns);
}

/* Alone, and at once: a set that fits. */
static bool measure_alone(struct machine *m, size_t i, unsigned id, double *value)
{
	struct uncore_set *set;
	int64_t count = 0, ns = 0;
	int code;

	need(uncore_set_create(m->u, &set), m->u);
	code = uncore_set_assign(set, &id, 1);
	if (code == 0)
		code = uncore_set_start(set);
	if (code == 0)
		sleep_for(0.3);
	if (code == 0)
		code = uncore_set_stop(set);
	if (code == 0)
		code = uncore_set_read_timed(set, &count, &ns);
	uncore_set_destroy(set);
	*value = code == 0 ? value_of(m, i, count, ns) : 0;
	return isfinite(*value) && *value > 0;
}

/* The median: a start or stop may be interrupted here, too. */
static bool find_truth(struct machine *m, size_t i, unsigned id)
{
	double a, b, c;

	if (!measure_alone(m, i, id, &a) || !measure_alone(m, i, id, &b) ||
	    !measure_alone(m, i, id, &c))
		return false;
	m->truth[i] = fmax(fmin(a, b), fmin(fmax(a, b), c));
	return true;
}

static void open_machine(struct machine *m, const char *name)
{
	char machine[64];
	int code;
	const struct uncore_options options = {.size = sizeof(options), .machine = machine};

	snprintf(machine, sizeof(machine), "sim:%s", name);
	*m = (struct machine){.n = 0};
	code = uncore_open(&m->u, &options);
	need(code, m->u);
	for (size_t i = 0; i < MOST; i++) {
		struct uncore_event_info info = {.size = sizeof(info)};
		unsigned id;

		if (uncore_event(m->u, metrics[i], &id) < 0)
			continue;
		need(uncore_event_info(m->u, id, &info), m->u);
		m->ids[m->n] = id;
		m->real[m->n] = info.real;
		if (find_truth(m, m->n, id))
			m->n++;
	}
}

/* Errors of a run, by metric; NaN: withheld. */
static void run(struct machine *m, unsigned ms, double *errors)
{
	struct uncore_times times[MOST] = {{.size = sizeof(*times)}};
	int64_t counts[MOST], ns;
	struct uncore_set *set;

	need(uncore_set_create(m->u, &set), m->u);
	need(uncore_set_multiplex(set, 1000 * ms), m->u);
	need(uncore_set_assign(set, m->ids, m->n), m->u);
	need(uncore_set_start(set), m->u);
	sleep_for(SECONDS * (ms > 10 ? 4 : 1));
	need(uncore_set_stop(set), m->u);
	need(uncore_set_read_timed(set, counts, &ns), m->u);
	need(uncore_set_times(set, times), m->u);
	for (size_t i = 0; i < m->n; i++) {
		const bool withheld = times[i].running_ns < times[i].enabled_ns &&
				      times[i].error <= UNCORE_ERROR_NO_WINDOW;

		errors[i] = withheld ? NAN : value_of(m, i, counts[i], ns) / m->truth[i] - 1;
	}
	uncore_set_destroy(set);
}

static void note(struct errors *e, bool real, double error)
{
	double *worst = real ? &e->worst_ratio : &e->worst_count;

	e->values++;
	*worst = fmax(*worst, fabs(error));
}

static struct errors run_all(struct machine *m, unsigned ms, unsigned runs)
{
	double sums[MOST] = {0}, errors[MOST];
	unsigned n[MOST] = {0};
	struct errors all = {.values = 0};

	for (unsigned r = 0; r < runs; r++) {
		run(m, ms, errors);
		for (size_t i = 0; i < m->n; i++) {
			if (!isfinite(errors[i])) {
				all.withheld++;
				continue;
			}
			note(&all, m->real[i], errors[i]);
			sums[i] += errors[i];
			n[i]++;
		}
	}
	for (size_t i = 0; i < m->n; i++)
		if (n[i])
			all.worst_bias = fmax(all.worst_bias, fabs(sums[i] / n[i]));
	return all;
}

static void make_busy(pid_t *busy)
{
	for (int i = 0; i < BUSY; i++) {
		busy[i] = fork();
		if (busy[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			for (volatile unsigned n = 0;; n++)
				;
		}
	}
}

static void end_busy(const pid_t *busy)
{
	for (int i = 0; i < BUSY; i++) {
		kill(busy[i], SIGKILL);
		waitpid(busy[i], NULL, 0);
	}
}

static void measure(const char *name, unsigned runs)
{
	struct machine m;

	open_machine(&m, name);
	if (m.n == 0) /* no events are published for it */
		printf("| %-5s | has none of the metrics |\n", name);
	for (size_t w = 0; m.n > 0 && w < sizeof(windows_ms) / sizeof(windows_ms[0]); w++) {
		pid_t busy[BUSY];
		struct errors e;

		make_busy(busy);
		e = run_all(&m, windows_ms[w], runs);
		end_busy(busy);
		printf("| %-5s | %3u ms | %4.2f %% | %4.2f %% | %4.2f %% | %u of %u |\n", name,
		       windows_ms[w], 100 * e.worst_count, 100 * e.worst_ratio, 100 * e.worst_bias,
		       e.withheld, e.withheld + e.values);
		fflush(stdout);
	}
	uncore_close(m.u);
}

int main(int argc, char **argv)
{
	const unsigned runs = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	const size_t n = sizeof(machines) / sizeof(machines[0]);

	printf("multiplexed metrics with %d busy processes, %u runs\n"
	       "| machine | windows | worst count | worst ratio | worst mean | withheld |\n"
	       "|---|---|---|---|---|---|\n",
	       BUSY, runs);
	for (int i = 2; i < argc; i++)
		measure(argv[i], runs);
	for (size_t i = 0; argc < 3 && i < n; i++)
		measure(machines[i], runs);
	return 0;
}
