/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assign.c - assign counters to the events of one box; design.md 5 and 6.
 *
 * A complete search: at most 20 counters per box, and each event is tried on each counter that
 * it may use, in each of its equivalent encodings.
 */
#include <string.h>

#include "plan/plan.h"

#define MAX_CHOICES 5 /* encodings of an event: itself, three equivalents, the companion */

struct choice {
	uint64_t control;
	uint32_t counters;
	bool companion;
	uint8_t n_bits;
	struct unc_bits bits[UNC_MAX_BITS];
};

/* Bits of filter registers that are owned, and their values. */
struct filters {
	uint64_t owned[UNC_MAX_FILTERS], value[UNC_MAX_FILTERS];
};

struct search {
	const struct unc_box_type *type;
	const struct unc_event *const *events;
	struct unc_assignment *out;
	unsigned n;
	unsigned order[UNC_SLOTS];
	struct choice (*choices)[MAX_CHOICES]; /* by depth; allocated separately, because it is
						  large and need not be zeroed */
	unsigned n_choices[UNC_SLOTS];
	uint32_t taken;                   /* bit i: counter i; bit n_counters: the fixed one */
	uint32_t alike[UNC_MAX_COUNTERS]; /* counters that are equivalent in all choices of all
					     events */
	struct filters filters;
	bool queue_known;            /* counter 0 is already in use */
	struct unc_assignment queue; /* its assignment, if event is not NULL */
};

const struct unc_assignment *unc_held(const struct unc_use *use, unsigned counter)
{
	for (unsigned i = 0; i < use->held; i++)
		if (use->at[i].counter == counter)
			return &use->at[i];
	return NULL;
}

uint64_t unc_filter_value(const struct unc_box_type *type, const struct unc_assignment *at,
			  unsigned n, unsigned f)
{
	uint64_t value = type->filters[f].always;

	for (unsigned i = 0; i < n; i++)
		for (unsigned b = 0; b < at[i].n_bits; b++)
			if (at[i].bits[b].filter == f)
				value |= at[i].bits[b].value;
	return value;
}

/* ---- equivalent encodings ---- */

static struct choice itself(const struct unc_event *ev)
{
	struct choice c = {
		.control = ev->control,
		.counters = ev->counters,
		.n_bits = ev->n_bits,
	};

	memcpy(c.bits, ev->bits, sizeof(c.bits));
	return c;
}

static const struct unc_family *family_of(const struct unc_event *ev)
{
	const struct unc_family *f = ev->type->families;

	for (; f && f->n; f++)
		for (unsigned i = 0; i < f->n; i++)
			if ((ev->control & f->cmp) == f->first + i * f->step)
				return f;
	return NULL;
}

static struct unc_bits *bits_of(struct choice *c, uint8_t filter)
{
	for (unsigned i = 0; i < c->n_bits; i++)
		if (c->bits[i].filter == filter)
			return &c->bits[i];
	return NULL;
}

/* Remove a field's value from a choice. */
static uint64_t release_field(struct choice *c, const struct unc_field *f)
{
	struct unc_bits *b = bits_of(c, f->filter);
	uint64_t value = 0;

	if (b) {
		value = (b->value & f->mask) >> __builtin_ctzll(f->mask);
		b->mask &= ~f->mask;
		b->value &= ~f->mask;
		if (b->mask == 0)
			*b = c->bits[--c->n_bits];
	}
	return value;
}

/* false: the choice uses bits of the field for another purpose. */
static bool own_field(struct choice *c, const struct unc_field *f, uint64_t value)
{
	struct unc_bits *b = bits_of(c, f->filter);

	if (!b) {
		if (c->n_bits == UNC_MAX_BITS)
			return false;
		b = &c->bits[c->n_bits++];
		*b = (struct unc_bits){.filter = f->filter};
	}
	if (b->mask & f->mask)
		return false;
	b->mask |= f->mask;
	b->value |= value << __builtin_ctzll(f->mask) & f->mask;
	return true;
}

