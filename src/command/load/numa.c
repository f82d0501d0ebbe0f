/* SPDX-License-Identifier: BSD-3-Clause */
/* numa.c - memory of one NUMA node, by libnuma. */
#include <numa.h>
#include <stdio.h>

#include "command/load/inside.h"

/* The kernel kills programs that request more memory than the node has. */
static bool has_room(int node, size_t bytes, char *why, size_t len)
{
	long long free = 0;

	if (numa_node_size64(node, &free) < 0)
		free = 0;
	if (free / 4 * 3 >= (long long)bytes)
		return true;
	snprintf(why, len,
		 "not enough free memory on NUMA node %d: three quarters of %lld MiB are less "
		 "than the %zu MiB needed to exceed the caches",
		 node, free >> 20, bytes >> 20);
	return false;
}

void *load_memory_near(int cpu, size_t bytes, char *why, size_t len)
{
	const int node = numa_available() < 0 ? -1 : numa_node_of_cpu(cpu);

	if (node >= 0)
		return load_memory_on(node, bytes, why, len);
	snprintf(why, len, "the kernel does not report the NUMA node of CPU %d", cpu);
	return NULL;
}

void *load_memory_on(int node, size_t bytes, char *why, size_t len)
{
	void *memory;

	if (numa_available() < 0) {
		snprintf(why, len, "the kernel does not support NUMA nodes");
		return NULL;
	}
	if (!has_room(node, bytes, why, len))
		return NULL;
	numa_set_bind_policy(1);
	numa_set_strict(1);
	memory = numa_alloc_onnode(bytes, node);
	if (!memory)
		snprintf(why, len, "cannot allocate %zu MiB of memory on NUMA node %d", bytes >> 20,
			 node);
	return memory;
}

void load_memory_free(void *memory, size_t bytes)
{
	numa_free(memory, bytes);
}
