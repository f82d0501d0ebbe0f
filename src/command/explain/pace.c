/* SPDX-License-Identifier: BSD-3-Clause */
/* pace.c - see pace.h. */
#include "command/explain/pace.h"

#include <math.h>
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
	p->interval = interval;
}

void pace_free(struct pace *p)
{
	free(p->at);
	free(p->bytes);
	*p = (struct pace){.n = 0};
}

static void thin_out(struct pace *p)
{
	size_t to = 1;

	for (size_t from = 2; from < p->n; from += 2, to++) {
		p->at[to] = p->at[from];
		p->bytes[to] = p->bytes[from];
	}
	p->n = to;
	p->interval *= 2;
}

void pace_add(struct pace *p, double at, double bytes)
{
	if (p->n >= MOST)
		thin_out(p);
	p->at = need_more(p->at, p->n + 1, sizeof(*p->at));
	p->bytes = need_more(p->bytes, p->n + 1, sizeof(*p->bytes));
	p->at[p->n] = at;
	p->bytes[p->n++] = bytes;
}

/* ---- windows that could have been ---- */

/* The looks before and after a time, of which the first one advances. */
static double bytes_until(const struct pace *p, size_t *i, double at)
{
	double step;

	while (*i + 2 < p->n && p->at[*i + 1] <= at)
		++*i;
	step = p->at[*i + 1] - p->at[*i];
	if (!(step > 0) || at <= p->at[*i])
		return p->bytes[*i];
	return p->bytes[*i] + (p->bytes[*i + 1] - p->bytes[*i]) * fmin((at - p->at[*i]) / step, 1);
}

static double next_uniform(uint64_t *state)
{
	*state = *state * MULTIPLIER + INCREMENT;
	return ldexp((double)(*state >> 11), -53);
}

/* As an event is estimated: until its next window it has the rate of the last one. */
static double estimate(const struct pace *p, double from, double to, struct windows w,
		       uint64_t *state)
{
	unsigned turn = (unsigned)(next_uniform(state) * w.rounds);
	double rate = 0, sum = 0, begin = from, first = -1;
	size_t i = 0;

	while (begin < to) {
		const double end = fmin(begin + w.length * (0.5 + next_uniform(state)), to);

		if (turn == 0) {
			const double before = bytes_until(p, &i, begin);

			rate = per_second(bytes_until(p, &i, end) - before, end - begin);
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

static double error_of_trials(const struct pace *p, double from, double to, struct windows w)
{
	const double trials = fmin(MOST_TRIALS, ceil(MOST_WINDOWS * w.length / (to - from)));
	uint64_t state = 0;
	double bytes, squares = 0, n = 0;
	size_t i = 0;

	bytes = bytes_until(p, &i, from);
	bytes = bytes_until(p, &i, to) - bytes;
	for (double trial = 0; bytes > 0 && trial < trials; trial++) {
		const double apart = estimate(p, from, to, w, &state) / bytes - 1;

		squares += isnan(apart) ? 0 : apart * apart;
		n += !isnan(apart);
	}
	return n > 0 ? sqrt(squares / n) : 0;
}

double pace_error(struct pace *p, double from, double to, struct windows w)
{
	struct pace_answer *last = &p->last;

	if (p->n < 2 || w.rounds < 2 || !(w.length > 0) || !(to > from))
		return 0;
	if (last->n != p->n || last->from != from || last->to != to ||
	    last->windows.length != w.length || last->windows.rounds != w.rounds)
		*last = (struct pace_answer){p->n, from, to, w, error_of_trials(p, from, to, w)};
	return last->error;
}

double pace_change(const struct pace *p, double length)
{
	struct mean rates = {.n = 0};
	size_t begin = 0, end = 0;

	for (size_t i = 0; i < p->n && p->at[i] + length <= p->at[p->n - 1]; i++) {
		const double before = bytes_until(p, &begin, p->at[i]);

		mean_add(&rates,
			 per_second(bytes_until(p, &end, p->at[i] + length) - before, length));
	}
	return rates.n > 1 ? sqrt(rates.squares / (rates.n - 1)) : 0;
}
