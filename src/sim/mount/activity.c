/* SPDX-License-Identifier: BSD-3-Clause */
/* activity.c - where processes run, and the traffic that they cause. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "processes_inside.h"

#define LINE     64
#define LEAST_NS 1000000 /* between two accounts, because each looks at all counters */
#define WATTS    3       /* of a core with a thread */

/* ---- where threads are ---- */

bool process_lives(const struct process *p, double at)
{
	return at >= p->from && (p->until <= 0 || at < p->until);
}

unsigned process_cpu(const struct process *p, unsigned thread, double at)
{
	unsigned first = p->cpu;

	for (size_t i = 0; i < p->n_moves && p->moves[i].at <= at; i++)
		first = p->moves[i].cpu;
	return first + thread;
}

/* The end of the part of [from, to) in which nothing about a process changes. */
static double next_change(const struct processes *all, const struct process *p, double from,
			  double to)
{
	double next = to;

	if (all->offline.from > from)
		next = fmin(next, all->offline.from);
	if (all->offline.until > from)
		next = fmin(next, all->offline.until);
	if (p->from > from)
		next = fmin(next, p->from);
	if (p->until > from)
		next = fmin(next, p->until);
	for (size_t i = 0; i < p->n_moves; i++)
		if (p->moves[i].at > from)
			next = fmin(next, p->moves[i].at);
	return next;
}

bool package_is_offline(const struct processes *all, unsigned package, double at)
{
	return all->offline.until > 0 && package == all->offline.package &&
	       at >= all->offline.from && at < all->offline.until;
}

/* ---- traffic ---- */

static struct process *find_process(const struct processes *all, unsigned pid)
{
	struct process *p = all->first;

	while (p && p->pid != pid)
		p = p->next;
	return p;
}

/* The lines that a thread read or wrote in this time; what is left of a line is owed. */
static uint64_t lines_of(double *owed, double bytes)
{
	const double lines = *owed + bytes / LINE;
	const double whole = floor(lines);

	*owed = lines - whole;
	return (uint64_t)whole;
}

static void charge(struct group *g, unsigned package, double bytes, bool local)
{
	g->total[package] += bytes;
	if (local)
		g->local[package] += bytes;
}

/* The traffic of a thread with the memory of its own or another package. */
struct flow {
	struct process *process;
	unsigned thread;
	double at, seconds;
	uint64_t ns; /* since the last account, for the registers */
	bool remote;
};

/* Counters advance by whole lines; groups by the same bytes, and in the same package. */
static void move_lines(struct tree *tree, const struct flow *f, unsigned cpu, unsigned near)
{
	const struct process *p = f->process;
	struct thread *t = &p->threads[f->thread];
	const double share = (f->remote ? p->remote : 1 - p->remote) / p->n_threads;
	const struct sim_load load = {
		.cpu = cpu,
		.near = near,
		.reads = lines_of(&t->owed[0][f->remote], p->read * share * f->seconds),
		.writes = lines_of(&t->owed[1][f->remote], p->write * share * f->seconds),
		.ns = f->ns,
	};
	struct process *evictor =
		p->evicted_by ? find_process(tree->processes, p->evicted_by) : NULL;
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(tree->sim, &n);
	const unsigned other = evictor ? process_cpu(evictor, 0, f->at) % (unsigned)n : cpu;

	sim_load(tree->sim, &load);
	charge(t->group, cpus[cpu].package, (double)load.reads * LINE, !f->remote);
	charge(evictor ? evictor->threads[0].group : t->group, cpus[other].package,
	       (double)load.writes * LINE, !f->remote);
}

/* Remote memory is that of the next package. */
static void run_thread(struct tree *tree, struct flow f)
{
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(tree->sim, &n);
	const unsigned cpu = process_cpu(f.process, f.thread, f.at) % (unsigned)n;
	const unsigned per = (unsigned)n / (cpus[n - 1].package + 1);

	if (package_is_offline(tree->processes, cpus[cpu].package, f.at))
		return;
	move_lines(tree, &f, cpu, cpu);
	f.remote = true;
	if (f.process->remote > 0)
		move_lines(tree, &f, cpu, (cpu + per) % (unsigned)n);
	f.process->threads[f.thread].group->joules[cpus[cpu].package] += WATTS * f.seconds;
}

static void run_process(struct tree *tree, struct process *p, double from, double to)
{
	const uint64_t ns = (uint64_t)(1e9 * (to - from)) + 1;

	while (from < to) {
		const double end = next_change(tree->processes, p, from, to);

		for (unsigned t = 0; process_lives(p, from) && t < p->n_threads; t++)
			run_thread(tree, (struct flow){p, t, from, end - from, ns, false});
		from = end;
	}
}

/* The kernel's counts of a cache begin at 0 when it is online again. */
static void restart_counts(struct processes *all, double now)
{
	const unsigned package = all->offline.package;

	if (!package_is_offline(all, package, 1e-9 * (double)all->then) &&
	    !package_is_offline(all, package, now))
		return;
	for (struct group *g = all->groups; g; g = g->next)
		g->total[package] = g->local[package] = g->joules[package] = 0;
}

void processes_count(struct tree *tree)
{
	struct processes *all = tree->processes;
	const uint64_t now = sim_now(tree->sim);

	if (now < all->then + (tree->virtual_time ? 1 : LEAST_NS))
		return;
	restart_counts(all, 1e-9 * (double)now);
	for (struct process *p = all->first; p; p = p->next)
		run_process(tree, p, 1e-9 * (double)all->then, 1e-9 * (double)now);
	all->then = now;
}

void processes_advance(struct tree *tree)
{
	if (!tree->processes)
		return;
	processes_lock(tree);
	processes_count(tree);
	processes_unlock(tree);
}

/* ---- names ---- */

void processes_lock(struct tree *tree)
{
	if (tree->processes)
		pthread_mutex_lock(&tree->processes->lock);
}

void processes_unlock(struct tree *tree)
{
	if (tree->processes)
		pthread_mutex_unlock(&tree->processes->lock);
}

bool processes_own(const struct node *node)
{
	return node->process || node->group;
}

/* A directory of mon_data, whose unit is its package. */
static bool is_domain(const struct node *node)
{
	return node->group &&
	       (strncmp(node->name, "mon_L3_", 7) == 0 || strncmp(node->name, "mon_PERF_", 9) == 0);
}

bool processes_hide(const struct tree *tree, const struct node *node)
{
	double now;

	if (!processes_own(node))
		return false;
	now = 1e-9 * (double)sim_now(tree->sim);
	return node->gone || (node->process && !process_lives(node->process, now)) ||
	       (is_domain(node) && package_is_offline(tree->processes, node->unit, now));
}

struct node *processes_child(struct tree *tree, const struct node *dir, const char *name)
{
	struct node *n;

	processes_lock(tree);
	n = dir->first;
	while (n && (strcmp(n->name, name) != 0 || processes_hide(tree, n)))
		n = n->next;
	processes_unlock(tree);
	return n;
}
