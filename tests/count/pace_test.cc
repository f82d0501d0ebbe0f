// SPDX-License-Identifier: BSD-3-Clause
// pace_test.cc - the quicker of two ways is learned, whatever happens to single times.
#include <gtest/gtest.h>

extern "C" {
#include "count/pace.h"
}

namespace
{

// How often each way is taken of n times, if they take so long.
struct Taken {
	unsigned n[2] = {};
};

Taken take(unc_pace &pace, unsigned n, int64_t first, int64_t second)
{
	Taken taken;

	for (unsigned i = 0; i < n; i++) {
		const unsigned way = unc_pace_method(&pace);

		taken.n[way]++;
		unc_pace_note(&pace, way, way ? second : first);
	}
	return taken;
}

TEST(Pace, TriesBothAndTakesTheQuicker)
{
	unc_pace first = {}, second = {};

	EXPECT_EQ(UNC_PACE_LEARN / 2u, take(first, UNC_PACE_LEARN, 30, 60).n[0]);
	EXPECT_EQ(500u, take(first, 500, 30, 60).n[0]);
	take(second, UNC_PACE_LEARN, 60, 30);
	EXPECT_EQ(500u, take(second, 500, 60, 30).n[1]);
}

TEST(Pace, TheSecondWayIsFirst)
{
	const unc_pace pace = {};

	EXPECT_EQ(1u, unc_pace_method(&pace));
}

TEST(Pace, OneTimeThatTookLongChangesNothing)
{
	unc_pace pace = {};

	unc_pace_note(&pace, unc_pace_method(&pace), 1000000); // threads that are new
	take(pace, UNC_PACE_LEARN - 1, 60, 30);
	EXPECT_EQ(1u, unc_pace_method(&pace));
	unc_pace_note(&pace, 1, 1000000);
	EXPECT_EQ(100u, take(pace, 100, 60, 30).n[1]);
}

// The machine got busy: the other way is tried again, and is quicker now.
TEST(Pace, LearnsAnew)
{
	unc_pace pace = {};

	take(pace, 100, 60, 30);
	EXPECT_GT(take(pace, 2000, 60, 300).n[0], 1900u);
	EXPECT_GT(take(pace, 20000, 60, 30).n[1], 10000u);
}

} // namespace
