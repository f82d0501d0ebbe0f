// SPDX-License-Identifier: BSD-3-Clause
// multiplex_test.cc - multiplexed events, window by window on a machine whose time is stepped:
// accuracy of the counts, and effects on registers and other sets.
#include <cmath>
#include <utility>

#include "support/controls.h"
#include "support/descheduled.h"
#include "support/multiplexed.h"

namespace
{

using support::deschedule;
using support::expect_near;
using support::expect_same;
using support::Interposer;
using support::kMillisecond;
using support::kSecond;
using support::Multiplexed;
using support::Registers;
using support::Set;
using support::SimMachine;
using support::Stepped;
using support::Truth;

// Three events that need counter 0 of the C-Boxes and are multiplexed, and two without
// conflicts.
const std::vector<std::string> kEvents = {
	"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
	"UNC_C_CLOCKTICKS",        "UNC_M_CAS_COUNT:RD",
};
const Truth kTruth[] = {
	{"cbox", 0x0836}, {"cbox", 0x0a36}, {"cbox", 0x0111}, {"cbox", 0}, {"imc", 0x0304},
};

void expect_truth(SimMachine &machine, const std::vector<int64_t> &counts, uint64_t since,
		  uint64_t stop_after, double error)
{
	for (size_t e = 0; e < counts.size(); e++) {
		const double truth =
			static_cast<double>(machine.total(kTruth[e], since, stop_after));

		EXPECT_NEAR(truth, static_cast<double>(counts[e]), truth * error + 32)
			<< kEvents[e];
	}
}

// ---- counts ----

TEST(Multiplex, SteadyTrafficIsCountedAsIfAllCountedAlways)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(3u, set.rounds());
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(12, 7 * kMillisecond);
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
	set.windows(5, 3 * kMillisecond);
	machine.advance(kMillisecond);
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
	ASSERT_EQ(0, set.stop()) << machine.message();
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
}

TEST(Multiplex, EventsWithoutConflictsAreExact)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(0, set.start());
	set.windows(7, 1234567);
	ASSERT_EQ(0, set.stop());
	for (size_t e = 3; e < 5; e++) {
		expect_near(machine.total(kTruth[e], 0, machine.now()), set.counts()[e]);
		EXPECT_EQ(set.times()[e].enabled_ns, set.times()[e].running_ns);
		EXPECT_EQ(set.counts()[e], set.times()[e].count);
	}
}

TEST(Multiplex, SharesShowHowLongEachWasCounted)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(0, set.start());
	machine.advance(10 * kMillisecond);
	EXPECT_EQ(int64_t(10 * kMillisecond), set.times()[0].running_ns);
	EXPECT_EQ(0, set.times()[1].running_ns);
	EXPECT_EQ(0, set.times()[1].count);
	set.window();
	set.windows(2, 20 * kMillisecond);
	machine.advance(5 * kMillisecond);
	for (int stopped = 0; stopped <= 1; stopped++) {
		const auto times = set.times();
		const auto counts = set.counts();
		const int64_t running[] = {15, 20, 20, 55, 55};

		for (size_t e = 0; e < times.size(); e++) {
			EXPECT_EQ(int64_t(55 * kMillisecond), times[e].enabled_ns) << kEvents[e];
			EXPECT_EQ(running[e] * int64_t(kMillisecond), times[e].running_ns)
				<< kEvents[e];
			EXPECT_NEAR(static_cast<double>(times[e].count) * 55 / running[e],
				    static_cast<double>(counts[e]), 32)
				<< kEvents[e];
		}
		ASSERT_EQ(0, set.stop());
		machine.advance();
	}
}

// An event has no estimate before its first window, and is counted longer afterwards.
TEST(Multiplex, AnEventCountsFromItsFirstTurnOn)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(0, set.start());
	machine.advance(10 * kMillisecond);
	EXPECT_EQ(0, set.counts()[2]);
	set.window();
	machine.advance(10 * kMillisecond);
	set.window();
	machine.advance(10 * kMillisecond);
	set.window();
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
}

TEST(Multiplex, ReadAndResetLoseNothing)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);
	std::vector<int64_t> sum(kEvents.size());

	ASSERT_EQ(0, set.start());
	set.windows(3, kMillisecond);
	ASSERT_EQ(0, set.reset());
	for (int i = 0; i < 40; i++) {
		machine.advance(kMillisecond / 3);
		if (i % 2 == 0)
			set.window();
		const auto counts = set.counts();

		ASSERT_EQ(0, set.reset());
		for (size_t e = 0; e < sum.size(); e++)
			sum[e] += counts[e];
	}
	expect_truth(machine, sum, 3 * kMillisecond, machine.now(), 1e-3);
}

