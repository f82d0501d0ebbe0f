// SPDX-License-Identifier: BSD-3-Clause
// overflow_test.cc - PAPI_overflow() and PAPI_profil() through PAPI's software path:
// thresholds, restarts, resets, removal, threads, and what PAPI itself forgets.
#include "papi/papi_calls.h"
#include "support/patience.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include <pthread.h>
#include <sys/time.h>

namespace
{

// PAPI_profil()'s type of addresses is vptr_t from 7.0 on.
template <class T, class Function>
T address_of(int (*)(void *, unsigned, T, unsigned, int, int, int, int), Function *function)
{
	return reinterpret_cast<T>(function);
}

// The counts of an event in `ms` milliseconds.
int worth(const char *event, double ms)
{
	return static_cast<int>(rate(event) * ms / 1000);
}

// The handler's view of an event set; one for each sampling thread.
struct Samples {
	std::atomic<int> calls, of[4], failed;
	pthread_t thread;
	bool reset;
};
thread_local Samples *mine;
Samples main_samples;

void on_overflow(int set, void *pc, long long vector, void *context)
{
	Samples *s = mine;
	long long counts[4] = {-1, -1, -1, -1};
	int index[4], n = 4;

	if (!s || !pthread_equal(s->thread, pthread_self()) || !pc || !context)
		return;
	s->failed += PAPI_read(set, counts) != PAPI_OK;
	s->failed += PAPI_get_overflow_event_index(set, vector, index, &n) != PAPI_OK;
	for (int i = 0; i < n && i < 4; i++)
		s->of[index[i]]++;
	s->calls++;
	if (s->reset)
		s->failed += PAPI_reset(set) != PAPI_OK;
	errno = EBADF; // which the interrupted program must not see
}

void begin(Samples *s)
{
	s->calls = s->failed = 0;
	for (auto &n : s->of)
		n = 0;
	s->thread = pthread_self();
	s->reset = false;
	mine = s;
}

void overflow(const EventSet &set, const char *event, int threshold)
{
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set.id, code_of(event), threshold, 0, on_overflow));
}

// Spins until `done`, for at most 5 seconds of CPU time.
template <typename F> void spin_until(F done)
{
	for (const support::Patience patience(5); !done() && !patience.is_over();)
		spin_ms(1);
}

// The same, until there were as many calls.
void spin_until(const Samples &s, int calls)
{
	spin_until([&] { return s.calls >= calls; });
}

// Counts grow in real time, PAPI's timers run in CPU time, of which a busy computer gives an
// unknown part. A test that needs samples at certain counts blocks the timers' signal, and sends
// its own.
class OwnSignals
{
      public:
	OwnSignals()
	{
		sigemptyset(&timers);
		sigaddset(&timers, SIGPROF);
		pthread_sigmask(SIG_BLOCK, &timers, &usual);
		sigdelset(&usual, SIGPROF);
	}
	~OwnSignals()
	{
		discard();
		pthread_sigmask(SIG_SETMASK, &usual, nullptr);
	}
	OwnSignals(const OwnSignals &) = delete;
	OwnSignals &operator=(const OwnSignals &) = delete;

	// Samples at `from` of event 0's thresholds; whether there were less than `below`
	// afterwards. Otherwise this process did not run for a while, and the sample proves
	// nothing.
	bool sample(EventSet &set, int threshold, double from, double below) const
	{
		const double per_ms = rate(set.events[0]) / 1000;

		for (double left; (left = from * threshold - counted(set)) > 0;)
			wait_ms(left / per_ms);
		discard();
		raise(SIGPROF);
		sigsuspend(&usual);
		return counted(set) < below * threshold;
	}

      private:
	static double counted(EventSet &set)
	{
		return static_cast<double>(set.read()[0]);
	}
	void discard() const
	{
		const timespec at_once = {};

		while (sigtimedwait(&timers, nullptr, &at_once) > 0)
			;
	}

