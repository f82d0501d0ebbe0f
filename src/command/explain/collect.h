/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - count for `uncore explain`, and turn counts into facts. */
#ifndef EXPLAIN_COLLECT_H
#define EXPLAIN_COLLECT_H

#include "command/base/basket.h"
#include "command/base/device_places.h"
#include "command/base/node_labels.h"
#include "command/explain/clocks.h"
#include "command/explain/facts.h"
#include "command/explain/pace.h"
#include "command/who/core_reads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event of a quantity in a package. */
struct collected {
	enum quantity quantity;
	unsigned package;
	int box;                /* index among the boxes of the quantity; -1: whole package */
	unsigned number;        /* the N of box=N */
	unsigned port;          /* the same */
	double expected;        /* of a slice; see struct box_fact */
	char *devices;          /* of a stack; the same */
	const char *node;       /* of a channel or slice; the same */
	bool real;              /* a current value */
	struct windows windows; /* of multiplexing; length 0: counted all the time */
	int64_t shortest_ns;    /* of all reads of its set */
};

/* An event at a time. */
struct sample {
	double count; /* since its set was started, an estimate if multiplexed; or the current value
		       */
	double seconds;  /* the time that the count covers */
	double counted;  /* part of it in which the event was counted */
	double error;    /* standard error of the estimate, as in struct uncore_times */
	double shift;    /* s by which the estimate may be ahead or behind */
	double local;    /* per second, just before it was read */
	int64_t took_ns; /* how long the read took; 0: a recording */
};

struct collection {
	struct uncore *u;
	unsigned packages;
	struct basket basket; /* a unit is a package */
	struct collected *events;
	const char *names[QUANTITIES];
	struct device_places devices; /* at the beginning */
	struct node_labels nodes;     /* the same */
	char *missing;          /* events that could not be counted and why, lines; NULL: none */
	bool *lacking;          /* of each quantity in each package: could not be counted */
	struct sample *samples; /* of all events, one row per reading */
	double *at;             /* s since the start, of each row; a recording has its own time */
	double *host;           /* s, as given to collection_sample() */
	struct pace *paces;     /* by package */
	double look_interval;   /* s, at first; may be changed before a start */
	size_t rows;
	size_t most;                 /* of rows: a long run loses every second one, and so on */
	unsigned thinned;            /* how often */
	bool replayed;               /* counts of a recording */
	double needs;                /* s, in which every multiplexed event has enough windows */
	const struct clocks *clocks; /* of the DRAM; NULL: counted in the run */
};

/*
 * Find the events; interval: time between two readings in s.  reads: also those of each CPU, whose
 * events have their index in it as box; NULL: none.
 */
void collection_new(struct collection *c, struct uncore *u, double interval,
		    const struct clocks *clocks, const struct core_reads *reads);
void collection_free(struct collection *c);

/*
 * Count from zero, without the rows of an earlier start; UNCORE_ENODEV: nothing could be started,
 * and `missing` has the reasons.
 */
int collection_start(struct collection *c);
/* Read all events, at a time in s of the host; an error of the library. */
int collection_sample(struct collection *c, double host);
/*
 * Look at the memory traffic between two rows, every collection_pace() s; an error of the library.
 * Without looks the errors of multiplexed events are too small where the traffic changes.
 */
int collection_look(struct collection *c);
double collection_pace(const struct collection *c);
/* Complete the last row, and restore the registers; an error of the library. */
int collection_stop(struct collection *c);

/* Parts of the run, from a row to another, in order. */
struct span {
	size_t from, to;
};
/* The rate of an event in n of them together, over the time in which its set counted.  rates.c */
struct rate collection_rate(const struct collection *c, size_t event, const struct span *spans,
			    size_t n);
/* The facts of n of them together.  rates.c */
void collection_facts(const struct collection *c, const struct span *spans, size_t n,
		      struct facts *facts);

#ifdef __cplusplus
}
#endif
#endif
