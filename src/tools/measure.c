/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - see measure.h. */
#include "measure.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* After a failure the counts are those of before, and part of the next interval. */
static int read_interval(struct session *s)
{
	const int code = uncore_set_read(s->intervals ? s->intervals : s->set, s->now);

	for (size_t i = 0; i < s->counts.n; i++)
		s->delta[i] = s->intervals ? s->now[i] : s->now[i] - s->before[i];
	if (code < 0)
		return code;
	memcpy(s->before, s->now, s->counts.n * sizeof(*s->now));
	return s->intervals ? uncore_set_reset(s->intervals) : 0;
}

/* What is written is looked at once for each interval; the message comes once. */
static void look_at_output(struct session *s)
{
	const struct request *r = s->request;
	const char *name = r->file ? r->file : r->command ? "standard error" : "standard output";

	if (!s->broken)
		s->broken = flush_output(s->counts.screen.out, name) != TOOL_OK;
	if (s->broken)
		s->failed = TOOL_FAILED;
}

static void show_interval(struct session *s)
{
	const double t = seconds_now() - s->begin;
	const int code = read_interval(s);

	if (code < 0) {
		say("at %.3f s there are no counts, the next ones have them:", t);
		s->failed = report(s->counts.u, code);
		return;
	}
	if (s->request->json)
		print_counts_json(&s->counts, s->delta, t, true);
	else
		print_interval(&s->counts, s->delta, t);
	look_at_output(s);
}

static bool has_ended(int process)
{
	struct pollfd at = {.fd = process, .events = POLLIN};

	return process >= 0 && poll(&at, 1, 0) > 0;
}

/* A command goes on without a reader of its counts; what only counts does not. */
static bool is_over(struct session *s)
{
	const struct request *r = s->request;

	if (process_is_over(s->process) || has_ended(s->other))
		return true;
	return !r->command &&
	       (s->broken || (r->duration > 0 && seconds_now() - s->begin >= r->duration));
}

#define LOOK_EVERY 0.001 /* seconds; hardware needs no looking, polling is as exact as this */
#define LOOK_PID   0.01

static bool has_stopped(struct session *s)
{
	return s->stop_after->n && uncore_set_wait(s->set, 0) != 0;
}

static void wait_for_end(struct session *s)
{
	const double interval = (double)s->request->interval_ms / 1000;
	double next = s->request->interval_ms ? interval : INFINITY;

	do {
		const double t = seconds_now() - s->begin;
		double end = s->request->duration > 0 ? s->request->duration : INFINITY;

		if (t >= next) {
			show_interval(s);
			next += interval * (floor((t - next) / interval) + 1);
		}
		end = fmin(end, next);
		if (s->stop_after->n)
			end = fmin(end, t + LOOK_EVERY);
		if (s->other >= 0)
			end = fmin(end, t + LOOK_PID);
		process_wait(s->process, isinf(end) ? -1 : fmax(end - t, 0));
	} while (!has_stopped(s) && !is_over(s));
}

/* Nothing else tells that wraps may be missing: no wrap poller, or a stopped process. */
static void warn_of_missed_wrap(const struct session *s)
{
	struct uncore_missed_wrap missed_wrap = {.size = sizeof(missed_wrap)};
	char text[UNCORE_ERRMSG_MAX];

	if (uncore_set_missed_wrap(s->set, &missed_wrap) == 1)
		say("warning: %s",
		    uncore_missed_wrap_text(s->set, &missed_wrap, text, sizeof(text)));
}

static int take_times(struct session *s)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	if (uncore_set_info(s->set, &info) < 0 || info.rounds == 1)
		return 0;
	s->counts.times = need_memory(s->counts.n, sizeof(*s->counts.times));
	s->counts.times->size = sizeof(*s->counts.times);
	return uncore_set_times(s->set, s->counts.times);
}

/* The counts are taken before the registers are restored: stop keeps them. */
static int finish(struct session *s)
{
	/* among lines for programs a total would pass for an interval */
	const bool intervals = s->request->separator && s->request->interval_ms;
	double t;
	int code;

	if (intervals)
		show_interval(s);
	code = uncore_set_stop(s->set);
	t = seconds_now() - s->begin;

	if (code == 0)
		code = uncore_set_read(s->set, s->now);
	if (code == 0)
		code = take_times(s);
	if (code < 0)
		return report(s->counts.u, code);
	warn_of_missed_wrap(s);
	if (s->request->json)
		print_counts_json(&s->counts, s->now, t, false);
	else if (!intervals)
		print_counts(&s->counts, s->now, t);
	look_at_output(s);
	return s->failed;
}

static bool any_real(const struct counts *c)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	for (size_t i = 0; i < c->n; i++)
		if (uncore_event_info(c->u, c->ids[i], &info) == 0 && info.real)
			return true;
	return false;
}

static int start(const struct session *s, struct uncore_set **set,
		 const struct stop_after *stop_after)
{
	int code = uncore_set_create(s->counts.u, set);

	if (code == 0)
		code = uncore_set_multiplex(*set, s->request->multiplex_us);
	if (code == 0)
		code = uncore_set_assign(*set, s->counts.ids, s->counts.n);
	if (code == 0 && stop_after->n)
		code = set_stop_after(*set, stop_after);
	return code == 0 ? uncore_set_start(*set) : code;
}

/* A 0 that is another process's count must not pass for one, nor simulated counts for real. */
static void look_at_set(struct session *s)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	if (uncore_set_info(s->set, &info) < 0)
		return;
	s->counts.in_turns = info.rounds != 1;
	if (s->request->separator && s->counts.machine.simulated)
		say("SIMULATED: these numbers describe no real machine");
	if (info.elsewhere)
		say("%u of %u events are counted by another process of this user and read 0 here "
		    "(UNCORE_SHARE=owner); `uncore show` names it",
		    info.elsewhere, info.events);
}

int measure(struct session *s)
{
	static const struct stop_after none;
	const struct stop_after *stop_after = s->stop_after;
	struct uncore *u = s->counts.u;
	const char *warning;
	unsigned told = 0;
	int status, ended, code;

	while (uncore_warning(u, told, &warning) == 1)
		told++;
	process_begin(s->process);
	code = start(s, &s->set, stop_after);
	s->counts.set = stop_after->n ? s->set : NULL;
	if (code == 0 && s->request->interval_ms && any_real(&s->counts))
		code = start(s, &s->intervals, &none);
	tell_warnings(u, &told);
	if (code < 0)
		return report(u, code);
	look_at_set(s);
	s->begin = seconds_now();
	status = s->request->command ? process_spawn(s->process, s->request->command) : TOOL_OK;
	if (status != TOOL_OK)
		return status;
	wait_for_end(s);
	ended = finish(s);
	process_finish(s->process);
	return s->process->status ? s->process->status : ended;
}

void end_measuring(struct session *s)
{
	uncore_set_destroy(s->intervals);
	uncore_set_destroy(s->set);
	free(s->counts.times);
}
