/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mux.c - rounds of multiplexed events.
 *
 * At the end of a window all boxes of the round are stopped, the sums are read, and the
 * counters go to the next round.  A box that both use stays frozen and saved in between: only what
 * differs is written, and only counters that the last round did not use are read.  The checks of a
 * stop are made each time, those of a start in boxes that the last round did not use.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/multiplexed/mux.h"
#include "claim/others.h"

/* ---- multiplexing shared by sets with the same list ---- */

static bool same_groups(const unsigned *a, const unsigned *b, size_t n)
{
	return a && b ? memcmp(a, b, n * sizeof(*a)) == 0 : a == b;
}

/* or NULL; events with the same number other than 0 are counted together */
static const unsigned *groups_of(const struct unc_counted *list)
{
	return list->grouped ? list->groups : NULL;
}

static struct unc_mux *find(const struct uncore *u, const struct unc_counted *list,
			    int64_t interval)
{
	struct unc_mux *r = u->muxes;

	while (r && !(r->n == list->n && r->interval == interval &&
		      memcmp(r->ids, list->ids, r->n * sizeof(*r->ids)) == 0 &&
		      same_groups(r->groups, groups_of(list), r->n)))
		r = r->next;
	return r;
}

static void free_mux(struct unc_mux *r)
{
	if (!r)
		return;
	unc_split_free(atomic_load(&r->split));
	for (int i = 0; i < 2; i++)
		free(r->copies[i].estimates);
	free(r->ids);
	free(r->groups);
	free(r->events);
	free(r->names);
	free(r->packages);
	free(r->scatter);
	free(r);
}

static void *copy(const void *from, size_t bytes)
{
	void *to = malloc(bytes);

	return to ? memcpy(to, from, bytes) : NULL;
}

static bool counts_in(const struct unc_mux *r, const struct unc_box *b)
{
	for (size_t e = 0; e < r->n; e++)
		if (unc_box_counts(b, r->events[e]))
			return true;
	return false;
}

/* Packages in which the rounds change anything. */
static void find_packages(const struct unc_mux *r)
{
	const struct unc_machine *m = &r->u->machine;

	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].type->free && counts_in(r, &m->boxes[i]))
			r->packages[m->boxes[i].package] = true;
}

static struct unc_mux *new_mux(struct uncore *u, const struct unc_counted *list, int64_t interval)
{
	struct unc_mux *r = calloc(1, sizeof(*r));
	const size_t n = list->n;

	if (!r)
		return NULL;
	r->u = u;
	r->n = n;
	r->interval = interval;
	r->random = 1;
	r->ids = copy(list->ids, n * sizeof(*r->ids));
	r->groups = groups_of(list) ? copy(list->groups, n * sizeof(*r->groups)) : NULL;
	r->events = copy(list->events, n * sizeof(*r->events));
	r->names = copy(list->names, n * sizeof(*r->names));
	r->scatter = calloc(n, sizeof(*r->scatter));
	r->packages = calloc(u->machine.topo.n_packages + 1, sizeof(*r->packages));
	for (int i = 0; i < 2; i++) {
		atomic_init(&r->copies[i].active, UNC_NOBODY);
		r->copies[i].estimates = calloc(n, sizeof(*r->copies[i].estimates));
	}
	if (r->ids && (r->groups || !groups_of(list)) && r->events && r->names && r->packages &&
	    r->scatter && r->copies[0].estimates && r->copies[1].estimates) {
		find_packages(r);
		return r;
	}
	free_mux(r);
	return NULL;
}

int unc_mux_get(struct uncore *u, const struct unc_counted *list, int64_t interval,
		_Atomic(struct unc_mux *) *out)
{
	struct unc_mux *r = find(u, list, interval);
	struct unc_split *split;
	int code = 0;

	if (!r) {
		r = new_mux(u, list, interval);
		if (!r)
			return unc_fail(&u->err, UNCORE_ENOMEM,
					"out of memory while multiplexing %zu events", list->n);
		r->asking = list;
		code = unc_split_make(r, true, &split);
		r->asking = NULL;
		if (code < 0) {
			free_mux(r);
			return code;
		}
		atomic_store(&r->split, split);
		r->next = u->muxes;
		u->muxes = r;
	}
	r->sets++;
	atomic_store(out, r);
	return 0;
}

void unc_mux_put(struct unc_mux *r)
{
	struct unc_mux **link = &r->u->muxes;

	if (--r->sets)
		return;
	while (*link != r)
		link = &(*link)->next;
	*link = r->next;
	free_mux(r);
}

/* ---- one window ---- */

static struct unc_run *run_of(const struct unc_mux *r, int which)
{
	return unc_split_run(atomic_load(&r->split), which);
}

