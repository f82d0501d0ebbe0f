// SPDX-License-Identifier: BSD-3-Clause
// one_box_test.cc - several processes use different counters of one box of Nehalem-EX, whose
// enable bits share one control. Its U-Box is controlled by the package's register.
#include "support/ex.h"
#include "support/party.h"
#include "support/stop_after.h"

namespace
{

using support::Known;
using support::names_of;
using support::Node;
using support::ProcessParty;
using support::Set;
using support::ex::on;

// Each B-Box event has one counter: 0, 1, 3 and 2.
const Known kZero = {"UNC_B_TF_IOH_INVITOE", "bbox", on(0, 15), 0, 0, 0};
const Known kOne = {"UNC_B_IMT_INSERTS_INVITOE", "bbox", on(1, 15), 0, 0, 0};
const Known kThree = {"UNC_B_EARLY_ACK", "bbox", on(3, 2), 0, 0, 0};
const Known kTwo = {
	"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0", "bbox", on(2, 4), UINT64_C(0xc000000040), 0, 0};
const Known kOtherTwo = {
	"UNC_B_ADDR_IN_MATCH:match=0x80:mask=0x80", "bbox", on(2, 4), UINT64_C(0x8000000080), 0, 0};
const Known kElsewhere = {"UNC_C_LLC_MISSES", "cbox", 0x0714, 0, 0, 0};
const Known kUbox = {"UNC_U_IPIS_SENT", "ubox", 0xf9, 0, 0, 0};

class OneBox : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>("nhmex:cores=2");
	}
	void start(ProcessParty &party)
	{
		ASSERT_EQ(0, party.start()) << party.message;
		node->pass();
	}
	void stop(ProcessParty &party)
	{
		EXPECT_EQ(0, party.stop()) << party.message;
		party.expect_counts();
	}

	std::unique_ptr<Node> node;
};

TEST_F(OneBox, BothCount)
{
	ProcessParty a(*node, {kZero}, false), b(*node, {kOne}, false);

	start(a);
	start(b);
	stop(a);
	node->pass();
	stop(b);
	node->expect_clean();
}

// Only the dead process's bits of the box control are cleared, not those of other owners.
TEST_F(OneBox, RegistersOfADeadProcessAreRestoredByTheOneThatCounts)
{
	for (const bool dead_first : {true, false}) {
		ProcessParty dead(*node, {kZero, kThree}, false), alive(*node, {kOne}, false);

		start(dead_first ? dead : alive);
		start(dead_first ? alive : dead);
		dead.kill();
		stop(alive);
		node->expect_clean();
	}
}

TEST_F(OneBox, AThirdOneTakesTheDeadOnesCounter)
{
	ProcessParty dead(*node, {kZero}, false), alive(*node, {kOne}, false);

	start(dead);
	start(alive);
	dead.kill();
	node->expect_counting({kZero});
	stop(alive);
	node->expect_clean();
}

// The control of the U-Box also enables counting in the package.
TEST_F(OneBox, AUBoxOfADeadOne)
{
	for (const bool dead_first : {true, false}) {
		ProcessParty dead(*node, {kUbox, kZero}, false), alive(*node, {kOne}, false);

		start(dead_first ? dead : alive);
		start(dead_first ? alive : dead);
		{
			Set set(node->handle, names_of({kElsewhere}));

			EXPECT_EQ(0, set.start()) << node->handle.message();
			EXPECT_EQ(0, set.stop()) << node->handle.message();
		}
		dead.kill();
		node->expect_counting({kUbox});
		stop(alive);
		node->expect_clean();
	}
}

// A journal contains only running counters: the counters of a stopped set are free.
TEST_F(OneBox, ReleasedCountersAreFreeWhileTheBoxIsInUse)
{
	ProcessParty other(*node, {kZero}, false);
	Set first(node->handle, names_of({kZero})), second(node->handle, names_of({kOne}));

	ASSERT_EQ(0, first.start()) << node->handle.message();
	ASSERT_EQ(0, second.start()) << node->handle.message();
	EXPECT_EQ(UNCORE_EBUSY, other.start());
	EXPECT_EQ(0, first.stop()) << node->handle.message();
	start(other);
	stop(other);
	EXPECT_EQ(0, second.stop()) << node->handle.message();
	node->expect_clean();
}

// Multiplexing writes the box control without the lock, so no other process may write it.
TEST_F(OneBox, MultiplexedEventsHaveTheBoxAlone)
{
	ProcessParty turns(*node, {kTwo, kOtherTwo}, true), other(*node, {kZero}, false);

	start(turns);
	EXPECT_EQ(UNCORE_EBUSY, other.start());
	EXPECT_NE(std::string::npos, other.message.find("bbox0 of package 0 is in use by"))
		<< other.message;
	EXPECT_EQ(0, turns.stop()) << turns.message;
	start(other);
	EXPECT_EQ(UNCORE_EBUSY, turns.start());
	stop(other);
	node->expect_clean();
}

// A set that stops after n events in one package also counts in another package, where other
// sets start and stop: it stops and restarts independently of them.
TEST_F(OneBox, ASetThatStopsByItselfLeavesPackagesToOthers)
{
	Known here = kElsewhere;
	here.package = 1;
	ProcessParty other(*node, {kElsewhere}, false);
	Set set(node->handle, names_of({here, kOne}));
	auto after = support::sized<uncore_stop_after>();

	after.count = static_cast<uint64_t>(node->rate(here) / 1000);
	ASSERT_EQ(0, uncore_set_stop_after(set.set, &after, 1, 0)) << node->handle.message();
	ASSERT_EQ(0, set.start()) << node->handle.message();
	start(other);
	for (int i = 0; i < 3; i++) {
		node->pass(2000000);
		EXPECT_EQ(1, uncore_set_wait(set.set, 0)) << node->handle.message();
		node->pass();
		EXPECT_EQ(0, uncore_set_rearm(set.set)) << node->handle.message();
	}
	stop(other);
	EXPECT_EQ(0, set.stop()) << node->handle.message();
	node->expect_clean();
}

// Such a set takes no lock and, if several have started, has a journal, which must not be
// mistaken for a dead process's.
TEST_F(OneBox, FreeRunningCountersMayBeStartedFirst)
{
	Node spr("spr:cores=2");
	const Known cha = {"spr_unc_cha::RAW:config=0x01", "cha", 0x01, 0, 0, 0};
	ProcessParty other(spr, {cha}, false);
	Set running(spr.handle, {"UNC_M_CLOCKTICKS_FREERUN"}), set(spr.handle, names_of({cha}));

	ASSERT_EQ(0, running.start()) << spr.handle.message();
	ASSERT_EQ(0, set.start()) << spr.handle.message();
	EXPECT_EQ(UNCORE_EBUSY, other.start());
	EXPECT_NE(std::string::npos, other.message.find("(pid " + std::to_string(getpid())))
		<< other.message;
	spr.pass();
	EXPECT_EQ(0, set.stop()) << spr.handle.message();
	EXPECT_EQ(0, running.stop()) << spr.handle.message();
	spr.expect_clean();
}

} // namespace
