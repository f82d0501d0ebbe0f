// SPDX-License-Identifier: BSD-3-Clause
// rounds_test.cc - events that do not fit at once: every round fits, every event has a window,
// and the number of rounds is minimal.
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "plan/rounds.h"
#include "support/machines.h"
#include "support/simulated.h"

namespace
{

using Events = std::vector<const struct unc_event *>;

class Rounds : public unc_rounds
{
      public:
	Rounds(Simulated &sim, Events list, std::vector<unsigned> groups = {},
	       const struct unc_use *use = nullptr)
	    : unc_rounds{}, events(std::move(list)), sim(sim)
	{
		code = unc_rounds_make(this, &sim.machine, use, events.data(),
				       groups.empty() ? nullptr : groups.data(), events.size(),
				       &stuck);
	}
	~Rounds()
	{
		unc_rounds_free(this);
	}
	Rounds(const Rounds &) = delete;
	Rounds &operator=(const Rounds &) = delete;

	std::set<size_t> round(unsigned r) const
	{
		std::set<size_t> in;

		for (size_t e = 0; e < events.size(); e++)
			if (unc_in_round(this, r, e))
				in.insert(e);
		return in;
	}
	unsigned turns(size_t e) const
	{
		unsigned turns = 0;

		for (unsigned r = 0; r < n; r++)
			turns += unc_in_round(this, r, e);
		return turns;
	}
	void check(const struct unc_use *use = nullptr) const;