TEST(Multiplex, CountsNeverGoBack)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);
	std::vector<int64_t> before(kEvents.size());
	std::mt19937 random(7);

	sim_traffic(machine.sim, 0)->pattern = {3 * kMillisecond, 0.3, 0, false};
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 500; i++) {
		machine.advance(random() % (2 * kMillisecond));
		if (random() % 3 == 0)
			set.window();
		const auto counts = set.counts();

		for (size_t e = 0; e < counts.size(); e++)
			EXPECT_GE(counts[e], before[e]) << kEvents[e];
		before = counts;
	}
}

// A reader that is overtaken by another one returns no less.
TEST(Multiplex, CountsOfReadersThatRaceDoNotGoBack)
{
	SimMachine machine;
	Interposer hardware(machine);
	Multiplexed set(machine, kEvents);
	std::vector<int64_t> overtaking;
	bool delayed = false; // used until the set is destroyed

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (std::exchange(delayed, false)) {
			machine.advance(kMillisecond);
			overtaking = set.counts();
		}
		return r;
	};
	ASSERT_EQ(0, set.start());
	machine.advance(kMillisecond);
	delayed = true;
	const auto counts = set.counts();
	ASSERT_EQ(counts.size(), overtaking.size());
	for (size_t e = 0; e < counts.size(); e++)
		EXPECT_GE(counts[e], overtaking[e]) << kEvents[e];
	EXPECT_LT(0, counts[0]);
	EXPECT_EQ(0, set.stop());
}

TEST(Multiplex, TheTimeOfTheStartIsNotInTheFirstInterval)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);
	Interposer between(machine);

	// Events that always count are started before the rounds are planned.
	between.on_write = [&](const unc_op &op, uint64_t) {
		if (op.space == UNCORE_PCI)
			machine.advance(kMillisecond);
		return 0;
	};
	ASSERT_EQ(0, set.start()) << machine.message();
	between.on_write = nullptr;
	const uint64_t since = machine.now();

	set.windows(8, 2 * kMillisecond);
	expect_truth(machine, set.counts(), since, machine.now(), 1e-6);
	EXPECT_EQ(int64_t(16 * kMillisecond), set.times()[0].enabled_ns);
}

// ---- descheduled threads: time passes before some accesses ----

// Relative errors of the counts of a run of 20 windows.
std::vector<double> errors_of_run(const std::vector<std::string> &events, const Truth *truth,
				  unsigned seed, uint64_t window)
{
	SimMachine machine;
	Multiplexed set(machine, events);
	Interposer between(machine);
	std::mt19937 random(seed);
	std::vector<int64_t> counts(events.size());
	std::vector<double> errors;
	int64_t ns = 0;

	EXPECT_EQ(0, set.start());
	deschedule(between, machine, random, 40);
	set.windows(20, window);
	support::schedule(between);
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(0, uncore_set_read_timed(set.set, counts.data(), &ns));
	for (size_t e = 0; e < counts.size(); e++)
		errors.push_back(static_cast<double>(counts[e]) /
					 static_cast<double>(machine.total(
						 truth[e], 0, static_cast<uint64_t>(ns))) -
				 1);
	return errors;
}

class Descheduled : public testing::TestWithParam<unsigned>
{
};

TEST_P(Descheduled, CountsAreWithinTwoPercentAndNotBiased)
{
	std::vector<double> sums(kEvents.size());

	for (unsigned run = 0; run < 50; run++) {
		const auto errors = errors_of_run(kEvents, kTruth, run, GetParam() * kMillisecond);

		for (size_t e = 0; e < errors.size(); e++) {
			EXPECT_LE(std::fabs(errors[e]), 0.02) << kEvents[e] << ", run " << run;
			sums[e] += errors[e];
		}
	}
	for (size_t e = 0; e < sums.size(); e++)
		EXPECT_LE(std::fabs(sums[e]) / 50, 0.003) << kEvents[e];
}

INSTANTIATE_TEST_SUITE_P(Milliseconds, Descheduled, testing::Values(10u, 100u, 200u));

