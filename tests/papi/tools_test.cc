// SPDX-License-Identifier: BSD-3-Clause
// tools_test.cc - the calls of TAU, Score-P and Extrae, in their order.
#include "papi/papi_calls.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>

#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

namespace
{

// TAU: a set for each of 16 component numbers in each thread, one of them used and
// started at once; read + reset at each event; no stop, no clean-up, no shutdown.
struct TauThread {
	int sets[16];
	long long sums[2];
	double lost;
	Window from, to;

	void start(const std::vector<int> &codes)
	{
		for (int &set : sets) {
			set = PAPI_NULL;
			ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		}
		for (int code : codes)
			ASSERT_EQ(PAPI_OK, PAPI_add_event(set(), code));
		from = during([&] { ASSERT_EQ(PAPI_OK, PAPI_start(set())); });
		sums[0] = sums[1] = 0;
		lost = 0;
	}
	int sample() // in signal handlers, too
	{
		long long counts[2] = {-1, -1};
		const double before = now();

		if (!read_and_reset(set(), counts, &lost))
			return 1;
		to = {before, now()};
		sums[0] += counts[0];
		sums[1] += counts[1];
		return counts[0] < 0 || counts[1] < 0;
	}
	int &set()
	{
		return sets[component()];
	}
	void check() const
	{
		expect_count(kMemClock, sums[0], from, to, lost);
		expect_count(kReads, sums[1], from, to, lost);
	}
};

// TAU strips PAPI_NATIVE_ and hands on the rest.
const std::vector<int> &tau_codes()
{
	static std::vector<int> codes;

	codes = {code_of(kMemClock), code_of("UNC_M_CAS_COUNT:RD")};
	return codes;
}

int tau_metrics()
{
	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_register_thread());
	const auto &codes = tau_codes();
	TauThread main;

	main.start(codes);
	in_threads(3, [&](unsigned) {
		TauThread thread;

		thread.start(codes);
		for (int i = 0; i < 200; i++)
			EXPECT_EQ(0, thread.sample());
		thread.check();
	});
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(0, main.sample());
	main.check();
	// A child continues with the sets that it inherited, without initialising PAPI: each of its
	// samples fails, since its counts would be the parent's.
	EXPECT_EQ(0, in_child([&] {
			     int failed = 0;

			     for (int i = 0; i < 10; i++)
				     failed += main.sample();
			     return 10 - failed;
		     }).status);
	EXPECT_EQ(0, main.sample());
	main.check();
	return testing::Test::HasFailure() ? 1 : 0; // no stop, no shutdown
}
const Mode tau_metrics_mode("tau metrics", tau_metrics);

TEST(Tau, MetricsInThreadsAreReadAndResetAndNeverStopped)
{
	const Ended ended = run_mode("tau metrics");

	EXPECT_EQ(0, ended.status) << ended.output;
}

TauThread sampled;
volatile int samples, bad_samples;
volatile sig_atomic_t tau_is_busy;

// -ebs: TAU's own event holds the handler off, PAPI in the middle of a read does not.
void on_profiling_signal(int)
{
	if (tau_is_busy)
		return;
	bad_samples = bad_samples + sampled.sample();
	samples = samples + 1;
}

int tau_sampling()
{
	struct sigaction action = {};
	const itimerval interval = {{0, 1000}, {0, 1000}}, off = {};

	papi_init();
	sampled.start(tau_codes());
	action.sa_handler = on_profiling_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGPROF, &action, nullptr);
	setitimer(ITIMER_PROF, &interval, nullptr);
	for (const double end = now() + 5; samples < 8 && now() < end;) {
		tau_is_busy = 1;
		bad_samples = bad_samples + sampled.sample();
		tau_is_busy = 0;
		spin_ms(0.5);
	}
	setitimer(ITIMER_PROF, &off, nullptr);
	tau_is_busy = 1;
	EXPECT_GE(samples, 8);
	EXPECT_EQ(0, bad_samples);
	sampled.check();
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode tau_sampling_mode("tau sampling", tau_sampling);

TEST(Tau, SamplingReadsAndResetsInTheSignalHandler)
{
	const Ended ended = run_mode("tau sampling");

	EXPECT_EQ(0, ended.status) << ended.output;
}

