// SPDX-License-Identifier: BSD-3-Clause
// gain_test.cc - what a multiplexed event counted in a part of a run.
#include <gtest/gtest.h>

#include "command/base/gain.h"

#include "uncore.h"

namespace
{

const int64_t SECOND = 1000000000;

// A run of that length, in a quarter of which the event was counted.
struct uncore_times after(int64_t seconds, int64_t count, double error)
{
	struct uncore_times t = {};

	t.size = sizeof(t);
	t.enabled_ns = seconds * SECOND;
	t.running_ns = seconds * SECOND / 4;
	t.count = count;
	t.error = error;
	return t;
}

TEST(Gain, OfTheFirstWindowIsSharedWithTheTimeBeforeIt)
{
	const struct uncore_times start = {};
	const struct uncore_times unknown = after(3, 0, UNCORE_ERROR_NO_WINDOW);
	const struct uncore_times known = after(4, 1000, 40), later = after(5, 1250, 40);

	EXPECT_EQ(1000, gain_of_interval(&unknown, &known, 4000, SECOND));
	EXPECT_EQ(4000, gain_of_interval(&start, &known, 4000, 4 * SECOND));
	EXPECT_EQ(1000, gain_of_interval(&known, &later, 1000, SECOND));
	EXPECT_EQ(0, gain_of_interval(&start, &unknown, 0, 3 * SECOND));
}

// The first interval has only its own time.
TEST(Gain, OfAMeanIsNotThatOfTheIntervalInWhichTheFirstWindowEnds)
{
	const struct uncore_times start = {};
	const struct uncore_times unknown = after(3, 0, UNCORE_ERROR_NO_WINDOW);
	const struct uncore_times known = after(4, 0, 40), later = after(5, 0, 40);

	EXPECT_TRUE(is_of_earlier_time(&unknown, &known));
	EXPECT_FALSE(is_of_earlier_time(&start, &known));
	EXPECT_FALSE(is_of_earlier_time(&start, &unknown));
	EXPECT_FALSE(is_of_earlier_time(&known, &later));
}

TEST(Gain, HasAWindowIfItIsCountedAllTheTime)
{
	struct uncore_times t = after(3, 0, UNCORE_ERROR_NO_WINDOW);

	EXPECT_TRUE(has_no_window(&t));
	t.error = UNCORE_ERROR_UNKNOWN;
	EXPECT_FALSE(has_no_window(&t));
	t = {};
	EXPECT_FALSE(has_no_window(&t));
}

// A quarter of the windows: twice the error.
TEST(Gain, HasTheErrorOfItsWindows)
{
	const struct uncore_times start = {}, now = after(4, 1000, 40);
	struct uncore_times before = now;

	EXPECT_DOUBLE_EQ(40, error_of_mean(&start, &now, 4 * SECOND, 7));
	EXPECT_DOUBLE_EQ(UNCORE_ERROR_UNKNOWN, error_of_mean(&before, &now, SECOND, 7));
	EXPECT_DOUBLE_EQ(UNCORE_ERROR_UNKNOWN, error_of_interval(&before, &now, SECOND));
	before.running_ns -= SECOND / 4;
	EXPECT_DOUBLE_EQ(80, error_of_mean(&before, &now, SECOND, 7));
	EXPECT_DOUBLE_EQ(0.02, error_of_interval(&before, &now, SECOND));
}

TEST(Gain, MayBeOfTheTimeBeforeOrAfterTheInterval)
{
	struct uncore_times before = after(3, 750, 40), now = after(4, 1000, 40);

	before.running_ns = now.running_ns - SECOND / 4;
	before.shift_ns = 0.01 * SECOND;
	now.shift_ns = 0.02 * SECOND;
	EXPECT_DOUBLE_EQ(0.02 + 0.03, error_of_interval(&before, &now, SECOND));
	EXPECT_DOUBLE_EQ(0.02 + 0.015, error_of_interval(&before, &now, 2 * SECOND));
	EXPECT_DOUBLE_EQ(80 + 0.03 * 200, error_of_mean(&before, &now, SECOND, -200));
	now.error = 0;
	EXPECT_DOUBLE_EQ(0.03, error_of_interval(&before, &now, SECOND));
	now.running_ns = now.enabled_ns; // counted all the time
	EXPECT_DOUBLE_EQ(0, error_of_interval(&before, &now, SECOND));
}

TEST(Gain, KeepsWhyItsErrorIsUnknown)
{
	const struct uncore_times start = {};

	for (double error : {UNCORE_ERROR_UNKNOWN, UNCORE_ERROR_NO_WINDOW, 0.0}) {
		const struct uncore_times now = after(4, 1000, error);

		EXPECT_DOUBLE_EQ(error, error_of_mean(&start, &now, SECOND, 7));
		EXPECT_DOUBLE_EQ(error, error_of_interval(&start, &now, SECOND));
	}
}

} // namespace
