// SPDX-License-Identifier: BSD-3-Clause
// estimate_test.cc - estimates of multiplexed events from windows of unknown length, while windows
// change, and in a forked child.
#include "support/child.h"
#include "support/descheduled.h"
#include "support/multiplexed.h"

namespace
{

using support::in_child;
using support::Interposer;
using support::kMillisecond;
using support::kSecond;
using support::Multiplexed;
using support::Set;
using support::Stepped;

// Both need counter 0 of the same C-Box.
constexpr char kTor[] = "UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0";
constexpr char kIngress[] = "UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0";
constexpr uint32_t kBox1 = 0xd24, kStep = 0x20; // MSRs of C-Box 1

// Time passes before each write, so that no window has a known length.
void delay(Interposer &between, Stepped &machine)
{
	between.on_write = [&machine](const unc_op &, uint64_t) {
		machine.advance(kMillisecond);
		return 0;
	};
}

double rate(Stepped &machine, const char *event)
{
	Set set(machine, {event});

	EXPECT_EQ(0, set.start()) << machine.message();
	machine.advance(kSecond);
	EXPECT_EQ(0, set.stop());
	return static_cast<double>(set.count());
}

TEST(Estimate, WithoutAWindowOfKnownLengthOfTheWindowsThereAre)
{
	Stepped machine("snbep");
	const double truth = rate(machine, kTor);
	Multiplexed set(machine, {kTor, kIngress});
	Interposer between(machine);
	int64_t counts[2], ns;

	delay(between, machine);
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(9, 20 * kMillisecond);
	ASSERT_EQ(0, set.stop()) << machine.message();
	ASSERT_EQ(0, uncore_set_read_timed(set.set, counts, &ns));
	EXPECT_GE(UNCORE_ERROR_NO_WINDOW, set.times()[0].error);
	EXPECT_NEAR(truth * 1e-9 * static_cast<double>(ns), static_cast<double>(counts[0]),
		    truth * 0.2 * 1e-9 * static_cast<double>(ns));
}

// The first window of known length also stands for the time before it, but what was counted then
// remains, also for the counts that follow.
TEST(Estimate, DoesNotGoBackAtTheFirstWindowOfKnownLength)
{
	Stepped machine("snbep");
	const double per_second = rate(machine, kTor);
	Multiplexed set(machine, {kTor, kIngress});
	Interposer between(machine);
	sim_pattern &pattern = sim_traffic(machine.sim, 0)->pattern;

	// 200 ms with traffic, 300 ms without
	pattern.period_ns = kSecond / 2;
	pattern.busy = 0.4;
	pattern.quiet = 0;
	delay(between, machine);
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(14, 20 * kMillisecond);
	const int64_t busy = set.counts()[0];
	support::schedule(between);
	set.windows(4, 20 * kMillisecond);
	EXPECT_NEAR(0.1 * per_second, static_cast<double>(busy), 0.03 * per_second);
	EXPECT_EQ(busy, set.counts()[0]);
	set.windows(10, 20 * kMillisecond);
	EXPECT_LE(static_cast<double>(busy) + 0.08 * per_second,
		  static_cast<double>(set.counts()[0]));
	ASSERT_EQ(0, set.stop());
}

// An estimate that has counts of a later time, or lacks those of an earlier one, says of how long.
void expect_right(Stepped &machine, Multiplexed &set, const double *rates)
{
	const std::vector<int64_t> counts = set.counts();
	const std::vector<uncore_times> times = set.times();

	for (size_t e = 0; e < 2; e++) {
		const double ns = static_cast<double>(times[e].enabled_ns);

		EXPECT_NEAR(ns, static_cast<double>(counts[e]) / rates[e] * 1e9,
			    times[e].shift_ns + 0.3 * kMillisecond)
			<< e << ": " << machine.message();
	}
}

// A set that is descheduled for 4 ms at one of the accesses of a change of windows.
void descheduled_at(unsigned access, double *largest)
{
	Stepped machine("snbep");
	const double rates[] = {rate(machine, kTor), rate(machine, kIngress)};
	Multiplexed set(machine, {kTor, kIngress});
	Interposer between(machine);

	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(6, 20 * kMillisecond);
	expect_right(machine, set, rates);
	EXPECT_GE(0.01 * kMillisecond, set.times()[0].shift_ns);
	support::deschedule_at(between, machine, access);
	set.windows(1, 20 * kMillisecond);
	support::schedule(between);
	expect_right(machine, set, rates);
	for (const uncore_times &t : set.times())
		*largest = std::max(*largest, t.shift_ns);
	machine.advance(kMillisecond);
	expect_right(machine, set, rates);
	set.windows(3, 20 * kMillisecond);
	expect_right(machine, set, rates);
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0, set.times()[0].shift_ns);
}

