/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resctrl_files.c - sys/fs/resctrl of a mounted machine, as Documentation/filesystems/resctrl.rst
 * describes it: groups by mkdir and rmdir, threads by writing to `tasks`, one monitoring ID (RMID)
 * for each group.  The mon_data of a control group is the sum of its own and its monitoring
 * groups', and its `tasks` has the threads of both.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processes_inside.h"

#define UNIT 65536.0 /* bytes in which the hardware counts traffic */
/* Before Linux 5.11, Broadwell's and Skylake's high RMIDs count too much (BDF102, SKX99). */
#define FACTOR 0.5454

static const struct group *default_group(const struct tree *tree)
{
	return tree->processes->groups;
}

static unsigned packages_of(const struct tree *tree)
{
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(tree->sim, &n);

	return cpus[n - 1].package + 1;
}

static bool is_in(const struct group *g, const struct group *of)
{
	return g == of || g->parent == of;
}

/* ---- mon_data ---- */

/* The sum of a member over a group and its monitoring groups. */
static double sum_of(const struct tree *tree, const struct node *node, size_t member)
{
	double sum = 0;

	for (const struct group *g = tree->processes->groups; g; g = g->next)
		if (is_in(g, node->group) && !g->dir->gone)
			sum += ((const double *)(const void *)((const char *)g +
							       member))[node->unit];
	return sum;
}

