/* SPDX-License-Identifier: BSD-3-Clause */
/* own_reads.c - see own_reads.h. */
#include "command/explain/own_reads.h"

#include <math.h>
#include <stdlib.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/who/cores.h"

#define LINE      64
#define ANCESTORS 100
#define UNSEEN    0.25 /* of the CPU time: more may have been anywhere */

struct own_cpu {
	/* ticks of the program and of others, in this row and the one before: an estimate of
	 * multiplexing is that of the last window */
	uint64_t own[2], others[2];
	double counted; /* at the last row */
	double lines, owned, mixed, nobodys;
};

bool own_reads_open(struct own_reads *o, struct uncore *u, const char *root, pid_t self)
{
	*o = (struct own_reads){.root = root, .self = self};
	if (cores_have_filters(u) && core_reads_find(&o->reads, u, root) == 0) {
		o->cpus = need_memory(o->reads.n, sizeof(*o->cpus));
		return true;
	}
	own_reads_close(o);
	return false;
}

void own_reads_close(struct own_reads *o)
{
	core_reads_free(&o->reads);
	cpu_time_free(&o->time);
	free(o->cpus);
	free(o->started);
	*o = (struct own_reads){.root = NULL};
}

/* ---- whose CPU time ---- */

static bool was_started(const struct own_reads *o, const struct proc *p)
{
	for (size_t i = 0; i < o->n_started; i++)
		if (o->started[i].pid == p->pid && o->started[i].start == p->start)
			return true;
	return false;
}

static bool has_ancestor(const struct own_reads *o, const struct procs *all, const struct proc *p)
{
	for (int i = 0; p && i < ANCESTORS; i++) {
		if (p->parent == o->self || was_started(o, p))
			return true;
		p = procs_find(all, p->parent);
	}
	return false;
}

/* A process whose parent ends gets another one. */
static void find_started(struct own_reads *o, const struct procs *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct proc *p = &all->list[i];

		if (was_started(o, p) || !has_ancestor(o, all, p))
			continue;
		o->started = need_more(o->started, o->n_started + 1, sizeof(*o->started));
		o->started[o->n_started++] = (struct started){p->pid, p->start};
	}
}

static void use(void *of, const struct proc *p, unsigned cpu, uint64_t ticks)
{
	struct own_reads *o = of;
	const bool own = was_started(o, p);

	o->ticks += own ? ticks : 0;
	for (size_t i = 0; i < o->reads.n; i++)
		if (o->reads.cpus[i].cpu == cpu)
			*(own ? &o->cpus[i].own[0] : &o->cpus[i].others[0]) += ticks;
}

static void look(struct own_reads *o)
{
	struct procs procs;

	for (size_t i = 0; i < o->reads.n; i++) {
		struct own_cpu *cpu = &o->cpus[i];

		cpu->own[1] = cpu->own[0];
		cpu->others[1] = cpu->others[0];
		cpu->own[0] = cpu->others[0] = 0;
	}
	if (procs_read(&procs, o->root) != 0)
		return;
	find_started(o, &procs);
	cpu_time_look(&o->time, &procs, use, o);
}

/* ---- whose reads ---- */

static void divide(struct own_cpu *cpu, double lines)
{
	const double own = (double)(cpu->own[0] + cpu->own[1]);
	const double others = (double)(cpu->others[0] + cpu->others[1]);
	const double part = own + others > 0 ? own / (own + others) : 0;

	cpu->lines += lines;
	cpu->owned += part * lines;
	cpu->mixed += own > 0 && others > 0 ? fmax(part, 1 - part) * lines : 0;
	cpu->nobodys += own + others > 0 ? 0 : lines;
}

void own_reads_row(struct own_reads *o, const struct collection *c)
{
	const struct sample *row = &c->samples[(c->rows - 1) * c->basket.n_events];

	look(o);
	for (size_t i = 0; i < c->basket.n_events; i++) {
		struct own_cpu *cpu = &o->cpus[c->events[i].box < 0 ? 0 : c->events[i].box];

		if (c->events[i].quantity != Q_CORE_READS)
			continue;
		if (c->rows > 1)
			divide(cpu, fmax(row[i].count - cpu->counted, 0));
		cpu->counted = row[i].count;
	}
}

