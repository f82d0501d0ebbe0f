/* SPDX-License-Identifier: BSD-3-Clause */
/* node_labels.h - the NUMA nodes of boxes, for labels of counts (docs/nodes.md). */
#ifndef COMMAND_NODE_LABELS_H
#define COMMAND_NODE_LABELS_H

#include "command/base/node_list.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NODE_LABEL 24

/* A box that serves the memory of a node. */
struct node_label {
	const char *kind; /* "imc" */
	unsigned package, box;
	char node[NODE_LABEL]; /* "1", "hbm2": as in node= */
};

/* The boxes whose node is known, node by node. */
struct node_labels {
	struct node_label *list;
	size_t n;
};

/* None if each package is a node: the label would only repeat the package. */
void read_node_labels(struct uncore *u, struct node_labels *labels);
void free_node_labels(struct node_labels *labels);

/* The node of a box; NULL: not known. */
const char *node_of_box(const struct node_labels *labels, const char *kind, unsigned package,
			unsigned box);

/* The node that all boxes of an event serve; NULL: several, or not known. */
const char *node_of_event(const struct node_labels *labels, struct uncore *u, unsigned id);

#ifdef __cplusplus
}
#endif
#endif
