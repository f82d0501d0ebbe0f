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
	double value;     /* per second, or a current value; NAN: not counted */
	double error;     /* the true value is within it in 95 of 100 cases, or more */
	double deviation; /* standard deviation: how far from it the true value is to be expected */
	bool multiplexed;
};

/* A box of a kind that is counted box by box. */
struct box_fact {
	unsigned number;     /* the N of box=N */
	double rate;         /* per second; NAN: not counted */
	double expected;     /* a slice's share of all lines; 0: unknown */
	const char *devices; /* "eth2, nvme0" of a stack or port; NULL: unknown, or none */
	unsigned port;       /* the part of a stack that was counted, plus 1; 0: the whole box */
	const char *node;    /* NUMA node of a channel or slice; NULL: unknown, or its package */
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
	double deviation[QUANTITIES];
	/* of multiplexing: the errors of quantities with the same number agree; 0: not multiplexed
	 */
	unsigned window[QUANTITIES];
	const char *name[QUANTITIES]; /* of the event; NULL: none */
	bool lacking[QUANTITIES];     /* the processor has an event, but it could not be counted */
	/* bytes of memory a second before the run, and their error; NAN: not counted */
	double before, before_error;
	bool and_after; /* ... and after the run */
	/* bytes of memory a second of the program itself, and their error */
	bool has_own;
	bool own_of_cores; /* by the reads of the CPUs on which it ran; else by a monitoring group
			    */
	double own, own_error;
	/* before a run: standard deviation of the memory traffic of intervals, the longer the later
	 */
	double changes[CHANGES];
	struct box_facts channels; /* bytes a second, read and written */
	struct box_facts slices;
	struct box_facts stacks; /* and their ports: bytes a second that devices read and write */
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
