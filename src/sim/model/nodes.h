/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - the NUMA nodes of a simulated machine, and the clusters of its packages: which CPUs,
 * memory channels and slices belong to a node.
 */
#ifndef SIM_NODES_H
#define SIM_NODES_H

#include "sim/model/model.h"

#define SIM_MOST_CLUSTERS 4

struct sim_numa {
	size_t n_nodes, n_files;
	struct sim_node *nodes; /* by number */
	struct sim_file *files;
	uint8_t *cpu; /* cluster of each CPU */
	uint8_t *box; /* cluster of each box of the machine, or SIM_NO_CLUSTER */
};

#define SIM_NO_CLUSTER 0xff

/* 0 or -ENOMEM; boxes and CPUs are complete. */
int sim_nodes_build(struct sim *sim);
void sim_nodes_free(struct sim *sim);

/* The number of the first node of a package or die with CPUs. */
int sim_first_node(const struct sim *sim, unsigned package);

/* The factor of a load's lines in a box; 1: as if packages had no clusters. */
double sim_nodes_share(const struct sim_box *box);

#endif
