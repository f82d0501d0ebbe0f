/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c - start and stop sets of ranks, of which one counts an event; see ranks.h. */
#include "backend/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define RETRY_NS 1000000000 /* after a failure */

static const char *name_of(const struct uncore_set *set, size_t value)
{
	return unc_names_name(set->u->names, set->list->counted.list[value]);
}

/* ---- memory ---- */

static void free_parts(struct unc_ranks_part *part)
{
	while (part) {
		struct unc_ranks_part *next = part->next;
		void *state = atomic_load(&part->set.state);

		unc_list_free(part->set.list);
		unc_run_free(part->set.run);
		if (state)
			part->set.backend->free(state);
		unc_checks_free(&part->set);
		free(part->events);
		free(part);
		part = next;
	}
}

static void free_ranks(struct unc_ranks *ranks)
{
	free_parts(atomic_load(&ranks->parts));
	free_parts(ranks->retired);
	free(ranks->held);
	free((void *)ranks->waits);
	free(ranks);
}

static struct unc_ranks *ranks_of(struct uncore_set *set)
{
	struct unc_ranks *ranks = atomic_load(&set->list->ranks);
	const size_t n = set->list->counted.n_values;

	if (ranks)
		return ranks;
	ranks = calloc(1, sizeof(*ranks));
	if (!ranks)
		return NULL;
	ranks->backend = &unc_backend_ranks;
	ranks->free = free_ranks;
	ranks->held = calloc(n, sizeof(*ranks->held));
	ranks->waits = calloc(n, sizeof(*ranks->waits));
	if (ranks->held && ranks->waits) {
		atomic_store(&set->list->ranks, ranks);
		return ranks;
	}
	free_ranks(ranks);
	return NULL;
}

/*
 * A reader of the previous run may still be using the parts of that run, as the arrays of a list.
 * The parts of the run before it are not used any more.
 */
static void retire_parts(struct unc_ranks *ranks)
{
	struct unc_ranks_part *last = atomic_load(&ranks->parts);

	if (!last)
		return;
	atomic_store(&ranks->parts, NULL);
	free_parts(ranks->retired);
	ranks->retired = last;
}

/* ---- names ---- */

/* Take the names of values that are not held; returns how many, or an error. */
static int take_names(struct uncore_set *set, const struct unc_ranks *ranks, bool *taken)
{
	int n = 0, r = 0;

	for (size_t i = 0; r >= 0 && i < set->list->counted.n_values; i++) {
		taken[i] = false;
		if (ranks->held[i])
			continue;
		r = unc_election_take(set->u->election, name_of(set, i), &set->u->err);
		taken[i] = r == 1;
		n += r == 1;
	}
	return r < 0 ? r : n;
}

static void leave_names(struct uncore_set *set, bool *held)
{
	for (size_t i = 0; i < set->list->counted.n_values; i++)
		if (held[i]) {
			unc_election_leave(set->u->election, name_of(set, i));
			held[i] = false;
		}
}

/* ---- parts ---- */

/* Groups are numbered by their first event, from 1 on. */
static void select_events(const struct unc_counted *all, const bool *taken,
			  struct unc_ranks_part *part, unsigned *ids, unsigned *groups, size_t *n)
{
	*n = 0;
	for (unsigned e = 0; e < all->n; e++) {
		const size_t i = *n;

		if (!taken[all->owner[e]])
			continue;
		ids[i] = all->ids[e];
		part->events[i] = e;
		groups[i] = all->groups[e] ? (unsigned)i + 1 : 0;
		for (size_t k = i; groups[i] && k-- > 0;)
			if (all->groups[part->events[k]] == all->groups[e])
				groups[i] = groups[k];
		(*n)++;
	}
}

static int plan_part(struct uncore_set *set, const unsigned *ids, const unsigned *groups, size_t n,
		     struct unc_ranks_part *part)
{
	struct uncore *u = set->u;
	int r;

	part->set.u = u;
	part->set.backend = u->backend;
	r = unc_list_new(u, NULL, ids, groups, n, &part->set.list);
	if (r < 0)
		return r;
	part->set.list->interval = set->list->interval;
	part->set.run = unc_run_new(u, n);
	if (!part->set.run)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	return unc_choose(&part->set);
}

