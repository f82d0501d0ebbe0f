/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model.c - the sets of `uncore top`, one for each package: what another process has in one
 * package leaves the others alone, and a set is made of few enough events.
 */
#include "command/top/model.h"

#include <math.h>
#include <stdlib.h>

#include "command/base/text.h"
#include "command/top/events.h"
#include "uncore_inspect.h"

/* The events of one package, and their set while it counts. */
struct package {
	struct uncore_set *set;
	size_t *events; /* indices of those that are counted */
	size_t n;
	int64_t *values;
	struct uncore_times *times;
};

struct top_model {
	struct uncore *u;
	struct uncore_machine_info machine;
	struct top_view view;
	size_t known_notes; /* that stay; those behind are of the last reading */
	struct top_events events;
	struct package *packages;
	bool *left_out; /* by package and section */
};

struct top_model *top_model_new(struct uncore *u)
{
	struct top_model *m = need_memory(1, sizeof(*m));

	m->u = u;
	m->machine.size = sizeof(m->machine);
	uncore_machine(u, &m->machine);
	m->view.machine = m->machine.title;
	m->view.simulated = m->machine.simulated;
	m->view.packages = m->machine.packages;
	top_find_events(u, &m->view, &m->events);
	m->packages = need_memory(m->view.packages, sizeof(*m->packages));
	m->left_out = need_memory((size_t)m->view.packages * TOP_SECTIONS, sizeof(*m->left_out));
	return m;
}

static void free_metric(struct top_metric *metric)
{
	free(metric->packages);
	free(metric->boxes);
}

static void forget_set(struct package *p)
{
	uncore_set_destroy(p->set);
	free(p->events);
	free(p->values);
	free(p->times);
	*p = (struct package){.set = NULL};
}

static void forget_notes(struct top_view *view, size_t from)
{
	while (view->n_notes > from)
		free(view->notes[--view->n_notes]);
}

void top_model_free(struct top_model *m)
{
	if (!m)
		return;
	for (unsigned p = 0; p < m->view.packages; p++)
		forget_set(&m->packages[p]);
	for (size_t s = 0; s < m->view.n; s++)
		for (size_t i = 0; i < m->view.sections[s].n; i++)
			free_metric(&m->view.sections[s].metrics[i]);
	forget_notes(&m->view, 0);
	free((void *)m->view.notes);
	free(m->events.list);
	free(m->packages);
	free(m->left_out);
	free(m);
}

/* ---- start ---- */

#define ALL_SECTIONS TOP_SECTIONS

static bool *left_out(const struct top_model *m, unsigned package, size_t section)
{
	return &m->left_out[(size_t)package * TOP_SECTIONS + section];
}

static bool is_counted(const struct top_model *m, const struct top_event *e, unsigned package,
		       size_t section)
{
	if (e->package != package || *left_out(m, package, e->section))
		return false;
	return section == ALL_SECTIONS || e->section == section;
}

static void choose_events(const struct top_model *m, struct package *p, unsigned package,
			  size_t section)
{
	p->events = need_memory(m->events.n, sizeof(*p->events));
	for (size_t i = 0; i < m->events.n; i++)
		if (is_counted(m, &m->events.list[i], package, section))
			p->events[p->n++] = i;
	p->values = need_memory(p->n, sizeof(*p->values));
	p->times = need_memory(p->n, sizeof(*p->times));
}

/* Boxes of a section are compared with each other, so they count in the same windows. */
static unsigned group_of(const struct top_event *e)
{
	return e->box < 0 ? 0 : (unsigned)e->section + 1;
}

static int assign(const struct top_model *m, const struct package *p)
{
	unsigned *ids = need_memory(2 * p->n, sizeof(*ids)), *groups = ids + p->n;
	int code;

	for (size_t i = 0; i < p->n; i++) {
		const struct top_event *e = &m->events.list[p->events[i]];

		ids[i] = e->id;
		groups[i] = group_of(e) <= p->n ? group_of(e) : 0;
	}
	code = uncore_set_assign_groups(p->set, ids, groups, p->n);
	if (code == UNCORE_ECONFLICT)
		code = uncore_set_assign(p->set, ids, p->n);
	free(ids);
	return code;
}

/* Start the events of a package, or of one section there; 0 also if there are none. */
static int start_set(struct top_model *m, unsigned package, size_t section)
{
	struct package *p = &m->packages[package];
	int code;

	choose_events(m, p, package, section);
	if (!p->n)
		return 0;
	code = uncore_set_create(m->u, &p->set);
	if (code == 0)
		code = uncore_set_multiplex(p->set, UNCORE_MULTIPLEX_US);
	if (code == 0)
		code = assign(m, p);
	if (code == 0)
		code = uncore_set_start(p->set);
	return code;
}

/* The section that has most of a package's events. */
static size_t largest_section(const struct top_model *m, unsigned package)
{
	size_t n[TOP_SECTIONS] = {0}, largest = 0;

	for (size_t i = 0; i < m->events.n; i++)
		n[m->events.list[i].section] +=
			is_counted(m, &m->events.list[i], package, ALL_SECTIONS);
	for (size_t s = 0; s < TOP_SECTIONS; s++)
		largest = n[s] > n[largest] ? s : largest;
	return largest;
}

