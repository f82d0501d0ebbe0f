/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - see events.h. */
#include "command/top/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/device_places.h"
#include "command/base/slices.h"
#include "command/base/text.h"
#include "uncore_inspect.h"

void top_note(struct top_view *view, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	for (size_t i = 0; i < view->n_notes; i++)
		if (strcmp(view->notes[i], text) == 0) {
			free(text);
			return;
		}
	view->notes = need_more((void *)view->notes, view->n_notes + 1, sizeof(*view->notes));
	view->notes[view->n_notes++] = text;
}

/* ---- the events of one metric ---- */

struct search {
	struct uncore *u;
	struct top_view *view;
	struct top_events *events;
	struct top_section *section;
	struct top_metric *metric; /* being built */
	const struct metric_row *row;
};

static bool is_of_port(const struct search *s, int box)
{
	return box >= 0 && s->metric->boxes[box].port;
}

/*
 * Users compare the boxes of a section, so they count in the same windows.  A stack has too few
 * counters for all its ports at once.
 */
static void add_event(struct search *s, unsigned id, unsigned package, int box)
{
	struct top_events *e = s->events;
	const size_t section = (size_t)(s->section - s->view->sections),
		     part = section * s->view->packages + package;
	const unsigned window = box < 0 || is_of_port(s, box) ? 0 : (unsigned)part + 1;
	const size_t i = basket_add_event(&e->basket, part, id, window);

	e->list = need_more(e->list, i + 1, sizeof(*e->list));
	e->list[i] = (struct top_event){.package = package,
					.section = section,
					.metric = (size_t)(s->metric - s->section->metrics),
					.box = box};
}

/* "...:box=12:pkg=1" */
static unsigned box_of(const char *name)
{
	const char *box = strstr(name, ":box=");

	return box ? (unsigned)strtoul(box + strlen(":box="), NULL, 10) : 0;
}

static void add_box(struct search *s, unsigned id, unsigned package, unsigned port)
{
	struct top_metric *m = s->metric;

	m->boxes = need_more(m->boxes, m->n_boxes + 1, sizeof(*m->boxes));
	m->boxes[m->n_boxes] = (struct top_box){.package = package,
						.number = box_of(uncore_event_name(s->u, id)),
						.value = {.number = NAN},
						.port = port,
						.node = node_of_event(&s->events->nodes, s->u, id)};
	if (m->detail == TOP_MAP)
		m->boxes[m->n_boxes].expected = expected_of_slice(s->u, id);
	add_event(s, id, package, (int)m->n_boxes++);
}

/* Add an event per box; false: unsupported by the metric, or the events do not fit. */
static bool find_boxes(struct search *s, unsigned package)
{
	char *name = text_of("%s:box=*:pkg=%u", s->row->name, package);
	unsigned *ids = NULL, id, n = 0;
	int code;

	while ((code = uncore_event_part(s->u, name, n, &id)) == 1) {
		ids = need_more(ids, n + 1, sizeof(*ids));
		ids[n++] = id;
	}
	if (n && code == 0)
		code = events_fit(s->u, ids, n);
	for (unsigned i = 0; code == 0 && i < n; i++)
		add_box(s, ids[i], package, 0);
	free(ids);
	free(name);
	return n && code == 0;
}

/* Skip events this machine lacks; report events that are refused. */
static bool find_whole(struct search *s, unsigned package)
{
	char why[UNCORE_ERRMSG_MAX];
	unsigned id;
	const int code = event_that_fits(s->u, &id, "%s:pkg=%u", s->row->name, package);

	if (code == 0)
		add_event(s, id, package, -1);
	else if (!is_not_here(code))
		top_note(s->view, "%s: %s", s->section->title,
			 uncore_errmsg(s->u, why, sizeof(why)));
	return code == 0;
}

static bool has_map(const struct top_section *section)
{
	for (size_t i = 0; i < section->n; i++)
		if (section->metrics[i].detail == TOP_MAP)
			return true;
	return false;
}

/* A section has one map. */
static enum top_detail detail_of(const struct search *s)
{
	const enum top_detail detail = s->row->column.detail;

	return detail == TOP_MAP && has_map(s->section) ? TOP_SUM : detail;
}

static bool add_metric(struct search *s, const struct metric_row *row)
{
	const struct basket *b = &s->events->basket;
	const size_t first = b->n_events;
	struct top_metric *m = &s->section->metrics[s->section->n];

	s->row = row;
	s->metric = m;
	*m = (struct top_metric){.name = row->name,
				 .label = row->column.label,
				 .units = row->units,
				 .real = row->real};
	m->detail = detail_of(s);
	for (unsigned p = 0; m->detail != TOP_SUM && p < s->view->packages; p++)
		find_boxes(s, p);
	if (!m->n_boxes)
		m->detail = TOP_SUM;
	for (unsigned p = 0; m->detail == TOP_SUM && p < s->view->packages; p++)
		find_whole(s, p);
	if (b->n_events == first)
		return false;
	m->kind = m->n_boxes ? box_kind_of(s->u, b->events[first].id) : NULL;
	m->packages = need_memory(s->view->packages, sizeof(*m->packages));
	s->section->n++;
	return true;
}

