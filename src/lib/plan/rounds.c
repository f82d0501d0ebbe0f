/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.c - events that do not fit at once, split into rounds; design.md 19.
 *
 * The problem is made small: boxes with the same events and the same counters in use are one
 * kind, and kinds that can hold all of their events do not matter.  Units (events, or groups of
 * them) with a kind in common conflict; parts of the problem that no kind connects are solved
 * one by one.
 */
#include "plan/rounds.h"

#include <stdlib.h>
#include <string.h>

#define ATTEMPTS 24 /* greedy attempts, if an exact solution takes too long */

/* Boxes that have to count the same events. */
struct kind {
	const struct unc_box_type *type;
	const struct unc_use *use;
	size_t n;
	unsigned *events;
};

struct problem {
	const struct unc_event *const *events;
	size_t n, n_units, n_kinds;
	unsigned *unit;  /* of each event */
	unsigned *part;  /* of each unit: the representative of its part */
	bool *chosen;    /* units under consideration */
	unsigned *round; /* of each unit */
	struct kind *kinds;
};

static bool alloc_problem(struct problem *p, size_t n, size_t n_boxes)
{
	n = n ? n : 1;
	p->unit = calloc(n, sizeof(*p->unit));
	p->part = calloc(n, sizeof(*p->part));
	p->chosen = calloc(n, sizeof(*p->chosen));
	p->round = calloc(n, sizeof(*p->round));
	p->kinds = calloc(n_boxes ? n_boxes : 1, sizeof(*p->kinds));
	return p->unit && p->part && p->chosen && p->round && p->kinds;
}

static void free_problem(struct problem *p)
{
	for (size_t i = 0; p->kinds && i < p->n_kinds; i++)
		free(p->kinds[i].events);
	free(p->unit);
	free(p->part);
	free(p->chosen);
	free(p->round);
	free(p->kinds);
}

/* ---- units and kinds ---- */

static void make_units(struct problem *p, const unsigned *groups)
{
	for (size_t e = 0; e < p->n; e++) {
		size_t first = 0;

		while (first < e && !(groups && groups[e] && groups[first] == groups[e]))
			first++;
		p->unit[e] = first < e ? p->unit[first] : (unsigned)p->n_units++;
	}
}

static bool runs(const struct unc_use *use, const struct unc_event *ev)
{
	for (unsigned i = 0; use && i < use->n; i++)
		if (unc_same_event(use->at[i].event, ev))
			return true;
	return false;
}

static bool same_use(const struct unc_use *a, const struct unc_use *b)
{
	if (!a || !b || a->n != b->n)
		return a == b;
	for (unsigned i = 0; i < a->n; i++)
		if (a->at[i].event != b->at[i].event || a->at[i].counter != b->at[i].counter ||
		    a->at[i].control != b->at[i].control)
			return false;
	return true;
}

static bool known_kind(const struct problem *p, const struct kind *s)
{
	for (size_t i = 0; i < p->n_kinds; i++) {
		const struct kind *k = &p->kinds[i];

		if (k->type == s->type && k->n == s->n && same_use(k->use, s->use) &&
		    memcmp(k->events, s->events, s->n * sizeof(*s->events)) == 0)
			return true;
	}
	return false;
}

static bool kind_fits(const struct problem *p, const struct kind *s)
{
	const struct unc_event *distinct[UNC_SLOTS];
	struct unc_assignment assignments[UNC_SLOTS];
	const unsigned room = s->type->n_counters + 1u;
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct unc_event *ev = p->events[s->events[i]];
		unsigned d = 0;

		if (!p->chosen[p->unit[s->events[i]]])
			continue;
		while (d < n && !unc_same_event(distinct[d], ev))
			d++;
		if (d < n)
			continue;
		if (n == room)
			return false;
		distinct[n++] = ev;
	}
	return n == 0 || unc_assign(s->type, s->use, distinct, n, assignments);
}

static void choose_all(struct problem *p, bool all)
{
	for (size_t u = 0; u < p->n_units; u++)
		p->chosen[u] = all;
}

/* Only kinds that cannot hold all of their events are moved. */
static int make_kinds(struct problem *p, const struct unc_machine *m, const struct unc_use *use)
{
	unsigned *events = calloc(p->n ? p->n : 1, sizeof(*events));
	int r = events ? 0 : UNCORE_ENOMEM;

	choose_all(p, true);
	for (size_t b = 0; events && b < m->n_boxes; b++) {
		const struct unc_box *box = &m->boxes[b];
		struct kind s = {box->type, use && use[b].n ? &use[b] : NULL, 0, events};

		for (unsigned e = 0; e < p->n; e++)
			if (unc_box_counts(box, p->events[e]) && !runs(s.use, p->events[e]))
				events[s.n++] = e;
		if (s.n == 0 || known_kind(p, &s) || kind_fits(p, &s))
			continue;
		s.events = malloc(s.n * sizeof(*events));
		if (!s.events) {
			r = UNCORE_ENOMEM;
			break;
		}
		memcpy(s.events, events, s.n * sizeof(*events));
		p->kinds[p->n_kinds++] = s;
	}
	free(events);
	return r;
}

