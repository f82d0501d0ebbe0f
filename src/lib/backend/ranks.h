/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ranks.h - one rank of a step counts an event, and the others read 0 until it stops.
 *
 * If a set gets all of its events at its start, its backend counts it as in any other program.
 * Otherwise unc_backend_ranks does: the events that this rank counts are in parts, which are sets
 * of their own with the set's backend; the first one has the events that it got at the start, and
 * each later one those that it got from another rank.
 */
#ifndef UNC_RANKS_H
#define UNC_RANKS_H

#include "backend/backend.h"
#include "claim/election.h"

#define UNC_RANKS_TEXT 400

/* Some events of a set: those that it got at the start, or all at once later. */
struct unc_ranks_part {
	struct unc_ranks_part *next; /* started before it */
	struct uncore_set set;       /* not one of the handle's list */
	unsigned *events;            /* by event of the part: number in the list of the whole set */
};

/* Of a list of events; under lock unless it is atomic. */
struct unc_ranks {
	const struct unc_backend *backend; /* of runs in parts */
	void (*free)(struct unc_ranks *ranks);
	atomic_bool in_parts;                   /* the current or last run */
	_Atomic(struct unc_ranks_part *) parts; /* of this run; the newest first ... */
	struct unc_ranks_part *retired;         /* ... and of earlier ones: readers may use them */
	bool *held;                             /* by value: this handle holds its name */
	atomic_bool *waits;                     /* by value: another rank counts it */
	atomic_uint n_waiting;
	/* taken from another rank: known to the user after the next read */
	atomic_bool news, wanted;
	char text[UNC_RANKS_TEXT];
	int failure; /* of a part that could not be started, and why ... */
	char why[UNCORE_ERRMSG_MAX];
	_Atomic int64_t retry_ns; /* ... and when to try again, CLOCK_MONOTONIC; 0: never */
};

extern const struct unc_backend unc_backend_ranks;

/* The backend of the current or last run. */
static inline const struct unc_backend *unc_backend_of(const struct uncore_set *set)
{
	const struct unc_ranks *ranks =
		atomic_load_explicit(&set->list->ranks, memory_order_acquire);

	return ranks && atomic_load_explicit(&ranks->in_parts, memory_order_acquire)
		       ? ranks->backend
		       : set->backend;
}

/* Under lock: as of a backend.  Start: with an election only; stop: once it has started so. */
int unc_ranks_start(struct uncore_set *set);
int unc_ranks_stop(struct uncore_set *set, bool anyway);
/* Under lock: count what other ranks have stopped counting. 0 or UNC_WAIT. */
int unc_ranks_take_over(struct uncore *u);
/* A value that another rank counts reads 0, which a mean without a count would not. */
void unc_ranks_clear(const struct uncore_set *set, int64_t *values);
/* Under lock: another process prevents the others from taking part; after the timeout. */
int unc_ranks_busy(struct uncore *u);

#endif
