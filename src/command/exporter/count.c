/* SPDX-License-Identifier: BSD-3-Clause */
/* count.c - start, read and restart the exporter's events; report events that are refused. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/gain.h"
#include "command/base/text.h"
#include "command/exporter/exports.h"
#include "command/exporter/owners.h"

void report_message(const struct listener *listener, const char *format, ...)
{
	va_list args;
	char *text;

	if (!listener->report)
		return;
	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	listener->report(listener->context, text);
	free(text);
}

static void report_error(const struct exports *e, const char *what)
{
	char text[UNCORE_ERRMSG_MAX];

	report_message(&e->listener, "%s: %s", what, uncore_errmsg(e->u, text, sizeof(text)));
}

/* ---- what can be counted ---- */

static void report_state(struct exports *e, size_t i)
{
	const struct basket_part *state = &e->basket.parts[i];
	struct part *p = &e->parts[i];

	if (state->reason &&
	    (!p->reported_reason || strcmp(p->reported_reason, state->reason) != 0))
		report_message(&e->listener, "%s is not counted: %s", p->what, state->reason);
	if (!state->reason && p->reported_reason)
		report_message(&e->listener, "%s is now counted", p->what);
	free(p->reported_reason);
	p->reported_reason = state->reason ? text_of("%s", state->reason) : NULL;
	p->share = state->up;
}

static void start_unit(struct exports *e, size_t unit)
{
	basket_start(&e->basket, unit);
	e->times[unit].since = seconds_now();
	for (size_t i = 0; i < e->n_parts; i++)
		if (e->basket.parts[i].unit == unit)
			report_state(e, i);
}

static void report_warnings(struct exports *e)
{
	const char *warning;

	for (; uncore_warning(e->u, e->warned, &warning) == 1; e->warned++)
		report_message(&e->listener, "%s", warning);
}

size_t exports_start(struct exports *e)
{
	size_t up = 0;

	for (size_t i = 0; i < e->basket.n_units; i++)
		start_unit(e, i);
	report_warnings(e);
	e->next_look = seconds_now() + RETRY_SECONDS;
	for (size_t i = 0; i < e->n_parts; i++)
		up += e->basket.parts[i].up;
	return up;
}

/* Keep the counts so far. */
static void restart(struct exports *e, size_t unit)
{
	basket_end(&e->basket.units[unit]);
	for (size_t i = 0; i < e->n_series; i++)
		if (e->basket.parts[e->basket.events[i].part].unit == unit)
			e->series[i].carried = e->series[i].value;
	e->restarts++;
	start_unit(e, unit);
	report_warnings(e);
}

/* ---- reading ---- */

/* Differences of counters read at different times may decrease; a series must not. */
static void take_count(struct series *s, int64_t count)
{
	if (s->divisor != 1)
		count = (int64_t)((double)count / s->divisor);
	if (s->carried + count > s->value)
		s->value = s->carried + count;
}

static struct part *part_of(const struct exports *e, const struct basket_set *counted, size_t i)
{
	return &e->parts[e->basket.events[counted->events[i]].part];
}

/* A multiplexed event has a count of 0 before its first window: it is unknown. */
static bool is_counted(const struct basket_set *counted, size_t i, bool timed)
{
	return !counted->multiplexed || counted->values[i] ||
	       (timed && counted->times[i].running_ns && !has_no_window(&counted->times[i]));
}

/* timed: the set's times are of this read. */
static void take(struct exports *e, const struct basket_set *counted, bool timed)
{
	for (size_t i = 0; i < counted->n; i++) {
		struct series *s = &e->series[counted->events[i]];

		if (!s->known && !is_counted(counted, i, timed))
			continue;
		if (e->families[s->family].family.kind == FAMILY_GAUGE)
			s->value = counted->values[i];
		else
			take_count(s, counted->values[i]);
		s->known = true;
	}
}

static void take_shares(struct exports *e, const struct basket_set *counted)
{
	for (size_t i = 0; i < counted->n; i++)
		part_of(e, counted, i)->share = 1;
	for (size_t i = 0; i < counted->n; i++) {
		const struct uncore_times *t = &counted->times[i];
		struct part *p = part_of(e, counted, i);

		p->share = fmin(p->share,
				t->enabled_ns ? (double)t->running_ns / (double)t->enabled_ns : 0);
	}
}

static int read_unit(struct exports *e, size_t unit)
{
	struct unit_times *t = &e->times[unit];
	const double at = seconds_now();
	const bool shares = at - t->since <= SHARE_SECONDS || at - t->shared >= SHARE_SECONDS;

	for (size_t i = 0; i < 2; i++) {
		struct basket_set *counted = &e->basket.units[unit].sets[i];
		const int code = basket_read(counted);
		bool timed;

		if (code < 0)
			return code;
		timed = shares && counted->multiplexed && basket_times(counted) == 0;
		take(e, counted, timed);
		if (timed)
			take_shares(e, counted);
	}
	t->shared = shares ? at : t->shared;
	return 0;
}

static void read_owners(struct exports *e)
{
	char *news;

	owners_export_read(e->owners);
	news = owners_export_news(e->owners);
	if (news)
		report_message(&e->listener, "%s", news);
	free(news);
}

void exports_read(struct exports *e)
{
	const double begin = seconds_now();

	for (size_t i = 0; i < e->basket.n_units; i++) {
		if (read_unit(e, i) == 0)
			continue;
		report_error(e, "cannot read counts, counting restarts");
		e->failed_reads++;
		restart(e, i);
		read_unit(e, i);
	}
	if (e->owners)
		read_owners(e);
	e->read_seconds = seconds_now() - begin;
}

/* ---- events without a set ---- */

/* This can change later, unlike an event that does not fit with the others. */
static bool is_others_doing(const struct basket_part *p)
{
	return !p->up && p->code != UNCORE_ECONFLICT && p->code != UNCORE_EINVAL;
}

/* A part may be refused only because of events already counted here: try it without them. */
static bool is_missed(struct exports *e, size_t unit)
{
	bool missed = false;

	for (size_t i = 0; i < e->n_parts; i++) {
		const struct basket_part *p = &e->basket.parts[i];
		int code;

		if (p->unit != unit || !is_others_doing(p))
			continue;
		code = basket_try(&e->basket, i);
		missed |= code == 0 || code == UNCORE_ECONFLICT;
		report_state(e, i);
	}
	return missed;
}

static void look_at_unit(struct exports *e, size_t unit)
{
	if (basket_check(&e->basket.units[unit]) < 0)
		report_error(e, "counting restarts");
	else if (is_missed(e, unit))
		read_unit(e, unit);
	else
		return;
	restart(e, unit);
}

double exports_wait(const struct exports *e)
{
	return fmax(e->next_look - seconds_now(), 0);
}

void exports_look(struct exports *e)
{
	if (exports_wait(e) > 0)
		return;
	for (size_t i = 0; i < e->basket.n_units; i++)
		look_at_unit(e, i);
	if (e->owners)
		owners_export_look(e->owners);
	e->next_look = seconds_now() + RETRY_SECONDS;
}
