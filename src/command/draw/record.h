/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - the counts of each interval, from which pictures are drawn. */
#ifndef DRAW_RECORD_H
#define DRAW_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct draw_series {
	char *name;        /* of the event, "UNCORE_MEM_READ_BYTES:box=0:pkg=1" */
	const char *label; /* shown instead of the name; NULL: none */
	const char *place; /* of the boxes: "channel", as base/box.h has it; NULL: by their names */
	char *node;        /* NUMA node of the boxes: "1", "hbm2", freed with it; NULL: unknown */
	char units[32];
	bool real;       /* a mean */
	double expected; /* of a slice: compared with the mean slice; 0: unknown.  base/slices.h */
	double *values;  /* per interval: the mean, NAN if undefined, or the count */
};

/* How pictures look. */
struct draw_look {
	const char *title; /* above the picture; NULL: the machine */
	double width_mm;   /* 0: 760 px */
	const char *made;  /* where, when and by which command; NULL: unknown */
	bool caption;      /* made is also a text below the picture */
};

struct draw_record {
	struct draw_look look;
	const char *machine; /* its title */
	bool simulated;
	bool estimates; /* events were multiplexed */
	struct draw_series *series;
	size_t n;
	double *ends; /* of each interval, in s; the first one begins at 0 */
	size_t n_intervals, room;
};

/* Add an event before the first interval; names are copied.  Exits if memory is exhausted. */
void draw_add_series(struct draw_record *record, const char *name, const char *units, bool real);

/* Add an interval's counts and means, given its end.  Exits if memory is exhausted. */
void draw_add_interval(struct draw_record *record, const double *values, double end);

void draw_free(struct draw_record *record);

/* ---- values for drawing ---- */

double draw_begin(const struct draw_record *record, size_t interval);
/* An interval's value: a mean unchanged, a count per second, in the unit of draw_unit(). */
double draw_value(const struct draw_record *record, size_t series, size_t interval);
/* The mean of all intervals, weighted by their time. */
double draw_mean(const struct draw_record *record, size_t series);

#define DRAW_UNIT 48

/* A unit and its prefix: values are multiplied by the factor. */
struct draw_scale {
	char unit[DRAW_UNIT]; /* "GB/s", "M lookups/s", "%" */
	double factor;
};

/* The unit in which the largest value has at most three digits before the point. */
struct draw_scale draw_scale_of(const struct draw_series *series, double largest);

/* The label, or else the name. */
const char *draw_label(const struct draw_series *series);

/* Whether both can share an axis. */
bool draw_same_unit(const struct draw_series *a, const struct draw_series *b);

#ifdef __cplusplus
}
#endif
#endif
