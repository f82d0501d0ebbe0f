/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * load.h - traffic of known size between a CPU and memory: loops that move a number of lines, on
 * one CPU, in memory of one NUMA node.  Part of the command only.
 */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/load/compute.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOAD_LINE     64
#define LOAD_ANYWHERE (-1) /* any CPU and any memory */

enum load_kind {
	LOAD_READ,   /* streaming reads */
	LOAD_WRITE,  /* non-temporal stores */
	LOAD_COPY,   /* both: from one half of the memory to the other */
	LOAD_TRIAD,  /* a = b + c * d, as in STREAM, of the thirds of the memory */
	LOAD_CHASE,  /* dependent reads in an unpredictable order */
	LOAD_COMPUTE /* floating-point operations in registers */
};

struct load_wanted {
	enum load_kind kind;
	int cpu;                /* that runs it */
	int memory_cpu;         /* whose node has the memory */
	unsigned memory_node;   /* the node, plus 1; 0: that of memory_cpu */
	size_t bytes;           /* of memory, in whole lines */
	size_t hops;            /* of a chase, at most the lines of the memory */
	struct compute compute; /* of LOAD_COMPUTE */
};

/* The lines that a load moved, or the operations that it did, and the time it took. */
struct load_moved {
	uint64_t reads, writes, operations, ns;
};

struct load;

/* Allocate and touch each page, then flush it from the caches.  NULL: why has the reason. */
struct load *load_new(const struct load_wanted *wanted, char *why, size_t len);
void load_free(struct load *load);
/* Flush the memory from the caches again after a run. */
bool load_flush(struct load *load, char *why, size_t len);
bool load_run(struct load *load, struct load_moved *moved, char *why, size_t len);

/*
 * Find a block of the memory, of a power of two of bytes, that is contiguous in physical memory and
 * aligned there: its place in the memory and its physical address.
 */
bool load_find_block(const struct load *load, size_t bytes, size_t *offset, uint64_t *address,
		     char *why, size_t len);
/* Read one line of the memory again and again, each time from memory. */
bool load_run_line(struct load *load, size_t offset, size_t times, struct load_moved *moved,
		   char *why, size_t len);

/* A load of several that run at the same time, and what it moved. */
struct load_member {
	struct load_wanted wanted;
	struct load_moved moved;
};
/* Run all of them again and again for that time, each in a thread. */
bool load_run_together(struct load_member *members, size_t n, double seconds, char *why,
		       size_t len);

/* A multiple of the largest cache of this computer, in bytes. */
size_t load_memory_beyond_caches(void);

#ifdef __cplusplus
}
#endif
#endif
