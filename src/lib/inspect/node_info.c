/* SPDX-License-Identifier: BSD-3-Clause */
/* node_info.c - the NUMA nodes of a machine, as uncore_inspect.h reports them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "device/nodes.h"
#include "event/event.h"
#include "set/set.h"

/* The kind of box that serves the node's memory: DDR channels, or those of HBM. */
static const struct unc_box_type *memory_of(const struct unc_machine *m,
					    const struct unc_node *node)
{
	static const char *const ddr[] = {"imc", "mbox"}, *const hbm[] = {"hbm", "edc_eclk"};
	const char *const *kind = node->kind == UNCORE_NODE_HBM ? hbm : ddr;

	for (size_t i = 0; i < m->n_boxes; i++) {
		const char *name = m->boxes[i].type->name;

		if (!m->boxes[i].absent &&
		    (strcmp(name, kind[0]) == 0 || strcmp(name, kind[1]) == 0))
			return m->boxes[i].type;
	}
	return NULL;
}

static void find_basis(const struct unc_devices *d, const struct unc_nodes *nodes,
		       const struct unc_node *node, struct uncore_node_info *info)
{
	const struct unc_box_type *type = memory_of(d->machine, node);
	struct unc_node_boxes boxes;
	struct unc_err why;

	unc_err_init(&why);
	if (type && unc_node_find_boxes(d, nodes, node, type, &boxes, &why) == 0) {
		info->basis = boxes.basis;
		snprintf(info->source, sizeof(info->source), "%s", boxes.source);
	} else if (type) {
		unc_err_text(&why, info->source, sizeof(info->source));
	} else {
		snprintf(info->source, sizeof(info->source), "no memory controller can be counted");
	}
	unc_err_destroy(&why);
}

static void describe(const struct unc_devices *d, const struct unc_nodes *nodes,
		     const struct unc_node *node, struct uncore_node_info *info)
{
	const struct unc_die *die = node->package < 0 ? NULL : &d->machine->dies[node->package];

	*info = (struct uncore_node_info){
		.node = node->number,
		.package = die ? (int)die->socket : -1,
		.die = die ? (int)die->die : -1,
		.cluster = node->cluster,
		.clusters = unc_nodes_of(nodes, node->package, UNCORE_NODE_CPUS),
		.kind = node->kind,
		.cpus = node->cpus,
		.first_cpu = node->first_cpu,
	};
	unc_node_name(node, info->name);
	find_basis(d, nodes, node, info);
}

int uncore_node(struct uncore *u, unsigned i, struct uncore_node_info *info)
{
	const struct unc_devices *d;
	struct uncore_node_info is;
	struct unc_nodes nodes;
	int r = unc_unopened(u);

	if (r == 0)
		r = unc_size_check(&u->err, info, UNC_SIZED(uncore_node_info));
	if (r < 0)
		return r;
	d = unc_names_known_devices(u->names);
	r = unc_nodes_read(d, &nodes, &u->err);
	if (r < 0)
		return r;
	if (i < nodes.n) {
		describe(d, &nodes, &nodes.node[i], &is);
		r = unc_give(&u->err, info, &is, UNC_SIZED(uncore_node_info), 1);
	}
	unc_nodes_free(&nodes);
	return r;
}

static bool has_boxes(const struct unc_machine *m, const char *kind)
{
	for (size_t i = 0; i < m->n_boxes; i++)
		if (!m->boxes[i].absent && strcmp(m->boxes[i].type->name, kind) == 0)
			return true;
	return false;
}

int uncore_node_kind(struct uncore *u, unsigned i, const char **kind, const char **event)
{
	const int r = unc_unopened(u);

	if (r < 0)
		return r;
	for (const struct unc_cluster_kind *k = unc_cluster_kinds; *k->kind; k++) {
		if (!*k->event || !has_boxes(&u->machine, k->kind) || i-- > 0)
			continue;
		*kind = k->kind;
		*event = k->event;
		return 1;
	}
	return 0;
}

/* 0 or UNCORE_EINVAL. */
static int print_boxes(struct uncore *u, FILE *out, const struct uncore_node_box *boxes, size_t n)
{
	struct uncore_node_box before = {.kind = ""}, b;
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++, before = b) {
		r = unc_take_element(&u->err, &b, boxes, i, UNC_SIZED(uncore_node_box));
		if (r < 0)
			break;
		if (i == 0 || before.node != b.node || strcmp(before.kind, b.kind) != 0)
			fprintf(out, "%sboxes %u %s", i ? "\n" : "", b.node, b.kind);
		fprintf(out, " %u", b.box);
	}
	fprintf(out, "\n");
	return r;
}

/* 0, UNCORE_EINVAL, or UNCORE_ENOMEM without a message. */
static int make_text(struct uncore *u, const struct unc_nodes *nodes,
		     const struct uncore_node_box *boxes, size_t n, char **text)
{
	char *identity = unc_nodes_identity(unc_names_known_devices(u->names), nodes);
	size_t size;
	FILE *out = identity ? open_memstream(text, &size) : NULL;
	int r = UNCORE_ENOMEM;

	if (out) {
		fputs(identity, out);
		r = print_boxes(u, out, boxes, n);
		if (fclose(out) != 0)
			r = UNCORE_ENOMEM;
	}
	free(identity);
	return r;
}

int uncore_nodes_text(struct uncore *u, const struct uncore_node_box *boxes, size_t n, char **text)
{
	struct unc_nodes nodes;
	int r = unc_unopened(u);

	*text = NULL;
	if (r == 0)
		r = unc_nodes_read(unc_names_known_devices(u->names), &nodes, &u->err);
	if (r < 0)
		return r;
	r = make_text(u, &nodes, boxes, n, text);
	unc_nodes_free(&nodes);
	if (r < 0) {
		free(*text);
		*text = NULL;
	}
	return r == UNCORE_ENOMEM ? unc_fail(&u->err, r, "out of memory for the boxes of nodes")
				  : r;
}
