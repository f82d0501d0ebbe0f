/* SPDX-License-Identifier: BSD-3-Clause */
/* rounds_split.c - units that compete, split into as few rounds as possible; design.md 19. */
#include <stdlib.h>
#include <string.h>

#include "plan/rounds.h"
#include "plan/rounds_problem.h"

/*
 * First fits in different orders.  Some order of the units gives the least number of rounds: that
 * of the rounds of the best split.  For few units, 96 orders have always had one, 24 have not.
 */
#define ATTEMPTS(n) ((n) <= UNC_ROUNDS_FEW ? 96 : 24)

/* ---- the least number of rounds ---- */

#define MASKS 32

/* Events by the counters that they may use. */
struct demand {
	unsigned n;
	uint32_t counters[MASKS];
	unsigned events[MASKS];
};

static void demand_add(struct demand *d, uint32_t counters)
{
	unsigned i = 0;

	while (i < d->n && d->counters[i] != counters)
		i++;
	if (i == MASKS)
		return;
	if (i == d->n)
		d->counters[d->n++] = counters;
	d->events[i]++;
}

static unsigned demand_rounds(const struct demand *d)
{
	unsigned most = 1;

	for (unsigned i = 0; i < d->n; i++) {
		const unsigned room = (unsigned)__builtin_popcount(d->counters[i]);
		unsigned n = 0;

		for (unsigned k = 0; k < d->n; k++)
			if (!(d->counters[k] & ~d->counters[i]))
				n += d->events[k];
		if (room && (n + room - 1) / room > most)
			most = (n + room - 1) / room;
	}
	return most;
}

/* No split has fewer rounds than the events of a kind need counters for.  Without memory: 1. */
static unsigned least_rounds(const struct unc_problem *p, const struct unc_kind *k)
{
	const uint32_t all = (1u << k->type->n_counters) - 1;
	const uint32_t open = unc_free_counters(k->type, k->use) & all;
	struct demand d = {.n = 0};
	bool *seen = calloc(p->n, sizeof(*seen));

	for (size_t i = 0; seen && i < k->n; i++) {
		const struct unc_event *ev = p->events[k->events[i]];

		/* a companion may use other counters */
		if (!ev->fixed && !seen[p->same[k->events[i]]])
			demand_add(&d, (k->type->companion ? all : ev->counters) & open);
		seen[p->same[k->events[i]]] = true;
	}
	free(seen);
	return demand_rounds(&d);
}

/* ---- first fits ---- */

struct fitting {
	const struct unc_problem *p;
	const unsigned *units;
	size_t n, words;
	struct unc_loads loads; /* n_kinds for each round */
	unsigned n_kinds;
	uint64_t *conflicts; /* n rows of `words`: the units that do not fit together with one */
	uint64_t *members;   /* the same for each round: the units in it */
	unsigned *order;     /* indices into units */
	unsigned *round;     /* of each of them */
};

static bool alloc_fitting(struct fitting *g)
{
	g->loads.of = calloc(g->n * g->n_kinds + 1, sizeof(*g->loads.of));
	g->conflicts = calloc(g->n * g->words, sizeof(*g->conflicts));
	g->members = calloc(g->n * g->words, sizeof(*g->members));
	g->order = calloc(g->n, sizeof(*g->order));
	g->round = calloc(g->n, sizeof(*g->round));
	return g->loads.of && g->conflicts && g->members && g->order && g->round;
}

static void free_fitting(struct fitting *g)
{
	free(g->loads.of);
	free(g->conflicts);
	free(g->members);
	free(g->order);
	free(g->round);
}

static struct unc_loads loads_of(const struct fitting *g, unsigned round)
{
	return (struct unc_loads){&g->loads.of[(size_t)round * g->n_kinds], g->loads.first};
}

static void set_bit(uint64_t *row, size_t i)
{
	row[i / 64] |= UINT64_C(1) << i % 64;
}

