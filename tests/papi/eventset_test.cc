// SPDX-License-Identifier: BSD-3-Clause
// eventset_test.cc - adding and removing, accumulating, overflow, rotation, load.
#include "papi/papi_calls.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>

#include <malloc.h>

namespace
{

const std::vector<std::string> four = {kMemClock, kReads, kPowerClock, kWrites};

void count_briefly(EventSet &set)
{
	set.start();
	spin_ms(0.2);
	set.check(set.read());
	set.check(set.stop());
}

// PAPI continues to read the positions that the remaining events had before a removal.
TEST(EventSets, RemovalInAnyOrderAfterAdditionInAnyOrderLeavesTheOthersCounts)
{
	std::vector<std::string> added = four;

	std::sort(added.begin(), added.end());
	do {
		std::vector<std::string> removed = added;

		std::sort(removed.begin(), removed.end());
		do {
			EventSet set(added);

			for (size_t i = 0; i + 1 < removed.size(); i++) {
				ASSERT_EQ(PAPI_OK, set.remove(removed[i]));
				if (i != 1) // two removals in a row, too
					count_briefly(set);
			}
			ASSERT_EQ(PAPI_OK, set.remove(removed.back()));
			EXPECT_EQ(0, PAPI_num_events(set.id));
			ASSERT_FALSE(HasFailure())
				<< "added " << testing::PrintToString(added) << ", removed "
				<< testing::PrintToString(removed);
		} while (std::next_permutation(removed.begin(), removed.end()));
	} while (std::next_permutation(added.begin(), added.end()));
}

TEST(EventSets, AnEventThatComesAfterARemovalCounts)
{
	for (const auto &gone : four)
		for (const auto &gone_too : four) {
			EventSet set(four);

			ASSERT_EQ(PAPI_OK, set.remove(gone));
			ASSERT_EQ(gone_too == gone ? PAPI_EINVAL : PAPI_OK, set.remove(gone_too));
			ASSERT_EQ(PAPI_OK, set.add(kCacheClock));
			count_briefly(set);
			ASSERT_EQ(PAPI_OK, set.add(gone));
			count_briefly(set);
			ASSERT_EQ(PAPI_OK, set.remove(kCacheClock));
			count_briefly(set);
			ASSERT_FALSE(HasFailure()) << gone << ", " << gone_too;
		}
}

// Each round removes another event than the last one that was added.
TEST(EventSets, ManyRoundsOfRemovalAndAddition)
{
	EventSet set(four);

	for (int round = 0; round < 100; round++) {
		const std::string event = set.events[static_cast<size_t>(round * 7) % 4];

		ASSERT_EQ(PAPI_OK, set.remove(event));
		ASSERT_EQ(PAPI_OK, set.add(event));
		count_briefly(set);
		ASSERT_FALSE(HasFailure()) << "round " << round << ", " << event;
	}
}

TEST(EventSets, ARefusedAdditionDoesNotDisturbTheOthersPlaces)
{
	EventSet set({kMemClock, kOnlyCounter0, kReads});

	EXPECT_EQ(PAPI_ECNFLCT, set.add(kOnlyCounter0Too));
	count_briefly(set);
	ASSERT_EQ(PAPI_OK, set.remove(kMemClock));
	EXPECT_EQ(PAPI_ECNFLCT, set.add(kOnlyCounter0Too));
	count_briefly(set);
	ASSERT_EQ(PAPI_OK, set.add(kCacheClock));
	count_briefly(set);
}

TEST(EventSets, ARefusedFirstEventLeavesAnEmptySet)
{
	EventSet running({kOnlyCounter0});

	running.start();
	in_threads(1, [&](unsigned) {
		EventSet set;

		for (int i = 0; i < 3; i++)
			EXPECT_EQ(PAPI_ECNFLCT, set.add(kOnlyCounter0Too));
		EXPECT_EQ(0, PAPI_num_events(set.id));
		EXPECT_EQ(PAPI_OK, set.add(kReads));
		EXPECT_EQ(PAPI_OK, set.add(kMemClock));
		count_briefly(set);
		running.stop();
		EXPECT_EQ(PAPI_OK, set.add(kOnlyCounter0Too));
		count_briefly(set);
	});
}

TEST(EventSets, ARunningSetIsNotChanged)
{
	EventSet set({kMemClock, kReads});

	set.start();
	EXPECT_EQ(PAPI_EISRUN, set.add(kWrites));
	EXPECT_EQ(PAPI_EISRUN, set.remove(kReads));
	EXPECT_EQ(PAPI_EISRUN, PAPI_cleanup_eventset(set.id));
	EXPECT_EQ(PAPI_EISRUN, PAPI_start(set.id));
	wait_ms(2);
	set.check(set.stop());
}

TEST(EventSets, OnlyOneSetOfAThreadRuns)
{
	EventSet set({kMemClock}), other({kReads});

	set.start();
	EXPECT_EQ(PAPI_EISRUN, PAPI_start(other.id));
	wait_ms(2);
	set.check(set.stop());
	count_briefly(other);
	count_briefly(set);
}

TEST(EventSets, WritingIsRefusedAndChangesNothing)
{
	EventSet set({kMemClock});
	std::vector<long long> zero(static_cast<size_t>(PAPI_num_cmp_hwctrs(component())), 0);

	set.start();
	wait_ms(2);
	EXPECT_EQ(PAPI_ENOSUPP, PAPI_write(set.id, zero.data()));
	set.check(set.stop());
}

TEST(EventSets, AccumulatingCountsNothingTwice)
{
	EventSet set({kMemClock, kReads});
	long long sum[2] = {0, 0};
	double lost = 0; /* PAPI_accum reads, then resets: what is counted in between is gone */

	set.start();
	for (int i = 0; i < 10; i++) {
		wait_ms(1);
		set.to = during([&] { ASSERT_EQ(PAPI_OK, PAPI_accum(set.id, sum)); });
		lost += set.to.last - set.to.first;
	}
	expect_count(kMemClock, sum[0], set.from, set.to, lost);
	expect_count(kReads, sum[1], set.from, set.to, lost);
}

TEST(EventSets, ThoseThatAreDestroyedLeaveNoMemoryBehind)
{
	if (kSanitizer)
		GTEST_SKIP() << "the sanitizer has its own allocator";

	const auto use = [] {
		for (int i = 0; i < 100; i++) {
			EventSet set(four);

			set.start();
			set.stop();
			EXPECT_EQ(PAPI_OK, set.remove(kReads));
		}
		return mallinfo2().uordblks;
	};
	const size_t first = use(), second = use();

	EXPECT_LT(second, first + 100 * 50) << "bytes";
}

// ---- overflow, which PAPI does by software with its timer signal ----

std::atomic<int> overflows, bad_vectors, failed_reads, negative_counts;

void on_overflow(int set, void *, long long vector, void *)
{
	long long counts[2] = {-1, -1};

	overflows++;
	bad_vectors += vector != 1;
	failed_reads += PAPI_read(set, counts) != PAPI_OK;
	negative_counts += counts[0] < 0 || counts[1] < 0;
}

TEST(EventSets, OverflowFiresAndItsHandlerReads)
{
	EventSet set({kMemClock, kReads});
	const int code = code_of(kMemClock);

	overflows = bad_vectors = failed_reads = negative_counts = 0;
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set.id, code, 1000000, 0, on_overflow));
	set.start();
	for (const double end = now() + 5; overflows < 3 && now() < end;)
		spin_ms(1);
	set.check(set.stop());
	EXPECT_GE(overflows, 3);
	EXPECT_EQ(0, bad_vectors);
	EXPECT_EQ(0, failed_reads);
	EXPECT_EQ(0, negative_counts);

	const int until_now = overflows;
	EXPECT_EQ(PAPI_OK, PAPI_overflow(set.id, code, 0, 0, on_overflow));
	set.start();
	spin_ms(25);
	set.check(set.stop());
	EXPECT_EQ(until_now, overflows);
}