/* False: the reads are not known. */
static bool add_cpu(const struct own_reads *o, const struct collection *c, size_t event,
		    struct reads_of_cpus *of)
{
	const struct span whole = {0, c->rows - 1};
	const struct own_cpu *cpu = &o->cpus[c->events[event].box];
	const struct rate lines = collection_rate(c, event, &whole, 1);
	const double line = LINE / o->reads.cpus[c->events[event].box].share;
	const double seen = cpu->lines > 0 ? line * lines.value / cpu->lines : 0;

	if (!c->basket.parts[c->basket.events[event].part].up || !isfinite(lines.error))
		return false;
	of->all += line * lines.value;
	of->own += seen * cpu->owned;
	of->doubt += CORES_ERROR * seen * cpu->owned + seen * (cpu->mixed + cpu->nobodys) +
		     line * lines.error * (cpu->owned > 0);
	return true;
}

void own_reads_add(const struct own_reads *o, const struct collection *c, struct facts *run,
		   uint64_t spent)
{
	struct reads_of_cpus *reads = need_memory(run->packages, sizeof(*reads));
	bool known =
		o->n_started > 0 && c->rows > 1 && (double)spent * (1 - UNSEEN) <= (double)o->ticks;

	for (size_t i = 0; known && i < c->basket.n_events; i++)
		if (c->events[i].quantity == Q_CORE_READS)
			known = add_cpu(o, c, i, &reads[c->events[i].package]);
	if (known)
		own_reads_share(run, reads);
	free(reads);
}

/* ---- of which memory ---- */

/* Reads of a package's CPUs that go to other packages: their part, and whether it is known. */
static double away(const struct facts *run, unsigned package, bool *known)
{
	const struct package_facts *f = &run->at[package];
	const double all = f->rate[Q_LOCAL_READS] + f->rate[Q_REMOTE_READS];

	*known = run->packages < 2 || isfinite(all);
	if (run->packages < 2)
		return 0;
	return all > 0 ? f->rate[Q_REMOTE_READS] / all : *known ? 0 : 0.5;
}

/* Reads of the memory of a package: all that reach it, and the program's. */
static struct reads_of_cpus reads_of_memory(const struct facts *run,
					    const struct reads_of_cpus *reads, unsigned package)
{
	const double others = fmax(run->packages - 1.0, 1);
	struct reads_of_cpus sum = {0, 0, 0};

	for (unsigned p = 0; p < run->packages; p++) {
		bool known;
		const double out = away(run, p, &known), in = p == package ? 1 - out : out / others;
		const double most = known && run->packages < 3 ? in * reads[p].all : reads[p].own;

		sum.all += in * reads[p].all;
		sum.own += in * reads[p].own;
		sum.doubt += reads[p].doubt;
		if (run->packages > 1) /* it may be another program that reads the other's memory */
			sum.doubt += fmax(fmin(reads[p].own, most) - in * reads[p].own,
					  in * reads[p].own -
						  fmax(reads[p].own - (reads[p].all - most), 0));
	}
	return sum;
}

/* Write-backs and prefetches, which no CPU read, may be those of any program. */
void own_reads_share(struct facts *run, const struct reads_of_cpus *reads)
{
	for (unsigned p = 0; p < run->packages; p++) {
		struct package_facts *f = &run->at[p];
		const struct reads_of_cpus of = reads_of_memory(run, reads, p);
		const double traffic = memory_traffic(f);
		const double part = of.all > 0 ? fmin(of.own / of.all, 1) : 0;
		const double rest = fmax(traffic - of.all, 0);
		const double own = fmin(of.own + part * rest, traffic);
		const double error = of.doubt + fmax(part, 1 - part) * rest + memory_error(f);

		f->own = own;
		f->own_error = fmin(error, fmax(own, traffic - own));
		f->own_of_cores = true;
		f->has_own = error < fmax(own, traffic - own);
	}
}
