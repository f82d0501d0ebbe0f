/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.c - the numbers of memory channels and links, a column for each; see parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/devices.h"
#include "command/base/text.h"
#include "command/top/number.h"
#include "command/top/parts.h"

/* Metrics of the same boxes of a package, in the order of the first metric's. */
struct group {
	const struct top_metric *metrics[TOP_METRICS];
	size_t n;
	const struct top_box **boxes;
	size_t n_boxes;
};

static bool same_boxes(const struct top_metric *a, const struct top_metric *b)
{
	bool same = strcmp(a->kind, b->kind) == 0 && a->n_boxes == b->n_boxes;

	for (size_t i = 0; same && i < a->n_boxes; i++)
		same = a->boxes[i].package == b->boxes[i].package &&
		       a->boxes[i].number == b->boxes[i].number &&
		       a->boxes[i].port == b->boxes[i].port;
	return same;
}

static bool any_known(const struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->n_boxes; k++) {
			const size_t at = (size_t)(g->boxes[k] - g->metrics[0]->boxes);

			if (!isnan(g->metrics[i]->boxes[at].value.number))
				return true;
		}
	return false;
}

/* Boxes from..to-1, in the columns of their names. */
static void put_numbers(struct top_rows *r, const struct group *g, const struct top_metric *m,
			size_t from, size_t to)
{
	const struct range range = range_of(m);
	const struct top_scale scale = top_scale_of(m, range.high);
	char text[TOP_NUMBER_TEXT];

	rows_new(r);
	rows_put(r, 2, TOP_DIM, "%s, %s", m->label, scale.unit);
	for (size_t i = from; i < to; i++) {
		const struct top_value *value = &m->boxes[g->boxes[i] - g->metrics[0]->boxes].value;
		const unsigned column = LABEL + (unsigned)(i - from) * CELL;

		rows_put(r, column, TOP_PLAIN, " ");
		rows_put(r, column + 1, TOP_SHADED + shade_of(&range, value->number), "%*s",
			 CELL - 1, top_scaled_text(text, &scale, value));
	}
}

static bool has_ports(const struct top_metric *m)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (m->boxes[i].port)
			return true;
	return false;
}

/* The word for the numbers above the columns; NULL: there are names instead. */
static const char *heading_of(const struct top_metric *m)
{
	return has_ports(m) ? DEVICES_OF ".part" : place_of_kind(m->kind);
}

static void put_nodes_of(struct top_rows *r, const struct group *g, size_t from, size_t to)
{
	bool any = false;

	for (size_t i = from; i < to; i++)
		any |= g->boxes[i]->node != NULL;
	if (!any)
		return;
	rows_new(r);
	rows_put(r, 2, TOP_DIM, "node");
	for (size_t i = from; i < to; i++)
		if (g->boxes[i]->node)
			rows_put(r, LABEL + (unsigned)(i - from) * CELL, TOP_DIM, "%*s", CELL,
				 g->boxes[i]->node);
}

static void put_names(struct top_rows *r, const struct group *g, size_t from, size_t to)
{
	const char *heading = heading_of(g->metrics[0]);

	rows_new(r);
	if (heading)
		rows_put(r, 2, TOP_DIM, "%s", heading);
	for (size_t i = from; i < to; i++) {
		const struct top_box *b = g->boxes[i];
		char *name =
			heading ? text_of("%u", b->number) : box_label(g->metrics[0], b, CELL - 1);

		if (b->port)
			name = text_and(name, ".%u", b->port - 1);

		rows_put(r, LABEL + (unsigned)(i - from) * CELL, TOP_DIM, "%*s", CELL, name);
		free(name);
	}
}

/* Stacks without devices are not shown, so the only box of a package is not all of it. */
static bool is_of_some(const struct top_metric *m)
{
	return strcmp(m->kind, DEVICES_OF) == 0;
}

static void put_group(struct top_rows *r, struct group *g, unsigned package, bool sorted)
{
	const size_t room = rows_fit(r, CELL);

	g->boxes = boxes_in_order(g->metrics[0], package, sorted, &g->n_boxes);
	for (size_t from = 0;
	     (g->n_boxes > 1 || is_of_some(g->metrics[0])) && any_known(g) && from < g->n_boxes;
	     from += room) {
		const size_t to = from + room < g->n_boxes ? from + room : g->n_boxes;

		put_nodes_of(r, g, from, to);
		put_names(r, g, from, to);
		for (size_t i = 0; i < g->n; i++)
			put_numbers(r, g, g->metrics[i], from, to);
	}
	free((void *)g->boxes);
}

void put_boxes(struct top_rows *r, const struct top_section *s, size_t from, size_t to,
	       unsigned package, bool sorted)
{
	struct group g = {.n = 0};

	for (size_t i = from; i < to; i++) {
		const struct top_metric *m = &s->metrics[i];

		if (m->detail != TOP_NUMBER || !m->n_boxes)
			continue;
		if (g.n && !same_boxes(g.metrics[0], m)) {
			put_group(r, &g, package, sorted);
			g.n = 0;
		}
		g.metrics[g.n++] = m;
	}
	if (g.n)
		put_group(r, &g, package, sorted);
}