// The clock always counts, and a metric counts the same clock in its own windows.
TEST(Multiplex, ACounterThatAnotherRoundHasTooIsCountedInTheSameTime)
{
	SimMachine machine;
	Multiplexed set(machine, {"UNCORE_TOR_DRD_LATENCY_NS", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
				  "UNC_C_CLOCKTICKS"});
	Interposer between(machine);
	int64_t counts[3];

	between.on_write = [&](const unc_op &, uint64_t) {
		machine.advance(kMillisecond / 10);
		return 0;
	};
	ASSERT_EQ(0, set.start()) << machine.message();
	ASSERT_LT(1u, set.rounds());
	set.windows(21, 40 * kMillisecond);
	ASSERT_EQ(0, set.stop());
	ASSERT_EQ(0, uncore_set_read(set.set, counts));
	Set alone(machine);
	ASSERT_EQ(0, alone.assign({"UNCORE_TOR_DRD_LATENCY_NS"}));
	between.on_write = nullptr;
	ASSERT_EQ(0, alone.start());
	machine.advance(kSecond);
	ASSERT_EQ(0, alone.stop());
	EXPECT_NEAR(1, uncore_real(counts[0]) / uncore_real(alone.counts()[0]), 0.01);
}

TEST(Multiplex, ReportsTheErrorOfAnEstimate)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(0, set.start());
	set.windows(1, kMillisecond);
	EXPECT_EQ(0, set.times()[0].error) << "counted without interruption";
	EXPECT_EQ(UNCORE_ERROR_NO_WINDOW, set.times()[1].error);
	set.windows(1, kMillisecond);
	EXPECT_EQ(UNCORE_ERROR_UNKNOWN, set.times()[1].error);
	set.windows(20, kMillisecond);
	for (size_t e = 0; e < 3; e++)
		EXPECT_NEAR(0, set.times()[e].error, 1e-3 * static_cast<double>(set.counts()[e]))
			<< "the traffic is steady";
	EXPECT_EQ(0, set.times()[3].error) << "counted without interruption";
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0, set.times()[3].error);
}

// In many runs with bursts, more than half of the errors are within one standard error, and
// nearly all within three.
TEST(Multiplex, TheErrorIsThatOfManyRuns)
{
	unsigned within = 0, within_three = 0;

	for (unsigned run = 0; run < 100; run++) {
		SimMachine machine, twin;
		Multiplexed set(machine, kEvents);
		Set alone(twin);
		std::mt19937 random(run);
		const uint64_t period = kMillisecond + random() % (9 * kMillisecond);

		for (SimMachine *each : {&machine, &twin})
			sim_traffic(each->sim, 0)->pattern = {period, 0.5, 0, false};
		ASSERT_EQ(0, alone.assign({kEvents[0]}));
		ASSERT_EQ(0, set.start());
		ASSERT_EQ(0, alone.start());
		for (int i = 0; i < 60; i++) {
			const uint64_t length = 5 * kMillisecond + random() % (10 * kMillisecond);

			twin.advance(length);
			set.windows(1, length);
		}
		ASSERT_EQ(0, set.stop());
		ASSERT_EQ(0, alone.stop());
		const double error =
			std::fabs(static_cast<double>(set.counts()[0] - alone.counts()[0]));

		within += error <= set.times()[0].error;
		within_three += error <= 3 * set.times()[0].error;
	}
	EXPECT_LE(50u, within);
	EXPECT_LE(95u, within_three);
}

TEST(Multiplex, ASetCountsAnewAfterEachStart)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	for (int i = 0; i < 3; i++) {
		const uint64_t since = machine.now();

		ASSERT_EQ(0, set.start()) << machine.message();
		set.windows(9, 2 * kMillisecond);
		ASSERT_EQ(0, set.stop()) << machine.message();
		expect_truth(machine, set.counts(), since, machine.now(), 1e-6);
		EXPECT_EQ(int64_t(18 * kMillisecond), set.times()[0].enabled_ns);
		machine.advance();
	}
}

