/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c - see events.h. */
#include "command/top/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/fit.h"
#include "command/base/slices.h"
#include "command/base/text.h"
#include "uncore_inspect.h"

/* What stands above the column of a metric, and whether its boxes are shown. */
static const struct {
	const char *metric, *label;
	enum top_detail detail;
} shown[] = {
	{"UNCORE_MEM_READ_BYTES", "read", TOP_NUMBER},
	{"UNCORE_MEM_WRITE_BYTES", "write", TOP_NUMBER},
	{"UNCORE_MEM_BYTES", "total", TOP_SUM},
	{"UNCORE_MEM_BYTES_SPLIT", "total", TOP_SUM},
	{"UNCORE_MCDRAM_READ_BYTES", "MCDRAM rd", TOP_NUMBER},
	{"UNCORE_MCDRAM_WRITE_BYTES", "MCDRAM wr", TOP_NUMBER},
	{"UNCORE_HBM_READ_BYTES", "HBM read", TOP_NUMBER},
	{"UNCORE_HBM_WRITE_BYTES", "HBM write", TOP_NUMBER},
	{"UNCORE_DRAM_PAGE_HIT_RATIO", "page hits", TOP_SUM},
	{"UNCORE_TOR_DRD_LATENCY_NS", "data reads", TOP_SUM},
	{"UNCORE_TOR_DRD_MISS_LATENCY_NS", "of misses", TOP_SUM},
	{"UNCORE_TOR_DRD_OCCUPANCY_AVG", "in flight", TOP_SUM},
	{"UNCORE_INGRESS_LATENCY_NS", "ingress", TOP_SUM},
	{"UNCORE_INGRESS_OCCUPANCY_AVG", "waiting", TOP_SUM},
	{"UNCORE_FREQUENCY", "clock", TOP_SUM},
	{"UNCORE_LLC_LOOKUPS", "lookups", TOP_MAP},
	{"UNCORE_LLC_MISSES", "misses", TOP_SUM},
	{"UNCORE_LLC_MISS_RATIO", "miss ratio", TOP_SUM},
	{"UNCORE_LLC_MISS_RATIO_SPLIT", "miss ratio", TOP_SUM},
	{"UNCORE_LLC_DRD_MISS_RATIO", "read miss", TOP_SUM},
	{"UNCORE_LLC_RFO_MISS_RATIO", "RFO miss", TOP_SUM},
	{"UNCORE_TOR_DRD_REQUESTS", "data reads", TOP_MAP},
	{"UNCORE_INGRESS_REQUESTS", "requests", TOP_MAP},
	{"UNCORE_SOCKET_OUT_BYTES", "out", TOP_NUMBER},
	{"UNCORE_SOCKET_IN_BYTES", "in", TOP_NUMBER},
	{"UNCORE_LINK_UTILISATION", "used", TOP_SUM},
	{"UNCORE_PCIE_READ_BYTES", "to devices", TOP_SUM},
	{"UNCORE_PCIE_WRITE_BYTES", "to memory", TOP_SUM},
	{"UNCORE_PCIE_WRITE_BYTES_SPLIT", "to memory", TOP_SUM},
	{"UNCORE_POWER_PACKAGE_WATTS", "package", TOP_SUM},
	{"UNCORE_POWER_DRAM_WATTS", "DRAM", TOP_SUM},
	{"UNCORE_CORES_IN_C0", "in C0", TOP_SUM},
	{"UNCORE_CORES_IN_C6", "in C6", TOP_SUM},
	{"UNCORE_THERMAL_LIMIT_RATIO", "too hot", TOP_SUM},
};

#define N_SHOWN (sizeof(shown) / sizeof(*shown))

/* What slices are compared by where they have no lookups: of one event each. */
static const char *const other_maps[] = {"UNCORE_TOR_DRD_REQUESTS", "UNCORE_INGRESS_REQUESTS"};

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
	struct top_metric *metric; /* that is being made */
	const char *name;
};

static void add_event(struct search *s, unsigned id, unsigned package, int box)
{
	struct top_events *e = s->events;

	e->list = need_more(e->list, e->n + 1, sizeof(*e->list));
	e->list[e->n++] = (struct top_event){.id = id,
					     .package = package,
					     .section = (size_t)(s->section - s->view->sections),
					     .metric = (size_t)(s->metric - s->section->metrics),
					     .box = box};
}

/* "...:box=12:pkg=1" */
static unsigned box_of(const char *name)
{
	const char *box = strstr(name, ":box=");

	return box ? (unsigned)strtoul(box + strlen(":box="), NULL, 10) : 0;
}

static void add_box(struct search *s, unsigned id, unsigned package)
{
	struct top_metric *m = s->metric;

	m->boxes = need_more(m->boxes, m->n_boxes + 1, sizeof(*m->boxes));
	m->boxes[m->n_boxes] =
		(struct top_box){package, box_of(uncore_event_name(s->u, id)), {.number = NAN}, 0};
	if (m->detail == TOP_MAP)
		m->boxes[m->n_boxes].expected = expected_of_slice(s->u, id);
	add_event(s, id, package, (int)m->n_boxes++);
}

