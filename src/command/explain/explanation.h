/* SPDX-License-Identifier: BSD-3-Clause */
/* explanation.h - the answer of `uncore explain`: as text, as JSON, and as a page. */
#ifndef EXPLAIN_EXPLANATION_H
#define EXPLAIN_EXPLANATION_H

#include "command/explain/collect.h"
#include "command/explain/diagnoses.h"
#include "command/explain/marks.h"
#include "command/explain/phases.h"
#include "command/screen.h"
#include "uncore_inspect.h"

struct phase {
	struct facts facts;
	struct findings findings;
};

/* A region of the program; without phase.facts.packages it was too short to be counted. */
struct region {
	const struct marked_region *marked;
	double seconds; /* in which a thread was inside */
	struct phase phase;
};

struct explanation {
	struct uncore_machine_info machine;
	struct ceilings ceilings;
	char *made; /* host, time and command line */
	const struct collection *counted;
	struct facts before; /* what was counted before the program; 0 packages: nothing */
	struct phase whole;  /* the run */
	size_t n_phases;     /* 0: the run has one */
	struct phase phases[PHASES_MOST];
	size_t n_regions;
	struct region regions[REGIONS_MOST];
	struct marks marks;
};

/* The first phase whose findings differ from those of the run as those of phase i do; it may be i.
 */
size_t first_phase_like(const struct explanation *e, size_t i);

void print_explanation(const struct screen *s, const struct explanation *e);
struct json_object *json_of_explanation(const struct explanation *e);
/* A page without references to other files; false: a write error. */
bool print_page(FILE *out, const struct explanation *e);

/*
 * Compare two runs by their files of JSON: print the rates that differ by more than 2 % and three
 * standard errors, and the findings of only one of them, as text or JSON.  False: why has the
 * reason.  comparison.c
 */
bool compare_runs(const struct screen *s, bool json, const char *before, const char *after,
		  char *why, size_t len);

#endif
