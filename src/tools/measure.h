/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - `uncore stat` at work: from the start of the counters to the last line of counts. */
#ifndef UNC_TOOLS_MEASURE_H
#define UNC_TOOLS_MEASURE_H

#include "process.h"
#include "request.h"

struct session {
	const struct request *request;
	const struct stop_after *stop_after;
	struct process *process;
	int other; /* pidfd of the process whose end is waited for, -1: none */
	struct uncore_set *set;
	/* Means have no difference: with them, intervals have a set that is reset after each. */
	struct uncore_set *intervals;
	struct counts counts;
	int64_t *now, *before, *delta;
	double begin;
	int failed;  /* TOOL_OK, or what became of a read or of the output */
	bool broken; /* the output: nobody will see what is written */
};

/* Count, and print what was counted; an exit status. */
int measure(struct session *s);
/* Free the sets and what measure() has made. */
void end_measuring(struct session *s);

#endif
