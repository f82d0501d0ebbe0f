/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nodes.c - NUMA nodes: one for each package, or for each of its clusters (COD, SNC).  The key
 * nodes chooses at random which boxes and CPUs belong to a cluster and how nodes are numbered;
 * without it, clusters are ranges.  Memory of one node is in the channels of its cluster, and its
 * lines are in the slices of its cluster (docs/hardware/clusters.md).
 */
#include "sim/model/nodes.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/rows.h"

#define NODE_DIR      "sys/devices/system/node"
#define DDR_KB        67108864u
#define HBM_KB        16777216u
#define OWN           10
#define OF_CLUSTER    11 /* another cluster of the package */
#define OF_HBM        13
#define OF_PACKAGE    21
#define OF_REMOTE_HBM 23

#define FILES_OF_MACHINE 5
#define FILES_OF_NODE    4

/* ---- clusters ---- */

static unsigned clusters_of(const struct sim *sim)
{
	return sim->clusters != 0 ? sim->clusters : 1;
}

static bool is_random(const struct sim *sim)
{
	return sim->node_seed != 0;
}

/* Kinds of boxes of which each serves one cluster. */
static bool is_of_cluster(const struct sim_kind *kind)
{
	static const char *const memory[] = {"imc", "m2m", "ha", "b2cmi", "hbm", "m2hbm"};

	for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
		if (strcmp(kind->name, memory[i]) == 0)
			return true;
	return sim_is_slice(kind);
}

static void swap(uint8_t *a, uint8_t *b)
{
	const uint8_t before = *a;

	*a = *b;
	*b = before;
}

/* Deal n things to the clusters: equal shares, in ranges or at random. */
static void deal(const struct sim *sim, uint8_t *to, unsigned n, uint64_t *random)
{
	for (unsigned i = 0; i < n; i++)
		to[i] = (uint8_t)(i * clusters_of(sim) / n);
	for (unsigned i = n; is_random(sim) && i > 1; i--)
		swap(&to[i - 1], &to[sim_random(random, i)]);
}

/* The boxes of a kind from `first` on; channels without memory belong to no cluster. */
static void deal_kind(struct sim *sim, size_t first, unsigned n, uint64_t *random)
{
	uint8_t clusters[SIM_SLICES] = {0};
	unsigned used = 0;

	for (unsigned i = 0; i < n; i++)
		used += sim_weight(&sim->boxes[first + i]) > 0;
	deal(sim, clusters, used, random);
	for (unsigned i = 0, next = 0; i < n; i++)
		if (sim_weight(&sim->boxes[first + i]) > 0)
			sim->numa->box[first + i] = clusters[next++];
}

static void deal_boxes(struct sim *sim, unsigned package, uint64_t *random)
{
	const size_t first = package * sim->n_boxes;

	memset(&sim->numa->box[first], SIM_NO_CLUSTER, sim->n_boxes);
	for (size_t i = first; i < first + sim->n_boxes;) {
		const struct sim_kind *kind = sim->boxes[i].kind;
		unsigned n = 1;

		while (i + n < first + sim->n_boxes && sim->boxes[i + n].kind == kind)
			n++;
		if (sim->platform->space == NULL && is_of_cluster(kind))
			deal_kind(sim, i, n, random);
		i += n;
	}
}

/* ---- nodes ---- */

static bool has_hbm_nodes(const struct sim *sim)
{
	return sim->hbm && sim->flat;
}

