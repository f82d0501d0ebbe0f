/* SPDX-License-Identifier: BSD-3-Clause */
/* load.c - run a load and report how many lines it moved. */
#include "command/load/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/load/inside.h"

#define AT_LEAST (UINT64_C(256) << 20)
#define TIMES    4 /* times the largest cache */

/* Of computing: values stay below 1 / (1 - FACTOR). */
#define FACTOR 0.999
#define ROUNDS 200000

/* ---- the CPU ---- */

bool load_go(int cpu, cpu_set_t *before, char *why, size_t len)
{
	cpu_set_t target;

	if (cpu == LOAD_ANYWHERE)
		return true;
	CPU_ZERO(&target);
	if (cpu >= 0 && cpu < CPU_SETSIZE)
		CPU_SET((size_t)cpu, &target);
	if (sched_getaffinity(0, sizeof(*before), before) == 0 &&
	    sched_setaffinity(0, sizeof(target), &target) == 0)
		return true;
	snprintf(why, len, "cannot run on CPU %d: %s", cpu, strerror(errno));
	return false;
}

void load_go_back(int cpu, const cpu_set_t *before)
{
	if (cpu != LOAD_ANYWHERE)
		sched_setaffinity(0, sizeof(*before), before);
}

/* ---- memory ---- */

size_t load_memory_beyond_caches(void)
{
	const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
	const uint64_t bytes = cache > 0 ? TIMES * (uint64_t)cache : 0;

	return bytes > AT_LEAST ? bytes : AT_LEAST;
}

static bool allocate(struct load *load, char *why, size_t len)
{
	const struct load_wanted *w = &load->wanted;

	if (w->memory_node || w->memory_cpu != LOAD_ANYWHERE) {
		load->memory = w->memory_node
				       ? load_memory_on((int)w->memory_node - 1, w->bytes, why, len)
				       : load_memory_near(w->memory_cpu, w->bytes, why, len);
		return load->memory != NULL;
	}
	load->memory =
		mmap(NULL, w->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (load->memory != MAP_FAILED)
		return true;
	load->memory = NULL;
	snprintf(why, len, "cannot allocate %zu MiB of memory", w->bytes >> 20);
	return false;
}

static void release(struct load *load)
{
	if (load->memory && (load->wanted.memory_node || load->wanted.memory_cpu != LOAD_ANYWHERE))
		load_memory_free(load->memory, load->wanted.bytes);
	else if (load->memory)
		munmap(load->memory, load->wanted.bytes);
}

/* Write to every page so that it is allocated; use huge pages to reduce page table reads. */
static void fill(struct load *load)
{
	const struct load_wanted *w = &load->wanted;

	madvise(load->memory, w->bytes, MADV_HUGEPAGE);
	memset(load->memory, 1, w->bytes);
	if (w->kind == LOAD_CHASE)
		load_thread_lines(load->memory, w->bytes);
	load->at = load->memory;
}

struct load *load_new(const struct load_wanted *wanted, char *why, size_t len)
{
	struct load *load = calloc(1, sizeof(*load));
	const char *no = load_no_kernels();

	if (!load || no) {
		snprintf(why, len, "%s", no ? no : "out of memory");
		free(load);
		return NULL;
	}
	load->wanted = *wanted;
	if (allocate(load, why, len)) {
		fill(load);
		if (load_flush(load, why, len))
			return load;
	}
	load_free(load);
	return NULL;
}

void load_free(struct load *load)
{
	if (load)
		release(load);
	free(load);
}

/* ---- runs ---- */

bool load_flush(struct load *load, char *why, size_t len)
{
	cpu_set_t before;

	if (!load_go(load->wanted.cpu, &before, why, len))
		return false;
	load_flush_lines(load->memory, load->wanted.bytes);
	load_go_back(load->wanted.cpu, &before);
	return true;
}

static void move(struct load *load, struct load_moved *moved)
{
	const struct load_wanted *w = &load->wanted;
	const size_t lines = w->bytes / LOAD_LINE, half = lines / 2 * LOAD_LINE;

	*moved = (struct load_moved){.reads = lines};
	switch (w->kind) {
	case LOAD_READ:
		load_read(load->memory, w->bytes);
		break;
	case LOAD_WRITE:
		load_write(load->memory, w->bytes);
		*moved = (struct load_moved){.writes = lines};
		break;
	case LOAD_COPY:
		load_copy((char *)load->memory + half, load->memory, half);
		*moved = (struct load_moved){.reads = lines / 2, .writes = lines / 2};
		break;
	case LOAD_TRIAD: {
		const size_t third = lines / 3 * LOAD_LINE;

		load_triad(load->memory, (char *)load->memory + third,
			   (char *)load->memory + 2 * third, third);
		*moved = (struct load_moved){.reads = 2 * (lines / 3), .writes = lines / 3};
		break;
	}
	case LOAD_CHASE:
		load->at = load_chase(load->at, w->hops);
		moved->reads = w->hops;
		break;
	case LOAD_COMPUTE: {
		double value;

		*moved = (struct load_moved){
			.operations = (uint64_t)compute_run(&w->compute, FACTOR, ROUNDS, &value)};
		break;
	}
	}
}

bool load_run(struct load *load, struct load_moved *moved, char *why, size_t len)
{
	cpu_set_t before;
	uint64_t begin;

	if (!load_go(load->wanted.cpu, &before, why, len))
		return false;
	begin = now_ns();
	move(load, moved);
	moved->ns = now_ns() - begin;
	moved->ns += moved->ns == 0;
	load_go_back(load->wanted.cpu, &before);
	return true;
}
