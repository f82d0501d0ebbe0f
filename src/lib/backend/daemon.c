/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.c - the backend of sets that uncored counts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/daemon/page.h"
#include "backend/daemon/remote.h"
#include "claim/stop_after.h"
#include "uncore_inspect.h"

_Static_assert(UNC_WIRE_STOPS == UNC_SAMPLES && UNC_WIRE_SOURCES == UNC_OVERFLOW_SOURCES,
	       "as many go through a message");

/* State of a set that was started at least once. */
struct started_set {
	struct unc_remote_set set; /* in uncored */
	atomic_bool missed;        /* a wrap may have been missed */
};

static struct started_set *remote_of(const struct uncore_set *set)
{
	return atomic_load_explicit(&set->state, memory_order_acquire);
}

/* ---- origin of a stop ---- */

/* Prefer the library's own message, if this machine has the box that uncored names. */
static const char *kind_of(const struct uncore *u, const char *kind)
{
	for (size_t i = 0; i < u->machine.n_boxes; i++)
		if (strcmp(u->machine.boxes[i].type->name, kind) == 0)
			return u->machine.boxes[i].type->name;
	return "";
}

/* Copy which counters uncored uses for samples, and why they are polled. */
static void take_samples(struct unc_stop_after *stop_after, const struct unc_wire_samples *from)
{
	for (unsigned i = 0; i < from->n && i < stop_after->samples.n; i++) {
		char *polled = stop_after->polling[i];

		stop_after->samples.at[i].counter = (unsigned)from->at[i].counter;
		memcpy(polled, from->at[i].polled, sizeof(from->at[i].polled));
		stop_after->samples.at[i].polled = *polled ? polled : NULL;
	}
}

static void take_sources(const struct uncore *u, struct unc_stop_after *stop_after,
			 const struct unc_wire_samples *from)
{
	stop_after->n_sources = from->n_sources;
	for (unsigned i = 0; i < from->n_sources; i++) {
		const struct unc_wire_sample *s = &from->sources[i];

		stop_after->source[i] = (struct uncore_overflow_source){
			.size = sizeof(stop_after->source[i]),
			.event = s->event,
			.package = s->package,
			.kind = kind_of(u, s->kind),
			.box = s->box,
			.counter = s->counter,
			.reported_by = (enum uncore_reported_by)s->reported_by,
		};
	}
}

static void take_stops(struct uncore_set *set, const struct unc_wire_samples *samples)
{
	if (set->run->stop_after && samples->n) {
		take_samples(set->run->stop_after, samples);
		take_sources(set->u, set->run->stop_after, samples);
	}
}

static int daemon_look(struct uncore_set *set)
{
	struct unc_wire_samples samples = {.n = 0};
	const int r = unc_remote_ask(set->u->remote, UNC_WIRE_WAIT, remote_of(set)->set, &samples,
				     &set->u->err);

	if (r == 1) {
		take_stops(set, &samples);
		set->run->stop_after->stopped = true;
	}
	return r;
}

static int daemon_rearm(struct uncore_set *set)
{
	set->run->stop_after->stopped = false;
	return unc_remote_ask(set->u->remote, UNC_WIRE_REARM, remote_of(set)->set, NULL,
			      &set->u->err);
}

/* ---- start ---- */

/* The arguments of a request, one element for each counted event. */
struct lists {
	const char **names;
	const char **owners; /* the value it is counted for; NULL: not needed */
	uint64_t *codes;
	char (*raw)[UNCORE_NAME_MAX + 1]; /* names of events that only this process knows */
};

static void free_lists(struct lists *l)
{
	free(l->names);
	free(l->owners);
	free(l->codes);
	free(l->raw);
}

static bool make_lists(struct lists *l, const struct uncore_set *set)
{
	const size_t n = set->list->counted.n;

	l->names = malloc(n * sizeof(*l->names));
	l->codes = malloc(n * sizeof(*l->codes));
	l->owners = set->u->owner_counts ? malloc(n * sizeof(*l->owners)) : NULL;
	l->raw = set->u->lists ? malloc(n * sizeof(*l->raw)) : NULL;
	return l->names && l->codes && (l->owners || !set->u->owner_counts) &&
	       (l->raw || !set->u->lists);
}

static int fill_lists(struct lists *l, const struct uncore_set *set)
{
	const struct unc_counted *counted = &set->list->counted;
	struct unc_names *names = set->u->names;
	int r = 0;

	memcpy(l->names, counted->names, counted->n * sizeof(*l->names));
	for (size_t e = 0; r == 0 && e < counted->n; e++) {
		struct uncore_encoding is;

		r = unc_names_encoding(names, counted->ids[e], &is);
		l->codes[e] = is.code;
		if (l->owners)
			l->owners[e] = unc_names_name(
				names, counted->list[unc_owner(counted, (unsigned)e)]);
	}
	return r;
}

/* Events from event lists that uncored may not have: send their encoding. false: no encoding. */
static bool format_raw_names(struct lists *l, const struct uncore_set *set)
{
	const struct unc_counted *counted = &set->list->counted;
	bool any = false;

	for (size_t e = 0; l->raw && e < counted->n; e++) {
		if (!unc_names_raw(set->u->names, counted->ids[e], l->raw[e]))
			continue;
		l->names[e] = l->raw[e];
		any = true;
	}
	return any;
}

