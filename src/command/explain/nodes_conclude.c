/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes_conclude.c - see nodes_conclude.h.  Anything that is not clear is refused: a wrong map
 * would give wrong counts as long as the file exists.
 */
#include "command/explain/nodes_conclude.h"

#include <stdio.h>
#include <string.h>

#define SPREAD 4 /* between the boxes of a node */

struct conclusion {
	const struct node_list *numa;
	const struct node_boxes *boxes;
	const int64_t *counts;
	bool *is;
	char *why;
	size_t len;
};

static int64_t count_of(const struct conclusion *c, size_t node, size_t box)
{
	return c->counts[node * c->boxes->n + box];
}

static bool same_kind(const struct conclusion *c, size_t box, size_t other)
{
	return strcmp(c->boxes->at[box].kind, c->boxes->at[other].kind) == 0;
}

static bool refuse(const struct conclusion *c, size_t node, size_t box, const char *reason)
{
	snprintf(c->why, c->len,
		 "the %s boxes of %s are not clear: %s; stop other programs and measure again",
		 c->boxes->at[box].kind, c->numa->nodes[node].name, reason);
	return false;
}

/* The largest count of a kind, of one node or of all. */
static int64_t most_of(const struct conclusion *c, size_t kind, size_t first, size_t end)
{
	int64_t most = 0;

	for (size_t node = first; node < end; node++)
		for (size_t b = 0; b < c->boxes->n; b++)
			if (same_kind(c, kind, b) && count_of(c, node, b) > most)
				most = count_of(c, node, b);
	return most;
}

/* The largest count below a limit; -1: none. */
static int64_t next_below(const struct conclusion *c, size_t node, size_t kind, int64_t limit)
{
	int64_t next = -1;

	for (size_t b = 0; b < c->boxes->n; b++) {
		const int64_t count = count_of(c, node, b);

		if (same_kind(c, kind, b) && count < limit && count > next)
			next = count;
	}
	return next;
}

/* The least count of the boxes of the node: the next one is NODES_RATIO times smaller; -1: none. */
static int64_t find_gap(const struct conclusion *c, size_t node, size_t kind, int64_t most)
{
	int64_t least = most, next;

	while ((next = next_below(c, node, kind, least)) >= 0) {
		if (least / NODES_RATIO >= next)
			return least;
		least = next;
	}
	return -1;
}

static bool take_boxes(const struct conclusion *c, size_t node, size_t kind, int64_t least)
{
	for (size_t b = 0; b < c->boxes->n; b++) {
		if (!same_kind(c, kind, b) || count_of(c, node, b) < least)
			continue;
		if ((int)c->boxes->at[b].package != c->numa->nodes[node].package)
			return refuse(c, node, b, "boxes of another package count, too");
		c->is[node * c->boxes->n + b] = true;
	}
	return true;
}

/* The boxes of one kind that serve a node; a kind may serve other memory only. */
static bool conclude_kind(const struct conclusion *c, size_t node, size_t kind)
{
	const int64_t most = most_of(c, kind, node, node + 1),
		      ever = most_of(c, kind, 0, c->numa->n);
	int64_t least;

	if (most <= ever / NODES_RATIO)
		return true;
	least = find_gap(c, node, kind, most);
	if (least < 0)
		return refuse(c, node, kind, "no group of them counts 20 times what the others do");
	if (least < most / SPREAD)
		return refuse(c, node, kind, "some of them count several times what others do");
	return take_boxes(c, node, kind, least);
}

static bool has_cpus(const struct conclusion *c, size_t node)
{
	return c->numa->nodes[node].kind == UNCORE_NODE_CPUS;
}

/* A box serves one node with CPUs, and one without. */
static bool check_unique(const struct conclusion *c)
{
	for (size_t b = 0; b < c->boxes->n; b++)
		for (size_t i = 0; i < c->numa->n; i++)
			for (size_t k = 0; k < i; k++)
				if (c->is[i * c->boxes->n + b] && c->is[k * c->boxes->n + b] &&
				    has_cpus(c, i) == has_cpus(c, k))
					return refuse(c, i, b, "some of them count for two nodes");
	return true;
}

static size_t boxes_of(const struct conclusion *c, size_t node, size_t kind)
{
	size_t n = 0;

	for (size_t b = 0; b < c->boxes->n; b++)
		n += same_kind(c, kind, b) && c->is[node * c->boxes->n + b];
	return n;
}

/* If a kind serves one node with CPUs, it serves all of them. */
static bool check_complete(const struct conclusion *c)
{
	for (size_t b = 0; b < c->boxes->n; b++)
		for (size_t i = 0; i < c->numa->n; i++)
			for (size_t k = 0; k < c->numa->n; k++)
				if (has_cpus(c, i) && has_cpus(c, k) && boxes_of(c, i, b) &&
				    !boxes_of(c, k, b))
					return refuse(c, k, b, "none of them counts");
	return true;
}

static bool is_first_of_kind(const struct conclusion *c, size_t box)
{
	for (size_t b = 0; b < box; b++)
		if (same_kind(c, b, box))
			return false;
	return true;
}

bool nodes_conclude(const struct node_list *numa, const struct node_boxes *boxes,
		    const int64_t *counts, bool *is, char *why, size_t len)
{
	const struct conclusion c = {numa, boxes, counts, is, why, len};

	memset(is, 0, numa->n * boxes->n * sizeof(*is));
	for (size_t b = 0; b < boxes->n; b++)
		for (size_t node = 0; is_first_of_kind(&c, b) && node < numa->n; node++)
			if (!conclude_kind(&c, node, b))
				return false;
	return check_unique(&c) && check_complete(&c);
}
