/* SPDX-License-Identifier: BSD-3-Clause */
/* counted.c - replace the metrics of a list of events by the events that they consist of. */
#include "event/counted.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unc_counted_free(struct unc_counted *t)
{
	free(t->list);
	free(t->owner);
	free(t->ids);
	free(t->groups);
	free(t->events);
	free(t->names);
	free(t->values);
	memset(t, 0, sizeof(*t));
}

static bool alloc_list(struct unc_counted *t, const unsigned *ids, size_t n)
{
	const size_t room = n ? n : 1;

	t->n_values = n;
	t->list = calloc(room, sizeof(*t->list));
	t->values = calloc(room, sizeof(*t->values));
	if (t->list && n)
		memcpy(t->list, ids, n * sizeof(*ids));
	return t->list && t->values;
}

static bool alloc_counted(struct unc_counted *t)
{
	const size_t room = t->n ? t->n : 1;

	t->owner = calloc(room, sizeof(*t->owner));
	t->ids = calloc(room, sizeof(*t->ids));
	t->groups = calloc(room, sizeof(*t->groups));
	t->events = calloc(room, sizeof(*t->events));
	t->names = calloc(room, sizeof(*t->names));
	return t->owner && t->ids && t->groups && t->events && t->names;
}

static size_t n_events(const struct unc_value *v)
{
	return v->formula ? v->formula->n : 1;
}

/* A list that begins with the same values as another. */
struct beginning {
	const struct unc_counted *of;
	size_t values, counted; /* how many are equal */
};

static int find_value(struct unc_value *v, struct unc_names *names, unsigned id)
{
	const int r = unc_names_formula(names, id, &v->formula);

	v->name = unc_names_name(names, id);
	v->split = r == 0 && v->formula ? unc_names_split(names, v->formula) : NULL;
	return r;
}

static int find_formulas(struct unc_counted *t, struct unc_names *names,
			 const struct beginning *same, struct unc_err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < t->n_values; i++) {
		struct unc_value *v = &t->values[i];

		if (i < same->values)
			*v = same->of->values[i];
		else
			r = find_value(v, names, t->list[i]);
		v->first = (unsigned)t->n;
		t->n += n_events(v);
		t->derived |= v->formula != NULL;
	}
	if (r == 0 && t->derived && t->n > UNC_MAX_READ)
		return unc_fail(err, UNCORE_EINVAL,
				"too many events: the metrics of the list need %zu, the maximum is "
				"%d; use several event sets, or pkg=",
				t->n, UNC_MAX_READ);
	return r;
}

/* Number a group by its first event, from 1 on; 0: no group. */
static unsigned group_of(const struct unc_counted *t, const unsigned *groups, size_t i)
{
	size_t first = i;

	if (groups && groups[i])
		for (first = 0; groups[first] != groups[i];)
			first++;
	else if (!t->values[i].formula)
		return 0;
	return t->values[first].first + 1;
}

static void copy(struct unc_counted *t, const struct beginning *same)
{
	const struct unc_counted *from = same->of;
	const size_t n = same->counted;

	memcpy(t->owner, from->owner, n * sizeof(*t->owner));
	memcpy(t->ids, from->ids, n * sizeof(*t->ids));
	memcpy(t->groups, from->groups, n * sizeof(*t->groups));
	memcpy(t->events, from->events, n * sizeof(*t->events));
	memcpy(t->names, from->names, n * sizeof(*t->names));
	for (size_t i = 0; i < n; i++) {
		t->grouped |= t->groups[i] != 0;
		t->levels |= t->events[i]->type->level;
	}
}

static int fill(struct unc_counted *t, struct unc_names *names, const unsigned *groups,
		size_t first)
{
	int r = 0;

	for (size_t i = first; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];
		const unsigned group = group_of(t, groups, i);

		t->grouped |= group != 0;
		for (unsigned k = 0; r == 0 && k < n_events(v); k++) {
			const unsigned event = v->first + k;
			const unsigned id = v->formula ? v->formula->events[k].id : t->list[i];

			t->owner[event] = (unsigned)i;
			t->ids[event] = id;
			t->groups[event] = group;
			t->events[event] = unc_names_event(names, id, &r);
			t->names[event] = unc_names_name(names, id);
			t->levels |= r == 0 && t->events[event]->type->level;
		}
	}
	return r;
}

size_t unc_counted_common(const struct unc_counted *t, const unsigned *ids, const unsigned *groups,
			  size_t n)
{
	size_t i = 0;

	while (i < t->n_values && i < n && t->list[i] == ids[i] &&
	       t->groups[t->values[i].first] == group_of(t, groups, i))
		i++;
	return i;
}

static int check_groups(const unsigned *groups, size_t n, struct unc_err *err)
{
	for (size_t i = 0; groups && i < n; i++)
		if (groups[i] > n)
			return unc_fail(err, UNCORE_EINVAL,
					"invalid group %u: groups of %zu events are numbered 1 to "
					"%zu; 0 means no group",
					groups[i], n, n);
	return 0;
}

