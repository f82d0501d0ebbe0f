/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - time, repetitions and medians for benchmarks. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

static inline double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* BENCH_SHORT=1 shows whether the benchmarks run: the figures are not measurements then. */
static inline int is_shortened(void)
{
	return getenv("BENCH_SHORT") != NULL;
}

static inline int repeats(int all)
{
	return is_shortened() ? 1 : all;
}

static inline double shortened(double seconds)
{
	return is_shortened() ? seconds / 20 : seconds;
}

static inline int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), by_value);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

#endif
