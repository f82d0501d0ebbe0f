/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - the memory traffic of the program itself, where a source of `uncore who` counts it:
 * the kernel's monitoring groups, or the filters of the C-Boxes.
 */
#ifndef EXPLAIN_PROGRAM_H
#define EXPLAIN_PROGRAM_H

#include "command/explain/own_reads.h"
#include "command/who/own.h"

#ifdef __cplusplus
extern "C" {
#endif

struct program {
	struct own own;
	bool counted; /* by a group of its own */
	struct own_reads reads;
	bool divided; /* by the reads of the CPUs */
};

/* Find the reads of CPUs where there are no groups; they are to be counted.  NULL: none. */
const struct core_reads *program_reads(struct program *p, struct uncore *u);
/* After a row was sampled. */
void program_row(struct program *p, const struct collection *c);
/* Make a group; without one, the program's traffic stays unknown. */
void program_open(struct program *p, struct uncore *u);
void program_close(struct program *p);
/* Programs that are started between these calls belong to the group. */
void program_enter(struct program *p);
void program_leave(struct program *p);
/* Tell the facts of the whole run the program's own traffic. */
void program_add(struct program *p, const struct collection *c, struct facts *run);

/* The same from the bytes of a group; uncorrected: struct resctrl. */
void program_share(struct facts *run, const struct share_values *values, bool uncorrected);

#ifdef __cplusplus
}
#endif
#endif
