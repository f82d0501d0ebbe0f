/* SPDX-License-Identifier: BSD-3-Clause */
/* model.c - the counts and values of `uncore top`, with one set per package. */
#include "command/top/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/explain/ceilings.h"
#include "command/explain/clocks.h"
#include "command/top/events.h"
#include "uncore_inspect.h"

struct top_model {
	struct uncore *u;
	struct uncore_machine_info machine;
	struct top_view view;
	size_t known_notes; /* permanent notes; the others are from the last read */
	struct top_events events;
	struct ceilings ceilings;
	double *peaks; /* theoretical; NULL: measured ones are better, or unknown */
};

static void load_ceilings(struct top_model *m)
{
	char *identity = ceilings_identity(m->u);

	ceilings_load(&m->ceilings, identity);
	free(identity);
	if (!m->ceilings.packages && !m->machine.recorded)
		m->peaks = peaks_of_clocks(m->u);
}

struct top_model *top_model_new(struct uncore *u, double interval)
{
	struct top_model *m = need_memory(1, sizeof(*m));

	m->u = u;
	m->machine.size = sizeof(m->machine);
	uncore_machine(u, &m->machine);
	m->view.machine = m->machine.title;
	m->view.simulated = m->machine.simulated;
	m->view.packages = m->machine.packages;
	top_find_events(u, interval, &m->view, &m->events);
	load_ceilings(m);
	return m;
}

static void free_metric(struct top_metric *metric)
{
	free(metric->packages);
	free(metric->boxes);
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
	basket_free(&m->events.basket);
	for (size_t s = 0; s < m->view.n; s++) {
		for (size_t i = 0; i < m->view.sections[s].n; i++)
			free_metric(&m->view.sections[s].metrics[i]);
		free(m->view.sections[s].history);
	}
	for (size_t i = 0; i < m->view.n_stacks; i++)
		free(m->view.stacks[i].devices);
	free(m->view.stacks);
	free((void *)m->view.nodes);
	free_node_labels(&m->events.nodes);
	forget_notes(&m->view, 0);
	free((void *)m->view.notes);
	free(m->view.used);
	ceilings_free(&m->ceilings);
	free(m->peaks);
	free(m->events.list);
	free(m);
}

/* ---- start ---- */

/* The events of a package, which are all in one set. */
static struct basket_set *set_of(struct top_model *m, unsigned package)
{
	return &m->events.basket.units[package].sets[1];
}

static bool start_package(struct top_model *m, unsigned package)
{
	basket_start(&m->events.basket, package);
	for (size_t s = 0; s < m->view.n; s++) {
		const struct basket_part *part =
			&m->events.basket.parts[s * m->view.packages + package];

		if (part->reason)
			top_note(&m->view, "%s: package %u is not shown: %s",
				 m->view.sections[s].title, package, part->reason);
	}
	return set_of(m, package)->set;
}

int top_model_start(struct top_model *m)
{
	bool any = false;

	for (unsigned p = 0; p < m->view.packages; p++)
		any |= start_package(m, p);
	m->known_notes = m->view.n_notes;
	return any ? 0 : UNCORE_ENODEV;
}

/* ---- reading ---- */

static struct top_value *value_of(struct top_model *m, const struct top_event *e)
{
	struct top_metric *metric = &m->view.sections[e->section].metrics[e->metric];

	return e->box < 0 ? &metric->packages[e->package] : &metric->boxes[e->box].value;
}

static void forget_values(struct top_model *m)
{
	for (size_t i = 0; i < m->events.basket.n_events; i++)
		*value_of(m, &m->events.list[i]) = (struct top_value){.number = NAN};
}

static void put_mean(struct top_value *value, double mean, double error)
{
	value->number = mean;
	value->error = error > 0 && mean > 0 ? error / mean : fmin(error, 0);
}

static void put_value(struct top_model *m, const struct basket_set *s, size_t i)
{
	struct top_event *e = &m->events.list[s->events[i]];
	const struct uncore_times before = e->before, *now = &s->times[i];
	struct top_value *value = value_of(m, e);

	e->before = *now;
	if (has_no_window(now) || s->ns <= 0)
		return;
	value->estimate = now->running_ns < now->enabled_ns;
	if (m->view.sections[e->section].metrics[e->metric].real) {
		const double mean = uncore_real(s->values[i]);

		if (!is_of_earlier_time(&before, now))
			put_mean(value, mean, error_of_mean(&before, now, s->ns, mean));
		return;
	}
	value->number = per_second(gain_of_interval(&before, now, (double)s->values[i], s->ns),
				   m->view.seconds);
	value->error = error_of_interval(&before, now, s->ns);
}

