/* SPDX-License-Identifier: BSD-3-Clause */
/* metric.c - metrics: which ones this machine can measure, and their events. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/name_space.h"

#define LONG_NAME (4 * UNCORE_NAME_MAX) /* an event name with all its places */

const char *unc_names_split(const struct unc_names *n, const struct unc_formula *f)
{
	const char *name = unc_metric_of(f->recipe)->name;
	const size_t len = strlen(name);

	for (unsigned i = 0; n->recipes && *unc_metrics[i].name; i++)
		if (strncmp(unc_metrics[i].name, name, len) == 0 &&
		    strcmp(unc_metrics[i].name + len, "_SPLIT") == 0)
			return *n->recipes[i].events->event ? unc_metrics[i].name : NULL;
	return NULL;
}

/* ---- listing ---- */

/*
 * One row per metric, and an empty one at the end; without events: not measurable on this machine.
 */
static int find_recipes(struct unc_names *n)
{
	size_t count = 0;

	while (*unc_metrics[count].name)
		count++;
	n->recipes = calloc(count + 1, sizeof(*n->recipes));
	if (!n->recipes)
		return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for metrics");
	for (size_t i = 0; i < count; i++)
		unc_recipe_find(n->machine->platform, &unc_metrics[i], &n->recipes[i]);
	return 0;
}

int unc_metrics_list(struct unc_names *n, bool measurable)
{
	int r = n->recipes ? 0 : find_recipes(n);

	n->metrics.type = &unc_metric_box;
	n->metrics.first = -1;
	for (const struct unc_metric *m = unc_metrics; r == 0 && *m->name; m++) {
		const struct unc_recipe *found = &n->recipes[m - unc_metrics];
		const struct unc_recipe *recipe = *found->events->event ? found : NULL;
		struct unc_entry e = {.pmu = &n->metrics,
				      .pfm = -1,
				      .walk = -1,
				      .metric = m,
				      .recipe = recipe},
				 *got;

		snprintf(e.name, sizeof(e.name), "%s", m->name);
		if (tfind(&e, &n->tree, unc_entry_compare) ||
		    (measurable &&
		     (!recipe || recipe->collides || !unc_recipe_has_events(n, recipe))))
			continue;
		r = unc_entry_intern(n, &e, &got);
		if (r == 0)
			got->base = got;
	}
	return r;
}

/* ---- events ---- */

static bool counts_in(const struct unc_box *b, const struct unc_places *at)
{
	return !b->absent && unc_box_is_at(b, at);
}

/* Number of boxes that an event counts in: all, or box number `box`. */
static unsigned n_boxes(const struct unc_machine *m, const struct unc_event *ev, int box,
			const struct unc_places *places)
{
	size_t i, end = unc_boxes_of(m, ev->type, &i);
	struct unc_places at = *places;
	unsigned n = 0;

	if (ev->where.boxes.n)
		at.boxes = ev->where.boxes;
	else if (box >= 0)
		at.boxes = unc_numbers_one((unsigned)box);
	for (; i < end; i++)
		n += counts_in(&m->boxes[i], &at);
	return n;
}

/* The next box number; -1: no more. */
static int next_box(const struct unc_machine *m, const struct unc_event *ev,
		    const struct unc_places *at, int after)
{
	size_t i, end = unc_boxes_of(m, ev->type, &i);
	int next = -1;

	for (; i < end; i++) {
		const int number = m->boxes[i].number;

		if (number > after && (next < 0 || number < next) && counts_in(&m->boxes[i], at))
			next = number;
	}
	return next;
}

static struct unc_formula_event *add_event(struct unc_formula *f)
{
	if (f->n == f->room) {
		const size_t room = f->room ? 2 * f->room : 4;
		struct unc_formula_event *events = realloc(f->events, room * sizeof(*events));

		if (!events)
			return NULL;
		f->events = events;
		f->room = room;
	}
	return &f->events[f->n++];
}

struct expansion {
	struct unc_names *names;
	const struct unc_recipe *recipe;
	struct unc_formula *formula;
	struct unc_places at;            /* of this round */
	const struct unc_box_type *type; /* of all events, if they take box= */
	unsigned round;
	unsigned boxes; /* of the first event */
};

#define UJ_PER_J 1000000

/* The weight of a count taken in `in` boxes for `of` boxes. */
struct weight {
	unsigned of, in;
};

/* A box that is missing in another package does not matter in this round. */
static void name_event(const struct expansion *x, const char *event, int box, char *name,
		       size_t len)
{
	int n = snprintf(name, len, "%s", event);
	char numbers[UNC_NUMBERS_TEXT];

	if (box >= 0)
		n += snprintf(name + n, len - (size_t)n, ":box=%d", box);
	else if (x->at.boxes.n)
		n += snprintf(name + n, len - (size_t)n, ":box=%s",
			      unc_numbers_short_text(&x->at.boxes, numbers));
	if (x->at.packages.n)
		n += snprintf(name + n, len - (size_t)n, ":pkg=%s",
			      unc_numbers_text(&x->at.packages, numbers));
	if (x->at.die >= 0)
		snprintf(name + n, len - (size_t)n, ":die=%d", x->at.die);
}

