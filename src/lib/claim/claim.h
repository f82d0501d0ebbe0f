/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.h - how a run comes to its counters: claim.c and save.c only. */
#ifndef UNC_CLAIM_H
#define UNC_CLAIM_H

#include "claim/run.h"

/*
 * save.c: read what is about to be changed.  UNCORE_EBUSY if somebody else counts there;
 * after an error nothing is kept.  What is known already leaves the program.
 */
int unc_save(struct unc_run *run);
/* The same for a run that will be claimed later: it is only told to others. */
int unc_foresee(struct unc_run *run);

#endif
