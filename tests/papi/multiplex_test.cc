// SPDX-License-Identifier: BSD-3-Clause
// multiplex_test.cc - event sets with more events than counters, in the way that programs,
// TAU and Caliper ask for them.
#include "papi/papi_calls.h"

#include <thread>

namespace
{

// Two for counter 0 of the C-Boxes, and three more that have known rates.
const std::vector<std::string> kTooMany = {kOnlyCounter0, kOnlyCounter0Too, kMemClock, kReads,
					   "UNC_C_TOR_OCCUPANCY:ALL"};

int multiplexed_set()
{
	int set = PAPI_NULL;

	EXPECT_EQ(PAPI_OK, PAPI_create_eventset(&set));
	EXPECT_EQ(PAPI_OK, PAPI_assign_eventset_component(set, component()));
	EXPECT_EQ(PAPI_OK, PAPI_set_multiplex(set));
	return set;
}

void destroy(int set)
{
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(set));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&set));
}

void expect_about(double expected, long long count, double error, const std::string &event)
{
	EXPECT_NEAR(expected, static_cast<double>(count), expected * error) << event;
}

// Multiplexed events count in proportion to others.
void check(const std::vector<long long> &counts)
{
	const double seconds = static_cast<double>(counts[2]) / rate(kMemClock);

	expect_about(rate(kReads) * seconds, counts[3], 0.2, kReads);
	// Queues: entries that miss are part of all.
	EXPECT_GT(counts[0], 0);
	EXPECT_GT(counts[1], 0);
	EXPECT_GT(counts[4], counts[0]);
}

TEST(Multiplexing, ASetCountsMoreThanFits)
{
	const int set = multiplexed_set();
	std::vector<long long> counts(kTooMany.size(), -1), later(kTooMany.size(), -1);

	for (const std::string &event : kTooMany)
		ASSERT_EQ(PAPI_OK, PAPI_add_event(set, code_of(event))) << event;
	EXPECT_NE(0, PAPI_get_multiplex(set));
	ASSERT_EQ(PAPI_OK, PAPI_start(set));
	wait_ms(100);
	ASSERT_EQ(PAPI_OK, PAPI_read(set, counts.data()));
	check(counts);
	wait_ms(20);
	ASSERT_EQ(PAPI_OK, PAPI_stop(set, later.data()));
	check(later);
	for (size_t i = 0; i < counts.size(); i++)
		EXPECT_GE(later[i], counts[i]);
	// It can be used again, and changed.
	ASSERT_EQ(PAPI_OK, PAPI_remove_event(set, code_of(kOnlyCounter0Too)));
	ASSERT_EQ(PAPI_OK, PAPI_remove_event(set, code_of("UNC_C_TOR_OCCUPANCY:ALL")));
	ASSERT_EQ(PAPI_OK, PAPI_start(set));
	wait_ms(5);
	ASSERT_EQ(PAPI_OK, PAPI_stop(set, later.data()));
	destroy(set);
}

TEST(Multiplexing, ASetIsConvertedBeforeItIsFull)
{
	EventSet set({kOnlyCounter0, kMemClock});

	EXPECT_EQ(PAPI_ECNFLCT, set.add(kOnlyCounter0Too));
	ASSERT_EQ(PAPI_OK, PAPI_set_multiplex(set.id));
	EXPECT_EQ(PAPI_EINVAL, PAPI_set_multiplex(set.id)) << "it is one already";
	EXPECT_EQ(PAPI_OK, set.add(kOnlyCounter0Too));
	set.start();
	wait_ms(60);
	const auto counts = set.stop();

	EXPECT_GT(counts[0], 0);
	EXPECT_GT(counts[2], 0);
	expect_count(kMemClock, counts[1], set.from, set.to);
}

TEST(Multiplexing, ASetThatFitsIsExact)
{
	const int set = multiplexed_set();
	const std::vector<std::string> events = {kMemClock, kReads, kCacheClock};
	long long counts[3];

	for (const std::string &event : events)
		ASSERT_EQ(PAPI_OK, PAPI_add_event(set, code_of(event)));
	const Window from = during([&] { ASSERT_EQ(PAPI_OK, PAPI_start(set)); });

	wait_ms(20);
	const Window to = during([&] { ASSERT_EQ(PAPI_OK, PAPI_stop(set, counts)); });

	for (size_t i = 0; i < 3; i++)
		expect_count(events[i], counts[i], from, to);
	destroy(set);
}

TEST(Multiplexing, TheIntervalIsReported)
{
	const struct {
		int asked, returned;
	} cases[] = {{25000000, 25000000}, {10, 1000000}, {0, 10000000}};

	for (const auto &c : cases) {
		int set = PAPI_NULL;
		PAPI_option_t option = {};

		ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
		ASSERT_EQ(PAPI_OK, PAPI_assign_eventset_component(set, component()));
		option.multiplex.eventset = set;
		option.multiplex.ns = c.asked;
		ASSERT_EQ(PAPI_OK, PAPI_set_opt(PAPI_MULTIPLEX, &option));
		EXPECT_EQ(c.returned, option.multiplex.ns);
		destroy(set);
	}
}

