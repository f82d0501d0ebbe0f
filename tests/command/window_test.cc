// SPDX-License-Identifier: BSD-3-Clause
// window_test.cc - multiplexing windows for the load of the computer.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/window.h"
}

namespace
{

TEST(Window, IsLongWithoutAnIdleProcessor)
{
	EXPECT_EQ(10000u, window_for_load(0, 2, 0));
	EXPECT_EQ(10000u, window_for_load(1.99, 2, 0));
	EXPECT_EQ(100000u, window_for_load(2, 2, 0));
	EXPECT_EQ(100000u, window_for_load(4, 2, 0));
	EXPECT_EQ(100000u, window_for_load(300, 256, 60));
	EXPECT_EQ(10000u, window_for_load(3, 256, 60));
}

// A switch waits longer if more processes wait for each processor.
TEST(Window, GrowsWithTheLoad)
{
	EXPECT_EQ(200000u, window_for_load(8, 2, 0));
	EXPECT_EQ(600000u, window_for_load(24, 2, 0));
	EXPECT_EQ(1000000u, window_for_load(1e6, 2, 0));
}

// Ten windows in a short run or interval, as `uncore top` has them; but none below the usual one.
TEST(Window, IsATenthOfAShortRun)
{
	EXPECT_EQ(50000u, window_for_load(3, 2, 0.5));
	EXPECT_EQ(10000u, window_for_load(3, 2, 0.05));
	EXPECT_EQ(10000u, window_for_load(0, 2, 0.5));
}

// proc_loadavg(5): the means of 1, 5 and 15 minutes, and how many processes run; one of them reads
// it.
double load_of(const std::string &text)
{
	namespace fs = std::filesystem;
	std::string root = testing::TempDir() + "window.XXXXXX";

	EXPECT_NE(nullptr, mkdtemp(root.data()));
	fs::create_directory(root + "/proc");
	if (!text.empty())
		std::ofstream(root + "/proc/loadavg") << text;
	setenv("UNCORE_SYSROOT", root.c_str(), 1);
	const double load = load_of_computer();

	unsetenv("UNCORE_SYSROOT");
	fs::remove_all(root);
	return load;
}

TEST(Window, LoadIsThatOfTheLastMinuteOrThePresentOne)
{
	EXPECT_EQ(3.1, load_of("3.10 1.00 0.50 1/512 4711\n"));
	EXPECT_EQ(8, load_of("0.20 1.00 5.00 9/512 4711\n"));
	EXPECT_EQ(0, load_of("0.00 0.00 0.00 1/512 4711\n"));
	EXPECT_EQ(0, load_of("no numbers\n"));
	EXPECT_EQ(0, load_of(""));
}

// A uniform distribution of 0.5 % on both sides has a deviation of 0.289 %.
TEST(Window, LengthsAreKnownToHalfAPercent)
{
	EXPECT_NEAR(0.00288675, doubt_of_lengths(1), 1e-8);
	EXPECT_NEAR(0.00288675, doubt_of_lengths(0), 1e-8);
	EXPECT_NEAR(0.00288675 / 2, doubt_of_lengths(16), 1e-8);
}

} // namespace
