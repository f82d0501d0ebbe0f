// SPDX-License-Identifier: BSD-3-Clause
// counting_test.cc - requirements R1 to R7: sharing, conflicts, reading, resetting
// and stopping, in threads.
#include "papi/papi_calls.h"

#include <atomic>
#include <thread>

namespace
{

// Each thread starts 3 ms after the one before it, and all count at once.
TEST(Requirements, R1_ThreadsCountTheSameEventsEachFromItsOwnZero)
{
	constexpr unsigned n = 5;
	std::atomic<unsigned> started{0};

	in_threads(n, [&](unsigned i) {
		EventSet set({kMemClock, kReads});

		while (started < i)
			std::this_thread::yield();
		set.start();
		wait_ms(3);
		started++;
		while (started < n)
			std::this_thread::yield();
		set.check(set.read());
		wait_ms(3);
		set.check(set.stop());
	});
}

TEST(Requirements, R1_AThreadThatStopsDoesNotStopTheOthers)
{
	EventSet set({kMemClock, kCacheClock});

	set.start();
	in_threads(3, [](unsigned) {
		EventSet other({kMemClock});

		other.start();
		wait_ms(2);
		other.check(other.stop());
	});
	wait_ms(5);
	set.check(set.stop());
}

TEST(Requirements, R2_AConflictIsReportedByAddAndTheSetRemainsUsable)
{
	EventSet set({kOnlyCounter0, kCacheClock});
	const int refused = code_of(kOnlyCounter0Too);

	ASSERT_GE(refused, 0);
	EXPECT_EQ(PAPI_ECNFLCT, PAPI_add_event(set.id, refused));
	EXPECT_EQ(2, PAPI_num_events(set.id));
	set.start();
	wait_ms(5);
	const auto counts = set.stop();
	set.check(counts);
	EXPECT_GT(counts[0], 0);

	// ... and is there for the event that was refused, once the other one has left.
	EXPECT_EQ(PAPI_OK, set.remove(kOnlyCounter0));
	EXPECT_EQ(PAPI_OK, set.add(kOnlyCounter0Too));
	set.start();
	wait_ms(5);
	EXPECT_GT(set.stop()[1], 0);
}

TEST(Requirements, R2_TwoOpcodesInOneFilterConflict)
{
	EventSet set({"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"});

	EXPECT_EQ(PAPI_ECNFLCT, set.add("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"));
	EXPECT_EQ(PAPI_OK, set.add("UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_RFO"));
	set.start();
	wait_ms(5);
	const auto counts = set.stop();
	// The simulated machine's share of RFOs that miss.
	EXPECT_NEAR(0.41, static_cast<double>(counts[1]) / static_cast<double>(counts[0]), 0.05);
}

TEST(Requirements, R2_AddRefusesAnEventThatConflictsWithAnotherThread)
{
	EventSet running({kOnlyCounter0});

	running.start();
	in_threads(2, [](unsigned) {
		EventSet set;

		EXPECT_EQ(PAPI_ECNFLCT, set.add(kOnlyCounter0Too));
		// After a refusal the event set accepts other events.
		EXPECT_EQ(PAPI_OK, set.add(kMemClock));
		set.start();
		wait_ms(2);
		set.check(set.stop());
	});
	EXPECT_GT(running.stop()[0], 0);
}

TEST(Requirements, R2_AStartThatCannotBeAvoidedToFailLeavesTheSetStoppedAndUsable)
{
	EventSet set({kOnlyCounter0Too, kMemClock});

	in_threads(1, [&](unsigned) {
		EventSet other({kOnlyCounter0});
		int state = 0;

		other.start();
		EXPECT_EQ(PAPI_ECNFLCT, PAPI_start(set.id));
		EXPECT_EQ(PAPI_OK, PAPI_state(set.id, &state));
		EXPECT_TRUE(state & PAPI_STOPPED);
		wait_ms(2);
		EXPECT_GT(other.stop()[0], 0);
	});
	set.start();
	wait_ms(5);
	set.check(set.stop());
}

TEST(Requirements, R3_ReadsNeverFailAndNeverGoBackWhileSetsComeAndGo)
{
	in_threads(4, [](unsigned i) {
		EventSet set({kMemClock, i % 2 ? kReads : kCacheClock});

		for (int round = 0; round < 10; round++) {
			std::vector<long long> last(2, 0);

			set.start();
			for (int k = 0; k < 50; k++) {
				const auto counts = set.read();

				EXPECT_GE(counts[0], last[0]);
				EXPECT_GE(counts[1], last[1]);
				last = counts;
			}
			const auto counts = set.stop();
			EXPECT_GE(counts[0], last[0]);
			EXPECT_GE(counts[1], last[1]);
			set.check(counts);
		}
	});
}

TEST(Requirements, R3_AStoppedSetKeepsItsLastCounts)
{
	EventSet set({kMemClock, kReads});

	set.start();
	wait_ms(2);
	const auto counts = set.stop();
	wait_ms(2);
	EXPECT_EQ(counts, set.read());
}

TEST(Requirements, R4_ReadAndResetInALoopLoseNothing)
{
	EventSet set({kMemClock, kReads});
	long long clock = 0, reads = 0, counts[2];
	double lost = 0;
	Window to{0, 0};

	set.start();
	for (const double end = now() + 0.03; now() < end;) {
		to = during([&] { EXPECT_TRUE(read_and_reset(set.id, counts, &lost)); });
		EXPECT_GE(counts[0], 0);
		clock += counts[0];
		reads += counts[1];
	}
	expect_count(kMemClock, clock, set.from, to, lost);
	expect_count(kReads, reads, set.from, to, lost);
}

TEST(Requirements, R4_ResetIsOfOneSetOnly)
{
	EventSet set({kMemClock});

	set.start();
	in_threads(1, [](unsigned) {
		EventSet other({kMemClock});

		other.start();
		for (int i = 0; i < 5; i++) {
			wait_ms(2);
			other.read();
			other.reset();
		}
		other.check(other.stop());
	});
	set.check(set.stop());
}

TEST(Requirements, R4_ResetLongAfterTheLastReadCountsFromItself)
{
	EventSet set({kMemClock});

	for (const double ms : {0.1, 1.0, 20.0, 130.0}) {
		set.start();
		set.read();
		wait_ms(ms); // the program's work between the two is in no interval
		set.reset();
		wait_ms(ms / 4);
		set.check(set.stop());
	}
}

TEST(Requirements, R4_StartCountsFromZeroEachTime)
{
	EventSet set({kMemClock});

	for (int i = 0; i < 3; i++) {
		set.start();
		wait_ms(3);
		set.check(set.stop());
	}
}

TEST(Requirements, R5_AThreadThatStartedNothingReadsAndResetsTheSet)
{
	EventSet set({kMemClock, kReads});

	set.start();
	wait_ms(2);
	in_threads(1, [&](unsigned) {
		set.check(set.read());
		set.reset();
		wait_ms(2);
		set.check(set.read());
	});
	set.check(set.stop());
}

TEST(Requirements, R7_StopIsRefusedPolitelyAndRepeatedly)
{
	EventSet set({kMemClock});
	long long count = 0;

	EXPECT_EQ(PAPI_ENOTRUN, PAPI_stop(set.id, &count));
	set.start();
	wait_ms(2);
	set.check(set.stop());
	EXPECT_EQ(PAPI_ENOTRUN, PAPI_stop(set.id, &count));
	set.start();
	wait_ms(2);
	set.check(set.stop());
}

} // namespace