static uint32_t stops_of(const struct uncore_set *set, struct unc_wire_stop *stops)
{
	const struct unc_stop_after *stop_after = set->run->stop_after;
	const uint32_t n = stop_after ? stop_after->samples.n : 0;

	for (uint32_t i = 0; i < n; i++)
		stops[i] = (struct unc_wire_stop){
			.event = stop_after->samples.at[i].event,
			.count = stop_after->samples.at[i].n,
		};
	return n;
}

static void started(struct uncore_set *set, unsigned by_others,
		    const struct unc_wire_samples *samples)
{
	const struct unc_counted *counted = &set->list->counted;

	set->n_by_others = by_others == counted->n ? (unsigned)counted->n_values : by_others;
	if (set->run->stop_after)
		set->run->stop_after->stopped = false;
	take_stops(set, samples);
}

/* A reader may still be using the one of the previous run. */
static int map_page(struct uncore_set *set, int file)
{
	struct unc_page *page = atomic_load(&set->list->page);
	int r = unc_page_map(&page, file, set->list->counted.n);

	close(file);
	if (page)
		atomic_store(&set->list->page, page);
	if (r == 0) {
		atomic_store(&set->list->paged, true);
		return 0;
	}
	unc_remote_stop(set->u->remote, remote_of(set)->set,
			&(struct unc_remote_last){.counts = set->list->scratch,
						  .windows = set->list->windows,
						  .n = set->list->counted.n},
			&set->u->err);
	return unc_fail(&set->u->err, UNCORE_ENOMEM, "cannot map the counts page of uncored: %s",
			strerror(-r));
}

static int ask_to_start(struct uncore *u, struct uncore_set *set, const struct lists *lists)
{
	const struct unc_counted *counted = &set->list->counted;
	struct unc_wire_stop stops[UNC_WIRE_STOPS];
	struct unc_wire_samples samples = {.n = 0};
	const struct unc_remote_wish wish = {
		.names = lists->names,
		.owners = lists->owners,
		.codes = lists->codes,
		.groups = counted->grouped ? counted->groups : NULL,
		.n = counted->n,
		.interval_us = (unsigned)(set->list->interval / 1000),
		.refresh_us = (uint32_t)set->list->refresh_us,
		.stops = stops,
		.n_stops = stops_of(set, stops),
		.cores = set->run->stop_after ? set->run->stop_after->samples.cores : 0,
	};
	int page;
	const int r =
		unc_remote_start(u->remote, &wish, &remote_of(set)->set, &samples, &page, &u->err);

	if (r >= 0)
		started(set, (unsigned)r, &samples);
	atomic_store(&set->list->paged, false);
	if (page >= 0)
		return map_page(set, page);
	return r < 0 ? r : 0;
}

/* Memory for the last answer. */
static bool has_room(struct unc_list *list)
{
	if (list->interval && !list->windows)
		list->windows = calloc(list->counted.n, sizeof(*list->windows));
	return !list->interval || list->windows;
}

static int start_lists(struct uncore *u, struct uncore_set *set)
{
	struct lists lists = {.names = NULL};
	int r = make_lists(&lists, set) && has_room(set->list)
			? fill_lists(&lists, set)
			: unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu events",
				   set->list->counted.n);

	if (r == 0)
		r = ask_to_start(u, set, &lists);
	if (r == UNCORE_ENOEVENT && format_raw_names(&lists, set))
		r = ask_to_start(u, set, &lists);
	free_lists(&lists);
	return r;
}

static int make_state(struct uncore_set *set)
{
	if (!remote_of(set))
		atomic_store(&set->state, calloc(1, sizeof(struct started_set)));
	return remote_of(set)
		       ? 0
		       : unc_fail(&set->u->err, UNCORE_ENOMEM, "out of memory for an event set");
}

static int daemon_start(struct uncore_set *set)
{
	int r = unc_owner_ready(set);

	if (r == 0)
		r = make_state(set);
	if (r == 0)
		r = start_lists(set->u, set);
	if (r < 0)
		return r;
	atomic_store(&remote_of(set)->missed, false);
	unc_external_begin(set);
	atomic_fetch_add(&set->epoch, 1);
	return 0;
}

/* ---- counts ---- */

static struct uncore_missed_wrap missed_wrap(const struct unc_wire_missed *missed)
{
	return (struct uncore_missed_wrap){
		.size = sizeof(struct uncore_missed_wrap),
		.event = missed->event,
		.jumped = missed->jumped != 0,
		.unseen_ms = missed->unseen_ms,
		.wrap_ms = missed->wrap_ms,
	};
}

static void take_state(struct uncore_set *set, const struct unc_remote_state *state)
{
	if (state->missed)
		atomic_store(&remote_of(set)->missed, true);
}

