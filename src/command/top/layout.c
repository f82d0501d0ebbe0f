/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - see layout.h. */
#include "command/top/layout.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/top/number.h"

#define LABEL  24 /* columns of a row's label */
#define COLUMN 11 /* ... of a metric */
#define CELL   7  /* ... of a box's number */
#define SLICE  2  /* ... of a cell of a map */

static const char shades[TOP_SHADES + 1] = ".,:-=+*#%@";

/* ---- rows ---- */

static void new_row(struct top_rows *r)
{
	const size_t end = ++r->n * r->width;

	r->text = need_more(r->text, end, 1);
	r->style = need_more(r->style, end, 1);
	memset(r->text + end - r->width, ' ', r->width);
	memset(r->style + end - r->width, TOP_PLAIN, r->width);
}

/* Write into the last row; text that does not fit is cut off. */
__attribute__((format(printf, 4, 5))) static void put(struct top_rows *r, unsigned column,
						      unsigned style, const char *format, ...)
{
	va_list args;
	char *text;
	size_t len;

	va_start(args, format);
	text = text_of_list(format, args);
	va_end(args);
	len = column < r->width ? r->width - column : 0;
	len = strlen(text) < len ? strlen(text) : len;
	if (len) {
		const size_t at = (r->n - 1) * r->width + column;

		memcpy(r->text + at, text, len);
		memset(r->style + at, (int)style, len);
	}
	free(text);
}

/* Wrap a sentence over several rows, with continuation rows indented by two. */
static void put_folded(struct top_rows *r, unsigned style, const char *text)
{
	unsigned indent = 0;

	while (*text) {
		const size_t room = r->width - indent;
		size_t len = strlen(text), cut = room;

		while (len > room && cut > 0 && text[cut] != ' ')
			cut--;
		len = len <= room ? len : cut ? cut : room;
		new_row(r);
		put(r, indent, style, "%.*s", (int)len, text);
		text += len;
		text += strspn(text, " ");
		indent = 2;
	}
}

/* ---- shades ---- */

/* The range of values of boxes that are compared. */
struct range {
	bool scaled; /* each slice divided by its expected share */
	double low, high, sum;
	const struct top_box *least, *most;
	unsigned n;
};

/* Scaling requires the expected share of every box. */
static bool is_scaled(const struct top_metric *m)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!(m->boxes[i].expected > 0))
			return false;
	return m->n_boxes > 0;
}

static struct top_value value_of(const struct range *g, const struct top_box *b)
{
	struct top_value value = b->value;

	if (g->scaled)
		value.number /= b->expected;
	return value;
}

static struct range range_of(const struct top_metric *m)
{
	struct range g = {.scaled = is_scaled(m), .low = INFINITY, .high = 0};

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct top_box *b = &m->boxes[i];
		const double x = value_of(&g, b).number;

		if (isnan(x))
			continue;
		g.least = !g.least || x < g.low ? b : g.least;
		g.most = !g.most || x > g.high ? b : g.most;
		g.high = fmax(g.high, x);
		g.low = fmin(g.low, x);
		g.sum += x;
		g.n++;
	}
	/* noise between equal boxes must not look like a difference */
	g.low = fmin(g.low, g.high / 2);
	return g;
}

static unsigned shade_of(const struct range *g, double x)
{
	const double part = g->high > g->low ? (x - g->low) / (g->high - g->low) : 0;

	return isnan(x) ? 0 : (unsigned)fmin(part * TOP_SHADES, TOP_SHADES - 1);
}

/* ---- head ---- */

static void put_head(const struct top_view *v, struct top_rows *r)
{
	const char *simulated = v->simulated ? "SIMULATED " : "";
	char *time = text_of("%s%s%.2f s", v->time ? v->time : "", v->time ? "  " : "", v->seconds);
	const unsigned len = (unsigned)strlen(time);

	new_row(r);
	put(r, 0, TOP_ALERT, "%s", simulated);
	put(r, (unsigned)strlen(simulated), TOP_TITLE, "%s", v->machine);
	if (r->width > len) {
		put(r, r->width - len - 1, TOP_TITLE, " ");
		put(r, r->width - len, TOP_DIM, "%s", time);
	}
	free(time);
}

