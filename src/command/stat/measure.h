/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - `uncore stat` at work: from the start of the counters to the last line of counts. */
#ifndef UNC_TOOLS_MEASURE_H
#define UNC_TOOLS_MEASURE_H

#include "command/base/mean.h"
#include "command/draw/record.h"
#include "counts.h"
#include "process.h"
#include "progress.h"

/* A row in several runs. */
struct total {
	struct mean mean;
	struct uncore_times times;
};

struct session {
	const struct request *request;
	const struct wanted *wanted;
	struct process *process;
	int other; /* pidfd of the process whose end is waited for, -1: none */
	struct basket_set counted;
	/* Means have no difference: with them, intervals have a set that is reset after each. */
	struct basket_set intervals;
	struct counts counts;
	struct reading now, before, interval; /* the last is the difference */
	struct result *results;
	struct total *totals; /* of each row */
	struct mean seconds;
	struct progress progress;
	struct draw_record record; /* of intervals, for pictures */
	double begin;
	unsigned told; /* warnings */
	int failed;    /* TOOL_OK, or what became of a read or of the output */
	bool broken;   /* the output failed, for example a closed pipe */
};

/* Of what is wanted, without any set so far; to be ended either way. */
void begin_measuring(struct session *s);
/* Count, and print what was counted; an exit status. */
int measure(struct session *s);
/* Free the sets and all else that is the session's. */
void end_measuring(struct session *s);

/* ---- show_counts.c ---- */

/* Only intervals are shown: among lines for programs a total would pass for one. */
bool has_intervals_only(const struct session *s);

/* What was read last; printed: and not only drawn. */
void show_interval(struct session *s, bool printed);
void show_total(struct session *s);
/* Part of the means from now on; run: from 1 on. */
void add_run(struct session *s, unsigned run);
void show_means(struct session *s, unsigned runs);

#endif
