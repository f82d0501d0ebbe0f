/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - boxes and counters for a list of events on a whole machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "plan/plan.h"

/* The events of the list that a box has to count, without duplicates. */
struct wanted {
	size_t n;
	unsigned *index; /* indices into the list */
	unsigned *first; /* index[] of the first equal one, as a position in this array */
	const struct unc_event **ev; /* distinct ones that need a counter */
	const char **names;          /* their names */
	unsigned *origin;            /* their indices into the list */
	unsigned n_distinct;
};

static int push_box_event(struct unc_layout *l, const struct unc_box_event *added)
{
	if (l->n == l->room) {
		const size_t room = l->room ? 2 * l->room : 64;
		struct unc_box_event *at = realloc(l->at, room * sizeof(*at));

		if (!at)
			return UNCORE_ENOMEM;
		l->at = at;
		l->room = room;
	}
	l->at[l->n++] = *added;
	return 0;
}

static const struct unc_assignment *running(const struct unc_use *use, const struct unc_event *ev)
{
	for (unsigned i = 0; use && i < use->n; i++)
		if (unc_same_event(use->at[i].event, ev))
			return &use->at[i];
	return NULL;
}

/* Events that are already counted need no counter; equal events share one. */
static int collect(struct wanted *w, struct unc_layout *l, unsigned box_index,
		   const struct unc_box *b, const struct unc_use *use,
		   const struct unc_event *const *events, const char *const *names, size_t n)
{
	w->n = 0;
	w->n_distinct = 0;
	for (size_t i = 0; i < n; i++) {
		const struct unc_assignment *set;
		unsigned d = 0;

		if (!unc_box_counts(b, events[i]))
			continue;
		set = running(use, events[i]);
		if (set) {
			const struct unc_box_event added = {(unsigned)i, box_index, true, *set};

			if (push_box_event(l, &added) < 0)
				return UNCORE_ENOMEM;
			continue;
		}
		while (d < w->n_distinct && !unc_same_event(w->ev[d], events[i]))
			d++;
		if (d == w->n_distinct) {
			w->ev[d] = events[i];
			w->names[d] = names[i];
			w->origin[d] = (unsigned)i;
			w->n_distinct++;
		}
		w->index[w->n] = (unsigned)i;
		w->first[w->n++] = d;
	}
	return 0;
}

static int report_conflict(struct unc_layout *l, const struct wanted *w, const struct unc_box *b,
			   const struct unc_use *use)
{
	unsigned indices[UNC_SLOTS + 2];

	l->n_conflict = unc_conflict(b, use, w->ev, w->names, w->n_distinct, indices, l->reason,
				     sizeof(l->reason));
	l->conflict = malloc((l->n_conflict ? l->n_conflict : 1) * sizeof(*l->conflict));
	if (!l->conflict)
		return UNCORE_ENOMEM;
	for (unsigned i = 0; i < l->n_conflict; i++)
		l->conflict[i] = w->origin[indices[i]];
	return UNCORE_ECONFLICT;
}

static int plan_box(struct unc_layout *l, struct wanted *w, unsigned box_index,
		    const struct unc_box *b, const struct unc_use *use)
{
	struct unc_assignment assignments[UNC_SLOTS];

	if (w->n_distinct == 0)
		return 0;
	if (!unc_assign(b->type, use, w->ev, w->n_distinct, assignments))
		return report_conflict(l, w, b, use);
	for (size_t i = 0; i < w->n; i++) {
		const struct unc_box_event added = {w->index[i], box_index, false,
						    assignments[w->first[i]]};

		if (push_box_event(l, &added) < 0)
			return UNCORE_ENOMEM;
	}
	return 0;
}

static int by_box_and_counter(const void *a, const void *b)
{
	const struct unc_box_event *x = a, *y = b;

	if (x->box != y->box)
		return x->box < y->box ? -1 : 1;
	if (x->assignment.counter != y->assignment.counter)
		return x->assignment.counter < y->assignment.counter ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/* An event without a counter would count nothing, so this is an error. */
static int check_all_assigned(struct unc_layout *l, const char *const *names, size_t n)
{
	for (unsigned e = 0; e < n; e++) {
		size_t i = 0;

		while (i < l->n && l->at[i].event != e)
			i++;
		if (i < l->n)
			continue;
		snprintf(l->reason, sizeof(l->reason), "no box of this machine can count %s",
			 names[e]);
		return UNCORE_ENODEV;
	}
	return 0;
}

static const char *why_missing(const struct unc_box *b, char *why, size_t len)
{
	if (unc_never_had_device(b))
		return "which are not present in this port";
	if (!b->extra_unreached)
		return "which are in a PCI device hidden by the firmware";
	snprintf(why, len, "which cannot be accessed (set UNCORE_PARTIAL=1 to count the rest): %s",
		 b->extra_why ? b->extra_why : strerror(-b->extra_unreached));
	return why;
}

static int check_devices(struct unc_layout *l, const struct unc_machine *m,
			 const char *const *names)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box *b = &m->boxes[l->at[i].box];
		char why[640];

		if (!unc_needs_missing_device(b, l->at[i].assignment.event))
			continue;
		snprintf(l->reason, sizeof(l->reason),
			 "%s needs the filter registers of %s%s%u in package %u, %s",
			 names[l->at[i].event], b->type->name, unc_gap(b->type), b->number,
			 b->socket, why_missing(b, why, sizeof(why)));
		return UNCORE_ENODEV;
	}
	return 0;
}

static void wanted_free(struct wanted *w)
{
	free(w->index);
	free(w->first);
	free(w->ev);
	free(w->names);
	free(w->origin);
}

static bool wanted_alloc(struct wanted *w, size_t n)
{
	n = n ? n : 1;
	w->index = malloc(n * sizeof(*w->index));
	w->first = malloc(n * sizeof(*w->first));
	w->ev = malloc(n * sizeof(*w->ev));
	w->names = malloc(n * sizeof(*w->names));
	w->origin = malloc(n * sizeof(*w->origin));
	return w->index && w->first && w->ev && w->names && w->origin;
}

int unc_layout_make(struct unc_layout *l, const struct unc_machine *m, const struct unc_use *use,
		    const struct unc_event *const *events, const char *const *names, size_t n)
{
	struct wanted w = {.n = 0};
	int r = wanted_alloc(&w, n) ? 0 : UNCORE_ENOMEM;

	memset(l, 0, sizeof(*l));
	for (unsigned i = 0; r == 0 && i < m->n_boxes; i++) {
		const struct unc_use *in_use = use && use[i].n ? &use[i] : NULL;

		r = collect(&w, l, i, &m->boxes[i], in_use, events, names, n);
		if (r == 0)
			r = plan_box(l, &w, i, &m->boxes[i], in_use);
	}
	wanted_free(&w);
	if (r == 0)
		r = check_all_assigned(l, names, n);
	if (r == 0)
		r = check_devices(l, m, names);
	if (r < 0 || l->n == 0)
		return r;
	qsort(l->at, l->n, sizeof(*l->at), by_box_and_counter);
	l->at = unc_shrink(l->at, l->n, sizeof(*l->at));
	l->room = l->n;
	return 0;
}

void unc_layout_free(struct unc_layout *l)
{
	free(l->at);
	free(l->conflict);
	memset(l, 0, sizeof(*l));
}
