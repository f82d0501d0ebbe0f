// SPDX-License-Identifier: BSD-3-Clause
// session_test.cc - counts of event sets: true counts, windows, zero points, wraps, counters of
// other users.
#include <thread>

#include "support/sim_machine.h"

namespace
{

using support::expect_near;
using support::kEnable;
using support::kMillisecond;
using support::kSecond;
using support::Set;
using support::SimMachine;
using support::Truth;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";
const Truth reads = {"imc", 0x0304};
const Truth drd = {"cbox", 0x0135, 0x182u << 23};

// ---- counts are true ----

struct Known {
	const char *event;
	Truth truth;
};

void PrintTo(const Known &known, std::ostream *out)
{
	*out << known.event;
}

class SessionCounts : public testing::TestWithParam<Known>
{
};

TEST_P(SessionCounts, MatchesTheModel)
{
	SimMachine machine;
	Set set(machine, {GetParam().event});
	const uint64_t before = machine.now();

	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance(3 * kSecond + 7);
	expect_near(machine.total(GetParam().truth, before, machine.now()), set.count());
	EXPECT_GT(set.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(
	EveryBoxKind, SessionCounts,
	testing::Values(Known{"UNC_C_CLOCKTICKS", {"cbox", 0x00}},
			Known{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", drd},
			Known{"UNC_C_TOR_OCCUPANCY:MISS_ALL", {"cbox", 0x0a36}},
			Known{"UNC_C_LLC_VICTIMS:M_STATE", {"cbox", 0x0137}},
			Known{"UNC_U_EVENT_MSG:IPI_RCVD", {"ubox", 0x0442}},
			Known{"UNC_U_CLOCKTICKS", {"ubox", 0x00}},
			Known{"UNC_P_CLOCKTICKS", {"pcu", 0x00}},
			Known{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C0", {"pcu", 0x4080}},
			Known{"UNC_P_FREQ_BAND2_CYCLES:ff=20", {"pcu", 0x0d, 20 << 16}},
			Known{"UNC_H_REQUESTS:READS", {"ha", 0x0301}},
			Known{"UNC_M_CAS_COUNT:RD", reads},
			Known{"UNC_M_CLOCKTICKS", {"imc", 0x00}},
			Known{"UNC_Q_RXL_FLITS_G1:DRS_DATA", {"qpi", 0x200802}},
			Known{"UNC_Q_TXL_FLITS_G0:IDLE", {"qpi", 0x0100}},
			Known{"UNC_R2_RING_BL_USED:CW_ANY", {"r2pcie", 0x0309}},
			Known{"UNC_R3_RXR_INSERTS:SNP", {"r3qpi", 0x0211}}));

TEST(Session, MemoryReadsAreWhatTheTrafficSays)
{
	SimMachine machine;
	Set set(machine, {kReads, "UNC_H_REQUESTS:READS"});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const double truth =
		sim_traffic(machine.sim, 0)->reads + sim_traffic(machine.sim, 1)->reads;
	for (int64_t count : set.counts())
		EXPECT_NEAR(truth, static_cast<double>(count), 16);
}

TEST(Session, BoxesAndPackagesAddUpToTheWhole)
{
	SimMachine machine;
	Set set(machine,
		{kReads, "UNC_M_CAS_COUNT:RD:pkg=0", "UNC_M_CAS_COUNT:RD:cpu=8",
		 "UNC_M_CAS_COUNT:RD:box=0", "UNC_M_CAS_COUNT:RD:box=1", "UNC_M_CAS_COUNT:RD:box=2",
		 "UNC_M_CAS_COUNT:RD:box=3", "UNC_M_CAS_COUNT:RD:box=1:pkg=1"});

	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance();
	const std::vector<int64_t> n = set.counts();
	EXPECT_EQ(n[0], n[1] + n[2]);
	EXPECT_EQ(n[0], n[3] + n[4] + n[5] + n[6]);
	EXPECT_NE(n[1], n[2]);
	expect_near(machine.gain(reads, 1, 1, 0, machine.now()), n[7]);
}

TEST(Session, AThresholdCountsWithItsQueueOnTheCompanionCounter)
{
	SimMachine machine;
	Set set(machine,
		{"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0", "UNC_C_TOR_OCCUPANCY:ALL:t=1:box=0:pkg=0",
		 "UNC_C_TOR_OCCUPANCY:ALL:t=2:box=0:pkg=0"});

	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance();
	const std::vector<int64_t> n = set.counts();
	expect_near(machine.gain({"cbox", 0x0836}, 0, 0, 0, kSecond), n[0]);
	expect_near(machine.gain({"cbox", 0x01000836}, 0, 0, 0, kSecond), n[1]);
	expect_near(machine.gain({"cbox", 0x02000836}, 0, 0, 0, kSecond), n[2]);
}

// ---- windows and zero points ----

TEST(Session, CountsExactlyFromStartToStop)
{
	SimMachine machine;
	Set set(machine, {kReads, "UNC_U_CLOCKTICKS", "UNC_C_CLOCKTICKS"});

	machine.advance();
	const uint64_t since = machine.now();
	ASSERT_EQ(0, set.start());
	machine.advance(kMillisecond);
	const uint64_t stop_after = machine.now();
	ASSERT_EQ(0, set.stop());
	machine.advance();
	expect_near(machine.total(reads, since, stop_after), set.counts()[0]);
	expect_near(machine.total({"ubox", 0}, since, stop_after), set.counts()[1]);
	expect_near(machine.total({"cbox", 0}, since, stop_after), set.counts()[2]);
}

TEST(Session, EventsOfOneSetCoverTheSameTime)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_CLOCKTICKS", "UNC_H_CLOCKTICKS", "UNC_R2_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	machine.advance(12345);
	const std::vector<int64_t> n = set.counts();
	EXPECT_EQ(n[0], 8 * n[1]);
	EXPECT_EQ(n[1], n[2]);
}

TEST(Session, EveryStartBeginsAtZero)
{
	SimMachine machine;
	Set set(machine, {kReads});

	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set.start());
		EXPECT_EQ(0, set.count());
		machine.advance();
		EXPECT_GT(set.count(), 0);
		ASSERT_EQ(0, set.stop());
	}
}

TEST(Session, ReadsNeverDecrease)
{
	SimMachine machine;
	Set set(machine, {kReads});
	int64_t last = 0;

	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 200; i++) {
		const int64_t now = set.count();

		EXPECT_GE(now, last);
		last = now;
		machine.advance(i * 1000);
	}
	ASSERT_EQ(0, set.stop());
	EXPECT_GE(set.count(), last);
}

TEST(Session, AStoppedSetKeepsItsLastCounts)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	ASSERT_EQ(0, set.stop());
	const int64_t last = set.count();
	EXPECT_GT(last, 0);
	machine.advance();
	EXPECT_EQ(last, set.count());
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(last, set.count());
}