TEST(EventSets, OverflowDoesNotFireBelowItsThreshold)
{
	EventSet set({kMemClock, kReads});

	overflows = 0;
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set.id, code_of(kMemClock), 2147483647, 0, on_overflow));
	set.start();
	spin_ms(40);
	// 2147483647 counts of four channels in two packages take a third of a second.
	const bool early = now() - set.from.first < 0.3;
	set.check(set.stop());
	if (early) {
		EXPECT_EQ(0, overflows);
	}
	EXPECT_EQ(PAPI_OK, PAPI_overflow(set.id, code_of(kMemClock), 0, 0, on_overflow));
}

// ---- R16, R17 ----

size_t open_files()
{
	return static_cast<size_t>(
		std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

TEST(Requirements, R16_RotationOfSetsOpensNoFilesAndLetsOthersCount)
{
	EventSet first({kReads, kOnlyCounter0}), second({kReads, kOnlyCounter0Too});
	std::atomic<bool> started{false}, end{false};
	std::thread steady([&] {
		in_threads(1, [&](unsigned) {
			EventSet set({kMemClock, kReads});

			set.start();
			started = true;
			while (!end)
				wait_ms(1);
			set.check(set.stop());
		});
	});

	while (!started)
		wait_ms(1);
	count_briefly(first);
	count_briefly(second);
	const size_t files = open_files();
	for (int i = 0; i < 50; i++) {
		count_briefly(first);
		first.start();
		EXPECT_EQ(files, open_files());
		first.stop();
		count_briefly(second);
	}
	EXPECT_EQ(files, open_files());
	end = true;
	steady.join();
}

TEST(Requirements, R17_ManyThreadsReadOnePackage)
{
	EventSet set({kMemClock, kReads, "UNC_M_CAS_COUNT:RD:pkg=0"});

	set.start();
	in_threads(8, [&](unsigned i) {
		std::vector<long long> last(3, 0), counts(3, 0);
		EventSet own({i % 2 ? kReads : kWrites});

		own.start();
		for (int k = 0; k < 100; k++) {
			EXPECT_EQ(PAPI_OK, PAPI_read(set.id, counts.data()));
			own.check(own.read());
			if (k % 20 == 19)
				own.reset();
			// Values that other threads read at the same time may be newer, not older.
			EXPECT_GE(counts[0], 0);
			EXPECT_LE(counts[2], counts[1] * 1.2 + 1e6);
		}
		own.check(own.stop());
	});
	set.check(set.stop());
}

} // namespace
