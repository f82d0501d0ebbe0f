/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interval.h - counts of the time during which at least one thread is inside a region.
 *
 * Counters belong to packages, so threads that are inside at the same time share the same
 * counts, which are taken once: from the first thread that enters to the last one that leaves.
 * A thread that enters in between reads nothing.
 *
 * No locks, no allocation; signal-safe.
 */
#ifndef UNC_INTERVAL_H
#define UNC_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Maximum number of sums that a thread reads onto its stack. */
#define UNC_INTERVAL_SUMS 257

/* One read of the sums. */
struct unc_moment {
	int64_t ns;
	unsigned run; /* sums of different runs of a set cannot be compared */
	int code;     /* 0, or an enum uncore_error if there are no sums */
	uint64_t sums[UNC_INTERVAL_SUMS];
};

typedef void unc_look(void *arg, struct unc_moment *moment);

/* The counts so far, without the current interval. */
struct unc_interval_totals {
	uint64_t calls, ns, lost;
	unsigned inside;
};

struct unc_interval;

/*
 * For n sums; level[], by sum: a level, whose current value counts and not its increase; NULL:
 * none is.  It must outlive the interval.  NULL: no memory.
 */
struct unc_interval *unc_interval_new(size_t n, const bool *level);
void unc_interval_free(struct unc_interval *interval);

/*
 * A thread enters, or leaves. 0; the error of look(), and the interval is lost; UNCORE_ESTATE:
 * no thread is inside, or 65535 are, and nothing changes.
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
