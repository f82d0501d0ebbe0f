// SPDX-License-Identifier: BSD-3-Clause
// sum_test.cc - of how many packages and counters a count is the sum: uncore_event_sum().
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;
using support::sized;

uncore_sum sum_of(const Handle &machine, const std::string &name)
{
	auto sum = sized<uncore_sum>();

	EXPECT_EQ(0, uncore_event_sum(machine.u, machine.event(name), &sum)) << name;
	return sum;
}

// Two packages; cores=8 have 8 slices each, and four channels (327043-001, chapter 2).
TEST(EventSum, IsOfTheBoxesAndPackagesOfTheName)
{
	const Handle machine(sim_options("sim:snbep:packages=2,cores=8"));
	const struct {
		const char *name;
		unsigned packages;
		double counters;
	} expected[] = {
		{"UNC_C_CLOCKTICKS", 2, 16},
		{"UNC_C_CLOCKTICKS:box=3", 2, 2},
		{"UNC_C_CLOCKTICKS:box=0-2", 2, 6},
		{"UNC_C_CLOCKTICKS:pkg=1", 1, 8},
		{"UNC_C_CLOCKTICKS:box=3:pkg=0", 1, 1},
		{"UNC_M_CAS_COUNT:RD", 2, 8},
		{"UNC_U_CLOCKTICKS", 2, 2},
		{"UNCORE_CLOCKTICKS:pkg=0", 1, 1},
		{"UNCORE_SLICE_CYCLES", 2, 16},
	};

	for (auto &e : expected) {
		EXPECT_EQ(e.packages, sum_of(machine, e.name).packages) << e.name;
		EXPECT_EQ(e.counters, sum_of(machine, e.name).counters) << e.name;
	}
}

// INGRESS_CYCLES takes the clock of the U-Box once for each slice, so it is as large as the
// sum over the slices.
TEST(EventSum, CountsACounterAsOftenAsAMetricDoes)
{
	const Handle machine(sim_options("sim:skx"));

	EXPECT_EQ(sum_of(machine, "UNC_C_CLOCKTICKS").counters,
		  sum_of(machine, "UNCORE_INGRESS_CYCLES").counters);
}

// A metric of bytes has 64 for each line: nothing is added up unchanged.
TEST(EventSum, AddsUpCountersUnchangedUnlessAFactorIsNotOne)
{
	const Handle machine(sim_options("sim:snbep:packages=2,cores=8"));
	const struct {
		const char *name;
		uint64_t added;
	} expected[] = {
		{"UNC_C_CLOCKTICKS", 16},        {"UNC_C_CLOCKTICKS:box=0-2", 6},
		{"UNC_M_CAS_COUNT:RD", 8},       {"UNCORE_SLICE_CYCLES", 16},
		{"UNCORE_MEM_READ_BYTES", 0},    {"UNCORE_MEM_BYTES", 0},
		{"UNCORE_ENERGY_PACKAGE_UJ", 0}, {"UNCORE_TOR_DRD_LATENCY_CLOCKS", 0},
	};

	for (auto &e : expected)
		EXPECT_EQ(e.added, sum_of(machine, e.name).added) << e.name;
	EXPECT_EQ(0u, sum_of(Handle(sim_options("sim:skx")), "UNCORE_INGRESS_CYCLES").added);
}

TEST(EventSum, ReportsTheDivisorOfARateAndSumsThatLookLikeOneBox)
{
	const Handle machine(sim_options("sim:snbep:packages=2,cores=8"));
	const struct {
		const char *name;
		double divisor;
		unsigned packages;
	} expected[] = {
		{"UNC_C_CLOCKTICKS", 16, 0},
		{"UNC_C_CLOCKTICKS:box=3", 2, 2},
		{"UNC_C_CLOCKTICKS:box=3:pkg=0", 1, 0},
		{"UNC_M_CAS_COUNT:RD", 1, 0},
		{"UNC_M_CAS_COUNT:RD:box=0", 1, 2},
		{"UNCORE_TOR_DRD_LATENCY_CLOCKS", 1, 0},
	};

	for (auto &e : expected) {
		EXPECT_EQ(e.divisor, sum_of(machine, e.name).rate_divisor) << e.name;
		EXPECT_EQ(e.packages, sum_of(machine, e.name).of_packages) << e.name;
	}
}

TEST(EventSum, AMeanIsNotASum)
{
	const Handle machine(sim_options("sim:snbep"));

	EXPECT_EQ(0, sum_of(machine, "UNCORE_TOR_DRD_LATENCY_CLOCKS").counters);
	EXPECT_EQ(2u, sum_of(machine, "UNCORE_TOR_DRD_LATENCY_CLOCKS").packages);
}

TEST(EventSum, RefusesNumbersOfNoEvent)
{
	const Handle machine(sim_options("sim:snbep"));
	auto sum = sized<uncore_sum>();

	EXPECT_EQ(UNCORE_EINVAL, uncore_event_sum(machine.u, UINT32_MAX, &sum));
}

} // namespace