/* For events that count energy, in 2^-bits J; false: other events. */
static bool counts_energy(const struct expansion *x, unsigned id, unsigned *bits)
{
	const struct unc_machine *m = x->names->machine;
	int r;
	const struct unc_event *ev = unc_names_event_locked(x->names, id, &r);
	struct unc_places at = x->at;
	size_t i, end;

	*bits = 0;
	if (!ev || !ev->type->energy)
		return false;
	if (ev->where.boxes.n)
		at.boxes = ev->where.boxes;
	for (end = unc_boxes_of(m, ev->type, &i); i < end; i++)
		if (counts_in(&m->boxes[i], &at))
			*bits = m->boxes[i].joule_bits;
	return true;
}

static int put_event(struct expansion *x, const struct unc_metric_event *t, int box,
		     struct weight w)
{
	double weight = (double)w.of / w.in;
	int64_t times = (int64_t)t->above * w.of;
	char name[LONG_NAME];
	struct unc_formula_event *part;
	unsigned id = 0, bits;
	int r;

	name_event(x, t->event, box, name, sizeof(name));
	r = unc_names_find_locked(x->names, name, &id);
	if (r < 0)
		return r;
	if (counts_energy(x, id, &bits)) {
		weight /= (double)(UINT64_C(1) << bits);
		times *= UJ_PER_J;
	}
	part = add_event(x->formula);
	if (!part)
		return unc_fail(x->names->err, UNCORE_ENOMEM, "out of memory for %s",
				unc_metric_of(x->recipe)->name);
	*part = (struct unc_formula_event){
		.id = id,
		.package = x->round,
		.times = times,
		.by = ((int64_t)w.in * (x->recipe->divisor ? x->recipe->divisor : 1)) << bits,
		.above = t->above * weight,
		.below = t->below * weight,
		.clock = t->clock ? weight : 0,
	};
	return 0;
}

/* Levels, and energy with a unit that may differ, are counted per box. */
static int put_boxes(struct expansion *x, const struct unc_metric_event *t,
		     const struct unc_event *ev)
{
	int r = 0;

	for (int b = -1; r == 0 && (b = next_box(x->names->machine, ev, &x->at, b)) >= 0;)
		r = put_event(x, t, b, (struct weight){1, 1});
	return r;
}

static bool is_box_by_box(const struct unc_recipe *recipe)
{
	return recipe->energy || unc_metric_of(recipe)->kind == UNC_LEVEL;
}

/* An event in every second or third box. */
static int put_part(struct expansion *x, const struct unc_metric_event *t,
		    const struct unc_event *ev)
{
	const struct unc_machine *m = x->names->machine;
	struct weight w = {n_boxes(m, ev, -1, &x->at), 0};
	unsigned k = 0;
	int r = 0;

	for (int b = -1; (b = next_box(m, ev, &x->at, b)) >= 0;)
		w.in += k++ % t->of == t->part ? n_boxes(m, ev, b, &x->at) : 0;
	if (w.in == 0)
		return unc_fail(x->names->err, UNCORE_ENODEV,
				"not enough boxes: this machine has %u %s per package, %u are "
				"required",
				k, ev->type->name, t->of);
	k = 0;
	for (int b = -1; r == 0 && (b = next_box(m, ev, &x->at, b)) >= 0;)
		if (k++ % t->of == t->part)
			r = put_event(x, t, b, w);
	return r;
}

static const struct unc_event *event_named(struct expansion *x, const char *event, int *r)
{
	char name[LONG_NAME];
	unsigned id = 0;

	name_event(x, event, -1, name, sizeof(name));
	*r = unc_names_find_locked(x->names, name, &id);
	return *r < 0 ? NULL : unc_names_event_locked(x->names, id, r);
}

/* An event in n boxes, once for each box that another event counts in. */
static int put_each(struct expansion *x, const struct unc_metric_event *t, unsigned n)
{
	const struct unc_event *of;
	int r;

	of = event_named(x, t->each, &r);
	if (!of)
		return r;
	return put_event(x, t, -1,
			 (struct weight){n_boxes(x->names->machine, of, -1, &x->at), n ? n : 1});
}

static int expand_event(struct expansion *x, const struct unc_metric_event *t)
{
	const struct unc_machine *m = x->names->machine;
	const struct unc_event *ev;
	unsigned n;
	int r;

	ev = event_named(x, t->event, &r);
	if (!ev)
		return r;
	n = n_boxes(m, ev, -1, &x->at);
	if (t == x->recipe->events)
		x->boxes = n;
	if (t->of)
		return put_part(x, t, ev);
	if (n > 1 && is_box_by_box(x->recipe))
		return put_boxes(x, t, ev);
	if (*t->each)
		return put_each(x, t, n);
	return put_event(x, t, -1, (struct weight){1, t->mean && n ? n : 1});
}

