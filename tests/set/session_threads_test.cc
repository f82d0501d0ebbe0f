// SPDX-License-Identifier: BSD-3-Clause
// session_threads_test.cc - several threads, and signal handlers, on one machine in real
// time.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <thread>

#include <sys/time.h>

#include "support/sim_machine.h"
#include "support/sized.h"

namespace
{

using support::Handle;
using support::Set;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";
constexpr char kTor[] = "UNC_C_TOR_OCCUPANCY:ALL"; // on counter 0 only
constexpr unsigned kThreads = 4;

class RealTime : public Handle
{
      public:
	explicit RealTime(int wrap_poller = -1) : Handle(options(wrap_poller))
	{
	}

      private:
	static uncore_options options(int wrap_poller)
	{
		uncore_options o = support::sim_options("sim:snbep:packages=1,cores=2");

		o.wrap_poller = wrap_poller;
		return o;
	}
};

template <typename F> void in_threads(F f)
{
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < kThreads; i++)
		threads.emplace_back(f, i);
	for (std::thread &thread : threads)
		thread.join();
}

void sleep_us(long us)
{
	const struct timespec t = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&t, nullptr);
}

int64_t now_us()
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

TEST(SessionThreads, EachHasItsOwnSetAndItsOwnZero)
{
	RealTime machine;
	const unsigned id = machine.event(kTor);
	std::atomic<int> failures{0};

	in_threads([&](unsigned) {
		struct uncore_set *set;

		failures += uncore_set_create(machine.u, &set) != 0;
		failures += uncore_set_assign(set, &id, 1) != 0;
		for (int i = 0; i < 50; i++) {
			int64_t first = -1, second = -1, last = -1;

			failures += uncore_set_start(set) != 0;
			failures += uncore_set_read(set, &first) != 0 || first < 0;
			failures += uncore_set_read(set, &second) != 0 || second < first;
			failures += uncore_set_stop(set) != 0;
			failures += uncore_set_read(set, &last) != 0 || last < second;
		}
		uncore_set_destroy(set);
	});
	EXPECT_EQ(0, failures) << machine.message();
}

TEST(SessionThreads, EachThreadCountsFromItsOwnStart)
{
	RealTime machine;
	Set old(machine, {"UNC_M_CLOCKTICKS:box=0"});

	ASSERT_EQ(0, old.start());
	sleep_us(50000);
	in_threads([&](unsigned) {
		Set young(machine, {"UNC_M_CLOCKTICKS:box=0"});
		const int64_t before = now_us();

		EXPECT_EQ(0, young.start());
		const int64_t count = young.count();
		// 800 cycles per microsecond
		EXPECT_LE(count, (now_us() - before + 1) * 801);
	});
	EXPECT_GE(old.count(), 50000 * 799);
}

TEST(SessionThreads, OneReadsWhileAnotherStartsAndStops)
{
	RealTime machine;
	Set set(machine, {kReads, "UNC_C_CLOCKTICKS"});
	std::atomic<bool> done{false};
	std::atomic<int> failures{0};

	ASSERT_EQ(0, set.start());
	std::thread reader([&] {
		int64_t values[2];

		while (!done)
			failures += uncore_set_read(set.set, values) != 0 || values[0] < 0 ||
				    values[1] < 0;
	});
	for (int i = 0; i < 100; i++) {
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0, set.start());
	}
	done = true;
	reader.join();
	EXPECT_EQ(0, failures);
}

TEST(SessionThreads, AReaderThatLosesTheRaceWithAStopGetsTheLastCounts)
{
	RealTime machine;

	for (int i = 0; i < 50; i++) {
		Set set(machine, {kReads});
		std::atomic<bool> done{false};
		int64_t seen = 0;

		ASSERT_EQ(0, set.start());
		std::thread reader([&] {
			int64_t value = 0;

			while (!done) {
				EXPECT_EQ(0, uncore_set_read(set.set, &value));
				EXPECT_GE(value, seen);
				seen = value;
			}
		});
		sleep_us(200);
		EXPECT_EQ(0, set.stop());
		const int64_t last = set.count();
		done = true;
		reader.join();
		EXPECT_EQ(last, set.count());
		EXPECT_LE(seen, last);
	}
}

TEST(SessionThreads, ReadsAndResetsOfOneSetDoNotDisturbEachOther)
{
	RealTime machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	in_threads([&](unsigned) {
		for (int i = 0; i < 300; i++) {
			int64_t value;

			EXPECT_EQ(0, uncore_set_read(set.set, &value));
			EXPECT_GE(value, 0);
			EXPECT_EQ(0, uncore_set_reset(set.set));
		}
	});
}

// A reset keeps its own sums, which must be independent of a stop in another thread.
TEST(SessionThreads, ResetsInOtherThreadsDoNotSpoilTheLastCountsOfAStop)
{
	RealTime machine;
	Set set(machine, {"UNC_M_CLOCKTICKS", kReads});
	std::atomic<bool> over{false};
	std::vector<std::thread> others;

	// more threads than CPUs, so that a reset is preempted for several runs now and then
	for (unsigned t = 0; t < kThreads; t++)
		others.emplace_back([&] {
			while (!over)
				EXPECT_EQ(0, uncore_set_reset(set.set));
		});
	for (int i = 0; i < 200; i++) {
		const int64_t before = now_us();

		ASSERT_EQ(0, set.start()) << machine.message();
		ASSERT_EQ(0, set.stop()) << machine.message();
		// four channels of less than 1 GHz
		EXPECT_LE(set.counts()[0], (now_us() - before + 1) * 4000);
	}
	over = true;
	for (std::thread &other : others)
		other.join();
}