/* Move the values of the fields that only one of two controls has, in order. */
static bool move_fields(const struct unc_box_type *type, struct choice *c, uint64_t to)
{
	const uint64_t before = unc_fields_needed(type, c->control);
	const uint64_t after = unc_fields_needed(type, to);
	uint64_t source = before & ~after, target = after & ~before;
	uint64_t values[UNC_MAX_BITS];
	unsigned n = 0;
	bool ok = true;

	for (; source && n < UNC_MAX_BITS; source &= source - 1)
		values[n++] = release_field(c, &type->fields[__builtin_ctzll(source)]);
	for (unsigned i = 0; ok && target && i < n; target &= target - 1)
		ok = own_field(c, &type->fields[__builtin_ctzll(target)], values[i++]);
	c->control = to;
	return ok && source == 0 && target == 0;
}

/* The same event with the other codes of its family. */
static unsigned add_family(const struct unc_event *ev, struct choice *out, unsigned n)
{
	const struct unc_family *f = family_of(ev);
	const uint64_t others = f ? ev->control & ~(uint64_t)f->cmp : 0;
	const unsigned own = f ? ((uint32_t)(ev->control & f->cmp) - f->first) / f->step : 0;

	for (unsigned k = 1; f && k < f->n && n < MAX_CHOICES; k++) {
		out[n] = itself(ev);
		if (move_fields(ev->type, &out[n],
				others | (f->first + (own + k) % f->n * f->step)))
			n++;
	}
	return n;
}

static bool is_queue(const struct unc_companion *c, uint64_t control)
{
	return c && (control & 0xff) &&
	       memchr(c->queues, (int)(control & 0xff), sizeof(c->queues)) != NULL;
}

/* A threshold on a queue can be counted together with the queue itself. */
static bool has_companion(const struct unc_event *ev)
{
	const struct unc_companion *c = ev->type->companion;

	return is_queue(c, ev->control) && (ev->control & c->threshold);
}

static unsigned add_companion(const struct unc_event *ev, struct choice *out, unsigned n)
{
	const struct unc_companion *comp = ev->type->companion;
	struct choice c;

	if (!has_companion(ev) || n == MAX_CHOICES)
		return n;
	c = itself(ev);
	c.control = (ev->control & comp->how_mask) | comp->event;
	c.counters = comp->counters;
	c.companion = true;
	out[n++] = c;
	return n;
}

/* The same queue: equal occupancy event, umask and filter, any threshold. */
static bool same_queue(const struct unc_event *a, const struct unc_event *b)
{
	const struct unc_companion *comp = a->type->companion;
	struct unc_event x = *a, y = *b;

	if (!is_queue(comp, a->control) || !is_queue(comp, b->control))
		return false;
	x.control &= comp->queue_mask;
	y.control &= comp->queue_mask;
	return unc_same_event(&x, &y);
}

/* ---- search ---- */

static bool filters_agree(const struct filters *f, unsigned n_bits, const struct unc_bits *bits)
{
	for (unsigned i = 0; i < n_bits; i++) {
		const struct unc_bits *b = &bits[i];

		if (f->owned[b->filter] & b->mask & (f->value[b->filter] ^ b->value))
			return false;
	}
	return true;
}

static void own_filters(struct filters *f, unsigned n_bits, const struct unc_bits *bits)
{
	for (unsigned i = 0; i < n_bits; i++) {
		f->owned[bits[i].filter] |= bits[i].mask;
		f->value[bits[i].filter] |= bits[i].value;
	}
}

/* Every companion must have its queue on counter 0, where no companion can be. */
static bool companions_served(const struct search *s)
{
	const struct unc_event *queue = s->queue_known ? s->queue.event : NULL;

	for (unsigned i = 0; i < s->n && !s->queue_known; i++)
		if (s->out[i].counter == 0)
			queue = s->events[i];
	for (unsigned i = 0; i < s->n; i++)
		if (s->out[i].companion && (!queue || !same_queue(s->events[i], queue)))
			return false;
	return true;
}

static bool assign_rest(struct search *s, unsigned depth);

