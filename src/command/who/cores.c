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
	int64_t before;
	struct used *used;
	size_t n_used;
};

/* ---- opening ---- */

static int start(struct cores *c)
{
	const size_t n = c->reads.n;
	unsigned *ids = need_memory(n, sizeof(*ids));
	int code = uncore_set_create(c->u, &c->set);

	for (size_t i = 0; i < n; i++)
		ids[i] = c->reads.cpus[i].id;
	if (code == 0 && uncore_set_assign(c->set, ids, n) != 0) {
		code = uncore_set_multiplex(c->set, WINDOW_US);
		if (code == 0)
			code = uncore_set_assign(c->set, ids, n);
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
	code = core_reads_find(&c->reads, u, root);
	c->cpus = need_memory(c->reads.n, sizeof(*c->cpus));
	c->counts = need_memory(c->reads.n, sizeof(*c->counts));
	if (code == 0)
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
	for (size_t i = 0; i < c->reads.n; i++)
		forget_used(&c->cpus[i]);
	core_reads_free(&c->reads);
	free(c->cpus);
	free(c->counts);
	cpu_time_free(&c->time);
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

static void use_by_owner(void *of, const struct proc *p, unsigned number, uint64_t ticks)
{
	const struct cores *c = of;
	char *owner = owner_shown(p, c->by);

	for (size_t i = 0; i < c->reads.n; i++)
		if (c->reads.cpus[i].cpu == number)
			use(&c->cpus[i], owner, ticks);
	free(owner);
}

void cores_look(struct cores *c, struct procs *procs)
{
	cpu_time_look(&c->time, procs, use_by_owner, c);
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
static void divide(struct cores *c, const struct core_cpu *cpu, unsigned package, double bytes,
		   struct counted_time time)
{
	uint64_t all = 0;

	for (size_t i = 0; i < cpu->n_used; i++)
		all += cpu->used[i].ticks;
	if (!all)
		add_part(c, OWNER_OTHERS, package, bytes, bytes, time);
	for (size_t i = 0; all && i < cpu->n_used; i++)
		add_part(c, cpu->used[i].owner, package,
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
	for (size_t i = 0; code == 0 && i < c->reads.n; i++) {
		const struct core_read *reads = &c->reads.cpus[i];
		struct core_cpu *cpu = &c->cpus[i];

		if (reads->package < WHO_PACKAGES)
			divide(c, cpu, reads->package,
			       LINE * (double)(c->counts[i] - cpu->before) / reads->share, time);
		cpu->before = c->counts[i];
		forget_used(cpu);
	}
	return code;
}
