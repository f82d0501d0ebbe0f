/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c - see traffic.h. */
#include "traffic.h"

#include <stdio.h>

#include "command/base/clock.h"
#include "command/load/load.h"

/*
 * A simulated machine has no caches that the memory must exceed, and no CPUs or nodes of this
 * computer.
 */
#define SIMULATED_BYTES ((size_t)64 << 20)
#define SIMULATED_HOPS  ((size_t)1 << 17)
#define HOPS            ((size_t)1 << 19)

/*
 * One core of a simulated machine moves 4 GB/s: the bandwidth of this computer may exceed what a
 * link of an older Xeon can carry in addition to its other traffic.
 */
#define NS_OF_LINE 16

static struct load_wanted wanted_of(const struct traffic_maker *m, const struct selftest_load *l)
{
	static const enum load_kind kinds[] = {[SELFTEST_READ] = LOAD_READ,
					       [SELFTEST_WRITE] = LOAD_WRITE,
					       [SELFTEST_COPY] = LOAD_COPY,
					       [SELFTEST_CHASE] = LOAD_CHASE};

	return (struct load_wanted){
		.kind = kinds[l->kernel],
		.cpu = m->simulated ? LOAD_ANYWHERE : (int)l->cpu,
		.memory_cpu = m->simulated ? LOAD_ANYWHERE : (int)l->memory_cpu,
		.bytes = m->simulated ? SIMULATED_BYTES : load_memory_beyond_caches(),
		.hops = m->simulated ? SIMULATED_HOPS : HOPS,
	};
}

static bool prepare(void *arg, struct selftest_load *l)
{
	const struct load_wanted wanted = wanted_of(arg, l);

	if (l->memory)
		return load_flush(l->memory, l->why, sizeof(l->why));
	l->memory = load_new(&wanted, l->why, sizeof(l->why));
	return l->memory != NULL;
}

/* A chase measures the latency of its reads. */
static bool report_load(const struct traffic_maker *m, struct selftest_load *l)
{
	struct uncore_load load = {.size = sizeof(load),
				   .cpu = l->cpu,
				   .memory_cpu = l->memory_cpu,
				   .reads = l->reads,
				   .writes = l->writes,
				   .ns = l->ns};

	if (l->kernel == SELFTEST_CHASE)
		load.latency_ns = (double)l->ns / (double)l->reads;
	if (uncore_simulate_load(m->u, &load) == 0)
		return true;
	uncore_errmsg(m->u, l->why, sizeof(l->why));
	return false;
}

/* Advance the simulated machine by the time that the moved lines require. */
static void stretch(struct selftest_load *l)
{
	const uint64_t takes =
		l->kernel == SELFTEST_CHASE ? 0 : (l->reads + l->writes) * NS_OF_LINE;
	const uint64_t began = now_ns() - l->ns;

	while (l->ns < takes)
		l->ns = now_ns() - began;
}

static bool run(void *arg, struct selftest_load *l)
{
	const struct traffic_maker *m = arg;
	struct load_moved moved;

	if (!load_run(l->memory, &moved, l->why, sizeof(l->why)))
		return false;
	l->reads = moved.reads;
	l->writes = moved.writes;
	l->ns = moved.ns;
	if (m->simulated)
		stretch(l);
	return !m->simulated || report_load(m, l);
}

static void end(void *arg, struct selftest_load *l)
{
	(void)arg;
	load_free(l->memory);
	l->memory = NULL;
}

struct selftest_traffic traffic_by(struct traffic_maker *maker)
{
	return (struct selftest_traffic){prepare, run, end, maker};
}