static bool try_choice(struct search *s, unsigned depth, const struct choice *c, unsigned counter)
{
	const unsigned i = s->order[depth];
	const size_t size = s->type->n_filters * sizeof(*s->filters.owned);
	struct filters before;

	memcpy(before.owned, s->filters.owned, size);
	memcpy(before.value, s->filters.value, size);
	s->out[i] = (struct unc_assignment){
		.event = s->events[i],
		.counter = (uint8_t)counter,
		.companion = c->companion,
		.control = c->control,
		.n_bits = c->n_bits,
	};
	memcpy(s->out[i].bits, c->bits, sizeof(c->bits));
	s->taken |= 1u << counter;
	own_filters(&s->filters, c->n_bits, c->bits);
	if (assign_rest(s, depth + 1))
		return true;
	s->taken &= ~(1u << counter);
	memcpy(s->filters.owned, before.owned, size);
	memcpy(s->filters.value, before.value, size);
	return false;
}

/* Counters with high numbers first: low ones support more events, which later sets may need. */
static bool assign_rest(struct search *s, unsigned depth)
{
	const unsigned n_counters = s->type->n_counters;
	const struct unc_event *ev;

	if (depth == s->n)
		return companions_served(s);
	ev = s->events[s->order[depth]];
	if (ev->fixed)
		return !(s->taken & (1u << n_counters)) &&
		       try_choice(s, depth, &s->choices[depth][0], n_counters);
	for (unsigned c = 0; c < s->n_choices[depth]; c++) {
		const struct choice *choice = &s->choices[depth][c];
		uint32_t open = choice->counters & ~s->taken;

		for (unsigned k = 0;
		     k < n_counters && filters_agree(&s->filters, choice->n_bits, choice->bits);
		     k++) {
			const unsigned counter = ev->low ? k : n_counters - 1 - k;

			if (!(open & (1u << counter)))
				continue;
			if (try_choice(s, depth, choice, counter))
				return true;
			open &= ~s->alike[counter];
		}
	}
	return false;
}

static unsigned freedom(const struct unc_event *ev)
{
	return (unsigned)__builtin_popcount(ev->counters);
}

/* The event with the fewest choices first. */
static void order_events(struct search *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		unsigned j = i;

		for (; j > 0 && freedom(s->events[s->order[j - 1]]) > freedom(s->events[i]); j--)
			s->order[j] = s->order[j - 1];
		s->order[j] = i;
	}
	for (unsigned d = 0; d < s->n; d++) {
		const struct unc_event *ev = s->events[s->order[d]];
		unsigned n = 1;

		s->choices[d][0] = itself(ev);
		n = add_family(ev, s->choices[d], n);
		s->n_choices[d] = add_companion(ev, s->choices[d], n);
	}
}

static bool treats_alike(const struct search *s, unsigned a, unsigned b)
{
	for (unsigned d = 0; d < s->n; d++)
		for (unsigned c = 0; c < s->n_choices[d]; c++) {
			const uint32_t counters = s->choices[d][c].counters;

			if ((counters >> a & 1) != (counters >> b & 1))
				return false;
		}
	return true;
}

/*
 * If one counter does not work, equivalent ones do not either; without this check, eight equal
 * counters are tried in all orders.  Counter 0 differs from the others if they may depend on
 * its queue.
 */
static void find_alike(struct search *s)
{
	for (unsigned a = 0; a < s->type->n_counters; a++) {
		s->alike[a] = 1u << a;
		for (unsigned b = 0; b < a; b++)
			if (!(s->type->companion && b == 0) && treats_alike(s, a, b)) {
				s->alike[a] |= 1u << b;
				s->alike[b] |= 1u << a;
			}
	}
}

static void keep_running(struct search *s, const struct unc_use *use)
{
	for (unsigned i = 0; use && i < use->n; i++) {
		const struct unc_assignment *set = &use->at[i];

		s->taken |= 1u << set->counter;
		own_filters(&s->filters, set->n_bits, set->bits);
		if (set->counter == 0) {
			s->queue_known = true;
			s->queue = *set;
		}
	}
}

