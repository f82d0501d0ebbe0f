/* SPDX-License-Identifier: BSD-3-Clause */
/* gain.c - see gain.h. */
#include "command/base/gain.h"

#include <math.h>

#include "uncore.h"

bool has_no_window(const struct uncore_times *times)
{
	return times->running_ns < times->enabled_ns && times->error <= UNCORE_ERROR_NO_WINDOW;
}

bool is_of_earlier_time(const struct uncore_times *before, const struct uncore_times *now)
{
	return has_no_window(before) && !has_no_window(now);
}

double gain_of_interval(const struct uncore_times *before, const struct uncore_times *now,
			double counted, int64_t ns)
{
	return is_of_earlier_time(before, now) ? counted * (double)ns / (double)now->enabled_ns
					       : counted;
}

double error_of_part(const struct uncore_times *now, int64_t running_ns)
{
	if (now->error <= 0)
		return now->error;
	if (running_ns <= 0)
		return UNCORE_ERROR_UNKNOWN;
	return now->error * sqrt((double)now->running_ns / (double)running_ns);
}

double relative_error_of_part(const struct uncore_times *now, int64_t running_ns)
{
	const double error = error_of_part(now, running_ns);

	if (error <= 0 || now->count <= 0)
		return fmin(error, 0);
	return error * (double)now->running_ns / (double)now->enabled_ns / (double)now->count;
}
