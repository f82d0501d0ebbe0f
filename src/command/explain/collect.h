/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.h - count for `uncore explain`, and turn counts into facts. */
#ifndef EXPLAIN_COLLECT_H
#define EXPLAIN_COLLECT_H

#include "command/base/basket.h"
#include "command/explain/facts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event of a quantity in a package. */
struct collected {
	enum quantity quantity;
	unsigned package;
	int box;         /* index among the boxes of the quantity; -1: whole package */
	unsigned number; /* the N of box=N */
	double expected; /* of a slice; see struct box_fact */
	bool real;       /* a current value */
};

/* Of an event at a time: its count and the time in which it was counted, or its current value. */
struct sample {
	double count, running_ns;
};

struct collection {
	struct uncore *u;
	unsigned packages;
	struct basket basket; /* a unit is a package */
	struct collected *events;
	const char *names[QUANTITIES];
	char *missing;          /* events that could not be counted and why, lines; NULL: none */
	struct sample *samples; /* of all events, one row per reading */
	double *at;             /* time of each row in s */
	size_t rows;
	size_t most;      /* of rows: a long run loses every second one, and so on */
	unsigned thinned; /* how often */
};

/* Find the events; interval: time between two readings in s. */
void collection_new(struct collection *c, struct uncore *u, double interval);
void collection_free(struct collection *c);

/* Count; UNCORE_ENODEV: nothing could be started, and `missing` has the reasons. */
int collection_start(struct collection *c);
/* Read all events, at a time in s; an error of the library. */
int collection_sample(struct collection *c, double at);
/* Restore the registers. */
void collection_stop(struct collection *c);

/* Parts of the run, from a row to another, in order. */
struct span {
	size_t from, to;
};
/*
 * The facts of n of them together.  before: row of the start of the program, 0: none was waited
 * for.
 */
void collection_facts(const struct collection *c, const struct span *spans, size_t n, size_t before,
		      struct facts *facts);

#ifdef __cplusplus
}
#endif
#endif
