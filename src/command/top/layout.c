/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - see layout.h. */
#include "command/top/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/device_places.h"
#include "command/base/text.h"
#include "command/top/number.h"
#include "command/top/parts.h"

#define SHOWN_ERROR 0.001 /* smaller ones are not shown */
#define HISTORY     11    /* first column of a row's history, behind "socket 12" */

/* ---- head ---- */

/* As many words of a title as fit, but not only a part of what is in brackets. */
static int title_length(const char *title, int width)
{
	int length = 0;

	for (int i = 1; i <= width && title[i - 1]; i++)
		if (!title[i] ||
		    (title[i] == ' ' && (!strchr(title + i, ')') || strchr(title + i, '('))))
			length = i;
	return length;
}

static void put_head(const struct top_view *v, const struct top_display *d, struct top_rows *r)
{
	const char *simulated = v->simulated ? "SIMULATED " : "";
	char *time = text_of("%s%s%s%.2f s", d->paused ? "PAUSED  " : "", v->time ? v->time : "",
			     v->time ? "  " : "", v->seconds);
	const unsigned len = (unsigned)strlen(time), at = (unsigned)strlen(simulated);

	rows_new(r);
	rows_put(r, 0, TOP_ALERT, "%s", simulated);
	rows_put(r, at, TOP_TITLE, "%.*s",
		 title_length(v->machine, (int)r->width - (int)at - (int)len - 1), v->machine);
	if (r->width > len) {
		rows_put(r, r->width - len - 1, TOP_TITLE, " ");
		rows_put(r, r->width - len, d->paused ? TOP_ALERT : TOP_DIM, "%s", time);
	}
	free(time);
}

/* The estimate with the largest error, and its metric; NULL: there are no estimates. */
static const struct top_value *worst_estimate(const struct top_view *v,
					      const struct top_metric **metric)
{
	const struct top_value *worst = NULL;

	for (size_t s = 0; s < v->n; s++)
		for (size_t i = 0; i < v->sections[s].n; i++) {
			const struct top_metric *m = &v->sections[s].metrics[i];

			for (unsigned p = 0; p < v->packages; p++) {
				const struct top_value *value = &m->packages[p];

				if (!value->estimate || (worst && value->error <= worst->error))
					continue;
				worst = value;
				*metric = m;
			}
		}
	return worst;
}

static void put_notes(const struct top_view *v, struct top_rows *r)
{
	const struct top_metric *metric = NULL;
	const struct top_value *worst = worst_estimate(v, &metric);

	if (worst && worst->error >= SHOWN_ERROR) {
		char *text = text_of("~ estimate: the events are multiplexed; standard error up "
				     "to %.1f %% (%s)",
				     100 * worst->error, metric->label);

		rows_put_folded(r, TOP_DIM, text);
		free(text);
	} else if (worst) {
		rows_put_folded(r, TOP_DIM, "~ estimate: the events are multiplexed");
	}
	if (v->used)
		rows_put_folded(r, TOP_DIM, v->used);
	for (size_t i = 0; i < v->n_notes; i++)
		rows_put_folded(r, TOP_ALERT, v->notes[i]);
}

/* ---- packages, and their sum ---- */

static void put_labels(struct top_rows *r, const struct top_section *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		rows_put(r, LABEL + (unsigned)(i - from) * COLUMN, TOP_HEADING, "%*s", COLUMN,
			 s->metrics[i].label);
}

/* The last values of the section's first metric, as shades of the largest. */
static void put_history(struct top_rows *r, const double *values, size_t n, double largest)
{
	const struct range range = {.high = largest};

	for (size_t i = 0; n > 1 && i < n; i++) {
		const unsigned column = HISTORY + (unsigned)(TOP_HISTORY - n + i),
			       shade = shade_of(&range, values[i]);

		if (!isnan(values[i]))
			rows_put(r, column, TOP_CELL + shade, "%c", shade_letter(shade));
	}
}

static double largest_of(const double *values, size_t n)
{
	double largest = 0;

	for (size_t i = 0; i < n; i++)
		largest = fmax(largest, values[i]);
	return largest;
}

static void put_row(struct top_rows *r, const char *label, const struct top_section *s, size_t from,
		    size_t to, const struct top_value *values)
{
	char text[TOP_NUMBER_TEXT];

	rows_new(r);
	rows_put(r, 0, TOP_PLAIN, "%s", label);
	for (size_t i = from; i < to; i++)
		rows_put(r, LABEL + (unsigned)(i - from) * COLUMN, TOP_PLAIN, "%*s", COLUMN,
			 isinf(values[i].number)
				 ? ""
				 : top_number_text(text, &s->metrics[i], &values[i]));
}

static void put_package(struct top_rows *r, const struct top_section *s, size_t from, size_t to,
			unsigned package, unsigned packages)
{
	struct top_value values[TOP_METRICS];
	char *label = text_of("socket %u", package);

	for (size_t i = from; i < to; i++)
		values[i] = s->metrics[i].packages[package];
	put_row(r, label, s, from, to, values);
	if (from == 0 && s->history)
		put_history(r, s->history + (size_t)package * TOP_HISTORY, s->n_history,
			    largest_of(s->history, (size_t)packages * TOP_HISTORY));
	free(label);
}

