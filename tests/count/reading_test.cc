// SPDX-License-Identifier: BSD-3-Clause
// reading_test.cc - the counters of a set whose events change between two runs.
#include <algorithm>

#include "support/sim_machine.h"

namespace
{

using support::expect_near;
using support::Set;
using support::SimMachine;

constexpr char kRing[] = "UNC_C_RING_AD_USED:box=0:pkg=0",
	       kClock[] = "UNC_C_CLOCKTICKS:box=0:pkg=0";

class Reading : public testing::Test
{
      protected:
	// Counts these events, or the last ones, for a millisecond; the clock's event at each of
	// these positions has to be right.
	void expect_clocks(const std::vector<std::string> &events,
			   const std::vector<size_t> &clocks)
	{
		if (!events.empty()) {
			ASSERT_EQ(0, set.assign(events)) << machine.message();
		}
		const uint64_t since = machine.now();
		ASSERT_EQ(0, set.start()) << machine.message();
		machine.advance();
		const std::vector<int64_t> counts = set.counts();
		const int64_t truth = machine.gain({"cbox", 0}, 0, 0, since, machine.now());
		EXPECT_EQ(0, set.stop()) << machine.message();
		for (size_t i = 0; i < counts.size(); i++) {
			const bool is_clock = std::count(clocks.begin(), clocks.end(), i) > 0;

			if (is_clock)
				expect_near(truth, counts[i]);
			else
				EXPECT_GT(truth / 2, counts[i]);
		}
	}

	SimMachine machine;
	Set set{machine};
};

// Another set has the counter of the first run.
TEST_F(Reading, AnotherCounter)
{
	Set other(machine, {kRing});

	expect_clocks({kClock}, {0});
	ASSERT_EQ(0, other.start()) << machine.message();
	expect_clocks({}, {0});
	EXPECT_EQ(0, other.stop()) << machine.message();
	expect_clocks({}, {0});
}

// The ring's event has the highest counter, until another set has given it to the clock's.
TEST_F(Reading, TheSameCountersForOtherEvents)
{
	Set other(machine, {kClock});

	expect_clocks({kClock, kRing}, {0});
	ASSERT_EQ(0, other.start()) << machine.message();
	expect_clocks({}, {0});
	EXPECT_EQ(0, other.stop()) << machine.message();
}

} // namespace
