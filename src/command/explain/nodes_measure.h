/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_measure.h - measure which boxes serve the memory of each NUMA node. */
#ifndef EXPLAIN_NODES_MEASURE_H
#define EXPLAIN_NODES_MEASURE_H

#include "command/explain/nodes_conclude.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the memory of a node from CPUs of its package; false: why has the reason. */
struct node_traffic {
	bool (*run)(void *of, const struct uncore_node_info *node, char *why, size_t len);
	void *of;
};

/* By threads, or on a simulated machine by uncore_simulate_load(); of: the handle. */
bool node_traffic_run(void *of, const struct uncore_node_info *node, char *why, size_t len);

/*
 * Measure twice.  is: a row for each node, see nodes_conclude(), to be freed, as boxes->at.  False:
 * the boxes are not clear, differ, or cannot be counted; why has the reason.
 */
bool nodes_measure(struct uncore *u, const struct node_list *numa,
		   const struct node_traffic *traffic, struct node_boxes *boxes, bool **is,
		   char *why, size_t len);

#ifdef __cplusplus
}
#endif
#endif
