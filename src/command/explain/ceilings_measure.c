/* SPDX-License-Identifier: BSD-3-Clause */
/* ceilings_measure.c - see ceilings_measure.h. */
#include "command/explain/ceilings_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/load/load.h"

#define LEAST_MEMORY ((size_t)16 << 20) /* of a core */
#define HOPS         ((size_t)1 << 16)

struct measuring {
	const struct core_list *packages;
	unsigned n;
	double seconds;
	char *why;
	size_t len;
};

static size_t memory_of_core(size_t cores)
{
	const size_t share = load_memory_beyond_caches() / cores / LOAD_LINE * LOAD_LINE;

	return share > LEAST_MEMORY ? share : LEAST_MEMORY;
}

/* Larger than a core's own caches, and less than its share of the last-level cache. */
static size_t memory_in_cache(size_t cores)
{
	const long own = sysconf(_SC_LEVEL2_CACHE_SIZE), all = sysconf(_SC_LEVEL3_CACHE_SIZE);

	return own > 0 && all > 0 ? ((size_t)own + (size_t)all / cores / 2) / LOAD_LINE * LOAD_LINE
				  : 0;
}

static void fill(struct load_member *members, const struct core_list *cores, size_t n,
		 enum load_kind kind, size_t bytes, int memory_cpu)
{
	for (size_t i = 0; i < n; i++)
		members[i].wanted = (struct load_wanted){
			.kind = kind,
			.cpu = cores->cpus[i],
			.memory_cpu = memory_cpu >= 0 ? memory_cpu : cores->cpus[i],
			.bytes = bytes,
			.hops = HOPS};
}

/* Bytes a second of the first n cores together; NAN after a failure. */
static double bandwidth(const struct measuring *m, const struct core_list *cores, size_t n,
			enum load_kind kind, size_t bytes, int memory_cpu)
{
	struct load_member *members = need_memory(n, sizeof(*members));
	double sum = 0;

	fill(members, cores, n, kind, bytes, memory_cpu);
	if (!load_run_together(members, n, m->seconds, m->why, m->len))
		sum = (double)NAN;
	for (size_t i = 0; i < n && !isnan(sum); i++)
		sum += per_second(
			LOAD_LINE * (double)(members[i].moved.reads + members[i].moved.writes),
			1e-9 * (double)members[i].moved.ns);
	free(members);
	return sum;
}

/* Time of a read in ns: of the first core, while others of the n cores read. */
static double latency(const struct measuring *m, const struct core_list *cores, size_t n,
		      int memory_cpu)
{
	struct load_member *members = need_memory(n, sizeof(*members));
	double ns = (double)NAN;

	fill(members, cores, n, LOAD_READ, memory_of_core(n), memory_cpu);
	members[0].wanted.kind = LOAD_CHASE;
	members[0].wanted.bytes = load_memory_beyond_caches();
	if (load_run_together(members, n, m->seconds, m->why, m->len))
		ns = (double)members[0].moved.ns / (double)members[0].moved.reads;
	free(members);
	return ns;
}

/* 1, 2, 4, ... and all cores. */
static void measure_steps(const struct measuring *m, const struct core_list *cores,
			  struct package_ceilings *c)
{
	size_t n = 1;

	while (c->n_steps < CEILING_STEPS) {
		c->step[c->n_steps++] =
			(struct ceiling_step){(unsigned)n, bandwidth(m, cores, n, LOAD_READ,
								     memory_of_core(cores->n), -1)};
		if (n == cores->n)
			return;
		n = 2 * n < cores->n ? 2 * n : cores->n;
	}
}

/* Operations a second of one thread on each core; NAN: no such vectors, or a failure. */
static double operations(const struct measuring *m, const struct core_list *cores,
			 const struct compute *compute)
{
	struct load_member *members = need_memory(cores->n, sizeof(*members));
	double sum = compute_can(compute) ? 0 : (double)NAN;

	fill(members, cores, cores->n, LOAD_COMPUTE, LOAD_LINE, -1);
	for (size_t i = 0; i < cores->n; i++)
		members[i].wanted.compute = *compute;
	if (!isnan(sum) && !load_run_together(members, cores->n, m->seconds, m->why, m->len))
		sum = (double)NAN;
	for (size_t i = 0; i < cores->n && !isnan(sum); i++)
		sum += per_second((double)members[i].moved.operations,
				  1e-9 * (double)members[i].moved.ns);
	free(members);
	return sum;
}

static void measure_operations(const struct measuring *m, const struct core_list *cores,
			       struct package_ceilings *c)
{
	static const unsigned bits[CEILING_WIDTHS] = {0, 128, 256, 512};

	for (unsigned single = 0; single < CEILING_PRECISIONS; single++)
		for (unsigned width = 0; width < CEILING_WIDTHS; width++)
			c->of[ceiling_of_operations(single, width)] =
				operations(m, cores, &(struct compute){single, bits[width]});
}

static void measure_package(const struct measuring *m, unsigned package, struct package_ceilings *c)
{
	const struct core_list *cores = &m->packages[package];
	const int remote = m->packages[(package + 1) % m->n].cpus[0];
	const size_t bytes = memory_of_core(cores->n), cache = memory_in_cache(cores->n);

	measure_steps(m, cores, c);
	c->of[CEILING_READ] = c->step[c->n_steps - 1].read;
	c->of[CEILING_WRITE] = bandwidth(m, cores, cores->n, LOAD_WRITE, bytes, -1);
	c->of[CEILING_COPY] = bandwidth(m, cores, cores->n, LOAD_COPY, bytes, -1);
	c->of[CEILING_TRIAD] = bandwidth(m, cores, cores->n, LOAD_TRIAD, bytes, -1);
	c->of[CEILING_CACHE] =
		cache ? bandwidth(m, cores, cores->n, LOAD_READ, cache, -1) : (double)NAN;
	c->of[CEILING_LATENCY] = latency(m, cores, 1, -1);
	c->of[CEILING_LOADED_LATENCY] = latency(m, cores, cores->n, -1);
	measure_operations(m, cores, c);
	c->of[CEILING_REMOTE] = c->of[CEILING_REMOTE_LATENCY] = (double)NAN;
	if (m->n > 1) {
		c->of[CEILING_REMOTE] = bandwidth(m, cores, cores->n, LOAD_READ, bytes, remote);
		c->of[CEILING_REMOTE_LATENCY] = latency(m, cores, 1, remote);
	}
}

bool ceilings_measure(struct ceilings *c, const struct core_list *packages, unsigned n,
		      double seconds, char *why, size_t len)
{
	const struct measuring m = {packages, n, seconds, why, len};

	*c = (struct ceilings){.packages = n, .at = need_memory(n, sizeof(*c->at))};
	*why = 0;
	for (unsigned p = 0; p < n && !*why; p++)
		measure_package(&m, p, &c->at[p]);
	return !*why;
}
