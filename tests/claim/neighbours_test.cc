// SPDX-License-Identifier: BSD-3-Clause
// neighbours_test.cc - two handles of one process, and two processes, in different boxes of one
// package that can freeze all of its boxes. Both count correctly, whichever starts or stops
// first, and the last one to stop leaves the machine as it was found.
#include "support/child.h"
#include "support/ex.h"
#include "support/party.h"
#include "support/sanitizer.h"

namespace
{

using support::HandleParty;
using support::Known;
using support::Node;
using support::Party;
using support::ProcessParty;

struct Platform {
	const char *name;
	std::vector<Known> here, other_box; // in different boxes
	std::vector<Known> turns;           // here, but must be multiplexed
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Platform kPlatforms[] = {
	{"ivbep",
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, UINT64_C(0x18200000) << 32, 0, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0},
	  {"UNC_P_CLOCKTICKS", "pcu", 0, 0, 0, 0}},
	 {{"UNC_C_CLOCKTICKS", "cbox", 0, 0, 1, 0}, {"UNC_H_CLOCKTICKS", "ha", 0, 0, 0, 0}},
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, UINT64_C(0x18200000) << 32, 0, 0},
	  {"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO", "cbox", 0x0135, UINT64_C(0x18000000) << 32, 0, 0}}},
	{"nhmex",
	 {{"UNC_C_LLC_MISSES", "cbox", 0x0714, 0, 0, 0},
	  {"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", support::ex::on(2, 4),
	   UINT64_C(0xc000000040), 0, 0},
	  {"UNC_M_DRAM_CMD:CAS_RD_OPN", "mbox", support::ex::inc(0x0a), UINT64_C(0x300) << 32, 0,
	   0}},
	 {{"UNC_C_TRANS_MAF", "cbox", 0x1f, 0, 1, 0},
	  {"UNC_M_CLOCKTICKS", "mbox", support::ex::inc(0x1b), 0, 1, 0}},
	 {{"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", support::ex::on(2, 4),
	   UINT64_C(0xc000000040), 0, 0},
	  {"UNC_B_ADDR_IN_MATCH:match=0x80:mask=0x80", "bbox", support::ex::on(2, 4),
	   UINT64_C(0x8000000080), 0, 0}}},
	{"spr",
	 {{"spr_unc_cha::RAW:config=0x10135:config1=8", "cha", 0x10135, 8, 0, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0, 0},
	  {"spr_unc_upi::RAW:config=0x01", "upi", 0x01, 0, 0, 0}},
	 {{"spr_unc_cha::RAW:config=0x01", "cha", 0x01, 0, 1, 0},
	  {"spr_unc_m2m::RAW:config=0x01", "m2m", 0x01, 0, 0, 0}},
	 {{"spr_unc_cha::RAW:config=0x10135:config1=8", "cha", 0x10135, 8, 0, 0},
	  {"spr_unc_cha::RAW:config=0x10135:config1=9", "cha", 0x10135, 9, 0, 0}}},
};

// Estimates do not include the time outside their windows. Windows have equal length here.
constexpr double kEstimate = 0.02;

class Neighbours : public testing::TestWithParam<std::tuple<Platform, bool, bool>>
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>(std::string(platform.name) + ":cores=2,packages=1");
		node->leave_traces();
		make();
	}
	void make()
	{
		const std::vector<Known> &events = turns ? platform.turns : platform.here;

		if (processes) {
			a = std::make_unique<ProcessParty>(*node, events, turns);
			b = std::make_unique<ProcessParty>(*node, platform.other_box, false);
		} else {
			a = std::make_unique<HandleParty>(*node, events, turns);
			b = std::make_unique<HandleParty>(*node, platform.other_box, false);
		}
	}
	void start(Party &party)
	{
		ASSERT_EQ(0, party.start()) << party.message;
		pass();
	}
	// Lets time pass, with several multiplexing windows.
	void pass()
	{
		for (int i = 0; i < 10; i++) {
			node->pass(100000);
			if (a_counts) {
				EXPECT_EQ(turns, a->window());
			}
		}
	}
	void start_a()
	{
		ASSERT_EQ(0, a->start()) << a->message;
		a_counts = true;
		pass();
	}
	void stop_a()
	{
		EXPECT_EQ(0, a->stop()) << a->message;
		a_counts = false;
		expect_counts();
		pass();
	}
	void stop_b()
	{
		EXPECT_EQ(0, b->stop()) << b->message;
		pass();
	}
	void expect_counts()
	{
		a->expect_counts(turns ? kEstimate : 0);
		b->expect_counts();
	}

	const Platform &platform = std::get<0>(GetParam());
	const bool processes = std::get<1>(GetParam()), turns = std::get<2>(GetParam());
	bool a_counts = false;
	std::unique_ptr<Node> node;
	std::unique_ptr<Party> a, b;
};