static int expand_round(struct expansion *x)
{
	int r = 0;

	for (unsigned i = 0; r == 0 && i < UNC_MAX_METRIC_EVENTS && *x->recipe->events[i].event;
	     i++)
		r = expand_event(x, &x->recipe->events[i]);
	x->formula->boxes = x->boxes;
	return r;
}

/* Clocks, number of boxes, and the unit of energy may differ between packages. */
static bool by_package(const struct unc_recipe *recipe)
{
	if (is_box_by_box(recipe))
		return true;
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *recipe->events[i].event; i++)
		if (recipe->events[i].clock || *recipe->events[i].each || recipe->events[i].mean)
			return true;
	return false;
}

static int explain(struct unc_names *n, const struct unc_metric *m, int code)
{
	char why[UNCORE_ERRMSG_MAX];

	unc_err_text(n->err, why, sizeof(why));
	return unc_fail(n->err, code, "%s: %s", m->name, why);
}

/* Whether all requested boxes exist: rounds ask for those of their package only. */
static int check_boxes(struct expansion *x, const struct unc_places *wanted)
{
	int r = 0;

	if (!wanted->boxes.n)
		return 0;
	x->type = unc_recipe_pmu(x->names, x->recipe)->type;
	x->at = *wanted;
	for (unsigned i = 0; r == 0 && i < UNC_MAX_METRIC_EVENTS && *x->recipe->events[i].event;
	     i++)
		event_named(x, x->recipe->events[i].event, &r);
	return r < 0 ? explain(x->names, unc_metric_of(x->recipe), r) : 0;
}

/* The requested boxes that exist in the package of this round; false: none. */
static bool find_boxes(struct expansion *x, const struct unc_numbers *wanted)
{
	const struct unc_machine *m = x->names->machine;
	struct unc_numbers here = {.n = 0};
	size_t i, end = x->type ? unc_boxes_of(m, x->type, &i) : 0;

	x->at.boxes = *wanted;
	if (!wanted->n)
		return true;
	for (i = end ? i : 0; i < end; i++)
		if (counts_in(&m->boxes[i], &x->at) &&
		    !unc_numbers_add(&here, m->boxes[i].number, m->boxes[i].number))
			return true; /* too many gaps: request them unchanged */
	x->at.boxes = here;
	return here.n;
}

/* In rounds, if the requested packages (and dies) have to be distinguished. */
static int expand(struct expansion *x, const struct unc_places *wanted)
{
	const struct unc_machine *m = x->names->machine;
	int r = 0;

	x->at = *wanted;
	if (!by_package(x->recipe))
		return expand_round(x);
	for (; r == 0 && x->round < m->topo.n_packages; x->round++) {
		const struct unc_die *here = &m->dies[x->round];

		if (!unc_numbers_have(&wanted->packages, here->socket) ||
		    (wanted->die >= 0 && wanted->die != (int)here->die))
			continue;
		x->at.packages = unc_numbers_one(here->socket);
		x->at.die = m->n_dies > 1 ? (int)here->die : -1;
		if (find_boxes(x, &wanted->boxes))
			r = expand_round(x);
	}
	return r;
}

void unc_formula_free(struct unc_formula *f)
{
	if (f) {
		free(f->events);
		free(f->own);
	}
	free(f);
}

int unc_metric_expand(struct unc_names *n, const struct unc_parsed *p, struct unc_formula **out)
{
	const struct unc_metric *m = p->base->metric;
	struct expansion x = {.names = n, .recipe = p->base->recipe};
	int r;

	*out = NULL;
	if (!x.recipe && (r = unc_why_no_memory(n, m->name)) < 0)
		return r;
	if (!x.recipe)
		return unc_fail(n->err, UNCORE_ENOEVENT,
				"%s is not supported on this machine: no events of %s measure it",
				m->name, n->machine->platform->title);
	r = unc_check_die(n, p);
	if (r == 0)
		r = unc_check_metric_boxes(n, p);
	if (r < 0)
		return r;
	x.formula = calloc(1, sizeof(*x.formula));
	if (!x.formula)
		return unc_fail(n->err, UNCORE_ENOMEM, "out of memory for %s", m->name);
	if (p->port)
		x.recipe = x.formula->own = unc_port_recipe(n, p, &r);
	x.formula->recipe = x.recipe;
	if (r == 0)
		r = check_boxes(&x, &p->where);
	if (r < 0) {
		unc_formula_free(x.formula);
		return r;
	}
	r = expand(&x, &p->where);
	if (r < 0) {
		unc_formula_free(x.formula);
		return explain(n, m, r);
	}
	*out = x.formula;
	return 0;
}
