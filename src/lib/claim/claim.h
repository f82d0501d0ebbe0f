/* SPDX-License-Identifier: BSD-3-Clause */
/* claim.h - for claim.c, save.c and baseline.c only. */
#ifndef UNC_CLAIM_H
#define UNC_CLAIM_H

#include "claim/run.h"

/*
 * save.c: read and save the registers that the run will change.  UNCORE_EBUSY if another process or
 * tool uses them.  Nothing is saved after an error.  Registers that are saved already are removed
 * from the program.
 */
int unc_save(struct unc_run *run);
/* The same for a run that will be claimed later: its registers are only noted for the journal. */
int unc_foresee(struct unc_run *run);

/* baseline.c: the counts of the run begin at the current values of its counters. */
int unc_take_baselines(struct unc_run *run);

#endif