static int make_part(struct uncore_set *set, const bool *taken, struct unc_ranks_part **out)
{
	const size_t n = set->list->counted.n;
	struct unc_ranks_part *part = calloc(1, sizeof(*part));
	unsigned *ids = calloc(n, sizeof(*ids)), *groups = calloc(n, sizeof(*groups));
	int r = UNCORE_ENOMEM;
	size_t some;

	if (part)
		part->events = calloc(n, sizeof(*part->events));
	if (part && part->events && ids && groups) {
		select_events(&set->list->counted, taken, part, ids, groups, &some);
		r = plan_part(set, ids, groups, some, part);
	} else {
		unc_fail(&set->u->err, r, "out of memory for %zu events", n);
	}
	free(ids);
	free(groups);
	*out = part;
	return r;
}

/* 0, UNC_WAIT, or an error; then there is no part. */
static int start_part(struct uncore_set *set, struct unc_ranks *ranks, const bool *taken)
{
	struct unc_ranks_part *part;
	int r = make_part(set, taken, &part);

	if (r == 0)
		r = part->set.backend->start(&part->set);
	if (r != 0) {
		free_parts(part);
		return r;
	}
	part->next = atomic_load(&ranks->parts);
	atomic_store_explicit(&ranks->parts, part, memory_order_release);
	return 0;
}

/* This rank counts the taken values, and another rank the rest. */
static void hold(struct uncore_set *set, struct unc_ranks *ranks, const bool *taken)
{
	const size_t n = set->list->counted.n_values;
	unsigned waiting = 0;

	for (size_t i = 0; i < n; i++) {
		ranks->held[i] |= taken[i];
		atomic_store(&ranks->waits[i], !ranks->held[i]);
		waiting += !ranks->held[i];
	}
	atomic_store(&ranks->n_waiting, waiting);
	set->n_by_others = waiting;
}

/* ---- what the user must know ---- */

static void list_names(const struct uncore_set *set, const bool *taken, char *text, size_t len)
{
	const char *first = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < set->list->counted.n_values; i++) {
		if (taken[i] && !first)
			first = name_of(set, i);
		n += taken[i];
	}
	if (n > 1)
		snprintf(text, len, "%.120s and %u more event%s", first, n - 1, n > 2 ? "s" : "");
	else
		snprintf(text, len, "%.120s", first ? first : "");
}

static void name_rank(const struct uncore *u, char *text, size_t len)
{
	const struct unc_launch *step = unc_election_launch(u->election);

	if (step->rank >= 0)
		snprintf(text, len, "rank %d of the %u", step->rank, step->ranks);
	else
		snprintf(text, len, "one rank of the %u", step->ranks);
}

/*
 * The library chooses this, and counts are not those of other programs, so it is reported without
 * being asked; once.
 */
static void announce(struct uncore_set *set, const bool *taken)
{
	char names[160], rank[64];

	if (set->u->announced)
		return;
	set->u->announced = true;
	list_names(set, taken, names, sizeof(names));
	name_rank(set->u, rank, sizeof(rank));
	fprintf(stderr,
		"uncore: %s on this node counts %s for all, the others read 0; to count in each "
		"rank, set UNCORE_SHARE=refuse\n",
		rank, names);
}

static void note_gap(const struct uncore_set *set, struct unc_ranks *ranks, const bool *taken,
		     int64_t gap)
{
	char names[160], rank[64];

	list_names(set, taken, names, sizeof(names));
	name_rank(set->u, rank, sizeof(rank));
	snprintf(ranks->text, sizeof(ranks->text),
		 "uncore: %s on this node counts %s from now on: another one has stopped or ended, "
		 "and the counts of up to %" PRId64 " ms are missing\n",
		 rank, names, gap / 1000000 + 1);
	set->u->announced = true;
	atomic_store(&ranks->wanted, false);
	atomic_store(&ranks->news, true);
}

static void report(struct unc_ranks *ranks)
{
	if (atomic_exchange(&ranks->wanted, false) && atomic_exchange(&ranks->news, false))
		fprintf(stderr, "%s", ranks->text);
}

static void note_failure(struct uncore_set *set, struct unc_ranks *ranks, int code)
{
	ranks->failure = code;
	unc_err_text(&set->u->err, ranks->why, sizeof(ranks->why));
	atomic_store(&ranks->retry_ns, unc_monotonic() + RETRY_NS);
	if (!set->u->blamed)
		fprintf(stderr, "uncore: cannot count on after another rank: %s\n", ranks->why);
	set->u->blamed = true;
}

/* ---- start ---- */

