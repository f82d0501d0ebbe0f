/* SPDX-License-Identifier: BSD-3-Clause */
/* sets.c - requests for sets that have been started. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/planner.h"
#include "daemon/traffic.h"
#include "uncore_inspect.h"

struct client_set *daemon_find_set(struct client *c, uint32_t number)
{
	for (size_t i = 0; i < MAX_SETS; i++)
		if (c->sets[i].number == number)
			return &c->sets[i];
	return NULL;
}

void daemon_destroy_set(struct server *s, struct client_set *set)
{
	uncore_set_destroy(set->set);
	set->user->bytes -= set->bytes;
	owner_free(s, set->owner);
	daemon_page_free(set);
	free(set->ids);
	free(set->drop);
	*set = (struct client_set){.number = 0};
}

void daemon_drop(struct server *s, struct client_set *set)
{
	daemon_page_end(s, set);
	if (s->planner)
		planner_drop(s->planner, set);
	else
		daemon_destroy_set(s, set);
	*set = (struct client_set){.number = 0};
}

void daemon_forget(struct server *s, struct client *c)
{
	for (size_t i = 0; i < MAX_SETS; i++)
		if (c->sets[i].number)
			daemon_drop(s, &c->sets[i]);
	traffic_drop(s, c);
}

/* ---- how long a read takes ---- */

/* Before the first read: counters that are read in a slice even if each takes 8 us. */
#define FEW_COUNTERS 64

/* The first read of a small set must not wait until the planner has started a large one. */
bool daemon_is_slow(const struct client_set *set)
{
	return set->shortest ? set->shortest > SLICE_NS : set->counters > FEW_COUNTERS;
}

/* The shortest read counts, since others were interrupted. */
void daemon_note_read(struct client_set *set, int64_t took)
{
	if (took && (!set->shortest || took < set->shortest))
		set->shortest = took;
}

/* ---- counts ---- */

static bool is_remote(const struct client_set *set, size_t event)
{
	return set->owner && !set->owner->names[event];
}

/* 0, or an error that is reported. */
static int times_of(const struct server *s, const struct client_set *set,
		    struct uncore_times *times, struct answer *a)
{
	int r;

	times[0].size = sizeof(times[0]);
	r = uncore_set_times(set->set, times);
	if (r < 0)
		answer_say_why(s, a, r);
	a->head.enabled = times[0].enabled_ns;
	return r;
}

void daemon_read_set(const struct server *s, const struct client_set *set, struct answer *a)
{
	struct uncore_missed_wrap missed = {.size = sizeof(missed)};
	const int r = uncore_set_read_timed(set->set, a->is.counts, &a->head.enabled);

	if (r < 0) {
		answer_say_why(s, a, r);
		return;
	}
	a->head.n = (uint32_t)set->n;
	a->head.missed = uncore_set_missed_wrap(set->set, &missed) == 1;
	a->size = set->n * sizeof(*a->is.counts);
	for (size_t i = 0; i < set->n; i++)
		if (is_remote(set, i))
			a->is.counts[i] = 0;
}

/* Append to the answer. */
static void add(struct answer *a, const void *from, size_t size)
{
	memcpy(a->is.bytes + a->size, from, size);
	a->size += size;
}

static void add_windows(const struct server *s, const struct client_set *set, struct answer *a)
{
	struct uncore_times times[UNC_WIRE_EVENTS];

	if (times_of(s, set, times, a) < 0)
		return;
	a->head.n = (uint32_t)set->n;
	for (size_t i = 0; i < set->n; i++) {
		const struct unc_wire_window window = {
			.count = is_remote(set, i) ? 0 : times[i].count,
			.running = times[i].running_ns,
			.error = (float)times[i].error,
			.shift_ns = (float)times[i].shift_ns,
		};

		add(a, &window, sizeof(window));
	}
}

static void add_missed(const struct client_set *set, struct answer *a)
{
	struct uncore_missed_wrap worst = {.size = sizeof(worst)};
	const int is = uncore_set_missed_wrap(set->set, &worst);
	const struct unc_wire_missed missed = {
		.is = is == 1,
		.event = worst.event,
		.jumped = worst.jumped,
		.unseen_ms = worst.unseen_ms,
		.wrap_ms = worst.wrap_ms,
	};

	add(a, &missed, sizeof(missed));
}

