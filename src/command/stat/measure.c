/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.c - see measure.h. */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "command/base/clock.h"
#include "command/base/gain.h"
#include "pictures.h"

/* ---- intervals ---- */

/* The set keeps ownership of the arrays. */
static int read_set(struct session *s, struct basket_set *counted)
{
	int code = basket_read(counted);

	if (code == 0 && s->counts.multiplexed)
		code = basket_times(counted);
	s->now.ns = counted->ns;
	s->now.values = counted->values;
	s->now.times = s->counts.multiplexed ? counted->times : NULL;
	return code;
}

static void subtract_times(struct uncore_times *difference, const struct uncore_times *now,
			   const struct uncore_times *before)
{
	difference->enabled_ns = now->enabled_ns - before->enabled_ns;
	difference->running_ns = now->running_ns - before->running_ns;
	difference->count = now->count - before->count;
	difference->error = UNCORE_ERROR_UNKNOWN;
}

static bool is_real(const struct session *s, size_t i)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	return uncore_event_info(s->counts.u, s->wanted->basket.events[i].id, &info) == 0 &&
	       info.real;
}

/* Nothing of the time in which a mean was counted is known to be of the interval. */
static void take_mean(const struct reading *interval, size_t i, const struct uncore_times *now,
		      const struct uncore_times *before)
{
	struct uncore_times *times = &interval->times[i];

	if (is_of_earlier_time(before, now)) {
		times->running_ns = 0;
		times->error = UNCORE_ERROR_NO_WINDOW;
	} else
		times->error =
			error_of_mean(before, now, interval->ns, uncore_real(interval->values[i]));
}

static void take_value(const struct session *s, size_t i)
{
	const struct reading *now = &s->now, *before = &s->before;
	const struct reading *interval = &s->interval;
	struct uncore_times *times = &interval->times[i];
	const int64_t all = now->values[i] - (s->intervals.set ? 0 : before->values[i]);
	double gain;

	interval->values[i] = all;
	if (!now->times)
		return;
	subtract_times(times, &now->times[i], &before->times[i]);
	if (is_real(s, i)) {
		take_mean(interval, i, &now->times[i], &before->times[i]);
		return;
	}
	gain = gain_of_interval(&before->times[i], &now->times[i], (double)all, interval->ns);
	interval->values[i] = (int64_t)gain;
	times->error = error_of_interval(&before->times[i], &now->times[i], interval->ns);
	if (times->error > 0)
		times->error *= gain;
}

/* A reset clears counts and their time, but not uncore_times. */
static void take_difference(struct session *s)
{
	struct reading *now = &s->now, *before = &s->before, *interval = &s->interval;
	const size_t n = s->wanted->basket.n_events;

	interval->ns = now->ns - (s->intervals.set ? 0 : before->ns);
	interval->seconds = (double)interval->ns * 1e-9;
	interval->at = before->at + interval->seconds;
	for (size_t i = 0; i < n; i++)
		take_value(s, i);
	memcpy(before->values, now->values, n * sizeof(*now->values));
	if (now->times)
		memcpy(before->times, now->times, n * sizeof(*now->times));
	before->at = interval->at;
	before->ns = now->ns;
}

/* After a failure the counts are unchanged, and become part of the next interval. */
static int read_interval(struct session *s)
{
	int code;

	s->now.at = seconds_now() - s->begin;
	code = read_set(s, s->intervals.set ? &s->intervals : &s->counted);
	if (code < 0)
		return code;
	take_difference(s);
	return s->intervals.set ? uncore_set_reset(s->intervals.set) : 0;
}

static void end_interval(struct session *s, bool printed)
{
	const int code = read_interval(s);

	if (code < 0) {
		say("no counts at %.3f s, the next interval includes them:", s->now.at);
		s->failed = report(s->counts.u, code);
		return;
	}
	show_interval(s, printed);
	if (wants_roofline(s->request) && !s->request->share) {
		const struct roofline_part part = part_of_reading(s, &s->interval);

		roofline_interval(&s->roofline, &part);
	}
}

