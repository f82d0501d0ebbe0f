/* SPDX-License-Identifier: BSD-3-Clause */
/* count.c - the sets that count what is exported: one for counters, one for gauges. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/base/text.h"
#include "command/exporter/own.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void tell(const struct listener *listener, const char *format, ...)
{
	va_list args;
	char *text;

	if (!listener->tell)
		return;
	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	listener->tell(listener->context, text);
	free(text);
}

static void tell_error(const struct exports *e, const char *what)
{
	char text[UNCORE_ERRMSG_MAX];

	tell(&e->listener, "%s: %s", what, uncore_errmsg(e->u, text, sizeof(text)));
}

/* ---- a set ---- */

/* The series of chosen parts: those of events, of metrics, or of both. */
static void list_series(const struct exports *e, struct counting *c, const bool *chosen,
			bool events, bool metrics)
{
	c->series = need_memory(e->n_series, sizeof(*c->series));
	for (size_t i = 0; i < e->n_series; i++) {
		const size_t part = e->series[i].part;

		if (chosen[part] && (e->parts[part].events ? events : metrics))
			c->series[c->n++] = i;
	}
}

/* The library's numbers of groups are at most that of the events. */
static int assign(const struct exports *e, const struct counting *c)
{
	unsigned *ids = need_memory(c->n, sizeof(*ids));
	unsigned *groups = need_memory(c->n, sizeof(*groups));
	unsigned *numbers = need_memory(e->windows + 1, sizeof(*numbers)), last = 0;
	int code;

	for (size_t i = 0; i < c->n; i++) {
		const struct series *s = &e->series[c->series[i]];

		if (s->window && !numbers[s->window])
			numbers[s->window] = ++last;
		ids[i] = s->id;
		groups[i] = numbers[s->window];
	}
	code = uncore_set_assign_groups(c->set, ids, groups, c->n);
	free(numbers);
	free(groups);
	free(ids);
	return code;
}

/* 0, also if there is nothing in the list, or why these series cannot be counted together. */
static int start_set(const struct exports *e, struct counting *c)
{
	struct uncore_set_info info = {.size = sizeof(info)};
	int code;

	if (c->n == 0)
		return 0;
	c->values = need_memory(c->n, sizeof(*c->values));
	c->times = need_memory(c->n, sizeof(*c->times));
	c->times->size = sizeof(*c->times);
	code = uncore_set_create(e->u, &c->set);
	if (code == 0 && !e->parts[e->series[*c->series].part].gauges)
		code = uncore_set_multiplex(c->set, e->window_us);
	if (code == 0)
		code = assign(e, c);
	if (code == 0)
		code = uncore_set_start(c->set);
	if (code == 0)
		code = uncore_set_info(c->set, &info);
	c->in_turns = info.rounds != 1;
	c->since = now();
	return code;
}

/* What the stop has to tell was told by a read or a look before. */
static void finish_set(struct counting *c)
{
	uncore_set_destroy(c->set);
	free(c->series);
	free(c->values);
	free(c->times);
	*c = (struct counting){.set = NULL};
}

static void finish(struct unit *unit)
{
	finish_set(&unit->events);
	finish_set(&unit->others);
}

/* Events that are apart come first: what takes turns is planned around what counts. */
static int start(const struct exports *e, struct unit *unit, const bool *chosen)
{
	int code;

	list_series(e, &unit->events, chosen, unit->apart, false);
	list_series(e, &unit->others, chosen, !unit->apart, true);
	code = start_set(e, &unit->events);
	if (code == 0)
		code = start_set(e, &unit->others);
	if (code < 0)
		finish(unit);
	return code;
}

/* ---- what can be counted ---- */

static void set_down(struct exports *e, size_t i, int code)
{
	struct part *p = &e->parts[i];
	char text[UNCORE_ERRMSG_MAX];

	p->up = false;
	p->code = code;
	p->share = 0;
	uncore_errmsg(e->u, text, sizeof(text));
	if (!p->reason || strcmp(p->reason, text) != 0)
		tell(&e->listener, "%s is not counted: %s", p->what, text);
	free(p->reason);
	p->reason = text_of("%s", text);
}

static void set_up(struct exports *e, size_t i)
{
	struct part *p = &e->parts[i];

	if (p->reason)
		tell(&e->listener, "%s is counted now", p->what);
	free(p->reason);
	p->reason = NULL;
	p->up = true;
	p->code = 0;
	p->share = 1;
}

/* One part alone, and only to see what comes of it. */
static int try_part(const struct exports *e, size_t i)
{
	bool *chosen = need_memory(e->n_parts, sizeof(*chosen));
	struct unit unit = {.apart = false};
	int code;

	chosen[i] = true;
	code = start(e, &unit, chosen);
	finish(&unit);
	free(chosen);
	return code;
}

/* One more, unless it is refused, or has no room beside those that are chosen. */
static void try_more(struct exports *e, struct unit *unit, bool *chosen, size_t i)
{
	int code;

	chosen[i] = true;
	code = start(e, unit, chosen);
	if (code < 0) {
		chosen[i] = false;
		set_down(e, i, code);
	}
	finish(unit);
}

/* Those that can be counted; who names an event prefers it to metrics. */
static void choose(struct exports *e, size_t number, bool *chosen)
{
	memset(chosen, 0, e->n_parts * sizeof(*chosen));
	for (int events = 1; events >= 0; events--)
		for (size_t i = 0; i < e->n_parts; i++)
			if (e->parts[i].unit == number && e->parts[i].events == events)
				try_more(e, &e->units[number], chosen, i);
}

static void set_chosen(struct exports *e, const bool *chosen, int code)
{
	for (size_t i = 0; i < e->n_parts; i++)
		if (chosen[i] && code == 0)
			set_up(e, i);
		else if (chosen[i])
			set_down(e, i, code);
}