static bool has_estimates(const struct top_view *v)
{
	for (size_t s = 0; s < v->n; s++)
		for (size_t i = 0; i < v->sections[s].n; i++) {
			const struct top_metric *m = &v->sections[s].metrics[i];

			for (unsigned p = 0; p < v->packages; p++)
				if (m->packages[p].estimate)
					return true;
		}
	return false;
}

static void put_notes(const struct top_view *v, struct top_rows *r)
{
	if (has_estimates(v))
		put_folded(r, TOP_DIM, "~ estimate: the events are multiplexed");
	for (size_t i = 0; i < v->n_notes; i++)
		put_folded(r, TOP_ALERT, v->notes[i]);
}

/* ---- numbers ---- */

static unsigned fit(const struct top_rows *r, unsigned column)
{
	return r->width >= LABEL + column ? (r->width - LABEL) / column : 1;
}

static void put_labels(struct top_rows *r, const struct top_section *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		put(r, LABEL + (unsigned)(i - from) * COLUMN, TOP_HEADING, "%*s", COLUMN,
		    s->metrics[i].label);
}

static void put_package(struct top_rows *r, const struct top_section *s, size_t from, size_t to,
			unsigned package)
{
	char text[TOP_NUMBER_TEXT];

	new_row(r);
	put(r, 0, TOP_PLAIN, "package %u", package);
	for (size_t i = from; i < to; i++)
		put(r, LABEL + (unsigned)(i - from) * COLUMN, TOP_PLAIN, "%*s", COLUMN,
		    top_number_text(text, &s->metrics[i], &s->metrics[i].packages[package]));
}

static size_t first_box(const struct top_metric *m, unsigned package)
{
	size_t i = 0;

	while (i < m->n_boxes && m->boxes[i].package != package)
		i++;
	return i;
}

static size_t n_boxes(const struct top_metric *m, unsigned package)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_boxes; i++)
		n += m->boxes[i].package == package;
	return n;
}

/* "imc0-3", "imc4" */
static char *boxes_label(const struct top_metric *m, size_t first, size_t n)
{
	char *text = text_of("%s%u", m->kind, m->boxes[first].number);

	return n == 1 ? text : text_and(text, "-%u", m->boxes[first + n - 1].number);
}

static bool any_known(const struct top_metric *m, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (!isnan(m->boxes[i].value.number))
			return true;
	return false;
}

/* The label of boxes' numbers: long names of kinds are cut at the underscore. */
static void put_boxes_label(struct top_rows *r, const struct top_metric *m, const char *boxes,
			    const char *unit)
{
	char *text = text_of("%s %s, %s", boxes, m->label, unit);
	const size_t kind = strlen(m->kind), shorter = strcspn(m->kind, "_");

	if (strlen(text) > LABEL - 2) {
		free(text);
		text = text_of("%.*s%s %s, %s", (int)shorter, boxes, boxes + kind, m->label, unit);
	}
	put(r, 2, TOP_DIM, "%s", text);
	free(text);
}

/* Numbers of all boxes of a package, in one unit. */
static void put_boxes(struct top_rows *r, const struct top_metric *m, unsigned package)
{
	const struct range g = range_of(m);
	const struct top_scale scale = top_scale_of(m, g.high);
	const size_t first = first_box(m, package), n = n_boxes(m, package);
	const size_t room = fit(r, CELL);
	const bool shown = n > 1 && any_known(m, first, n);
	char text[TOP_NUMBER_TEXT];

	for (size_t i = 0; shown && i < n; i++) {
		const struct top_box *b = &m->boxes[first + i];
		const unsigned column = LABEL + (unsigned)(i % room) * CELL;

		if (i % room == 0) {
			char *label = boxes_label(m, first + i, n - i < room ? n - i : room);

			new_row(r);
			put_boxes_label(r, m, label, scale.unit);
			free(label);
		}
		put(r, column, TOP_PLAIN, " ");
		put(r, column + 1, TOP_SHADED + shade_of(&g, b->value.number), "%*s", CELL - 1,
		    top_scaled_text(text, &scale, &b->value));
	}
}

/* ---- maps ---- */