/* ---- waiting ---- */

static bool is_time_over(const struct session *s)
{
	return s->request->duration > 0 && seconds_now() - s->begin >= s->request->duration;
}

/* A command keeps running without a reader of its counts; counting without a command ends. */
static bool is_over(const struct session *s)
{
	if (process_is_over(s->process) || unc_has_ended(s->other))
		return true;
	return !s->request->command && (s->broken || is_time_over(s));
}

#define LOOK_EVERY 0.001 /* seconds between polls, unless hardware stops the set */
#define LOOK_PID   0.01

static bool has_stopped(const struct session *s)
{
	return s->wanted->stop_after.n && uncore_set_wait(s->counted.set, 0) != 0;
}

/* The time of the next action, in seconds since the start; next: end of the interval. */
static double next_look(const struct session *s, double t, double next)
{
	const double duration = s->request->duration;

	next = fmin(next, progress_next(&s->progress, t));
	if (duration > t)
		next = fmin(next, duration);
	if (s->wanted->stop_after.n)
		next = fmin(next, t + LOOK_EVERY);
	if (s->other >= 0)
		next = fmin(next, t + LOOK_PID);
	return next;
}

/* The last interval ends with the run, so it does not end at the duration as well. */
static bool is_last(const struct session *s, double t, double next)
{
	const double duration = s->request->duration;

	if (duration <= 0)
		return false;
	return fabs(next - duration) < 1e-6 || (!s->request->command && t >= duration);
}

/* next: end of the interval; returns that of the following one if it is over. */
static double end_due_interval(struct session *s, double t, double next)
{
	const double interval = (double)s->request->interval_ms / 1000;

	if (t < next)
		return next;
	if (!is_last(s, t, next))
		end_interval(s, !s->request->quiet);
	return next + interval * (floor((t - next) / interval) + 1);
}

static void wait_for_end(struct session *s)
{
	double next = s->request->interval_ms ? (double)s->request->interval_ms / 1000 : INFINITY;

	do {
		const double t = seconds_now() - s->begin;
		double look;

		next = end_due_interval(s, t, next);
		if (is_time_over(s))
			process_stop(s->process);
		progress_show(&s->progress, t);
		look = next_look(s, t, next);
		process_wait(s->process, isinf(look) ? -1 : fmax(look - t, 0));
	} while (!has_stopped(s) && !is_over(s));
	progress_erase(&s->progress);
}

/* ---- one run ---- */

/* The only sign of missed wraps, after a run without wrap poller or a stopped process. */
static void warn_of_missed_wrap(const struct session *s)
{
	struct uncore_missed_wrap missed_wrap = {.size = sizeof(missed_wrap)};
	char text[UNCORE_ERRMSG_MAX];

	if (uncore_set_missed_wrap(s->counted.set, &missed_wrap) == 1)
		say("warning: %s",
		    uncore_missed_wrap_text(s->counted.set, &missed_wrap, text, sizeof(text)));
}

/*
 * Report zeros of events that another process counts, and simulated counts.  With uncored, only a
 * running set reports whether it is multiplexed.
 */
static void look_at_set(struct session *s)
{
	struct uncore_set_info info = {.size = sizeof(info)};
	const size_t n = s->wanted->basket.n_events;

	if (uncore_set_info(s->counted.set, &info) < 0)
		return;
	s->counts.multiplexed = info.rounds != 1;
	if (s->counts.multiplexed) {
		s->before.times = need_memory(n, sizeof(*s->before.times));
		s->interval.times = need_memory(n, sizeof(*s->interval.times));
	}
	if (s->request->separator && s->counts.machine.simulated)
		say("SIMULATED: counts do not describe a real machine");
	if (s->wanted->unasked && s->counts.multiplexed)
		say("not enough counters for all metrics: multiplexing, counts are estimates "
		    "(set the window with --multiplex=MS)");
	if (s->wanted->widened && s->counts.multiplexed)
		say("multiplexing in windows of %u ms instead of %u ms because no processor is "
		    "idle (set the window with --multiplex=MS)",
		    s->wanted->multiplex_us / 1000, UNCORE_MULTIPLEX_US / 1000);
	if (info.elsewhere)
		say("%u of %u events read 0 because another process of this user, or rank of "
		    "this job, counts them (UNCORE_SHARE): see `uncore show`",
		    info.elsewhere, info.events);
}