/* All of a unit, or all of it that can be counted. */
static void start_unit(struct exports *e, size_t number)
{
	struct unit *unit = &e->units[number];
	bool *chosen = need_memory(e->n_parts, sizeof(*chosen));
	int code;

	for (size_t i = 0; i < e->n_parts; i++)
		chosen[i] = e->parts[i].unit == number;
	code = start(e, unit, chosen);
	if (code == UNCORE_EINVAL && !unit->apart) { /* more than a set with metrics can hold */
		unit->apart = true;
		code = start(e, unit, chosen);
	}
	if (code < 0) {
		choose(e, number, chosen);
		code = start(e, unit, chosen);
	}
	set_chosen(e, chosen, code);
	free(chosen);
}

static void tell_warnings(struct exports *e)
{
	const char *warning;

	for (; uncore_warning(e->u, e->warned, &warning) == 1; e->warned++)
		tell(&e->listener, "%s", warning);
}

size_t exports_start(struct exports *e)
{
	size_t up = 0;

	for (size_t i = 0; i < e->n_units; i++)
		start_unit(e, i);
	tell_warnings(e);
	e->next_look = now() + RETRY_SECONDS;
	for (size_t i = 0; i < e->n_parts; i++)
		up += e->parts[i].up;
	return up;
}

void exports_stop(struct exports *e)
{
	for (size_t i = 0; i < e->n_units; i++)
		finish(&e->units[i]);
}

/* What was counted stays. */
static void restart(struct exports *e, size_t unit)
{
	finish(&e->units[unit]);
	for (size_t i = 0; i < e->n_series; i++)
		if (e->parts[e->series[i].part].unit == unit && !e->parts[e->series[i].part].gauges)
			e->series[i].carried = e->series[i].value;
	e->restarts++;
	start_unit(e, unit);
	tell_warnings(e);
}

/* ---- reading ---- */

/* Differences of counters that are not read at the same moment may shrink; a series never does. */
static void take_count(struct series *s, int64_t count)
{
	if (s->divisor != 1)
		count = (int64_t)((double)count / s->divisor);
	if (s->carried + count > s->value)
		s->value = s->carried + count;
}

static void take(struct exports *e, const struct counting *c)
{
	for (size_t i = 0; i < c->n; i++) {
		struct series *s = &e->series[c->series[i]];

		if (e->parts[s->part].gauges)
			s->value = c->values[i];
		else
			take_count(s, c->values[i]);
		s->known = true;
	}
}

static void take_shares(struct exports *e, struct counting *c)
{
	const double at = now();

	if (!c->in_turns || (at - c->since > SHARE_SECONDS && at - c->shared < SHARE_SECONDS) ||
	    uncore_set_times(c->set, c->times) < 0)
		return;
	c->shared = at;
	for (size_t i = 0; i < c->n; i++)
		e->parts[e->series[c->series[i]].part].share = 1;
	for (size_t i = 0; i < c->n; i++) {
		const struct uncore_times *t = &c->times[i];
		struct part *p = &e->parts[e->series[c->series[i]].part];

		p->share = fmin(p->share,
				t->enabled_ns ? (double)t->running_ns / (double)t->enabled_ns : 0);
	}
}

static int read_set(struct exports *e, struct counting *c)
{
	const int code = c->set ? uncore_set_read(c->set, c->values) : 0;

	if (code == 0) {
		take(e, c);
		take_shares(e, c);
	}
	return code;
}

static int read_unit(struct exports *e, struct unit *unit)
{
	const int code = read_set(e, &unit->events);

	return code < 0 ? code : read_set(e, &unit->others);
}

void exports_read(struct exports *e)
{
	const double begin = now();

	for (size_t i = 0; i < e->n_units; i++) {
		if (read_unit(e, &e->units[i]) == 0)
			continue;
		tell_error(e, "counts could not be read, and counting begins again");
		e->failed_reads++;
		restart(e, i);
		read_unit(e, &e->units[i]);
	}
	e->read_seconds = now() - begin;
}

/* ---- looking ---- */

/* It may change: not what has no room beside the rest. */
static bool is_others_doing(const struct part *p)
{
	return !p->up && p->code != UNCORE_ECONFLICT && p->code != UNCORE_EINVAL;
}

/* A part may be refused only for what counts here already: that is seen without it. */
static bool is_missed(struct exports *e, size_t unit)
{
	bool missed = false;

	for (size_t i = 0; i < e->n_parts; i++) {
		int code;

		if (e->parts[i].unit != unit || !is_others_doing(&e->parts[i]))
			continue;
		code = try_part(e, i);
		missed |= code == 0 || code == UNCORE_ECONFLICT;
		if (code < 0 && code != UNCORE_ECONFLICT)
			set_down(e, i, code);
	}
	return missed;
}

static int check(const struct unit *unit)
{
	const int code = unit->events.set ? uncore_set_check(unit->events.set) : 0;

	return code < 0 || !unit->others.set ? code : uncore_set_check(unit->others.set);
}

static void look_at_unit(struct exports *e, size_t number)
{
	struct unit *unit = &e->units[number];

	if (check(unit) < 0)
		tell_error(e, "counting begins again");
	else if (is_missed(e, number))
		read_unit(e, unit);
	else
		return;
	restart(e, number);
}

double exports_wait(const struct exports *e)
{
	return fmax(e->next_look - now(), 0);
}

void exports_look(struct exports *e)
{
	if (exports_wait(e) > 0)
		return;
	for (size_t i = 0; i < e->n_units; i++)
		look_at_unit(e, i);
	e->next_look = now() + RETRY_SECONDS;
}
