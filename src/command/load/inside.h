/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.h - declarations shared by src/command/load. */
#ifndef LOAD_INSIDE_H
#define LOAD_INSIDE_H

#include <sched.h>

#include "command/load/load.h"

struct load {
	struct load_wanted wanted;
	void *memory;
	void *at; /* next line of a pointer chase */
};

/* Bind the thread to the CPU of a load, which need not be a certain one, and save its affinity. */
bool load_go(int cpu, cpu_set_t *before, char *why, size_t len);
void load_go_back(int cpu, const cpu_set_t *before);

/* ---- kernels.c; memory is aligned to lines, bytes are whole ones ---- */

/* NULL, or why this computer cannot run the loops. */
const char *load_no_kernels(void);
void load_flush_lines(const void *memory, size_t bytes);
void load_read(const void *memory, size_t bytes);
/* Read a line from memory `times` times. */
void load_read_again(const void *line, size_t times);
void load_write(void *memory, size_t bytes);
void load_copy(void *to, const void *from, size_t bytes);
/* a = b + 3 * c, of doubles; bytes of each. */
void load_triad(void *a, const void *b, const void *c, size_t bytes);
/* Link all lines into one random cycle; follow a number of links. */
void load_thread_lines(void *memory, size_t bytes);
void *load_chase(void *first, size_t hops);

/* ---- numa.c, or without_numa.c where there is no libnuma ---- */

/* Allocate memory on a CPU's node; NULL: why has the reason. */
void *load_memory_near(int cpu, size_t bytes, char *why, size_t len);
/* The same on that node. */
void *load_memory_on(int node, size_t bytes, char *why, size_t len);
void load_memory_free(void *memory, size_t bytes);

#endif
