/* SPDX-License-Identifier: BSD-3-Clause */
/* inside.h - what the files of src/command/load share. */
#ifndef LOAD_INSIDE_H
#define LOAD_INSIDE_H

#include "command/load/load.h"

/* ---- kernels.c; memory is aligned to lines, bytes are whole ones ---- */

/* NULL, or why this computer has none of them. */
const char *load_no_kernels(void);
void load_flush_lines(const void *memory, size_t bytes);
void load_read(const void *memory, size_t bytes);
void load_write(void *memory, size_t bytes);
void load_copy(void *to, const void *from, size_t bytes);
/* Make each line point to the next one of a round through all; and follow so many of them. */
void load_thread_lines(void *memory, size_t bytes);
void *load_chase(void *first, size_t hops);

/* ---- numa.c, or without_numa.c where there is no libnuma ---- */

/* Memory of the node of a CPU; NULL: why says the reason. */
void *load_memory_near(int cpu, size_t bytes, char *why, size_t len);
void load_memory_free(void *memory, size_t bytes);

#endif