static void put_map_rows(struct top_rows *r, const struct top_metric *m, const struct range *g,
			 unsigned package)
{
	const size_t first = first_box(m, package), n = n_boxes(m, package);
	size_t room = fit(r, SLICE);

	room = room > 8 ? room / 8 * 8 : room;
	for (size_t i = 0; i < n; i++) {
		const double x = value_of(g, &m->boxes[first + i]).number;
		const unsigned shade = shade_of(g, x);
		const bool known = !isnan(x);

		if (i % room == 0) {
			char *label = boxes_label(m, first + i, n - i < room ? n - i : room);

			new_row(r);
			put(r, 0, TOP_DIM, "  package %u %s", package, label);
			free(label);
		}
		for (unsigned c = 0; c < SLICE; c++)
			put(r, LABEL + (unsigned)(i % room) * SLICE + c,
			    known ? TOP_CELL + shade : TOP_DIM, "%c", known ? shades[shade] : '?');
	}
}

static void put_scale(struct top_rows *r, const struct top_metric *m, const struct range *g)
{
	char low[TOP_NUMBER_TEXT], high[TOP_NUMBER_TEXT], mean[TOP_NUMBER_TEXT];
	const struct top_value ends[] = {{g->low, false}, {g->high, false}, {g->sum / g->n, false}};
	unsigned column = LABEL;

	new_row(r);
	put(r, 2, TOP_DIM, "%s by %s", m->label, m->kind);
	top_number_text(low, m, &ends[0]);
	put(r, column, TOP_DIM, "%s ", low);
	column += (unsigned)strlen(low) + 1;
	for (unsigned i = 0; i < TOP_SHADES; i++)
		put(r, column + i, TOP_CELL + i, "%c", shades[i]);
	put(r, column + TOP_SHADES, TOP_DIM, " %s; mean %s", top_number_text(high, m, &ends[1]),
	    top_number_text(mean, m, &ends[2]));
}

static void put_extremes(struct top_rows *r, const struct top_metric *m, const struct range *g)
{
	char least[TOP_NUMBER_TEXT], most[TOP_NUMBER_TEXT];
	const struct top_value low = value_of(g, g->least), high = value_of(g, g->most);

	new_row(r);
	put(r, LABEL, TOP_DIM, "min %s pkg %u %s%u, max %s pkg %u %s%u",
	    top_number_text(least, m, &low), g->least->package, m->kind, g->least->number,
	    top_number_text(most, m, &high), g->most->package, m->kind, g->most->number);
	if (!g->scaled)
		return;
	new_row(r);
	put(r, LABEL, TOP_DIM, "scaled by the expected share of lines of each slice");
}

static void put_map(struct top_rows *r, const struct top_metric *m, unsigned packages)
{
	const struct range g = range_of(m);

	for (unsigned p = 0; p < packages; p++)
		put_map_rows(r, m, &g, p);
	if (!g.n)
		return;
	put_scale(r, m, &g);
	put_extremes(r, m, &g);
}

/* ---- sections ---- */

/* As many metrics per row as there are columns, continued below. */
static void put_section(struct top_rows *r, const struct top_view *v, const struct top_section *s)
{
	const size_t room = fit(r, COLUMN);

	for (size_t from = 0; from < s->n; from += room) {
		const size_t to = from + room < s->n ? from + room : s->n;

		new_row(r);
		put(r, 0, TOP_HEADING, "%-*s", (int)r->width, from ? "" : s->title);
		put_labels(r, s, from, to);
		for (unsigned p = 0; p < v->packages; p++) {
			put_package(r, s, from, to, p);
			for (size_t i = from; i < to; i++)
				if (s->metrics[i].detail == TOP_NUMBER)
					put_boxes(r, &s->metrics[i], p);
		}
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->metrics[i].detail == TOP_MAP)
			put_map(r, &s->metrics[i], v->packages);
}

void top_layout(const struct top_view *view, unsigned width, struct top_rows *rows)
{
	rows->width = width < TOP_MIN_WIDTH ? TOP_MIN_WIDTH : width;
	rows->n = 0;
	put_head(view, rows);
	put_notes(view, rows);
	for (size_t i = 0; i < view->n; i++)
		put_section(rows, view, &view->sections[i]);
}
