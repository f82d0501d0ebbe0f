/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnoses.h - what limits a run, by its facts and the ceilings of the machine. */
#ifndef EXPLAIN_DIAGNOSES_H
#define EXPLAIN_DIAGNOSES_H

#include "command/explain/ceilings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct judged;
struct texts;

/* A row of the table. */
struct diagnosis {
	const char *id;     /* "memory-bandwidth", for programs */
	const char *advice; /* what to try */
	const char *page;   /* the question of docs/cookbook.md */
	/* Its confidence in a package, 0 to 1, and its texts; NULL: the row of no other finding. */
	double (*judge)(const struct judged *v, struct texts *t);
};

#define CONFIDENT 0.5 /* below, nothing is said */

struct finding {
	const struct diagnosis *diagnosis;
	unsigned package;
	double confidence;
	char *sentence, *evidence;
};

struct findings {
	size_t n;
	struct finding *at; /* the most confident first */
	bool of_machine;    /* the first one says that the program changes nothing: no advice */
};

/* Judge by all rows; without a finding, the last row of the table says so. */
void diagnose(struct findings *list, const struct facts *f, const struct ceilings *c);
/* All findings are the machine's, not the program's: a first one says so with this evidence. */
void findings_of_machine(struct findings *list, char *evidence);
void findings_free(struct findings *list);
/* The rows, NULL after the last one. */
const struct diagnosis *diagnosis(unsigned i);

#ifdef __cplusplus
}
#endif
#endif
