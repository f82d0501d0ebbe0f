/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - a thread per package that reads its MSRs, all packages in parallel: from a CPU of
 * another package each access needs an interrupt there.  If waking threads takes longer, which
 * is measured, the caller reads all registers, and the threads end: file accesses are slower in
 * a process with several threads.  For frequent reads on behalf of others, as in uncored; not
 * for signal handlers.
 */
#ifndef UNC_READERS_H
#define UNC_READERS_H

#include "count/reading.h"

struct unc_readers;

/*
 * Threads block all signals, and are created when they are first used: they keep privileges
 * that the process drops later.  NULL: there is only one package, or MSRs are read in batches;
 * then the caller reads all registers.
 */
struct unc_readers *unc_readers_new(const struct unc_hw *hw, const struct unc_topology *topo);
/* NULL is allowed; no reading may be in progress. */
void unc_readers_free(struct unc_readers *readers);

/* As unc_reading_sum(). */
int unc_readers_sum(struct unc_readers *readers, const struct unc_reading *reading,
		    struct unc_hw *hw, struct unc_err *err, uint64_t *sums, int64_t now);

#endif