TEST(Session, StoppingASetThatNeverRanIsNoError)
{
	SimMachine machine;
	Set set(machine, {kReads}), empty(machine);

	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, empty.stop());
	EXPECT_EQ(0, set.count());
	EXPECT_EQ(0u, machine.writes());
}

TEST(Session, AnEmptySetDoesNotStart)
{
	SimMachine machine;
	Set set(machine);

	EXPECT_EQ(0u, set.info().events);
	EXPECT_EQ(UNCORE_ESTATE, set.start());
	EXPECT_NE(std::string::npos, machine.message().find("no events")) << machine.message();
	EXPECT_EQ(0, uncore_set_read(set.set, nullptr));
	EXPECT_EQ(0, set.reset());
}

TEST(Session, ARunningSetIsNeitherStartedNorChanged)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	EXPECT_EQ(UNCORE_ESTATE, set.start());
	EXPECT_EQ(UNCORE_ESTATE, set.assign({"UNC_M_CLOCKTICKS"}));
	machine.advance();
	expect_near(machine.total(reads, 0, 2 * kSecond), set.count());
}

// ---- reset ----

constexpr uint64_t kMicrosecond = 1000;

TEST(SessionReset, LosesNothingRightAfterARead)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const int64_t first = set.count();
	machine.advance(15 * kMicrosecond);
	EXPECT_EQ(0, set.reset());
	machine.advance();
	const int64_t second = set.count();
	expect_near(machine.total(reads, 0, machine.now()), first + second);
}