/* The counts are taken before the registers are restored: stop keeps them. */
static int stop(struct session *s)
{
	int code = uncore_set_stop(s->counted.set);

	if (code == 0)
		code = read_set(s, &s->counted);
	if (code < 0)
		return report(s->counts.u, code);
	s->now.at = s->now.seconds = (double)s->now.ns * 1e-9;
	warn_of_missed_wrap(s);
	return TOOL_OK;
}

/* The command inherits the monitoring group of this thread. */
static int spawn(struct session *s)
{
	int status = wants_roofline(s->request) ? roofline_start(&s->roofline) : TOOL_OK;

	if (status != TOOL_OK)
		return status;
	if (!s->request->share)
		return process_spawn(s->process, s->request->command);
	status = begin_share(&s->share, s->counts.u);
	if (status == TOOL_OK)
		status = enter_share(&s->share);
	if (status != TOOL_OK)
		return status;
	status = process_spawn(s->process, s->request->command);
	leave_share(&s->share);
	return status;
}

/* The bytes are the command's where they are known.  The counts are shown in any case. */
static int end_roofline(struct session *s)
{
	struct roofline_part part = part_of_reading(s, &s->now);
	int status;

	if (s->counts.share) {
		part.reads *= s->share.bytes / part.bytes;
		part.bytes = s->share.bytes;
		s->roofline.of_program = true;
	}
	status = roofline_stop(&s->roofline, &part);
	s->failed = s->failed ? s->failed : status;
	return TOOL_OK;
}

static int count_run(struct session *s, bool first)
{
	struct uncore *u = s->counts.u;
	int status = TOOL_OK, code = uncore_set_start(s->counted.set);

	if (code == 0 && s->intervals.set)
		code = uncore_set_start(s->intervals.set);
	report_warnings(u, &s->reported);
	if (code < 0)
		return report(u, code);
	if (first) {
		look_at_set(s);
		show_heading(s);
	}
	s->begin = seconds_now();
	if (s->request->command)
		status = spawn(s);
	if (status != TOOL_OK)
		return status;
	wait_for_end(s);
	if (s->request->interval_ms)
		end_interval(s, !s->request->quiet);
	if (s->share.up)
		status = end_share(&s->share);
	s->counts.share = s->share.up && status == TOOL_OK ? &s->share : NULL;
	s->failed = s->failed ? s->failed : status;
	status = stop(s);
	return status == TOOL_OK && wants_roofline(s->request) ? end_roofline(s) : status;
}

/* ---- several runs ---- */

/* Also after Ctrl-C, which may have ended only the command. */
static bool is_interrupted(const struct session *s)
{
	return s->process->signal || s->process->typed;
}

/* Means do not include an interrupted run. */
static int measure_runs(struct session *s)
{
	const unsigned wanted = s->request->repeat;
	int status = TOOL_OK, first_failed = TOOL_OK;
	unsigned runs = 0;

	for (; runs < wanted && !s->broken; runs++) {
		s->progress.run = runs + 1;
		status = count_run(s, runs == 0);
		if (status != TOOL_OK || is_interrupted(s))
			break;
		process_finish(s->process);
		first_failed = first_failed ? first_failed : s->process->status;
		add_run(s, runs + 1);
	}
	if (runs > 0 && runs < wanted)
		say("measured %u of %u runs", runs, wanted);
	if (runs > 0)
		show_means(s, runs);
	else if (status == TOOL_OK)
		show_total(s);
	process_finish(s->process);
	if (first_failed || status)
		return first_failed ? first_failed : status;
	return s->process->status ? s->process->status : s->failed;
}