TEST(SessionThreads, NamesAreAskedForFromManyThreads)
{
	RealTime machine;

	in_threads([&](unsigned t) {
		for (unsigned i = 0; i < 50; i++) {
			auto info = support::sized<struct uncore_event_info>();
			const std::string name =
				std::string(kReads) + ":t=" + std::to_string((i + t) % 40);
			unsigned id = UINT32_MAX;

			EXPECT_EQ(0, uncore_event(machine.u, name.c_str(), &id));
			EXPECT_EQ(0, uncore_event_info(machine.u, id, &info));
			EXPECT_NE(0, uncore_event(machine.u, "UNC_NONE", &id));
			machine.message();
		}
	});
}

TEST(SessionThreads, TheWrapPollerRunsAlongsideThem)
{
	RealTime machine(1);
	std::atomic<int> failures{0};

	in_threads([&](unsigned) {
		Set set(machine, {kReads});

		for (int i = 0; i < 20; i++) {
			failures += set.start() != 0;
			failures += uncore_poll_wraps(machine.u) != 0;
			failures += set.count() < 0;
			failures += set.stop() != 0;
		}
	});
	EXPECT_EQ(0, failures) << machine.message();
}

// ---- signal handlers ----

struct uncore_set *volatile handled_set;
std::atomic<int> handled, handler_failures;

void read_in_handler(int)
{
	const int saved = errno;
	int64_t values[8];

	handler_failures += uncore_set_read(handled_set, values) != 0 || values[0] < 0;
	handler_failures += uncore_set_reset(handled_set) != 0;
	handled++;
	errno = saved;
}

// Calls the handler every half millisecond during its lifetime.
class Profiler
{
      public:
	Profiler(int signal, int timer, struct uncore_set *set) : timer(timer)
	{
		const struct itimerval every = {{0, 500}, {0, 500}};
		struct sigaction action = {};

		handled = handler_failures = 0;
		handled_set = set;
		action.sa_handler = read_in_handler;
		action.sa_flags = SA_RESTART;
		sigaction(signal, &action, nullptr);
		setitimer(timer, &every, nullptr);
	}
	~Profiler()
	{
		const struct itimerval never = {};

		setitimer(timer, &never, nullptr);
		signal(SIGPROF, SIG_IGN);
		signal(SIGALRM, SIG_IGN);
	}
	// Until the handler has run a few times, or two seconds have passed.
	bool more() const
	{
		return handled < 100 && now_us() - since < 2000000;
	}

      private:
	int timer;
	int64_t since = now_us();
};

TEST(SessionSignals, ReadAndResetWhileTheMainThreadStartsAndStops)
{
	RealTime machine(1);
	Set set(machine, {kReads, "UNC_C_CLOCKTICKS"});
	Profiler profiler(SIGALRM, ITIMER_REAL, set.set);

	while (profiler.more()) {
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_GE(set.count(), 0);
		EXPECT_EQ(0, set.reset());
		ASSERT_EQ(0, set.stop()) << machine.message();
	}
	EXPECT_GT(handled, 0);
	EXPECT_EQ(0, handler_failures);
}

TEST(SessionSignals, ProfilerReadsWhileTheMainThreadReadsAndNames)
{
	RealTime machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	Profiler profiler(SIGPROF, ITIMER_PROF, set.set);
	while (profiler.more()) {
		EXPECT_GE(set.count(), 0);
		machine.event(kTor);
		Set other(machine, {kTor});
		EXPECT_EQ(0, other.start());
	}
	EXPECT_GT(handled, 0);
	EXPECT_EQ(0, handler_failures);
}

TEST(SessionWrapPoller, TakesNoSignals)
{
	RealTime machine(1);
	Set set(machine, {kReads});
	sigset_t all, before;
	int pending = 0;

	ASSERT_EQ(0, set.start());
	// blocked here, so only the wrap poller could receive it
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	kill(getpid(), SIGUSR1);
	sleep_us(20000);
	sigset_t waiting;
	sigpending(&waiting);
	EXPECT_TRUE(sigismember(&waiting, SIGUSR1));
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigwait(&one, &pending);
	pthread_sigmask(SIG_SETMASK, &before, nullptr);
	EXPECT_EQ(SIGUSR1, pending);
}

TEST(SessionThreads, EachGetsItsOwnFailure)
{
	RealTime machine;
	const auto says = [&machine](const char *what) {
		return machine.message().find(what) != std::string::npos;
	};

	machine.refusal("NO_EVENT_OF_MINE");
	std::thread([&] {
		machine.refusal("NO_EVENT_OF_OTHERS");
		EXPECT_TRUE(says("NO_EVENT_OF_OTHERS")) << machine.message();
	}).join();
	EXPECT_TRUE(says("NO_EVENT_OF_MINE")) << machine.message();
	machine.refusal("NO_OTHER_EVENT");
	EXPECT_TRUE(says("NO_OTHER_EVENT")) << machine.message();
}

} // namespace