// PAPI's own way needs its cycle counter in the same set.
TEST(Multiplexing, PapisOwnIsNothingForTheUncore)
{
	int set = PAPI_NULL;
	PAPI_option_t option = {};

	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&set));
	ASSERT_EQ(PAPI_OK, PAPI_assign_eventset_component(set, component()));
	option.multiplex.eventset = set;
	option.multiplex.flags = PAPI_MULTIPLEX_FORCE_SW;
	if (PAPI_set_opt(PAPI_MULTIPLEX, &option) == PAPI_OK) {
		EXPECT_NE(PAPI_OK, PAPI_add_event(set, code_of(kMemClock)));
	}
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
}

// An event's first window also stands for the time before it, all at once at its end.  A
// thread that is preempted just then, between a read and a reset, may lose that.
void wait_for_windows()
{
	wait_ms(80);
}

// TAU_PAPI_MULTIPLEXING=1: per thread, for components that say that they can; read and
// reset at each event, no stop.
int tau_multiplexing()
{
	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_multiplex_init());
	EXPECT_NE(0u, PAPI_get_component_info(component())->kernel_multiplex);
	in_threads(3, [](unsigned) {
		const int set = multiplexed_set();
		std::vector<long long> sums(kTooMany.size()), counts(kTooMany.size());

		for (const std::string &event : kTooMany)
			EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code_of(event)));
		EXPECT_EQ(PAPI_OK, PAPI_start(set));
		wait_for_windows();
		const double end = now() + 0.1;

		while (now() < end) {
			EXPECT_EQ(PAPI_OK, PAPI_read(set, counts.data()));
			EXPECT_EQ(PAPI_OK, PAPI_reset(set));
			for (size_t i = 0; i < sums.size(); i++) {
				EXPECT_GE(counts[i], 0);
				sums[i] += counts[i];
			}
		}
		check(sums);
	});
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode tau_multiplexing_mode("tau multiplexing", tau_multiplexing);

TEST(Multiplexing, ThreadsOfTauShareTheirRounds)
{
	const Ended ended = run_mode("tau multiplexing", {{"LSAN_OPTIONS", "detect_leaks=0"}});

	EXPECT_EQ(0, ended.status) << ended.output;
}

// CALI_PAPI_ENABLE_MULTIPLEXING=true: every set of every component, then as usual.
int caliper_multiplexing()
{
	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_multiplex_init());
	in_threads(2, [](unsigned) {
		const int set = multiplexed_set();
		std::vector<long long> sums(kTooMany.size()), counts(kTooMany.size());

		for (const std::string &event : kTooMany)
			EXPECT_EQ(PAPI_OK, PAPI_add_event(set, code_of(event)));
		EXPECT_EQ(PAPI_OK, PAPI_start(set));
		wait_for_windows();
		for (int i = 0; i < 50; i++) {
			wait_ms(2);
			EXPECT_EQ(PAPI_OK, PAPI_read(set, counts.data()));
			EXPECT_EQ(PAPI_OK, PAPI_reset(set));
			for (size_t e = 0; e < sums.size(); e++)
				sums[e] += counts[e];
		}
		EXPECT_EQ(PAPI_OK, PAPI_stop(set, counts.data()));
		check(sums);
		destroy(set);
	});
	PAPI_shutdown();
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode caliper_multiplexing_mode("caliper multiplexing", caliper_multiplexing);

TEST(Multiplexing, CalipersSnapshotsAddUp)
{
	const Ended ended = run_mode("caliper multiplexing");

	EXPECT_EQ(0, ended.status) << ended.output;
}

// Score-P, papi_command_line and the high-level API have no switch.
int by_environment()
{
	papi_init();
	EventSet set(kTooMany);

	if (testing::Test::HasFailure())
		return 1; // not all events are in it
	set.start();
	for (const double end = now() + 5; set.read()[1] == 0 && now() < end;)
		wait_ms(5);
	wait_ms(60);
	check(set.stop());
	return testing::Test::HasFailure() ? 1 : 0;
}
const Mode by_environment_mode("multiplexed by environment", by_environment);

TEST(Multiplexing, TheEnvironmentSwitchesItOn)
{
	for (const char *ms : {"5", "yes"}) {
		const Ended ended =
			run_mode("multiplexed by environment", {{"UNCORE_MULTIPLEX", ms}});

		EXPECT_EQ(0, ended.status) << ended.output;
	}
	EXPECT_NE(0, run_mode("multiplexed by environment", {{"UNCORE_MULTIPLEX", "0"}}).status);
}

} // namespace