	sigset_t timers = {}, usual = {};
};

class Overflow : public testing::Test
{
      protected:
	Overflow()
	{
		begin(&main_samples);
	}
	~Overflow() override
	{
		mine = nullptr;
		EXPECT_EQ(0, s.failed);
	}

	// Until it returns true, which it does unless this process did not run for a while: then
	// with times that are longer, to 300 ms.
	void repeat(double ms, const std::function<bool(double ms)> &undisturbed)
	{
		bool done = false;

		for (int i = 0; i < 20 && !done; i++, ms = std::min(ms * 1.25, 300.0)) {
			begin(&s);
			done = undisturbed(ms);
		}
		EXPECT_TRUE(done) << "this process was never run when it was to sample";
	}

	Samples &s = main_samples;
};

TEST_F(Overflow, EachEventHasItsThreshold)
{
	const struct {
		double at; // thresholds of the second event
		int of_second, of_third;
	} steps[] = {{0.5, 0, 0}, {1.5, 1, 0}, {2.5, 2, 0}, {3.5, 3, 0}, {6.5, 4, 1}, {7.5, 5, 1}};
	const OwnSignals signals;

	repeat(45, [&](double ms) {
		EventSet set({kMemClock, kPowerClock, kReads});

		overflow(set, kPowerClock, worth(kPowerClock, ms));
		overflow(set, kReads, worth(kReads, 6 * ms));
		set.start();
		for (const auto &step : steps) {
			if (!signals.sample(set, worth(kMemClock, ms), step.at, step.at + 0.5))
				return false;
			EXPECT_EQ(0, s.of[0]);
			EXPECT_EQ(step.of_second, s.of[1]) << "at " << step.at;
			EXPECT_EQ(step.of_third, s.of[2]) << "at " << step.at;
		}
		set.check(set.stop());
		return true;
	});
}

// Deadlines are multiples of the threshold: what is counted until the timer comes belongs
// to the next period, so that some calls find less than a threshold since the last one.
TEST_F(Overflow, SamplesTimesThresholdAreTheCounts)
{
	const struct {
		double at;
		int calls;
	} steps[] = {{0.5, 0}, {1.5, 1}, {2.1, 2}, {2.5, 2}, {4.3, 3}, {5.1, 4}};
	const OwnSignals signals;

	repeat(50, [&](double ms) {
		const int threshold = worth(kPowerClock, ms);
		EventSet set({kPowerClock});

		overflow(set, kPowerClock, threshold);
		set.start();
		for (const auto &step : steps) {
			if (!signals.sample(set, threshold, step.at, std::floor(step.at) + 1))
				return false;
			EXPECT_EQ(step.calls, s.calls) << "at " << step.at << " thresholds";
		}
		set.check(set.stop());
		return true;
	});
}

TEST_F(Overflow, BeginsAnewAtEachStart)
{
	const int threshold = worth(kPowerClock, 10);
	const OwnSignals signals;

	repeat(10, [&](double) {
		EventSet set({kPowerClock});

		overflow(set, kPowerClock, threshold);
		set.start();
		signals.sample(set, threshold, 80, HUGE_VAL);
		EXPECT_EQ(1, s.calls);
		set.stop();
		begin(&s);
		set.start();
		// before the deadline of the run before
		const bool undisturbed = signals.sample(set, threshold, 1, 60);
		EXPECT_EQ(1, s.calls);
		set.check(set.stop());
		return undisturbed;
	});
}

TEST_F(Overflow, ResetsDoNotKeepSamplesAway)
{
	const OwnSignals signals;

	repeat(50, [&](double ms) {
		const int threshold = worth(kPowerClock, ms);
		EventSet set({kPowerClock});
		double done = 0; // thresholds

		overflow(set, kPowerClock, threshold);
		set.start();

		// less than a threshold after each reset
		for (const double at : {0.5, 1.3, 1.6, 2.4, 3.3}) {
			if (!signals.sample(set, threshold, at - done, std::floor(at) + 1 - done))
				return false;
			EXPECT_EQ(std::floor(at), s.calls) << "at " << at << " thresholds";
			const double before = now();
			done += static_cast<double>(set.read()[0]) / threshold;
			set.reset();
			if (now() - before > 1e-3) // counted meanwhile, but in no sum
				return false;
		}
		set.check(set.stop());
		return true;
	});
}