// The simulated traffic is known at any time, and its clocks never stop.
TEST(Multiplex, TheSimulatedTrafficComesAndGoesAsDescribed)
{
	for (const bool scattered : {false, true}) {
		SimMachine machine("packages=1,cores=2");
		Set set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_CLOCKTICKS"});
		uint64_t busy = 0;

		sim_traffic(machine.sim, 0)->pattern = {10 * kMillisecond, 0.3, 0.125, scattered};
		ASSERT_EQ(0, set.start());
		for (int i = 0; i < 100; i++) {
			const uint64_t before = sim_active(machine.sim, 0, machine.now());

			machine.advance(kMillisecond);
			busy += sim_active(machine.sim, 0, machine.now()) - before >= kMillisecond;
			expect_near(machine.total(kTruth[0], 0,
						  sim_active(machine.sim, 0, machine.now())),
				    set.counts()[0]);
		}
		EXPECT_EQ(38750 * kMillisecond / 1000,
			  (sim_active(machine.sim, 0, machine.now()) + 500) / 1000 * 1000);
		EXPECT_EQ(scattered, busy < 30);
		expect_near(machine.total(kTruth[3], 0, machine.now()), set.counts()[1]);
	}
}

// ---- sets that fit are not multiplexed ----

TEST(Multiplex, ASetThatFitsIsCountedAsWithoutIt)
{
	SimMachine one, other;
	Set plain(one, {kEvents[0], kEvents[3]});
	Multiplexed set(other, {kEvents[0], kEvents[3]});

	EXPECT_EQ(1u, set.rounds());
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, plain.start());
		ASSERT_EQ(0, set.start());
		EXPECT_EQ(one.writes(), other.writes());
		expect_same(one.registers(), other.registers());
		EXPECT_FALSE(set.window());
		one.advance();
		other.advance();
		EXPECT_EQ(plain.counts(), set.counts());
		EXPECT_EQ(int64_t(kSecond), set.times()[0].enabled_ns);
		EXPECT_EQ(int64_t(kSecond), set.times()[0].running_ns);
		EXPECT_EQ(set.counts()[1], set.times()[1].count);
		ASSERT_EQ(0, plain.stop());
		ASSERT_EQ(0, set.stop());
		EXPECT_EQ(one.writes(), other.writes());
	}
}

TEST(Multiplex, WithoutItEventsHaveToFit)
{
	SimMachine machine;
	Set set(machine);
	Multiplexed on(machine, kEvents);

	EXPECT_EQ(UNCORE_ECONFLICT, set.assign(kEvents));
	EXPECT_EQ(UNCORE_EINVAL, uncore_set_multiplex(set.set, 999));
	ASSERT_EQ(0, uncore_set_multiplex(set.set, UNCORE_MULTIPLEX_MIN_US));
	EXPECT_EQ(0, set.assign(kEvents)) << machine.message();
	EXPECT_EQ(3u, set.info().rounds);
	EXPECT_EQ(UNCORE_ECONFLICT, uncore_set_multiplex(set.set, 0));
	EXPECT_EQ(3u, set.info().rounds);
	EXPECT_EQ(0, uncore_set_multiplex(set.set, 5000));
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(UNCORE_ESTATE, uncore_set_multiplex(set.set, 0));
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0, set.assign({kEvents[0]}));
	EXPECT_EQ(0, uncore_set_multiplex(set.set, 0));
	EXPECT_EQ(1u, set.info().rounds);
}

// Four events cannot be counted at once, but those of a group are.
TEST(Multiplex, AGroupCountsInTheSameWindows)
{
	SimMachine machine;
	Multiplexed set(machine, {});
	std::vector<unsigned> ids;
	const unsigned together[] = {1, 0, 0, 1}, too_many[] = {2, 2, 0, 0},
		       unknown[] = {0, 0, 0, 5};

	for (const char *name : {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
				 "UNC_C_RXR_OCCUPANCY:IRQ", "UNC_C_TOR_INSERTS:MISS_ALL"})
		ids.push_back(machine.event(name));
	ASSERT_EQ(0, uncore_set_assign_groups(set.set, ids.data(), together, ids.size()))
		<< machine.message();
	EXPECT_EQ(3u, set.rounds());
	ASSERT_EQ(0, set.start());
	set.windows(5, 1234567);
	auto times = set.times();
	EXPECT_EQ(times[0].running_ns, times[3].running_ns);
	EXPECT_LT(times[3].running_ns, times[3].enabled_ns);
	ASSERT_EQ(0, set.stop());
	ASSERT_EQ(0, uncore_set_assign(set.set, ids.data(), ids.size()));
	ASSERT_EQ(0, set.start());
	set.windows(5, 1234567);
	times = set.times();
	EXPECT_NE(times[0].running_ns, times[3].running_ns);
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(UNCORE_ECONFLICT,
		  uncore_set_assign_groups(set.set, ids.data(), too_many, ids.size()));
	EXPECT_EQ(UNCORE_EINVAL,
		  uncore_set_assign_groups(set.set, ids.data(), unknown, ids.size()));
}

