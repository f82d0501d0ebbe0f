/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own_reads.h - the memory traffic of the program itself, by the reads of the CPUs on which it ran,
 * where the C-Boxes filter by core (core_reads.h).  The program is every process that this one has
 * started, and what those have started.
 */
#ifndef EXPLAIN_OWN_READS_H
#define EXPLAIN_OWN_READS_H

#include <sys/types.h>

#include "command/explain/collect.h"
#include "command/who/core_reads.h"
#include "command/who/cpu_time.h"

#ifdef __cplusplus
extern "C" {
#endif

struct own_reads {
	const char *root; /* of /proc */
	pid_t self;
	struct core_reads reads;
	struct cpu_time time;
	struct own_cpu *cpus; /* of each of the reads */
	struct started {
		pid_t pid;
		uint64_t start;
	} * started; /* processes of the program, also if their parents have ended */
	size_t n_started;
	uint64_t ticks; /* of the program, in all rows */
};

/* self: whose children are the program.  False: this machine has no filters. */
bool own_reads_open(struct own_reads *o, struct uncore *u, const char *root, pid_t self);
void own_reads_close(struct own_reads *o);

/* The first row of a collection with these reads, and each later one, after it was sampled. */
void own_reads_row(struct own_reads *o, const struct collection *c);
/*
 * Tell the facts of the whole run the program's own traffic, unless most of its CPU time was not
 * seen (spent: ticks of all its processes that have ended), or nothing follows from what was
 * counted.
 */
void own_reads_add(const struct own_reads *o, const struct collection *c, struct facts *run,
		   uint64_t spent);

/* Reads by the CPUs of a package, bytes a second. */
struct reads_of_cpus {
	double all;
	double own;   /* those of CPUs on which the program ran, by its part of the CPU time */
	double doubt; /* what of it may be wrong */
};
/* The same from the reads of each package. */
void own_reads_share(struct facts *run, const struct reads_of_cpus *reads);

#ifdef __cplusplus
}
#endif
#endif
