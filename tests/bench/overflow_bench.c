/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow_bench.c - how exactly PAPI_overflow() samples in software: how far the
 * counts are past their deadline when the handler is called, and whether samples
 * times threshold are the counts.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <papi.h>

#include "clock.h"

enum { MAX_CALLS = 4000 };

static const char event[] = "uncore:::UNC_P_CLOCKTICKS"; /* 1.6 per ns in both packages */

static struct {
	int n;
	long long count[MAX_CALLS];
} seen;

static void die(const char *what, int code)
{
	fprintf(stderr, "overflow_bench: %s: %s\n", what, PAPI_strerror(code));
	exit(1);
}

static void on_overflow(int set, void *pc, long long vector, void *context)
{
	(void)pc;
	(void)vector;
	(void)context;
	if (seen.n < MAX_CALLS)
		PAPI_read(set, &seen.count[seen.n++]);
}

static void burn(double ns)
{
	for (const double end = now_ns() + ns; now_ns() < end;)
		;
}

static int new_set(void)
{
	int set = PAPI_NULL, code, ret = PAPI_create_eventset(&set);

	if (ret == PAPI_OK)
		ret = PAPI_event_name_to_code(event, &code);
	if (ret == PAPI_OK)
		ret = PAPI_add_event(set, code);
	if (ret != PAPI_OK)
		die(event, ret);
	return set;
}

static double per_ms(void)
{
	int set = new_set();
	long long count = 0;
	double begin;

	PAPI_start(set);
	begin = now_ns();
	burn(50e6);
	PAPI_stop(set, &count);
	return (double)count / ((now_ns() - begin) / 1e6);
}

static void sample(double ms, int threshold)
{
	int set = new_set(), code;
	long long count = 0;
	int ret;

	PAPI_event_name_to_code(event, &code);
	ret = PAPI_overflow(set, code, threshold, 0, on_overflow);
	if (ret != PAPI_OK)
		die("PAPI_overflow", ret);
	seen.n = 0;
	PAPI_start(set);
	burn(ms * 1e6);
	PAPI_stop(set, &count);
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

/* Deadlines are multiples of the threshold: the next one after each sample. */
static void measure(double rate, double threshold_ms)
{
	const int threshold = (int)(rate * threshold_ms);
	long long deadline = threshold;
	double late[MAX_CALLS], share, middle;

	sample(500, threshold);
	if (seen.n == 0)
		die("no samples", PAPI_EMISC);
	for (int i = 0; i < seen.n; i++) {
		late[i] = (double)(seen.count[i] - deadline) / rate;
		deadline = (seen.count[i] / threshold + 1) * threshold;
	}
	share = 100.0 * seen.n * threshold / (double)seen.count[seen.n - 1];
	middle = median(late, seen.n); /* sorts */
	printf("  threshold %5.0f ms: %4d samples, %5.1f %% of the counts; late %5.2f ms median, "
	       "%5.2f ms at most\n",
	       threshold_ms, seen.n, share, middle, late[seen.n - 1]);
}

struct timer {
	const char *name;
	int number, signal, ns;
};

static void set_timer(const struct timer *timer)
{
	PAPI_option_t option;
	int ret;

	memset(&option, 0, sizeof(option));
	option.itimer.itimer_num = timer->number;
	option.itimer.itimer_sig = timer->signal;
	option.itimer.ns = timer->ns;
	ret = PAPI_set_opt(PAPI_DEF_ITIMER, &option);
	if (ret != PAPI_OK)
		die("PAPI_DEF_ITIMER", ret);
}

int main(void)
{
	static const double thresholds[] = {1, 5, 15, 25, 50, 100};
	static const struct timer timers[] = {
		{"10 ms of CPU time, as PAPI has it", ITIMER_PROF, SIGPROF, 10000000},
		{"1 ms of CPU time", ITIMER_PROF, SIGPROF, 1000000},
		{"1 ms of real time", ITIMER_REAL, SIGALRM, 1000000},
	};
	double rate;
	int ret;

	setenv("UNCORE_MACHINE", "sim:snbep:packages=2,cores=8", 1);
	ret = PAPI_library_init(PAPI_VER_CURRENT);
	if (ret != PAPI_VER_CURRENT)
		die("PAPI_library_init", ret);
	rate = per_ms();
	printf("PAPI_overflow in software: half a second of spinning, simulated E5-2600, %s\n",
	       event);
	for (size_t i = 0; i < sizeof(timers) / sizeof(*timers); i++) {
		set_timer(&timers[i]);
		printf(" timer every %s:\n", timers[i].name);
		for (size_t k = 0; k < sizeof(thresholds) / sizeof(*thresholds); k++)
			measure(rate, thresholds[k]);
	}
	return 0;
}
