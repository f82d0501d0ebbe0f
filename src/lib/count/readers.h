/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * readers.h - a thread in each package that reads its MSRs, all packages at once: from a CPU of
 * another package each takes an interrupt there.  Where waking threads takes longer than that,
 * which is learned, who asks reads them, and there are no threads: in a process that has some,
 * each access to a file takes longer.  For who reads much for others, uncored; not for signal
 * handlers.
 */
#ifndef UNC_READERS_H
#define UNC_READERS_H

#include "count/reading.h"

struct unc_readers;

/*
 * Threads take no signals, and are made when they are to read: they keep rights that their process
 * drops later.  NULL: there is one package only, or MSRs are read in batches; then everything is
 * read by who asks.
 */
struct unc_readers *unc_readers_new(const struct unc_hw *hw, const struct unc_topology *topo);
/* NULL is allowed; no reading is under way. */
void unc_readers_free(struct unc_readers *readers);

/* As unc_reading_sum(). */
int unc_readers_sum(struct unc_readers *readers, const struct unc_reading *reading,
		    struct unc_hw *hw, struct unc_err *err, uint64_t *sums, int64_t now);

#endif
