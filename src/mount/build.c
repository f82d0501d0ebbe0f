/* SPDX-License-Identifier: BSD-3-Clause */
/* build.c - all files of a simulated machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

static void free_node(struct node *n)
{
	while (n->first) {
		struct node *next = n->first->next;

		free_node(n->first);
		n->first = next;
	}
	free(n->name);
	free(n->text);
	free(n);
}

static void build(struct tree *tree, const char *machine)
{
	struct node *sim;

	tree->root = calloc(1, sizeof(*tree->root));
	sim = tree_dir(tree, tree->root, "sim");
	tree_text(tree, sim, "machine", "%s\n", machine);
	tree_add(tree, sim, NODE_NOW, "now");
	tree_add(tree, sim, NODE_CALLS, "calls");
	tree_add(tree, sim, NODE_ADVANCE, "advance");
	tree_add_cpus(tree);
	tree_add_pci(tree);
	tree_add(tree, tree_dir(tree, tree->root, "dev"), NODE_MEMORY, "mem");
}

struct tree *tree_open(const char *machine, char *why, size_t len)
{
	struct tree *tree;

	if (strncmp(machine, "sim:", 4) != 0) {
		snprintf(why, len, "machine %s is no simulated one; name one like sim:snbep",
			 machine);
		return NULL;
	}
	tree = calloc(1, sizeof(*tree));
	snprintf(why, len, "out of memory");
	if (!tree || sim_open(machine + 4, &tree->sim, why, len) < 0) {
		free(tree);
		return NULL;
	}
	pthread_mutex_init(&tree->trace.lock, NULL);
	tree->virtual_time = sim_is_virtual(tree->sim);
	build(tree, machine);
	if (!tree->no_memory)
		return tree;
	snprintf(why, len, "out of memory for the files of %s", machine);
	tree_close(tree);
	return NULL;
}

void tree_close(struct tree *tree)
{
	if (tree->root)
		free_node(tree->root);
	sim_close(tree->sim);
	pthread_mutex_destroy(&tree->trace.lock);
	free(tree);
}
