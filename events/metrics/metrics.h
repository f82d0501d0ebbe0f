/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * metrics.h - metrics as constant data: their descriptions, and the events each platform
 * computes them from.  docs/reference/metrics.md has the same as tables.
 */
#ifndef UNC_METRICS_H
#define UNC_METRICS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_MAX_METRIC_EVENTS 6 /* per recipe, before expansion to boxes and packages */

/* Prefix of metrics, so that a program does not request one by accident. */
#define UNC_METRIC_PREFIX "UNCORE_"

enum unc_metric_kind {
	UNC_TOTAL, /* an accumulating integer: the sum of `above` */
	UNC_RATIO, /* a real number: the sum of `above` divided by that of `below` */
	UNC_TIME,  /* the same in ns: `above` is in clocks of the event marked `clock` */
	UNC_RATE,  /* a real number: the sum of `above` per second and box */
	UNC_POWER, /* the same over all boxes together: `above` is energy */
	UNC_LEVEL  /* a real number: the mean of the registers' values that are not 0 */
};

/* A metric, independent of the platform. */
struct unc_metric {
	char name[48], unit[16], text[256];
	enum unc_metric_kind kind;
	/* Unless UNC_TOTAL or UNC_LEVEL: the totals in its numerator and denominator, as numbers
	 * from 1 on; the last metric, which has no name, stands for time. */
	uint16_t above, below;
};

struct unc_metric_event {
	char event[88];   /* event name without box and package */
	int above, below; /* factors in numerator and denominator */
	bool clock;       /* the event is the clock of its boxes */
	/* multiplied by the number of boxes in which this event counts; "": by 1 */
	char each[32];
	/*
	 * Counted in every of-th box, from the one with index `part` on, and scaled to all boxes;
	 * of == 0: counted in all boxes.
	 */
	uint8_t part, of;
	bool mean; /* the mean of its boxes is used, not their sum */
};

/* How a platform measures a metric; all events are counted in one window. */
struct unc_recipe {
	uint16_t metric;                                       /* index into unc_metrics */
	int divisor;                                           /* divisor of all factors; 0: 1 */
	struct unc_metric_event events[UNC_MAX_METRIC_EVENTS]; /* ended by an empty event */
	bool collides;    /* two of the events conflict, so the metric is not listed */
	char instead[32]; /* the alternative to it, if there is one */
	bool above;       /* the events of the numerator conflict by themselves */
	bool energy;      /* the events count energy, in units read from the machine */
	/* UNC_LEVEL: lowest of the 7 bits of the register, whose value is in units of the divisor.
	 */
	uint8_t shift;
};

/* The vocabulary; ended by an empty name. */
extern const struct unc_metric unc_metrics[];

static inline const struct unc_metric *unc_metric_of(const struct unc_recipe *recipe)
{
	return &unc_metrics[recipe->metric];
}

/* NULL: the metric is not a mean. */
static inline const struct unc_metric *unc_metric_above(const struct unc_metric *metric)
{
	return metric->above ? &unc_metrics[metric->above - 1] : NULL;
}

static inline const struct unc_metric *unc_metric_below(const struct unc_metric *metric)
{
	return metric->below ? &unc_metrics[metric->below - 1] : NULL;
}

/* The box type of metrics in listings. */
extern const struct unc_box_type unc_metric_box;

#ifdef __cplusplus
}
#endif
#endif
