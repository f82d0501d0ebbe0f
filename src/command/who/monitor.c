/* SPDX-License-Identifier: BSD-3-Clause */
/* monitor.c - see monitor.h: which thread belongs in which group. */
#include "command/who/monitor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/base/text.h"
#include "command/who/monitor_inside.h"

/* A monitoring ID is left for other programs for each of these. */
#define LEFT_FOR_OTHERS 8

/* ---- groups ---- */

static struct watched *find_watched(const struct monitor *m, const char *path)
{
	for (size_t i = 0; i < m->n_watched; i++)
		if (strcmp(m->watched[i].path, path) == 0)
			return &m->watched[i];
	return NULL;
}

/* Takes ownership of the path. */
static struct watched *watch(struct monitor *m, char *path, bool ours)
{
	struct watched *w;

	m->watched = need_more(m->watched, m->n_watched + 1, sizeof(*m->watched));
	w = &m->watched[m->n_watched++];
	*w = (struct watched){.path = path, .ours = ours};
	if (resctrl_is_monitoring(path))
		w->control = resctrl_control(path);
	return w;
}

static void free_watched(struct watched *w)
{
	free(w->path);
	free(w->control);
	free(w->owner);
}

static bool is_listed(char *const *groups, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(groups[i], path) == 0)
			return true;
	return false;
}

/* Follow what others made and removed since the last time. */
static void update_groups(struct monitor *m)
{
	size_t n, left = 0;
	char **groups = resctrl_groups(&m->resctrl, &n);

	for (size_t i = 0; i < m->n_watched; i++) {
		if (is_listed(groups, n, m->watched[i].path))
			m->watched[left++] = m->watched[i];
		else
			free_watched(&m->watched[i]);
	}
	m->n_watched = left;
	for (size_t i = 0; i < n; i++) {
		if (find_watched(m, groups[i]))
			free(groups[i]);
		else
			watch(m, groups[i], false);
	}
	free(groups);
}

/* ---- threads ---- */

/* Where a thread is: positions in `watched`, which stay valid until the next update. */
struct place {
	pid_t tid;
	size_t control, group; /* the same: in no monitoring group */
};

struct places {
	struct place *list;
	size_t n;
};

static int by_tid(const void *a, const void *b)
{
	const pid_t x = ((const struct place *)a)->tid, y = ((const struct place *)b)->tid;

	return (x > y) - (x < y);
}

static struct place *find_place(const struct places *places, pid_t tid)
{
	const struct place key = {.tid = tid};

	return places->n ? bsearch(&key, places->list, places->n, sizeof(key), by_tid) : NULL;
}

/* The tasks of a control group include those of its monitoring groups, which find_members()
 * corrects. */
static void add_places(struct places *places, const struct monitor *m, size_t group)
{
	size_t n;
	pid_t *tids = resctrl_tasks(&m->resctrl, m->watched[group].path, &n);

	places->list = need_more(places->list, places->n + n, sizeof(*places->list));
	for (size_t i = 0; i < n; i++)
		places->list[places->n++] = (struct place){tids[i], group, group};
	free(tids);
}

static void find_members(const struct places *places, const struct monitor *m, size_t group)
{
	size_t n;
	pid_t *tids = resctrl_tasks(&m->resctrl, m->watched[group].path, &n);

	for (size_t i = 0; i < n; i++) {
		struct place *place = find_place(places, tids[i]);

		if (place)
			place->group = group;
	}
	free(tids);
}

static struct places find_places(const struct monitor *m)
{
	struct places places = {NULL, 0};

	for (size_t i = 0; i < m->n_watched; i++)
		if (!m->watched[i].control)
			add_places(&places, m, i);
	if (places.n)
		qsort(places.list, places.n, sizeof(*places.list), by_tid);
	for (size_t i = 0; i < m->n_watched; i++)
		if (m->watched[i].control)
			find_members(&places, m, i);
	return places;
}

/* ---- owners ---- */

struct owned {
	char *owner;
	uint64_t ticks; /* of all its processes */
};

struct plan {
	struct monitor *m;
	struct places places;
	const struct procs *procs;
	char **owners; /* of each process */
};

static uint64_t ticks_of(const struct proc *p)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < p->n; i++)
		ticks += p->threads[i].ticks;
	return ticks;
}

/* The owner of all threads in a group of others; if they differ, the group has a row of its own. */
static void name_group(struct watched *w, const char *owner)
{
	if (!w->owner)
		w->owner = text_of("%s", owner);
	else if (strcmp(w->owner, owner) != 0) {
		free(w->owner);
		w->owner =
			geteuid() == 0 ? text_of("group %s", w->path) : text_of("%s", OWNER_OTHERS);
	}
}

static void name_groups_of_others(const struct plan *plan)
{
	struct watched *watched = plan->m->watched;

	for (size_t i = 0; i < plan->m->n_watched; i++)
		if (watched[i].control && !watched[i].ours) {
			free(watched[i].owner);
			watched[i].owner = NULL;
		}
	for (size_t i = 0; i < plan->procs->n; i++)
		for (size_t t = 0; t < plan->procs->list[i].n; t++) {
			const struct place *place =
				find_place(&plan->places, plan->procs->list[i].threads[t].tid);

			if (place && place->group != place->control && !watched[place->group].ours)
				name_group(&watched[place->group], plan->owners[i]);
		}
}

/* ---- assigning ---- */