/* Claim the counters of a run and start them. */
static int open_window(struct unc_mux *r, int which)
{
	struct unc_run *run = run_of(r, which);
	struct uncore *u = r->u;
	int code = 0;

	if (run->planned != u->changes - r->own)
		code = unc_split_plan(r, atomic_load(&r->split), which);
	if (code < 0)
		return code;
	code = unc_claim(run);
	if (code == 0 && u->wrap_poller.wanted)
		code = unc_wrap_poller_start(u);
	if (code < 0)
		return code;
	memset(run->sums, 0, r->n * sizeof(*run->sums));
	unc_reading_totals(atomic_load(&run->reading), run->sums);
	return 0;
}

static int go(struct unc_mux *r, int which)
{
	struct unc_run *run = run_of(r, which);
	const int code = unc_go(run);

	if (code < 0)
		return code;
	atomic_store(&run->base_ns, unc_clock(r->u->hw));
	unc_window_begin(r, which);
	return 0;
}

static int begin(struct unc_mux *r, int which)
{
	int code = open_window(r, which);

	if (code == 0)
		code = go(r, which);
	if (code < 0)
		unc_release(run_of(r, which));
	return code;
}

/* The counters are stopped from here on; unc_part() must follow. */
static int halt(struct unc_mux *r, int which, struct unc_program *leaving)
{
	struct unc_run *run = run_of(r, which);
	const int code = unc_halt(run, leaving, unc_freeze_check_look(run, NULL));

	if (run->missed && !r->missed)
		r->missed_wrap = run->missed_wrap;
	r->missed = r->missed || run->missed;
	unc_window_end(r, which, code == 0);
	return code;
}

/* ---- sequence of windows ---- */

/* stop() returns the first failure. */
static void remember(struct unc_mux *r, int code)
{
	if (code == 0 || r->failure)
		return;
	r->failure = code;
	uncore_errmsg(r->u, r->why, sizeof(r->why));
}

/* 0.5 to 1.5 times the interval, so that windows do not follow a period of the traffic. */
static int64_t next_length(struct unc_mux *r)
{
	r->random = r->random * 1664525u + 1013904223u;
	return r->interval / 2 + (int64_t)((uint64_t)r->interval * (r->random >> 8) >> 24);
}

static int active_round(const struct unc_mux *r)
{
	return atomic_load(&r->copies[0].active);
}

/* Rounds that cannot be counted are skipped. */
static void begin_next(struct unc_mux *r)
{
	const struct unc_split *split = atomic_load(&r->split);

	for (unsigned i = 0; i < split->n; i++) {
		int code;

		r->current = (r->current + 1) % split->n;
		code = begin(r, (int)r->current);
		if (code == 0)
			return;
		remember(r, code);
		remember(r, unc_tidy(split->round[r->current]));
	}
}

void unc_mux_next_window(struct unc_mux *r)
{
	const int active = active_round(r);
	struct unc_run *old = NULL;
	struct unc_program leaving = {.frozen = false};

	if (active >= 0) {
		old = run_of(r, active);
		remember(r, unc_part(old, &leaving, halt(r, active, &leaving), true));
	}
	begin_next(r);
	if (old)
		remember(r, unc_tidy(old));
}

/*
 * A window this much longer than the uncertainty of its start is known well enough after its
 * stop.
 */
#define DOUBTS 400
/*
 * A window may take up to this many intervals for that; an interrupted start is not worth more.
 */
#define MOST_INTERVALS 5

/* The end of a window that is due at a given time. */
static int64_t deadline_from(struct unc_mux *r, int64_t due)
{
	const int active = active_round(r);
	const int64_t deadline = due + next_length(r);
	int64_t most, needed;

	if (active < 0)
		return deadline;
	most = run_of(r, active)->began + MOST_INTERVALS * r->interval;
	needed = run_of(r, active)->began + (int64_t)(DOUBTS * run_of(r, active)->doubt);
	needed = needed < most ? needed : most;
	return deadline > needed ? deadline : needed;
}

/* The one whose window ends first, or NULL. */
static struct unc_mux *find_first(const struct uncore *u)
{
	struct unc_mux *first = NULL;

	for (struct unc_mux *r = u->muxes; r; r = r->next)
		if (r->running && atomic_load(&r->split)->n > 1 &&
		    (!first || r->deadline < first->deadline))
			first = r;
	return first;
}

int64_t unc_mux_rotate(struct uncore *u)
{
	struct unc_mux *r = find_first(u);
	const int64_t now = unc_hw_now(u->hw);

	if (!r)
		return INT64_MAX;
	if (now < r->deadline)
		return r->deadline;
	unc_mux_next_window(r);
	r->deadline = deadline_from(r, r->deadline);
	if (r->deadline <= now)
		r->deadline = deadline_from(r, now);
	return find_first(u)->deadline;
}

int64_t unc_mux_due(struct uncore *u)
{
	const int64_t now = unc_hw_now(u->hw);
	int64_t next;

	do
		next = unc_mux_rotate(u);
	while (next <= now);
	return next;
}

/* ---- start, stop ---- */

static void end(struct unc_mux *r, int which)
{
	struct unc_program leaving = {.frozen = false};
	const int halted = halt(r, which, &leaving);

	remember(r, unc_part(run_of(r, which), &leaving, halted, false));
}

