// SPDX-License-Identifier: BSD-3-Clause
// crowd_test.cc - as many clients as uncored allows for one user, some of which are killed. The
// counts of each client match those of the machine between its start and its stop.
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <random>

#include "daemon/served.h"

namespace
{

using support::kSecond;

constexpr unsigned kThreads = 56, kKilled = 8, kSessions = 40;
const std::vector<std::string> kEvents = {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR",
					  "UNC_M_ACT_COUNT", "UNC_M_PRE_COUNT:PAGE_MISS"};

// Counts per second, which are constant on sim:snbep.
std::vector<double> rates(const Served &uncored)
{
	support::Handle client(uncored.options());
	support::Set set(client, kEvents);
	std::vector<double> all;

	EXPECT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	for (const int64_t n : set.counts())
		all.push_back(static_cast<double>(n));
	EXPECT_EQ(0, set.stop());
	return all;
}

// Each counter may lose part of a count at the start and at the end, and an event uses 8
// channels.
constexpr double kRounding = 16;

class Session
{
      public:
	Session(const Served &on, const std::vector<double> &per_second, unsigned seed)
	    : uncored(on), rate(per_second), client(on.options()), random(seed)
	{
	}
	void run()
	{
		std::vector<size_t> which;
		std::vector<std::string> names;

		for (size_t e = 0; e < kEvents.size(); e++)
			if (random() % 2)
				which.push_back(e);
		if (which.empty())
			which.push_back(random() % kEvents.size());
		for (const size_t e : which)
			names.push_back(kEvents[e]);
		support::Set set(client, names);
		const double before = now();
		ASSERT_EQ(0, set.start()) << client.message();
		const double from = now();
		if (random() % 2) {
			EXPECT_EQ(names.size(), set.counts().size());
		}
		const double to = now();
		ASSERT_EQ(0, set.stop()) << client.message();
		const double after = now();
		const auto n = set.counts();
		for (size_t i = 0; i < which.size(); i++) {
			const double count = static_cast<double>(n[i]);

			EXPECT_GE(count, rate[which[i]] * (to - from) - kRounding) << names[i];
			EXPECT_LE(count, rate[which[i]] * (after - before) + kRounding) << names[i];
		}
	}

      private:
	double now() const
	{
		return static_cast<double>(sim_now(uncored.model())) / kSecond;
	}

	const Served &uncored;
	const std::vector<double> &rate;
	support::Handle client;
	std::minstd_rand random;
};

pid_t one_that_is_killed(Served &uncored)
{
	const pid_t child = uncored.fork();

	if (child != 0)
		return child;
	// Until all have been forked, connections fail now and then.
	EXPECT_NE(nullptr, freopen("/dev/null", "w", stdout));
	for (;;) {
		support::Handle client(uncored.options());

		if (client.code != 0)
			continue;
		support::Set set(client, kEvents);

		set.start();
		set.counts();
		set.stop();
	}
}

TEST(DaemonCrowd, EachClientGetsWhatWasCountedInItsTime)
{
	Served uncored;
	const auto rate = rates(uncored);
	std::vector<pid_t> killed;
	std::vector<std::unique_ptr<Session>> sessions;
	std::vector<std::thread> threads;
	std::atomic<unsigned> done{0};

	for (unsigned i = 0; i < kKilled; i++)
		killed.push_back(one_that_is_killed(uncored));
	for (unsigned t = 0; t < kThreads; t++)
		sessions.push_back(std::make_unique<Session>(uncored, rate, t + 1));
	for (auto &session : sessions)
		threads.emplace_back([&] {
			for (unsigned i = 0; i < kSessions && !testing::Test::HasFailure(); i++)
				session->run();
			done++;
		});
	for (unsigned tick = 0; done < kThreads; tick++) {
		sim_advance(uncored.model(), kSecond / 1000);
		usleep(100);
		if (tick % 16 == 15 && !killed.empty()) {
			kill(killed.back(), SIGKILL);
			waitpid(killed.back(), nullptr, 0);
			killed.pop_back();
		}
	}
	for (auto &thread : threads)
		thread.join();
	for (const pid_t child : killed) {
		kill(child, SIGKILL);
		waitpid(child, nullptr, 0);
	}
	// their counters are free for an event with a different filter
	support::Handle last(uncored.options());
	support::Set set(last, {"UNC_M_CAS_COUNT:ALL", "UNC_M_CAS_COUNT:RD_REG",
				"UNC_M_CAS_COUNT:WR_WMM", "UNC_M_CAS_COUNT:WR_RMM"});
	EXPECT_EQ(0, start_when_free(set)) << last.message();
	EXPECT_EQ(0, set.stop());
}

} // namespace