// ---- registers ----

TEST(Multiplex, StopPutsEveryRegisterBack)
{
	SimMachine machine;
	const Multiplexed first(machine, kEvents);

	machine.set_msr(0xd14 + 0x40, 0xc1000000);
	machine.set_msr(0xd10 + 0x43, 0x00000136);
	machine.set_msr(0xd04 + 0x40, 0x10100);
	const Registers before = machine.registers();
	for (unsigned turns = 0; turns < 5; turns++) {
		Multiplexed set(machine, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
					  "UNC_C_TOR_INSERTS:OPCODE:OPC_RFO",
					  "UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
					  "UNC_P_FREQ_BAND0_CYCLES:ff=20", "UNC_U_CLOCKTICKS"});

		ASSERT_EQ(2u, set.rounds());
		ASSERT_EQ(0, set.start()) << machine.message();
		set.windows(turns, kMillisecond);
		ASSERT_EQ(0, set.stop()) << machine.message();
		expect_same(before, machine.registers());
	}
}

TEST(Multiplex, ASwitchWritesOnlyWhatDiffers)
{
	SimMachine machine("packages=1,cores=1");
	Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"});
	Interposer between(machine);

	ASSERT_EQ(0, set.start());
	set.windows(2, kMillisecond);
	between.reads = between.writes = 0;
	set.window();
	// freeze, reset, filter, control, run
	EXPECT_LE(between.writes, 5u);
	// box control, sum, check, new zero point, and a check whether the reset would clear
	// the box's other counters
	EXPECT_LE(between.reads, 7u);
}

// ---- other sets ----

TEST(Multiplex, SetsWithTheSameEventsShareTheirRounds)
{
	SimMachine machine;
	Multiplexed a(machine, kEvents), b(machine, kEvents), c(machine, kEvents);

	ASSERT_EQ(0, a.start());
	a.windows(4, 5 * kMillisecond);
	const uint64_t joined = machine.now();

	ASSERT_EQ(0, b.start()) << machine.message();
	ASSERT_EQ(0, c.start()) << machine.message();
	b.windows(7, 5 * kMillisecond);
	const uint64_t left = machine.now();

	ASSERT_EQ(0, a.stop());
	c.windows(4, 5 * kMillisecond);
	ASSERT_EQ(0, b.stop());
	ASSERT_EQ(0, c.stop());
	expect_truth(machine, a.counts(), 0, left, 1e-6);
	expect_truth(machine, b.counts(), joined, machine.now(), 1e-6);
	EXPECT_EQ(int64_t(left), a.times()[0].enabled_ns);
	EXPECT_EQ(int64_t(machine.now() - joined), b.times()[0].enabled_ns);
	EXPECT_EQ(b.counts(), c.counts());
}

TEST(Multiplex, SetsOfOthersAreNotDisturbed)
{
	SimMachine machine;
	Set before(machine, {"UNC_C_CLOCKTICKS", "UNC_C_LLC_VICTIMS:M_STATE"});
	Multiplexed set(machine, kEvents);
	Set after(machine, {"UNC_M_CAS_COUNT:RD", "UNC_H_CLOCKTICKS"});

	ASSERT_EQ(0, before.start());
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(2, kMillisecond);
	const uint64_t since = machine.now();

	ASSERT_EQ(0, after.start());
	set.windows(10, kMillisecond);
	expect_near(machine.total(kTruth[3], 0, machine.now()), before.counts()[0]);
	expect_near(machine.total({"cbox", 0x0137}, 0, machine.now()), before.counts()[1]);
	expect_near(machine.total(kTruth[4], since, machine.now()), after.counts()[0]);
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
	ASSERT_EQ(0, before.stop());
	set.windows(3, kMillisecond);
	expect_truth(machine, set.counts(), 0, machine.now(), 1e-6);
	ASSERT_EQ(0, set.stop()) << machine.message();
	ASSERT_EQ(0, after.stop());
}

