/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - boxes and counters for a list of events on a whole machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "plan/plan.h"

/* A list whose first events are in the layout already. */
struct planning {
	const struct unc_machine *machine;
	const struct unc_use *uses; /* by box, or NULL */
	const struct unc_event *const *events;
	const char *const *names;
	size_t first, n;         /* index of the first new event, number of events */
	struct unc_layout *old;  /* without the new events */
	struct unc_layout added; /* the boxes that count new events, with all of their events */
	size_t replaced;         /* entries of these boxes in the old one */
};

/* The events of the list that a box has to count, and those of them that need a counter. */
struct wanted {
	size_t n;
	unsigned *index; /* indices into the list, ascending */
	/* by event of the box: its assignment in uses, or the position of its equal in ev */
	const struct unc_assignment **shared;
	unsigned *place;
	const struct unc_event **ev; /* distinct ones that need a counter */
	const char **names;          /* their names */
	unsigned *origin;            /* their indices into the list */
	unsigned n_distinct;
};

static int push_box_event(struct unc_layout *l, const struct unc_box_event *added)
{
	if (!unc_room_for_one((void **)&l->at, l->n, &l->room, sizeof(*l->at)))
		return UNCORE_ENOMEM;
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

static int ascending(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The old layout has the box's events from `begin` to `end`; false: it counts no new event. */
static bool find_events(struct wanted *w, const struct planning *p, const struct unc_box *b,
			size_t begin, size_t end)
{
	const size_t n = end - begin;

	w->n = n;
	for (size_t i = p->first; i < p->n; i++)
		if (unc_box_counts(b, p->events[i]))
			w->index[w->n++] = (unsigned)i;
	if (w->n == n)
		return false;
	for (size_t i = 0; i < n; i++)
		w->index[i] = p->old->at[begin + i].event;
	qsort(w->index, n, sizeof(*w->index), ascending);
	return true;
}

/* Events that are already counted need no counter; equal events share one. */
static void collect(struct wanted *w, const struct planning *p, const struct unc_use *use)
{
	w->n_distinct = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct unc_event *ev = p->events[w->index[i]];
		unsigned d = 0;

		w->shared[i] = running(use, ev);
		while (!w->shared[i] && d < w->n_distinct && !unc_same_event(w->ev[d], ev))
			d++;
		w->place[i] = d;
		if (w->shared[i] || d < w->n_distinct)
			continue;
		w->ev[d] = ev;
		w->names[d] = p->names[w->index[i]];
		w->origin[d] = w->index[i];
		w->n_distinct++;
	}
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

/* By counter, then event. */
static int push_box(struct planning *p, const struct wanted *w, unsigned box,
		    const struct unc_assignment *assigned)
{
	for (unsigned c = 0; c <= p->machine->boxes[box].type->n_counters; c++)
		for (size_t i = 0; i < w->n; i++) {
			const struct unc_assignment *shared = w->shared[i];
			const struct unc_assignment *at = shared ? shared : &assigned[w->place[i]];

			if (at->counter == c &&
			    push_box_event(&p->added, &(struct unc_box_event){w->index[i], box,
									      shared, *at}) < 0)
				return UNCORE_ENOMEM;
		}
	return 0;
}

static int assign(struct planning *p, const struct wanted *w, unsigned box,
		  const struct unc_use *use)
{
	const struct unc_box *b = &p->machine->boxes[box];
	struct unc_assignment assigned[UNC_SLOTS];

	if (w->n_distinct && !unc_assign(b->type, use, w->ev, w->n_distinct, assigned))
		return report_conflict(p->old, w, b, use);
	return push_box(p, w, box, assigned);
}

static int plan_boxes(struct planning *p, struct wanted *w)
{
	const struct unc_layout *old = p->old;
	size_t begin = 0, end;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < p->machine->n_boxes; i++, begin = end) {
		const struct unc_use *use;

		for (end = begin; end < old->n && old->at[end].box == i;)
			end++;
		if (!find_events(w, p, &p->machine->boxes[i], begin, end))
			continue;
		use = p->uses && p->uses[i].n ? &p->uses[i] : NULL;
		p->replaced += end - begin;
		collect(w, p, use);
		r = assign(p, w, i, use);
	}
	return r;
}

/* An event without a counter would count nothing, so this is an error. */
static int check_all_assigned(struct planning *p)
{
	const size_t n_new = p->n - p->first;
	bool *assigned = calloc(n_new ? n_new : 1, sizeof(*assigned));
	size_t e = 0;

	if (!assigned)
		return UNCORE_ENOMEM;
	for (size_t i = 0; i < p->added.n; i++)
		if (p->added.at[i].event >= p->first)
			assigned[p->added.at[i].event - p->first] = true;
	while (e < n_new && assigned[e])
		e++;
	free(assigned);
	if (e == n_new)
		return 0;
	snprintf(p->old->reason, sizeof(p->old->reason), "no box of this machine can count %s",
		 p->names[p->first + e]);
	return UNCORE_ENODEV;
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

static int check_devices(struct planning *p)
{
	for (size_t i = 0; i < p->added.n; i++) {
		const struct unc_box_event *added = &p->added.at[i];
		const struct unc_box *b = &p->machine->boxes[added->box];
		char why[640];

		if (!unc_needs_missing_device(b, added->assignment.event))
			continue;
		snprintf(p->old->reason, sizeof(p->old->reason),
			 "%s needs the filter registers of %s%s%u in package %u, %s",
			 p->names[added->event], b->type->name, unc_gap(b->type), b->number,
			 b->socket, why_missing(b, why, sizeof(why)));
		return UNCORE_ENODEV;
	}
	return 0;
}

static void wanted_free(struct wanted *w)
{
	free(w->index);
	free(w->shared);
	free(w->place);
	free(w->ev);
	free(w->names);
	free(w->origin);
}

static bool wanted_alloc(struct wanted *w, size_t n)
{
	n = n ? n : 1;
	w->index = malloc(n * sizeof(*w->index));
	w->shared = malloc(n * sizeof(*w->shared));
	w->place = malloc(n * sizeof(*w->place));
	w->ev = malloc(n * sizeof(*w->ev));
	w->names = malloc(n * sizeof(*w->names));
	w->origin = malloc(n * sizeof(*w->origin));
	return w->index && w->shared && w->place && w->ev && w->names && w->origin;
}

/* The added entries become the layout, which has none. */
static void take_over(struct unc_layout *l, struct unc_layout *added)
{
	free(l->at);
	l->n = added->n;
	l->room = added->room;
	l->at = added->at;
	added->at = NULL;
}

/* From the end, since a box that is planned again has more events than before. */
static int merge(struct unc_layout *l, const struct unc_layout *added, size_t replaced)
{
	size_t n_old = l->n, n_added = added->n, to = l->n + added->n - replaced;

	if (!unc_room_for_one((void **)&l->at, to - 1, &l->room, sizeof(*l->at)))
		return UNCORE_ENOMEM;
	l->n = to;
	while (n_added > 0) {
		const unsigned box = added->at[n_added - 1].box;

		while (n_old > 0 && l->at[n_old - 1].box > box)
			l->at[--to] = l->at[--n_old];
		while (n_old > 0 && l->at[n_old - 1].box == box)
			n_old--;
		while (n_added > 0 && added->at[n_added - 1].box == box)
			l->at[--to] = added->at[--n_added];
	}
	return 0;
}

int unc_layout_extend(struct unc_layout *l, const struct unc_machine *m, const struct unc_use *uses,
		      const struct unc_event *const *events, const char *const *names, size_t first,
		      size_t n)
{
	struct planning p = {m, uses, events, names, first, n, l, {.n = 0}, 0};
	struct wanted w = {.n = 0};
	int r = wanted_alloc(&w, n) ? plan_boxes(&p, &w) : UNCORE_ENOMEM;

	wanted_free(&w);
	if (r == 0)
		r = check_all_assigned(&p);
	if (r == 0)
		r = check_devices(&p);
	if (r == 0 && l->n == 0)
		take_over(l, &p.added);
	else if (r == 0 && p.added.n)
		r = merge(l, &p.added, p.replaced);
	if (r == 0 && first == 0 && l->n) { /* most lists do not grow */
		l->at = unc_shrink(l->at, l->n, sizeof(*l->at));
		l->room = l->n;
	}
	free(p.added.at);
	return r;
}

int unc_layout_make(struct unc_layout *l, const struct unc_machine *m, const struct unc_use *uses,
		    const struct unc_event *const *events, const char *const *names, size_t n)
{
	memset(l, 0, sizeof(*l));
	return unc_layout_extend(l, m, uses, events, names, 0, n);
}

void unc_layout_free(struct unc_layout *l)
{
	free(l->at);
	free(l->conflict);
	memset(l, 0, sizeof(*l));
}
