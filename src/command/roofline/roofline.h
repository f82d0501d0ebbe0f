/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roofline.h - operations of a program and bytes of memory in the same time: counted by run and by
 * interval, and compared with what the machine can do at most.
 */
#ifndef ROOFLINE_H
#define ROOFLINE_H

#include <stdio.h>

#include "command/draw/record.h"
#include "command/explain/marks.h"
#include "command/explain/phases.h"
#include "command/roofline/counters.h"
#include "command/roofline/operations.h"
#include "command/roofline/roof.h"
#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROOFLINE_EVENTS   ((unsigned)PRECISIONS * WIDTHS)
#define ROOFLINE_RUNS     2
#define ROOFLINE_INTERVAL 20 /* ms */

/* The metrics that are added up to the bytes of memory, as far as a machine has them; NULL: the
 * end. */
extern const char *const roofline_traffic[];

/* Counts of some time. */
struct roofline_part {
	char *name;                   /* of a region; NULL: none */
	double end;                   /* of seconds_now() */
	double seconds, bytes, reads; /* reads: bytes of them that were read; NAN: unknown */
	double operations[PRECISIONS];
};

struct roofline {
	bool precision[PRECISIONS]; /* asked for */
	const struct operation_events *events;
	struct core_counter counters[ROOFLINE_EVENTS];
	unsigned char precision_of[ROOFLINE_EVENTS], width_of[ROOFLINE_EVENTS];
	size_t n;
	unsigned runs, run; /* how often the program runs, and the number of this run */
	double operations[PRECISIONS][WIDTHS];
	double run_bytes[ROOFLINE_RUNS];
	struct roofline_part whole; /* means of the runs; operations are added up */
	bool of_program;            /* the bytes, too, are the program's */
	struct roofline_part *intervals;
	size_t n_intervals, room;
	double before[PRECISIONS]; /* operations up to the last interval */
	struct marks marks;
	bool marked, counted;
	/* of one run, when it has ended */
	struct roofline_part phases[PHASES_MOST], regions[REGIONS_MOST];
	size_t n_phases, n_regions;
	struct roof roof;
};

/* Find the events and how many runs they need; an exit status, after a message. */
int roofline_prepare(struct roofline *r, struct uncore *u);
/* Before the program is started by this thread; an exit status. */
int roofline_start(struct roofline *r);
/* The end of an interval; part: its time and bytes. */
void roofline_interval(struct roofline *r, const struct roofline_part *part);
/* The end of a run, with its time and bytes; an exit status, after a message. */
int roofline_stop(struct roofline *r, const struct roofline_part *part);
/* After all runs: phases, regions, and the roof. */
void roofline_judge(struct roofline *r, struct uncore *u);
void roofline_free(struct roofline *r);

/* ---- a part ---- */

double part_intensity(const struct roofline_part *part, enum precision precision);
/* Operations a second. */
double part_rate(const struct roofline_part *part, enum precision precision);

/* ---- output ---- */

struct screen;
struct json_object;
struct rows_class;
void roofline_print(const struct screen *s, const struct roofline *r);
struct json_object *roofline_json(const struct roofline *r);
/* A picture in log-log axes of a record that begins a struct roofline_picture. */
struct roofline_picture {
	struct draw_record record;
	const struct roofline *roofline;
};
extern const struct rows_class roofline_pictures;

#ifdef __cplusplus
}
#endif
#endif