static bool meet(const uint64_t *a, const uint64_t *b, size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (a[i] & b[i])
			return true;
	return false;
}

static void find_conflicts(struct fitting *g)
{
	const struct unc_loads loads = loads_of(g, 0);

	for (size_t i = 0; i < g->n; i++) {
		unc_load_add(g->p, loads, g->units[i]);
		for (size_t k = i + 1; k < g->n; k++)
			if (!unc_load_fits(g->p, loads, g->units[k])) {
				set_bit(&g->conflicts[i * g->words], k);
				set_bit(&g->conflicts[k * g->words], i);
			}
		unc_load_clear(g->p, loads, g->units[i]);
	}
}

/* Units with many conflicts first. */
static bool by_conflicts(struct fitting *g)
{
	unsigned *without = g->round; /* not used yet: units that do not conflict with each */

	for (size_t i = 0; i < g->n; i++) {
		without[i] = (unsigned)g->n;
		for (size_t w = 0; w < g->words; w++)
			without[i] -=
				(unsigned)__builtin_popcountll(g->conflicts[i * g->words + w]);
	}
	return unc_order_by(without, g->n, (unsigned)g->n, g->order);
}

static void clear_round(struct fitting *g, unsigned r)
{
	memset(&g->members[r * g->words], 0, g->words * sizeof(*g->members));
	memset(loads_of(g, r).of, 0, g->n_kinds * sizeof(*g->loads.of));
}

/* Put each unit into the first round with room for it. */
static unsigned first_fit(struct fitting *g)
{
	unsigned rounds = 0;

	for (size_t i = 0; i < g->n; i++) {
		const unsigned u = g->order[i];
		const uint64_t *conflicts = &g->conflicts[u * g->words];
		unsigned r = 0;

		while (r < rounds && (meet(conflicts, &g->members[r * g->words], g->words) ||
				      !unc_load_fits(g->p, loads_of(g, r), g->units[u])))
			r++;
		if (r == rounds)
			clear_round(g, rounds++);
		unc_load_add(g->p, loads_of(g, r), g->units[u]);
		set_bit(&g->members[r * g->words], u);
		g->round[u] = r;
	}
	return rounds;
}

/* Attempts differ, but are the same each time. */
static void shuffle(unsigned *order, size_t n, uint32_t *state)
{
	for (size_t i = n; i > 1; i--) {
		const unsigned moved = order[i - 1];
		size_t k;

		*state = *state * 1664525u + 1013904223u;
		k = (*state >> 8) % i;
		order[i - 1] = order[k];
		order[k] = moved;
	}
}

static unsigned best_attempt(struct unc_problem *p, struct fitting *g, unsigned least)
{
	unsigned best = UINT32_MAX;
	uint32_t state = 1;

	for (unsigned i = 0; i < ATTEMPTS(g->n) && best > least; i++) {
		const unsigned rounds = first_fit(g);

		for (size_t k = 0; k < g->n && rounds < best; k++)
			p->round[g->units[k]] = g->round[k];
		if (rounds < best)
			best = rounds;
		shuffle(g->order, g->n, &state);
	}
	return best;
}

unsigned unc_rounds_split(struct unc_problem *p, unsigned first, unsigned last,
			  const unsigned *units, size_t n)
{
	struct fitting g = {
		.p = p,
		.units = units,
		.n = n,
		.words = (n + 63) / 64,
		.n_kinds = last - first,
		.loads = {NULL, first},
	};
	unsigned rounds = 0, least = 1;

	for (unsigned k = first; k < last; k++) {
		const unsigned own = least_rounds(p, &p->kinds[k]);

		least = own > least ? own : least;
	}
	if (alloc_fitting(&g)) {
		find_conflicts(&g);
		rounds = by_conflicts(&g) ? best_attempt(p, &g, least) : 0;
	}
	free_fitting(&g);
	return rounds;
}
