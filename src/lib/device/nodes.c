/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.c - NUMA nodes from the kernel's files.  A node's package is that of its CPUs, whatever its
 * number; a node without CPUs belongs to the nearest one with CPUs.
 */
#include "device/nodes.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/sysfs.h"

#define NODE_DIR "sys/devices/system/node"

__attribute__((format(printf, 2, 3))) static char *text_of(const struct unc_devices *d,
							   const char *format, ...)
{
	char path[128];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	return unc_kernel_text(&d->files, path);
}

/* ---- nodes with CPUs ---- */

/* The package of the online CPUs of a list; CPUs of several packages: -1. */
static void take_cpus(const struct unc_devices *d, struct unc_node *node, const char *list)
{
	const struct unc_topology *topo = &d->machine->topo;
	unsigned first, last;

	while ((list = unc_next_range(list, &first, &last)))
		for (size_t i = 0; i < topo->n_cpus; i++) {
			const unsigned cpu = topo->cpus[i].id;
			const int package =
				cpu >= first && cpu <= last ? unc_package_of_cpu(topo, cpu) : -1;

			if (package < 0)
				continue;
			if (!node->cpus++)
				node->package = package;
			else if (node->package != package)
				node->package = -1;
			node->first_cpu = node->first_cpu < 0 ? (int)cpu : node->first_cpu;
		}
}

/* 0 or -errno. */
static int add_node(const struct unc_devices *d, struct unc_nodes *nodes, unsigned number)
{
	struct unc_node *all = realloc(nodes->node, (nodes->n + 1) * sizeof(*all)), *node;
	char *cpus;

	if (!all)
		return -ENOMEM;
	nodes->node = all;
	node = &all[nodes->n++];
	*node = (struct unc_node){.number = number,
				  .package = -1,
				  .cluster = -1,
				  .kind = UNCORE_NODE_MEMORY,
				  .first_cpu = -1};
	cpus = text_of(d, NODE_DIR "/node%u/cpulist", number);
	if (!cpus && unc_is_shortage(errno))
		return -errno;
	if (cpus)
		take_cpus(d, node, cpus);
	if (node->cpus) {
		node->kind = UNCORE_NODE_CPUS;
		node->cluster =
			node->package < 0
				? -1
				: (int)unc_nodes_of(nodes, node->package, UNCORE_NODE_CPUS) - 1;
	}
	free(cpus);
	return 0;
}

unsigned unc_nodes_of(const struct unc_nodes *nodes, int package, enum uncore_node_kind kind)
{
	unsigned n = 0;

	for (size_t i = 0; i < nodes->n; i++)
		n += nodes->node[i].package == package && nodes->node[i].kind == kind;
	return n;
}

/* ---- nodes without CPUs ---- */

/* Distances are in the order of the nodes that are online. */
static void find_nearest(const struct unc_nodes *nodes, struct unc_node *node,
			 const char *distances)
{
	unsigned long least = ULONG_MAX;
	char *end = NULL;

	for (size_t i = 0; i < nodes->n; i++, distances = end) {
		const struct unc_node *other = &nodes->node[i];
		const unsigned long distance = strtoul(distances, &end, 10);

		if (end == distances)
			return;
		if (other->kind != UNCORE_NODE_CPUS || distance > least)
			continue;
		if (distance < least) {
			node->package = other->package;
			node->cluster = other->cluster;
		} else if (node->package != other->package) {
			node->package = -1;
		} else {
			node->cluster = -1;
		}
		least = distance;
	}
}

/* Memory that a driver provides: CXL, or persistent memory.  1, 0 or -errno, as below. */
static int is_of_driver(const struct unc_devices *d, unsigned node)
{
	struct unc_kernel_names names;
	int found = unc_kernel_list(&d->files, "sys/bus/dax/devices", &names);

	if (found < 0)
		return unc_is_shortage(-found) ? found : 0;
	for (size_t i = 0; i < names.n && !found; i++) {
		char *target = text_of(d, "sys/bus/dax/devices/%.40s/target_node", names.name[i]);

		if (!target && unc_is_shortage(errno))
			found = -errno;
		else if (target && strtoul(target, NULL, 10) == node)
			found = isdigit((unsigned char)*target) != 0;
		free(target);
	}
	unc_kernel_names_free(&names);
	return found;
}

static int has_cxl(const struct unc_devices *d)
{
	struct unc_kernel_names names;
	int found = unc_kernel_list(&d->files, "sys/bus/cxl/devices", &names);

	if (found < 0)
		return unc_is_shortage(-found) ? found : 0;
	found = names.n > 0;
	unc_kernel_names_free(&names);
	return found;
}

