/* SPDX-License-Identifier: BSD-3-Clause */
/* stop_after.h - sets that stop after n occurrences: stop_after.c, stand.c, overflow_source.c and
 * claim.c only. */
#ifndef UNC_STOP_AFTER_H
#define UNC_STOP_AFTER_H

#include "plan/overflow.h"
#include "session/session.h"

#define UNC_OVERFLOW_SOURCES 16 /* the most that are told */

struct unc_stop_after {
	struct unc_samples samples;
	bool claimed;                     /* the counters are ours: there is something to clear */
	bool stands;                      /* n was reached, and all boxes stand */
	uint64_t armed[UNC_SAMPLES];      /* totals when the counters were loaded */
	const char *went_on[UNC_SAMPLES]; /* NULL, or what an overflow turned out not to stop */
	unsigned n_sources;
	struct uncore_overflow_source source[UNC_OVERFLOW_SOURCES];
};

/* The public list, of a list of events; its numbers become those of counted events.  UNCORE_EINVAL.
 */
int unc_stop_after_fill(struct unc_samples *samples, const struct unc_counted *counted,
			const struct uncore_stop_after *list, size_t n, struct unc_err *err);

/* Whether a sample has counted its n. */
bool unc_sample_reached(struct uncore *u, const struct unc_stop_after *stop_after, unsigned i);

static inline struct unc_counter *unc_sampled(struct uncore *u, const struct unc_sample *s)
{
	return unc_counter_of(u, s->box, s->counter);
}

/* stand.c: read the samples' counters; stop all boxes of the set, as far as they do not stand. */
int unc_stop_after_fold(struct uncore *u, const struct unc_stop_after *stop_after);
int unc_stop_after_halt(struct uncore *u, const struct uncore_set *set);
/* Of samples that were reached, note what their overflow did not stop; then halt and fold. */
int unc_stop_after_stand(struct uncore *u, struct uncore_set *set);

/* overflow_source.c: ask the status registers, the package's first; fills stop_after->source. */
void unc_overflow_sources_read(struct uncore *u, struct unc_stop_after *stop_after);

#endif
