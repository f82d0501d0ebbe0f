// SPDX-License-Identifier: BSD-3-Clause
// mean_test.cc - means of runs and their deviation, as perf stat has them.
#include <cmath>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/mean.h"
}

namespace
{

struct mean mean_of(const std::vector<double> &values)
{
	struct mean m = {};

	for (double value : values)
		mean_add(&m, value);
	return m;
}

TEST(Mean, HasTheDeviationOfTheMean)
{
	// of the values 2.138..., of the mean 0.755...
	const struct mean m = mean_of({2, 4, 4, 4, 5, 5, 7, 9});

	EXPECT_DOUBLE_EQ(m.mean, 5);
	EXPECT_NEAR(mean_deviation(&m), 100 * std::sqrt(32.0 / 7 / 8) / 5, 1e-12);
}

TEST(Mean, OfLargeCountsKeepsSmallDifferences)
{
	const struct mean m = mean_of({1e15, 1e15 + 2});

	EXPECT_DOUBLE_EQ(m.mean, 1e15 + 1);
	EXPECT_NEAR(mean_deviation(&m), 1e-13, 1e-18);
}

TEST(Mean, OfOneRunHasNoDeviation)
{
	const struct mean one = mean_of({3}), none = mean_of({}), same = mean_of({0, 0}),
			  around = mean_of({-1, 1});

	EXPECT_TRUE(std::isnan(mean_deviation(&one)));
	EXPECT_TRUE(std::isnan(mean_deviation(&none)));
	EXPECT_EQ(mean_deviation(&same), 0);
	EXPECT_TRUE(std::isinf(mean_deviation(&around)));
}

TEST(Mean, LeavesOutNaNs)
{
	const struct mean m = mean_of({NAN, 4, INFINITY, 6});

	EXPECT_EQ(m.n, 2u);
	EXPECT_DOUBLE_EQ(m.mean, 5);
}

} // namespace
