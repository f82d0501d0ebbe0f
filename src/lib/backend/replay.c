/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - the backend of a recording with samples: an event has the counts of the counter of
 * the same box that was programmed for it.  Which counter that was does not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "machine/timeline.h"

struct tap {
	unsigned event;
	const struct unc_series *series;
};

struct taps {
	size_t n;
	_Atomic int64_t began; /* recorded time of the start */
	struct tap at[];
};

/* ---- what was recorded ---- */

static bool is_of(const struct unc_series *s, const struct unc_box *b, const struct unc_event *e)
{
	if (strcmp(s->kind, b->type->name) != 0 || s->number != b->number ||
	    s->package != b->socket || s->die != b->die || s->fixed != e->fixed)
		return false;
	if (b->type->free)
		return s->counter >= 0 && s->counter < 32 && e->counters >> s->counter & 1;
	if (s->counter >= 0 || (!s->fixed && s->control != e->control))
		return false;
	for (unsigned i = 0; i < e->n_bits; i++)
		if (e->bits[i].filter >= UNC_SERIES_FILTERS ||
		    (s->filters[e->bits[i].filter] & e->bits[i].mask) != e->bits[i].value)
			return false;
	return true;
}

static const struct unc_series *find(const struct uncore_set *set, const struct unc_box_event *at)
{
	const struct unc_timeline *t = unc_replayed_timeline(set->u->hw);
	const struct unc_box *box = &set->u->machine.boxes[at->box];
	const struct unc_event *event = set->list->counted.events[at->event];

	for (size_t i = 0; i < t->n_series; i++)
		if (is_of(&t->series[i], box, event))
			return &t->series[i];
	return NULL;
}

static int not_recorded(const struct uncore_set *set, const struct unc_box_event *at)
{
	const struct unc_machine *m = &set->u->machine;
	const struct unc_box *b = &m->boxes[at->box];
	char name[UNC_DIE_NAME];

	return unc_fail(&set->u->err, UNCORE_ENODEV,
			"%s was not recorded in %s%s%u of %s: a recording has the events that were "
			"counted while it was made",
			set->list->counted.names[at->event], b->type->name, unc_gap(b->type),
			b->number, unc_die_name(name, m, b->package));
}

static int replay_plan(struct uncore_set *set)
{
	const struct unc_layout *l = &set->run->layout;

	if (set->list->mux)
		return unc_fail(&set->u->err, UNCORE_ENOSUPP,
				"cannot multiplex events of a recording: count them one after the "
				"other");
	for (size_t i = 0; i < l->n; i++)
		if (!find(set, &l->at[i]))
			return not_recorded(set, &l->at[i]);
	return 0;
}

static struct taps *new_taps(const struct uncore_set *set)
{
	const struct unc_layout *l = &set->run->layout;
	struct taps *taps = calloc(1, sizeof(*taps) + l->n * sizeof(taps->at[0]));

	if (!taps)
		return NULL;
	taps->n = l->n;
	for (size_t i = 0; i < l->n; i++)
		taps->at[i] = (struct tap){l->at[i].event, find(set, &l->at[i])};
	return taps;
}

/* ---- counts; signal-safe ---- */

/* Since the start, up to now; returns their time, ns. */
static int64_t add_up(const struct uncore_set *set, const struct taps *taps, uint64_t *counts)
{
	const struct unc_timeline *t = unc_replayed_timeline(set->u->hw);
	const int64_t began = atomic_load(&taps->began), now = unc_replay_now(t);

	memset(counts, 0, set->list->counted.n * sizeof(*counts));
	for (size_t i = 0; i < taps->n; i++)
		counts[taps->at[i].event] += unc_series_at(t, taps->at[i].series, now) -
					     unc_series_at(t, taps->at[i].series, began);
	return now - began;
}

static int replay_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	const struct taps *taps = atomic_load_explicit(&set->state, memory_order_acquire);

	(void)now;
	*when = (struct unc_when){.at = unc_external_time(set, add_up(set, taps, sums))};
	unc_external_add_zero(set, sums);
	return 0;
}

/* ---- start and stop; under lock ---- */

static int replay_start(struct uncore_set *set)
{
	struct unc_timeline *t = unc_replayed_timeline(set->u->hw);
	struct taps *taps = atomic_load(&set->state);

	if (set->run->stop_after)
		return unc_fail(&set->u->err, UNCORE_ENOSUPP,
				"a recording cannot stop after a number of occurrences");
	if (!taps)
		taps = new_taps(set);
	if (!taps)
		return unc_fail(&set->u->err, UNCORE_ENOMEM, "out of memory for %zu events",
				set->list->counted.n);
	atomic_store(&taps->began, unc_replay_begin(t));
	atomic_store(&set->state, taps);
	unc_external_begin(set);
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

static int replay_stop(struct uncore_set *set, bool anyway)
{
	(void)anyway; /* this backend does not wait */
	unc_external_end(set, add_up(set, atomic_load(&set->state), set->list->scratch));
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

static int replay_check(struct uncore_set *set, unsigned epoch)
{
	(void)set;
	(void)epoch;
	return 0;
}

const struct unc_backend unc_backend_replay = {
	.multiplexed = &unc_backend_replay, /* its plan refuses events that do not fit */
	.plan = replay_plan,
	.start = replay_start,
	.stop = replay_stop,
	.sum = replay_sum,
	.check = replay_check,
	.times = unc_times_of_sums,
	.free = free,
};
