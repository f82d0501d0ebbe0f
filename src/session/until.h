/* SPDX-License-Identifier: BSD-3-Clause */
/* until.h - sets that stop after n occurrences: until.c, stand.c, cause.c and claim.c only. */
#ifndef UNC_UNTIL_H
#define UNC_UNTIL_H

#include "plan/overflow.h"
#include "session/core.h"

#define UNC_CAUSES 16 /* the most that are told */

struct unc_until {
	struct unc_samples samples;
	bool claimed;                     /* the counters are ours: there is something to clear */
	bool stands;                      /* n was reached, and all boxes stand */
	uint64_t armed[UNC_SAMPLES];      /* totals when the counters were loaded */
	const char *went_on[UNC_SAMPLES]; /* NULL, or what an overflow turned out not to stop */
	unsigned n_causes;
	struct uncore_cause cause[UNC_CAUSES];
};

/* The public list, of a list of events; its numbers become those of terms.  UNCORE_EINVAL. */
int unc_until_fill(struct unc_samples *samples, const struct unc_terms *terms,
		   const struct uncore_until *list, size_t n, struct unc_err *err);

/* Whether a sample has counted its n. */
bool unc_sample_reached(struct uncore *u, const struct unc_until *until, unsigned i);

static inline struct unc_counter *unc_sampled(struct uncore *u, const struct unc_sample *s)
{
	return unc_counter_of(u, s->box, s->counter);
}

/* stand.c: read the samples' counters; stop all boxes of the set, as far as they do not stand. */
int unc_until_fold(struct uncore *u, const struct unc_until *until);
int unc_until_hold(struct uncore *u, const struct uncore_set *set);
/* Of samples that were reached, note what their overflow did not stop; then hold and fold. */
int unc_until_stand(struct uncore *u, struct uncore_set *set);

/* cause.c: ask the status registers, the package's first; fills until->cause. */
void unc_causes_read(struct uncore *u, struct unc_until *until);

#endif
