/* SPDX-License-Identifier: BSD-3-Clause */
/* map.c - the slices of the last-level cache as cells; see parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/top/number.h"
#include "command/top/parts.h"

#define SLICE 2 /* columns of a cell */

static void put_label(struct top_rows *r, const struct top_metric *m, unsigned package,
		      const struct top_box *const *boxes, size_t n, bool sorted)
{
	const unsigned first = boxes[0]->number, last = boxes[n - 1]->number;
	char *text;

	if (boxes[0]->node)
		text = text_of("  socket %u node %s", package, boxes[0]->node);
	else if (sorted)
		text = text_of("  socket %u by value", package);
	else if (n == 1)
		text = text_of("  socket %u %s%u", package, m->kind, first);
	else
		text = text_of("  socket %u %s%u-%u", package, m->kind, first, last);
	rows_put(r, 0, TOP_DIM, "%s", text);
	free(text);
}

/* Keep the boxes of a node; returns their number. */
static size_t choose(const struct top_box **boxes, size_t n, const char *node)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++)
		if (is_of_node(boxes[i], node))
			boxes[to++] = boxes[i];
	return to;
}

static void put_cells(struct top_rows *r, const struct top_metric *m, const struct range *g,
		      unsigned package, const char *node, bool sorted)
{
	size_t n, room = rows_fit(r, SLICE);
	const struct top_box **boxes = boxes_in_order(m, package, sorted, &n);

	n = choose(boxes, n, node);
	room = room > 8 ? room / 8 * 8 : room;
	for (size_t i = 0; i < n; i++) {
		const double x = range_value(g, boxes[i]).number;
		const unsigned shade = shade_of(g, x);

		if (i % room == 0) {
			rows_new(r);
			put_label(r, m, package, boxes + i, n - i < room ? n - i : room, sorted);
		}
		for (unsigned c = 0; c < SLICE; c++)
			rows_put(r, LABEL + (unsigned)(i % room) * SLICE + c,
				 isnan(x) ? TOP_DIM : TOP_CELL + shade, "%c",
				 isnan(x) ? '?' : shade_letter(shade));
	}
	free((void *)boxes);
}

static void put_scale(struct top_rows *r, const struct top_metric *m, const struct range *g)
{
	char low[TOP_NUMBER_TEXT], high[TOP_NUMBER_TEXT], mean[TOP_NUMBER_TEXT];
	const struct top_value ends[] = {
		{.number = g->low}, {.number = g->high}, {.number = g->sum / g->n}};
	unsigned column = LABEL;

	rows_new(r);
	rows_put(r, 2, TOP_DIM, "%s by %s", m->label, m->kind);
	top_number_text(low, m, &ends[0]);
	rows_put(r, column, TOP_DIM, "%s ", low);
	column += (unsigned)strlen(low) + 1;
	for (unsigned i = 0; i < TOP_SHADES; i++)
		rows_put(r, column + i, TOP_CELL + i, "%c", shade_letter(i));
	rows_put(r, column + TOP_SHADES, TOP_DIM, " %s; mean %s",
		 top_number_text(high, m, &ends[1]), top_number_text(mean, m, &ends[2]));
}

static void put_extremes(struct top_rows *r, const struct top_metric *m, const struct range *g)
{
	char least[TOP_NUMBER_TEXT], most[TOP_NUMBER_TEXT];
	const struct top_value low = range_value(g, g->least), high = range_value(g, g->most);

	rows_new(r);
	rows_put(r, LABEL, TOP_DIM, "min %s socket %u %s%u, max %s socket %u %s%u",
		 top_number_text(least, m, &low), g->least->package, m->kind, g->least->number,
		 top_number_text(most, m, &high), g->most->package, m->kind, g->most->number);
	if (!g->scaled)
		return;
	rows_new(r);
	rows_put(r, LABEL, TOP_DIM, "scaled by the expected share of lines of each slice");
}

void put_map(struct top_rows *r, const struct top_view *v, const struct top_metric *m, bool sorted)
{
	const struct range g = range_of(m);

	for (unsigned p = 0; p < v->packages; p++) {
		for (size_t i = 0; i < v->n_nodes; i++)
			put_cells(r, m, &g, p, v->nodes[i], sorted);
		put_cells(r, m, &g, p, NULL, sorted);
	}
	if (!g.n)
		return;
	put_scale(r, m, &g);
	put_extremes(r, m, &g);
}
