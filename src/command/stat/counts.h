/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.h - counts, and how they are shown. */
#ifndef UNC_TOOLS_COUNTS_H
#define UNC_TOOLS_COUNTS_H

#include "command/base/rate.h"
#include "wanted.h"

/* The counts between two points in time. */
struct reading {
	double at;                  /* seconds since the start */
	double seconds;             /* in between */
	int64_t ns;                 /* time covered by the values, from the set */
	int64_t *values;            /* of each event */
	struct uncore_times *times; /* of each event, if multiplexed */
};

/* The value of a row. */
struct result {
	int64_t count; /* or */
	double value;  /* of a mean; NaN without occurrences */
	/* Fraction of the time it was counted; the least of several events. */
	struct uncore_times times;
	double deviation; /* of the mean of several runs, in percent; otherwise NaN */
	double seconds;   /* mean of the runs that counted it, if not of all; otherwise 0 */
};

struct program_share;
struct roofline;

/* How they are shown. */
struct counts {
	struct screen screen;
	struct uncore *u;
	const struct wanted *wanted;
	struct uncore_machine_info machine;
	enum layout layout;
	const char *separator;             /* between the fields of programs; NULL: for people */
	bool intervals;                    /* readings are of intervals, not of all the time */
	bool multiplexed;                  /* events are multiplexed */
	bool channels;                     /* a line for each memory channel */
	bool repeated;                     /* the means of several runs are shown */
	struct uncore_set *set;            /* set that may stop by itself; NULL: none */
	const struct program_share *share; /* of the command; NULL: not counted */
	const struct roofline *roofline;   /* NULL: not counted */
};

/* Compute the rows of a reading; results.c. */
void find_results(const struct counts *c, const struct reading *r, struct result *results);

/* The seconds of a result. */
double result_seconds(const struct reading *r, const struct result *result);
/* The rate of a row per second; cycles: the mean of the counters; means: "".  Returns text. */
const char *row_rate(char text[RATE_TEXT], const struct row *row, const struct result *result,
		     double seconds);
/* Percent of the time that it was counted. */
double counted_percent(const struct result *result);
/* The standard error of a multiplexed value, NaN if unknown. */
double error_percent(const struct row *row, const struct result *result);

/* Whether a multiplexed value has an error that is large enough to show. */
bool is_uncertain(const struct counts *c, const struct row *row, const struct result *result);

/* Print a table; results: one per row. */
void print_counts(const struct counts *c, const struct reading *r, const struct result *results);
void print_interval(const struct counts *c, const struct reading *r, const struct result *results);
/* Print the means of several runs and the deviation of their time. */
void print_means(const struct counts *c, const struct reading *r, const struct result *results,
		 unsigned runs, double deviation);

/* memory_used.c: what part of the memory bandwidth was used, if uncore ceilings has measured it. */
void print_memory_used(const struct counts *c, const struct reading *r,
		       const struct result *results);

struct json_object;

/* Why a set stopped; values: one per event. */
void print_stop_after(const struct counts *c, const int64_t *values);
void add_stop_after_json(struct json_object *o, const struct counts *c, const int64_t *values);

#endif