bool unc_assign(const struct unc_box_type *type, const struct unc_use *use,
		const struct unc_event *const *events, unsigned n, struct unc_assignment *out)
{
	struct choice choices[UNC_SLOTS][MAX_CHOICES];
	struct search s = {.type = type, .events = events, .out = out, .n = n, .choices = choices};

	if (n + (use ? use->n : 0) > type->n_counters + 1u)
		return false;
	keep_running(&s, use);
	order_events(&s);
	find_alike(&s);
	return assign_rest(&s, 0);
}

/* ---- without encodings that only some events have ---- */

uint32_t unc_free_counters(const struct unc_box_type *type, const struct unc_use *use)
{
	uint32_t counters = (2u << type->n_counters) - 1;

	for (unsigned i = 0; use && i < use->n; i++)
		counters &= ~(1u << use->at[i].counter);
	return counters;
}

bool unc_has_one_encoding(const struct unc_event *ev)
{
	return !family_of(ev) && !has_companion(ev);
}

struct matching {
	const struct unc_event *const *events;
	uint32_t all, fixed;    /* free counters, and the bit of the fixed one */
	uint32_t seen;          /* counters tried for the event that is placed */
	unsigned at[UNC_SLOTS]; /* by counter: index of its event + 1 */
};

/* Find a counter for event i, moving others if necessary: a step of bipartite matching. */
static bool place(struct matching *m, unsigned i)
{
	const struct unc_event *ev = m->events[i];
	const uint32_t may = m->all & (ev->fixed ? m->fixed : ev->counters & (m->fixed - 1));

	for (uint32_t left; (left = may & ~m->seen);) {
		const unsigned c = (unsigned)__builtin_ctz(left);

		m->seen |= 1u << c;
		if (!m->at[c] || place(m, m->at[c] - 1)) {
			m->at[c] = i + 1;
			return true;
		}
	}
	return false;
}

/* More events than counters of their kind never fit. */
static bool are_too_many(const struct unc_box_type *type, const struct unc_use *use,
			 const struct unc_event *const *events, unsigned n)
{
	const uint32_t all = unc_free_counters(type, use), fixed = 1u << type->n_counters;
	unsigned n_fixed = 0;

	for (unsigned i = 0; i < n; i++)
		n_fixed += events[i]->fixed;
	return n_fixed > !!(all & fixed) ||
	       n - n_fixed > (unsigned)__builtin_popcount(all & (fixed - 1));
}

/* Whether the events fit in the encodings they have. */
static bool fit_plainly(const struct unc_box_type *type, const struct unc_use *use,
			const struct unc_event *const *events, unsigned n)
{
	struct matching m = {.events = events,
			     .all = unc_free_counters(type, use),
			     .fixed = 1u << type->n_counters};
	struct filters filters = {.owned = {0}};

	for (unsigned i = 0; use && i < use->n; i++)
		own_filters(&filters, use->at[i].n_bits, use->at[i].bits);
	for (unsigned i = 0; i < n; i++) {
		if (!filters_agree(&filters, events[i]->n_bits, events[i]->bits))
			return false;
		own_filters(&filters, events[i]->n_bits, events[i]->bits);
		m.seen = 0;
		if (!place(&m, i))
			return false;
	}
	return true;
}

/* Whether event i could be counted by its queue, if that is on counter 0. */
static bool finds_queue(const struct unc_use *use, const struct unc_event *const *events,
			unsigned n, unsigned i)
{
	if (!has_companion(events[i]))
		return false;
	for (unsigned k = 0; k < n; k++)
		if (k != i && same_queue(events[i], events[k]))
			return true;
	for (unsigned k = 0; use && k < use->n; k++)
		if (use->at[k].counter == 0 && same_queue(events[i], use->at[k].event))
			return true;
	return false;
}

bool unc_fits(const struct unc_box_type *type, const struct unc_use *use,
	      const struct unc_event *const *events, unsigned n)
{
	struct unc_assignment out[UNC_SLOTS];

	if (are_too_many(type, use, events, n))
		return false;
	if (fit_plainly(type, use, events, n))
		return true;
	for (unsigned i = 0; i < n; i++)
		if (family_of(events[i]) || finds_queue(use, events, n, i))
			return unc_assign(type, use, events, n, out);
	return false;
}