TEST(Estimate, SaysHowFarItMayBeAheadOrBehind)
{
	double largest = 0;

	for (unsigned access = 0; access < 24; access++) {
		SCOPED_TRACE(access);
		descheduled_at(access, &largest);
	}
	EXPECT_LE(2 * kMillisecond, largest);
	EXPECT_GE(5 * kMillisecond, largest);
}

// The length of windows of C-Box 1 is not known when traffic is low.
TEST(Estimate, TheEventsOfAGroupHaveRatesOfTheSameWindows)
{
	Stepped machine("snbep");
	const double expected =
		rate(machine, "UNC_C_TOR_OCCUPANCY:ALL:box=1:pkg=0") / rate(machine, kTor);
	Multiplexed set(machine, {});
	Interposer between(machine);
	sim_pattern &pattern = sim_traffic(machine.sim, 0)->pattern;
	const unsigned groups[] = {1, 1, 0, 0};
	std::vector<unsigned> ids;

	for (const char *name : {kTor, "UNC_C_TOR_OCCUPANCY:ALL:box=1:pkg=0", kIngress,
				 "UNC_C_RXR_OCCUPANCY:IRQ:box=1:pkg=0"})
		ids.push_back(machine.event(name));
	ASSERT_EQ(0, uncore_set_assign_groups(set.set, ids.data(), groups, ids.size()));
	pattern.period_ns = 1000 * kSecond;
	pattern.busy = 0.0025;
	pattern.quiet = 0.1;
	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(4, 20 * kMillisecond);
	machine.advance(2 * kSecond);
	between.on_write = [&machine](const unc_op &op, uint64_t) {
		if (op.space == UNCORE_MSR && op.address >= kBox1 && op.address < kBox1 + kStep)
			machine.advance(kMillisecond);
		return 0;
	};
	set.windows(40, 20 * kMillisecond);
	const std::vector<int64_t> counts = set.counts();
	EXPECT_NEAR(expected, static_cast<double>(counts[1]) / static_cast<double>(counts[0]),
		    expected * 0.1);
	support::schedule(between);
	ASSERT_EQ(0, set.stop());
}

TEST(Estimate, IsReadAgainIfWindowsChangeMeanwhile)
{
	Stepped machine("snbep");
	Multiplexed set(machine, {kTor, kIngress});
	Interposer between(machine);
	bool changes = true;

	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(5, 20 * kMillisecond);
	machine.advance(7 * kMillisecond);
	between.on_read = [&](const unc_op &op, uint64_t *value) {
		if (changes) {
			changes = false;
			set.window();
			machine.advance(3 * kMillisecond);
			set.window();
		}
		return between.read(op, value);
	};
	const std::vector<int64_t> during = set.counts();
	ASSERT_FALSE(changes) << "no register was read";
	between.on_read = nullptr;
	EXPECT_EQ(set.counts(), during) << "no time has passed";
	ASSERT_EQ(0, set.stop());
}

TEST(Estimate, AChildReadsNoRegister)
{
	Stepped machine("snbep");
	Multiplexed set(machine, {kTor, kIngress});
	Interposer between(machine);

	ASSERT_EQ(0, set.start()) << machine.message();
	set.windows(5, 20 * kMillisecond);
	EXPECT_EQ(0, in_child([&] {
			  const unsigned before = between.reads + between.runs;

			  set.counts();
			  set.times();
			  return before == between.reads + between.runs ? 0 : 1;
		  }));
	ASSERT_EQ(0, set.stop());
}

// ---- windows whose start or end is uncertain ----

constexpr uint64_t kWindow = 100 * kMillisecond, kDelay = 10 * kMillisecond;
constexpr uint32_t kBoxControl = 0xd04; // of C-Box 0
constexpr uint64_t kFreeze = 0x10100, kRun = 0x10000;

// Time passes before each write of a value to the control of C-Box 0.
void delay_control(Interposer &between, Stepped &machine, uint64_t delayed)
{
	between.on_write = [&machine, delayed](const unc_op &op, uint64_t value) {
		if (op.address == kBoxControl && value == delayed)
			machine.advance(kDelay);
		return 0;
	};
}

