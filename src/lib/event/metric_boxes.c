/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metric_boxes.c - the boxes of a metric's events.  If they are all of one kind, the metric can
 * be measured per box, so it takes box= like an event.
 */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/name_space.h"
#include "shared/stacks.h"

static const struct unc_pmu *pmu_named(const struct unc_names *n, const char *name, size_t len)
{
	for (unsigned i = 0; i < n->n_pmus; i++)
		if (strlen(n->pmus[i].name) == len && strncmp(n->pmus[i].name, name, len) == 0)
			return &n->pmus[i];
	return NULL;
}

/* Rows are only known by name until they are listed. */
static const struct unc_pmu *pmu_of_row(const struct unc_names *n, const char *name)
{
	for (unsigned i = 0; i < n->n_pmus; i++) {
		const struct unc_row *row = unc_lists_rows(n->lists, n->pmus[i].type);

		for (; row && *row->name; row++)
			if (!row->umask && row->stepping <= n->machine->topo.stepping &&
			    strcmp(row->name, name) == 0)
				return &n->pmus[i];
	}
	return NULL;
}

/* Among the events listed so far, which are those of existing boxes. */
static const struct unc_pmu *pmu_of(const struct unc_names *n, const char *event)
{
	const char *raw = strstr(event, "::");
	struct unc_entry e, *const *found;

	if (raw)
		return pmu_named(n, event, (size_t)(raw - event));
	snprintf(e.name, sizeof(e.name), "%.*s", (int)strcspn(event, ":"), event);
	found = tfind(&e, &n->tree, unc_entry_compare);
	return found ? (*found)->pmu : pmu_of_row(n, e.name);
}

bool unc_recipe_has_events(const struct unc_names *n, const struct unc_recipe *r)
{
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++) {
		const struct unc_metric_event *e = &r->events[i];

		if (!pmu_of(n, e->event) || (*e->each && !pmu_of(n, e->each)))
			return false;
	}
	return true;
}

/* An event in another kind of box than the first one; NULL: all are in the same kind. */
static const char *of_another_kind(const struct unc_names *n, const struct unc_recipe *r)
{
	const struct unc_pmu *first = pmu_of(n, r->events[0].event);

	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++) {
		const struct unc_metric_event *e = &r->events[i];

		if (pmu_of(n, e->event) != first)
			return e->event;
		if (*e->each && pmu_of(n, e->each) != first)
			return e->each;
	}
	return NULL;
}

static unsigned is_split_in(const struct unc_recipe *r)
{
	for (unsigned i = 0; i < UNC_MAX_METRIC_EVENTS && *r->events[i].event; i++)
		if (r->events[i].of)
			return r->events[i].of;
	return 0;
}

/* Energy and frequency limits are only counted by the box kinds that have them. */
static bool is_packages(const struct unc_recipe *r)
{
	return r->energy || unc_metric_of(r)->kind == UNC_LEVEL;
}

const struct unc_pmu *unc_recipe_pmu(const struct unc_names *n, const struct unc_recipe *r)
{
	if (!r || is_packages(r) || is_split_in(r) || of_another_kind(n, r))
		return NULL;
	return pmu_of(n, r->events[0].event);
}

int unc_check_metric_boxes(struct unc_names *n, const struct unc_parsed *p)
{
	const struct unc_recipe *r = p->base->recipe;
	const char *other, *name = p->base->metric->name;

	if ((!p->where.boxes.n && !p->all_boxes) || unc_recipe_pmu(n, r))
		return 0;
	if (is_packages(r))
		return unc_fail(n->err, UNCORE_EATTR,
				"%s is measured per package, not per box: use pkg=, die= or cpu= "
				"instead of box=",
				name);
	if (is_split_in(r))
		return unc_fail(n->err, UNCORE_EATTR,
				"%s requires all %s boxes: use pkg=, die= or cpu= instead of box=",
				name, is_split_in(r) == 2 ? "second" : "third");
	other = of_another_kind(n, r);
	return unc_fail(n->err, UNCORE_EATTR,
			"%s uses several kinds of boxes, %s and %s: use pkg=, die= or cpu= instead "
			"of box=",
			name, r->events[0].event, other ? other : "others");
}

/* ---- metrics by port (part=), docs/devices.md ---- */

static const struct unc_port_metric *find(const struct unc_names *n, const struct unc_parsed *p)
{
	for (const struct unc_port_metric *m = unc_port_metrics; m->platform; m++)
		if (m->platform == n->machine->platform &&
		    strcmp(m->metric, p->base->metric->name) == 0)
			return m;
	return NULL;
}

bool unc_is_by_port(const struct unc_names *n, const struct unc_parsed *p)
{
	return find(n, p) != NULL;
}

struct unc_recipe *unc_port_recipe(struct unc_names *n, const struct unc_parsed *p, int *code)
{
	const struct unc_port_metric *m = find(n, p);
	struct unc_recipe *r = calloc(1, sizeof(*r));

	if (!r || !m) {
		*code = unc_fail(n->err, UNCORE_ENOMEM, "out of memory for %s", p->event);
		free(r);
		return NULL;
	}
	r->metric = p->base->recipe->metric;
	r->events[0].above = m->bytes;
	snprintf(r->events[0].event, sizeof(r->events[0].event), "%.*s%u%s",
		 (int)(strstr(m->event, "%u") - m->event), m->event, p->port - 1,
		 strstr(m->event, "%u") + 2);
	return r;
}