static void windows(const struct server *s, const struct client_set *set, struct answer *a)
{
	if (set->multiplexed)
		add_windows(s, set, a);
	else
		answer_say(a, UNCORE_ESTATE, "the events of this set are not multiplexed");
}

/* ---- stop after n occurrences ---- */

static void copy_text(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text ? text : "");
}

static bool sample(struct uncore_set *set, unsigned i, struct unc_wire_sample *is)
{
	struct uncore_stop_after_info info = {.size = sizeof(info)};

	if (i >= UNC_WIRE_STOPS || uncore_set_stop_after_info(set, i, &info) != 1)
		return false;
	*is = (struct unc_wire_sample){
		.event = (int32_t)info.event,
		.counter = (int32_t)info.counter,
		.package = info.package,
		.box = info.box,
	};
	copy_text(is->kind, sizeof(is->kind), info.kind);
	copy_text(is->polled, sizeof(is->polled), info.polled);
	return true;
}

static bool source(struct uncore_set *set, unsigned i, struct unc_wire_sample *is)
{
	struct uncore_overflow_source info = {.size = sizeof(info)};

	if (i >= UNC_WIRE_SOURCES || uncore_set_overflow_source(set, i, &info) != 1)
		return false;
	*is = (struct unc_wire_sample){
		.event = info.event,
		.counter = info.counter,
		.package = info.package,
		.box = info.box,
		.reported_by = info.reported_by,
	};
	copy_text(is->kind, sizeof(is->kind), info.kind);
	return true;
}

void daemon_add_samples(const struct client_set *set, struct answer *a)
{
	struct unc_wire_samples all;

	memset(&all, 0, sizeof(all));
	while (sample(set->set, all.n, &all.at[all.n]))
		all.n++;
	while (source(set->set, all.n_sources, &all.sources[all.n_sources]))
		all.n_sources++;
	if (all.n)
		add(a, &all, sizeof(all));
}

/* ---- requests ---- */

/* The counts are sent even if not all registers could be restored. */
static void stop(struct server *s, struct client_set *set, struct answer *a)
{
	char text[UNCORE_ERRMSG_MAX];
	const int r = uncore_set_stop(set->set); /* 0 if it has been stopped for its client */

	uncore_errmsg(s->u, text, sizeof(text));
	daemon_read_set(s, set, a);
	if (a->head.n && set->multiplexed)
		add_windows(s, set, a);
	if (a->head.n) {
		add_missed(set, a);
		daemon_add_samples(set, a);
	}
	if (!daemon_is_stopped(set, a) && r < 0)
		answer_say(a, r, "%s", text);
	daemon_destroy_set(s, set);
}

/* Requests whose result is a number or an error. */
static void ask(const struct server *s, const struct client_set *set,
		const struct unc_wire_request *q, struct answer *a)
{
	int r;

	if (q->kind == UNC_WIRE_CHECK)
		r = uncore_set_check(set->set);
	else if (q->kind == UNC_WIRE_WAIT)
		r = uncore_set_wait(set->set, 0);
	else
		r = uncore_set_rearm(set->set);
	a->head.code = r;
	if (r < 0)
		answer_say_why(s, a, r);
	else if (q->kind == UNC_WIRE_WAIT)
		daemon_add_samples(set, a);
}

void daemon_ask_now(const struct server *s, const struct client_set *set, const struct message *m,
		    struct answer *a)
{
	if (m->head.kind == UNC_WIRE_READ)
		daemon_read_set(s, set, a);
	else if (m->head.kind == UNC_WIRE_TIMES)
		windows(s, set, a);
	else
		add_missed(set, a);
}

void daemon_ask_planner(struct server *s, struct client_set *set, const struct message *m,
			struct answer *a)
{
	if (m->head.kind == UNC_WIRE_STOP)
		stop(s, set, a);
	else if (m->head.kind == UNC_WIRE_READ)
		daemon_read_set(s, set, a);
	else
		ask(s, set, &m->head, a);
}
