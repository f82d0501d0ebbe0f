// SPDX-License-Identifier: BSD-3-Clause
// cost_test.cc - the estimated memory of a set before it starts is at least its actual memory.
#include <malloc.h>

#include "support/handle.h"
#include "support/sanitizer.h"
#include "support/sim_machine.h"

namespace
{

const std::vector<std::string> kFour = {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS",
					"UNC_CHA_SF_EVICTION:M_STATE", "UNC_CHA_REQUESTS:READS"};

std::vector<std::string> many(const std::vector<std::string> &names, size_t n)
{
	std::vector<std::string> all;

	for (size_t i = 0; i < n; i++)
		all.push_back(names[i % names.size()]);
	return all;
}

size_t in_use()
{
	const struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

class SetCost : public testing::Test
{
      protected:
	SetCost()
	{
		support::Set first(machine, kFour); // memory that is never freed

		EXPECT_EQ(0, first.start());
		EXPECT_EQ(0, first.stop());
	}
	// Returns the number of counters. The set must not allocate more than the estimate, which
	// must be at most `times` as large.
	size_t check(const std::vector<std::string> &names, unsigned interval_us, size_t times)
	{
		const std::vector<unsigned> ids = machine.events(names);
		const size_t before = in_use();
		support::Set set(machine);

		if (interval_us) {
			EXPECT_EQ(0, uncore_set_multiplex(set.set, interval_us));
		}
		EXPECT_EQ(0, uncore_set_assign(set.set, ids.data(), ids.size()))
			<< machine.message();
		auto cost = support::sized<struct uncore_cost>(), least = cost;
		EXPECT_EQ(0, uncore_set_cost(set.set, &cost)) << machine.message();
		EXPECT_EQ(0, uncore_cost(machine.u, ids.data(), ids.size(), &least));
		EXPECT_LT(0u, least.bytes);
		EXPECT_GE(cost.bytes, least.bytes);
		EXPECT_GE(cost.counters, least.counters);
		EXPECT_TRUE(interval_us || cost.counters == least.counters);
		EXPECT_EQ(0, set.start()) << machine.message();
		const size_t took = in_use() - before;
		if (!kSanitizer) { // which replaces the allocator
			EXPECT_LE(took, cost.bytes);
			EXPECT_GE(took * times, cost.bytes);
		}
		return cost.counters;
	}
	const support::Handle machine{support::sim_options("sim:gnr:time=virtual")};
};

TEST_F(SetCost, IsThatOfEachEventInEachBox)
{
	EXPECT_EQ(240u, check({"UNC_CHA_CLOCKTICKS"}, 0, 2));
	EXPECT_EQ(4u * 240, check(kFour, 0, 2));
	EXPECT_EQ(256u * 240, check(many(kFour, 256), 0, 2));
	EXPECT_EQ(1u, check({"UNC_CHA_CLOCKTICKS:pkg=0:box=1"}, 0, 10));
}

TEST_F(SetCost, IsLessWhereCountersAreShared)
{
	support::Set other(machine, kFour);

	ASSERT_EQ(0, other.start());
	EXPECT_EQ(256u * 240, check(many(kFour, 256), 0, 2));
	EXPECT_EQ(240u, check({"UNC_CHA_CLOCKTICKS"}, 0, 2));
}

TEST_F(SetCost, IsUnknownWithoutEvents)
{
	support::Set set(machine);
	auto cost = support::sized<struct uncore_cost>();

	EXPECT_EQ(UNCORE_EINVAL, uncore_set_cost(set.set, &cost));
	EXPECT_NE(std::string::npos, machine.message().find("has no events"));
}

// Five events on four counters require two rounds.
TEST_F(SetCost, OfMultiplexedEventsIsThatOfAllRounds)
{
	const std::vector<std::string> five = {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS",
					       "UNC_CHA_SF_EVICTION:M_STATE",
					       "UNC_CHA_REQUESTS:READS", "UNC_CHA_REQUESTS:WRITES"};
	const size_t counters = check(five, 10000, 3);

	EXPECT_LE(5u * 240, counters);
	EXPECT_GE(2u * 5 * 240, counters);
}

} // namespace
