/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metrics.h - metrics as constant data: what each one is, and of which events a
 * platform makes it.  docs/metrics.md shows the same as tables.
 */
#ifndef UNC_METRICS_H
#define UNC_METRICS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_MAX_METRIC_EVENTS \
	6 /* of a recipe, before an event becomes one for each box or package */

/* Metrics have this in front, so that a program cannot ask for one by accident. */
#define UNC_METRIC_PREFIX "UNCORE_"

enum unc_metric_kind {
	UNC_TOTAL, /* an integer that accumulates: the sum of `above` */
	UNC_RATIO, /* a real number: the sum of `above` divided by that of `below` */
	UNC_TIME,  /* the same in ns: `above` is in clocks, and `clock` tells how long one is */
	UNC_RATE,  /* a real number: the sum of `above` per second and box */
	UNC_POWER, /* the same of all boxes together: `above` is energy */
	UNC_LEVEL  /* a real number: what registers hold, the mean over those that do not hold 0 */
};

/* What a metric is, on every platform. */
struct unc_metric {
	const char *name, *unit, *text;
	enum unc_metric_kind kind;
	/* Of what is no UNC_TOTAL: the totals above and below its line; the nameless last one:
	 * time. */
	const struct unc_metric *above, *below;
};

struct unc_metric_event {
	const char *event; /* as in an event name, without a place */
	int above, below;  /* how often it counts above and below the line */
	bool clock;        /* its boxes' clock */
	const char *each;  /* counts once for each box that this event counts in; NULL: once */
	/*
	 * Counts in every of-th box, from the one with index `part` on, and its count is scaled
	 * to all boxes; of == 0: counts in all.
	 */
	uint8_t part, of;
	bool mean; /* counts as the mean of its boxes, not as their sum */
};

/* How a platform measures a metric; all events in one window. */
struct unc_recipe {
	const struct unc_metric *metric;
	int divisor;                                           /* of all factors; 0: 1 */
	struct unc_metric_event events[UNC_MAX_METRIC_EVENTS]; /* ended by event == NULL */
	/*
	 * Two of the events exclude each other, so the metric cannot be counted and is
	 * not listed.  What to take instead, "": nothing; NULL: it can be counted.
	 */
	const char *instead;
	bool above;  /* ... and those above the line exclude each other by themselves */
	bool energy; /* the events count energy, in units that the machine tells */
	/* Of UNC_LEVEL: 7 bits of the register, from this one on, in units of the divisor. */
	uint8_t shift;
};

/* The vocabulary; ended by name == NULL. */
extern const struct unc_metric unc_metrics[];

/* What a listing shows as the box of metrics. */
extern const struct unc_box_type unc_metric_box;

#ifdef __cplusplus
}
#endif
#endif