static bool has_room(const struct monitor *m)
{
	return m->n_watched + 1 + m->resctrl.groups / LEFT_FOR_OTHERS < m->resctrl.groups;
}

/* Our group of an owner in a control group, made if necessary; NULL: no monitoring ID is left. */
static struct watched *group_for(struct monitor *m, const char *owner, size_t control)
{
	struct watched *w;
	char *path;

	for (size_t i = 0; i < m->n_watched; i++) {
		w = &m->watched[i];
		if (w->ours && w->owner && strcmp(w->owner, owner) == 0 &&
		    strcmp(w->control, m->watched[control].path) == 0)
			return w;
	}
	errno = ENOSPC;
	path = has_room(m) ? resctrl_make(&m->resctrl, m->watched[control].path, m->made) : NULL;
	m->error = path ? m->error : errno;
	if (!path)
		return NULL;
	m->made++;
	w = watch(m, path, true);
	w->owner = text_of("%s", owner);
	w->valid = resctrl_read(&m->resctrl, path, &w->last);
	w->at = m->at; /* its threads were in another group until now */
	return w;
}

/* Groups of others are left alone; a thread that inherited one of ours may belong in another. */
static bool is_in_place(const struct monitor *m, const struct place *place, const char *owner)
{
	const struct watched *w = &m->watched[place->group];

	if (place->group == place->control)
		return false;
	return !w->ours || (w->owner && strcmp(w->owner, owner) == 0);
}

/* False: there was no group for it. */
static bool assign_process(struct plan *plan, size_t process)
{
	const struct proc *p = &plan->procs->list[process];
	const char *owner = plan->owners[process];

	if (!owner_is_shown(p))
		return true;
	for (size_t t = 0; t < p->n; t++) {
		const struct place *place = find_place(&plan->places, p->threads[t].tid);
		const struct watched *w;

		if (!place || is_in_place(plan->m, place, owner))
			continue;
		w = group_for(plan->m, owner, place->control);
		if (!w)
			return false;
		resctrl_assign(&plan->m->resctrl, w->path, p->threads[t].tid); /* or it has ended */
	}
	return true;
}

static int by_ticks(const void *a, const void *b)
{
	const uint64_t x = ((const struct owned *)a)->ticks, y = ((const struct owned *)b)->ticks;

	return (x < y) - (x > y);
}

/* All owners, those that used most CPU time first. */
static struct owned *sort_owners(const struct plan *plan, size_t *n)
{
	struct owned *list = need_memory(plan->procs->n, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < plan->procs->n; i++) {
		size_t k = 0;

		while (k < *n && strcmp(list[k].owner, plan->owners[i]) != 0)
			k++;
		list[k].owner = plan->owners[i];
		list[k].ticks += ticks_of(&plan->procs->list[i]);
		*n += k == *n;
	}
	qsort(list, *n, sizeof(*list), by_ticks);
	return list;
}

static void assign_all(struct plan *plan)
{
	size_t n;
	struct owned *owners = sort_owners(plan, &n);

	plan->m->ungrouped = 0;
	for (size_t k = 0; k < n; k++) {
		bool grouped = true;

		for (size_t i = 0; i < plan->procs->n; i++)
			if (strcmp(plan->owners[i], owners[k].owner) == 0)
				grouped &= assign_process(plan, i);
		plan->m->ungrouped += !grouped;
	}
	free(owners);
}

static bool has_owner(const struct plan *plan, const char *owner)
{
	for (size_t i = 0; i < plan->procs->n; i++)
		if (strcmp(plan->owners[i], owner) == 0)
			return true;
	return false;
}

/* A group is read once more after its owner has ended, and its monitoring ID becomes free then. */
static void remove_ended(const struct plan *plan)
{
	struct monitor *m = plan->m;
	size_t left = 0;

	for (size_t i = 0; i < m->n_watched; i++) {
		struct watched *w = &m->watched[i];
		const bool ended = w->ours && !has_owner(plan, w->owner);

		if (ended && w->final) {
			resctrl_remove(&m->resctrl, w->path);
			free_watched(w);
			continue;
		}
		w->ended = ended;
		m->watched[left++] = *w;
	}
	m->n_watched = left;
}

void monitor_assign(struct monitor *m, const struct procs *procs)
{
	struct plan plan = {.m = m, .procs = procs};

	update_groups(m);
	plan.places = find_places(m);
	plan.owners = need_memory(procs->n, sizeof(*plan.owners));
	for (size_t i = 0; i < procs->n; i++)
		plan.owners[i] = owner_shown(&procs->list[i], m->by);
	name_groups_of_others(&plan);
	assign_all(&plan);
	remove_ended(&plan);
	for (size_t i = 0; i < procs->n; i++)
		free(plan.owners[i]);
	free(plan.owners);
	free(plan.places.list);
}

/* ---- all ---- */

bool monitor_open(struct monitor *m, const char *root, struct uncore *u, enum who_by by, char *why,
		  size_t len)
{
	*m = (struct monitor){.by = by};
	if (!resctrl_open(&m->resctrl, root, u, why, len)) {
		resctrl_close(&m->resctrl);
		return false;
	}
	resctrl_recover(&m->resctrl);
	return true;
}

void monitor_close(struct monitor *m)
{
	for (size_t i = 0; i < m->n_watched; i++) {
		if (m->watched[i].ours)
			resctrl_remove(&m->resctrl, m->watched[i].path);
		free_watched(&m->watched[i]);
	}
	free(m->watched);
	shares_free(&m->shares);
	resctrl_close(&m->resctrl);
}