// The plugin adds what matches of num_native_events events; one that cannot be
// added makes it give up all later components.
TEST(Tau, TheMonitoringPluginReadsInAHelperThreadWhatTheMainThreadStarted)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(component());
	int code = PAPI_NATIVE_MASK, set = PAPI_NULL, clock = -1;
	std::vector<long long> counts;
	Window from, to;

	ASSERT_GT(info->num_native_events, 0);
	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
	ASSERT_EQ(PAPI_OK, PAPI_assign_eventset_component(set, component()));
	ASSERT_EQ(PAPI_OK, PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component()));
	EXPECT_EQ(0, info->disabled);
	for (int i = 0; i < info->num_native_events; i++) {
		PAPI_event_info_t event;
		char name[PAPI_MAX_STR_LEN];

		ASSERT_EQ(PAPI_OK, PAPI_event_code_to_name(code, name));
		ASSERT_EQ(PAPI_OK, PAPI_get_event_info(code, &event));
		if (strstr(name, "CAS_COUNT") || strstr(name, "M_CLOCKTICKS")) {
			ASSERT_EQ(PAPI_OK, PAPI_add_event(set, code)) << name;
			if (strcmp(name, "uncore:::UNC_M_CLOCKTICKS") == 0)
				clock = static_cast<int>(counts.size());
			counts.push_back(-1);
		}
		EXPECT_EQ(i + 1 < info->num_native_events,
			  PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component()) == PAPI_OK);
	}
	ASSERT_EQ(2u, counts.size());
	ASSERT_GE(clock, 0);
	from = during([&] { ASSERT_EQ(PAPI_OK, PAPI_start(set)); });
	std::thread helper([&] { // which PAPI does not know
		for (int i = 0; i < 5; i++) {
			wait_ms(2);
			to = during([&] { ASSERT_EQ(PAPI_OK, PAPI_read(set, counts.data())); });
			expect_count(kMemClock, counts[static_cast<size_t>(clock)], from, to);
		}
	});
	helper.join();
	EXPECT_EQ(PAPI_OK, PAPI_stop(set, counts.data()));
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
}

// Score-P: any error ends the application; values must be monotonic.
TEST(ScoreP, LocationsReadAtEachEnterAndLeave)
{
	const WithoutPapi own;
	const char *const names[] = {"uncore:::UNC_M_CLOCKTICKS", "uncore:::unc_m_cas_count:rd"};
	int codes[2], trial = PAPI_NULL;

	ASSERT_EQ(PAPI_VER_CURRENT, PAPI_library_init(PAPI_VER_CURRENT));
	ASSERT_EQ(PAPI_OK, PAPI_thread_init(pthread_self));
	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&trial));
	for (int i = 0; i < 2; i++) {
		PAPI_event_info_t info;

		ASSERT_EQ(PAPI_OK, PAPI_event_name_to_code(names[i], &codes[i]));
		ASSERT_EQ(PAPI_OK, PAPI_get_event_info(codes[i], &info));
		// It looks at the last character of the description.
		ASSERT_GT(strlen(info.long_descr), 0u);
		ASSERT_EQ(PAPI_OK, PAPI_add_event(trial, codes[i]));
	}
	ASSERT_EQ(PAPI_OK, PAPI_cleanup_eventset(trial));
	ASSERT_EQ(PAPI_OK, PAPI_destroy_eventset(&trial));

	const auto location = [&](unsigned) {
		long long counts[2], last[2] = {0, 0};
		int set = PAPI_NULL;
		Window from, to;

		ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		for (int code : codes)
			ASSERT_EQ(PAPI_OK, PAPI_add_event(set, code));
		from = during([&] { ASSERT_EQ(PAPI_OK, PAPI_start(set)); });
		for (int i = 0; i < 500; i++) {
			to = during([&] { ASSERT_EQ(PAPI_OK, PAPI_read(set, counts)); });
			ASSERT_GE(counts[0], last[0]);
			ASSERT_GE(counts[1], last[1]);
			memcpy(last, counts, sizeof(last));
		}
		expect_count(kMemClock, counts[0], from, to);
		expect_count(kReads, counts[1], from, to);
		EXPECT_EQ(PAPI_OK, PAPI_stop(set, counts));
		EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
		EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
	};
	std::thread main_location([&] {
		location(0);
		EXPECT_EQ(PAPI_OK, PAPI_unregister_thread());
	});
	in_threads(3, location);
	main_location.join();
	location(0);
	PAPI_shutdown();
}

// Extrae: sets of at most eight counters, rotated in each thread.  After a
// fork the child stops, which fails once, and cleans up what it inherited.
TEST(Extrae, SetsRotateInThreadsAndAForkedChildCleansUp)
{
	const std::vector<std::string> groups[3] = {
		{kMemClock, kReads, kWrites, kOnlyCounter0},
		{kMemClock, kPowerClock, kOnlyCounter0},
		{kCacheClock, kReads},
	};

	in_threads(3, [&](unsigned) {
		EventSet sets[3] = {EventSet(groups[0]), EventSet(groups[1]), EventSet(groups[2])};

		for (int turn = 0; turn < 9; turn++) {
			EventSet &set = sets[turn % 3];

			set.start();
			for (int probe = 0; probe < 5; probe++) {
				wait_ms(0.2);
				set.check(set.read());
			}
			set.check(set.stop());
		}
	});

	EventSet set(groups[0]), idle(groups[2]);
	set.start();
	EXPECT_EQ(0, in_child([&] {
			     long long counts[4];

			     return PAPI_stop(set.id, counts) == PAPI_ENOINIT &&
						    PAPI_stop(set.id, counts) == PAPI_OK &&
						    PAPI_cleanup_eventset(set.id) == PAPI_OK &&
						    PAPI_destroy_eventset(&set.id) == PAPI_OK &&
						    PAPI_cleanup_eventset(idle.id) == PAPI_OK &&
						    PAPI_destroy_eventset(&idle.id) == PAPI_OK
					    ? 0
					    : 1;
		     }).status);
	wait_ms(2);
	set.check(set.stop());
	idle.start();
	idle.check(idle.stop());
}

} // namespace
