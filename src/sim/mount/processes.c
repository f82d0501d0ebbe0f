/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.c - see processes.h. */
#include "processes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "processes_inside.h"

/* ---- files ---- */

char *processes_text(struct tree *tree, const struct node *node)
{
	char *text = NULL;

	processes_lock(tree);
	processes_count(tree);
	if (!processes_hide(tree, node))
		text = node->make(tree, node);
	processes_unlock(tree);
	return text;
}

ssize_t processes_write(struct tree *tree, const struct node *node, uid_t by, const char *from,
			size_t len)
{
	char *text = strndup(from, len);
	int error = text ? 0 : -ENOMEM;

	processes_lock(tree);
	processes_count(tree);
	if (text)
		error = processes_hide(tree, node) ? -ENODEV : node->take(tree, node, by, text);
	processes_unlock(tree);
	free(text);
	return error ? error : (ssize_t)len;
}

/* ---- all ---- */

static int give_threads(struct processes *all)
{
	for (struct process *p = all->first; p; p = p->next)
		if (!(p->threads = calloc(p->n_threads, sizeof(*p->threads))))
			return -1;
	return 0;
}

static void quieten(struct tree *tree)
{
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(tree->sim, &n);

	for (unsigned package = 0; package <= cpus[n - 1].package; package++) {
		struct sim_traffic *traffic = sim_traffic(tree->sim, package);

		traffic->reads *= tree->processes->background;
		traffic->writes *= tree->processes->background;
	}
}

int processes_add(struct tree *tree, const char *file, char *why, size_t len)
{
	struct processes *all = calloc(1, sizeof(*all));

	snprintf(why, len, "out of memory for the processes of %s", file);
	if (!all)
		return -1;
	tree->processes = all;
	pthread_mutex_init(&all->lock, NULL);
	if (processes_describe(all, file, why, len) < 0 || give_threads(all) < 0)
		return -1;
	quieten(tree);
	all->then = sim_now(tree->sim);
	procfs_add(tree);
	if (resctrl_add(tree) < 0)
		tree->no_memory = true;
	return tree->no_memory ? -1 : 0;
}

static void free_process(struct process *p)
{
	free(p->name);
	free(p->cgroup);
	free(p->threads);
	free(p);
}

void processes_free(struct processes *all)
{
	if (!all)
		return;
	for (struct process *p = all->first, *next; p; p = next) {
		next = p->next;
		free_process(p);
	}
	for (struct group *g = all->groups, *next; g; g = next) {
		next = g->next;
		free(g);
	}
	free(all->kernel);
	pthread_mutex_destroy(&all->lock);
	free(all);
}
