/* SPDX-License-Identifier: BSD-3-Clause */
/* exports.c - the exported series: the portable metrics of a machine, and events by name. */
#include "command/exporter/exports.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "command/base/text.h"
#include "command/exporter/names.h"
#include "command/exporter/owners.h"

#define ALREADY_REPORTED 1 /* already reported to the listener */

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

/* Events without a package, such as those of one CPU, are counted with package 0's. */
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
	*p = (struct part){.share = 0};
	basket_add_part(&e->basket, unit_of(e, n.package));
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

/* Of a series that counts in the box or port of devices: names without characters to escape. */
static char *with_devices(const struct exports *e, unsigned id, char *labels)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_.:-, ";
	char *devices = label_of_event(&e->devices, e->u, id);
	struct uncore_box_info box;
	unsigned parts;

	if (place_of_event(e->u, id, &box, &parts) && parts != UNCORE_ALL_PARTS)
		labels = text_and(labels, "%spart=\"%d\"", *labels ? "," : "", ffs((int)parts) - 1);
	for (char *c = devices; c && *c; c++)
		*c = strchr(plain, *c) ? *c : '_';
	if (devices)
		labels = text_and(labels, "%sdevice=\"%s\"", *labels ? "," : "", devices);
	free(devices);
	return labels;
}

/* Of a series whose boxes all serve one NUMA node. */
static char *with_node(const struct exports *e, unsigned id, char *labels)
{
	const char *node = node_of_event(&e->nodes, e->u, id);

	return node ? text_and(labels, "%snode=\"%s\"", *labels ? "," : "", node) : labels;
}

static void add_series(struct exports *e, unsigned id, unsigned window, size_t family, char *labels)
{
	e->series = need_more(e->series, e->n_series + 1, sizeof(*e->series));
	e->series[e->n_series++] =
		(struct series){.family = family,
				.divisor = divisor_of(e, id, family),
				.labels = with_node(e, id, with_devices(e, id, labels))};
	basket_add_event(&e->basket, e->n_parts - 1, id, window);
}

static bool has_series(const struct exports *e, unsigned id)
{
	for (size_t i = 0; i < e->n_series; i++)
		if (e->basket.events[i].id == id)
			return true;
	return false;
}

/* ---- events beyond the limit ---- */

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
	free(p->reported_reason);
}

static void go_back(struct exports *e, struct mark m)
{
	while (e->n_families > m.families)
		free_last_family(e);
	while (e->n_parts > m.parts)
		free_last_part(e);
	while (e->n_series > m.series)
		free(e->series[--e->n_series].labels);
	e->basket.n_parts = e->n_parts;
	e->basket.n_events = e->n_series;
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
	report_message(
		&e->listener,
		"%s is omitted: it would make %zu series, and the limit is %u; use --max-series %zu "
		"to export it",
		what, more, e->max_series, more);
}

/* ---- groups of metrics ---- */

struct found {
	unsigned ids[METRIC_GROUP_MAX];
	struct family families[METRIC_GROUP_MAX];
	size_t n;
	bool fits; /* all fit into one window */
};

/* Report metrics that exist but cannot be counted, once for all packages. */
static void report_refused(struct exports *e, const char *metric, unsigned package)
{
	char text[UNCORE_ERRMSG_MAX];

	if (package == 0)
		report_message(&e->listener, "%s:pkg=0 is not exported: %s", metric,
			       uncore_errmsg(e->u, text, sizeof(text)));
}

/* Metrics that are counted at the same time because users divide one by the other. */
static struct found find_window(struct exports *e, const struct metric_row *const *rows,
				size_t n_rows, unsigned package)
{
	struct found f = {.n = 0};

	for (size_t i = 0; i < n_rows; i++) {
		const int code =
			event_that_fits(e->u, &f.ids[f.n], "%s:pkg=%u", rows[i]->name, package);

		if (code == 0 && family_of_row(rows[i], &f.families[f.n]))
			f.n++;
		else if (code < 0 && !is_not_here(code))
			report_refused(e, rows[i]->name, package);
	}
	f.fits = f.n && events_fit(e->u, f.ids, f.n) == 0;
	return f;
}

static struct found choose_window(struct exports *e, const struct metric_group *group,
				  uint8_t window, unsigned package)
{
	const struct metric_row *rows[METRIC_GROUP_MAX];
	struct found first, second;

	first = find_window(e, rows, metric_window_rows(group, window, false, rows), package);
	second = find_window(e, rows, metric_window_rows(group, window, true, rows), package);
	return second.fits && (!first.fits || second.n > first.n) ? second : first;
}

/* The windows of all packages are the same, so that they are multiplexed together. */
static void add_window(struct exports *e, const struct metric_group *group, uint8_t window,
		       unsigned package)
{
	const struct found f = choose_window(e, group, window, package);

	for (size_t i = 0; i < f.n; i++) {
		struct event_name n;

		if (has_series(e, f.ids[i]))
			continue;
		take_name_apart(&n, uncore_event_name(e->u, f.ids[i]));
		/* Multiplex the events that conflict with others and have no alternative. */
		add_series(e, f.ids[i], f.fits ? e->windows + window : 0,
			   add_family(e, &f.families[i], NULL), labels_of(&n, NULL, NULL));
		if (f.families[i].kind == FAMILY_GAUGE)
			e->basket.parts[e->n_parts - 1].unit = e->machine.packages;
	}
}

