/* SPDX-License-Identifier: BSD-3-Clause */
/* exports.c - which series there are: the portable metrics of a machine, and events by name. */
#include "command/exporter/exports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/base/fit.h"
#include "command/base/text.h"
#include "command/exporter/names.h"
#include "command/exporter/own.h"

#define TOLD 1 /* the listener knows already */

/* ---- lists ---- */

static size_t add_family(struct exports *e, const struct family *family, const char *help)
{
	struct exported_family *f;

	for (size_t i = 0; i < e->n_families; i++)
		if (strcmp(e->families[i].family.name, family->name) == 0)
			return i;
	e->families = need_more(e->families, e->n_families + 1, sizeof(*e->families));
	f = &e->families[e->n_families];
	*f = (struct exported_family){.family = *family};
	if (help) {
		f->family.name = f->own_name = text_of("%s", family->name);
		f->family.help = f->own_help = text_of("%s", help);
	}
	return e->n_families++;
}

/* What has no package, as an event of one CPU, is counted with those of the first. */
static size_t unit_of(const struct exports *e, const char *package)
{
	const unsigned long n = strtoul(package, NULL, 10);

	return n < e->machine.packages ? n : 0;
}

static void add_part(struct exports *e, const char *group, const struct event_name *place)
{
	struct part *p;
	struct event_name n = {.base = ""};

	memcpy(n.package, place->package, sizeof(n.package));
	e->parts = need_more(e->parts, e->n_parts + 1, sizeof(*e->parts));
	p = &e->parts[e->n_parts++];
	*p = (struct part){.unit = unit_of(e, n.package)};
	p->labels = labels_of(&n, "group", group);
	p->what = *n.package ? text_of("%s of package %s", group, n.package) : text_of("%s", group);
}

static double divisor_of(const struct exports *e, unsigned id, size_t family)
{
	struct uncore_sum sum = {.size = sizeof(sum)};

	if (!e->families[family].family.mean || uncore_event_sum(e->u, id, &sum) < 0)
		return 1;
	return sum.counters > 0 ? sum.counters : 1;
}

static void add_series(struct exports *e, unsigned id, size_t family, char *labels)
{
	e->series = need_more(e->series, e->n_series + 1, sizeof(*e->series));
	e->series[e->n_series++] = (struct series){.id = id,
						   .family = family,
						   .part = e->n_parts - 1,
						   .window = e->windows,
						   .divisor = divisor_of(e, id, family),
						   .labels = labels};
}

static bool has_series(const struct exports *e, unsigned id)
{
	for (size_t i = 0; i < e->n_series; i++)
		if (e->series[i].id == id)
			return true;
	return false;
}

/* ---- what the limit leaves out ---- */

struct mark {
	size_t families, parts, series;
};

static struct mark mark_of(const struct exports *e)
{
	return (struct mark){e->n_families, e->n_parts, e->n_series};
}

static void free_last_family(struct exports *e)
{
	struct exported_family *f = &e->families[--e->n_families];

	free(f->own_name);
	free(f->own_help);
}

static void free_last_part(struct exports *e)
{
	struct part *p = &e->parts[--e->n_parts];

	free(p->labels);
	free(p->what);
	free(p->reason);
}

static void go_back(struct exports *e, struct mark m)
{
	while (e->n_families > m.families)
		free_last_family(e);
	while (e->n_parts > m.parts)
		free_last_part(e);
	while (e->n_series > m.series)
		free(e->series[--e->n_series].labels);
}

size_t exports_samples(const struct exports *e)
{
	return OWN_SAMPLES + e->n_parts + e->n_series;
}

/* A group, or an event, is exported as a whole or not at all. */
static void keep_within_limit(struct exports *e, struct mark before, const char *what)
{
	const size_t more = exports_samples(e);

	if (more <= e->max_series)
		return;
	go_back(e, before);
	e->left_out += (unsigned)(more - exports_samples(e));
	tell(&e->listener,
	     "%s is left out: with its series there would be %zu, and the limit is %u; "
	     "--max-series %zu takes it",
	     what, more, e->max_series, more);
}

