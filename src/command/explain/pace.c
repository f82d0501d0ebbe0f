/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - see pace.h. */
#include "command/explain/pace.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "command/base/mean.h"
#include "command/base/rate.h"
#include "command/base/text.h"

#define MOST         400 /* looks that are kept */
#define MOST_TRIALS  50
#define MOST_WINDOWS 10000 /* of all trials */
#define MULTIPLIER   UINT64_C(6364136223846793005)
#define INCREMENT    UINT64_C(1442695040888963407)

void pace_begin(struct pace *p, double interval)
{
	p->n = p->last.n = 0;
	p->unseen = false;
	p->interval = interval;
}

void pace_free(struct pace *p)
{
	free(p->looks);
	*p = (struct pace){.n = 0};
}

static void thin_out(struct pace *p)
{
	size_t to = 1;

	for (size_t from = 2; from < p->n; from += 2, to++)
		p->looks[to] = p->looks[from];
	p->n = to;
	p->interval *= 2;
}

void pace_add(struct pace *p, double at, double doubt, double bytes)
{
	p->unseen |= isnan(bytes);
	if (isnan(bytes))
		return;
	if (p->n >= MOST)
		thin_out(p);
	p->looks = need_more(p->looks, p->n + 1, sizeof(*p->looks));
	p->looks[p->n++] = (struct look){at, doubt, bytes};
}

/* ---- between two looks ---- */

/* The looks before and after a time, of which the first one advances. */
static double bytes_until(const struct pace *p, size_t *i, double at)
{
	double step;

	while (*i + 2 < p->n && p->looks[*i + 1].at <= at)
		++*i;
	step = p->looks[*i + 1].at - p->looks[*i].at;
	if (!(step > 0) || at <= p->looks[*i].at)
		return p->looks[*i].bytes;
	return p->looks[*i].bytes + (p->looks[*i + 1].bytes - p->looks[*i].bytes) *
					    fmin((at - p->looks[*i].at) / step, 1);
}

#define MISSING 2.5   /* intervals: a process that waited, or was stopped, did not look */
#define SHORT   0.005 /* s: half of the shortest window */

/* Where no bytes were moved, nothing is missing. */
static bool is_gap(const struct pace *p, size_t i)
{
	return p->looks[i + 1].at - p->looks[i].at > MISSING * fmax(p->interval, SHORT) &&
	       p->looks[i + 1].bytes > p->looks[i].bytes;
}

static double next_uniform(uint64_t *state)
{
	*state = *state * MULTIPLIER + INCREMENT;
	return ldexp((double)(*state >> 11), -53);
}

/* Traffic in gaps, of which only the sum is known: of two rates, between which all others are. */
struct guess {
	double low, high; /* bytes a second */
	double *until;    /* of each gap: where the high traffic began, as a part of the rest */
	bool switches;    /* windows also end in gaps: the process was not stopped */
	bool even;        /* ... and the traffic before the first look was even */
};

#define ENOUGH 8 /* gaps: the windows show what is shorter */

/*
 * The rate of a step whose length is uncertain: of the rates that it may have had, the one nearest
 * to the others, so that steady traffic does not seem to change.
 */
static void note_extremes(struct guess *g, double bytes, double step, double doubt)
{
	g->low = fmin(g->low, step > doubt ? bytes / (step - doubt) : INFINITY);
	g->high = fmax(g->high, per_second(bytes, step + doubt));
}

/* Of steps without looks only the means are known.  False: there are a few of them, and no others.
 */
static bool find_extremes(const struct pace *p, struct guess *g)
{
	struct guess means = {.low = INFINITY};
	size_t gaps = 0;

	*g = means;
	for (size_t i = 0; i + 1 < p->n; i++) {
		gaps += is_gap(p, i);
		note_extremes(is_gap(p, i) ? &means : g, p->looks[i + 1].bytes - p->looks[i].bytes,
			      p->looks[i + 1].at - p->looks[i].at,
			      p->looks[i].doubt + p->looks[i + 1].doubt);
	}
	if (!isfinite(g->low) && gaps >= ENOUGH)
		*g = means;
	if (!isfinite(g->low) && isfinite(means.low) && p->unseen)
		*g = (struct guess){.low = 0, .high = 2 * means.high};
	return isfinite(g->low);
}

static void guess_again(const struct pace *p, struct guess *g, uint64_t *state)
{
	for (size_t i = 0; i + 1 < p->n; i++)
		g->until[i] = is_gap(p, i) ? next_uniform(state) : 0;
	g->switches = next_uniform(state) < 0.5;
}

/* The extremes of a gap: if its mean is beyond those of the others, they are as far beyond it. */
static struct guess guess_of_gap(const struct guess *g, double mean)
{
	struct guess of = *g;

	if (mean < g->low)
		of.low = fmax(0, 2 * mean - g->high);
	if (mean > g->high)
		of.high = 2 * mean - g->low;
	return of;
}

