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
#define QUANTITY(name, part, event, alternative) Q_##name,
#include "command/explain/quantities.def"
#undef QUANTITY
	QUANTITIES
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

struct package_facts {
	double rate[QUANTITIES];      /* per second, or a current value; NAN: not counted */
	double error[QUANTITIES];     /* standard error of a rate, by its intervals; NAN: unknown */
	const char *name[QUANTITIES]; /* of the event; NULL: none */
	double before;             /* bytes of memory a second before the run; NAN: not counted */
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
/* a / b; NAN if one was not counted or b is 0. */
double ratio_of(const struct package_facts *p, enum quantity a, enum quantity b);
void facts_free(struct facts *facts);

#ifdef __cplusplus
}
#endif
#endif
