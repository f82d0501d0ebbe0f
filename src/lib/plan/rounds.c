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

#include "plan/rounds_problem.h"

static bool alloc_problem(struct unc_problem *p, size_t n, size_t n_boxes)
{
	n = n ? n : 1;
	p->unit = calloc(n, sizeof(*p->unit));
	p->same = calloc(n, sizeof(*p->same));
	p->part = calloc(n, sizeof(*p->part));
	p->round = calloc(n, sizeof(*p->round));
	p->first = calloc(n + 2, sizeof(*p->first));
	p->kinds = calloc(n_boxes ? n_boxes : 1, sizeof(*p->kinds));
	return p->unit && p->same && p->part && p->round && p->first && p->kinds;
}

static void free_problem(struct unc_problem *p)
{
	for (size_t i = 0; p->kinds && i < p->n_kinds; i++)
		free(p->kinds[i].events);
	free(p->unit);
	free(p->same);
	free(p->part);
	free(p->round);
	free(p->first);
	free(p->kinds);
	free(p->wants);
}

/* ---- loads ---- */

/* false: no room */
static bool load_event(const struct unc_problem *p, struct unc_load *load, unsigned room,
		       unsigned event)
{
	for (unsigned i = 0; i < load->n; i++)
		if (p->same[load->events[i]] == p->same[event])
			return true;
	if (load->n == room)
		return false;
	load->events[load->n++] = event;
	return true;
}

static unsigned room_of(const struct unc_kind *k)
{
	return k->type->n_counters + 1u;
}

static bool load_fits(const struct unc_problem *p, const struct unc_kind *k,
		      const struct unc_load *load)
{
	const struct unc_event *events[UNC_SLOTS];

	for (unsigned i = 0; i < load->n; i++)
		events[i] = p->events[load->events[i]];
	return unc_fits(k->type, k->use, events, load->n);
}

bool unc_load_fits(const struct unc_problem *p, struct unc_loads loads, unsigned unit)
{
	for (size_t w = p->first[unit]; w < p->first[unit + 1];) {
		const unsigned kind = p->wants[w].kind;
		const struct unc_kind *k = &p->kinds[kind];
		struct unc_load load = loads.of[kind - loads.first];
		const unsigned before = load.n;

		for (; w < p->first[unit + 1] && p->wants[w].kind == kind; w++)
			if (!load_event(p, &load, room_of(k), p->wants[w].event))
				return false;
		if (load.n > before && !load_fits(p, k, &load))
			return false;
	}
	return true;
}

void unc_load_add(const struct unc_problem *p, struct unc_loads loads, unsigned unit)
{
	for (size_t w = p->first[unit]; w < p->first[unit + 1]; w++) {
		const unsigned kind = p->wants[w].kind;

		load_event(p, &loads.of[kind - loads.first], room_of(&p->kinds[kind]),
			   p->wants[w].event);
	}
}

void unc_load_clear(const struct unc_problem *p, struct unc_loads loads, unsigned unit)
{
	for (size_t w = p->first[unit]; w < p->first[unit + 1]; w++)
		loads.of[p->wants[w].kind - loads.first].n = 0;
}

/* ---- order ---- */

bool unc_order_by(const unsigned *numbers, size_t n, unsigned most, unsigned *order)
{
	size_t *next = calloc((size_t)most + 2, sizeof(*next)); /* by number: index into order */

	for (size_t i = 0; next && i < n; i++)
		next[numbers[i] + 1]++;
	for (unsigned k = 0; next && k < most; k++)
		next[k + 1] += next[k];
	for (unsigned i = 0; next && i < n; i++)
		order[next[numbers[i]]++] = i;
	free(next);
	return next != NULL;
}

/* ---- units ---- */

