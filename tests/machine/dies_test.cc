// SPDX-License-Identifier: BSD-3-Clause
// dies_test.cc - packages with two dies (Cascade Lake-AP): what pkg=, die= and box= mean, and
// that each die's registers are reached.
#include <map>
#include <set>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/plan.h"
#include "support/sized.h"

namespace
{

using support::kSecond;

constexpr const char *kTwoByTwo = "sim:skx:packages=2,dies=2,cores=4,time=virtual";
constexpr unsigned kDies = 4; // of the machine

// The bytes read per second differ between the dies' memory controllers, by the traffic.
class Dies : public testing::Test
{
      protected:
	void SetUp() override
	{
		ASSERT_EQ(0, machine.code) << machine.message();
		for (unsigned d = 0; d < kDies; d++) {
			sim_traffic(sim_, d)->reads = 1e6 * (1 << d);
			sim_traffic(sim_, d)->remote_reads = 0;
			sim_traffic(sim_, d)->uclk_hz = 1e9 + 1e8 * d;
		}
	}
	std::vector<int64_t> count(const std::vector<std::string> &names)
	{
		support::Set set(machine, names);

		EXPECT_EQ(0, set.start()) << machine.message();
		sim_advance(sim_, kSecond);
		EXPECT_EQ(0, set.stop()) << machine.message();
		return set.counts();
	}

	support::Handle machine{support::sim_options(kTwoByTwo)};
	sim *sim_ = unc_hw_sim(unc_hw_of(machine.u));
};

TEST_F(Dies, ThePackageIsTheSocket)
{
	const uncore_machine_info info = machine.machine();

	EXPECT_EQ(2u, info.packages);
	EXPECT_EQ(2u, info.dies);
	EXPECT_EQ(16u, info.cpus);
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:pkg=2"));
	EXPECT_EQ("invalid pkg=2 in UNC_M_CAS_COUNT: this machine has packages 0 to 1",
		  machine.message());
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:die=2"));
	EXPECT_EQ("invalid die=2 in UNC_M_CAS_COUNT: packages of this machine have dies 0 to 1",
		  machine.message());
}

TEST_F(Dies, SumsGoOverAllDiesAndDieNarrows)
{
	const std::vector<int64_t> n =
		count({"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:RD:pkg=0", "UNC_M_CAS_COUNT:RD:pkg=1",
		       "UNC_M_CAS_COUNT:RD:pkg=0:die=0", "UNC_M_CAS_COUNT:RD:pkg=0:die=1",
		       "UNC_M_CAS_COUNT:RD:pkg=1:die=0", "UNC_M_CAS_COUNT:RD:pkg=1:die=1",
		       "UNC_M_CAS_COUNT:RD:die=0", "UNC_M_CAS_COUNT:RD:die=1"});
	const int64_t expected[] = {15000000, 3000000, 12000000, 1000000, 2000000,
				    4000000,  8000000, 5000000,  10000000};

	/* each of the counters below a sum may lack what is not a whole line yet */
	for (unsigned i = 0; i < 9; i++)
		EXPECT_NEAR(expected[i], n[i], 24) << i;
	EXPECT_EQ(n[0], n[1] + n[2]);
	EXPECT_EQ(n[1], n[3] + n[4]);
	EXPECT_EQ(n[8], n[4] + n[6]);
}

// MSRs are reached through a CPU of the die.
TEST_F(Dies, EachDieHasItsOwnClock)
{
	const std::vector<int64_t> n =
		count({"UNC_U_CLOCKTICKS:pkg=0:die=0", "UNC_U_CLOCKTICKS:pkg=0:die=1",
		       "UNC_U_CLOCKTICKS:pkg=1:die=0", "UNC_U_CLOCKTICKS:pkg=1:die=1",
		       "UNC_U_CLOCKTICKS:box=1:pkg=1", "UNCORE_FREQUENCY", "UNCORE_FREQUENCY:pkg=1",
		       "UNCORE_FREQUENCY:pkg=1:die=0"});

	EXPECT_NEAR(1.0e9, n[0], 10);
	EXPECT_NEAR(1.1e9, n[1], 10);
	EXPECT_NEAR(1.2e9, n[2], 10);
	EXPECT_NEAR(1.3e9, n[3], 10);
	EXPECT_EQ(n[3], n[4]);
	EXPECT_NEAR(1.15e9, uncore_real(n[5]), 10);
	EXPECT_NEAR(1.25e9, uncore_real(n[6]), 10);
	EXPECT_NEAR(1.2e9, uncore_real(n[7]), 10);
}

TEST_F(Dies, BoxesAreNumberedThroughAPackage)
{
	std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> boxes; // die, number
	auto box = support::sized<uncore_box_info>();

	for (unsigned i = 0; i < machine.machine().boxes && uncore_box(machine.u, i, &box) == 1;
	     i++)
		if (box.package == 1)
			boxes[box.kind].emplace_back(box.die, box.index);
	for (const auto &[kind, count] :
	     std::map<std::string, unsigned>{{"cha", 4}, {"imc", 6}, {"ubo", 1}, {"iio", 6}}) {
		std::vector<std::pair<unsigned, unsigned>> expected;

		for (unsigned i = 0; i < 2 * count; i++)
			expected.emplace_back(i / count, i);
		EXPECT_EQ(expected, boxes[kind]) << kind;
	}
	const std::vector<int64_t> n =
		count({"UNC_M_CAS_COUNT:RD:box=7:pkg=0", "UNC_M_CAS_COUNT:RD:box=7:pkg=0:die=1",
		       "UNC_M_CAS_COUNT:RD:box=1:pkg=0"});
	const double second = sim_rate(sim_, 1, "imc", 1, 0x0304, 0);
	EXPECT_NEAR(second, static_cast<double>(n[0]), 10) << "channel 1 of the second die";
	EXPECT_EQ(n[0], n[1]);
	EXPECT_NEAR(second / 2, static_cast<double>(n[2]), 10);
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=7:die=0"));
	EXPECT_EQ("invalid box=7 in UNC_M_CAS_COUNT: that imc is on another die or in another "
		  "package; use box=0_5",
		  machine.message());
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=12"));
	EXPECT_EQ("invalid box=12 in UNC_M_CAS_COUNT: this machine has imc 0 to 11",
		  machine.message());
}

TEST_F(Dies, NamesAndQualifiers)
{
	std::set<std::string> qualifiers;
	const unsigned id = machine.event("UNC_M_CAS_COUNT");

	EXPECT_EQ("UNC_M_CAS_COUNT:RD:box=7:pkg=1:die=1",
		  machine.canonical("unc_m_cas_count:die=1:pkg=1:rd:box=7"));
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:die=0", machine.canonical("UNC_M_CAS_COUNT:RD:die=0"));
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:pkg=1", machine.canonical("UNC_M_CAS_COUNT:RD:cpu=15"))
		<< "the package of a CPU";
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("UNC_M_CAS_COUNT:RD:die=0:die=1"));
	for (const auto &[size, name, text] : machine.qualifiers(id))
		qualifiers.insert(name);
	EXPECT_TRUE(qualifiers.count("die") && qualifiers.count("pkg") && qualifiers.count("cpu"));
}