/* An event for each box; false: the metric has no such, or its events do not fit. */
static bool find_boxes(struct search *s, unsigned package)
{
	char *name = text_of("%s:box=*:pkg=%u", s->name, package);
	unsigned *ids = NULL, id, n = 0;
	int code;

	while ((code = uncore_event_part(s->u, name, n, &id)) == 1) {
		ids = need_more(ids, n + 1, sizeof(*ids));
		ids[n++] = id;
	}
	if (n && code == 0)
		code = events_fit(s->u, ids, n);
	for (unsigned i = 0; code == 0 && i < n; i++)
		add_box(s, ids[i], package);
	free(ids);
	free(name);
	return n && code == 0;
}

/* What is not there is left out; what is refused is told. */
static bool find_whole(struct search *s, unsigned package)
{
	char *name = text_of("%s:pkg=%u", s->name, package);
	char why[UNCORE_ERRMSG_MAX];
	unsigned id;
	int code = uncore_event(s->u, name, &id);

	if (code == 0)
		code = events_fit(s->u, &id, 1);
	if (code == 0)
		add_event(s, id, package, -1);
	else if (!is_not_here(code))
		top_note(s->view, "%s: %s", s->section->title,
			 uncore_errmsg(s->u, why, sizeof(why)));
	free(name);
	return code == 0;
}

static bool has_map(const struct top_section *section)
{
	for (size_t i = 0; i < section->n; i++)
		if (section->metrics[i].detail == TOP_MAP)
			return true;
	return false;
}

static enum top_detail detail_of(const struct search *s, const char **label)
{
	enum top_detail detail = TOP_SUM;

	*label = s->name;
	for (size_t i = 0; i < N_SHOWN; i++)
		if (strcmp(shown[i].metric, s->name) == 0) {
			*label = shown[i].label;
			detail = shown[i].detail;
		}
	return detail == TOP_MAP && has_map(s->section) ? TOP_SUM : detail;
}

/* Its unit is that of any of its events. */
static void describe(struct search *s, unsigned id)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	struct top_metric *m = s->metric;

	if (uncore_event_info(s->u, id, &info) < 0)
		return;
	snprintf(m->units, sizeof(m->units), "%s", info.units);
	m->real = info.real;
}

/* The kind of box: that of the first assignment of its plan. */
static const char *kind_of(struct uncore *u, unsigned id)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_plan *plan = NULL;
	const char *kind = "box";

	if (uncore_plan(u, &id, 1, NULL, &plan) == 0 && uncore_plan_assignment(plan, 0, &a) == 1)
		kind = a.kind;
	uncore_plan_free(plan);
	return kind;
}

static bool add_metric(struct search *s, const char *name)
{
	const size_t first = s->events->n;
	struct top_metric *m = &s->section->metrics[s->section->n];

	s->name = name;
	s->metric = m;
	*m = (struct top_metric){.label = name};
	m->detail = detail_of(s, &m->label);
	for (unsigned p = 0; m->detail != TOP_SUM && p < s->view->packages; p++)
		find_boxes(s, p);
	if (!m->n_boxes)
		m->detail = TOP_SUM;
	for (unsigned p = 0; m->detail == TOP_SUM && p < s->view->packages; p++)
		find_whole(s, p);
	if (s->events->n == first)
		return false;
	describe(s, s->events->list[first].id);
	m->kind = m->n_boxes ? kind_of(s->u, s->events->list[first].id) : NULL;
	m->packages = need_memory(s->view->packages, sizeof(*m->packages));
	s->section->n++;
	return true;
}

/* ---- sections ---- */

static bool is_shown(const struct top_view *view, const char *metric)
{
	const char *label = NULL;

	for (size_t i = 0; i < N_SHOWN; i++)
		if (strcmp(shown[i].metric, metric) == 0)
			label = shown[i].label;
	for (size_t i = 0; i < view->n; i++)
		for (size_t k = 0; k < view->sections[i].n; k++)
			if (label && view->sections[i].metrics[k].label == label)
				return true;
	return false;
}

static void add_section(struct search *s, const struct metric_group *group)
{
	s->section = &s->view->sections[s->view->n];
	*s->section = (struct top_section){.title = group->title};
	for (size_t i = 0; group->metrics[i].name; i++)
		if (!is_shown(s->view, group->metrics[i].name) &&
		    !add_metric(s, group->metrics[i].name) && group->metrics[i].otherwise)
			add_metric(s, group->metrics[i].otherwise);
	for (size_t i = 0; strcmp(group->name, "cache") == 0 &&
			   i < sizeof(other_maps) / sizeof(*other_maps) && !has_map(s->section);
	     i++)
		add_metric(s, other_maps[i]);
	s->view->n += s->section->n > 0;
}

void top_find_events(struct uncore *u, struct top_view *view, struct top_events *events)
{
	const struct metric_group *group;
	struct search s = {.u = u, .view = view, .events = events};

	for (unsigned i = 0; (group = metric_group(i)) && view->n < TOP_SECTIONS; i++)
		add_section(&s, group);
}
