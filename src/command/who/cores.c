/* SPDX-License-Identifier: BSD-3-Clause */
/* cores.c - see cores.h. */
#include "command/who/cores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/text.h"

#define LINE      64
#define WINDOW_US 5000

/* CPU time that an owner's threads used on a CPU in the interval. */
struct used {
	char *owner;
	uint64_t ticks;
};

struct core_cpu {
	unsigned cpu, package, core, thread; /* thread: of its core */
	double share;                        /* of the lines that its slice sees */
	int64_t before;
	struct used *used;
	size_t n_used;
};

/* ---- CPUs and slices ---- */

static unsigned number_of(const char *root, unsigned cpu, const char *file)
{
	char *text = read_text("%s/sys/devices/system/cpu/cpu%u/topology/%s", root, cpu, file);
	const unsigned number = text ? (unsigned)strtoul(text, NULL, 10) : 0;

	free(text);
	return number;
}

/* Threads of a core are numbered by CPU number. */
static unsigned thread_of(const struct cores *c, const struct core_cpu *cpu)
{
	unsigned thread = 0;

	for (size_t i = 0; i < c->n; i++)
		thread += c->cpus[i].package == cpu->package && c->cpus[i].core == cpu->core &&
			  c->cpus[i].cpu < cpu->cpu;
	return thread;
}

static void find_cpus(struct cores *c, const char *root)
{
	struct uncore_cpu_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_cpu(c->u, i, &info) == 1; i++) {
		c->cpus = need_more(c->cpus, c->n + 1, sizeof(*c->cpus));
		c->cpus[c->n++] = (struct core_cpu){.cpu = info.cpu,
						    .package = info.package,
						    .core = number_of(root, info.cpu, "core_id")};
	}
	for (size_t i = 0; i < c->n; i++)
		c->cpus[i].thread = thread_of(c, &c->cpus[i]);
}

static void find_slices(struct cores *c)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; uncore_box(c->u, i, &box) == 1; i++) {
		if (box.absent || strcmp(box.kind, "cbo") != 0)
			continue;
		c->slices = need_more(c->slices, c->n_slices + 1, sizeof(*c->slices));
		c->slices[c->n_slices++] = box;
	}
}

static unsigned slices_of(const struct cores *c, unsigned package)
{
	unsigned n = 0;

	for (size_t i = 0; i < c->n_slices; i++)
		n += c->slices[i].package == package;
	return n;
}

static const struct uncore_box_info *slice_at(const struct cores *c, unsigned package,
					      unsigned number)
{
	for (size_t i = 0; i < c->n_slices; i++)
		if (c->slices[i].package == package && number-- == 0)
			return &c->slices[i];
	return NULL;
}

/* CPU i of its package is counted by slice i, so that as many as possible are counted at once. */
static int find_event(struct cores *c, struct core_cpu *cpu, unsigned turn, unsigned *id)
{
	const unsigned n = slices_of(c, cpu->package);
	const struct uncore_box_info *slice = n ? slice_at(c, cpu->package, turn % n) : NULL;
	char name[UNCORE_NAME_MAX];

	if (!slice)
		return UNCORE_ENOEVENT;
	cpu->share = slice->line_share > 0 ? slice->line_share : 1.0 / n;
	snprintf(name, sizeof(name), "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I:cf=%u:tf=%u:box=%u:pkg=%u",
		 cpu->core, cpu->thread, slice->index, cpu->package);
	return uncore_event(c->u, name, id);
}

bool cores_have_filters(struct uncore *u)
{
	unsigned id;

	return uncore_event(u, "UNC_C_LLC_LOOKUP:DATA_READ:STATE_I:cf=0:tf=0", &id) == 0;
}

static int find_events(struct cores *c, unsigned *ids)
{
	unsigned turn = 0;
	int code = 0;

	for (size_t i = 0; code == 0 && i < c->n; i++) {
		turn = i && c->cpus[i].package == c->cpus[i - 1].package ? turn + 1 : 0;
		code = find_event(c, &c->cpus[i], turn, &ids[i]);
	}
	return code;
}

static int start(struct cores *c)
{
	unsigned *ids = need_memory(c->n, sizeof(*ids));
	int code = find_events(c, ids);

	if (code == 0)
		code = uncore_set_create(c->u, &c->set);
	if (code == 0 && uncore_set_assign(c->set, ids, c->n) != 0) {
		code = uncore_set_multiplex(c->set, WINDOW_US);
		if (code == 0)
			code = uncore_set_assign(c->set, ids, c->n);
	}
	if (code == 0)
		code = uncore_set_start(c->set);
	free(ids);
	return code;
}

