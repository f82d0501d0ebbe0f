/* SPDX-License-Identifier: BSD-3-Clause */
/* devices.c - the devices behind PCIe ports: their directories, names and links below /sys. */
#include <stdlib.h>
#include <string.h>

#include "tree.h"

/* The directory of a path, which is made; name: the last part. */
static struct node *dir_of(struct tree *tree, const char *path, const char **name)
{
	const char *end = strrchr(path, '/');

	*name = end + 1;
	return tree_dir(tree, tree->root, "%.*s", (int)(end - path), path);
}

/* "sys/class/net/eth0" to "/sys/devices/x": "../../../sys/devices/x"; NULL: no memory. */
static char *relative(const char *path, const char *target)
{
	char *text = malloc(3 * strlen(path) + strlen(target)), *end = text;

	for (const char *at = strchr(path, '/'); text && at; at = strchr(at + 1, '/'))
		end = mempcpy(end, "../", 3);
	if (text)
		memcpy(end, target + 1, strlen(target));
	return text;
}

static void add_link(struct tree *tree, const struct sim_link *link)
{
	const char *name;
	struct node *dir = dir_of(tree, link->path, &name), *node;

	tree_dir(tree, tree->root, "%s", link->target + 1);
	node = tree_add(tree, dir, NODE_LINK, "%s", name);
	if (!node)
		return;
	node->text = relative(link->path, link->target);
	node->size = node->text ? strlen(node->text) : 0;
	tree->no_memory |= !node->text;
}

void tree_add_devices(struct tree *tree)
{
	size_t n_links, n_files;
	const struct sim_link *links = sim_links(tree->sim, &n_links);
	const struct sim_file *files = sim_files(tree->sim, &n_files);

	for (size_t i = 0; i < n_links; i++)
		add_link(tree, &links[i]);
	for (size_t i = 0; i < n_files; i++) {
		const char *name;
		struct node *dir = dir_of(tree, files[i].path, &name);

		tree_text(tree, dir, name, "%s\n", files[i].text);
	}
}