// read; work; reset: the work is in neither interval.
TEST(SessionReset, LeavesOutWhatWasCountedSinceAnEarlierRead)
{
	for (const uint64_t work : {25 * kMicrosecond, kMillisecond, 50 * kMillisecond}) {
		SimMachine machine;
		Set set(machine, {kReads});

		ASSERT_EQ(0, set.start());
		machine.advance();
		set.count();
		machine.advance(work);
		EXPECT_EQ(0, set.reset());
		EXPECT_EQ(0, set.count());
		const uint64_t begin = machine.now();
		machine.advance(kMillisecond);
		expect_near(machine.total(reads, begin, machine.now()), set.count());
	}
}

// A value that another thread read is not a baseline for this one.
TEST(SessionReset, DoesNotTakeAnotherThreadsReadForTheBaseline)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	std::thread([&] { set.count(); }).join();
	machine.advance(kMicrosecond);
	EXPECT_EQ(0, set.reset());
	EXPECT_EQ(0, set.count());
}

TEST(SessionReset, DoesNotTakeAReadOfAnEarlierRun)
{
	SimMachine machine;
	Set set(machine, {kReads});

	for (int run = 0; run < 2; run++) {
		ASSERT_EQ(0, set.start());
		machine.advance(kMicrosecond);
		EXPECT_EQ(0, set.reset());
		EXPECT_EQ(0, set.count());
		machine.advance(kMicrosecond);
		set.count();
		ASSERT_EQ(0, set.stop());
	}
}

TEST(SessionReset, WithoutAReadBeforeTakesThisInstant)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	EXPECT_EQ(0, set.reset());
	EXPECT_EQ(0, set.count());
}

TEST(SessionReset, ConcernsItsOwnSetAndNoRegister)
{
	SimMachine machine;
	Set a(machine, {kReads}), b(machine, {kReads});

	ASSERT_EQ(0, a.start());
	ASSERT_EQ(0, b.start());
	const uint64_t writes = machine.writes();
	machine.advance();
	EXPECT_EQ(0, a.reset());
	machine.advance();
	expect_near(2 * a.count(), b.count());
	EXPECT_EQ(writes, machine.writes());
}

TEST(SessionReset, OfAStoppedSetGivesZero)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0, set.reset());
	EXPECT_EQ(0, set.count());
}

// ---- wraps ----

// Runs the machine for a time in which the counter wraps often.
void expect_no_wrap_lost(const char *event, const Truth &truth, uint64_t ns, int polls)
{
	SimMachine machine;
	Set set(machine, {event});

	ASSERT_EQ(0, set.start());
	for (int i = 0; i < polls; i++) {
		machine.advance(ns);
		ASSERT_EQ(0, uncore_poll_wraps(machine.u));
	}
	expect_near(machine.gain(truth, 0, 0, 0, machine.now()), set.count());
}

TEST(SessionWrap, CountersOf44BitsAreExtended)
{
	// 2.3 GHz: a wrap takes 7670 s
	expect_no_wrap_lost("UNC_C_CLOCKTICKS:box=0:pkg=0", {"cbox", 0}, 5000 * kSecond, 11);
}

TEST(SessionWrap, CountersOf48BitsAreExtended)
{
	// 0.8 GHz: a wrap takes 351000 s
	expect_no_wrap_lost("UNC_P_CLOCKTICKS:pkg=0", {"pcu", 0}, 200000 * kSecond, 7);
}

TEST(SessionWrap, FixedCountersAreExtended)
{
	expect_no_wrap_lost("UNC_M_CLOCKTICKS:box=0:pkg=0", {"imc", 0}, 200000 * kSecond, 7);
}

TEST(SessionWrap, TheWrapPollerComesTwicePerShortestWrap)
{
	SimMachine machine;

	// 20 entries per cycle in 44 bits, and no uncore clock reaches 5 GHz
	EXPECT_LE(machine.machine().wrap_interval_ms, (1ull << 44) / 20 / 5e9 / 2 * 1000);
	EXPECT_GE(machine.machine().wrap_interval_ms, 1000u);
}

} // namespace