/* Their registers stay in the journal, whichever round is using them. */
static void keep_boxes(struct unc_mux *r, bool keep)
{
	for (unsigned i = 0; i < r->u->machine.n_boxes; i++)
		if (counts_in(r, &r->u->machine.boxes[i]))
			unc_others_keep(r->u, i, keep);
}

/* Registers of earlier rounds, in boxes that others use. */
static void tidy_boxes(struct unc_mux *r)
{
	for (unsigned i = 0; i < r->u->machine.n_boxes; i++)
		if (r->u->uses[i].n && counts_in(r, &r->u->machine.boxes[i]))
			remember(r, unc_tidy_box(r->u, i));
}

/* The journal lists all rounds at once, since windows take no lock. */
static int report_others(struct unc_mux *r)
{
	const struct unc_split *split = atomic_load(&r->split);
	int code = 0;

	keep_boxes(r, true);
	for (unsigned i = 0; r->u->share && code == 0 && i < split->n; i++)
		code = unc_claim_later(split->round[i]);
	if (code == 0)
		code = unc_others_write(r->u);
	if (code < 0)
		keep_boxes(r, false);
	return code;
}

/* All rounds must fit, but only the first one claims its counters. */
static int begin_split(struct unc_mux *r)
{
	const struct unc_split *split = atomic_load(&r->split);
	int code = 0;

	unc_windows_start(r, unc_hw_now(r->u->hw));
	if (split->all_time)
		code = unc_split_plan(r, split, UNC_STEADY);
	if (code == 0 && split->all_time)
		code = begin(r, UNC_STEADY);
	if (code < 0)
		return code;
	for (unsigned i = 0; code == 0 && i < split->n; i++)
		code = unc_split_plan(r, split, (int)i);
	r->current = 0;
	if (code == 0)
		code = report_others(r);
	if (code == 0 && split->n) {
		code = begin(r, 0);
		if (code < 0)
			keep_boxes(r, false);
	}
	if (code < 0 && split->all_time)
		end(r, UNC_STEADY);
	return code;
}

static int begin_anew(struct unc_mux *r, bool steady)
{
	struct unc_split *split;
	int code = unc_split_make(r, steady, &split);

	if (code < 0)
		return code;
	split->retired = atomic_load(&r->split);
	atomic_store(&r->split, split);
	return begin_split(r);
}

/* Returns the time. */
static int64_t end_mux(struct unc_mux *r)
{
	const struct unc_split *split = atomic_load(&r->split);
	const int active = active_round(r);
	int64_t time = unc_hw_now(r->u->hw);

	if (active >= 0) {
		end(r, active);
		time = split->round[active]->ended;
	}
	if (split->all_time) {
		end(r, UNC_STEADY);
		time = split->all_time->ended;
	}
	unc_windows_halt(r, time);
	tidy_boxes(r);
	keep_boxes(r, false);
	return time;
}

/*
 * If the rounds no longer fit with the counters started since they were made, they are made
 * again; and if events that count all the time keep a round from fitting, all events are
 * multiplexed.
 */
static int begin_rounds(struct unc_mux *r)
{
	int code;

	r->missed = false;
	code = begin_split(r);
	if (code == UNCORE_ECONFLICT)
		code = begin_anew(r, true);
	if (code == UNCORE_ECONFLICT)
		code = begin_anew(r, false);
	r->failure = 0;
	r->deadline = deadline_from(r, unc_hw_now(r->u->hw));
	if (code == 0 && atomic_load(&r->split)->n > 1)
		code = unc_mux_thread_start(r->u, r->deadline);
	if (code < 0 && active_round(r) >= 0)
		end_mux(r);
	return code;
}

static int close_packages(struct unc_mux *r, int code)
{
	return r->opened ? unc_package_close(r->u, r->packages, code) : code;
}

/*
 * Windows do not freeze packages, in which other processes may count: packages stay unfrozen
 * for all of them.
 */
static int begin_mux(struct unc_mux *r)
{
	int code = unc_package_open(r->u, r->packages);

	if (code < 0)
		return code;
	r->opened = code > 0;
	code = begin_rounds(r);
	return code < 0 ? close_packages(r, code) : 0;
}

static void stop_mux_thread(struct uncore *u)
{
	for (const struct unc_mux *r = u->muxes; r; r = r->next)
		if (r->running && atomic_load(&r->split)->n > 1)
			return;
	unc_mux_thread_stop(u);
}

int unc_mux_start(struct unc_mux *r)
{
	const int code = r->running ? 0 : begin_mux(r);

	if (code == 0)
		r->running++;
	else
		stop_mux_thread(r->u);
	return code;
}

int64_t unc_mux_stop(struct unc_mux *r)
{
	const int64_t time = --r->running ? unc_hw_now(r->u->hw) : end_mux(r);

	if (!r->running)
		remember(r, close_packages(r, 0));
	stop_mux_thread(r->u);
	return time;
}