/* ---- groups of metrics ---- */

struct found {
	unsigned ids[WINDOW_MAX];
	const struct family *families[WINDOW_MAX];
	size_t n;
	bool fits; /* all of them in one window */
};

/* Metrics that are there but cannot be counted are told, once for all packages. */
static void tell_refused(struct exports *e, const char *name, unsigned package)
{
	char text[UNCORE_ERRMSG_MAX];

	if (package == 0)
		tell(&e->listener, "%s is not exported: %s", name,
		     uncore_errmsg(e->u, text, sizeof(text)));
}

static struct found find_window(struct exports *e, const struct exported *list, unsigned package)
{
	struct found f = {.n = 0};

	for (; list->metric; list++) {
		char name[UNCORE_NAME_MAX];
		int code;

		snprintf(name, sizeof(name), "%s:pkg=%u", list->metric, package);
		code = uncore_event(e->u, name, &f.ids[f.n]);
		if (code == 0)
			code = events_fit(e->u, &f.ids[f.n], 1);
		if (code == 0)
			f.families[f.n++] = list->family;
		else if (!is_not_here(code))
			tell_refused(e, name, package);
	}
	f.fits = f.n && events_fit(e->u, f.ids, f.n) == 0;
	return f;
}

static struct found choose_window(struct exports *e, const struct exported_window *w,
				  unsigned package)
{
	const struct found first = find_window(e, w->metrics, package);
	const struct found second = find_window(e, w->otherwise, package);

	return second.fits && (!first.fits || second.n > first.n) ? second : first;
}

static void add_window(struct exports *e, const struct exported_window *w, unsigned package,
		       unsigned window)
{
	const struct found f = choose_window(e, w, package);

	for (size_t i = 0; i < f.n; i++) {
		struct event_name n;

		if (has_series(e, f.ids[i]))
			continue;
		take_name_apart(&n, uncore_event_name(e->u, f.ids[i]));
		add_series(e, f.ids[i], add_family(e, f.families[i], NULL),
			   labels_of(&n, NULL, NULL));
		/* What excludes the others, and has no other way, takes turns with them. */
		e->series[e->n_series - 1].window = f.fits ? window : 0;
		if (f.families[i]->kind == FAMILY_GAUGE) {
			e->parts[e->n_parts - 1].gauges = true;
			e->parts[e->n_parts - 1].unit = e->machine.packages;
		}
	}
}

/* The windows of all packages are the same, so that they take turns together. */
static void add_group(struct exports *e, const struct exported_group *group)
{
	const struct mark before = mark_of(e);

	for (unsigned package = 0; package < e->machine.packages; package++) {
		const struct mark m = mark_of(e);
		struct event_name place = {.base = ""};
		unsigned window = e->windows;

		snprintf(place.package, sizeof(place.package), "%u", package);
		add_part(e, group->name, &place);
		for (const struct exported_window *w = group->windows; w->metrics->metric; w++)
			add_window(e, w, package, ++window);
		if (e->n_series == m.series)
			go_back(e, m);
	}
	e->windows += GROUP_WINDOWS;
	keep_within_limit(e, before, group->name);
}

static bool is_in_list(const char *list, const char *name)
{
	const size_t n = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strncasecmp(list, name, n) == 0 && (list[n] == ',' || !list[n]))
			return true;
	return false;
}

