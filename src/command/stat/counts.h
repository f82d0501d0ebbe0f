/* SPDX-License-Identifier: BSD-3-Clause */
/* counts.h - what was counted, and how it is shown. */
#ifndef UNC_TOOLS_COUNTS_H
#define UNC_TOOLS_COUNTS_H

#include "command/base/rate.h"
#include "wanted.h"

/* Between two moments. */
struct reading {
	double at;                  /* seconds since the start */
	double seconds;             /* in between */
	int64_t ns;                 /* that the set says its values stand for */
	int64_t *values;            /* of each event */
	struct uncore_times *times; /* of each event, if multiplexed */
};

/* What a row says. */
struct result {
	int64_t count; /* or */
	double value;  /* of what is real, a NaN if there was nothing to count */
	/* Of the time, what it was counted in; of what is made of several the least. */
	struct uncore_times times;
	double deviation; /* of the mean of several runs, in percent; a NaN of others */
};

/* How they are shown. */
struct counts {
	struct screen screen;
	struct uncore *u;
	const struct wanted *wanted;
	struct uncore_machine_info machine;
	const char *separator;  /* between fields; NULL: for people */
	bool multiplexed;       /* events are multiplexed */
	bool repeated;          /* the means of several runs are shown */
	struct uncore_set *set; /* that may stop by itself, NULL: it does not */
};

/* What the rows say of a reading; results.c. */
void find_results(const struct counts *c, const struct reading *r, struct result *results);

/* Of a row, per second; cycles: the mean of the counters; "" of means.  Returns text. */
const char *row_rate(char text[RATE_TEXT], const struct row *row, const struct result *result,
		     double seconds);
/* Percent of the time that it was counted. */
double counted_percent(const struct result *result);
/* The standard error of a multiplexed value, NaN if unknown. */
double error_percent(const struct row *row, const struct result *result);
/* No length of a window is known to 0.5 %: the value is withheld. */
bool has_no_window(const struct uncore_times *times);

/* For people, or with a separator a line for each; results: of each row. */
void print_counts(const struct counts *c, const struct reading *r, const struct result *results);
void print_interval(const struct counts *c, const struct reading *r, const struct result *results);
/* Print the means of several runs and the deviation of their time. */
void print_means(const struct counts *c, const struct reading *r, const struct result *results,
		 unsigned runs, double deviation);

struct json_object;

/* What a JSON object is about. */
enum json_kind { JSON_INTERVAL, JSON_TOTAL, JSON_RUN, JSON_MEAN };
/* runs: of a run its number, of means how many there were; else 0. */
void print_counts_json(const struct counts *c, enum json_kind kind, const struct reading *r,
		       const struct result *results, unsigned runs);

/* How a set came to stop; values: of each event. */
void print_stop_after(const struct counts *c, const int64_t *values);
void add_stop_after_json(struct json_object *o, const struct counts *c, const int64_t *values);

#endif
