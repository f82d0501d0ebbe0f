/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * split.c - split a multiplexed list into runs: one per round, and one for the events that are
 * in all rounds and so never need to stop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/multiplexed/mux.h"

/* ---- make, free ---- */

void unc_split_free(struct unc_split *split)
{
	while (split) {
		struct unc_split *next = split->retired;

		unc_run_free(split->all_time);
		for (unsigned i = 0; split->round && i < split->n; i++)
			unc_run_free(split->round[i]);
		free(split->round);
		free(split->steady);
		free(split->in);
		free(split);
		split = next;
	}
}

/* It has as many sums as the whole list, so that indices need no translation. */
static struct unc_run *new_run(struct unc_mux *r)
{
	struct unc_run *run = unc_run_new(r->u, r->n);

	if (run)
		run->own_changes = &r->own;
	return run;
}

static bool new_runs(struct unc_mux *r, struct unc_split *s)
{
	bool ok = true;

	for (size_t e = 0; ok && e < r->n && !s->all_time; e++)
		if (s->steady[e])
			ok = (s->all_time = new_run(r)) != NULL;
	for (unsigned i = 0; ok && i < s->n; i++)
		ok = (s->round[i] = new_run(r)) != NULL;
	return ok;
}

static bool in_all(const struct unc_rounds *rounds, size_t event)
{
	for (unsigned i = 0; i < rounds->n; i++)
		if (!unc_in_round(rounds, i, event))
			return false;
	return true;
}

/* Drop rounds that have no events left. */
static bool share_out(struct unc_mux *r, struct unc_split *s, const struct unc_rounds *rounds,
		      bool steady)
{
	bool some = false;

	s->n_events = r->n;
	s->steady = calloc(r->n, sizeof(*s->steady));
	s->in = calloc(rounds->n * r->n, sizeof(*s->in));
	s->round = calloc(rounds->n, sizeof(struct unc_run *));
	if (!s->steady || !s->in || !s->round)
		return false;
	for (size_t e = 0; e < r->n; e++) {
		s->steady[e] = steady && in_all(rounds, e);
		some = some || !s->steady[e];
		for (unsigned i = 0; i < rounds->n; i++)
			s->in[i * r->n + e] = !s->steady[e] && unc_in_round(rounds, i, e);
	}
	s->n = some ? rounds->n : 0;
	return new_runs(r, s);
}

/*
 * The event that does not fit and the others of its group, as indices into the list; returns
 * how many.
 */
static size_t group_of(const struct unc_mux *r, size_t stuck, unsigned *members)
{
	size_t n = 0;

	for (size_t e = 0; e < r->n; e++)
		if (e == stuck || (r->groups && r->groups[e] && r->groups[e] == r->groups[stuck]))
			members[n++] = (unsigned)e;
	return n;
}

static int report_refused(struct unc_mux *r, int code, struct unc_layout *layout,
			  const unsigned *members)
{
	char why[UNCORE_ERRMSG_MAX];

	snprintf(why, sizeof(why), "%s", layout->reason);
	for (unsigned i = 0; i < layout->n_conflict; i++)
		layout->conflict[i] = members[layout->conflict[i]];
	if (r->asking)
		unc_counted_conflict(r->asking, layout->conflict, layout->n_conflict,
				     layout->reason, why, sizeof(why));
	return unc_fail(&r->u->err, code, "multiplexing does not help: %s", why);
}

/* Why an event does not fit even alone: its group is too large. */
static int refuse(struct unc_mux *r, const struct unc_use *uses, size_t stuck)
{
	const struct unc_event **events = calloc(r->n, sizeof(*events));
	const char **names = calloc(r->n, sizeof(*names));
	unsigned *members = calloc(r->n, sizeof(*members));
	struct unc_layout layout = {.n = 0};
	size_t n = events && names && members ? group_of(r, stuck, members) : 0;
	int code = UNCORE_ENOMEM;

	for (size_t i = 0; i < n; i++) {
		events[i] = r->events[members[i]];
		names[i] = r->names[members[i]];
	}
	if (n)
		code = unc_layout_make(&layout, &r->u->machine, uses, events, names, n);
	if (code == UNCORE_ENOMEM)
		code = unc_fail(&r->u->err, code, "out of memory while multiplexing %zu events",
				r->n);
	else
		code = report_refused(r, code ? code : UNCORE_ECONFLICT, &layout, members);
	unc_layout_free(&layout);
	free(events);
	free(names);
	free(members);
	return code;
}

