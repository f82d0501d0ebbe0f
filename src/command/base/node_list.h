/* SPDX-License-Identifier: BSD-3-Clause */
/* node_list.h - the NUMA nodes of the machine, and events of a node (docs/nodes.md). */
#ifndef COMMAND_NODE_LIST_H
#define COMMAND_NODE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct node_list {
	size_t n;
	struct uncore_node_info *nodes; /* by number */
};

/* 0, or the library's error; without nodes. */
int node_list_read(struct uncore *u, struct node_list *numa);
void node_list_free(struct node_list *numa);

/* "1", or "hbm2": what node= takes and output shows. */
const char *node_label(const struct uncore_node_info *node);

/* "NAME:node=1" as an event: 0, or the library's error. */
int node_event(struct uncore *u, const char *name, const struct uncore_node_info *node,
	       unsigned *id);

/* Whether a package has several nodes with CPUs (COD, SNC), or nodes without CPUs. */
bool nodes_are_divided(const struct node_list *numa);

#ifdef __cplusplus
}
#endif
#endif