// If its counter is used by another set, the round waits, the others continue, and stop reports
// it.
// Counter 0 belongs to one round of the first set only for the moment.
TEST(Multiplex, CountersOfARoundOfAnotherSetAreNotInUseForever)
{
	SimMachine machine;
	Multiplexed first(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"});

	ASSERT_EQ(2u, first.rounds());
	ASSERT_EQ(0, first.start());
	Multiplexed second(machine, {"UNC_C_TOR_OCCUPANCY:MISS_ALL", "UNC_C_RXR_OCCUPANCY:IPQ"});
	EXPECT_EQ(2u, second.rounds());
	EXPECT_EQ(0, first.stop());
}

TEST(Multiplex, ARoundThatCannotBeCountedIsLeftOut)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);
	const Registers before = machine.registers();

	ASSERT_EQ(0, set.start());
	set.windows(1, kMillisecond);
	// counter 0 of the box, which all rounds need and which the current one uses
	Set other(machine, {"UNC_C_TOR_OCCUPANCY:MISS_ALL"});

	ASSERT_EQ(0, other.start());
	set.windows(6, kMillisecond);
	EXPECT_GT(set.counts()[1], 0);
	ASSERT_EQ(0, other.stop());
	EXPECT_EQ(UNCORE_ECONFLICT, set.stop());
	EXPECT_NE(std::string::npos, machine.message().find("OCCUPANCY")) << machine.message();
	expect_same(before, machine.registers());
	ASSERT_EQ(0, set.start());
	set.windows(6, kMillisecond);
	EXPECT_EQ(0, set.stop());
}

TEST(Multiplex, ACounterOfAnotherToolIsDetectedInARound)
{
	SimMachine machine("packages=1,cores=2");
	Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=1", "UNC_C_RXR_OCCUPANCY:IRQ"});

	ASSERT_EQ(0, set.start());
	machine.advance(kMillisecond);
	// box 0 is not part of the first round
	machine.set_msr(0xd11, 0x400000);
	const Registers taken = machine.registers();

	set.window();
	set.windows(2, kMillisecond);
	EXPECT_EQ(0, set.times()[1].running_ns);
	EXPECT_EQ(UNCORE_EBUSY, set.stop());
	EXPECT_NE(std::string::npos, machine.message().find("cbo0")) << machine.message();
	EXPECT_EQ(0x400000u, machine.msr(0xd11));
}

TEST(Multiplex, AStolenCounterIsReportedAtStop)
{
	SimMachine machine;
	Multiplexed set(machine, kEvents);

	ASSERT_EQ(0, set.start());
	machine.advance(kMillisecond);
	machine.set_msr(0xd10, 0x0135 | support::kEnable);
	set.window();
	set.windows(5, kMillisecond);
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_NE(std::string::npos, machine.message().find("0xd10")) << machine.message();
}

TEST(Multiplex, AFailedAccessInAWindowLeavesNothingBehind)
{
	// Fails each access of a window, one at a time, including all later accesses to its
	// register.
	for (unsigned n = 0; n < 60; n++) {
		SimMachine machine("packages=1,cores=2");
		Multiplexed set(machine, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
					  "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"});
		const Registers before = machine.registers();

		ASSERT_EQ(0, set.start());
		machine.advance(kMillisecond);
		{
			Interposer between(machine);
			unsigned access = 0;
			uint64_t broken = 0;
			bool writes = false;
			const auto fails = [&](const unc_op &op, bool write) {
				if (access++ == n) {
					broken = op.address;
					writes = write;
				}
				return op.address == broken && writes == write;
			};

			between.on_write = [&](const unc_op &op, uint64_t) {
				return fails(op, true) ? -EIO : 0;
			};
			between.on_read = [&](const unc_op &op, uint64_t *value) {
				return fails(op, false) ? -EIO : between.read(op, value);
			};
			set.window();
			between.on_write = nullptr;
			between.on_read = nullptr;
			if (access <= n) {
				EXPECT_EQ(0, set.stop());
				break;
			}
			EXPECT_LT(n, 59u);
		}
		set.windows(3, kMillisecond);
		EXPECT_GT(set.times()[0].count, 0);
		EXPECT_NE(0, set.stop()) << n;
		expect_same(before, machine.registers());
	}
}

// ---- registers between windows ----