/* A number or an event, and the index in the list. */
struct key {
	uint64_t number;
	const struct unc_event *event;
	unsigned i;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_number(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	const int order = compare_numbers(x->number, y->number);

	return order ? order : compare_numbers(x->i, y->i);
}

/* Equal events are next to each other: the order of others does not matter. */
static int by_event(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	const struct unc_event *e = x->event, *f = y->event;
	int order = compare_numbers((uintptr_t)e->type, (uintptr_t)f->type);

	if (!order)
		order = compare_numbers(e->control, f->control);
	if (!order)
		order = compare_numbers(e->n_bits + 256u * e->fixed, f->n_bits + 256u * f->fixed);
	for (unsigned i = 0; !order && i < e->n_bits; i++) {
		order = compare_numbers(e->bits[i].filter, f->bits[i].filter);
		if (!order)
			order = compare_numbers(e->bits[i].mask, f->bits[i].mask);
		if (!order)
			order = compare_numbers(e->bits[i].value, f->bits[i].value);
	}
	return order ? order : compare_numbers(x->i, y->i);
}

static bool make_same(struct unc_problem *p)
{
	struct key *keys = calloc(p->n ? p->n : 1, sizeof(*keys));

	for (unsigned e = 0; keys && e < p->n; e++)
		keys[e] = (struct key){.event = p->events[e], .i = e};
	if (keys)
		qsort(keys, p->n, sizeof(*keys), by_event);
	for (size_t k = 0; keys && k < p->n; k++)
		p->same[keys[k].i] = k && unc_same_event(keys[k].event, keys[k - 1].event)
					     ? p->same[keys[k - 1].i]
					     : keys[k].i;
	free(keys);
	return keys != NULL;
}

/* A unit for each group, and for each event that has none, in the order of the list. */
static bool make_units(struct unc_problem *p, const unsigned *groups)
{
	struct key *keys = calloc(p->n ? p->n : 1, sizeof(*keys));

	for (unsigned e = 0; keys && e < p->n; e++)
		keys[e] = (struct key){.number = groups ? groups[e] : 0, .i = e};
	if (keys)
		qsort(keys, p->n, sizeof(*keys), by_number);
	/* first the first event of each group */
	for (size_t k = 0; keys && k < p->n; k++) {
		const bool with_previous =
			k && keys[k].number && keys[k].number == keys[k - 1].number;

		p->unit[keys[k].i] = with_previous ? p->unit[keys[k - 1].i] : keys[k].i;
	}
	for (unsigned e = 0; keys && e < p->n; e++)
		p->unit[e] = p->unit[e] == e ? (unsigned)p->n_units++ : p->unit[p->unit[e]];
	free(keys);
	return keys != NULL;
}

/* ---- kinds ---- */

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

static bool known_kind(const struct unc_problem *p, const struct unc_kind *s)
{
	for (size_t i = 0; i < p->n_kinds; i++) {
		const struct unc_kind *k = &p->kinds[i];

		if (k->type == s->type && k->n == s->n && same_use(k->use, s->use) &&
		    memcmp(k->events, s->events, s->n * sizeof(*s->events)) == 0)
			return true;
	}
	return false;
}

static bool kind_fits(const struct unc_problem *p, const struct unc_kind *k)
{
	struct unc_load load = {.n = 0};

	for (size_t i = 0; i < k->n; i++)
		if (!load_event(p, &load, room_of(k), k->events[i]))
			return false;
	return load_fits(p, k, &load);
}

/* Only kinds that cannot hold all of their events are moved. */
static bool make_kinds(struct unc_problem *p, const struct unc_machine *m,
		       const struct unc_use *use)
{
	unsigned *events = calloc(p->n ? p->n : 1, sizeof(*events));
	bool ok = events != NULL;

	for (size_t b = 0; ok && b < m->n_boxes; b++) {
		const struct unc_box *box = &m->boxes[b];
		struct unc_kind k = {box->type, use && use[b].n ? &use[b] : NULL, 0, events, 0};

		for (unsigned e = 0; e < p->n; e++)
			if (unc_box_counts(box, p->events[e]) && !runs(k.use, p->events[e]))
				events[k.n++] = e;
		if (k.n == 0 || known_kind(p, &k) || kind_fits(p, &k))
			continue;
		k.events = malloc(k.n * sizeof(*events));
		ok = k.events != NULL;
		if (ok) {
			memcpy(k.events, events, k.n * sizeof(*events));
			p->kinds[p->n_kinds++] = k;
		}
	}
	free(events);
	return ok;
}

/* ---- parts ---- */

static unsigned part_of(struct unc_problem *p, unsigned unit)
{
	while (p->part[unit] != unit) {
		p->part[unit] = p->part[p->part[unit]];
		unit = p->part[unit];
	}
	return unit;
}

static int by_part(const void *a, const void *b)
{
	const struct unc_kind *x = a, *y = b;

	return compare_numbers(x->part, y->part);
}

static void make_parts(struct unc_problem *p)
{
	for (unsigned u = 0; u < p->n_units; u++)
		p->part[u] = u;
	for (size_t i = 0; i < p->n_kinds; i++)
		for (size_t k = 1; k < p->kinds[i].n; k++)
			p->part[part_of(p, p->unit[p->kinds[i].events[k]])] =
				part_of(p, p->unit[p->kinds[i].events[0]]);
	for (unsigned u = 0; u < p->n_units; u++)
		p->part[u] = part_of(p, u);
	for (size_t i = 0; i < p->n_kinds; i++)
		p->kinds[i].part = p->part[p->unit[p->kinds[i].events[0]]];
	qsort(p->kinds, p->n_kinds, sizeof(*p->kinds), by_part);
}

/* By unit, then kind: first[unit + 1] is where the next one of a unit goes, at the end its end. */
static bool make_wants(struct unc_problem *p)
{
	size_t n = 0;

	for (size_t k = 0; k < p->n_kinds; n += p->kinds[k++].n)
		for (size_t i = 0; i < p->kinds[k].n; i++)
			p->first[p->unit[p->kinds[k].events[i]] + 2]++;
	for (size_t u = 2; u <= p->n_units; u++)
		p->first[u] += p->first[u - 1];
	p->wants = calloc(n ? n : 1, sizeof(*p->wants));
	for (unsigned k = 0; p->wants && k < p->n_kinds; k++)
		for (size_t i = 0; i < p->kinds[k].n; i++) {
			const unsigned e = p->kinds[k].events[i];

			p->wants[p->first[p->unit[e] + 1]++] = (struct unc_want){k, e};
		}
	return p->wants != NULL;
}

/* ---- entry point ---- */

/* The event because of which its unit does not fit even alone; n: not found. */
static size_t find_stuck(struct unc_problem *p, struct unc_loads loads)
{
	unsigned unit = 0;

	for (size_t e = 0; e < p->n; e++)
		if (p->unit[e] == unit) {
			if (!unc_load_fits(p, loads, unit))
				return e;
			unit++;
		}
	return p->n;
}

/* Units that nothing competes with are in round 0.  0: out of memory. */
static unsigned split_all(struct unc_problem *p)
{
	unsigned *units = calloc(p->n_units ? p->n_units : 1, sizeof(*units)); /* by part */
	unsigned most = 1, rounds = 0, last;
	size_t i = 0, n;

	if (units && unc_order_by(p->part, p->n_units, (unsigned)p->n_units, units))
		rounds = 1;
	for (unsigned first = 0; rounds && first < p->n_kinds; first = last, i += n) {
		const unsigned part = p->kinds[first].part;

		for (last = first; last < p->n_kinds && p->kinds[last].part == part; last++)
			;
		while (p->part[units[i]] != part)
			i++;
		for (n = 0; i + n < p->n_units && p->part[units[i + n]] == part; n++)
			;
		rounds = unc_rounds_split(p, first, last, &units[i], n);
		most = rounds > most ? rounds : most;
	}
	free(units);
	return rounds ? most : 0;
}

struct filling {
	unsigned *coverage; /* by unit: the number of its rounds */
	unsigned *order;    /* units, by coverage */
	bool *in;           /* by unit */
	struct unc_loads loads;
};

static bool alloc_filling(const struct unc_problem *p, struct filling *f)
{
	const size_t n = p->n_units ? p->n_units : 1;

	f->coverage = calloc(n, sizeof(*f->coverage));
	f->order = calloc(n, sizeof(*f->order));
	f->in = calloc(n, sizeof(*f->in));
	f->loads.of = calloc(p->n_kinds ? p->n_kinds : 1, sizeof(*f->loads.of));
	return f->coverage && f->order && f->in && f->loads.of;
}

static void free_filling(struct filling *f)
{
	free(f->coverage);
	free(f->order);
	free(f->in);
	free(f->loads.of);
}

static bool fill_round(const struct unc_problem *p, struct filling *f, unsigned r,
		       unsigned n_rounds)
{
	memset(f->loads.of, 0, p->n_kinds * sizeof(*f->loads.of));
	for (unsigned u = 0; u < p->n_units; u++) {
		f->in[u] = p->round[u] == r;
		if (f->in[u])
			unc_load_add(p, f->loads, u);
	}
	if (!unc_order_by(f->coverage, p->n_units, n_rounds, f->order))
		return false;
	for (size_t i = 0; i < p->n_units; i++) {
		const unsigned u = f->order[i];

		if (f->in[u] || !unc_load_fits(p, f->loads, u))
			continue;
		unc_load_add(p, f->loads, u);
		f->in[u] = true;
		f->coverage[u]++;
	}
	return true;
}

/* More rounds make a better estimate: remaining room goes to the units with the fewest. */
static int fill_rounds(const struct unc_problem *p, struct unc_rounds *out)
{
	struct filling f = {.coverage = NULL};
	bool ok = alloc_filling(p, &f);

	for (size_t u = 0; ok && u < p->n_units; u++)
		f.coverage[u] = 1;
	for (unsigned r = 0; ok && r < out->n; r++) {
		ok = fill_round(p, &f, r, out->n);
		for (size_t e = 0; e < p->n; e++)
			out->in[r * p->n + e] = f.in[p->unit[e]];
	}
	free_filling(&f);
	return ok ? 0 : UNCORE_ENOMEM;
}

static int make_rounds(struct unc_problem *p, struct unc_rounds *out)
{
	out->n = split_all(p);
	out->n_events = p->n;
	if (out->n == 0)
		return UNCORE_ENOMEM;
	out->in = calloc(out->n * (p->n ? p->n : 1), sizeof(*out->in));
	return out->in ? fill_rounds(p, out) : UNCORE_ENOMEM;
}

static bool make_problem(struct unc_problem *p, const struct unc_machine *m,
			 const struct unc_use *use, const unsigned *groups)
{
	if (!alloc_problem(p, p->n, m->n_boxes) || !make_same(p) || !make_units(p, groups) ||
	    !make_kinds(p, m, use))
		return false;
	make_parts(p);
	return make_wants(p);
}

int unc_rounds_make(struct unc_rounds *out, const struct unc_machine *m, const struct unc_use *use,
		    const struct unc_event *const *events, const unsigned *groups, size_t n,
		    size_t *stuck)
{
	struct unc_problem p = {.events = events, .n = n};
	struct unc_loads loads = {NULL, 0};
	int r = UNCORE_ENOMEM;

	memset(out, 0, sizeof(*out));
	if (make_problem(&p, m, use, groups))
		loads.of = calloc(p.n_kinds ? p.n_kinds : 1, sizeof(*loads.of));
	if (loads.of) {
		*stuck = find_stuck(&p, loads);
		r = *stuck < n ? UNCORE_ECONFLICT : make_rounds(&p, out);
	}
	free(loads.of);
	free_problem(&p);
	return r;
}

void unc_rounds_free(struct unc_rounds *rounds)
{
	free(rounds->in);
	memset(rounds, 0, sizeof(*rounds));
}