int unc_counted_make(struct unc_counted *t, struct unc_names *names,
		     const struct unc_counted *before, const unsigned *ids, const unsigned *groups,
		     size_t n, struct unc_err *err)
{
	struct beginning same = {.of = before};
	int r = check_groups(groups, n, err);

	memset(t, 0, sizeof(*t));
	if (r < 0)
		return r;
	if (!alloc_list(t, ids, n))
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	if (before)
		same.values = unc_counted_common(before, ids, groups, n);
	if (same.values)
		same.counted = before->values[same.values - 1].first +
			       n_events(&before->values[same.values - 1]);
	r = find_formulas(t, names, &same, err);
	if (r == 0 && !alloc_counted(t))
		r = unc_fail(err, UNCORE_ENOMEM, "out of memory for %zu events", t->n);
	if (r < 0)
		return r;
	if (same.counted)
		copy(t, &same);
	return fill(t, names, groups, same.values);
}

void unc_counted_values(const struct unc_counted *t, const int64_t *counts, int64_t *values)
{
	const double seconds = (double)counts[t->n] * 1e-9;

	for (size_t i = 0; i < t->n_values; i++) {
		const struct unc_value *v = &t->values[i];

		values[i] = v->formula ? unc_formula_value(v->formula, counts + v->first, seconds)
				       : counts[v->first];
	}
}

/* ---- why they cannot be counted ---- */

/* A conflict, and its message. */
struct story {
	const struct unc_counted *counted;
	const unsigned *conflict;
	unsigned n;
	char *text;
	size_t len, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct story *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (s->used < s->len)
		s->used += (size_t)vsnprintf(s->text + s->used, s->len - s->used, format, args);
	va_end(args);
}

static unsigned owner_of(const struct story *s, unsigned i)
{
	return s->counted->owner[s->conflict[i]];
}

static bool is_first(const struct story *s, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (owner_of(s, k) == owner_of(s, i))
			return false;
	return true;
}

/* "A" of an event, "A (by X, Y)" of a metric with these events. */
static void say_owner(struct story *s, unsigned owner)
{
	const struct unc_value *v = &s->counted->values[owner];
	const char *glue = " (by ";

	say(s, "%s", v->name);
	for (unsigned i = 0; v->formula && i < s->n; i++)
		if (owner_of(s, i) == owner) {
			say(s, "%s%s", glue, s->counted->names[s->conflict[i]]);
			glue = ", ";
		}
	say(s, "%s", v->formula ? ")" : "");
}

/* Approximations help only if all metrics have one. */
static void say_splits(struct story *s)
{
	const char *glue = "; ";

	for (unsigned i = 0; i < s->n; i++)
		if (!s->counted->values[owner_of(s, i)].split)
			return;
	for (unsigned i = 0; i < s->n; i++)
		if (is_first(s, i)) {
			say(s, "%s%s", glue, s->counted->values[owner_of(s, i)].split);
			glue = " and ";
		}
	say(s, " count in different boxes");
}

/* The events of a metric must count in the same window, so multiplexing does not help. */
static void report_one(struct story *s, const char *reason)
{
	const struct unc_value *v = &s->counted->values[owner_of(s, 0)];

	if (!v->formula->recipe->collides) {
		say_owner(s, owner_of(s, 0));
		say(s, " cannot be counted: %s", reason);
		return;
	}
	say(s, "%s cannot be measured in one window: %s", v->name, reason);
	if (*v->formula->recipe->instead)
		say(s, "; " UNC_METRIC_PREFIX "%s counts them in different boxes",
		    v->formula->recipe->instead);
}

static void report_several(struct story *s, unsigned owners, const char *reason)
{
	unsigned named = 0;

	for (unsigned i = 0; i < s->n; i++)
		if (is_first(s, i)) {
			say(s, "%s", named == 0 ? "" : named + 1 == owners ? " and " : ", ");
			say_owner(s, owner_of(s, i));
			named++;
		}
	say(s, " cannot be counted together: %s", reason);
	say_splits(s);
	say(s, "; multiplex them with uncore stat --multiplex (PAPI: UNCORE_MULTIPLEX=1)");
}

void unc_counted_conflict(const struct unc_counted *t, const unsigned *conflict, size_t n,
			  const char *reason, char *text, size_t len)
{
	struct story s = {t, conflict, (unsigned)n, text, len, 0};
	unsigned owners = 0;
	bool metric = false;

	for (unsigned i = 0; i < n; i++) {
		owners += is_first(&s, i);
		metric |= t->values[owner_of(&s, i)].formula != NULL;
	}
	if (!metric)
		say(&s, "%s", reason);
	else if (owners == 1)
		report_one(&s, reason);
	else
		report_several(&s, owners, reason);
}