/* Only these means of packages have a meaningful sum. */
static bool has_sum(const struct top_metric *m)
{
	return !m->real || strcmp(m->units, "W") == 0 || strcmp(m->units, "cores") == 0;
}

/* Infinite: the machine has no such value. */
static struct top_value sum_of(const struct top_metric *m, unsigned packages)
{
	struct top_value sum = {.number = has_sum(m) ? 0 : INFINITY};

	for (unsigned p = 0; has_sum(m) && p < packages; p++) {
		sum.number += m->packages[p].number;
		sum.estimate |= m->packages[p].estimate;
	}
	return sum;
}

/* The sum of the boxes of a metric that serve a node; infinite: it has none. */
static struct top_value value_of_node(const struct top_metric *m, unsigned package,
				      const char *node)
{
	struct top_value sum = {.number = INFINITY};

	for (size_t i = 0; has_sum(m) && i < m->n_boxes; i++) {
		const struct top_box *b = &m->boxes[i];

		if (b->package != package || !is_of_node(b, node))
			continue;
		sum.number = isinf(sum.number) ? b->value.number : sum.number + b->value.number;
		sum.estimate |= b->value.estimate;
		sum.error = fmax(sum.error, b->value.error);
	}
	return sum;
}

/* A row for each node of a package. */
static void put_nodes(struct top_rows *r, const struct top_view *v, const struct top_section *s,
		      size_t from, size_t to, unsigned package)
{
	for (size_t n = 0; n < v->n_nodes; n++) {
		struct top_value values[TOP_METRICS];
		bool any = false;
		char *label = text_of("  node %s", v->nodes[n]);

		for (size_t i = from; i < to; i++) {
			values[i] = value_of_node(&s->metrics[i], package, v->nodes[n]);
			any |= !isinf(values[i].number);
		}
		if (any)
			put_row(r, label, s, from, to, values);
		free(label);
	}
}

static void put_system(struct top_rows *r, const struct top_section *s, size_t from, size_t to,
		       unsigned packages)
{
	struct top_value values[TOP_METRICS];
	double history[TOP_HISTORY] = {0};

	for (size_t i = from; i < to; i++)
		values[i] = sum_of(&s->metrics[i], packages);
	put_row(r, "system", s, from, to, values);
	if (from || !s->history || !has_sum(&s->metrics[0]))
		return;
	for (unsigned p = 0; p < packages; p++)
		for (size_t i = 0; i < s->n_history; i++)
			history[i] += s->history[(size_t)p * TOP_HISTORY + i];
	put_history(r, history, s->n_history, largest_of(history, s->n_history));
}

/* ---- sections ---- */

static bool shows_boxes(const struct top_view *v, const struct top_display *d)
{
	return v->packages == 1 || !d->system_only;
}

static bool any_sum(const struct top_section *s, size_t from, size_t to)
{
	bool any = false;

	for (size_t i = from; i < to; i++)
		any |= has_sum(&s->metrics[i]);
	return any;
}

/* Metrics without a sum are shown for each package, at least. */
static void put_values(struct top_rows *r, const struct top_view *v, const struct top_display *d,
		       const struct top_section *s, size_t from, size_t to)
{
	const bool sum = v->packages > 1 && any_sum(s, from, to), boxes = shows_boxes(v, d);

	for (unsigned p = 0; (boxes || !sum) && p < v->packages; p++) {
		put_package(r, s, from, to, p, v->packages);
		put_nodes(r, v, s, from, to, p);
		if (boxes)
			put_boxes(r, s, from, to, p, d->sorted);
	}
	if (sum)
		put_system(r, s, from, to, v->packages);
}

/* As many metrics per row as there are columns, continued below. */
static void put_section(struct top_rows *r, const struct top_view *v, const struct top_display *d,
			const struct top_section *s)
{
	const size_t room = rows_fit(r, COLUMN);

	for (size_t from = 0; from < s->n; from += room) {
		const size_t to = from + room < s->n ? from + room : s->n;

		rows_new(r);
		rows_put(r, 0, TOP_HEADING, "%-*s", (int)r->width, from ? "" : s->title);
		put_labels(r, s, from, to);
		put_values(r, v, d, s, from, to);
	}
	for (size_t i = 0; shows_boxes(v, d) && i < s->n; i++)
		if (s->metrics[i].detail == TOP_MAP)
			put_map(r, v, &s->metrics[i], d->sorted);
}

/* ---- devices ---- */

static void put_devices(const struct top_view *v, struct top_rows *r)
{
	for (size_t i = 0; i < v->n_stacks; i++) {
		const struct top_stack *stack = &v->stacks[i];
		char *place = name_of_place(stack->number, (int)stack->port - 1);
		char *text = text_of("%s of socket %u: %s", place, stack->package, stack->devices);

		rows_put_folded(r, TOP_DIM, text);
		free(text);
		free(place);
	}
}

void top_layout(const struct top_view *view, const struct top_display *display, unsigned width,
		struct top_rows *rows)
{
	static const struct top_display plain = {.sorted = false};
	const struct top_display *d = display ? display : &plain;

	rows->width = width < TOP_MIN_WIDTH ? TOP_MIN_WIDTH : width;
	rows->n = 0;
	put_head(view, d, rows);
	put_notes(view, rows);
	for (size_t i = 0; i < view->n; i++)
		put_section(rows, view, d, &view->sections[i]);
	if (shows_boxes(view, d))
		put_devices(view, rows);
}
