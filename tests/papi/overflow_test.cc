// SPDX-License-Identifier: BSD-3-Clause
// overflow_test.cc - PAPI_overflow() and PAPI_profil() through PAPI's software path:
// thresholds, restarts, resets, removal, threads, and what PAPI itself forgets.
#include "papi/papi_calls.h"
#include "support/patience.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <pthread.h>
#include <sys/time.h>

namespace
{

// The counts of an event in `ms` milliseconds.
int worth(const char *event, double ms)
{
	return static_cast<int>(rate(event) * ms / 1000);
}

// The handler's view of an event set; one for each sampling thread.
struct Samples {
	std::atomic<int> calls, of[4], failed;
	std::atomic<int> early, twice; // less than a threshold, in the same period
	int threshold;
	std::atomic<long long> first, last; // counts of event 0 at the first and last call
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
	if (s->calls++ == 0)
		s->first = counts[0];
	else if (s->threshold) {
		s->early += counts[0] - s->last < s->threshold;
		s->twice += counts[0] / s->threshold == s->last / s->threshold;
	}
	s->last = counts[0];
	if (s->reset)
		s->failed += PAPI_reset(set) != PAPI_OK;
	errno = EBADF; // which the interrupted program must not see
}

void begin(Samples *s)
{
	s->calls = s->failed = s->early = s->twice = s->threshold = 0;
	s->first = s->last = 0;
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

// The present duration of PAPI's intervals, 10 ms of CPU time.
double interval_ms()
{
	const support::Patience measured(0.2);

	while (!measured.is_over())
		spin_ms(1);
	return std::min(10 * measured.slowness(), 400.0); // PAPI's thresholds are ints
}

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

	Samples &s = main_samples;
};

TEST_F(Overflow, EachEventHasItsThreshold)
{
	EventSet set({kMemClock, kPowerClock, kReads});

	overflow(set, kPowerClock, worth(kPowerClock, 15));
	overflow(set, kReads, worth(kReads, 90));
	set.start();
	errno = 4711;
	spin_until(s, 8);
	// a busy computer may let each interval last longer than the second threshold
	spin_until([&] { return s.of[1] >= 3 && s.of[2] < s.of[1]; });
	EXPECT_EQ(4711, errno);
	const std::vector<long long> counts = set.stop();
	set.check(counts);
	EXPECT_EQ(0, s.of[0]);
	EXPECT_GE(s.of[1], 3);
	EXPECT_LE(s.of[1], counts[1] / worth(kPowerClock, 15));
	EXPECT_LE(s.of[2], counts[2] / worth(kReads, 90));
	EXPECT_LT(s.of[2], s.of[1]);
}

// Deadlines are multiples of the threshold: what is counted until the timer comes belongs
// to the next period, so that some calls find less than a threshold since the last one.
TEST_F(Overflow, SamplesTimesThresholdAreTheCounts)
{
	EventSet set({kPowerClock});

	s.threshold = worth(kPowerClock, 2.5 * interval_ms());
	overflow(set, kPowerClock, s.threshold);
	set.start();
	spin_until([&] { return s.calls >= 4 && s.early > 0; });
	set.stop();
	EXPECT_GE(s.calls, 4);
	EXPECT_GT(s.early, 0);
	EXPECT_EQ(0, s.twice);
	EXPECT_LE(s.calls, s.last / s.threshold);
}

TEST_F(Overflow, BeginsAnewAtEachStart)
{
	EventSet set({kPowerClock});

	overflow(set, kPowerClock, worth(kPowerClock, 10));
	set.start();
	spin_until(s, 80);
	set.stop();
	const long long before = s.last; // 80 thresholds or more
	begin(&s);
	const double began = now();
	set.start();
	spin_until(s, 1);
	set.check(set.stop());
	EXPECT_GE(s.first, worth(kPowerClock, 10));
	EXPECT_LT(s.first, before / 80 * 60) << "the deadline of the run before";
	EXPECT_LT(s.first, rate(kPowerClock) * (now() - began + 0.005));
}

TEST_F(Overflow, ResetsDoNotKeepSamplesAway)
{
	EventSet set({kPowerClock});
	const int threshold = worth(kPowerClock, 20);
	long long sum = 0;
	int resets = 0;

	overflow(set, kPowerClock, threshold);
	set.start();
	for (const double end = now() + 5; s.calls < 3 && now() < end; resets++) {
		spin_ms(1);
		sum += set.read()[0];
		set.reset();
	}
	sum += set.stop()[0];
	EXPECT_GE(s.calls, 3);
	// what is counted between a read and its reset is in no sum, where the machine is slow
	EXPECT_LE(s.calls, sum / threshold + 1);
	EXPECT_GE(resets, 6);
}

TEST_F(Overflow, TheHandlerMayReset)
{
	EventSet set({kPowerClock});

	s.reset = true;
	overflow(set, kPowerClock, worth(kPowerClock, 10));
	set.start();
	spin_until(s, 6);
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
			for (const double end = now() + 10; stopped < 2 && now() < end;)
				spin_ms(1);
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
			  PAPI_profil(buckets, sizeof(buckets), reinterpret_cast<vptr_t>(&burn),
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
	for (const double end = now() + 5; profile.hits() < 5 && now() < end;)
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

} // namespace
