/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * terms.h - what a list of events is made of: an event is one term, a metric has
 * several.  Terms are planned and counted; values are made of their counts.
 */
#ifndef UNC_TERMS_H
#define UNC_TERMS_H

#include "event/event.h"
#include "event/formula.h"

#define UNC_MAX_READ 256 /* terms of a set with metrics: their counts are on the reader's stack */

/* One value of the list, from the counts of its terms. */
struct unc_value {
	const struct unc_formula *formula; /* NULL: the count of its one term */
	const char *name;                  /* as it was given */
	const char *split;                 /* the metric's approximation that needs less; NULL */
	unsigned first;
};

struct unc_terms {
	size_t n, n_values;
	bool derived;   /* there are metrics: values are not counts, and the time is counted, too */
	unsigned *list; /* event numbers as given, n_values */
	unsigned *owner;  /* of each term: index into the list */
	unsigned *ids;    /* of the terms */
	unsigned *groups; /* terms of one metric have one number, not 0: they count in one window */
	const struct unc_event **events;
	const char **names;
	struct unc_value *values;
};

/* Index into the list; a set that is hidden in a multiplexed list has no list. */
static inline unsigned unc_owner(const struct unc_terms *t, unsigned term)
{
	return t->owner ? t->owner[term] : term;
}

/* 0, or what is wrong with an event, in err. */
int unc_terms_make(struct unc_terms *t, struct unc_names *names, const unsigned *ids, size_t n,
		   struct unc_err *err);
void unc_terms_free(struct unc_terms *t);

/* counts: of the terms, and behind them the time in ns.  Signal-safe. */
void unc_terms_values(const struct unc_terms *t, const int64_t *counts, int64_t *values);

/*
 * Why terms conflict, in the names that were given: of metrics, with what they count and
 * what helps.  reason: what is between the terms.
 */
void unc_terms_conflict(const struct unc_terms *t, const unsigned *conflict, size_t n,
			const char *reason, char *text, size_t len);

#endif
