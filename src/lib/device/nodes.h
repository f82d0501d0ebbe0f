/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.h - the NUMA nodes of the kernel: their packages, and the boxes that belong to them
 * (docs/hardware/clusters.md).  Asked for when needed; nothing is kept.
 */
#ifndef UNC_NODES_H
#define UNC_NODES_H

#include "device/device.h"
#include "shared/clusters.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_node {
	unsigned number;
	int package; /* logical; -1: unknown, or several */
	int cluster; /* in the package, by the order of its nodes with CPUs; -1: unknown */
	enum uncore_node_kind kind;
	unsigned cpus; /* online */
	int first_cpu; /* -1: none */
};

struct unc_nodes {
	size_t n;
	struct unc_node *node; /* by number */
};

/* Read them: 0, UNCORE_ENOSUPP (not the machine with the files), UNCORE_ENOMEM. */
int unc_nodes_read(const struct unc_devices *d, struct unc_nodes *nodes, struct unc_err *err);
void unc_nodes_free(struct unc_nodes *nodes);

/* "0", "node0", "hbm2": the node; NULL: not found. */
const struct unc_node *unc_node_named(const struct unc_nodes *nodes, const char *name);
#define UNC_NODE_NAME 24
const char *unc_node_name(const struct unc_node *node, char name[UNC_NODE_NAME]);

/* The number of nodes of a kind that a package has. */
unsigned unc_nodes_of(const struct unc_nodes *nodes, int package, enum uncore_node_kind kind);

/* ---- clusters.c ---- */

/* The boxes of a node: all of a package, or some. */
struct unc_node_boxes {
	unsigned package;         /* logical */
	struct unc_numbers boxes; /* none: all */
	enum uncore_node_basis basis;
	const char *source;
};

/*
 * The boxes of a type that serve a node: 0; UNCORE_ENOSUPP: they are not known, or serve other
 * nodes as well; err has what would settle it.  type NULL: boxes of several types, which is only
 * possible if the node is all of its package.
 */
int unc_node_find_boxes(const struct unc_devices *d, const struct unc_nodes *nodes,
			const struct unc_node *node, const struct unc_box_type *type,
			struct unc_node_boxes *out, struct unc_err *err);

const struct unc_cluster_kind *unc_cluster_kind(const struct unc_box_type *type);

/* ---- measured.c: the file of `uncore ceilings --nodes` ---- */

/* The machine, its firmware and its nodes, as the file begins; to be freed.  NULL: no memory. */
char *unc_nodes_identity(const struct unc_devices *d, const struct unc_nodes *nodes);

/* The measured boxes of a node: 1; 0: they were not measured on this machine. */
int unc_measured_boxes(const struct unc_devices *d, const struct unc_nodes *nodes,
		       const struct unc_node *node, const char *kind, struct unc_numbers *boxes);

#ifdef __cplusplus
}
#endif
#endif