static bool has_hbm(const struct unc_devices *d)
{
	for (size_t i = 0; i < d->machine->n_boxes; i++)
		if (strcmp(d->machine->boxes[i].type->name, "hbm") == 0 &&
		    !d->machine->boxes[i].absent)
			return true;
	return false;
}

/* Whether the package has a node of HBM for each one with CPUs. */
static bool is_flat(const struct unc_nodes *nodes, int package)
{
	return package >= 0 && unc_nodes_of(nodes, package, UNCORE_NODE_HBM) ==
				       unc_nodes_of(nodes, package, UNCORE_NODE_CPUS);
}

/* In flat mode all packages are; other memory must not be taken for HBM. */
static void name_hbm(struct unc_nodes *nodes)
{
	bool flat = true;

	for (size_t i = 0; i < nodes->n; i++)
		flat &= is_flat(nodes, nodes->node[i].package);
	for (size_t i = 0; !flat && i < nodes->n; i++)
		if (nodes->node[i].kind == UNCORE_NODE_HBM)
			nodes->node[i].kind = UNCORE_NODE_MEMORY;
}

/* 0 or -errno. */
static int name_memory(const struct unc_devices *d, struct unc_nodes *nodes)
{
	const int cxl = has_cxl(d);
	const bool hbm = has_hbm(d);
	int r = cxl;

	for (size_t i = 0; r >= 0 && i < nodes->n; i++) {
		struct unc_node *node = &nodes->node[i];
		char *distances;

		if (node->kind == UNCORE_NODE_CPUS)
			continue;
		distances = text_of(d, NODE_DIR "/node%u/distance", node->number);
		if (!distances && unc_is_shortage(errno))
			return -errno;
		if (distances)
			find_nearest(nodes, node, distances);
		free(distances);
		r = is_of_driver(d, node->number);
		if (r > 0)
			node->kind = cxl ? UNCORE_NODE_CXL : UNCORE_NODE_MEMORY;
		else
			node->kind = hbm ? UNCORE_NODE_HBM : UNCORE_NODE_MEMORY;
	}
	name_hbm(nodes);
	return r < 0 ? r : 0;
}

/* ---- all nodes ---- */

void unc_nodes_free(struct unc_nodes *nodes)
{
	free(nodes->node);
	*nodes = (struct unc_nodes){0, NULL};
}

int unc_nodes_read(const struct unc_devices *d, struct unc_nodes *nodes, struct unc_err *err)
{
	char *online = d->files.hw ? text_of(d, NODE_DIR "/online") : NULL;
	const char *rest = online;
	unsigned first, last, next = 0;
	int r = d->files.hw && !online && unc_is_shortage(errno) ? -errno : 0;

	*nodes = (struct unc_nodes){0, NULL};
	while (r == 0 && rest && (rest = unc_next_range(rest, &first, &last)))
		for (; r == 0 && first >= next && first <= last && last < UNC_MAX_NODES; first++) {
			next = first + 1;
			r = add_node(d, nodes, first);
		}
	if (r == 0)
		r = name_memory(d, nodes);
	if (r < 0) {
		unc_nodes_free(nodes);
		r = unc_fail(err, unc_code_of_errno(r), "cannot read the NUMA nodes: %s",
			     strerror(-r));
	} else if (!nodes->n) {
		r = unc_fail(err, UNCORE_ENOSUPP,
			     "the NUMA nodes of this machine are not known: its files below "
			     "/" NODE_DIR " are not available here; use pkg= and box=");
	}
	free(online);
	return r;
}

/* ---- names ---- */

static const char *const prefixes[] = {[UNCORE_NODE_CPUS] = "node",
				       [UNCORE_NODE_HBM] = "hbm",
				       [UNCORE_NODE_CXL] = "cxl",
				       [UNCORE_NODE_MEMORY] = "memory"};

const char *unc_node_name(const struct unc_node *node, char name[UNC_NODE_NAME])
{
	snprintf(name, UNC_NODE_NAME, "%s%u", prefixes[node->kind], node->number);
	return name;
}

const struct unc_node *unc_node_named(const struct unc_nodes *nodes, const char *name)
{
	char own[UNC_NODE_NAME], number[16];

	for (size_t i = 0; i < nodes->n; i++) {
		snprintf(number, sizeof(number), "%u", nodes->node[i].number);
		if (strcmp(name, number) == 0 ||
		    strcasecmp(name, unc_node_name(&nodes->node[i], own)) == 0)
			return &nodes->node[i];
	}
	return NULL;
}