static void leave_out_section(struct top_model *m, unsigned package, size_t section)
{
	char why[UNCORE_ERRMSG_MAX];

	*left_out(m, package, section) = true;
	top_note(&m->view, "%s: package %u is left out: %s", m->view.sections[section].title,
		 package, uncore_errmsg(m->u, why, sizeof(why)));
}

/* The sections that cannot be counted by themselves. */
static void leave_out_refused(struct top_model *m, unsigned package)
{
	for (size_t s = 0; s < m->view.n; s++) {
		if (start_set(m, package, s) < 0)
			leave_out_section(m, package, s);
		forget_set(&m->packages[package]);
	}
}

/* Where each section counts, but not all of them together, it is for the largest one to go. */
static int start_package(struct top_model *m, unsigned package)
{
	int code = start_set(m, package, ALL_SECTIONS);

	for (size_t tries = 0; code < 0 && tries < m->view.n; tries++) {
		forget_set(&m->packages[package]);
		if (tries == 0)
			leave_out_refused(m, package);
		else
			leave_out_section(m, package, largest_section(m, package));
		code = start_set(m, package, ALL_SECTIONS);
	}
	if (code < 0)
		forget_set(&m->packages[package]);
	return code;
}

static bool any_counts(const struct top_model *m)
{
	for (unsigned p = 0; p < m->view.packages; p++)
		if (m->packages[p].set)
			return true;
	return false;
}

int top_model_start(struct top_model *m)
{
	int code = 0;

	for (unsigned p = 0; p < m->view.packages; p++) {
		const int now = start_package(m, p);

		code = code ? code : now;
	}
	m->known_notes = m->view.n_notes;
	if (any_counts(m))
		return 0;
	return code ? code : UNCORE_ENODEV;
}

/* ---- reading ---- */

static struct top_value *value_of(struct top_model *m, const struct top_event *e)
{
	struct top_metric *metric = &m->view.sections[e->section].metrics[e->metric];

	return e->box < 0 ? &metric->packages[e->package] : &metric->boxes[e->box].value;
}

static void forget_values(struct top_model *m)
{
	for (size_t i = 0; i < m->events.n; i++)
		*value_of(m, &m->events.list[i]) = (struct top_value){.number = NAN};
}

static void put_value(struct top_model *m, const struct package *p, size_t i, double seconds)
{
	const struct top_event *e = &m->events.list[p->events[i]];
	const bool real = m->view.sections[e->section].metrics[e->metric].real;
	struct top_value *value = value_of(m, e);

	if (!p->times[i].running_ns || !(seconds > 0))
		return; /* its first window is still to come */
	value->number = real ? uncore_real(p->values[i]) : (double)p->values[i] / seconds;
	value->estimate = p->times[i].running_ns < p->times[i].enabled_ns;
}

/*
 * Values are those since the last reset, since means have no difference.  It follows the read at
 * once, so that nothing is lost between the two.
 */
static int read_values(struct top_model *m, struct package *p)
{
	int64_t ns = 0;
	const int code = uncore_set_read_timed(p->set, p->values, &ns);
	const int reset = uncore_set_reset(p->set);

	m->view.seconds = (double)ns * 1e-9;
	return code < 0 ? code : reset;
}

static void read_package(struct top_model *m, unsigned package)
{
	struct package *p = &m->packages[package];
	char why[UNCORE_ERRMSG_MAX];
	int code = read_values(m, p);

	p->times->size = sizeof(*p->times);
	if (code == 0)
		code = uncore_set_times(p->set, p->times);
	for (size_t i = 0; code == 0 && i < p->n; i++)
		put_value(m, p, i, m->view.seconds);
	if (code == 0)
		code = uncore_set_check(p->set);
	if (code < 0)
		top_note(&m->view, "package %u: %s", package,
			 uncore_errmsg(m->u, why, sizeof(why)));
	if (code == UNCORE_ESTOLEN) /* which is told once, and stays true */
		m->known_notes = m->view.n_notes;
}

static void add_up(struct top_metric *metric, unsigned packages)
{
	for (unsigned p = 0; p < packages; p++)
		metric->packages[p] = (struct top_value){.number = NAN};
	for (size_t i = 0; i < metric->n_boxes; i++) {
		const struct top_box *b = &metric->boxes[i];
		struct top_value *sum = &metric->packages[b->package];

		if (isnan(b->value.number))
			continue;
		sum->number = isnan(sum->number) ? b->value.number : sum->number + b->value.number;
		sum->estimate |= b->value.estimate;
	}
}

struct top_view *top_model_read(struct top_model *m)
{
	forget_notes(&m->view, m->known_notes);
	forget_values(m);
	for (unsigned p = 0; p < m->view.packages; p++)
		if (m->packages[p].set)
			read_package(m, p);
	for (size_t s = 0; s < m->view.n; s++)
		for (size_t i = 0; i < m->view.sections[s].n; i++)
			if (m->view.sections[s].metrics[i].n_boxes)
				add_up(&m->view.sections[s].metrics[i], m->view.packages);
	return &m->view;
}

int top_model_stop(struct top_model *m)
{
	int code = 0;

	for (unsigned p = 0; p < m->view.packages; p++) {
		const int now = m->packages[p].set ? uncore_set_stop(m->packages[p].set) : 0;

		code = code ? code : now;
	}
	return code;
}