/* ---- parts ---- */

static unsigned part_of(const struct problem *p, unsigned unit)
{
	while (p->part[unit] != unit)
		unit = p->part[unit];
	return unit;
}

static void make_parts(struct problem *p)
{
	for (unsigned u = 0; u < p->n_units; u++)
		p->part[u] = u;
	for (size_t i = 0; i < p->n_kinds; i++)
		for (size_t k = 1; k < p->kinds[i].n; k++)
			p->part[part_of(p, p->unit[p->kinds[i].events[k]])] =
				part_of(p, p->unit[p->kinds[i].events[0]]);
}

/* Whether the chosen units of a part fit together. */
static bool part_fits(const struct problem *p, unsigned part)
{
	for (size_t i = 0; i < p->n_kinds; i++)
		if (part_of(p, p->unit[p->kinds[i].events[0]]) == part &&
		    !kind_fits(p, &p->kinds[i]))
			return false;
	return true;
}

/* The units of a part; `units` has room for all. */
static size_t members(const struct problem *p, unsigned part, unsigned *units)
{
	size_t n = 0;

	for (unsigned u = 0; u < p->n_units; u++)
		if (part_of(p, u) == part)
			units[n++] = u;
	return n;
}

/* ---- exact ---- */

enum { UNKNOWN, FITS, FAILS };

struct exact {
	const unsigned *units;
	size_t n;
	uint8_t fits[1 << UNC_ROUNDS_EXACT];
	uint8_t best[1 << UNC_ROUNDS_EXACT];   /* number of rounds for a set of units */
	uint16_t first[1 << UNC_ROUNDS_EXACT]; /* one of the rounds */
};

static bool mask_fits(struct problem *p, struct exact *x, unsigned part, unsigned mask)
{
	if (x->fits[mask] == UNKNOWN) {
		for (size_t i = 0; i < x->n; i++)
			p->chosen[x->units[i]] = mask >> i & 1;
		x->fits[mask] = part_fits(p, part) ? FITS : FAILS;
	}
	return x->fits[mask] == FITS;
}

/* Sets that fit are tried only with the lowest unit of the whole. */
static void best_split(struct problem *p, struct exact *x, unsigned part, unsigned mask)
{
	const unsigned low = mask & -mask, rest = mask & ~low;

	x->best[mask] = UINT8_MAX;
	for (unsigned sub = rest;; sub = (sub - 1) & rest) {
		const unsigned round = sub | low;
		const unsigned more = x->best[mask & ~round];

		if (more + 1 < x->best[mask] && mask_fits(p, x, part, round)) {
			x->best[mask] = (uint8_t)(more + 1);
			x->first[mask] = (uint16_t)round;
		}
		if (sub == 0)
			return;
	}
}

/* 0: out of memory */
static unsigned split_exactly(struct problem *p, unsigned part, const unsigned *units, size_t n)
{
	struct exact *x = calloc(1, sizeof(*x));
	const unsigned all = (1u << n) - 1;
	unsigned r = 0;

	if (!x)
		return 0;
	x->units = units;
	x->n = n;
	for (unsigned mask = 1; mask <= all; mask++)
		best_split(p, x, part, mask);
	for (unsigned left = all; left; left &= ~(unsigned)x->first[left], r++)
		for (size_t i = 0; i < n; i++)
			if (x->first[left] >> i & 1)
				p->round[units[i]] = r;
	free(x);
	return r;
}

/* ---- greedy ---- */

/* Put each unit into the first round with room for it. */
static unsigned first_fit(struct problem *p, unsigned part, const unsigned *order, size_t n,
			  unsigned *round)
{
	unsigned rounds = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned r = 0;

		for (; r < rounds; r++) {
			for (size_t k = 0; k < n; k++)
				p->chosen[order[k]] = k == i || (k < i && round[order[k]] == r);
			if (part_fits(p, part))
				break;
		}
		round[order[i]] = r;
		if (r == rounds)
			rounds++;
	}
	return rounds;
}

/* Units with many conflicts first. */
static void by_conflicts(struct problem *p, unsigned part, unsigned *order, size_t n,
			 unsigned *conflicts)
{
	for (size_t i = 0; i < n; i++) {
		conflicts[order[i]] = 0;
		for (size_t k = 0; k < n; k++) {
			for (size_t o = 0; o < n; o++)
				p->chosen[order[o]] = o == i || o == k;
			conflicts[order[i]] += !part_fits(p, part);
		}
	}
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k > 0 && conflicts[order[k]] > conflicts[order[k - 1]]; k--) {
			const unsigned swapped = order[k];

			order[k] = order[k - 1];
			order[k - 1] = swapped;
		}
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

