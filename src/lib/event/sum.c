/* SPDX-License-Identifier: BSD-3-Clause */
/* sum.c - number of counters and packages that the count of an event is the sum of. */
#include "event/name_space.h"
#include "uncore_inspect.h"

/* The sum so far. */
struct sum {
	const struct unc_machine *machine;
	uint64_t packages; /* bit i: package i of the first 64 */
	double counters;
	uint64_t added;
	bool scaled; /* a weight is not 1 */
};

/* weight: how often the event's counts are in the sum. */
static void add_event(struct sum *s, const struct unc_event *ev, double weight)
{
	const struct unc_machine *m = s->machine;
	size_t i, end = unc_boxes_of(m, ev->type, &i);

	for (; i < end; i++) {
		const struct unc_box *box = &m->boxes[i];

		if (!unc_box_counts(box, ev))
			continue;
		s->packages |= UINT64_C(1) << (box->socket % 64);
		s->counters += weight;
		s->added++;
	}
	s->scaled |= weight != 1;
}

static int add_formula(struct sum *s, struct unc_names *names, const struct unc_formula *f)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < f->n; i++) {
		const struct unc_formula_event *part = &f->events[i];
		const struct unc_event *ev = unc_names_event(names, part->id, &r);

		if (ev)
			add_event(s, ev, (double)part->times / (double)part->by);
	}
	return r;
}

int unc_names_sum(struct unc_names *names, unsigned id, struct uncore_sum *is)
{
	struct sum s = {.machine = names->machine};
	const struct unc_formula *formula;
	const struct unc_event *ev = NULL;
	int r = unc_names_formula(names, id, &formula);
	bool real;

	if (r == 0 && formula)
		r = add_formula(&s, names, formula);
	else if (r == 0)
		ev = unc_names_event(names, id, &r);
	if (ev)
		add_event(&s, ev, 1);
	real = formula && unc_formula_is_real(formula);
	*is = (struct uncore_sum){
		.packages = (unsigned)__builtin_popcountll(s.packages),
		.counters = real ? 0 : s.counters,
		.added = real || s.scaled ? 0 : s.added,
	};
	return r;
}
