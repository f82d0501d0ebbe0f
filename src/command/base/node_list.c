/* SPDX-License-Identifier: BSD-3-Clause */
/* node_list.c - see node_list.h. */
#include "command/base/node_list.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

int node_list_read(struct uncore *u, struct node_list *numa)
{
	struct uncore_node_info info = {.size = sizeof(info)};
	int code;

	*numa = (struct node_list){0, NULL};
	while ((code = uncore_node(u, (unsigned)numa->n, &info)) == 1) {
		numa->nodes = need_more(numa->nodes, numa->n + 1, sizeof(*numa->nodes));
		numa->nodes[numa->n++] = info;
	}
	return code;
}

void node_list_free(struct node_list *numa)
{
	free(numa->nodes);
	*numa = (struct node_list){0, NULL};
}

const char *node_label(const struct uncore_node_info *node)
{
	const char *prefix = "node";

	return strncmp(node->name, prefix, strlen(prefix)) == 0 ? node->name + strlen(prefix)
								: node->name;
}

int node_event(struct uncore *u, const char *name, const struct uncore_node_info *node,
	       unsigned *id)
{
	char *text = text_of("%s:node=%u", name, node->node);
	const int code = uncore_event(u, text, id);

	free(text);
	return code;
}

bool nodes_are_divided(const struct node_list *numa)
{
	for (size_t i = 0; i < numa->n; i++)
		if (numa->nodes[i].clusters > 1 || numa->nodes[i].kind != UNCORE_NODE_CPUS)
			return true;
	return false;
}
