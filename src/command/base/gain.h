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
 * The standard error for a part of the run in which the event was counted for running_ns: it grows
 * with the square root of the windows that are missing.  0 and negative errors stay as they are;
 * UNCORE_ERROR_UNKNOWN without a window.  In counts, or in the unit of a metric, and (of an event
 * that is not `real`) as a part of its count.
 */
double error_of_part(const struct uncore_times *now, int64_t running_ns);
double relative_error_of_part(const struct uncore_times *now, int64_t running_ns);

#ifdef __cplusplus
}
#endif
#endif