	Events events;
	int code;
	size_t stuck = 0;
	Simulated &sim;
};

// Verified with the planner of whole machines, which rounds.c does not call.
bool fits(Simulated &sim, const Events &events, const struct unc_use *use = nullptr)
{
	const std::vector<const char *> names(events.size(), "event");
	struct unc_layout layout;
	const int r = unc_layout_make(&layout, &sim.machine, use, events.data(), names.data(),
				      events.size());

	unc_layout_free(&layout);
	return r == 0;
}

void Rounds::check(const struct unc_use *use) const
{
	ASSERT_EQ(0, code);
	for (size_t e = 0; e < events.size(); e++)
		EXPECT_GE(turns(e), 1u) << e;
	for (unsigned r = 0; r < n; r++) {
		Events in;

		for (size_t e : round(r))
			in.push_back(events[e]);
		EXPECT_TRUE(fits(sim, in, use)) << "round " << r;
		// No further event fits.
		for (size_t e = 0; e < events.size(); e++) {
			Events more = in;

			more.push_back(events[e]);
			EXPECT_TRUE(unc_in_round(this, r, e) || !fits(sim, more, use));
		}
	}
}

// The minimum number of rounds, found by trying all partitions.
// Units are events that stay together.
using Units = std::vector<Events>;

unsigned fewest(Simulated &sim, const Units &units, std::vector<Events> &rounds, size_t next = 0)
{
	unsigned best = UINT32_MAX;

	if (next == units.size())
		return static_cast<unsigned>(rounds.size());
	for (size_t r = 0; r <= rounds.size(); r++) {
		const bool fresh = r == rounds.size();

		if (fresh)
			rounds.emplace_back();
		rounds[r].insert(rounds[r].end(), units[next].begin(), units[next].end());
		if (fits(sim, rounds[r]))
			best = std::min(best, fewest(sim, units, rounds, next + 1));
		rounds[r].resize(rounds[r].size() - units[next].size());
		if (fresh) {
			rounds.pop_back();
			break;
		}
	}
	return best;
}

Events named(Simulated &sim, const std::vector<std::string> &names)
{
	Events events;

	for (const std::string &name : names)
		events.push_back(sim.event(name));
	return events;
}

// Uncore events that can be counted alone. Events of one box type conflict more often.
Events random_events(Simulated &sim, size_t n, unsigned seed, bool one_kind)
{
	std::mt19937 random(seed);
	Events events;

	for (unsigned tries = 0; events.size() < n; tries++) {
		const auto *event = sim.event(static_cast<unsigned>(random()) % sim.listed());

		if (one_kind && !events.empty() && event && event->type != events[0]->type) {
			if (tries % 100 == 99)
				events.clear(); // a type with too few events
			continue;
		}
		if (event && !event->type->arch && fits(sim, {event}))
			events.push_back(event);
	}
	return events;
}

TEST(RoundsTest, EventsThatFitAreOneRound)
{
	Simulated sim;
	const Rounds none(sim, {});
	const Rounds one(sim, named(sim, {"UNC_C_CLOCKTICKS", "UNC_M_CAS_COUNT:RD",
					  "UNC_C_TOR_OCCUPANCY:MISS_ALL"}));

	EXPECT_EQ(1u, none.n);
	EXPECT_EQ(1u, one.n);
	one.check();
}

TEST(RoundsTest, EventsForOneCounterAreMultiplexedAndOthersStay)
{
	Simulated sim;
	// Three events need counter 0 of the C-Boxes. The last two can use any counter.
	const Rounds rounds(sim, named(sim, {"UNC_C_TOR_OCCUPANCY:MISS_ALL",
					     "UNC_C_RXR_OCCUPANCY:IRQ", "UNC_C_TOR_OCCUPANCY:ALL",
					     "UNC_C_CLOCKTICKS", "UNC_M_CAS_COUNT:WR"}));

	EXPECT_EQ(3u, rounds.n);
	rounds.check();
	for (size_t e = 0; e < 3; e++)
		EXPECT_EQ(1u, rounds.turns(e));
	EXPECT_EQ(3u, rounds.turns(3));
	EXPECT_EQ(3u, rounds.turns(4));
}

TEST(RoundsTest, AGroupStaysTogether)
{
	Simulated sim;
	const Events events = named(sim, {"UNC_C_TOR_OCCUPANCY:MISS_ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
					  "UNC_C_TOR_INSERTS:MISS_ALL", "UNC_C_RXR_INSERTS:IRQ",
					  "UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});
	const Rounds rounds(sim, events, {7, 9, 7, 9, 7, 0});

	ASSERT_EQ(0, rounds.code);
	EXPECT_EQ(2u, rounds.n);
	for (unsigned r = 0; r < rounds.n; r++) {
		const std::set<size_t> in = rounds.round(r);

		EXPECT_EQ(in.count(0), in.count(2));
		EXPECT_EQ(in.count(0), in.count(4));
		EXPECT_EQ(in.count(1), in.count(3));
	}
}

TEST(RoundsTest, AGroupThatDoesNotFitIsRefused)
{
	Simulated sim;
	const Rounds rounds(sim,
			    named(sim, {"UNC_C_CLOCKTICKS", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
					"UNC_C_RXR_OCCUPANCY:IRQ"}),
			    {0, 1, 1});

	EXPECT_EQ(UNCORE_ECONFLICT, rounds.code);
	EXPECT_EQ(1u, rounds.stuck);
}

// Two packages by name and boxes by number: only events in the same box conflict.
TEST(RoundsTest, EventsInDifferentBoxesDoNotMeet)
{
	Simulated sim;
	const Rounds rounds(sim, named(sim, {"UNC_C_TOR_OCCUPANCY:MISS_ALL:box=0",
					     "UNC_C_RXR_OCCUPANCY:IRQ:box=1",
					     "UNC_C_TOR_OCCUPANCY:ALL:box=2:pkg=0",
					     "UNC_C_RXR_OCCUPANCY:IPQ:box=2:pkg=1"}));

	EXPECT_EQ(1u, rounds.n);
	rounds.check();
}

TEST(RoundsTest, CountersInUseStay)
{
	Simulated sim;
	std::vector<struct unc_use> use(sim.machine.n_boxes);
	const Events taken = named(sim, {"UNC_C_TOR_OCCUPANCY:MISS_ALL"});
	const Events events = named(sim, {"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:MISS_ALL",
					  "UNC_C_COUNTER0_OCCUPANCY", "UNC_C_LLC_VICTIMS:M_STATE",
					  "UNC_C_TOR_OCCUPANCY:MISS_ALL"});

	for (size_t b = 0; b < use.size(); b++)
		if (unc_box_counts(&sim.machine.boxes[b], taken[0])) {
			ASSERT_TRUE(
				unc_assign(taken[0]->type, nullptr, taken.data(), 1, use[b].at));
			use[b].n = 1;
		}
	const Rounds rounds(sim, events, {}, use.data());

	EXPECT_EQ(2u, rounds.n);
	rounds.check(use.data());
	EXPECT_EQ(2u, rounds.turns(4)) << "already running";
}

// Two boxes in which the same event runs, on counters of which only one suits the others.
TEST(RoundsTest, TheCountersInUseMayDifferBetweenBoxes)
{
	Simulated sim;
	const Events taken = named(sim, {"UNC_C_CLOCKTICKS"});
	const Events events = named(sim, {"UNC_C_TOR_OCCUPANCY:MISS_ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
					  "UNC_C_COUNTER0_OCCUPANCY"});

	for (const bool first : {true, false}) {
		std::vector<struct unc_use> use(sim.machine.n_boxes);
		bool at_0 = first;

		for (size_t b = 0; b < use.size(); b++)
			if (unc_box_counts(&sim.machine.boxes[b], taken[0])) {
				ASSERT_TRUE(unc_assign(taken[0]->type, nullptr, taken.data(), 1,
						       use[b].at));
				use[b].at[0].counter = at_0 ? 0 : 3;
				use[b].n = 1;
				at_0 = !at_0;
			}
		const Rounds rounds(sim, events, {}, use.data());

		// the first event needs counter 0, which is in use in every other box
		EXPECT_EQ(UNCORE_ECONFLICT, rounds.code) << first;
	}
}

// Match and mask of a QPI port are two registers each; a port has one of each for all of its
// counters.
TEST(RoundsTest, EventsOfALinkDifferInEachHalfOfMatchAndMask)
{
	Simulated sim;
	const auto raw = [](unsigned code, uint64_t match, uint64_t mask) {
		char name[128];

		snprintf(name, sizeof(name),
			 "snbep_unc_qpi::RAW:config=%#x:config1=%#llx:config2=%#llx", code,
			 static_cast<unsigned long long>(match),
			 static_cast<unsigned long long>(mask));
		return std::string(name);
	};
	constexpr uint64_t kLow = 0x1e00, kHigh = UINT64_C(1) << 33;
	const std::string first = raw(0x38, kLow | kHigh, kLow | kHigh);
	const auto together = [&](const std::string &other) {
		const Events one = named(sim, {first.c_str()}),
			     both = named(sim, {first.c_str(), other.c_str()});
		std::vector<struct unc_use> use(sim.machine.n_boxes);

		EXPECT_TRUE(unc_assign(one[0]->type, nullptr, one.data(), 1, use[0].at));
		use[0].n = 1;
		struct unc_assignment out[UNC_SLOTS];
		const bool joins = unc_assign(one[0]->type, &use[0], &both[1], 1, out);

		EXPECT_EQ(joins, fits(sim, both));
		return joins;
	};

	EXPECT_TRUE(together(raw(0x138, kLow | kHigh, kLow | kHigh)));
	EXPECT_FALSE(together(raw(0x138, kHigh, kLow | kHigh)));
	EXPECT_FALSE(together(raw(0x138, kLow, kLow | kHigh)));
	EXPECT_FALSE(together(raw(0x138, kLow | kHigh, kHigh)));
	EXPECT_FALSE(together(raw(0x138, kLow | kHigh, kLow)));
}

class RoundsOn : public testing::TestWithParam<const char *>
{
};

TEST_P(RoundsOn, SmallSetsAreSplitAsWellAsCanBe)
{
	Simulated sim(
		(std::string("sim:") + GetParam() + ":packages=1,cores=2,time=virtual").c_str());

	unsigned most = 0;

	for (unsigned seed = 0; seed < 6; seed++) {
		const Events events = random_events(sim, 7, seed, true);
		std::vector<Events> rounds;
		const Rounds split(sim, events);

		split.check();
		Units single;
		for (const auto *event : events)
			single.push_back({event});
		EXPECT_EQ(fewest(sim, single, rounds), split.n) << "seed " << seed;
		most = std::max(most, split.n);
	}
	EXPECT_GE(most, 2u) << "nothing was split";
}

// Seven groups of one or two events that fit together.
TEST_P(RoundsOn, SmallSetsOfGroupsAreSplitAsWellAsCanBe)
{
	Simulated sim(
		(std::string("sim:") + GetParam() + ":packages=1,cores=2,time=virtual").c_str());
	unsigned most = 0;

	for (unsigned seed = 0; seed < 6; seed++) {
		const Events events = random_events(sim, 11, seed, true);
		std::vector<unsigned> groups;
		Units units;
		Events list;
		std::vector<Events> rounds;

		for (size_t i = 0; i < events.size(); i++) {
			Events both = units.empty() ? Events{} : units.back();

			both.push_back(events[i]);
			if (i % 2 && both.size() == 2 && fits(sim, both))
				units.back() = both;
			else if (units.size() < 7)
				units.push_back({events[i]});
		}
		for (const Events &unit : units)
			for (const auto *event : unit) {
				list.push_back(event);
				groups.push_back(static_cast<unsigned>(&unit - units.data()) + 1);
			}
		const Rounds split(sim, list, groups);

		ASSERT_EQ(0, split.code);
		EXPECT_EQ(fewest(sim, units, rounds), split.n) << "seed " << seed;
		most = std::max(most, split.n);
	}
	EXPECT_GE(most, 2u) << "nothing was split";
}

TEST_P(RoundsOn, LargeSetsAreSplitIntoRoundsThatFit)
{
	Simulated sim((std::string("sim:") + GetParam() + ":packages=2,time=virtual").c_str());
	const Events events = random_events(sim, 60, 1, false);
	const Rounds split(sim, events);

	split.check();
	EXPECT_GE(split.n, 2u);
	EXPECT_LT(split.n, 30u);
}

INSTANTIATE_TEST_SUITE_P(Platforms, RoundsOn,
			 testing::ValuesIn(support::machines_between("nhmex", "cwf", {"knl"})),
			 [](const auto &info) { return std::string(info.param); });

// Four groups of three events, and two single ones, for four counters.
TEST(RoundsTest, FreeCountersAreSharedOut)
{
	Simulated sim;
	Events events;
	std::vector<unsigned> groups;

	for (unsigned t = 1; t <= 14; t++) {
		events.push_back(sim.event("UNC_P_CLOCKTICKS:t=" + std::to_string(t)));
		groups.push_back(t <= 12 ? 1 + (t - 1) / 3 : 0);
	}
	const Rounds split(sim, events, groups);

	split.check();
	EXPECT_EQ(4u, split.n);
	EXPECT_EQ(2u, split.turns(12));
	EXPECT_EQ(2u, split.turns(13));
}

// Many events: still no more rounds than the counters require.
TEST(RoundsTest, ManyEventsForAllCountersFillThem)
{
	Simulated sim;
	Events events;

	for (unsigned t = 1; t <= 30; t++)
		events.push_back(sim.event("UNC_P_CLOCKTICKS:t=" + std::to_string(t)));
	const Rounds split(sim, events);

	split.check();
	EXPECT_EQ(8u, split.n); // four counters
}

} // namespace