TEST(OneDie, DieNamesTheOnlyOneAndIsNotListed)
{
	support::Handle machine(support::sim_options("sim:skx:packages=2,cores=4,time=virtual"));
	const unsigned id = machine.event("UNC_M_CAS_COUNT");

	EXPECT_EQ(1u, machine.machine().dies);
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:pkg=1", machine.canonical("UNC_M_CAS_COUNT:RD:die=0:pkg=1"));
	EXPECT_EQ("UNCORE_FREQUENCY", machine.canonical("UNCORE_FREQUENCY:die=0"));
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:die=1"));
	for (const auto &[size, name, text] : machine.qualifiers(id))
		EXPECT_STRNE("die", name);
}

// Every event, on one die: nothing is written to another one, and all is put back.
TEST_F(Dies, EveryEventOfADieIsCountedThere)
{
	for (unsigned id : support::listed(machine)) {
		const std::string name = uncore_event_name(machine.u, id);
		const std::string place = ":pkg=1:die=0";
		struct uncore_plan *plan = nullptr;
		auto op = support::sized<uncore_op_info>();
		unsigned narrow;

		if (name.size() + place.size() > UNCORE_NAME_MAX)
			continue;
		narrow = machine.event(name + place);
		ASSERT_EQ(0, uncore_plan(machine.u, &narrow, 1, nullptr, &plan)) << name;
		for (unsigned i = 0; uncore_plan_op(plan, UNCORE_PHASE_SETUP, i, &op) == 1; i++) {
			EXPECT_EQ(1u, op.package) << name;
			EXPECT_EQ(0u, op.die) << name;
			EXPECT_TRUE(op.space != UNCORE_MSR || op.cpu / 4 == 2) << op.cpu;
		}
		for (size_t i = 0; i < plan->layout.n; i++) {
			EXPECT_EQ(1u, support::assignment(plan, i).package) << name;
			EXPECT_EQ(0u, support::assignment(plan, i).die) << name;
		}
		uncore_plan_free(plan);
	}
}

} // namespace