TEST_F(Overflow, TheHandlerMayReset)
{
	EventSet set({kPowerClock});

	s.reset = true;
	overflow(set, kPowerClock, worth(kPowerClock, 10));
	set.start();
	errno = 4711;
	spin_until(s, 6);
	EXPECT_EQ(4711, errno);
	set.stop();
	EXPECT_GE(s.calls, 6);
}

TEST_F(Overflow, RemovingAnotherEventDoesNotMoveIt)
{
	EventSet set({kMemClock, kPowerClock, kReads});

	overflow(set, kReads, worth(kReads, 10));
	ASSERT_EQ(PAPI_OK, set.remove(kMemClock));
	set.start();
	spin_until(s, 2);
	set.check(set.stop());
	EXPECT_GE(s.of[1], 2);
	EXPECT_EQ(0, s.of[0] + s.of[2]);
	// and removing itself ends it
	ASSERT_EQ(PAPI_OK, set.remove(kReads));
	begin(&s);
	set.start();
	spin_ms(25);
	set.stop();
	EXPECT_EQ(0, s.calls);
}

// PAPI has one timer per process: the first stop disables it.
TEST_F(Overflow, ThreadsSampleForThemselves)
{
	std::atomic<int> stopped{0};

	in_threads(3, [&stopped](unsigned i) {
		Samples own{};
		EventSet set({kPowerClock, kReads});

		begin(&own);
		overflow(set, kPowerClock, worth(kPowerClock, 10));
		set.start();
		spin_until(own, 2);
		if (i < 2) {
			set.stop();
			stopped++;
		} else {
			spin_until([&stopped] { return stopped == 2; });
			const int before = own.calls;
			spin_until(own, before + 3);
			EXPECT_GE(own.calls, before + 3);
			set.stop();
		}
		EXPECT_EQ(0, own.failed);
		mine = nullptr;
	});
	EXPECT_EQ(0, s.calls);
}

TEST_F(Overflow, AThreadThatWorksIsSampledWhileTheMainThreadSleeps)
{
	std::thread worker([] {
		Samples own{};

		EXPECT_EQ(PAPI_OK, PAPI_register_thread());
		begin(&own);
		{
			EventSet set({kPowerClock});

			overflow(set, kPowerClock, worth(kPowerClock, 10));
			set.start();
			spin_until(own, 3);
			set.stop();
		}
		EXPECT_GE(own.calls, 3);
		mine = nullptr;
		EXPECT_EQ(PAPI_OK, PAPI_unregister_thread());
	});
	worker.join();
}

// In a process of its own, for its signal handlers stay.
int sample_a_sleeper()
{
	PAPI_option_t option = {};
	Samples own{};

	papi_init();
	option.itimer.itimer_num = ITIMER_REAL;
	option.itimer.itimer_sig = SIGALRM;
	option.itimer.ns = 2000000;
	EventSet set({kPowerClock});
	begin(&own);
	if (PAPI_set_opt(PAPI_DEF_ITIMER, &option) != PAPI_OK ||
	    PAPI_overflow(set.id, code_of(kPowerClock), worth(kPowerClock, 5), 0, on_overflow) !=
		    PAPI_OK)
		return 1;
	set.start();
	for (const double end = now() + 5; own.calls < 4 && now() < end;)
		wait_ms(20);
	set.stop();
	mine = nullptr;
	return own.calls >= 4 && own.failed == 0 ? 42 : 2;
}
const Mode sleeper_mode("sample a sleeper", sample_a_sleeper);