/* The counters in use that are not multiplexed; NULL: no memory. */
static struct unc_use *fixed_uses(struct uncore *u)
{
	struct unc_use *uses = calloc(u->machine.n_boxes, sizeof(*uses));

	for (unsigned b = 0; uses && b < u->machine.n_boxes; b++)
		for (unsigned i = 0; i < u->uses[b].n; i++) {
			const struct unc_assignment *s = &u->uses[b].at[i];
			const struct unc_counter *c = unc_counter_of(u, b, s->counter);

			if (c->users > c->hidden)
				uses[b].at[uses[b].n++] = *s;
		}
	return uses;
}

static int make(struct unc_mux *r, const struct unc_use *uses, bool steady, struct unc_split *s)
{
	struct unc_rounds rounds = {.n = 0};
	size_t stuck = 0;
	int code =
		unc_rounds_make(&rounds, &r->u->machine, uses, r->events, r->groups, r->n, &stuck);

	if (code == 0 && !share_out(r, s, &rounds, steady))
		code = UNCORE_ENOMEM;
	unc_rounds_free(&rounds);
	return code == UNCORE_ECONFLICT ? refuse(r, uses, stuck) : code;
}

int unc_split_make(struct unc_mux *r, bool steady, struct unc_split **out)
{
	struct unc_use *uses = fixed_uses(r->u);
	struct unc_split *s = calloc(1, sizeof(*s));
	int code = uses && s ? make(r, uses, steady, s) : UNCORE_ENOMEM;

	free(uses);
	if (code < 0) {
		unc_split_free(s);
		s = NULL;
	}
	*out = s;
	if (code == UNCORE_ENOMEM)
		return unc_fail(&r->u->err, code,
				"out of memory while splitting %zu events into "
				"groups",
				r->n);
	return code;
}

/* ---- plan ---- */

/* The events of a run, and their indices in the whole list. */
struct members {
	const struct unc_event **events;
	const char **names;
	unsigned *index_in_list;
	size_t n;
};

static void collect(struct members *m, const struct unc_mux *r, const struct unc_split *split,
		    int which)
{
	for (unsigned e = 0; e < r->n; e++) {
		if (!unc_split_has(split, which, e))
			continue;
		m->events[m->n] = r->events[e];
		m->names[m->n] = r->names[e];
		m->index_in_list[m->n++] = e;
	}
}

static int plan(struct unc_mux *r, struct unc_run *run, const struct members *m)
{
	struct unc_layout *l = &run->layout;
	struct uncore *u = r->u;
	int code;

	unc_layout_free(l);
	code = unc_layout_make(l, &u->machine, u->uses, m->events, m->names, m->n);
	for (size_t i = 0; code == 0 && i < l->n; i++)
		l->at[i].event = m->index_in_list[l->at[i].event];
	if (code == 0)
		run->planned = u->changes - r->own;
	return code;
}

int unc_split_plan(struct unc_mux *r, const struct unc_split *split, int which)
{
	struct unc_run *run = unc_split_run(split, which);
	struct members m = {
		.events = calloc(r->n, sizeof(*m.events)),
		.names = calloc(r->n, sizeof(*m.names)),
		.index_in_list = calloc(r->n, sizeof(*m.index_in_list)),
	};
	int code = UNCORE_ENOMEM;

	if (m.events && m.names && m.index_in_list) {
		collect(&m, r, split, which);
		code = plan(r, run, &m);
	}
	free(m.events);
	free(m.names);
	free(m.index_in_list);
	if (code < 0)
		return unc_fail(&r->u->err, code, "%s",
				code == UNCORE_ENOMEM
					? "out of memory for a group of multiplexed events"
					: run->layout.reason);
	return code;
}