static int start_in_parts(struct uncore_set *set, struct unc_ranks *ranks, const bool *taken, int n)
{
	const int r = n ? start_part(set, ranks, taken) : 0;

	if (r != 0)
		return r;
	atomic_store(&set->list->paged, false);
	atomic_store(&ranks->in_parts, true);
	unc_external_begin(set);
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

static int start_whole(struct uncore_set *set, struct unc_ranks *ranks)
{
	atomic_store(&ranks->in_parts, false);
	return set->backend->start(set);
}

/* The names are taken, and the lock of the election is held. */
static int start_taken(struct uncore_set *set, struct unc_ranks *ranks, bool *taken, int n)
{
	const bool all = (size_t)n == set->list->counted.n_values;
	int r;

	retire_parts(ranks);
	atomic_store(&ranks->news, false);
	ranks->failure = 0;
	atomic_store(&ranks->retry_ns, 0);
	r = all ? start_whole(set, ranks) : start_in_parts(set, ranks, taken, n);
	if (r != 0) {
		leave_names(set, taken);
		return r;
	}
	hold(set, ranks, taken);
	if (n)
		announce(set, taken);
	return 0;
}

static int start_elected(struct uncore_set *set, struct unc_ranks *ranks, bool *taken)
{
	const int n = take_names(set, ranks, taken);

	if (n >= 0)
		return start_taken(set, ranks, taken, n);
	leave_names(set, taken);
	return n;
}

int unc_ranks_start(struct uncore_set *set)
{
	struct uncore *u = set->u;
	struct unc_ranks *ranks;
	bool *taken;
	int r;

	ranks = ranks_of(set);
	taken = calloc(set->list->counted.n_values, sizeof(*taken));
	r = ranks && taken ? unc_election_begin(u->election, &u->err)
			   : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for an event set");
	if (r == 1) {
		r = start_elected(set, ranks, taken);
		unc_election_end(u->election);
	} else if (r == 0) {
		r = UNC_WAIT;
	}
	free(taken);
	return r;
}

int unc_ranks_busy(struct uncore *u)
{
	return unc_fail(&u->err, UNCORE_EBUSY,
			"another rank of this job has been starting to count for more than %u ms: "
			"if its process is stopped, continue or kill it (UNCORE_LOCK_TIMEOUT sets "
			"the timeout in ms)",
			u->lock_timeout_ms);
}

/* ---- stop ---- */

int unc_ranks_stop(struct uncore_set *set, bool anyway)
{
	struct unc_ranks *ranks = atomic_load(&set->list->ranks);
	const int r = unc_backend_of(set)->stop(set, anyway);

	if (!unc_is_running(set)) {
		report(ranks);
		leave_names(set, ranks->held);
	}
	return r;
}

/* ---- events of a rank that has stopped ---- */

/* 0, UNC_WAIT; a failure is reported by the stop. */
static int take_over(struct uncore_set *set, struct unc_ranks *ranks, int64_t gap)
{
	bool *taken = calloc(set->list->counted.n_values, sizeof(*taken));
	int n = taken ? take_names(set, ranks, taken) : UNCORE_ENOMEM;
	int r = n > 0 ? start_part(set, ranks, taken) : n;

	if (n > 0 && r == 0) {
		hold(set, ranks, taken);
		note_gap(set, ranks, taken, gap);
		ranks->failure = 0;
	} else if (taken) {
		leave_names(set, taken);
	}
	if (r < 0)
		note_failure(set, ranks, r);
	else
		atomic_store(&ranks->retry_ns, 0);
	free(taken);
	if (r == UNC_WAIT)
		atomic_store(&ranks->retry_ns, unc_monotonic() + RETRY_NS);
	return r == UNC_WAIT ? r : 0;
}

static struct unc_ranks *waiting(const struct uncore_set *set)
{
	struct unc_ranks *ranks = atomic_load(&set->list->ranks);

	return ranks && unc_is_running(set) && atomic_load(&ranks->in_parts) ? ranks : NULL;
}

int unc_ranks_take_over(struct uncore *u)
{
	bool wanted = false;
	int64_t gap;
	int r;

	for (struct uncore_set *set = u->sets; set; set = set->next) {
		struct unc_ranks *ranks = waiting(set);

		if (ranks)
			report(ranks);
		wanted |= ranks && atomic_load(&ranks->n_waiting);
	}
	r = wanted ? unc_election_begin(u->election, &u->err) : 0;
	if (r <= 0)
		return wanted && r == 0 ? UNC_WAIT : 0;
	gap = unc_monotonic() - unc_election_unchanged(u->election);
	unc_election_renew(u->election);
	r = 0;
	for (struct uncore_set *set = u->sets; set && r == 0; set = set->next) {
		struct unc_ranks *ranks = waiting(set);

		if (ranks && atomic_load(&ranks->n_waiting))
			r = take_over(set, ranks, gap);
	}
	unc_election_end(u->election);
	return r;
}