TEST_F(Overflow, ATimerOfRealTimeSamplesAThreadThatSleeps)
{
	EXPECT_EQ(42, run_mode("sample a sleeper").status);
}

// ---- what PAPI would do silently ----

TEST_F(Overflow, WithoutAHandlerItIsRefused)
{
	EventSet set({kPowerClock, kReads});

	overflow(set, kPowerClock, worth(kPowerClock, 10));
	overflow(set, kReads, worth(kReads, 10));
	// takes the handler of the other event, too
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set.id, code_of(kReads), 0, 0, nullptr));
	EXPECT_EQ(PAPI_EINVAL, PAPI_start(set.id));
	overflow(set, kPowerClock, worth(kPowerClock, 10));
	set.start();
	spin_until(s, 1);
	set.check(set.stop());
	EXPECT_GE(s.calls, 1);
}

TEST_F(Overflow, OfAMeanIsRefused)
{
	EventSet set({"UNCORE_CORES_IN_C0", kReads});

	overflow(set, "UNCORE_CORES_IN_C0", 1000);
	EXPECT_EQ(PAPI_EINVAL, PAPI_start(set.id));
}

// Different names; 80 of them fit together.
std::vector<std::string> many_events()
{
	std::vector<std::string> names;

	for (const char *event : {"UNC_C_CLOCKTICKS:box=", "UNC_C_LLC_VICTIMS:M_STATE:box=",
				  "UNC_C_LLC_VICTIMS:E_STATE:box="})
		for (int box = 0; box < 16; box++)
			names.push_back(event + std::to_string(box % 8) +
					":pkg=" + std::to_string(box / 8));
	for (const char *event : {"UNC_M_CAS_COUNT:RD:box=", "UNC_M_CAS_COUNT:WR:box=",
				  "UNC_M_CLOCKTICKS:box=", "UNC_M_PRE_COUNT:PAGE_MISS:box="})
		for (int box = 0; box < 8; box++)
			names.push_back(event + std::to_string(box % 4) +
					":pkg=" + std::to_string(box / 4));
	return names;
}

TEST_F(Overflow, OnlyTheFirst64EventsCanBeReported)
{
	const std::vector<std::string> names = many_events();
	EventSet set(names);
	int code = code_of(names.back());

	ASSERT_EQ(80u, names.size());
	overflow(set, names.back().c_str(), 1000000);
	EXPECT_EQ(PAPI_EINVAL, PAPI_start(set.id));
	ASSERT_EQ(PAPI_OK, PAPI_overflow(set.id, code, 0, 0, on_overflow));
	overflow(set, names[63].c_str(), 1000);
	EXPECT_EQ(PAPI_OK, PAPI_start(set.id));
	EXPECT_EQ(PAPI_OK, PAPI_stop(set.id, nullptr));
}

// ---- profiles ----

#define PROFILED __attribute__((noinline, aligned(4096), section(".text.profiled")))

