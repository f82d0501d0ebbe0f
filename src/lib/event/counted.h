/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counted.h - the events to count for a list of events and metrics: an event itself, or the
 * events of a metric.  Counted events are planned; values are computed from their counts.
 */
#ifndef UNC_COUNTED_H
#define UNC_COUNTED_H

#include "event/event.h"
#include "event/formula.h"

/*
 * Maximum number of counted events of a set with metrics, since a reader has them on its stack.
 */
#define UNC_MAX_READ 256

/* A value of the list, from the counts of its events. */
struct unc_value {
	const struct unc_formula *formula; /* NULL: the count of its only event */
	const char *name;                  /* as given by the caller */
	const char *split; /* the metric's approximation with fewer counters, or NULL */
	unsigned first;
};

struct unc_counted {
	size_t n, n_values;
	bool derived;    /* has metrics: values are not counts, and the time is measured, too */
	bool grouped;    /* has events that must count in the same window */
	bool levels;     /* has levels, which are not counts and have no zero point */
	unsigned *list;  /* event numbers as given; n_values */
	unsigned *owner; /* by counted event: index into the list */
	unsigned *ids;   /* event numbers of the counted events */
	/*
	 * by counted event: events of a metric, or of a caller's group, share a number other
	 * than 0 and count in the same window
	 */
	unsigned *groups;
	const struct unc_event **events;
	const char **names;
	struct unc_value *values;
};

/* Index into the list; the internal sets of a multiplexed list have no list. */
static inline unsigned unc_owner(const struct unc_counted *t, unsigned event)
{
	return t->owner ? t->owner[event] : event;
}

/* A level: the low bits of its total are the value of the register, without a zero point. */
static inline bool unc_counted_is_level(const struct unc_counted *t, size_t event)
{
	return t->levels && event < t->n && t->events[event]->type->level;
}

/*
 * groups: by event or metric, 0 (no group) to n, or NULL. before: a list that may begin with the
 * same events, of which nothing is looked up again; or NULL. 0, or the error of an invalid event
 * in err.
 */
int unc_counted_make(struct unc_counted *t, struct unc_names *names,
		     const struct unc_counted *before, const unsigned *ids, const unsigned *groups,
		     size_t n, struct unc_err *err);
/* How many of these, from the first one on, it was made from. */
size_t unc_counted_common(const struct unc_counted *t, const unsigned *ids, const unsigned *groups,
			  size_t n);
void unc_counted_free(struct unc_counted *t);

/* counts: of the counted events, followed by the time in ns.  Signal-safe. */
void unc_counted_values(const struct unc_counted *t, const int64_t *counts, int64_t *values);

/*
 * The message for counted events that conflict, with the names that were given; for metrics
 * with their events and a remedy. reason: the conflict of the counted events.
 */
void unc_counted_conflict(const struct unc_counted *t, const unsigned *conflict, size_t n,
			  const char *reason, char *text, size_t len);

#endif