static bool is_uncorrected(const struct tree *tree, const struct group *g)
{
	const unsigned model = sim_id(tree->sim).model;
	const char *kernel = tree->processes->kernel;
	unsigned major, minor;

	return (model == 79 || model == 85 || model == 86) && kernel &&
	       sscanf(kernel, "%u.%u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 11)) && g->rmid >= tree->processes->rmids / 2;
}

static char *print_bytes(const struct tree *tree, const struct node *node, double bytes)
{
	char *text;

	if (is_uncorrected(tree, node->group))
		bytes /= FACTOR;
	return asprintf(&text, "%.0f\n", floor(bytes / UNIT) * UNIT) < 0 ? NULL : text;
}

static char *make_total(struct tree *tree, const struct node *node)
{
	return print_bytes(tree, node, sum_of(tree, node, offsetof(struct group, total)));
}

static char *make_local(struct tree *tree, const struct node *node)
{
	return print_bytes(tree, node, sum_of(tree, node, offsetof(struct group, local)));
}

static char *make_energy(struct tree *tree, const struct node *node)
{
	const double joules = sum_of(tree, node, offsetof(struct group, joules));
	char *text;

	return asprintf(&text, "%.6f\n", joules) < 0 ? NULL : text;
}

static char *make_occupancy(struct tree *tree, const struct node *node)
{
	const double now = 1e-9 * (double)sim_now(tree->sim);
	double bytes = 0;
	char *text;
	size_t n;
	const struct sim_cpu *cpus = sim_cpus(tree->sim, &n);

	for (const struct process *p = tree->processes->first; p; p = p->next)
		for (unsigned t = 0; process_lives(p, now) && t < p->n_threads; t++)
			if (is_in(p->threads[t].group, node->group) &&
			    cpus[process_cpu(p, t, now) % n].package == node->unit)
				bytes += p->llc / p->n_threads;
	return asprintf(&text, "%.0f\n", bytes) < 0 ? NULL : text;
}

/* ---- tasks ---- */

static char *make_tasks(struct tree *tree, const struct node *node)
{
	const double now = 1e-9 * (double)sim_now(tree->sim);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (const struct process *p = tree->processes->first; out && p; p = p->next)
		for (unsigned t = 0; process_lives(p, now) && t < p->n_threads; t++)
			if (is_in(p->threads[t].group, node->group))
				fprintf(out, "%u\n", p->pid + t);
	if (out)
		fclose(out);
	return text;
}

static struct thread *find_thread(const struct tree *tree, unsigned long tid, uid_t *owner)
{
	const double now = 1e-9 * (double)sim_now(tree->sim);

	for (struct process *p = tree->processes->first; p; p = p->next)
		if (tid >= p->pid && tid < p->pid + p->n_threads && process_lives(p, now)) {
			*owner = p->uid;
			return &p->threads[tid - p->pid];
		}
	return NULL;
}

static struct group *control_of(struct group *g)
{
	return g->parent ? g->parent : g;
}

/* A monitoring group accepts only threads of its control group; users move their own threads. */
static int take_task(struct tree *tree, const struct node *node, uid_t by, const char *text)
{
	char *end;
	const unsigned long tid = strtoul(text, &end, 10);
	uid_t owner = 0;
	struct thread *t = find_thread(tree, tid, &owner);

	if (end == text || (*end && *end != '\n'))
		return -EINVAL;
	if (!t)
		return -ESRCH;
	if (by != 0 && by != owner)
		return -EPERM;
	if (node->group->parent && control_of(t->group) != node->group->parent)
		return -EINVAL;
	t->group = node->group;
	return 0;
}

/* ---- groups ---- */

static void add_file(struct tree *tree, struct node *dir, const char *name, struct group *g,
		     unsigned package, char *(*make)(struct tree *, const struct node *))
{
	struct node *n = tree_add(tree, dir, NODE_MADE, "%s", name);

	if (!n)
		return;
	n->group = g;
	n->unit = package;
	n->make = make;
	if (make == make_tasks)
		n->take = take_task;
}

static struct node *add_dir(struct tree *tree, struct node *in, struct group *g, const char *name)
{
	struct node *dir = tree_add(tree, in, NODE_DIR, "%s", name);

	if (dir) {
		dir->group = g;
		dir->changes = true;
	}
	return dir;
}

static struct node *add_domain_dir(struct tree *tree, struct node *data, struct group *g,
				   const char *name, unsigned package)
{
	struct node *dir = add_dir(tree, data, g, name);

	if (dir)
		dir->unit = package;
	return dir;
}

static void add_domain(struct tree *tree, struct node *data, struct group *g, unsigned package)
{
	struct node *dir;
	char name[32];

	snprintf(name, sizeof(name), "mon_L3_%02u", package);
	dir = add_domain_dir(tree, data, g, name, package);
	add_file(tree, dir, "llc_occupancy", g, package, make_occupancy);
	if (tree->processes->bandwidth) {
		add_file(tree, dir, "mbm_total_bytes", g, package, make_total);
		add_file(tree, dir, "mbm_local_bytes", g, package, make_local);
	}
	if (!tree->processes->energy)
		return;
	snprintf(name, sizeof(name), "mon_PERF_PKG_%02u", package);
	dir = add_domain_dir(tree, data, g, name, package);
	add_file(tree, dir, "core_energy", g, package, make_energy);
}

static void fill_group(struct tree *tree, struct group *g)
{
	struct node *data = add_dir(tree, g->dir, g, "mon_data");

	add_file(tree, g->dir, "tasks", g, 0, make_tasks);
	if (!g->parent)
		add_dir(tree, g->dir, g, "mon_groups");
	for (unsigned package = 0; package < packages_of(tree) && package < MOST_PACKAGES;
	     package++)
		add_domain(tree, data, g, package);
}

/* The lowest RMID that no group has; -1: none is left. */
static int free_rmid(const struct processes *all)
{
	for (unsigned rmid = 0; rmid < all->rmids; rmid++) {
		const struct group *g = all->groups;

		while (g && (g->rmid != rmid || g->dir->gone))
			g = g->next;
		if (!g)
			return (int)rmid;
	}
	return -1;
}

/* Where a new group belongs: a monitoring group, or a control group at the top. */
static int make_group(struct tree *tree, struct node *dir, const char *name,
		      const struct processes_caller *by, struct node **made)
{
	struct processes *all = tree->processes;
	const bool monitoring = dir->group && strcmp(dir->name, "mon_groups") == 0;
	struct group *g, **end = &all->groups;
	const int rmid = free_rmid(all);

	if (!monitoring && dir != default_group(tree)->dir)
		return -EPERM;
	if (rmid < 0)
		return -ENOSPC;
	g = calloc(1, sizeof(*g));
	if (!g || !(g->dir = add_dir(tree, dir, g, name))) {
		free(g);
		return -ENOMEM;
	}
	while (*end)
		end = &(*end)->next;
	*end = g;
	g->rmid = (unsigned)rmid;
	g->owner = *by;
	g->parent = monitoring ? dir->group : NULL;
	fill_group(tree, g);
	*made = g->dir;
	return 0;
}

void processes_stat(const struct tree *tree, const struct node *node, struct stat *st)
{
	if (!node->group)
		return;
	st->st_uid = node->group->owner.uid;
	st->st_gid = node->group->owner.gid;
	if (tree->processes->shared && strcmp(node->name, "mon_groups") == 0)
		st->st_mode = S_IFDIR | S_ISVTX | 0777;
}

int processes_make_group(struct tree *tree, struct node *dir, const char *name,
			 const struct processes_caller *by, struct node **made)
{
	int code = -EEXIST;

	if (!tree->processes || !dir->group)
		return -EPERM;
	if (processes_child(tree, dir, name))
		return code;
	processes_lock(tree);
	processes_count(tree);
	code = make_group(tree, dir, name, by, made);
	processes_unlock(tree);
	return code;
}

static void remove_group(struct tree *tree, struct group *g)
{
	struct group *to = g->parent ? g->parent : tree->processes->groups;

	g->dir->gone = true;
	for (struct process *p = tree->processes->first; p; p = p->next)
		for (unsigned t = 0; t < p->n_threads; t++)
			if (is_in(p->threads[t].group, g))
				p->threads[t].group = to;
	for (struct group *child = tree->processes->groups; child; child = child->next)
		if (child->parent == g)
			child->dir->gone = true;
}

int processes_remove_group(struct tree *tree, const struct node *dir, const char *name)
{
	struct node *n = tree->processes && dir->group ? processes_child(tree, dir, name) : NULL;

	if (!n)
		return tree->processes && dir->group ? -ENOENT : -EPERM;
	if (!n->group || n->group->dir != n || n->group == default_group(tree))
		return -EPERM;
	processes_lock(tree);
	processes_count(tree);
	remove_group(tree, n->group);
	processes_unlock(tree);
	return 0;
}

/* ---- the file system ---- */

static void add_info(struct tree *tree, struct node *top)
{
	const struct processes *all = tree->processes;
	struct node *info = tree_dir(tree, top, "info"), *l3 = tree_dir(tree, info, "L3_MON"),
		    *energy;

	tree_text(tree, l3, "num_rmids", "%u\n", all->rmids);
	tree_text(tree, l3, "mon_features", "llc_occupancy\n%s",
		  all->bandwidth ? "mbm_total_bytes\nmbm_local_bytes\n" : "");
	tree_text(tree, info, "last_cmd_status", "ok\n");
	if (!all->energy)
		return;
	energy = tree_dir(tree, info, "PERF_PKG_MON");
	tree_text(tree, energy, "num_rmids", "%u\n", all->rmids);
	tree_text(tree, energy, "mon_features", "core_energy\n");
}

/* Haswell-EP monitors only occupancy; older processors and Knights Landing nothing. */
static void find_features(struct tree *tree)
{
	static const unsigned none[] = {45, 46, 47, 62, 87, 133};
	const unsigned model = sim_id(tree->sim).model;

	tree->processes->bandwidth = model != 63;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		tree->processes->unavailable |= model == none[i];
}

int resctrl_add(struct tree *tree)
{
	struct processes *all = tree->processes;
	struct group *g = calloc(1, sizeof(*g));

	if (!g)
		return -1;
	all->groups = g;
	g->owner = (struct processes_caller){geteuid(), getegid()};
	for (struct process *p = all->first; p; p = p->next)
		for (unsigned t = 0; t < p->n_threads; t++)
			p->threads[t].group = g;
	find_features(tree);
	g->dir = all->unavailable ? NULL : tree_dir(tree, tree->root, "sys/fs/resctrl");
	if (!g->dir)
		return all->unavailable ? 0 : -1;
	g->dir->group = g;
	g->dir->changes = true;
	fill_group(tree, g);
	add_info(tree, g->dir);
	return 0;
}
