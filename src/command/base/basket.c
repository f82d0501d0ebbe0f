/* SPDX-License-Identifier: BSD-3-Clause */
/* basket.c - see basket.h. */
#include "command/base/basket.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/text.h"
#include "uncore_inspect.h"

/* ---- events ---- */

int events_fit(struct uncore *u, const unsigned *ids, size_t n)
{
	struct uncore_set *set = NULL;
	int code = uncore_set_create(u, &set);

	if (code == 0)
		code = uncore_set_assign(set, ids, n);
	uncore_set_destroy(set);
	return code;
}

int event_that_fits(struct uncore *u, unsigned *id, const char *format, ...)
{
	va_list args;
	char *name;
	int code;

	va_start(args, format);
	name = text_of_list(format, args);
	va_end(args);
	code = uncore_event(u, name, id);
	free(name);
	return code == 0 ? events_fit(u, id, 1) : code;
}

bool is_not_here(int code)
{
	return code == UNCORE_ENOEVENT || code == UNCORE_ENODEV || code == UNCORE_ECONFLICT;
}

/* ---- lists ---- */

static uint64_t monotonic(void *of)
{
	(void)of;
	return now_ns();
}

void basket_new(struct basket *b, struct uncore *u, size_t units, unsigned window_us)
{
	*b = (struct basket){.u = u, .n_units = units, .clock = {monotonic, NULL}};
	b->units = need_memory(units, sizeof(*b->units));
	for (size_t i = 0; i < units; i++)
		b->units[i].window_us = window_us;
}

size_t basket_add_part(struct basket *b, size_t unit)
{
	b->parts = need_more(b->parts, b->n_parts + 1, sizeof(*b->parts));
	b->parts[b->n_parts] = (struct basket_part){.unit = unit};
	return b->n_parts++;
}

size_t basket_add_event(struct basket *b, size_t part, unsigned id, unsigned window)
{
	b->events = need_more(b->events, b->n_events + 1, sizeof(*b->events));
	b->events[b->n_events] = (struct basket_event){id, part, window};
	if (part < b->n_parts)
		b->parts[part].n++;
	return b->n_events++;
}

void basket_free(struct basket *b)
{
	for (size_t i = 0; i < b->n_units; i++)
		basket_end(&b->units[i]);
	for (size_t i = 0; i < b->n_parts; i++)
		free(b->parts[i].reason);
	free(b->events);
	free(b->parts);
	free(b->units);
	*b = (struct basket){.u = NULL};
}

/* ---- windows ---- */

int basket_fits(const struct basket *b)
{
	struct basket_set s = {.set = NULL};
	const int code = basket_assign(b, &s, 0);

	basket_end_set(&s);
	return code;
}

static void split_window(struct basket *b, unsigned window, unsigned *last)
{
	unsigned *ids = need_memory(b->n_events, sizeof(*ids)), number = window;
	size_t n = 0;

	for (size_t i = 0; i < b->n_events; i++) {
		if (b->events[i].window != window)
			continue;
		ids[n++] = b->events[i].id;
		if (n > 1 && events_fit(b->u, ids, n) != 0) {
			ids[0] = b->events[i].id;
			n = 1;
			number = ++*last;
		}
		b->events[i].window = number;
	}
	free(ids);
}

void basket_split_windows(struct basket *b)
{
	unsigned n = 0, last;

	for (size_t i = 0; i < b->n_events; i++)
		n = b->events[i].window > n ? b->events[i].window : n;
	last = n;
	for (unsigned window = 1; window <= n; window++)
		split_window(b, window, &last);
}

/* ---- a set ---- */

/* The sets of a unit: of parts that are apart, and of the others, or of all. */
enum { APART, OTHERS };

static bool is_in_set(const struct basket_unit *unit, const struct basket_part *part, int which)
{
	return (unit->apart && part->apart ? APART : OTHERS) == which;
}

/* The events of chosen parts of that set of the unit; NULL: of all parts. */
static void list_events(const struct basket *b, struct basket_set *s, const bool *chosen,
			const struct basket_unit *unit, int which)
{
	s->events = need_memory(b->n_events, sizeof(*s->events));
	for (size_t i = 0; i < b->n_events; i++) {
		const size_t part = b->events[i].part;

		if (!chosen || (chosen[part] && is_in_set(unit, &b->parts[part], which)))
			s->events[s->n++] = i;
	}
}

/* Window numbers are limited by the number of events: use the position of the first event. */
static unsigned group_of(const struct basket *b, const struct basket_set *s, unsigned window)
{
	unsigned i = 0;

	while (window && b->events[s->events[i++]].window != window)
		;
	return i;
}

static int assign(const struct basket *b, const struct basket_set *s)
{
	unsigned *ids = need_memory(2 * s->n, sizeof(*ids)), *groups = ids + s->n;
	int code;

	for (size_t i = 0; i < s->n; i++) {
		ids[i] = b->events[s->events[i]].id;
		groups[i] = group_of(b, s, b->events[s->events[i]].window);
	}
	code = uncore_set_assign_groups(s->set, ids, groups, s->n);
	free(ids);
	return code;
}

