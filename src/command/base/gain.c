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

/* of_all: the error of the whole run; value: of the interval, in the same unit. */
static double error_of(const struct uncore_times *before, const struct uncore_times *now,
		       int64_t ns, double of_all, double value)
{
	const int64_t running = now->running_ns - before->running_ns;

	if (of_all < 0 || now->running_ns >= now->enabled_ns)
		return of_all;
	if (ns <= 0 || (of_all > 0 && running <= 0))
		return UNCORE_ERROR_UNKNOWN;
	if (of_all > 0)
		of_all *= sqrt((double)now->running_ns / (double)running);
	return of_all + fabs(value) * (before->shift_ns + now->shift_ns) / (double)ns;
}

double error_of_interval(const struct uncore_times *before, const struct uncore_times *now,
			 int64_t ns)
{
	double of_all = fmin(now->error, 0);

	if (now->error > 0 && now->count > 0)
		of_all = now->error * (double)now->running_ns / (double)now->enabled_ns /
			 (double)now->count;
	return error_of(before, now, ns, of_all, 1);
}

double error_of_mean(const struct uncore_times *before, const struct uncore_times *now, int64_t ns,
		     double mean)
{
	return error_of(before, now, ns, now->error, mean);
}