bool cores_open(struct cores *c, const char *root, struct uncore *u, enum who_by by, char *why,
		size_t len)
{
	int code;

	*c = (struct cores){.u = u, .by = by};
	find_cpus(c, root);
	find_slices(c);
	c->counts = need_memory(c->n, sizeof(*c->counts));
	code = start(c);
	if (code == 0)
		return true;
	if (code == UNCORE_ENOEVENT)
		snprintf(why, len, "the cache slices of this processor do not filter by core");
	else
		uncore_errmsg(u, why, len);
	cores_close(c);
	return false;
}

static void forget_used(struct core_cpu *cpu)
{
	for (size_t i = 0; i < cpu->n_used; i++)
		free(cpu->used[i].owner);
	free(cpu->used);
	cpu->used = NULL;
	cpu->n_used = 0;
}

void cores_close(struct cores *c)
{
	if (c->set)
		uncore_set_destroy(c->set);
	for (size_t i = 0; i < c->n; i++)
		forget_used(&c->cpus[i]);
	free(c->cpus);
	free(c->slices);
	free(c->counts);
	procs_free(&c->last);
	shares_free(&c->shares);
}

/* ---- CPU time ---- */

static void use(struct core_cpu *cpu, const char *owner, uint64_t ticks)
{
	size_t i = 0;

	while (i < cpu->n_used && strcmp(cpu->used[i].owner, owner) != 0)
		i++;
	if (i == cpu->n_used) {
		cpu->used = need_more(cpu->used, ++cpu->n_used, sizeof(*cpu->used));
		cpu->used[i] = (struct used){text_of("%s", owner), 0};
	}
	cpu->used[i].ticks += ticks;
}

static struct core_cpu *find_cpu(const struct cores *c, unsigned number)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->cpus[i].cpu == number)
			return &c->cpus[i];
	return NULL;
}

static uint64_t ticks_before(const struct cores *c, const struct proc *p, pid_t tid)
{
	const struct proc *before = procs_find(&c->last, p->pid);

	for (size_t i = 0; before && before->start == p->start && i < before->n; i++)
		if (before->threads[i].tid == tid)
			return before->threads[i].ticks;
	return 0;
}

void cores_look(struct cores *c, struct procs *procs)
{
	for (size_t i = 0; c->last.list && i < procs->n; i++) {
		const struct proc *p = &procs->list[i];
		char *owner = owner_shown(p, c->by);

		for (size_t t = 0; t < p->n; t++) {
			const struct proc_thread *thread = &p->threads[t];
			const uint64_t ticks = thread->ticks - ticks_before(c, p, thread->tid);
			struct core_cpu *cpu = ticks ? find_cpu(c, thread->cpu) : NULL;

			if (cpu)
				use(cpu, owner, ticks);
		}
		free(owner);
	}
	procs_free(&c->last);
	c->last = *procs;
	*procs = (struct procs){NULL, 0};
}

/* ---- reading ---- */

/*
 * CPU time says nothing about traffic: of two owners that used a CPU, each may have caused all of
 * it, or none.
 */
static void add_part(struct cores *c, const char *owner, unsigned package, double bytes, double all,
		     struct counted_time time)
{
	struct share *share = shares_of(&c->shares, owner);

	share->values.total[package] += bytes;
	share->mixed += all > bytes ? fmax(bytes, all - bytes) : 0;
	share_rate(share, package, bytes, bytes, time);
}

/* Lines that no process was seen to cause belong to the others. */
static void divide(struct cores *c, const struct core_cpu *cpu, double bytes,
		   struct counted_time time)
{
	uint64_t all = 0;

	for (size_t i = 0; i < cpu->n_used; i++)
		all += cpu->used[i].ticks;
	if (!all)
		add_part(c, OWNER_OTHERS, cpu->package, bytes, bytes, time);
	for (size_t i = 0; all && i < cpu->n_used; i++)
		add_part(c, cpu->used[i].owner, cpu->package,
			 bytes * (double)cpu->used[i].ticks / (double)all, bytes, time);
}

static struct counted_time time_since(struct cores *c, int64_t ns, struct looked_at now)
{
	const struct counted_time time = {1e-9 * (double)(ns - c->ns),
					  time_between(c->at, now).doubt};

	c->ns = ns;
	c->at = now;
	return time;
}

int cores_read(struct cores *c)
{
	struct looked_at now = {.before = seconds_now()};
	struct counted_time time = {0, 0};
	int64_t ns = 0;
	const int code = uncore_set_read_timed(c->set, c->counts, &ns);

	now.after = seconds_now();
	if (code == 0)
		time = time_since(c, ns, now);
	shares_free(&c->shares);
	for (size_t i = 0; code == 0 && i < c->n; i++) {
		struct core_cpu *cpu = &c->cpus[i];

		if (cpu->package < WHO_PACKAGES)
			divide(c, cpu, LINE * (double)(c->counts[i] - cpu->before) / cpu->share,
			       time);
		cpu->before = c->counts[i];
		forget_used(cpu);
	}
	return code;
}