TEST_P(Neighbours, TheFirstStopsFirst)
{
	start_a();
	start(*b);
	expect_counts();
	stop_a();
	stop_b();
	expect_counts();
	node->expect_clean();
}

TEST_P(Neighbours, TheFirstStopsLast)
{
	start_a();
	start(*b);
	stop_b();
	expect_counts();
	stop_a();
	node->expect_clean();
}

TEST_P(Neighbours, TheOtherOneFirst)
{
	start(*b);
	start_a();
	stop_b();
	expect_counts();
	stop_a();
	node->expect_clean();
}

TEST_P(Neighbours, TheOtherOneFirstAndOnAndOn)
{
	start(*b);
	for (int i = 0; i < 3; i++) {
		start_a();
		stop_a();
	}
	stop_b();
	expect_counts();
	node->expect_clean();
	start_a();
	stop_a();
	node->expect_clean();
}

// Each leaves the package to the other one permanently.
TEST_P(Neighbours, Alternately)
{
	start_a();
	for (int i = 0; i < 3; i++) {
		start(*b);
		stop_a();
		start_a();
		stop_b();
		expect_counts();
	}
	stop_a();
	node->expect_clean();
}

TEST_P(Neighbours, AThirdSetLeavesThemAlone)
{
	start_a();
	start(*b);
	node->expect_counting({{platform.here[1].name, platform.here[1].kind,
				platform.here[1].control, platform.here[1].filter, 1, 0}});
	stop_a();
	node->expect_counting(platform.here);
	stop_b();
	expect_counts();
	node->expect_clean();
}

const auto name_of = [](const auto &info) {
	return std::string(std::get<0>(info.param).name) +
	       (std::get<1>(info.param) ? "_processes" : "_handles") +
	       (std::get<2>(info.param) ? "_turns" : "");
};

INSTANTIATE_TEST_SUITE_P(Platforms, Neighbours,
			 testing::Combine(testing::ValuesIn(kPlatforms), testing::Bool(),
					  testing::Bool()),
			 name_of);

class NeighboursKilled : public Neighbours
{
      protected:
	// Starts both again, a or b first.
	void start_both(bool a_first)
	{
		make();
		if (a_first)
			start_a();
		start(*b);
		if (!a_first)
			start_a();
	}
	static void kill(Party &party)
	{
		dynamic_cast<ProcessParty &>(party).kill();
	}
};

TEST_P(NeighboursKilled, TheOtherOneCountsOnAndRestores)
{
	for (const bool first : {true, false}) {
		start_both(first);
		kill(*a);
		node->pass();
		b->expect_counts();
		node->expect_counting(platform.here);
		a_counts = false;
		EXPECT_EQ(0, b->stop()) << b->message;
		b->expect_counts();
		node->expect_clean();
	}
}

TEST_P(NeighboursKilled, TheOtherOneRestoresWhenItStops)
{
	start_a();
	start(*b);
	kill(*a);
	EXPECT_EQ(0, b->stop()) << b->message;
	b->expect_counts();
	node->expect_clean();
}

TEST_P(NeighboursKilled, Both)
{
	for (const bool first : {true, false}) {
		start_both(first);
		kill(first ? *a : *b);
		kill(first ? *b : *a);
		a_counts = false;
		node->expect_counting(platform.here);
		node->expect_clean();
	}
}

// Before or after the other one has started, and with the package's registers in that state.
TEST_P(NeighboursKilled, AtEachWrite)
{
	const std::vector<Known> &events = turns ? platform.turns : platform.here;
	const auto live = [&] {
		HandleParty party(*node, events, turns);

		if (party.start() != 0)
			return 1;
		for (int i = 0; i < 3; i++) {
			node->pass();
			party.window();
		}
		return party.stop() == 0 ? 0 : 2;
	};
	const int step = support::all_kills() ? 1 : kSanitizer ? 153 : 17;
	int status = 1000 + SIGKILL;

	for (int at = 1; status != 0 && !HasFailure(); at = at < 0 ? -at + step : -at) {
		SCOPED_TRACE(at);
		HandleParty other(*node, platform.other_box, false);

		ASSERT_EQ(0, other.start()) << other.message;
		node->files.kill_at(at);
		status = support::in_child(live);
		node->files.kill_at(0);
		EXPECT_TRUE(status == 0 || status == 1000 + SIGKILL) << status;
		node->pass();
		other.expect_counts();
		node->expect_counting(platform.here);
		EXPECT_EQ(0, other.stop()) << other.message;
		other.expect_counts();
		node->expect_clean();
	}
}

INSTANTIATE_TEST_SUITE_P(Platforms, NeighboursKilled,
			 testing::Combine(testing::ValuesIn(kPlatforms), testing::Values(true),
					  testing::Bool()),
			 name_of);

} // namespace
