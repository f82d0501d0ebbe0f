// SPDX-License-Identifier: BSD-3-Clause
// perf_info_test.cc - uncore_perf_event() and uncore_register_value(): their results for programs.
#include "support/machines.h"
#include "support/perf_tree.h"
#include "support/seeds.h"
#include "support/simulated.h"
#include "support/stepped.h"

namespace
{

using support::Handle;
using support::NativeMachine;
using support::Tree;

class PerfInfo : public testing::Test
{
      protected:
	PerfInfo()
	{
		tree.two_packages();
		support::write_pmus(tree, "snbep", "0,4");
	}
	// "PMU cpu config" of each box that the event is counted in.
	static std::vector<std::string> walk(const Handle &handle, const std::string &name)
	{
		const unsigned id = handle.event(name);
		auto info = support::sized<struct uncore_perf_info>();
		std::vector<std::string> all;
		char text[128];
		int r;

		for (unsigned i = 0; (r = uncore_perf_event(handle.u, id, i, &info)) == 1; i++) {
			snprintf(text, sizeof(text), "%s %u %#jx", info.pmu, info.cpu,
				 static_cast<uintmax_t>(info.config));
			all.push_back(text);
			EXPECT_STREQ(handle.boxes()[info.box].package ? "4" : "0",
				     std::to_string(info.cpu).c_str());
		}
		EXPECT_EQ(0, r) << handle.message();
		return all;
	}
	Tree tree;
};

TEST_F(PerfInfo, AnEventIsOnePerfEventForEachOfItsBoxes)
{
	const NativeMachine machine(tree);

	EXPECT_EQ((std::vector<std::string>{"uncore_ha 0 0x301", "uncore_ha 4 0x301"}),
		  walk(machine, "UNC_H_REQUESTS:READS"));
	EXPECT_EQ((std::vector<std::string>{"uncore_imc_2 4 0x304"}),
		  walk(machine, "UNC_M_CAS_COUNT:RD:box=2:pkg=1"));
	// a metric: its events one after the other, occupancy and inserts of 2 * 4 C-Boxes
	EXPECT_EQ(16U, walk(machine, "UNCORE_TOR_DRD_LATENCY_CLOCKS").size());
}

TEST_F(PerfInfo, UnsupportedRequestsAreRefusedWithAMessage)
{
	const NativeMachine machine(tree);
	auto info = support::sized<struct uncore_perf_info>();
	const unsigned id = machine.event("UNC_C_CLOCKTICKS");

	EXPECT_EQ(UNCORE_EINVAL, uncore_perf_event(machine.u, 1u << 30, 0, &info));
	info.size = 1;
	EXPECT_EQ(UNCORE_EINVAL, uncore_perf_event(machine.u, id, 0, &info));
	info.size = sizeof(info);
	tree.remove(support::kPerfDevices);
	EXPECT_EQ(UNCORE_ENODEV, uncore_perf_event(machine.u, id, 0, &info));
	EXPECT_NE(std::string::npos, machine.message().find("uncore_cbox_0")) << machine.message();
}

TEST_F(PerfInfo, OfASimulatedMachineTheKernelKnowsNothing)
{
	auto options = support::sized<uncore_options>();
	auto info = support::sized<struct uncore_perf_info>();

	options.machine = "sim:snbep";
	const Handle machine(options);
	EXPECT_EQ(UNCORE_ENOSUPP,
		  uncore_perf_event(machine.u, machine.event("UNC_C_CLOCKTICKS"), 0, &info));
	EXPECT_NE(std::string::npos, machine.message().find("simulated")) << machine.message();
}

// ---- without the driver ----

std::string in_perfs_syntax(const struct uncore_perf_info &info)
{
	char text[160];

	snprintf(text, sizeof(text), "%s/config=%#jx,config1=%#jx,config2=%#jx/", info.pmu,
		 static_cast<uintmax_t>(info.config), static_cast<uintmax_t>(info.config1),
		 static_cast<uintmax_t>(info.config2));
	return text;
}

// The same as the driver's format files make of it.
TEST_F(PerfInfo, WithoutTheDriverAnEventHasTheSameConfig)
{
	const NativeMachine native(tree);
	const Handle sim(support::sim_options("sim:snbep:packages=2,cores=8"));
	auto with = support::sized<struct uncore_perf_info>();
	auto without = support::sized<struct uncore_perf_info>();

	for (const char *name : {"UNC_H_REQUESTS:READS", "UNC_M_CAS_COUNT:RD:box=2",
				 "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=1", "UNC_P_CLOCKTICKS"}) {
		ASSERT_EQ(1, uncore_perf_event(native.u, native.event(name), 0, &with));
		ASSERT_EQ(1, uncore_perf_syntax(sim.u, sim.event(name), 0, &without));
		EXPECT_EQ(in_perfs_syntax(with), in_perfs_syntax(without));
		EXPECT_EQ(with.cpu, without.cpu);
		EXPECT_EQ(unsigned{UNCORE_NO_PMU}, without.type);
	}
}

// The parser has rules of its own: both must agree on each event of each machine.
class PerfSyntax : public testing::TestWithParam<const char *>
{
};

TEST_P(PerfSyntax, NamesTheSameRegistersWhenItIsParsed)
{
	const std::string name = std::string("sim:") + GetParam();
	const Handle machine(support::sim_options(name.c_str()));
	auto info = support::sized<struct uncore_perf_info>();
	auto again = support::sized<struct uncore_perf_info>();
	unsigned id, parsed, translated = 0;

	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1;
	     i += support::all_seeds() ? 1 : 10) {
		const int r = uncore_perf_syntax(machine.u, id, 0, &info);

		if (r != 1) {
			EXPECT_TRUE(r == UNCORE_ENOSUPP || r == UNCORE_ENODEV || r == 0)
				<< machine.message();
			continue;
		}
		const std::string text = in_perfs_syntax(info);
		ASSERT_EQ(0, uncore_event(machine.u, text.c_str(), &parsed))
			<< text << ": " << machine.message();
		ASSERT_EQ(1, uncore_perf_syntax(machine.u, parsed, 0, &again));
		EXPECT_EQ(text, in_perfs_syntax(again)) << uncore_event_name(machine.u, id);
		translated++;
	}
	EXPECT_GT(translated, support::part_of(20));
}

INSTANTIATE_TEST_SUITE_P(All, PerfSyntax, testing::ValuesIn(support::machines_with_events()),
			 [](const auto &machine) { return support::machine_label(machine.param); });

TEST_F(PerfInfo, ARegisterIsReadUnchanged)
{
	const NativeMachine machine(tree);
	uint64_t value = 0;

	// 327043-001: the first control of C-Box 0 is MSR 0xd10, the second 0xd11
	tree.put(Tree::msr_name(0), 0xd11, 0x400135, 8);
	ASSERT_STREQ("cbo", machine.boxes()[0].kind);
	EXPECT_EQ(1, uncore_register_value(machine.u, 0, UNCORE_CONTROL, 1, &value));
	EXPECT_EQ(0x400135U, value);
	EXPECT_EQ(0, uncore_register_value(machine.u, 0, UNCORE_CONTROL, 4, &value));
	EXPECT_EQ(UNCORE_EINVAL,
		  uncore_register_value(machine.u, 1u << 20, UNCORE_CONTROL, 0, &value));
	EXPECT_EQ(UNCORE_EINVAL,
		  uncore_register_value(machine.u, 0, static_cast<enum uncore_register>(9), 0,
					&value));
}

} // namespace
