/* SPDX-License-Identifier: BSD-3-Clause */
/* clusters.c - the boxes of a node: measured ones first, then those of a table. */
#include <stdio.h>
#include <string.h>

#include "device/nodes.h"

#define MEASURE "measure it with \"uncore ceilings --nodes\""

const struct unc_cluster_kind *unc_cluster_kind(const struct unc_box_type *type)
{
	for (const struct unc_cluster_kind *k = unc_cluster_kinds; type && *k->kind; k++)
		if (strcmp(k->kind, type->name) == 0)
			return k;
	return NULL;
}

/* ---- tables ---- */

static const struct unc_cluster_rule *rule_of(const struct unc_devices *d, const char *kind,
					      unsigned clusters)
{
	for (const struct unc_cluster_rule *r = unc_cluster_rules; *r->kind; r++)
		if (r->platform == d->machine->platform && r->clusters == clusters &&
		    strcmp(r->kind, kind) == 0)
			return r;
	return NULL;
}

/* An even split needs as many boxes in each cluster, numbered without gaps. */
static int cluster_of(const struct unc_cluster_rule *rule, unsigned number, unsigned boxes)
{
	if (rule->period)
		return rule->of[number % rule->period];
	if (boxes % rule->clusters || number >= boxes)
		return -1;
	return (int)(number / (boxes / rule->clusters));
}

static bool apply(const struct unc_devices *d, const struct unc_cluster_rule *rule,
		  const struct unc_node *node, const struct unc_box_type *type,
		  struct unc_numbers *boxes)
{
	const struct unc_machine *m = d->machine;
	size_t i, first, end = unc_boxes_of(m, type, &first);
	unsigned n = 0;

	for (i = first; i < end; i++)
		n += (int)m->boxes[i].package == node->package;
	for (i = first; i < end; i++) {
		const struct unc_box *b = &m->boxes[i];
		int cluster;

		if ((int)b->package != node->package)
			continue;
		cluster = cluster_of(rule, b->number, n);
		if (cluster < 0)
			return false;
		if (!b->absent && cluster == node->cluster)
			unc_numbers_add(boxes, b->number, b->number);
	}
	return boxes->n > 0;
}

static const char *gap_of(const struct unc_devices *d)
{
	for (const struct unc_cluster_gap *g = unc_cluster_gaps; g->platform; g++)
		if (g->platform == d->machine->platform)
			return g->why;
	return "no source states which boxes belong to a cluster";
}

/* ---- boxes of a cluster ---- */

struct asked {
	const struct unc_devices *d;
	const struct unc_nodes *nodes;
	const struct unc_node *node;
	const struct unc_box_type *type;
	struct unc_err *err;
};

static int refuse(const struct asked *a, const char *why, const char *remedy)
{
	char name[UNC_NODE_NAME];

	return unc_fail(a->err, UNCORE_ENOSUPP, "the %s boxes of %s are not known: %s; %s",
			a->type ? a->type->name : "", unc_node_name(a->node, name), why, remedy);
}

/* Offline CPUs hide nodes, so that others would be taken for them. */
static bool is_complete(const struct asked *a)
{
	for (size_t i = 0; a->d->machine->topo.n_offline && i < a->nodes->n; i++)
		if (!a->nodes->node[i].cpus)
			return false;
	return true;
}

static int of_cluster(const struct asked *a, unsigned clusters, struct unc_node_boxes *out)
{
	const struct unc_cluster_rule *rule = rule_of(a->d, a->type->name, clusters);

	if (!is_complete(a))
		return refuse(a, "CPUs are offline, and with them a node may be",
			      "bring all CPUs online");
	if (unc_measured_boxes(a->d, a->nodes, a->node, a->type->name, &out->boxes)) {
		out->basis = UNCORE_NODE_MEASURED;
		out->source = "measured by uncore ceilings --nodes";
		return 0;
	}
	if (!rule || a->node->cluster < 0)
		return refuse(a, gap_of(a->d), MEASURE);
	if (!apply(a->d, rule, a->node, a->type, &out->boxes))
		return refuse(a, "their numbers do not fit the table of this processor", MEASURE);
	out->basis = UNCORE_NODE_ASSUMED;
	out->source = rule->source;
	return 0;
}

/* ---- what serves a node ---- */

static int not_served(const struct asked *a, const char *why)
{
	char name[UNC_NODE_NAME];

	return unc_fail(a->err, UNCORE_ENOSUPP, "cannot count %s: %s", unc_node_name(a->node, name),
			why);
}

/* NULL: boxes of this kind serve this node; otherwise why not. */
static const char *check_memory(const struct asked *a, const struct unc_cluster_kind *kind)
{
	const enum uncore_node_kind node = a->node->kind;
	const bool hbm = unc_nodes_of(a->nodes, a->node->package, UNCORE_NODE_HBM) > 0;

	if (node == UNCORE_NODE_HBM)
		return kind && kind->serves == UNC_SERVES_HBM
			       ? NULL
			       : "only hbm and m2hbm boxes count high-bandwidth memory alone; use "
				 "UNCORE_HBM_READ_BYTES";
	if (node != UNCORE_NODE_CPUS)
		return "no box is known to count this memory alone; use pkg=";
	if (hbm && kind && kind->serves == UNC_SERVES_HBM)
		return "its package has nodes for high-bandwidth memory; use one of them";
	if (hbm && !kind)
		return "other nodes of its package have memory, too, and the event counts both; "
		       "use pkg=";
	return NULL;
}

int unc_node_find_boxes(const struct unc_devices *d, const struct unc_nodes *nodes,
			const struct unc_node *node, const struct unc_box_type *type,
			struct unc_node_boxes *out, struct unc_err *err)
{
	const struct asked a = {d, nodes, node, type, err};
	const struct unc_cluster_kind *kind = unc_cluster_kind(type);
	const char *why;
	unsigned clusters;

	if (node->package < 0)
		return not_served(&a, "the kernel does not report its package; use pkg=");
	why = check_memory(&a, kind);
	if (why)
		return not_served(&a, why);
	*out = (struct unc_node_boxes){.package = (unsigned)node->package,
				       .basis = UNCORE_NODE_WHOLE,
				       .source = "the only node of its package"};
	clusters = unc_nodes_of(nodes, node->package, UNCORE_NODE_CPUS);
	if (clusters <= 1)
		return is_complete(&a)
			       ? 0
			       : not_served(&a, "CPUs are offline, and with them a node of "
						"its package may be; bring all CPUs online");
	if (!type)
		return not_served(&a, "the metric is not counted by box; use its events");
	if (!kind)
		return not_served(&a, "these boxes serve all nodes of the package; use pkg=");
	return of_cluster(&a, clusters, out);
}