static int by_number(const void *a, const void *b)
{
	const struct sim_node *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

/* Nodes with CPUs come first, as in the tables of firmware. */
static void number_nodes(struct sim *sim, uint64_t *random)
{
	struct sim_numa *numa = sim->numa;
	const unsigned clusters = clusters_of(sim), n = sim->packages * clusters;

	for (size_t i = 0; i < numa->n_nodes; i++)
		numa->nodes[i] = (struct sim_node){.number = (unsigned)i,
						   .package = (unsigned)i % n / clusters,
						   .cluster = (unsigned)i % clusters,
						   .hbm = i >= n};
	for (size_t i = n; is_random(sim) && i > 1; i--) {
		struct sim_node *last = &numa->nodes[i - 1],
				*other = &numa->nodes[sim_random(random, (unsigned)i)];
		const unsigned number = last->number;

		last->number = other->number;
		other->number = number;
	}
	qsort(numa->nodes, numa->n_nodes, sizeof(*numa->nodes), by_number);
}

int sim_first_node(const struct sim *sim, unsigned package)
{
	for (size_t i = 0; i < sim->numa->n_nodes; i++)
		if (sim->numa->nodes[i].package == package)
			return (int)sim->numa->nodes[i].number;
	return -1;
}

const struct sim_node *sim_nodes(const struct sim *sim, size_t *n)
{
	*n = sim->numa->n_nodes;
	return sim->numa->nodes;
}

int sim_cluster(const struct sim *sim, unsigned package, const char *kind, unsigned box)
{
	const struct sim_box *at = sim_box_find(sim, package, kind, box);
	const uint8_t cluster = at != NULL ? sim->numa->box[at - sim->boxes] : SIM_NO_CLUSTER;

	return cluster == SIM_NO_CLUSTER ? -1 : cluster;
}

/* ---- files ---- */

static bool has_cpu(const struct sim *sim, const struct sim_node *node, unsigned cpu)
{
	return !node->hbm && cpu / sim->cores == node->package &&
	       sim->numa->cpu[cpu] == node->cluster;
}

static void print_list(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	const unsigned n = sim->packages * sim->cores;
	bool any = false;

	for (unsigned i = 0; i < n; i++) {
		const unsigned first = i;

		if (!has_cpu(sim, node, i))
			continue;
		while (i + 1 < n && has_cpu(sim, node, i + 1))
			i++;
		fprintf(out, i > first ? "%s%u-%u" : "%s%u", any ? "," : "", first, i);
		any = true;
	}
	fprintf(out, "\n");
}

/* 32 CPUs between commas, the highest first. */
static void print_mask(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	const unsigned n = sim->packages * sim->cores;

	for (unsigned word = (n + 31) / 32; word-- > 0;) {
		uint32_t bits = 0;

		for (unsigned bit = 0; bit < 32 && 32 * word + bit < n; bit++)
			bits |= (uint32_t)has_cpu(sim, node, 32 * word + bit) << bit;
		fprintf(out, "%08x%c", (unsigned)bits, word != 0 ? ',' : '\n');
	}
}

static unsigned distance(const struct sim_node *a, const struct sim_node *b)
{
	if (a == b)
		return OWN;
	if (a->hbm || b->hbm) {
		if (a->package != b->package)
			return OF_REMOTE_HBM;
		return a->cluster == b->cluster ? OF_HBM : OF_HBM + 1;
	}
	return a->package == b->package ? OF_CLUSTER : OF_PACKAGE;
}

static void print_distances(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	for (size_t i = 0; i < sim->numa->n_nodes; i++)
		fprintf(out, "%s%u", i != 0 ? " " : "", distance(node, &sim->numa->nodes[i]));
	fprintf(out, "\n");
}

static void print_memory(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	(void)sim;
	fprintf(out, "Node %u MemTotal:       %u kB\n", node->number, node->hbm ? HBM_KB : DDR_KB);
}

static void print_first(FILE *out, size_t n)
{
	fprintf(out, n > 1 ? "0-%zu\n" : "%zu\n", n - 1);
}

static void print_all(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	(void)node;
	print_first(out, sim->numa->n_nodes);
}

static void print_with_cpus(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	(void)node;
	print_first(out, (size_t)sim->packages * clusters_of(sim));
}

/* The seed is part of the firmware: it decides the nodes. */
static void print_firmware(FILE *out, const struct sim *sim, const struct sim_node *node)
{
	(void)node;
	fprintf(out, "simulated-%u-%u\n", clusters_of(sim), sim->node_seed);
}

typedef void print_file(FILE *out, const struct sim *sim, const struct sim_node *node);

static int add_file(struct sim *sim, const char *path, print_file *print,
		    const struct sim_node *node)
{
	struct sim_file *file = &sim->numa->files[sim->numa->n_files];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return -ENOMEM;
	print(out, sim, node);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	file->text = text;
	file->path = strdup(path);
	sim->numa->n_files++;
	return file->path != NULL ? 0 : -ENOMEM;
}

static int add_files_of(struct sim *sim, const struct sim_node *node)
{
	static const struct {
		const char *name;
		print_file *print;
	} files[] = {{"cpulist", print_list},
		     {"cpumap", print_mask},
		     {"distance", print_distances},
		     {"meminfo", print_memory}};
	int code = 0;

	for (size_t i = 0; code == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
		char path[64];

		snprintf(path, sizeof(path), NODE_DIR "/node%u/%s", node->number, files[i].name);
		code = add_file(sim, path, files[i].print, node);
	}
	return code;
}

static int add_files(struct sim *sim)
{
	static const struct {
		const char *path;
		print_file *print;
	} files[FILES_OF_MACHINE] = {{NODE_DIR "/online", print_all},
				     {NODE_DIR "/possible", print_all},
				     {NODE_DIR "/has_memory", print_all},
				     {NODE_DIR "/has_cpu", print_with_cpus},
				     {"sys/class/dmi/id/bios_version", print_firmware}};
	int code = 0;

	for (size_t i = 0; code == 0 && i < FILES_OF_MACHINE; i++)
		code = add_file(sim, files[i].path, files[i].print, NULL);
	for (size_t i = 0; code == 0 && i < sim->numa->n_nodes; i++)
		code = add_files_of(sim, &sim->numa->nodes[i]);
	return code;
}

const struct sim_file *sim_node_files(const struct sim *sim, size_t *n)
{
	*n = sim->numa->n_files;
	return sim->numa->files;
}

/* ---- life ---- */

static bool allocate(struct sim *sim)
{
	const size_t cpus = (size_t)sim->packages * sim->cores;
	struct sim_numa *numa = sim->numa = calloc(1, sizeof(*sim->numa));

	if (numa == NULL)
		return false;
	numa->n_nodes = (size_t)sim->packages * clusters_of(sim) * (has_hbm_nodes(sim) ? 2 : 1);
	numa->nodes = calloc(numa->n_nodes, sizeof(*numa->nodes));
	numa->files =
		calloc(FILES_OF_MACHINE + FILES_OF_NODE * numa->n_nodes, sizeof(*numa->files));
	numa->cpu = calloc(cpus, 1);
	numa->box = calloc(sim->packages * sim->n_boxes, 1);
	return numa->nodes != NULL && numa->files != NULL && numa->cpu != NULL && numa->box != NULL;
}

int sim_nodes_build(struct sim *sim)
{
	uint64_t random = sim->node_seed;

	if (!allocate(sim))
		return -ENOMEM;
	for (unsigned p = 0; p < sim->packages; p++) {
		deal(sim, &sim->numa->cpu[p * sim->cores], sim->cores, &random);
		deal_boxes(sim, p, &random);
	}
	number_nodes(sim, &random);
	return add_files(sim);
}

void sim_nodes_free(struct sim *sim)
{
	struct sim_numa *numa = sim->numa;

	if (numa == NULL)
		return;
	for (size_t i = 0;
	     numa->files != NULL && i < FILES_OF_MACHINE + FILES_OF_NODE * numa->n_nodes; i++) {
		free((char *)numa->files[i].path);
		free((char *)numa->files[i].text);
	}
	free(numa->nodes);
	free(numa->files);
	free(numa->cpu);
	free(numa->box);
	free(numa);
}

/* ---- loads ---- */

/* The shares of a package's boxes of a kind: of all, and of a cluster. */
static double part_of_cluster(const struct sim_box *box, unsigned cluster)
{
	const struct sim *sim = box->sim;
	const size_t first = box->package * sim->n_boxes;
	double all = 0, part = 0;

	for (size_t i = first; i < first + sim->n_boxes; i++) {
		if (sim->boxes[i].kind != box->kind)
			continue;
		all += sim_weight(&sim->boxes[i]);
		part += sim->numa->box[i] == cluster ? sim_weight(&sim->boxes[i]) : 0;
	}
	return part > 0 ? part / all : 1;
}

static bool is_hbm(const struct sim_kind *kind)
{
	return strcmp(kind->name, "hbm") == 0 || strcmp(kind->name, "m2hbm") == 0;
}

double sim_nodes_share(const struct sim_box *box)
{
	const struct sim_loading *to = &box->sim->loading;
	const uint8_t own = box->sim->numa->box[box - box->sim->boxes];
	double factor = 1;

	if (own == SIM_NO_CLUSTER || box->package != to->home)
		return 1;
	if (has_hbm_nodes(box->sim) && !sim_is_slice(box->kind) && is_hbm(box->kind) != to->hbm)
		return 0;
	if (to->hbm && is_hbm(box->kind))
		factor = 2; /* the traffic of this memory is half that of the other one */
	if (clusters_of(box->sim) == 1)
		return factor;
	return own == to->cluster ? factor / part_of_cluster(box, own) : 0;
}