PROFILED unsigned burn(unsigned n)
{
	volatile unsigned x = n;

	for (unsigned i = 0; i < 100000; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

template <typename Bucket> struct Profile {
	void start(EventSet &set, const char *event, int threshold, int flags)
	{
		ASSERT_EQ(PAPI_OK,
			  PAPI_profil(buckets, sizeof(buckets), address_of(PAPI_profil, &burn),
				      65536, set.id, code_of(event), threshold, flags));
	}
	unsigned long hits() const
	{
		unsigned long sum = 0;

		for (Bucket n : buckets)
			sum += n;
		return sum;
	}

	Bucket buckets[1024] = {};
};

TEST_F(Overflow, ProfilesShowWhereTheTimeWent)
{
	EventSet set({kPowerClock, kReads});
	Profile<unsigned short> profile;
	unsigned x = 1;

	profile.start(set, kReads, worth(kReads, 10), PAPI_PROFIL_POSIX | PAPI_PROFIL_BUCKET_16);
	set.start();
	for (const support::Patience patience(5); profile.hits() < 5 && !patience.is_over();)
		x = burn(x);
	set.check(set.stop());
	if (!kThreadSanitizer) { // which delivers signals in system calls only
		EXPECT_GE(profile.hits(), 5u);
	}
	// ended, the event can have a handler
	ASSERT_EQ(PAPI_OK, PAPI_profil(nullptr, 0, 0, 0, set.id, code_of(kReads), 0, 0));
	const unsigned long before = profile.hits();
	overflow(set, kReads, worth(kReads, 10));
	set.start();
	spin_until(s, 2);
	set.stop();
	EXPECT_GE(s.calls, 2);
	EXPECT_EQ(before, profile.hits());
}

TEST_F(Overflow, WeightsThatWouldDivideByZeroAreRefused)
{
	EventSet set({kReads});
	Profile<unsigned> profile;

	profile.start(set, kReads, 254, PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_BUCKET_32);
	EXPECT_EQ(PAPI_EINVAL, PAPI_start(set.id));
	ASSERT_EQ(PAPI_OK, PAPI_profil(nullptr, 0, 0, 0, set.id, code_of(kReads), 0, 0));
	profile.start(set, kReads, 255, PAPI_PROFIL_WEIGHTED | PAPI_PROFIL_BUCKET_32);
	set.start();
	spin_ms(25);
	set.stop();
	ASSERT_EQ(PAPI_OK, PAPI_profil(nullptr, 0, 0, 0, set.id, code_of(kReads), 0, 0));
}

// PAPI would take the handler of one for the profile of the other, at NULL.
TEST_F(Overflow, AProfileAndAHandlerForDifferentEventsAreRefused)
{
	EventSet set({kPowerClock, kReads});
	Profile<unsigned short> profile;

	overflow(set, kPowerClock, worth(kPowerClock, 10));
	profile.start(set, kReads, worth(kReads, 10), PAPI_PROFIL_POSIX);
	EXPECT_EQ(PAPI_EINVAL, PAPI_start(set.id));
	ASSERT_EQ(PAPI_OK, PAPI_profil(nullptr, 0, 0, 0, set.id, code_of(kReads), 0, 0));
}

TEST_F(Overflow, AnEventSetIsCleanAfterAProfile)
{
	int id = PAPI_NULL;
	Profile<unsigned short> profile;
	const int code = code_of(kReads);

	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&id));
	ASSERT_EQ(PAPI_OK, PAPI_add_event(id, code));
	ASSERT_EQ(PAPI_OK, PAPI_profil(profile.buckets, sizeof(profile.buckets), 0, 65536, id, code,
				       worth(kReads, 10), PAPI_PROFIL_POSIX));
	ASSERT_EQ(PAPI_OK, PAPI_cleanup_eventset(id)); // does not end the profile
	ASSERT_EQ(PAPI_OK, PAPI_add_event(id, code));
	ASSERT_EQ(PAPI_OK, PAPI_overflow(id, code, worth(kReads, 10), 0, on_overflow));
	ASSERT_EQ(PAPI_OK, PAPI_start(id));
	spin_until(s, 2);
	EXPECT_EQ(PAPI_OK, PAPI_stop(id, nullptr));
	EXPECT_GE(s.calls, 2);
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(id));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&id));
}

// The first timer of a process has the number 0, as one that was never made.
int own_timer()
{
	struct sigevent event = {};
	struct itimerspec left = {};
	timer_t timer;

	event.sigev_notify = SIGEV_NONE;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer != nullptr)
		return 1;
	papi_init();
	{
		EventSet set({kReads});

		set.start();
		set.stop();
	}
	return timer_gettime(timer, &left) == 0 ? 0 : 2;
}
const Mode own_timer_mode("own timer", own_timer);

TEST_F(Overflow, AStopWithoutAHandlerLeavesTheTimersOfTheProgram)
{
	EXPECT_EQ(0, run_mode("own timer").status);
}

} // namespace
