/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds_problem.h - which events compete for which counters: what rounds.c and rounds_split.c
 * share.
 */
#ifndef UNC_ROUNDS_PROBLEM_H
#define UNC_ROUNDS_PROBLEM_H

#include "plan/plan.h"

/* Boxes that have to count the same events. */
struct unc_kind {
	const struct unc_box_type *type;
	const struct unc_use *use;
	size_t n;
	unsigned *events;
	unsigned part;
};

/* An event of a unit that a kind has to count. */
struct unc_want {
	unsigned kind, event;
};

struct unc_problem {
	const struct unc_event *const *events;
	size_t n, n_units, n_kinds;
	unsigned *unit;         /* of each event */
	unsigned *same;         /* of each event: the first that is equal */
	unsigned *part;         /* of each unit: the representative of its part */
	unsigned *round;        /* of each unit */
	struct unc_kind *kinds; /* by part */
	struct unc_want *wants; /* by unit, then kind */
	size_t *first; /* of each unit: index of its wants; that of unit n_units is the end */
};

/* The different events that a kind counts in a round. */
struct unc_load {
	unsigned n;
	unsigned events[UNC_SLOTS];
};

/* Loads of the kinds from `first` on. */
struct unc_loads {
	struct unc_load *of;
	unsigned first;
};

/* Whether the unit fits with what the kinds already count. */
bool unc_load_fits(const struct unc_problem *p, struct unc_loads loads, unsigned unit);
/* A unit that fits. */
void unc_load_add(const struct unc_problem *p, struct unc_loads loads, unsigned unit);
/* Empty the kinds that the unit needs. */
void unc_load_clear(const struct unc_problem *p, struct unc_loads loads, unsigned unit);

/*
 * The indices of n numbers of at most `most`, in ascending order of the numbers, equal ones in that
 * of the indices.  false: out of memory.
 */
bool unc_order_by(const unsigned *numbers, size_t n, unsigned most, unsigned *order);

/*
 * Distribute n units of a part, which needs the kinds from `first` to `last` - 1, over rounds: sets
 * p->round.  Returns the number of rounds; 0: out of memory.
 */
unsigned unc_rounds_split(struct unc_problem *p, unsigned first, unsigned last,
			  const unsigned *units, size_t n);

#endif
