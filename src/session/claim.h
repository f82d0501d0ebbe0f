/* claim.h - how a set comes to its counters: claim.c and save.c only. */
#ifndef UNC_CLAIM_H
#define UNC_CLAIM_H

#include "session/core.h"

/* What a set adds to one box. */
struct unc_step {
	unsigned box;
	struct unc_use after;
	struct unc_setting fresh[UNC_SLOTS]; /* held by this set and by nobody else so far */
	struct unc_job job;
};

/* The next box to which the set adds something; *i starts at 0. */
bool unc_next_step(struct uncore *u, const struct uncore_set *set, size_t *i,
		   struct unc_step *step);

/* Nothing of ours that can be frozen counts in the package yet, and the set will. */
bool unc_begins_package(struct uncore *u, const struct uncore_set *set, unsigned package);

/*
 * save.c: read what is about to be changed.  UNCORE_EBUSY if somebody else counts there;
 * after an error nothing is kept.
 */
int unc_save(struct uncore *u, const struct uncore_set *set);

#endif
