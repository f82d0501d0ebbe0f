/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.h - what was counted in a part of a run: the evidence of `uncore explain`. */
#ifndef EXPLAIN_FACTS_H
#define EXPLAIN_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum quantity {
#define QUANTITY(name, part, topic, event, alternative) Q_##name,
#include "command/explain/quantities.def"
#undef QUANTITY
	QUANTITIES
};

struct rate {
	double value; /* per second, or a current value; NAN: not counted */
	double error; /* the true value is within it in 95 of 100 cases */
	bool multiplexed;
};

/* A box of a kind that is counted box by box. */
struct box_fact {
	unsigned number; /* the N of box=N */
	double rate;     /* per second; NAN: not counted */
	double expected; /* a slice's share of all lines; 0: unknown */
};

struct box_facts {
	size_t n;
	struct box_fact *at;
	const char *kind; /* "imc" */
};

#define CHANGES 10

struct package_facts {
	double rate[QUANTITIES];  /* per second, or a current value; NAN: not counted */
	double error[QUANTITIES]; /* as in struct rate */
	/* of multiplexing: the errors of quantities with the same number agree; 0: not multiplexed
	 */
	unsigned window[QUANTITIES];
	const char *name[QUANTITIES]; /* of the event; NULL: none */
	bool lacking[QUANTITIES];     /* the processor has an event, but it could not be counted */
	/* bytes of memory a second before the run, and their error; NAN: not counted */
	double before, before_error;
	bool and_after; /* ... and after the run */
	/* bytes of memory a second of the program itself, by a monitoring group, and their error */
	bool has_own;
	double own, own_error;
	/* before a run: standard deviation of the memory traffic of intervals, the longer the later
	 */
	double changes[CHANGES];
	struct box_facts channels; /* bytes a second, read and written */
	struct box_facts slices;
};

struct facts {
	double begin, end; /* s since the start of the run */
	unsigned packages;
	struct package_facts *at;
};

/* The sum of reads and writes; NAN: not counted. */
double memory_traffic(const struct package_facts *p);
double memory_error(const struct package_facts *p);
/*
 * The bytes of memory a second that the program itself moves: those that were counted for it, or in
 * addition to those before the run; NAN: not counted.  *error: as in struct rate.
 */
double program_traffic(const struct package_facts *p, double *error);
/* Whether a quantity was counted in a package, but for too short a time to know its rate. */
bool is_unanswered(const struct facts *f, enum quantity q);
/* The topic that needs a quantity to be judged: "links". */
const char *topic_of(enum quantity q);
/* The name of the event of a quantity, which some packages may lack; NULL: not counted in any. */
const char *quantity_name(const struct facts *f, enum quantity q);
/* a / b; NAN if one was not counted or b is 0. */
double ratio_of(const struct package_facts *p, enum quantity a, enum quantity b);
void facts_free(struct facts *facts);

#ifdef __cplusplus
}
#endif
#endif
