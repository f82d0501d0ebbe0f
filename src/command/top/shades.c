/* SPDX-License-Identifier: BSD-3-Clause */
/* shades.c - how the values of boxes compare, and their order; see parts.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/top/parts.h"

static const char shades[TOP_SHADES + 1] = ".,:-=+*#%@";

/* ---- shades ---- */

/* Scaling requires the expected share of every box. */
static bool is_scaled(const struct top_metric *m)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!(m->boxes[i].expected > 0))
			return false;
	return m->n_boxes > 0;
}

struct top_value range_value(const struct range *g, const struct top_box *b)
{
	struct top_value value = b->value;

	if (g->scaled)
		value.number /= b->expected;
	return value;
}

struct range range_of(const struct top_metric *m)
{
	struct range g = {.scaled = is_scaled(m), .low = INFINITY, .high = 0};

	for (size_t i = 0; i < m->n_boxes; i++) {
		const struct top_box *b = &m->boxes[i];
		const double x = range_value(&g, b).number;

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

unsigned shade_of(const struct range *g, double x)
{
	const double part = g->high > g->low ? (x - g->low) / (g->high - g->low) : 0;

	return isnan(x) ? 0 : (unsigned)fmin(part * TOP_SHADES, TOP_SHADES - 1);
}

char shade_letter(unsigned shade)
{
	return shades[shade];
}

/* ---- order ---- */

static double share_of(const struct top_box *b)
{
	return isnan(b->value.number) ? -1 : b->value.number / (b->expected > 0 ? b->expected : 1);
}

/* Boxes with the same value stay in the order of their numbers. */
static int highest_first(const void *a, const void *b)
{
	const struct top_box *first = *(const struct top_box *const *)a,
			     *second = *(const struct top_box *const *)b;
	const double x = share_of(first), y = share_of(second);

	return x > y ? -1 : x < y ? 1 : first < second ? -1 : first > second;
}

const struct top_box **boxes_in_order(const struct top_metric *m, unsigned package, bool sorted,
				      size_t *n)
{
	const struct top_box **boxes = need_memory(m->n_boxes + 1, sizeof(const struct top_box *));

	*n = 0;
	for (size_t i = 0; i < m->n_boxes; i++)
		if (m->boxes[i].package == package)
			boxes[(*n)++] = &m->boxes[i];
	if (sorted)
		qsort((void *)boxes, *n, sizeof(const struct top_box *), highest_first);
	return boxes;
}

bool is_of_node(const struct top_box *b, const char *node)
{
	return node && b->node ? strcmp(node, b->node) == 0 : !node && !b->node;
}

char *box_label(const struct top_metric *m, const struct top_box *b, size_t most)
{
	char *text = text_of("%s%u", m->kind, b->number);

	if (strlen(text) <= most)
		return text;
	free(text);
	return text_of("%.*s%u", (int)strcspn(m->kind, "_"), m->kind, b->number);
}
