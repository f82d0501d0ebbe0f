/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parts.c - the boxes that an event is counted in, and the names for single boxes and packages
 * of an event with several.
 */
#include "event/name_space.h"

/* ---- boxes that count ---- */

bool unc_needs_missing_device(const struct unc_box *b, const struct unc_event *ev)
{
	for (unsigned i = 0; i < ev->n_bits; i++)
		if (b->type->filters[ev->bits[i].filter].extra_device && b->extra < 0)
			return true;
	return false;
}

bool unc_never_had_device(const struct unc_box *b)
{
	for (const struct unc_pci_id *id = b->type->pci_ids; id && id->device; id++)
		if (id->extra && id->index == b->index)
			return false;
	return true;
}

/*
 * Sums leave out ports without a filter, and with UNCORE_PARTIAL=1 those whose filter cannot be
 * accessed; naming such a port is an error.
 */
bool unc_box_counts(const struct unc_box *b, const struct unc_event *ev)
{
	if (b->type != ev->type || b->absent || !unc_box_is_at(b, &ev->where))
		return false;
	return ev->where.boxes.n || !unc_needs_missing_device(b, ev) ||
	       !(unc_never_had_device(b) || b->without_filter);
}

/* ---- parts ---- */

/* The rest of a walk: of a list of numbers, of all, or of a single one. */
struct walk {
	struct unc_names *names;
	const struct unc_parsed *p;
	const struct unc_box_type *type;   /* the type that box= refers to */
	const struct unc_event *ev;        /* NULL: a metric */
	const struct unc_formula *formula; /* of a metric */
	bool boxes, packages;              /* one at a time */
};

/*
 * Whether the event is counted in the box; for a metric any of its events, which have the same
 * kind of box.
 */
static bool box_counts(const struct walk *w, const struct unc_box *b)
{
	int r;

	for (size_t i = 0; w->formula && i < w->formula->n; i++) {
		const unsigned id = w->formula->events[i].id;
		const struct unc_event *ev = unc_names_event_locked(w->names, id, &r);

		if (ev && unc_box_counts(b, ev))
			return true;
	}
	return w->ev && unc_box_counts(b, w->ev);
}

/* Whether a package in the name has the box, if box= is given, and counts the event there. */
static bool is_counted(const struct walk *w, int box, int package)
{
	const struct unc_machine *m = w->names->machine;
	size_t i, end = w->type ? unc_boxes_of(m, w->type, &i) : 0;

	if (!w->type)
		return true;
	for (; i < end; i++) {
		const struct unc_box *b = &m->boxes[i];

		if ((box < 0 || b->number == box) && (package < 0 || b->socket == package) &&
		    box_counts(w, b))
			return true;
	}
	return false;
}

/* The largest number of a box of the event. */
static int last_box(const struct walk *w)
{
	const struct unc_machine *m = w->names->machine;
	size_t i, end = unc_boxes_of(m, w->type, &i);
	int last = 0;

	for (; i < end; i++)
		last = m->boxes[i].number > last ? m->boxes[i].number : last;
	return last;
}

/* Place i of the walk, package by package; false after the last. */
static bool find_place(const struct walk *w, unsigned i, int *box, int *package)
{
	const int last = w->boxes && w->type ? last_box(w) : -1;
	const int sockets = w->packages ? (int)w->names->machine->n_sockets : 0;

	for (int s = w->packages ? 0 : -1; s < sockets; s++) {
		if (s >= 0 && !unc_numbers_have(&w->p->where.packages, (unsigned)s))
			continue;
		for (int b = w->boxes ? 0 : -1; b <= last; b++) {
			if (!is_counted(w, b, s) || i-- > 0)
				continue;
			*box = b;
			*package = s;
			return true;
		}
	}
	return false;
}

static int find_part(const struct walk *w, unsigned i, unsigned *id)
{
	struct unc_parsed part = *w->p;
	char name[UNCORE_NAME_MAX + 1];
	int box, package, r;

	if (!find_place(w, i, &box, &package))
		return 0;
	if (w->boxes)
		part.where.boxes = unc_numbers_one((unsigned)box);
	if (w->packages)
		part.where.packages = unc_numbers_one((unsigned)package);
	if (!unc_format_name(&part, name))
		return unc_fail(w->names->err, UNCORE_EINVAL,
				"the full name of %s is too long: the maximum is %d characters",
				part.event, UNCORE_NAME_MAX);
	r = unc_names_find_locked(w->names, name, id);
	return r < 0 ? r : 1;
}

static bool are_several(const struct unc_numbers *numbers, bool all)
{
	return all || (numbers->n && !unc_numbers_are_one(numbers));
}

static void set_metric(struct walk *w, unsigned id)
{
	const struct unc_pmu *pmu = unc_recipe_pmu(w->names, w->p->base->recipe);

	w->formula = w->names->entries[id]->formula;
	w->type = pmu ? pmu->type : NULL;
}

static int part_locked(struct unc_names *n, const char *name, unsigned i, unsigned *id)
{
	struct unc_parsed p = {.pmu = NULL};
	struct walk w = {.names = n, .p = &p};
	char own[UNC_OWN_NAME], here[UNC_OWN_NAME];
	unsigned whole = 0;
	int r = unc_without_places(n, name, here);

	name = r > 0 ? here : name;
	r = r < 0 ? r : unc_foreign(n, name, own);
	name = r > 0 ? own : name;
	if (r >= 0)
		r = unc_names_find_locked(n, name, &whole);
	if (r == 0)
		r = unc_parse(n, name, &p);
	if (r < 0)
		return r;
	w.boxes = are_several(&p.where.boxes, p.all_boxes);
	w.packages = are_several(&p.where.packages, p.all_packages);
	if (p.base && p.base->metric)
		set_metric(&w, whole);
	else
		w.ev = unc_names_event_locked(n, whole, &r);
	if (w.ev)
		w.type = w.ev->type;
	if (r == 0 && (w.boxes || w.packages))
		return find_part(&w, i, id);
	if (r == 0 && i == 0)
		*id = whole;
	return r < 0 ? r : i == 0;
}

int unc_names_part(struct unc_names *n, const char *name, unsigned i, unsigned *id)
{
	int r;

	unc_mutex_lock(&n->lock);
	r = part_locked(n, name, i, id);
	unc_mutex_unlock(&n->lock);
	return r;
}
