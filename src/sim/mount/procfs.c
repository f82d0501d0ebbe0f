/* SPDX-License-Identifier: BSD-3-Clause */
/* procfs.c - the files of processes in proc, as proc(5) describes them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "processes_inside.h"

#define TICKS 100 /* a second, sysconf(_SC_CLK_TCK) */
#define BOOT  1000.0

static double now_of(const struct tree *tree)
{
	return 1e-9 * (double)sim_now(tree->sim);
}

static char *printed(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	return text;
}

/* All threads are busy while the process lives. */
static char *make_stat(struct tree *tree, const struct node *node)
{
	const struct process *p = node->process;
	const double now = now_of(tree), ran = TICKS * (now - p->from);
	const bool whole = node->unit == p->n_threads;
	size_t n;

	sim_cpus(tree->sim, &n);
	return printed("%u (%s) R %u %u %u 0 -1 4194304 0 0 0 0 %.0f 0 0 0 20 0 %u 0 %.0f "
		       "1000000 1000 0 0 0 0 0 0 0 0 0 0 0 0 0 17 %u "
		       "0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		       p->pid + (whole ? 0 : node->unit), p->name, p->parent, p->pid, p->pid,
		       whole ? ran * p->n_threads : ran, p->n_threads, TICKS * (BOOT + p->from),
		       process_cpu(p, whole ? 0 : node->unit, now) % (unsigned)n);
}

static char *make_status(struct tree *tree, const struct node *node)
{
	const struct process *p = node->process;

	(void)tree;
	return printed("Name:\t%s\nTgid:\t%u\nPid:\t%u\nPPid:\t%u\nUid:\t%u\t%u\t%u\t%u\n", p->name,
		       p->pid, p->pid, p->parent, p->uid, p->uid, p->uid, p->uid);
}

static char *make_cgroup(struct tree *tree, const struct node *node)
{
	(void)tree;
	return printed("0::%s\n", node->process->cgroup);
}

static char *make_comm(struct tree *tree, const struct node *node)
{
	(void)tree;
	return printed("%s\n", node->process->name);
}

static void add_file(struct tree *tree, struct node *dir, const char *name,
		     char *(*make)(struct tree *, const struct node *), unsigned thread)
{
	struct node *n = tree_add(tree, dir, NODE_MADE, "%s", name);

	if (!n)
		return;
	n->process = dir->process;
	n->make = make;
	n->unit = thread;
}

static struct node *add_dir(struct tree *tree, struct node *in, struct process *p, unsigned number)
{
	struct node *dir = tree_add(tree, in, NODE_DIR, "%u", number);

	if (dir) {
		dir->process = p;
		dir->changes = true;
	}
	return dir;
}

static void add_process(struct tree *tree, struct node *proc, struct process *p)
{
	struct node *dir = add_dir(tree, proc, p, p->pid), *tasks, *task;

	tasks = dir ? tree_dir(tree, dir, "task") : NULL;
	if (!tasks)
		return;
	tasks->process = p;
	tasks->changes = true;
	add_file(tree, dir, "stat", make_stat, p->n_threads);
	add_file(tree, dir, "status", make_status, 0);
	add_file(tree, dir, "cgroup", make_cgroup, 0);
	add_file(tree, dir, "comm", make_comm, 0);
	for (unsigned t = 0; t < p->n_threads; t++)
		if ((task = add_dir(tree, tasks, p, p->pid + t)) != NULL)
			add_file(tree, task, "stat", make_stat, t);
}

void procfs_add(struct tree *tree)
{
	struct node *proc = tree_dir(tree, tree->root, "proc");
	const char *kernel = tree->processes->kernel;

	tree_text(tree, tree_dir(tree, proc, "sys/kernel"), "osrelease", "%s\n",
		  kernel ? kernel : "7.0.0");
	if (proc)
		proc->changes = true;
	for (struct process *p = tree->processes->first; p; p = p->next)
		add_process(tree, proc, p);
}
