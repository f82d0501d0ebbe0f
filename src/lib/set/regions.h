/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * regions.h - the named regions of a set.  They are found without a lock, and are not moved or
 * freed before all of them are.
 */
#ifndef UNC_REGIONS_H
#define UNC_REGIONS_H

#include <stdatomic.h>

#include "set/interval.h"

#define UNC_REGIONS_MAX   1024
#define UNC_REGION_CHAINS 256

struct unc_named_region {
	struct unc_named_region *next; /* the next one with the same hash */
	unsigned number;
	struct unc_interval *interval;
	struct unc_interval_totals zero; /* counts before the last reset; under a lock ... */
	uint64_t *zero_sums;             /* ... of the caller */
	char name[];
};

struct unc_regions {
	size_t n_sums;
	bool *level; /* as for unc_interval_new() */
	unsigned n;  /* under a lock of the caller */
	_Atomic(struct unc_named_region *) chain[UNC_REGION_CHAINS];
	_Atomic(struct unc_named_region *) at[UNC_REGIONS_MAX];
};

/* NULL: no memory. level[] is copied. */
struct unc_regions *unc_regions_new(size_t n_sums, const bool *level);
void unc_regions_free(struct unc_regions *regions);

/* NULL: not found.  Any thread, signal-safe. */
struct unc_named_region *unc_region_named(struct unc_regions *regions, const char *name);
struct unc_named_region *unc_region_at(struct unc_regions *regions, unsigned number);

/* Under a lock: add a region with a new name.  NULL: no memory, or too many regions. */
struct unc_named_region *unc_region_add(struct unc_regions *regions, const char *name);

#ifdef __cplusplus
}
#endif
#endif