static int make_set(const struct basket *b, struct basket_set *s, unsigned window_us)
{
	int code = uncore_set_create(b->u, &s->set);

	s->clock = b->clock;
	s->values = need_memory(s->n, sizeof(*s->values));
	s->gained = need_memory(s->n, sizeof(*s->gained));
	s->times = need_memory(s->n, sizeof(*s->times));
	if (code == 0)
		code = uncore_set_multiplex(s->set, window_us);
	return code == 0 ? assign(b, s) : code;
}

int basket_assign(const struct basket *b, struct basket_set *s, unsigned window_us)
{
	list_events(b, s, NULL, NULL, OTHERS);
	return make_set(b, s, window_us);
}

#define LONGEST_WINDOW  1e6  /* us, of an interval */
#define LONGEST_PAUSE   20e6 /* us, between switches */
#define SWITCH_ACCESSES 7    /* at most, of a counter and its part of a box */

/* Ten windows in an interval, but two of each event. */
static double window_of_interval(const struct basket *b, const struct uncore_set_info *info)
{
	return fmin(b->interval_us / fmax(10, 2 * info->rounds), LONGEST_WINDOW);
}

static double window_of_accesses(const struct basket *b, const struct uncore_set_info *info)
{
	const double of_switch = (double)SWITCH_ACCESSES * info->switched;

	return b->accesses > 0
		       ? fmin(1e6 * of_switch * (double)b->n_units / b->accesses, LONGEST_PAUSE)
		       : 0;
}

static int widen_windows(const struct basket *b, struct basket_set *s, unsigned window_us)
{
	struct uncore_set_info info = {.size = sizeof(info)};
	const int code = uncore_set_info(s->set, &info);
	double window;

	if (code < 0 || info.rounds < 2)
		return code;
	window = fmax(window_of_interval(b, &info), window_of_accesses(b, &info));
	s->window_us = (unsigned)fmax(window, window_us);
	return s->window_us > window_us ? uncore_set_multiplex(s->set, s->window_us) : 0;
}

/* 0 (also for an empty list), or why these events cannot be counted now. */
static int start_set(const struct basket *b, struct basket_set *s, unsigned window_us)
{
	struct uncore_set_info info = {.size = sizeof(info)};
	int code = s->n ? widen_windows(b, s, window_us) : 0;

	if (code < 0 || !s->n)
		return code;
	code = uncore_set_start(s->set);
	if (code == 0)
		code = uncore_set_info(s->set, &info);
	s->rounds = info.rounds;
	s->multiplexed = info.rounds != 1;
	return code;
}

void basket_end_set(struct basket_set *s)
{
	uncore_set_destroy(s->set);
	free(s->events);
	free(s->values);
	free(s->gained);
	free(s->times);
	*s = (struct basket_set){.set = NULL};
}

/* ---- a unit ---- */

void basket_end(struct basket_unit *unit)
{
	basket_end_set(&unit->sets[0]);
	basket_end_set(&unit->sets[1]);
}

/*
 * Assign the events of chosen parts, around the sets that are running; writes no register.  0 (also
 * for an empty list), or why they cannot be counted together.
 */
static int plan(const struct basket *b, struct basket_unit *unit, const bool *chosen, int which)
{
	struct basket_set *s = &unit->sets[which];

	basket_end_set(s);
	list_events(b, s, chosen, unit, which);
	return s->n ? make_set(b, s, unit->window_us) : 0;
}

static int start(const struct basket *b, struct basket_unit *unit, const bool *chosen, int which)
{
	const int code = plan(b, unit, chosen, which);

	return code == 0 ? start_set(b, &unit->sets[which], unit->window_us) : code;
}

/* ---- what can be counted ---- */

static void set_state(const struct basket *b, size_t part, int code)
{
	struct basket_part *p = &b->parts[part];
	char text[UNCORE_ERRMSG_MAX];

	free(p->reason);
	p->up = code == 0;
	p->code = code;
	p->reason = p->up ? NULL : text_of("%s", uncore_errmsg(b->u, text, sizeof(text)));
}

int basket_try(struct basket *b, size_t part)
{
	bool *chosen = need_memory(b->n_parts, sizeof(*chosen));
	struct basket_unit alone = {.window_us = b->units[b->parts[part].unit].window_us};
	int code;

	chosen[part] = true;
	code = start(b, &alone, chosen, OTHERS);
	if (code < 0 && code != UNCORE_ECONFLICT)
		set_state(b, part, code);
	basket_end(&alone);
	free(chosen);
	return code;
}

/* plan() or start(). */
typedef int try_chosen(const struct basket *b, struct basket_unit *unit, const bool *chosen,
		       int which);

/* Add a part unless it is refused or does not fit together with those that do. */
static void try_more(const struct basket *b, struct basket_unit *unit, bool *fitting, size_t part,
		     int which, try_chosen *attempt)
{
	int code;

	fitting[part] = true;
	code = attempt(b, unit, fitting, which);
	if (code < 0) {
		fitting[part] = false;
		set_state(b, part, code);
	}
	basket_end_set(&unit->sets[which]);
}

