/* SPDX-License-Identifier: BSD-3-Clause */
/* without_numa.c - in place of numa.c where the command is built without libnuma. */
#include <stdio.h>

#include "command/load/inside.h"

void *load_memory_near(int cpu, size_t bytes, char *why, size_t len)
{
	(void)cpu;
	(void)bytes;
	snprintf(why, len,
		 "not supported: uncore was built without libnuma; install libnuma-dev "
		 "(numactl-devel), then run ./configure and make again");
	return NULL;
}

void *load_memory_on(int node, size_t bytes, char *why, size_t len)
{
	return load_memory_near(node, bytes, why, len);
}

void load_memory_free(void *memory, size_t bytes)
{
	(void)memory;
	(void)bytes;
}