/*
 * Values are counted since the last reset, because means cannot be subtracted.  The reset directly
 * follows the read, so that nothing is lost in between.
 */
static int read_values(struct top_model *m, struct basket_set *s)
{
	const int code = basket_read(s), reset = uncore_set_reset(s->set);

	m->view.seconds = (double)s->ns * 1e-9;
	return code < 0 ? code : reset;
}

static void read_package(struct top_model *m, unsigned package)
{
	struct basket_set *s = set_of(m, package);
	char why[UNCORE_ERRMSG_MAX];
	int code = read_values(m, s);

	if (code == 0)
		code = basket_times(s);
	for (size_t i = 0; code == 0 && i < s->n; i++)
		put_value(m, s, i);
	if (code == 0)
		code = uncore_set_check(s->set);
	if (code < 0)
		top_note(&m->view, "package %u: %s", package,
			 uncore_errmsg(m->u, why, sizeof(why)));
	if (code == UNCORE_ESTOLEN) /* permanent, so it is reported once */
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
		/* an upper bound: errors of boxes that count in the same windows do not cancel */
		sum->error = fmax(sum->error, b->value.error);
	}
}

static void remember(struct top_section *s, unsigned packages)
{
	double *now;

	if (!s->history)
		s->history = need_memory((size_t)packages * TOP_HISTORY, sizeof(*s->history));
	for (unsigned p = 0; p < packages; p++) {
		now = s->history + (size_t)p * TOP_HISTORY;
		if (s->n_history == TOP_HISTORY)
			memmove(now, now + 1, (TOP_HISTORY - 1) * sizeof(*now));
		now[s->n_history < TOP_HISTORY ? s->n_history : TOP_HISTORY - 1] =
			s->metrics[0].packages[p].number;
	}
	if (s->n_history < TOP_HISTORY)
		s->n_history++;
}

/* ---- memory bandwidth in use ---- */

static double number_of(const struct top_model *m, const char *name, unsigned package)
{
	for (size_t s = 0; s < m->view.n; s++)
		for (size_t i = 0; i < m->view.sections[s].n; i++)
			if (strcmp(m->view.sections[s].metrics[i].name, name) == 0)
				return m->view.sections[s].metrics[i].packages[package].number;
	return (double)NAN;
}

/* NAN: unknown. */
static double most_of(const struct top_model *m, unsigned package, double reads)
{
	return m->peaks ? m->peaks[package] : ceiling_of_mix(&m->ceilings, package, reads);
}

static void find_used(struct top_model *m)
{
	const char *of = m->peaks ? "theoretical peak" : "measured";
	char *text = NULL;

	for (unsigned p = 0; p < m->view.packages; p++) {
		const double read = number_of(m, "UNCORE_MEM_READ_BYTES", p);
		const double all = read + number_of(m, "UNCORE_MEM_WRITE_BYTES", p);
		const double used = all / most_of(m, p, read / all);

		if (isnan(used))
			continue;
		text = text_and(text ? text : text_of("memory bandwidth in use, of the %s:", of),
				" socket %u %.0f %%", p, 100 * used);
	}
	free(m->view.used);
	m->view.used = text;
}

struct top_view *top_model_read(struct top_model *m)
{
	forget_notes(&m->view, m->known_notes);
	forget_values(m);
	for (unsigned p = 0; p < m->view.packages; p++)
		if (set_of(m, p)->set)
			read_package(m, p);
	for (size_t s = 0; s < m->view.n; s++)
		for (size_t i = 0; i < m->view.sections[s].n; i++)
			if (m->view.sections[s].metrics[i].n_boxes)
				add_up(&m->view.sections[s].metrics[i], m->view.packages);
	for (size_t s = 0; s < m->view.n; s++)
		remember(&m->view.sections[s], m->view.packages);
	find_used(m);
	return &m->view;
}

int top_model_stop(struct top_model *m)
{
	int code = 0;

	for (unsigned p = 0; p < m->view.packages; p++) {
		struct uncore_set *set = set_of(m, p)->set;
		const int now = set ? uncore_set_stop(set) : 0;

		code = code ? code : now;
	}
	return code;
}
