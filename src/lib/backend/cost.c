/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c - see cost.h. */
#include "backend/cost.h"

#include "backend/backend.h"

/*
 * Cost of a counter that is not in use: claiming and reading it, and OPERATIONS register
 * operations for it and its box.  Lists of operations have room for twice as many.
 */
#define OPERATIONS 16
#define OF_CLAIM \
	(sizeof(struct unc_claimed) + sizeof(struct unc_addend) + sizeof(struct unc_access))
#define OF_OPERATION (sizeof(struct unc_op) + sizeof(struct unc_scope))
#define OF_PROGRAM   (OPERATIONS * OF_OPERATION)
/* Cost of a run: the minimum allocation of a list. */
#define FEWEST 64
#define OF_RUN (sizeof(struct unc_run) + OF_OPERATION * UNC_PHASES * FEWEST)
/*
 * Cost of an event in a box: its entry in the layout, and one in the list of readers of the
 * counter.
 */
#define OF_PLACE (sizeof(struct unc_box_event) + sizeof(unsigned))

/* Entries of one counter are adjacent, and belong to one event. */
static size_t layout_bytes(const struct unc_layout *l)
{
	size_t bytes = l->n * OF_PLACE;

	for (size_t i = 0; i < l->n; i++) {
		const struct unc_box_event *p = &l->at[i], *before = i ? p - 1 : NULL;

		if (before && before->box == p->box &&
		    before->assignment.counter == p->assignment.counter)
			continue;
		bytes += OF_CLAIM + (p->shared ? 0 : OF_PROGRAM);
	}
	return bytes;
}

static size_t boxes_of(const struct unc_machine *m, const struct unc_event *event)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_boxes; i++)
		n += unc_box_counts(&m->boxes[i], event);
	return n;
}

static size_t rounds_of(const struct unc_split *split, size_t event)
{
	size_t n = split->steady[event];

	for (unsigned i = 0; i < split->n; i++)
		n += unc_split_has(split, (int)i, event);
	return n;
}

/* Layouts of rounds are made when they start. */
static size_t places_multiplexed(const struct unc_mux *mux)
{
	const struct unc_split *split = atomic_load(&mux->split);
	size_t n = 0;

	for (size_t e = 0; e < mux->n; e++)
		n += rounds_of(split, e) * boxes_of(&mux->u->machine, mux->events[e]);
	return n;
}

size_t unc_counters_of_window(const struct uncore_set *set)
{
	const struct unc_mux *mux = atomic_load(&set->list->mux);
	const struct unc_split *split = mux ? atomic_load(&mux->split) : NULL;
	size_t n = 0;

	if (!split || !split->n)
		return 0;
	for (size_t e = 0; e < mux->n; e++)
		n += (rounds_of(split, e) - split->steady[e]) *
		     boxes_of(&mux->u->machine, mux->events[e]);
	return n / split->n;
}

/* Numbers per event in all arrays of a list. */
static size_t list_bytes(const struct unc_list *list)
{
	return list->n_sums * 16 * sizeof(uint64_t);
}

static size_t run_bytes(const struct unc_list *list)
{
	return OF_RUN + list->n_sums * (sizeof(struct unc_span) + sizeof(uint64_t));
}

/* Includes the estimates of windows. */
static size_t mux_bytes(const struct unc_mux *mux)
{
	return sizeof(*mux) +
	       mux->n * (sizeof(struct unc_scatter) + 2 * sizeof(struct unc_estimate));
}

struct unc_cost unc_cost_at_least(const struct uncore *u, const unsigned *ids, size_t n)
{
	struct unc_cost cost = {.bytes = 0};

	for (size_t i = 0; i < n; i++) {
		int r;
		const struct unc_event *event = unc_names_event(u->names, ids[i], &r);

		cost.counters += event ? boxes_of(&u->machine, event) : 0;
	}
	cost.bytes = cost.counters * OF_PLACE;
	return cost;
}

struct unc_cost unc_set_cost(const struct uncore_set *set)
{
	const struct unc_mux *mux = atomic_load(&set->list->mux);
	struct unc_cost cost = {.bytes = sizeof(*set) + list_bytes(set->list)};

	if (mux) {
		cost.counters = places_multiplexed(mux);
		cost.bytes += mux_bytes(mux) +
			      (atomic_load(&mux->split)->n + 1) * run_bytes(set->list) +
			      cost.counters * (OF_PLACE + OF_CLAIM + OF_PROGRAM);
	} else {
		cost.counters = set->run->layout.n;
		cost.bytes += run_bytes(set->list) + layout_bytes(&set->run->layout);
	}
	return cost;
}