static void add_group(struct exports *e, const struct metric_group *group)
{
	const struct mark before = mark_of(e);

	for (unsigned package = 0; package < e->machine.packages; package++) {
		const struct mark m = mark_of(e);
		struct event_name place = {.base = ""};

		snprintf(place.package, sizeof(place.package), "%u", package);
		add_part(e, group->name, &place);
		for (uint8_t window = 1; window <= GROUP_WINDOWS; window++)
			add_window(e, group, window, package);
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

static void report_groups(struct exports *e, const char *name)
{
	char *groups = metric_group_names(exported_group);

	report_message(&e->listener, "unknown group \"%s\": use %s or none", name, groups);
	free(groups);
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
			report_groups(e, name);
		free(name);
		if (!is_one)
			return ALREADY_REPORTED;
		list += n + (list[n] == ',');
	}
	return 0;
}

/* ---- events by name ---- */

static size_t family_of(struct exports *e, const struct uncore_event_info *info, const char *base)
{
	const bool bytes = strcmp(info->units, "bytes") == 0;
	char name[NAME_TEXT];
	struct family own = {.name = name, .kind = FAMILY_COUNTER}, known;
	const char *unit;

	if (family_of_metric(base, &known))
		return add_family(e, &known, NULL);
	family_of_event(name, base);
	unit = strrchr(name, '_');
	own.unit = bytes && unit && strcmp(unit, "_bytes") == 0 ? "bytes" : NULL;
	return add_family(e, &own, info->text);
}

/* Boxes that were given as a node, or one by one. */
enum boxes { OF_NODE, EACH };

static int add_event(struct exports *e, const char *group, unsigned id, enum boxes boxes,
		     char package[16])
{
	struct uncore_event_info info = {.size = sizeof(info)};
	struct event_name n;
	struct family known;
	int code = uncore_event_info(e->u, id, &info);

	if (code < 0 || has_series(e, id))
		return code;
	take_name_apart(&n, info.name);
	cut_place(n.base, ":part="); /* a label, so that all ports are one family */
	if (boxes == OF_NODE)
		n.box[0] = '\0';
	if (info.real) {
		report_message(
			&e->listener,
			"cannot export %s: a mean has no sum or rate; export its two counts, listed "
			"by `uncore list --metrics`",
			info.name);
		return ALREADY_REPORTED;
	}
	if (e->n_parts == 0 || strcmp(package, n.package) != 0) {
		memcpy(package, n.package, sizeof(n.package));
		add_part(e, group, &n);
		e->basket.parts[e->n_parts - 1].apart = true;
	}
	add_series(e, id, e->windows, family_of(e, &info, n.base),
		   labels_of(&n, "event", family_of_metric(n.base, &known) ? NULL : n.base));
	return 0;
}

/* The group label is the name as given, which is unique. */
static int add_named(struct exports *e, const char *group, const char *name)
{
	char package[16] = "-"; /* if the event has no package */
	unsigned id;
	int code;

	e->windows++;
	if (strcasestr(name, ":node=")) {
		code = uncore_event(e->u, name, &id);
		return code < 0 ? code : add_event(e, group, id, OF_NODE, package);
	}
	for (unsigned i = 0; (code = uncore_event_part(e->u, name, i, &id)) == 1; i++) {
		code = add_event(e, group, id, EACH, package);
		if (code != 0)
			return code;
	}
	return code;
}

/* Export the event for each package, unless its name selects one or the event has no packages. */
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

/* ---- all families ---- */

static int choose(struct exports *e, const struct exports_options *o)
{
	int code = o->groups ? check_groups(e, o->groups) : 0;

	for (unsigned i = 0; code == 0 && exported_group(i); i++)
		if (o->groups ? is_in_list(o->groups, exported_group(i)->name)
			      : !exported_group(i)->on_request)
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
	e->max_series = o->max_series ? o->max_series : SERIES_MAX;
	code = uncore_machine(u, &e->machine);
	read_device_labels(u, &e->devices);
	read_node_labels(u, &e->nodes);
	e->times = need_memory(e->machine.packages + 1, sizeof(*e->times));
	basket_new(&e->basket, u, e->machine.packages + 1, o->window_us ? o->window_us : WINDOW_US);
	e->basket.units[e->machine.packages].window_us = 0;
	e->basket.accesses = o->window_us ? 0 : ACCESSES;
	return code < 0 ? code : choose(e, o);
}

bool exports_is_shown(const struct exports *e, size_t i)
{
	const struct series *s = &e->series[i];

	if (!s->known || !e->basket.parts[e->basket.events[i].part].up)
		return false;
	return e->families[s->family].family.kind != FAMILY_GAUGE || !isnan(uncore_real(s->value));
}

void exports_close(struct exports *e)
{
	if (!e)
		return;
	owners_export_close(e->owners);
	basket_free(&e->basket);
	go_back(e, (struct mark){0, 0, 0});
	free_device_labels(&e->devices);
	free_node_labels(&e->nodes);
	free(e->families);
	free(e->parts);
	free(e->series);
	free(e->times);
	free(e);
}