/* Of the chosen parts of a set, those that fit one after another, small ones first. */
static void choose(const struct basket *b, struct basket_unit *unit, bool *chosen, int which,
		   try_chosen *attempt)
{
	bool *fitting = need_memory(b->n_parts, sizeof(*fitting));
	const size_t n = b->n_parts;

	for (int apart = 1; apart >= 0; apart--)
		for (size_t events = 1; events <= b->n_events; events++)
			for (size_t i = 0; i < n; i++)
				if (chosen[i] && b->parts[i].n == events &&
				    b->parts[i].apart == apart &&
				    is_in_set(unit, &b->parts[i], which))
					try_more(b, unit, fitting, i, which, attempt);
	for (size_t i = 0; i < n; i++)
		chosen[i] = is_in_set(unit, &b->parts[i], which) ? fitting[i] : chosen[i];
	free(fitting);
}

/*
 * Choose by plans, which write no register, then start.  Only a start finds what another process
 * uses, or what cannot be accessed: then parts are chosen by starts.
 */
static int start_most(const struct basket *b, struct basket_unit *unit, bool *chosen, int which)
{
	int code = plan(b, unit, chosen, which);

	if (code == UNCORE_EINVAL && !unit->apart)
		return code;
	if (code < 0) {
		choose(b, unit, chosen, which, plan);
		code = plan(b, unit, chosen, which);
	}
	if (code == 0)
		code = start_set(b, &unit->sets[which], unit->window_us);
	if (code < 0) {
		basket_end_set(&unit->sets[which]);
		choose(b, unit, chosen, which, start);
		code = start(b, unit, chosen, which);
	}
	return code;
}

/* Start the set, and note the result in its parts. */
static int start_parts(const struct basket *b, struct basket_unit *unit, bool *chosen, int which)
{
	const int code = start_most(b, unit, chosen, which);

	for (size_t i = 0; i < b->n_parts; i++)
		if (chosen[i] && is_in_set(unit, &b->parts[i], which))
			set_state(b, i, code);
	if (code < 0)
		basket_end_set(&unit->sets[which]);
	return code;
}

static bool *parts_of(const struct basket *b, size_t unit)
{
	bool *chosen = need_memory(b->n_parts, sizeof(*chosen));

	for (size_t i = 0; i < b->n_parts; i++)
		chosen[i] = b->parts[i].unit == unit;
	return chosen;
}

/* Separate sets first: others are planned around them. */
void basket_start(struct basket *b, size_t unit)
{
	struct basket_unit *u = &b->units[unit];
	bool *chosen = parts_of(b, unit);

	/* more than one set can hold */
	if (!u->apart && start_parts(b, u, chosen, OTHERS) == UNCORE_EINVAL)
		u->apart = true;
	if (u->apart) {
		start_parts(b, u, chosen, APART);
		start_parts(b, u, chosen, OTHERS);
	}
	free(chosen);
}

/* ---- counts ---- */

int basket_read(struct basket_set *s)
{
	return s->set ? uncore_set_read_timed(s->set, s->values, &s->ns) : 0;
}

#define CLOSE_READS 10
#define CLOSE_NS    10000 /* that a read may always take longer than the shortest one */

/* Read, and note what was counted since the last read. */
static int read_next(struct basket_set *s)
{
	const int64_t before = s->ns;
	int code;

	memcpy(s->gained, s->values, s->n * sizeof(*s->values));
	code = basket_read(s);
	for (size_t i = 0; i < s->n; i++)
		s->gained[i] = s->values[i] - s->gained[i];
	s->gained_ns = s->ns - before;
	return code;
}

int basket_read_measured(struct basket_set *s)
{
	const uint64_t begin = s->clock.now(s->clock.of);
	const int code = s->set ? read_next(s) : 0;

	s->took_ns = (int64_t)(s->clock.now(s->clock.of) - begin);
	if (!s->shortest_ns || s->took_ns < s->shortest_ns)
		s->shortest_ns = s->took_ns;
	return code;
}

bool basket_was_delayed(const struct basket_set *s)
{
	return s->took_ns >= s->shortest_ns + s->shortest_ns / 4 + CLOSE_NS;
}

int basket_read_closely(struct basket_set *s)
{
	int code = 0;

	for (int i = 0; s->set && code == 0 && i < CLOSE_READS; i++) {
		code = basket_read_measured(s);
		if (i && !basket_was_delayed(s))
			break;
	}
	return code;
}

double basket_doubt(int64_t shortest_ns, int64_t took_ns, int64_t other_ns)
{
	const double delays = (double)(took_ns - shortest_ns) + (double)(other_ns - shortest_ns);

	return delays / 2 + (double)shortest_ns / 5;
}

int basket_times(struct basket_set *s)
{
	if (!s->set)
		return 0;
	s->times->size = sizeof(*s->times);
	return uncore_set_times(s->set, s->times);
}

int basket_check(const struct basket_unit *unit)
{
	int code = 0;

	for (size_t i = 0; i < 2 && code == 0; i++)
		code = unit->sets[i].set ? uncore_set_check(unit->sets[i].set) : 0;
	return code;
}
