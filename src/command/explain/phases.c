/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * phases.c - optimal partitioning: the cuts with the least sum of squared distances from the means
 * of the parts, plus a penalty for each part (Jackson et al., "An algorithm for optimal
 * partitioning of data on an interval", IEEE Signal Processing Letters 12 (2005)).
 */
#include "command/explain/phases.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

#define MOST_POINTS 500  /* more intervals are combined */
#define DIFFERENT   0.3  /* of the larger mean: neighbours that differ less are one phase */
#define LEAST_NOISE 0.02 /* of the mean */

/* Sums of the values, and of their squares, before each point. */
struct sums {
	size_t n;
	double *sum, *squares;
};

static int by_size(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* The median of a point and its neighbours, which removes peaks that are too short for a phase. */
static double smoothed(const double *points, size_t n, size_t at)
{
	double near[PHASE_LENGTH];
	size_t first = at > PHASE_LENGTH / 2 ? at - PHASE_LENGTH / 2 : 0;

	first = first + PHASE_LENGTH > n ? n - PHASE_LENGTH : first;
	memcpy(near, points + first, sizeof(near));
	qsort(near, PHASE_LENGTH, sizeof(*near), by_size);
	return near[PHASE_LENGTH / 2];
}

static struct sums sums_of(const double *values, size_t n, size_t combined)
{
	struct sums s = {.n = n / combined};
	double *points = need_memory(s.n, sizeof(*points));

	s.sum = need_memory(2 * (s.n + 1), sizeof(*s.sum));
	s.squares = s.sum + s.n + 1;
	for (size_t i = 0; i < s.n * combined; i++)
		points[i / combined] += values[i] / (double)combined;
	for (size_t i = 0; i < s.n; i++) {
		const double value = smoothed(points, s.n, i);

		s.sum[i + 1] = s.sum[i] + value;
		s.squares[i + 1] = s.squares[i] + value * value;
	}
	free(points);
	return s;
}

static double mean_of(const struct sums *s, size_t from, size_t to)
{
	return (s->sum[to] - s->sum[from]) / (double)(to - from);
}

/* Squared distances from the mean. */
static double error_of(const struct sums *s, size_t from, size_t to)
{
	const double mean = mean_of(s, from, to);

	return fmax(s->squares[to] - s->squares[from] - mean * mean * (double)(to - from), 0);
}

/* The variance of the values around their local mean: from the median of their differences. */
static double noise_of(const struct sums *s)
{
	double *apart = need_memory(s->n, sizeof(*apart)), noise;
	const double least = LEAST_NOISE * mean_of(s, 0, s->n);

	for (size_t i = 1; i < s->n; i++)
		apart[i - 1] = fabs(mean_of(s, i, i + 1) - mean_of(s, i - 1, i));
	qsort(apart, s->n - 1, sizeof(*apart), by_size);
	noise = fmax(apart[(s->n - 1) / 2], least);
	free(apart);
	return noise * noise;
}

/* The best cuts with a penalty: last[i] is the beginning of the part that ends before point i. */
static void partition(const struct sums *s, double penalty, size_t *last)
{
	double *cost = need_memory(s->n + 1, sizeof(*cost));

	cost[0] = -penalty;
	for (size_t end = 1; end <= s->n; end++) {
		cost[end] = INFINITY;
		last[end] = 0;
		for (size_t from = 0; from + PHASE_LENGTH <= end;
		     from = from ? from + 1 : PHASE_LENGTH) {
			const double now = cost[from] + error_of(s, from, end) + penalty;

			if (now < cost[end]) {
				cost[end] = now;
				last[end] = from;
			}
		}
	}
	free(cost);
}

/* The beginnings of all parts in order; their number. */
static size_t list_starts(const struct sums *s, const size_t *last, size_t *starts)
{
	size_t n = 0;

	for (size_t end = s->n; end; end = last[end])
		starts[n++] = last[end];
	for (size_t i = 0; i < n / 2; i++) {
		const size_t other = starts[i];

		starts[i] = starts[n - 1 - i];
		starts[n - 1 - i] = other;
	}
	return n;
}

static bool are_close(double a, double b)
{
	return fabs(a - b) <= DIFFERENT * fmax(a, b);
}

/* Join parts with the one before them if their means are close. */
static size_t join(const struct sums *s, size_t *starts, size_t n)
{
	size_t joined = 1;

	for (size_t i = 1; i < n; i++) {
		const size_t end = i + 1 < n ? starts[i + 1] : s->n;

		if (!are_close(mean_of(s, starts[joined - 1], starts[i]),
			       mean_of(s, starts[i], end)))
			starts[joined++] = starts[i];
	}
	return joined;
}

size_t phases_find(const double *values, size_t n, size_t starts[PHASES_MOST])
{
	const size_t combined = (n + MOST_POINTS - 1) / MOST_POINTS;
	size_t *last, *all, found = PHASES_MOST + 1;
	double penalty;
	struct sums s;

	starts[0] = 0;
	if (n < (size_t)2 * PHASE_LENGTH)
		return 1;
	s = sums_of(values, n, combined);
	last = need_memory(2 * (s.n + 1), sizeof(*last));
	all = last + s.n + 1;
	penalty = 3 * log((double)s.n) * noise_of(&s);
	for (; found > PHASES_MOST; penalty *= 2) {
		partition(&s, penalty, last);
		found = join(&s, all, list_starts(&s, last, all));
	}
	for (size_t i = 0; i < found; i++)
		starts[i] = all[i] * combined;
	free(last);
	free(s.sum);
	return found;
}