/* Where the traffic is guessed. */
static bool is_uneven(const struct pace *p, const struct guess *g, size_t i)
{
	return is_gap(p, i) && !(g->even && i == 0);
}

/* As bytes_until(), but the high traffic of a gap is at a place of its own. */
static double bytes_guessed(const struct pace *p, const struct guess *g, size_t *i, double at)
{
	const double even = bytes_until(p, i, at);
	const double step = p->looks[*i + 1].at - p->looks[*i].at;
	const double bytes = p->looks[*i + 1].bytes - p->looks[*i].bytes;
	const double into = fmin(fmax(at - p->looks[*i].at, 0), step);
	struct guess of;
	double busy, begin;

	if (!is_uneven(p, g, *i))
		return even;
	of = guess_of_gap(g, per_second(bytes, step));
	if (!(of.high > of.low))
		return even;
	busy = (bytes - of.low * step) / (of.high - of.low);
	begin = g->until[*i] * (step - busy);
	return p->looks[*i].bytes + of.low * into +
	       (of.high - of.low) * fmin(fmax(into - begin, 0), busy);
}

/* ---- windows that could have been ---- */

/* A window that is open while the process is stopped ends later. */
static double end_of_window(const struct pace *p, const struct guess *g, size_t *i, double end)
{
	bytes_until(p, i, end);
	return !g->switches && is_uneven(p, g, *i) && end > p->looks[*i].at
		       ? fmax(end, p->looks[*i + 1].at)
		       : end;
}

/* As an event is estimated: until its next window it has the rate of the last one. */
static double estimate(const struct pace *p, const struct guess *g, double from, double to,
		       struct windows w, uint64_t *state)
{
	unsigned turn = (unsigned)(next_uniform(state) * w.rounds);
	double rate = 0, sum = 0, begin = from, first = -1;
	size_t i = 0, last = 0;

	while (begin < to) {
		const double wanted = begin + w.length * (0.5 + next_uniform(state));
		const double end = fmin(end_of_window(p, g, &last, wanted), to);

		if (turn == 0) {
			const double before = bytes_guessed(p, g, &i, begin);

			rate = per_second(bytes_guessed(p, g, &i, end) - before, end - begin);
			if (first < 0)
				sum = rate * (begin - from);
			first = begin;
		}
		sum += rate * (end - begin);
		turn = turn ? turn - 1 : w.rounds - 1;
		begin = end;
	}
	return first < 0 ? (double)NAN : sum;
}

static double error_of_trials(const struct pace *p, struct guess *g, double from, double to,
			      struct windows w)
{
	const double trials = fmin(MOST_TRIALS, ceil(MOST_WINDOWS * w.length / (to - from)));
	uint64_t state = 0;
	double bytes, squares = 0, n = 0;
	size_t i = 0;

	bytes = bytes_until(p, &i, from);
	bytes = bytes_until(p, &i, to) - bytes;
	for (double trial = 0; bytes > 0 && trial < trials; trial++) {
		double apart;

		guess_again(p, g, &state);
		apart = estimate(p, g, from, to, w, &state) / bytes - 1;
		squares += isnan(apart) ? 0 : apart * apart;
		n += !isnan(apart);
	}
	return n > 0 ? sqrt(squares / n) : 0;
}

static void find_errors(const struct pace *p, struct pace_answer *answer)
{
	struct guess guess;

	answer->error = answer->likely = (double)NAN;
	if (!find_extremes(p, &guess))
		return;
	guess.until = need_memory(p->n, sizeof(*guess.until));
	answer->error = answer->likely =
		error_of_trials(p, &guess, answer->from, answer->to, answer->windows);
	guess.even = p->unseen && is_gap(p, 0);
	if (guess.even)
		answer->likely =
			error_of_trials(p, &guess, answer->from, answer->to, answer->windows);
	free(guess.until);
}

double pace_error(struct pace *p, double from, double to, struct windows w)
{
	struct pace_answer *last = &p->last;

	if (w.rounds < 2 || !(w.length > 0) || !(to > from))
		return 0;
	if (last->n != p->n || last->from != from || last->to != to ||
	    last->windows.length != w.length || last->windows.rounds != w.rounds) {
		*last = (struct pace_answer){.n = p->n, .from = from, .to = to, .windows = w};
		find_errors(p, last);
	}
	return last->error;
}

double pace_likely_error(struct pace *p, double from, double to, struct windows w)
{
	return pace_error(p, from, to, w) != 0 ? p->last.likely : 0;
}

double pace_change(const struct pace *p, double length)
{
	struct mean rates = {.n = 0};
	size_t begin = 0, end = 0;

	for (size_t i = 0; i < p->n && p->looks[i].at + length <= p->looks[p->n - 1].at; i++) {
		const double before = bytes_until(p, &begin, p->looks[i].at);

		mean_add(&rates, per_second(bytes_until(p, &end, p->looks[i].at + length) - before,
					    length));
	}
	return rates.n > 1 ? sqrt(rates.squares / (rates.n - 1)) : 0;
}