static int daemon_sum(struct uncore_set *set, uint64_t *sums, int64_t now, struct unc_when *when)
{
	struct unc_remote_state state;
	const int r = unc_remote_read(set->u->remote, remote_of(set)->set, sums,
				      set->list->counted.n, &state);

	if (r < 0) {
		unc_err_late_by(&set->u->err, unc_remote_report_unread, set->u->remote);
		return r;
	}
	(void)now; /* uncored's clock counts */
	take_state(set, &state);
	*when = (struct unc_when){.at = unc_external_time(set, state.enabled)};
	unc_external_add_zero(set, sums);
	return 0;
}

/* The windows are stored at the end of the results, which are larger. */
static void spread(struct unc_times *times, size_t n, int64_t enabled)
{
	const struct unc_wire_window *windows = (const struct unc_wire_window *)times;

	for (size_t e = n; e-- > 0;) {
		const struct unc_wire_window is = windows[e];

		times[e] = (struct unc_times){enabled, is.running, is.count, is.error, is.shift_ns};
	}
}

static void last_times(const struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	const struct unc_list *list = set->list;
	const int64_t enabled = unc_last_enabled(set, epoch);

	for (size_t e = 0; e < list->counted.n; e++)
		times[e] = (struct unc_times){enabled, atomic_load(&list->zero_time[e]),
					      (int64_t)atomic_load(&list->zero[e]),
					      (float)atomic_load(&list->noise[e]), 0};
}

/* For events that it may have multiplexed. */
static int times_of_windows(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	const size_t n = set->list->counted.n;
	struct unc_remote_state state;
	int r;

	if (!(epoch & 1)) {
		last_times(set, epoch, times);
		return 0;
	}
	memset(times, 0, n * sizeof(*times));
	if (unc_is_child(set->u))
		return 0;
	r = unc_remote_windows(set->u->remote, remote_of(set)->set, (struct unc_wire_window *)times,
			       n, &state);
	if (r < 0)
		return r;
	take_state(set, &state);
	spread(times, n, state.enabled);
	return 0;
}

static int daemon_times(struct uncore_set *set, unsigned epoch, struct unc_times *times)
{
	return set->list->interval ? times_of_windows(set, epoch, times)
				   : unc_times_of_sums(set, epoch, times);
}

static unsigned daemon_rounds(const struct uncore_set *set)
{
	return remote_of(set)->set.rounds;
}

static int daemon_missed_wrap(struct uncore_set *set, struct uncore_missed_wrap *worst)
{
	struct unc_wire_missed missed;

	if (!atomic_load(&remote_of(set)->missed) ||
	    unc_remote_missed(set->u->remote, remote_of(set)->set, &missed) < 0 ||
	    missed.event >= set->list->counted.n)
		return 0;
	*worst = missed_wrap(&missed);
	worst->event = unc_owner(&set->list->counted, worst->event);
	return (int)missed.is;
}

/* ---- stop ---- */

static void keep_times(struct unc_list *list, const struct unc_wire_window *windows)
{
	for (size_t e = 0; windows && e < list->counted.n; e++) {
		atomic_store(&list->zero[e], (uint64_t)windows[e].count);
		atomic_store(&list->zero_time[e], windows[e].running);
		atomic_store(&list->noise[e], windows[e].error);
	}
}

/* Without an answer the counts remain those of the last read. */
static int daemon_stop(struct uncore_set *set, bool anyway)
{
	const unsigned epoch = atomic_load(&set->epoch);
	struct unc_list *list = set->list;
	struct unc_wire_samples samples = {.n = 0};
	struct unc_remote_last last = {
		.counts = list->scratch,
		.windows = list->interval ? list->windows : NULL,
		.n = list->counted.n,
		.enabled = unc_last_enabled(set, epoch),
		.samples = &samples,
	};
	struct uncore_missed_wrap worst;
	int r;

	(void)anyway; /* this backend does not wait */
	memset(list->scratch, 0, last.n * sizeof(*list->scratch));
	if (last.windows)
		memset(last.windows, 0, last.n * sizeof(*last.windows));
	r = unc_remote_stop(set->u->remote, remote_of(set)->set, &last, &set->u->err);
	unc_external_end(set, last.enabled);
	worst = missed_wrap(&last.missed);
	worst.event = worst.event < last.n ? worst.event : 0;
	unc_note_missed_wrap(list, last.missed.is, &worst);
	take_stops(set, &samples);
	atomic_store(&set->epoch, epoch + 1);
	keep_times(list, last.windows);
	return r;
}

static int daemon_check(struct uncore_set *set, unsigned epoch)
{
	(void)epoch;
	return unc_remote_ask(set->u->remote, UNC_WIRE_CHECK, remote_of(set)->set, NULL,
			      &set->u->err);
}

const struct unc_backend unc_backend_daemon = {
	.pages = true,
	.multiplexed = &unc_backend_daemon,
	.start = daemon_start,
	.stop = daemon_stop,
	.sum = daemon_sum,
	.check = daemon_check,
	.times = daemon_times,
	.missed_wrap = daemon_missed_wrap,
	.look = daemon_look,
	.rearm = daemon_rearm,
	.rounds = daemon_rounds,
	.free = free,
};
