/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes_conclude.h - which boxes serve the memory of a NUMA node, from the counts of all boxes
 * while the memory of each node was read.
 */
#ifndef EXPLAIN_NODES_CONCLUDE_H
#define EXPLAIN_NODES_CONCLUDE_H

#include "command/base/node_list.h"

#ifdef __cplusplus
extern "C" {
#endif

struct node_box {
	const char *kind;
	unsigned package, box; /* the numbers N in pkg=N, box=N */
};

/* Boxes of a kind, package by package. */
struct node_boxes {
	struct node_box *at;
	size_t n;
};

#define NODES_RATIO 20 /* what a box of the node counts, compared with any other box */

/*
 * counts: a row for each node, with the count of each box while its memory was read.  is: rows of
 * the same size; receives whether a box serves the node.  False: why says what is not clear.
 */
bool nodes_conclude(const struct node_list *numa, const struct node_boxes *boxes,
		    const int64_t *counts, bool *is, char *why, size_t len);

#ifdef __cplusplus
}
#endif
#endif
