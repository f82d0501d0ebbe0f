/* SPDX-License-Identifier: BSD-3-Clause */
/* measure.h - run `uncore stat`, from starting the counters to printing the last counts. */
#ifndef UNC_TOOLS_MEASURE_H
#define UNC_TOOLS_MEASURE_H

#include "command/base/mean.h"
#include "command/draw/record.h"
#include "command/roofline/roofline.h"
#include "command/stat/process.h"
#include "counts.h"
#include "program_share.h"
#include "progress.h"
#include "timeline.h"

/* A row in several runs. */
struct total {
	struct mean mean;
	struct uncore_times times;
	struct mean seconds; /* of the runs in which it was counted */
	unsigned unknown;    /* number of the others */
};

struct session {
	const struct request *request;
	const struct wanted *wanted;
	struct process *process;
	int other; /* pidfd of the process to wait for, -1: none */
	struct basket_set counted;
	/* Means have no difference: with them, intervals have a set that is reset after each. */
	struct basket_set intervals;
	struct counts counts;
	struct reading now, before, interval; /* interval: the difference */
	struct result *results;
	struct total *totals; /* of each row */
	struct mean seconds;
	struct progress progress;
	struct timeline timeline;
	struct program_share share; /* --share */
	struct roofline roofline;   /* if it is wanted */
	struct draw_record record;  /* of intervals, for pictures */
	double begin;
	unsigned reported; /* number of warnings */
	int failed;        /* TOOL_OK, or the exit status of a failed read or output */
	bool broken;       /* the output failed, for example a closed pipe */
};

/* Initialize without creating sets; end it also after a failure. */
void begin_measuring(struct session *s);
/* Count and print the counts; returns an exit status. */
int measure(struct session *s);
/* Free the sets and all other resources of the session. */
void end_measuring(struct session *s);

/* ---- show_counts.c ---- */

/* Only intervals are shown: programs would take a total for another interval. */
bool has_intervals_only(const struct session *s);

/* The heading of output for programs, once counting has begun. */
void show_heading(struct session *s);
/* The last reading; printed: also print it, not only draw it. */
void show_interval(struct session *s, bool printed);
void show_total(struct session *s);
/* The time and the memory traffic of a reading. */
struct roofline_part part_of_reading(struct session *s, const struct reading *r);
/* Add the run to the means; run: numbered from 1. */
void add_run(struct session *s, unsigned run);
void show_means(struct session *s, unsigned runs);

#endif
