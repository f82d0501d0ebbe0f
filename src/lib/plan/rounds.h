/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.h - split events that do not fit at once into rounds for multiplexing.
 *
 * Pure functions, as in the rest of src/lib/plan.
 */
#ifndef UNC_ROUNDS_H
#define UNC_ROUNDS_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum number of conflicting events for which many splits are tried. */
#define UNC_ROUNDS_FEW 12

struct unc_rounds {
	unsigned n; /* 1: all events fit at once */
	size_t n_events;
	bool *in; /* in[round * n_events + event] */
};

/*
 * Split events into rounds that each fit with the counters in use.  Events with the same group
 * number other than 0 are always together; groups may be NULL. Every event is in at least one
 * round, and in as many more as it fits into, so events without conflicts are in all of them.
 *
 * The number of rounds is that of the best of several splits: if at most UNC_ROUNDS_FEW events (or
 * groups) conflict, directly or through others, the minimum in every list that was tried.
 *
 * @param use    use[i] belongs to machine->boxes[i]; NULL: an idle machine
 * @param stuck  on UNCORE_ECONFLICT, an event that does not fit, even alone with its group
 * @return 0, UNCORE_ECONFLICT, UNCORE_ENOMEM; free with unc_rounds_free() in each case
 */
int unc_rounds_make(struct unc_rounds *out, const struct unc_machine *machine,
		    const struct unc_use *use, const struct unc_event *const *events,
		    const unsigned *groups, size_t n, size_t *stuck);
void unc_rounds_free(struct unc_rounds *rounds);

static inline bool unc_in_round(const struct unc_rounds *rounds, unsigned round, size_t event)
{
	return rounds->in[round * rounds->n_events + event];
}

#ifdef __cplusplus
}
#endif
#endif
