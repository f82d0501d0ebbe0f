// SPDX-License-Identifier: BSD-3-Clause
// multiplex_threads_test.cc - multiplexing in real time: the thread that switches windows,
// readers in other threads and in signal handlers, concurrent starts and stops, forks.
#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "set/inside.h"
#include "support/child.h"
#include "support/multiplexed.h"
#include "support/sized.h"

namespace
{

using support::Handle;
using support::Multiplexed;
using support::Set;

const std::vector<std::string> kEvents = {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
					  "UNC_C_RXR_OCCUPANCY:IRQ", "UNC_C_CLOCKTICKS"};
constexpr unsigned kShort = UNCORE_MULTIPLEX_MIN_US;

class RealTime : public Handle
{
      public:
	RealTime() : Handle(options())
	{
	}

      private:
	static uncore_options options()
	{
		uncore_options o = support::sim_options("sim:ivbep:packages=1,cores=2");

		o.wrap_poller = 1;
		return o;
	}
};

void sleep_ms(long ms)
{
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&t, nullptr);
}

// Returns true when every event has had a window. The machine may be busy.
bool all_counted(Multiplexed &set)
{
	for (int i = 0; i < 5000; i++) {
		bool all = true;

		for (const uncore_times &share : set.times())
			all = all && share.running_ns > 0;
		if (all)
			return true;
		sleep_ms(1);
	}
	return false;
}

TEST(MultiplexThreads, RoundsFollowTheClock)
{
	RealTime machine;
	Multiplexed set(machine, kEvents, kShort);

	ASSERT_EQ(3u, set.rounds());
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_TRUE(all_counted(set));
		ASSERT_EQ(0, set.stop()) << machine.message();
		for (const uncore_times &share : set.times()) {
			EXPECT_GT(share.running_ns, 0);
			EXPECT_LE(share.running_ns, share.enabled_ns);
		}
		for (int64_t count : set.counts())
			EXPECT_GT(count, 0);
	}
}

TEST(MultiplexThreads, ReadersStartsAndStopsRace)
{
	RealTime machine;
	Multiplexed shared(machine, kEvents, kShort);
	std::atomic<bool> over{false};
	std::vector<std::thread> threads;

	ASSERT_EQ(0, shared.start());
	for (int t = 0; t < 2; t++)
		threads.emplace_back([&] {
			std::vector<int64_t> counts(kEvents.size()), last(kEvents.size());
			auto times = support::sized<uncore_times>(kEvents.size());

			while (!over) {
				ASSERT_EQ(0, uncore_set_read(shared.set, counts.data()));
				ASSERT_EQ(0, uncore_set_times(shared.set, times.data()));
				for (size_t e = 0; e < counts.size(); e++) {
					EXPECT_GE(counts[e], last[e]) << kEvents[e];
					EXPECT_LE(times[e].running_ns, times[e].enabled_ns);
				}
				last = counts;
			}
		});
	// sets with the same events, and sets without conflicts
	for (int t = 0; t < 2; t++)
		threads.emplace_back([&, t] {
			Multiplexed same(machine, kEvents, kShort);
			Set other(machine, {"UNC_C_TOR_INSERTS:ALL"});
			Set &own = t ? other : same;

			while (!over) {
				ASSERT_EQ(0, own.start()) << machine.message();
				own.counts();
				ASSERT_EQ(0, own.reset());
				sleep_ms(1);
				ASSERT_EQ(0, own.stop()) << machine.message();
			}
		});
	sleep_ms(150);
	over = true;
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(0, shared.stop()) << machine.message();
}

uncore_set *sampled;
std::atomic<int> samples, failures, backwards;

void on_alarm(int)
{
	static int64_t last[8];
	int64_t counts[8];
	uncore_times times[8];

	times[0].size = sizeof(times[0]);
	if (uncore_set_read(sampled, counts) != 0 || uncore_set_times(sampled, times) != 0)
		failures++;
	for (size_t e = 0; e < kEvents.size(); e++) {
		backwards += counts[e] < last[e];
		last[e] = counts[e];
	}
	samples++;
}

TEST(MultiplexThreads, AHandlerReads)
{
	RealTime machine;
	Multiplexed set(machine, kEvents, kShort);
	const struct itimerval fast = {{0, 500}, {0, 500}}, off = {};
	struct sigaction action = {}, before;

	sampled = set.set;
	action.sa_handler = on_alarm;
	action.sa_flags = SA_RESTART;
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, sigaction(SIGALRM, &action, &before));
	setitimer(ITIMER_REAL, &fast, nullptr);
	while (samples < 50)
		set.counts(); // interrupted by reads of the same set
	setitimer(ITIMER_REAL, &off, nullptr);
	sigaction(SIGALRM, &before, nullptr);
	EXPECT_EQ(0, failures);
	EXPECT_EQ(0, backwards);
	EXPECT_EQ(0, set.stop());
}

TEST(MultiplexThreads, AChildReadsTheLastCountsAndHasNoThread)
{
	RealTime machine;
	Multiplexed set(machine, kEvents, kShort);

	ASSERT_EQ(0, set.start());
	EXPECT_TRUE(all_counted(set));
	const auto last = set.counts();

	EXPECT_EQ(0, support::in_child([&] {
			  std::vector<int64_t> counts(kEvents.size());
			  auto times = support::sized<uncore_times>(kEvents.size());

			  if (uncore_set_read(set.set, counts.data()) != 0 || counts < last ||
			      uncore_set_times(set.set, times.data()) != 0)
				  return 1;
			  if (uncore_set_start(set.set) != UNCORE_EFORK ||
			      uncore_set_stop(set.set) != 0 || unc_multiplex_next(set.set))
				  return 2;
			  uncore_set_destroy(set.set);
			  return 0;
		  }));
	EXPECT_EQ(0, set.stop()) << machine.message();
}

TEST(MultiplexThreads, DestroyAndCloseWhileItCounts)
{
	for (int i = 0; i < 10; i++) {
		RealTime machine;
		auto *left = new Multiplexed(machine, kEvents, kShort); // freed by close
		Multiplexed set(machine, kEvents, kShort);

		ASSERT_EQ(0, left->start());
		ASSERT_EQ(0, set.start());
		sleep_ms(i % 3);
		left->set = nullptr;
		delete left;
	}
}

} // namespace