// Events of a group are counted in the same windows, so C-Box 1 is used in every second one.
class MultiplexBoxes : public testing::Test
{
      protected:
	void SetUp() override
	{
		assign({kTor, kFiltered, kIngress}, {1, 1, 0});
		for (const auto &[address, value] : kTraces)
			machine.set_msr(address, value);
		before = machine.registers();
	}
	void assign(const std::vector<std::string> &names, const std::vector<unsigned> &groups)
	{
		const std::vector<unsigned> ids = machine.events(names);

		ASSERT_EQ(0,
			  uncore_set_assign_groups(set.set, ids.data(), groups.data(), ids.size()));
		ASSERT_EQ(2u, set.rounds());
	}
	void expect_box_1(bool is_used)
	{
		for (const auto &[address, value] : kTraces)
			EXPECT_EQ(is_used, machine.msr(address) != value) << std::hex << address;
	}

	static constexpr char kTor[] = "UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0";
	static constexpr char kFiltered[] = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=1:pkg=0";
	static constexpr char kIngress[] = "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0";
	static constexpr uint32_t kBox = 0xd24;
	// Control, filter and counter control 1 of C-Box 1, left by an earlier user.
	const std::map<uint32_t, uint64_t> kTraces = {
		{kBox, 0x10100}, {0xd34, 0x4000000}, {0xd31, 0x136}};
	SimMachine machine;
	Multiplexed set{machine, {}};
	Registers before;
};

TEST_F(MultiplexBoxes, ABoxThatTheNextWindowDoesNotUseIsRestored)
{
	ASSERT_EQ(0, set.start()) << machine.message();
	for (int i = 0; i < 3; i++) {
		expect_box_1(true);
		set.windows(1, kMillisecond);
		expect_box_1(false);
		set.windows(1, kMillisecond);
	}
	ASSERT_EQ(0, set.stop());
	expect_same(before, machine.registers());
}

// Its registers are those of before, although other events are counted in its place.
TEST_F(MultiplexBoxes, AWindowThatCannotBeginIsRestored)
{
	Interposer between(machine);
	bool fails = false;

	between.on_write = [&](const unc_op &op, uint64_t value) {
		return fails && op.address == kBox && !(value & 0x100) ? -EIO : 0;
	};
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(1, kMillisecond);
	fails = true;
	set.windows(1, kMillisecond);
	expect_box_1(false);
	fails = false;
	EXPECT_EQ(UNCORE_EIO, set.stop());
	expect_same(before, machine.registers());
}

// The filter of a box that is counting all the time: another event may not have the filter's
// values.
class MultiplexFilter : public testing::Test
{
      protected:
	void SetUp() override
	{
		const unsigned groups[] = {1, 1, 0, 0};
		const std::vector<unsigned> ids =
			machine.events({"UNC_CHA_TOR_OCCUPANCY:IA_MISS:box=0:pkg=0",
					"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8:box=1:pkg=0",
					"UNC_CHA_RXC_OCCUPANCY:IRQ:box=0:pkg=0",
					"UNC_CHA_CLOCKTICKS:box=1:pkg=0"});

		before = controls.values();
		ASSERT_EQ(0, uncore_set_assign_groups(set.set, ids.data(), groups, ids.size()));
		ASSERT_EQ(2u, set.rounds());
		ASSERT_EQ(0, set.start()) << machine.message();
		EXPECT_EQ(8u, filter());
		set.windows(1, kMillisecond);
		EXPECT_EQ(0u, filter());
	}
	uint64_t filter()
	{
		unc_op op = {};
		uint64_t value = 0;

		op.space = UNCORE_MSR;
		op.width = 64;
		op.address = 0xe13; // of CHA 1
		EXPECT_EQ(0, between.read(op, &value));
		return value;
	}

	Stepped machine{"icx"};
	Multiplexed set{machine, {}};
	Interposer between{machine};
	support::Controls controls{machine};
	std::vector<uint64_t> before;
};

TEST_F(MultiplexFilter, IsRestoredInARunningBox)
{
	set.windows(1, kMillisecond);
	EXPECT_EQ(8u, filter());
	set.windows(1, kMillisecond);
	EXPECT_EQ(0u, filter());
	ASSERT_EQ(0, set.stop());
	controls.expect_same(before, controls.values());
}

TEST_F(MultiplexFilter, IsRestoredIfTheWindowCannotBegin)
{
	between.on_write = [&](const unc_op &op, uint64_t value) {
		return (op.address & ~3u) == 0xe10 && (value & 0xff) == 0x35 ? -EIO : 0;
	};
	set.windows(1, kMillisecond);
	EXPECT_EQ(0u, filter());
	between.on_write = nullptr;
	EXPECT_EQ(UNCORE_EIO, set.stop());
	controls.expect_same(before, controls.values());
}

} // namespace