static int check_groups(struct exports *e, const char *list)
{
	while (*list) {
		const int n = (int)strcspn(list, ",");
		char *name = text_of("%.*s", n, list);
		bool is_one = strcasecmp(name, "none") == 0;

		for (unsigned i = 0; exported_group(i); i++)
			is_one |= strcasecmp(name, exported_group(i)->name) == 0;
		if (!is_one)
			tell(&e->listener,
			     "there is no group %s; there are memory, latency, dram, links, "
			     "pcie, cache, energy, power, frequency, and none",
			     name);
		free(name);
		if (!is_one)
			return TOLD;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* ---- events by name ---- */

static size_t family_of(struct exports *e, const struct uncore_event_info *info, const char *base)
{
	const struct family *known = family_of_metric(base);
	const bool bytes = strcmp(info->units, "bytes") == 0;
	char name[NAME_TEXT];
	struct family own = {.name = name, .kind = FAMILY_COUNTER};
	const char *unit;

	if (known)
		return add_family(e, known, NULL);
	family_of_event(name, base);
	unit = strrchr(name, '_');
	own.unit = bytes && unit && strcmp(unit, "_bytes") == 0 ? "bytes" : NULL;
	return add_family(e, &own, info->text);
}

static int add_event(struct exports *e, const char *group, unsigned id, char package[16])
{
	struct uncore_event_info info = {.size = sizeof(info)};
	struct event_name n;
	int code = uncore_event_info(e->u, id, &info);

	if (code < 0 || has_series(e, id))
		return code;
	take_name_apart(&n, info.name);
	if (info.real) {
		tell(&e->listener,
		     "%s is a mean, which no sum and no rate can be made of: export its two "
		     "counts, which `uncore list --metrics` names",
		     info.name);
		return TOLD;
	}
	if (e->n_parts == 0 || strcmp(package, n.package) != 0) {
		memcpy(package, n.package, sizeof(n.package));
		add_part(e, group, &n);
		e->parts[e->n_parts - 1].events = true;
	}
	add_series(e, id, family_of(e, &info, n.base),
		   labels_of(&n, "event", family_of_metric(n.base) ? NULL : n.base));
	return 0;
}

/* The group is the name as it was given: no two events have the same. */
static int add_named(struct exports *e, const char *group, const char *name)
{
	char package[16] = "-"; /* of no part */
	unsigned id;
	int code;

	e->windows++;
	for (unsigned i = 0; (code = uncore_event_part(e->u, name, i, &id)) == 1; i++) {
		code = add_event(e, group, id, package);
		if (code != 0)
			return code;
	}
	return code;
}

/* For each package, unless the name says where, or the event knows no packages. */
static int add_events(struct exports *e, const char *name)
{
	const struct mark before = mark_of(e);
	char *each = text_of("%s:pkg=*", name);
	int code = name_has_package(name) ? UNCORE_EATTR : add_named(e, name, each);

	if (code < 0) {
		go_back(e, before);
		code = add_named(e, name, name);
	}
	free(each);
	if (code == 0)
		keep_within_limit(e, before, name);
	return code;
}

/* ---- all ---- */

static int choose(struct exports *e, const struct exports_options *o)
{
	int code = o->groups ? check_groups(e, o->groups) : 0;

	for (unsigned i = 0; code == 0 && exported_group(i); i++)
		if (o->groups ? is_in_list(o->groups, exported_group(i)->name)
			      : !exported_group(i)->asked)
			add_group(e, exported_group(i));
	for (size_t i = 0; code == 0 && i < o->n_events; i++)
		code = add_events(e, o->events[i]);
	return code;
}

int exports_open(struct exports **out, struct uncore *u, const struct exports_options *o)
{
	struct exports *e = need_memory(1, sizeof(*e));
	int code;

	*out = e;
	e->u = u;
	e->listener = o->listener;
	e->machine.size = sizeof(e->machine);
	e->window_us = o->window_us ? o->window_us : WINDOW_US;
	e->max_series = o->max_series ? o->max_series : SERIES_MAX;
	code = uncore_machine(u, &e->machine);
	e->n_units = e->machine.packages + 1;
	e->units = need_memory(e->n_units, sizeof(*e->units));
	return code < 0 ? code : choose(e, o);
}

void exports_close(struct exports *e)
{
	if (!e)
		return;
	exports_stop(e);
	go_back(e, (struct mark){0, 0, 0});
	free(e->families);
	free(e->parts);
	free(e->series);
	free(e->units);
	free(e);
}