/* The set begins at zero again. */
static void begin_again(struct session *s)
{
	const size_t n = s->wanted->basket.n_events;

	memset(s->before.values, 0, n * sizeof(*s->before.values));
	if (s->before.times)
		memset(s->before.times, 0, n * sizeof(*s->before.times));
	s->before.at = 0;
	s->before.ns = 0;
}

/* The rest of the events of a roofline, in another run. */
static int measure_rest(struct session *s)
{
	int status = TOOL_OK;

	while (status == TOOL_OK && !s->failed && !is_interrupted(s) &&
	       ++s->roofline.run < s->roofline.runs) {
		process_finish(s->process);
		begin_again(s);
		status = count_run(s, false);
	}
	if (s->roofline.counted) {
		roofline_judge(&s->roofline, s->counts.u);
		s->counts.roofline = &s->roofline;
	}
	return status;
}

static int measure_run(struct session *s)
{
	int status = count_run(s, true);

	if (status == TOOL_OK && wants_roofline(s->request))
		status = measure_rest(s);
	if (status == TOOL_OK)
		show_total(s);
	process_finish(s->process);
	if (s->process->status || status)
		return s->process->status ? s->process->status : status;
	return s->failed;
}

/* ---- sets ---- */

static bool any_real(const struct session *s)
{
	for (size_t i = 0; i < s->wanted->basket.n_events; i++)
		if (is_real(s, i))
			return true;
	return false;
}

static int make_sets(struct session *s)
{
	const struct wanted *w = s->wanted;
	int code = basket_assign(&w->basket, &s->counted, w->multiplex_us);

	if (code == 0 && w->stop_after.n)
		code = set_stop_after(s->counted.set, &w->stop_after);
	if (code == 0 && s->request->interval_ms && any_real(s))
		code = basket_assign(&w->basket, &s->intervals, w->multiplex_us);
	s->counts.set = w->stop_after.n ? s->counted.set : NULL;
	return code;
}

/* ---- entry point ---- */

static struct reading new_reading(const struct session *s)
{
	return (struct reading){.values = need_memory(s->wanted->basket.n_events, sizeof(int64_t))};
}

static void free_reading(struct reading *r)
{
	free(r->values);
	free(r->times);
}

void begin_measuring(struct session *s)
{
	s->before = new_reading(s);
	s->interval = new_reading(s);
	s->results = need_memory(s->wanted->n_rows, sizeof(*s->results));
	s->totals = need_memory(s->wanted->n_rows, sizeof(*s->totals));
	begin_pictures(&s->record, s->request, &s->counts);
}

int measure(struct session *s)
{
	const char *warning;
	int code, status;

	while (uncore_warning(s->counts.u, s->reported, &warning) == 1)
		s->reported++;
	process_begin(s->process);
	code = make_sets(s);
	if (code < 0)
		return report(s->counts.u, code);
	if (wants_roofline(s->request)) {
		memcpy(s->roofline.precision, s->request->roofline, sizeof(s->roofline.precision));
		status = roofline_prepare(&s->roofline, s->counts.u);
		if (status != TOOL_OK)
			return status;
	}
	return s->request->repeat > 1 ? measure_runs(s) : measure_run(s);
}

void end_measuring(struct session *s)
{
	basket_end_set(&s->intervals);
	basket_end_set(&s->counted);
	free_reading(&s->before);
	free_reading(&s->interval);
	draw_free(&s->record);
	forget_share(&s->share);
	roofline_free(&s->roofline);
	free(s->results);
	free(s->totals);
}
