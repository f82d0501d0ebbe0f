/* SPDX-License-Identifier: BSD-3-Clause */
/* build.c - all files of a simulated machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "mount.h"
#include "processes.h"
#include "run.h"
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

/* As after a boot: a random UUID (RFC 4122, 4.4), another one for each mount. */
static int add_boot_id(struct tree *tree)
{
	unsigned char id[16];
	char text[2 * sizeof(id) + 1];

	if (getrandom(id, sizeof(id), 0) != (ssize_t)sizeof(id))
		return -1;
	id[6] = (id[6] & 0x0f) | 0x40;
	id[8] = (id[8] & 0x3f) | 0x80;
	for (size_t i = 0; i < sizeof(id); i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	tree_text(tree, tree_dir(tree, tree->root, "proc/sys/kernel/random"), "boot_id",
		  "%.8s-%.4s-%.4s-%.4s-%s\n", text, text + 8, text + 12, text + 16, text + 20);
	return 0;
}

static void add_run(struct tree *tree)
{
	tree->run = run_new(MOUNT_RUN_SIZE);
	if (!tree->run)
		tree->no_memory = true;
	tree_add(tree, tree_dir(tree, tree->root, "run"), NODE_RUN, "uncore");
}

static void build(struct tree *tree, const char *machine)
{
	struct node *sim;

	tree->root = calloc(1, sizeof(*tree->root));
	if (tree->root)
		tree->root->ino = ++tree->nodes;
	sim = tree_dir(tree, tree->root, "sim");
	tree_text(tree, sim, "machine", "%s\n", machine);
	tree_add(tree, sim, NODE_NOW, "now");
	tree_add(tree, sim, NODE_CALLS, "calls");
	tree_add(tree, sim, NODE_ADVANCE, "advance");
	tree_add(tree, sim, NODE_KILL_AT, "kill_at");
	tree_add_cpus(tree);
	tree_add_pci(tree);
	tree_add_devices(tree);
	tree_add(tree, tree_dir(tree, tree->root, "dev"), NODE_MEMORY, "mem");
	add_run(tree);
}

struct tree *tree_open(const char *machine, char *why, size_t len)
{
	struct tree *tree;

	if (strncmp(machine, "sim:", 4) != 0) {
		snprintf(why, len,
			 "machine \"%s\" is not simulated: use a simulated machine, "
			 "for example sim:snbep",
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
	if (add_boot_id(tree) < 0)
		snprintf(why, len, "cannot get a random boot ID: %s", strerror(errno));
	else if (tree->no_memory)
		snprintf(why, len, "out of memory for the files of %s", machine);
	else
		return tree;
	tree_close(tree);
	return NULL;
}

void tree_close(struct tree *tree)
{
	if (tree->root)
		free_node(tree->root);
	processes_free(tree->processes);
	run_free(tree->run);
	sim_close(tree->sim);
	pthread_mutex_destroy(&tree->trace.lock);
	free(tree);
}
