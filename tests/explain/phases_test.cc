// SPDX-License-Identifier: BSD-3-Clause
// phases_test.cc - a run is cut where its traffic changes, and only there.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "command/explain/phases.h"
}

namespace
{

std::vector<size_t> phases(const std::vector<double> &values)
{
	size_t starts[PHASES_MOST];
	const size_t n = phases_find(values.data(), values.size(), starts);

	return {starts, starts + n};
}

// Parts of a length and a mean, with noise relative to it.
std::vector<double> run(const std::vector<std::pair<size_t, double>> &parts, double noise,
			unsigned seed = 1)
{
	std::mt19937 random(seed);
	std::normal_distribution<double> normal(0, 1);
	std::vector<double> values;

	for (const auto &[length, mean] : parts)
		for (size_t i = 0; i < length; i++)
			values.push_back(mean * (1 + noise * normal(random)));
	return values;
}

TEST(Phases, ASteadyRunHasOne)
{
	for (unsigned seed = 0; seed < 200; seed++)
		EXPECT_EQ((std::vector<size_t>{0}), phases(run({{100, 5e9}}, 0.1, seed))) << seed;
	EXPECT_EQ((std::vector<size_t>{0}), phases(std::vector<double>(50, 0)));
	EXPECT_EQ((std::vector<size_t>{0}), phases({}));
	EXPECT_EQ((std::vector<size_t>{0}), phases({1, 9, 1}));
}

TEST(Phases, AreFoundWhereTheMeanChanges)
{
	for (unsigned seed = 0; seed < 50; seed++) {
		const auto found = phases(run({{40, 1e9}, {60, 8e9}, {30, 3e9}}, 0.08, seed));

		ASSERT_EQ(3u, found.size()) << seed;
		EXPECT_NEAR(40, static_cast<double>(found[1]), 1);
		EXPECT_NEAR(100, static_cast<double>(found[2]), 1);
	}
}

TEST(Phases, ShortPeaksAndSmallChangesAreNone)
{
	EXPECT_EQ(1u, phases(run({{50, 1e9}, {2, 9e9}, {50, 1e9}}, 0.02)).size());
	EXPECT_EQ(1u, phases(run({{50, 1e9}, {50, 1.15e9}}, 0.02)).size());
}

TEST(Phases, OfAPeriodicRunAreNotMoreThanTheLimit)
{
	std::vector<std::pair<size_t, double>> parts;

	for (int i = 0; i < 100; i++)
		parts.push_back({10, i % 2 ? 1e9 : 5e9});
	EXPECT_LE(phases(run(parts, 0.05)).size(), size_t{PHASES_MOST});
}

TEST(Phases, OfALongRunAreFoundByCombinedIntervals)
{
	const auto found = phases(run({{20000, 1e9}, {15000, 4e9}}, 0.1));

	ASSERT_EQ(2u, found.size());
	EXPECT_NEAR(20000, static_cast<double>(found[1]), 100);
}

} // namespace
