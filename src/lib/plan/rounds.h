/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rounds.h - more events than the boxes can hold, as rounds that take turns.
 *
 * Pure functions, as the rest of src/lib/plan.
 */
#ifndef UNC_ROUNDS_H
#define UNC_ROUNDS_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of events that hinder each other, as many are split in the best way that there is. */
#define UNC_ROUNDS_EXACT 12

struct unc_rounds {
	unsigned n; /* 1: everything fits at once */
	size_t n_events;
	bool *in; /* in[round * n_events + event] */
};

/*
 * Split events into rounds that each fit beside what is in use.  Events with the
 * same group number other than 0 are always together; groups may be NULL.  Every
 * event is in one round at least, and in as many more as it fits into, so those
 * that hinder nobody are in all of them.
 *
 * The number of rounds is the smallest where at most UNC_ROUNDS_EXACT events (or
 * groups) hinder each other, directly or through others; beyond that it is the best
 * of some greedy attempts.
 *
 * @param use    use[i] belongs to machine->boxes[i]; NULL: an idle machine
 * @param stuck  on UNCORE_ECONFLICT, an event that does not fit, even alone with its group
 * @return 0, UNCORE_ECONFLICT, UNCORE_ENOMEM; free with unc_rounds_free() after each
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
