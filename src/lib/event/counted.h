/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.h - what a list of events is made of: an event is counted itself, a
 * metric is made of several.  Counted events are planned; values are made of their counts.
 */
#ifndef UNC_COUNTED_H
#define UNC_COUNTED_H

#include "event/event.h"
#include "event/formula.h"

/* Counted events of a set with metrics, at most: a reader has them on its stack. */
#define UNC_MAX_READ 256

/* One value of the list, from the counts of its events. */
struct unc_value {
	const struct unc_formula *formula; /* NULL: the count of its one event */
	const char *name;                  /* as it was given */
	const char *split;                 /* the metric's approximation that needs less; NULL */
	unsigned first;
};

struct unc_counted {
	size_t n, n_values;
	bool derived;   /* there are metrics: values are not counts, and the time is counted, too */
	bool grouped;   /* some count in one window with others */
	bool levels;    /* some are no counts but what registers hold: they have no zero point */
	unsigned *list; /* event numbers as given, n_values */
	unsigned *owner; /* of each counted event: index into the list */
	unsigned *ids;   /* of the counted events */
	/* events of a metric, or of a caller's group, have one number, not 0: they count in one
	 * window */
	unsigned *groups;
	const struct unc_event **events;
	const char **names;
	struct unc_value *values;
};

/* Index into the list; a set that is hidden in a multiplexed list has no list. */
static inline unsigned unc_owner(const struct unc_counted *t, unsigned event)
{
	return t->owner ? t->owner[event] : event;
}

/* The low bits of its total are what the register holds: it has no zero point. */
static inline bool unc_counted_is_level(const struct unc_counted *t, size_t event)
{
	return t->levels && event < t->n && t->events[event]->type->level;
}

/* groups: by event or metric, 0 (none) to n, or NULL.  0, or what is wrong with an event, in err.
 */
int unc_counted_make(struct unc_counted *t, struct unc_names *names, const unsigned *ids,
		     const unsigned *groups, size_t n, struct unc_err *err);
/* It was made of these. */
bool unc_counted_is(const struct unc_counted *t, const unsigned *ids, const unsigned *groups,
		    size_t n);
void unc_counted_free(struct unc_counted *t);

/* counts: of the counted events, and behind them the time in ns.  Signal-safe. */
void unc_counted_values(const struct unc_counted *t, const int64_t *counts, int64_t *values);

/*
 * Why counted events conflict, in the names that were given: of metrics, with what they count and
 * what helps.  reason: what is between the events.
 */
void unc_counted_conflict(const struct unc_counted *t, const unsigned *conflict, size_t n,
			  const char *reason, char *text, size_t len);

#endif