/* ---- sections ---- */

static bool is_shown(const struct top_view *view, const struct metric_row *row)
{
	for (size_t i = 0; i < view->n; i++)
		for (size_t k = 0; k < view->sections[i].n; k++)
			if (strcmp(view->sections[i].metrics[k].name, row->name) == 0)
				return true;
	return false;
}

/* A metric of the group that no other section shows: the first supported alternative. */
static void add_columns(struct search *s, const struct metric_group *group)
{
	const struct metric_row *rows[METRIC_GROUP_MAX];
	const size_t n = metric_group_rows(group, rows);
	uint8_t shown = 0;

	for (size_t i = 0; i < n; i++) {
		const uint8_t place = metric_place(rows[i], group);

		if (place != shown && rows[i]->column.label &&
		    (is_shown(s->view, rows[i]) || add_metric(s, rows[i])))
			shown = place;
	}
}

static bool is_map_of(const struct metric_row *row, const struct metric_group *group)
{
	return row->column.fallback && metric_group(row->column.map_of) == group;
}

static void add_section(struct search *s, const struct metric_group *group)
{
	const struct metric_row *row;

	s->section = &s->view->sections[s->view->n];
	*s->section = (struct top_section){.title = group->title};
	add_columns(s, group);
	for (unsigned i = 0; (row = metric_row(i)) && !has_map(s->section); i++)
		if (is_map_of(row, group))
			add_metric(s, row);
	s->view->n += s->section->n > 0;
}

/* ---- PCIe ports and stacks with devices ---- */

static void add_device_labels(struct top_view *view, struct device_places *places)
{
	view->stacks = need_more(view->stacks, places->n, sizeof(*view->stacks));
	for (size_t i = 0; i < places->n; i++) {
		struct device_place *p = &places->list[i];

		view->stacks[view->n_stacks++] =
			(struct top_stack){p->package, p->box, (unsigned)(p->part + 1), p->devices};
		p->devices = NULL;
	}
}

/* which: of the events of a place. */
static void add_device_metric(struct search *s, const struct device_places *places, size_t which,
			      const char *metric, const char *label)
{
	struct top_metric *m = &s->section->metrics[s->section->n];

	s->row = metric_row_named(metric);
	s->metric = m;
	if (!s->row)
		return;
	*m = (struct top_metric){.name = s->row->name,
				 .label = label,
				 .units = s->row->units,
				 .kind = DEVICES_OF,
				 .detail = TOP_NUMBER};
	for (size_t i = 0; i < places->n; i++) {
		const struct device_place *p = &places->list[i];

		add_box(s, p->ids[which], p->package, (unsigned)(p->part + 1));
	}
	m->packages = need_memory(s->view->packages, sizeof(*m->packages));
	s->section->n++;
}

static void add_devices(struct search *s)
{
	struct device_labels labels;
	struct device_places places;

	if (s->view->n == TOP_SECTIONS)
		return;
	read_device_labels(s->u, &labels);
	find_device_places(s->u, &labels, false, &places);
	s->section = &s->view->sections[s->view->n];
	*s->section = (struct top_section){.title = "PCIe devices"};
	if (places.n) {
		add_device_metric(s, &places, 0, "UNCORE_IIO_READ_BYTES", "to devices");
		add_device_metric(s, &places, 1, "UNCORE_IIO_WRITE_BYTES", "to memory");
		add_device_labels(s->view, &places);
	}
	s->view->n += s->section->n > 0;
	free_device_places(&places);
	free_device_labels(&labels);
}

/* ---- NUMA nodes ---- */

/* Each node once, in the order of the labels. */
static void find_nodes(struct search *s)
{
	const struct node_labels *labels = &s->events->nodes;
	struct top_view *v = s->view;

	for (size_t i = 0; i < labels->n; i++) {
		const char *node = labels->list[i].node;
		size_t k = 0;

		while (k < v->n_nodes && strcmp(v->nodes[k], node) != 0)
			k++;
		if (k < v->n_nodes)
			continue;
		v->nodes = need_more((void *)v->nodes, v->n_nodes + 1, sizeof(*v->nodes));
		v->nodes[v->n_nodes++] = node;
	}
}

void top_find_events(struct uncore *u, double interval, struct top_view *view,
		     struct top_events *events)
{
	const struct metric_group *group;
	struct search s = {.u = u, .view = view, .events = events};

	read_node_labels(u, &events->nodes);
	find_nodes(&s);
	basket_new(&events->basket, u, view->packages, UNCORE_MULTIPLEX_US);
	for (size_t i = 0; i < (size_t)TOP_SECTIONS * view->packages; i++)
		basket_add_part(&events->basket, i % view->packages);
	for (unsigned i = 0; (group = metric_group(i)) && view->n < TOP_SECTIONS; i++)
		add_section(&s, group);
	add_devices(&s);
	basket_split_windows(&events->basket);
	events->basket.interval_us = interval * 1e6;
}
