/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.h - what a multiplexed event counted in a part of a run, by uncore_set_times(). */
#ifndef COMMAND_GAIN_H
#define COMMAND_GAIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uncore_times;

/* Nothing is known of the event yet: no window of known length has ended. */
bool has_no_window(const struct uncore_times *times);

/*
 * The first window of known length has ended since `before`: the estimate represents all the time
 * until now, not only that since `before`.  A count can be divided, the mean of an event that is
 * `real` cannot: it is not that of the interval.
 */
bool is_of_earlier_time(const struct uncore_times *before, const struct uncore_times *now);

/*
 * The part of `counted`, what the estimate grew by since an earlier read, that belongs to the ns
 * since then.  The first window of known length also represents the time before it: the interval in
 * which it ended gets its share.
 */
double gain_of_interval(const struct uncore_times *before, const struct uncore_times *now,
			double counted, int64_t ns);

/*
 * The standard error of what was counted in the ns since an earlier read: that of the run grows
 * with the square root of the windows that are missing, and what the estimates may have been ahead
 * or behind at both reads is added.  Negative errors stay as they are; UNCORE_ERROR_UNKNOWN without
 * a window.  Of an event, relative to its count; of a metric that was `mean`, in its unit.
 */
double error_of_interval(const struct uncore_times *before, const struct uncore_times *now,
			 int64_t ns);
double error_of_mean(const struct uncore_times *before, const struct uncore_times *now, int64_t ns,
		     double mean);

#ifdef __cplusplus
}
#endif
#endif
