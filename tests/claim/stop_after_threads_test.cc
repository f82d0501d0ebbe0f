// SPDX-License-Identifier: BSD-3-Clause
// stop_after_threads_test.cc - sets that stop automatically, in real time: threads that wait,
// read and stop, and signals.
#include <atomic>
#include <csignal>
#include <sys/time.h>
#include <thread>

#include "support/stop_after.h"

namespace
{

using namespace support::stop_after;

constexpr char kCbo3[] = "UNC_C_CLOCKTICKS:box=3:pkg=0";
constexpr char kOther[] = "UNC_H_CLOCKTICKS:box=0:pkg=0";

// Counts must never decrease or run ahead of the events while the counter is reloaded.
TEST(StopAfterThreads, ReadersSeeNothingOfTheLoads)
{
	const Machine m("ivbep", "packages=1");
	StopAfterSet set(m, {kCbo3, kOther});
	std::atomic<bool> over{false};
	std::vector<std::thread> readers;
	constexpr int64_t kN = 100000;

	ASSERT_EQ(0, set.stop_after(kN));
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 2; i++)
		readers.emplace_back([&] {
			int64_t last[2] = {0, 0}, now[2];

			while (!over) {
				ASSERT_EQ(0, uncore_set_read(set.set, now));
				for (int k = 0; k < 2; k++) {
					ASSERT_GE(now[k], last[k]);
					ASSERT_LT(now[k] - last[k], int64_t(1) << 40);
					last[k] = now[k];
				}
			}
		});
	for (int i = 0; i < 100; i++) {
		ASSERT_EQ(1, set.wait(10000)) << m.message();
		ASSERT_LE((i + 1) * kN, set.count());
		ASSERT_EQ(0, set.again()) << m.message();
	}
	over = true;
	for (std::thread &reader : readers)
		reader.join();
	EXPECT_EQ(0, set.stop());
	EXPECT_LE(100 * kN, set.count());
	EXPECT_LT(set.count(), 102 * kN) << "n and a few nanoseconds each time";
}

TEST(StopAfterThreads, AWaitingThreadGetsTheStop)
{
	const Machine m("ivbep", "packages=1");
	StopAfterSet set(m, {kCbo3});

	ASSERT_EQ(0, set.stop_after((uint64_t(1) << 44) - 1));
	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(0, set.start());
		std::thread waiter([&] { EXPECT_EQ(UNCORE_ESTATE, set.wait(-1)); });
		if (i % 2)
			std::this_thread::sleep_for(std::chrono::milliseconds(1));
		EXPECT_EQ(0, set.stop());
		waiter.join();
	}
}

TEST(StopAfterThreads, AWaitEndsInTime)
{
	const Machine m("ivbep", "packages=1");
	StopAfterSet set(m, {kCbo3});
	const auto begin = std::chrono::steady_clock::now();

	ASSERT_EQ(0, set.stop_after((uint64_t(1) << 44) - 1));
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0, set.wait(30));
	EXPECT_LE(std::chrono::milliseconds(30), std::chrono::steady_clock::now() - begin);
	EXPECT_EQ(0, set.wait(0));
}

struct uncore_set *handled;
std::atomic<int> handled_times, went_back;

void read_in_handler(int)
{
	static int64_t last;
	int64_t now;

	uncore_set_read(handled, &now);
	went_back += now < last;
	last = now;
	handled_times++;
}

TEST(StopAfterThreads, HandlersReadInBetween)
{
	const Machine m("ivbep", "packages=1");
	StopAfterSet set(m, {kCbo3});
	struct sigaction act = {}, before;
	const itimerval every = {{0, 500}, {0, 500}}, never = {};

	ASSERT_EQ(0, set.stop_after(200000));
	ASSERT_EQ(0, set.start());
	handled = set.set;
	act.sa_handler = read_in_handler;
	sigaction(SIGALRM, &act, &before);
	setitimer(ITIMER_REAL, &every, nullptr);
	for (int i = 0; i < 200 || handled_times < 20; i++) {
		ASSERT_EQ(1, set.wait(10000)) << "a signal must not end the wait";
		ASSERT_EQ(0, set.again());
	}
	setitimer(ITIMER_REAL, &never, nullptr);
	sigaction(SIGALRM, &before, nullptr);
	EXPECT_EQ(0, went_back);
	EXPECT_EQ(0, set.stop());
}

} // namespace