// Traffic is different from a time on, between two windows of known length of the second event and
// one of the first that does not have one.
class Uncertain : public testing::Test
{
      protected:
	// Ends at the start of a window of the first event.
	void start(double busy_until, double busy_after, double quiet)
	{
		sim_pattern &pattern = sim_traffic(machine.sim, 0)->pattern;

		per_ms = rate(machine, kTor) / 1000;
		// one second has passed, six windows follow
		pattern.period_ns = busy_after > 0 ? static_cast<uint64_t>(busy_after * kSecond)
						   : 1000 * kSecond;
		pattern.busy = busy_until * kSecond / static_cast<double>(pattern.period_ns);
		pattern.quiet = quiet;
		pattern.scattered = false;
		ASSERT_EQ(0, set.start()) << machine.message();
		set.windows(5, kWindow);
		machine.advance(kWindow);
	}
	double count()
	{
		return static_cast<double>(set.counts()[0]);
	}

	Stepped machine{"snbep"};
	Multiplexed set{machine, {kTor, kIngress}};
	Interposer between{machine};
	double per_ms = 0; // while traffic is busy
	bool stopping = false;
};

// At the last known rate, a window without counts was as short as it may have been: it ended before
// the delay.
TEST_F(Uncertain, AWindowWithoutTrafficWasAsShortAsPossible)
{
	start(1.6, 0, 0);
	set.window();
	const double before = count();
	machine.advance(kWindow);
	delay_control(between, machine, kFreeze);
	set.window();
	EXPECT_NEAR(10 * per_ms, count() - before, 2 * per_ms);
	support::schedule(between);
	ASSERT_EQ(0, set.stop());
}

// One with twice the counts was as long as possible: its end is in the future, and the estimate
// does not change before.
TEST_F(Uncertain, AWindowWithMoreTrafficWasAsLongAsPossible)
{
	start(0.2, 1.6, 0.5);
	delay_control(between, machine, kRun);
	set.window();
	const double before = count();
	machine.advance(kWindow);
	support::schedule(between);
	set.window();
	EXPECT_NEAR(100 * per_ms, count() - before, 2 * per_ms);
	const double after = count();
	machine.advance(kWindow);
	EXPECT_NEAR(95 * per_ms / 2, count() - after, per_ms);
	ASSERT_EQ(0, set.stop());
}

// One whose counts fit its length ended when its counts say.
TEST_F(Uncertain, AWindowWithTheSameTrafficWasAsLongAsItsCountsTake)
{
	start(1000, 0, 1);
	set.window();
	const double before = count();
	machine.advance(kWindow);
	between.on_write = [this](const unc_op &op, uint64_t value) {
		stopping = op.address == kBoxControl && value == kFreeze;
		machine.advance(stopping ? kDelay / 5 : 0);
		return 0;
	};
	between.after_write = [this] { machine.advance(stopping ? kDelay * 4 / 5 : 0); };
	set.window();
	EXPECT_NEAR(110 * per_ms, count() - before, per_ms);
	support::schedule(between);
	between.after_write = nullptr;
	ASSERT_EQ(0, set.stop());
}

// The last one: what it counted after its time is not a part of the estimate, which is for that
// time.
TEST_F(Uncertain, TheLastWindowWasAsLongAsItsTime)
{
	int64_t values[2], ns = 0;

	start(1000, 0, 1);
	set.window();
	machine.advance(kWindow);
	delay_control(between, machine, kFreeze);
	ASSERT_EQ(0, set.stop());
	ASSERT_EQ(0, uncore_set_read_timed(set.set, values, &ns));
	EXPECT_NEAR(per_ms * static_cast<double>(ns) / kMillisecond, static_cast<double>(values[0]),
		    per_ms);
	EXPECT_NEAR(per_ms * 700, static_cast<double>(values[0]), 11 * per_ms);
}

// A window of 25 ms, of which 5 are certain, was not longer than 50, however much it counted.
TEST_F(Uncertain, AShortWindowWithMoreTrafficWasAtMostTwiceAsLong)
{
	start(0.2, 1.6, 0.025);
	between.on_write = [this](const unc_op &op, uint64_t value) {
		if (op.address == kBoxControl && value == kRun)
			machine.advance(4 * kDelay);
		return 0;
	};
	set.window();
	machine.advance(kDelay / 2);
	support::schedule(between);
	set.window();
	const double after = count();
	machine.advance(kWindow);
	EXPECT_NEAR(75 * per_ms / 40, count() - after, per_ms / 4);
	ASSERT_EQ(0, set.stop());
}

// The rate of the time after it is that of the window of known length.
TEST_F(Uncertain, AWindowOfKnownLengthIsPreferredAtTheEnd)
{
	start(0.2, 1.6, 0);
	set.window();
	machine.advance(kWindow);
	delay_control(between, machine, kFreeze);
	set.window();
	support::schedule(between);
	const double after = count();
	EXPECT_NEAR(110 * per_ms, after, 2 * per_ms);
	machine.advance(10 * kSecond);
	EXPECT_EQ(after, count());
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(after, count());
}

} // namespace
