/* SPDX-License-Identifier: BSD-3-Clause */
/* node_labels.c - see node_labels.h. */
#include "command/base/node_labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/event_name.h"
#include "command/base/text.h"

/* ---- the boxes of all nodes ---- */

static void add_label(struct node_labels *labels, const char *kind, const char *event,
		      const struct uncore_node_info *node)
{
	struct node_label label = {.kind = kind};
	struct event_name n;

	take_name_apart(&n, event);
	if (!has_one_box(&n, &label.package, &label.box))
		return;
	snprintf(label.node, sizeof(label.node), "%s", node_label(node));
	labels->list = need_more(labels->list, labels->n + 1, sizeof(*labels->list));
	labels->list[labels->n++] = label;
}

/* "UNCORE_MEM_READ_BYTES:pkg=0", or a name with a list of boxes. */
static void add_boxes(struct node_labels *labels, struct uncore *u, const char *kind,
		      const char *event, const struct uncore_node_info *node)
{
	const char *all = strstr(event, ":box=") ? "" : ":box=*";
	char *name = text_of("%s%s", event, all);
	unsigned id;

	for (unsigned i = 0; uncore_event_part(u, name, i, &id) == 1; i++)
		add_label(labels, kind, uncore_event_name(u, id), node);
	free(name);
}

void read_node_labels(struct uncore *u, struct node_labels *labels)
{
	struct node_list numa;
	const char *kind, *event;
	unsigned id;

	*labels = (struct node_labels){NULL, 0};
	if (node_list_read(u, &numa) == 0 && nodes_are_divided(&numa))
		for (size_t i = 0; i < numa.n; i++)
			for (unsigned k = 0; uncore_node_kind(u, k, &kind, &event) == 1; k++)
				if (node_event(u, event, &numa.nodes[i], &id) == 0)
					add_boxes(labels, u, kind, uncore_event_name(u, id),
						  &numa.nodes[i]);
	node_list_free(&numa);
}

void free_node_labels(struct node_labels *labels)
{
	free(labels->list);
	*labels = (struct node_labels){NULL, 0};
}

/* ---- the node of a box, or of several ---- */

const char *node_of_box(const struct node_labels *labels, const char *kind, unsigned package,
			unsigned box)
{
	for (size_t i = 0; i < labels->n; i++) {
		const struct node_label *l = &labels->list[i];

		if (l->package == package && l->box == box && strcmp(l->kind, kind) == 0)
			return l->node;
	}
	return NULL;
}

/* The only node of the boxes of a kind in a package. */
static const char *node_of_package(const struct node_labels *labels, const char *kind,
				   unsigned package)
{
	const char *node = NULL;

	for (size_t i = 0; i < labels->n; i++) {
		const struct node_label *l = &labels->list[i];

		if (l->package != package || strcmp(l->kind, kind) != 0)
			continue;
		if (node && strcmp(node, l->node) != 0)
			return NULL;
		node = l->node;
	}
	return node;
}

/* The same of the boxes of a list. */
static const char *node_of_boxes(const struct node_labels *labels, struct uncore *u,
				 const char *event, const char *kind)
{
	const char *node = NULL;
	unsigned id, package, box;

	for (unsigned i = 0; uncore_event_part(u, event, i, &id) == 1; i++) {
		const char *of = NULL;
		struct event_name n;

		take_name_apart(&n, uncore_event_name(u, id));
		if (has_one_box(&n, &package, &box))
			of = node_of_box(labels, kind, package, box);
		if (!of || (node && strcmp(node, of) != 0))
			return NULL;
		node = of;
	}
	return node;
}

const char *node_of_event(const struct node_labels *labels, struct uncore *u, unsigned id)
{
	const char *name = uncore_event_name(u, id);
	struct event_name n;
	unsigned package;

	take_name_apart(&n, name);
	if (!labels->n || !has_one_package(&n, &package))
		return NULL;
	return *n.box ? node_of_boxes(labels, u, name, box_kind_of(u, id))
		      : node_of_package(labels, box_kind_of(u, id), package);
}
