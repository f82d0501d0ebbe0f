// SPDX-License-Identifier: BSD-3-Clause
// plan_rounds_test.cc - the rounds of a plan: uncore_plan_round().
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;
using support::sized;

struct Plan {
	struct uncore_plan *plan = nullptr;

	Plan(const Handle &machine, const std::vector<unsigned> &ids, bool multiplex)
	{
		auto options = sized<uncore_plan_options>();

		options.multiplex = multiplex;
		EXPECT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), &options, &plan));
	}
	~Plan()
	{
		uncore_plan_free(plan);
	}
	bool feasible() const
	{
		auto info = sized<struct uncore_plan_info>();

		EXPECT_EQ(0, uncore_plan_info(plan, &info));
		return info.feasible;
	}
	std::vector<std::vector<unsigned>> rounds() const
	{
		std::vector<std::vector<unsigned>> all;
		unsigned event;

		while (uncore_plan_round(plan, unsigned(all.size()), 0, &event) == 1) {
			std::vector<unsigned> one;

			while (uncore_plan_round(plan, unsigned(all.size()), unsigned(one.size()),
						 &event) == 1)
				one.push_back(event);
			all.push_back(one);
		}
		return all;
	}
};

// The set's own rounds, which a run of it has.
unsigned rounds_of_set(const Handle &machine, const std::vector<unsigned> &ids)
{
	auto info = sized<struct uncore_set_info>();
	uncore_set *set;

	EXPECT_EQ(0, uncore_set_create(machine.u, &set));
	EXPECT_EQ(0, uncore_set_multiplex(set, 10000));
	EXPECT_EQ(0, uncore_set_assign(set, ids.data(), ids.size()));
	EXPECT_EQ(0, uncore_set_info(set, &info));
	uncore_set_destroy(set);
	return info.rounds;
}

TEST(PlanRounds, AreThoseOfASetAndEachFits)
{
	const struct {
		const char *machine;
		std::vector<std::string> names;
	} lists[] = {
		{"sim:snbep",
		 {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_CLOCKTICKS", "UNC_C_RXR_OCCUPANCY:IRQ",
		  "UNC_C_TOR_OCCUPANCY:ALL"}},
		{"sim:snbep",
		 {"UNCORE_LLC_DRD_MISS_RATIO", "UNCORE_LLC_RFO_MISS_RATIO", "UNCORE_MEM_READ_BYTES",
		  "UNCORE_TOR_DRD_LATENCY_NS"}},
		{"sim:spr",
		 {"UNCORE_LLC_LOOKUPS", "UNCORE_LLC_MISS_RATIO", "UNCORE_LLC_DRD_MISS_RATIO",
		  "UNCORE_LLC_RFO_MISS_RATIO"}},
	};

	for (auto &list : lists) {
		const Handle machine(sim_options(list.machine));
		std::vector<unsigned> ids;
		std::set<unsigned> seen;

		for (auto &name : list.names)
			ids.push_back(machine.event(name));
		const Plan whole(machine, ids, true);
		const auto rounds = whole.rounds();

		EXPECT_FALSE(whole.feasible());
		EXPECT_LT(1u, rounds.size());
		EXPECT_EQ(rounds_of_set(machine, ids), rounds.size()) << list.names[0];
		for (auto &round : rounds) {
			std::vector<unsigned> part;

			for (unsigned event : round) {
				part.push_back(ids[event]);
				seen.insert(event);
			}
			EXPECT_TRUE(Plan(machine, part, false).feasible()) << list.names[0];
		}
		EXPECT_EQ(ids.size(), seen.size()) << list.names[0];
	}
}

TEST(PlanRounds, AreOneIfTheEventsFitAndNoneIfNotRequestedOrUseless)
{
	const Handle machine(sim_options("sim:snbep"));
	const unsigned clock = machine.event("UNC_C_CLOCKTICKS"),
		       queue = machine.event("UNC_C_RXR_OCCUPANCY:IRQ"),
		       table = machine.event("UNC_C_TOR_OCCUPANCY:ALL"),
		       ratio = machine.event("UNCORE_LLC_MISS_RATIO");

	EXPECT_EQ((std::vector<std::vector<unsigned>>{{0, 1}}),
		  Plan(machine, {clock, queue}, true).rounds());
	EXPECT_EQ((std::vector<std::vector<unsigned>>{{0, 1}}),
		  Plan(machine, {clock, queue}, false).rounds());
	EXPECT_TRUE(Plan(machine, {queue, table}, false).rounds().empty());
	// Its events need the same filter at different values in one window.
	EXPECT_FALSE(Plan(machine, {ratio}, true).feasible());
	EXPECT_TRUE(Plan(machine, {ratio}, true).rounds().empty());
}

} // namespace
