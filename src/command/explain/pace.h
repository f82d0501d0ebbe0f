/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pace.h - the memory traffic of a package at short intervals, from which follows how far an
 * estimate may be off whose few windows fell into a busy or a quiet time.
 */
#ifndef EXPLAIN_PACE_H
#define EXPLAIN_PACE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Multiplexing of an event: each round has windows of this mean length, in s. */
struct windows {
	double length;
	unsigned rounds;
};

struct look {
	double at, doubt; /* s since the start, and how far that may be off */
	double bytes;     /* since the start */
};

struct pace {
	size_t n;
	struct look *looks;
	bool unseen;     /* there were looks whose bytes were not known yet */
	double interval; /* s, between two looks */
	struct pace_answer {
		size_t n;
		double from, to;
		struct windows windows;
		double error, likely;
	} last; /* of pace_error(): most events of a package have the same windows */
};

/*
 * Forget all looks.  interval: between two of them, in s, as long as not too many are kept;
 * INFINITY: there are no others, none are missing.
 */
void pace_begin(struct pace *p, double interval);
void pace_free(struct pace *p);
/*
 * A long run loses every second look, and so on: the interval doubles.  bytes: NAN if they are not
 * known yet, as if there were no look.
 */
void pace_add(struct pace *p, double at, double doubt, double bytes);
/*
 * The standard error, relative, that the memory traffic between two times would have if it were
 * estimated from such windows.  Where looks are missing, the traffic may have changed as much as at
 * other times; if there are no others because of unknown bytes, it may have stopped.  0 without
 * traffic; NAN: only a few gaps between looks, so that nothing is known.
 */
double pace_error(struct pace *p, double from, double to, struct windows w);
/* The same if the traffic was even until the first look with bytes; smaller, for a probability. */
double pace_likely_error(struct pace *p, double from, double to, struct windows w);

/* The standard deviation, bytes a second, of intervals of this length, in s. */
double pace_change(const struct pace *p, double length);

#ifdef __cplusplus
}
#endif
#endif