static unsigned split_greedily(struct problem *p, unsigned part, unsigned *units, size_t n)
{
	unsigned *round = calloc(p->n_units, sizeof(*round));
	unsigned best = UINT32_MAX;
	uint32_t state = 1;

	if (!round)
		return 0;
	by_conflicts(p, part, units, n, round);
	for (unsigned i = 0; i < ATTEMPTS; i++) {
		const unsigned rounds = first_fit(p, part, units, n, round);

		for (size_t k = 0; k < n && rounds < best; k++)
			p->round[units[k]] = round[units[k]];
		if (rounds < best)
			best = rounds;
		shuffle(units, n, &state);
	}
	free(round);
	return best;
}

/* ---- entry point ---- */

/* The event because of which its unit does not fit even alone; n: not found. */
static size_t find_stuck(struct problem *p)
{
	for (size_t e = 0; e < p->n; e++) {
		choose_all(p, false);
		p->chosen[p->unit[e]] = true;
		if (!part_fits(p, part_of(p, p->unit[e])))
			return e;
	}
	return p->n;
}

/* 0: out of memory */
static unsigned split_all(struct problem *p)
{
	unsigned *units = calloc(p->n_units ? p->n_units : 1, sizeof(*units));
	unsigned most = 1, rounds = 1;

	for (unsigned part = 0; units && rounds && part < p->n_units; part++) {
		const size_t n = members(p, part, units);

		if (n == 0)
			continue;
		choose_all(p, false);
		rounds = n <= UNC_ROUNDS_EXACT ? split_exactly(p, part, units, n)
					       : split_greedily(p, part, units, n);
		if (rounds > most)
			most = rounds;
	}
	free(units);
	return units && rounds ? most : 0;
}

static void choose_round(struct problem *p, const bool *in)
{
	choose_all(p, false);
	for (size_t e = 0; e < p->n; e++)
		if (in[e])
			p->chosen[p->unit[e]] = true;
}

static unsigned coverage(const struct unc_rounds *out, size_t event)
{
	unsigned n = 0;

	for (unsigned r = 0; r < out->n; r++)
		n += unc_in_round(out, r, event);
	return n;
}

/* The event whose unit is in the fewest rounds, is not in this one and was not tried; or n. */
static size_t least_covered(const struct problem *p, const struct unc_rounds *out, unsigned r,
			    const bool *tried)
{
	unsigned fewest = UINT32_MAX;
	size_t best = p->n;

	for (size_t e = 0; e < p->n; e++) {
		const unsigned n = coverage(out, e);

		if (unc_in_round(out, r, e) || tried[p->unit[e]] || n >= fewest)
			continue;
		fewest = n;
		best = e;
	}
	return best;
}

/* More rounds make a better estimate: remaining room goes to the events with the fewest. */
static int fill_rounds(struct problem *p, struct unc_rounds *out)
{
	bool *tried = calloc(p->n_units ? p->n_units : 1, sizeof(*tried));

	for (unsigned r = 0; tried && r < out->n; r++) {
		bool *in = &out->in[r * p->n];
		size_t e;

		memset(tried, 0, p->n_units * sizeof(*tried));
		while ((e = least_covered(p, out, r, tried)) < p->n) {
			const unsigned unit = p->unit[e];

			tried[unit] = true;
			choose_round(p, in);
			p->chosen[unit] = true;
			if (!part_fits(p, part_of(p, unit)))
				continue;
			for (size_t k = 0; k < p->n; k++)
				in[k] = in[k] || p->unit[k] == unit;
		}
	}
	free(tried);
	return tried ? 0 : UNCORE_ENOMEM;
}

static int make_rounds(struct problem *p, struct unc_rounds *out)
{
	out->n = split_all(p);
	out->n_events = p->n;
	if (out->n == 0)
		return UNCORE_ENOMEM;
	out->in = calloc(out->n * (p->n ? p->n : 1), sizeof(*out->in));
	if (!out->in)
		return UNCORE_ENOMEM;
	for (size_t e = 0; e < p->n; e++)
		out->in[p->round[p->unit[e]] * p->n + e] = true;
	return fill_rounds(p, out);
}

int unc_rounds_make(struct unc_rounds *out, const struct unc_machine *m, const struct unc_use *use,
		    const struct unc_event *const *events, const unsigned *groups, size_t n,
		    size_t *stuck)
{
	struct problem p = {.events = events, .n = n};
	int r = alloc_problem(&p, n, m->n_boxes) ? 0 : UNCORE_ENOMEM;

	memset(out, 0, sizeof(*out));
	if (r == 0) {
		make_units(&p, groups);
		r = make_kinds(&p, m, use);
	}
	if (r == 0) {
		make_parts(&p);
		*stuck = find_stuck(&p);
		r = *stuck < n ? UNCORE_ECONFLICT : make_rounds(&p, out);
	}
	free_problem(&p);
	return r;
}

void unc_rounds_free(struct unc_rounds *rounds)
{
	free(rounds->in);
	memset(rounds, 0, sizeof(*rounds));
}
