/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interval.h - what was counted while at least one thread was inside of a region.
 *
 * Counters belong to packages, so threads that are inside at the same time see the same counts:
 * these are taken once, from the first thread that enters to the last one that leaves.  Who comes
 * in between reads nothing.
 *
 * Without a lock and without memory; signal-safe.
 */
#ifndef UNC_INTERVAL_H
#define UNC_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sums that a thread reads onto its stack. */
#define UNC_INTERVAL_SUMS 257

/* One reading. */
struct unc_moment {
	int64_t ns;
	unsigned run; /* sums of different runs of a set have nothing to do with each other */
	int code;     /* 0, or why these sums are none: an enum uncore_error */
	uint64_t sums[UNC_INTERVAL_SUMS];
};

typedef void unc_look(void *arg, struct unc_moment *moment);

/* What has been counted so far, without what goes on. */
struct unc_interval_totals {
	uint64_t calls, ns, lost;
	unsigned inside;
};

struct unc_interval;

/*
 * Of n sums; level[], by sum: what it holds now counts, not what it has gained; NULL: none, else it
 * has to live as long.  NULL: no memory.
 */
struct unc_interval *unc_interval_new(size_t n, const bool *level);
void unc_interval_free(struct unc_interval *interval);

/*
 * A thread comes in, or leaves.  0; what look() could not do, and then the interval is lost;
 * UNCORE_ESTATE: nobody is inside, or 65535 are, and nothing is changed.
 */
int unc_interval_enter(struct unc_interval *interval, unc_look *look, void *arg);
int unc_interval_leave(struct unc_interval *interval, unc_look *look, void *arg);

/* sums: room for n. */
void unc_interval_read(struct unc_interval *interval, struct unc_interval_totals *totals,
		       uint64_t *sums);

#ifdef __cplusplus
}
#endif
#endif
