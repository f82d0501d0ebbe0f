// SPDX-License-Identifier: BSD-3-Clause
// timed_test.cc - the time covered by counts, on a machine whose time is stepped. A descheduled
// thread is simulated by time that passes before an access.
#include "support/descheduled.h"
#include "support/sim_machine.h"

namespace
{

using support::deschedule_at;
using support::Interposer;
using support::kMillisecond;
using support::schedule;
using support::Set;
using support::SimMachine;

// All C-Boxes of both packages, whose registers are read one after the other.
const char *const kClock = "UNC_C_CLOCKTICKS";

double rate_of(Set &set)
{
	int64_t count = 0, ns = 0;

	EXPECT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
	return static_cast<double>(count) / static_cast<double>(ns);
}

double truth(SimMachine &machine, unsigned packages)
{
	double all = 0;

	for (unsigned p = 0; p < packages; p++)
		for (unsigned b = 0; !std::isnan(machine.rate({"cbox", 0}, b, p)); b++)
			all += machine.rate({"cbox", 0}, b, p);
	return all / support::kSecond;
}

double truth(SimMachine &machine)
{
	return truth(machine, machine.machine().packages);
}

TEST(TimedRead, CountsAreDividedByTheTimeInWhichTheyWereCounted)
{
	SimMachine machine;
	Set set(machine, {kClock});
	const double per_ns = truth(machine);
	int64_t count, ns;

	ASSERT_EQ(0, set.start());
	machine.advance(10 * kMillisecond);
	ASSERT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
	EXPECT_EQ(int64_t(10 * kMillisecond), ns);
	EXPECT_NEAR(per_ns, rate_of(set), per_ns * 1e-6);
	ASSERT_EQ(0, set.reset());
	machine.advance(3 * kMillisecond);
	ASSERT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
	EXPECT_EQ(int64_t(3 * kMillisecond), ns);
	EXPECT_NEAR(per_ns, rate_of(set), per_ns * 1e-6);
	machine.advance(2 * kMillisecond);
	ASSERT_EQ(0, set.stop());
	machine.advance(50 * kMillisecond);
	ASSERT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
	EXPECT_EQ(int64_t(5 * kMillisecond), ns);
	EXPECT_EQ(count, set.counts()[0]);
}

// A start programs registers before the first box counts, and a stop restores them afterwards.
TEST(TimedRead, TheTimeOfStartAndStopIsNotIncluded)
{
	SimMachine machine;
	Set set(machine, {"UNC_C_CLOCKTICKS:pkg=0:box=0"});
	Interposer between(machine);
	uint64_t last = 0;
	bool starts = true;

	// The writes that enable and freeze the box take no time, all others do.
	between.on_write = [&](const unc_op &op, uint64_t value) {
		const bool control = op.address == 0xd04;

		if (!control || (starts ? value & 0x100 : !(value & 0x100)))
			machine.advance(kMillisecond);
		last = op.address;
		return 0;
	};
	ASSERT_EQ(0, set.start());
	starts = false;
	machine.advance(10 * kMillisecond);
	ASSERT_EQ(0, set.stop());
	EXPECT_NEAR(machine.rate({"cbox", 0}, 0) / support::kSecond, rate_of(set), 1e-6);
	EXPECT_NE(0u, last);
}

TEST(TimedRead, AReadThatIsInterruptedIsRepeated)
{
	SimMachine machine;
	Set set(machine, {kClock});
	Interposer between(machine);
	const double per_ns = truth(machine);

	ASSERT_EQ(0, set.start());
	rate_of(set);
	for (unsigned at = 0; at < 16; at++) {
		machine.advance(10 * kMillisecond);
		deschedule_at(between, machine, at);
		EXPECT_NEAR(per_ns, rate_of(set), per_ns * 1e-6) << "before access " << at;
		between.on_read = nullptr;
	}
	ASSERT_EQ(0, set.stop());
}

// Boxes with one rate, since the time is the mean of the boxes'.  A stop cannot be repeated: the
// time of one of 8 boxes is not known better than to half of the 4 ms.
TEST(TimedRead, AnInterruptedStartOrStopDoesNotChangeTheRate)
{
	constexpr unsigned kMost = 300; // accesses of a start
	SimMachine machine;
	Interposer between(machine);
	const double per_ns = truth(machine, 1);
	Set set(machine, {"UNC_C_CLOCKTICKS:pkg=0"});

	for (const bool starts : {true, false})
		for (unsigned at = 0; at < kMost; at++) {
			if (starts)
				deschedule_at(between, machine, at);
			ASSERT_EQ(0, set.start());
			schedule(between);
			machine.advance(10 * kMillisecond);
			if (!starts)
				deschedule_at(between, machine, at);
			ASSERT_EQ(0, set.stop());
			schedule(between);
			EXPECT_NEAR(per_ns, rate_of(set), per_ns * (starts ? 1e-6 : 2.0 / 8 / 10))
				<< "before access " << at
				<< (starts ? " of the start" : " of the stop");
		}
}

// All boxes end when the package is frozen, however long the writes to each of them take.
TEST(TimedRead, TheFreezeOfThePackageIsTheEnd)
{
	constexpr uint32_t kPackage = 0x700; // of Skylake-X
	support::Stepped machine("skx");
	Interposer between(machine);
	Set set(machine, {"UNC_C_CLOCKTICKS:pkg=0"});
	double rates[2];

	for (const bool delayed : {false, true}) {
		ASSERT_EQ(0, set.start()) << machine.message();
		machine.advance(10 * kMillisecond);
		between.on_write = [&machine, delayed](const unc_op &op, uint64_t) {
			machine.advance(delayed && op.address != kPackage ? kMillisecond : 0);
			return 0;
		};
		ASSERT_EQ(0, set.stop()) << machine.message();
		schedule(between);
		rates[delayed] = rate_of(set);
	}
	EXPECT_NEAR(rates[0], rates[1], rates[0] * 1e-6);
}

// Its zero point is the first read of its list, so the time that a read takes is not known yet.
TEST(TimedRead, AnInterruptedZeroPointOfCountersInUseIsReadAgain)
{
	SimMachine machine;
	Set first(machine, {kClock});
	Interposer between(machine);
	const double per_ns = truth(machine);

	ASSERT_EQ(0, first.start());
	for (unsigned at = 0; at < 64; at++) {
		Set second(machine, {kClock});

		deschedule_at(between, machine, at);
		ASSERT_EQ(0, second.start());
		schedule(between);
		machine.advance(10 * kMillisecond);
		EXPECT_NEAR(per_ns, rate_of(second), per_ns * 1e-6) << "before access " << at;
		ASSERT_EQ(0, second.stop());
	}
	ASSERT_EQ(0, first.stop());
}

// Once the duration of a read is known.
TEST(TimedRead, AReadWithoutATimeLooksAtTheClockOnceLess)
{
	SimMachine machine;
	Interposer hardware(machine);
	Set set(machine, {kClock});
	int64_t count, ns;

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		machine.advance(100);
		return hardware.read(op, value);
	};
	ASSERT_EQ(0, set.start());
	const auto looks = [&](int64_t *time) {
		hardware.looks = 0;
		EXPECT_EQ(0, uncore_set_read_timed(set.set, &count, time));
		return hardware.looks;
	};
	looks(&ns);
	EXPECT_EQ(looks(&ns), looks(nullptr) + 1);
	// a reset after it loses no count
	const int64_t before = set.count();
	ASSERT_EQ(0, set.reset());
	EXPECT_LT(set.count(), before);
	EXPECT_EQ(0, set.stop());
}

// All reads at the start of the set, which are the measure of a read, were interrupted.
TEST(TimedRead, AResetLongAfterAReadReadsAgain)
{
	SimMachine machine;
	Set first(machine, {kClock}), second(machine, {kClock});
	Interposer hardware(machine);
	uint64_t access_ns = 40000;

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		machine.advance(access_ns);
		return hardware.read(op, value);
	};
	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start());
	access_ns = 0;
	second.counts();
	machine.advance(kMillisecond / 2);
	ASSERT_EQ(0, second.reset());
	machine.advance(10 * kMillisecond);
	EXPECT_NEAR(10 * kMillisecond * truth(machine), static_cast<double>(second.count()),
		    truth(machine));
	ASSERT_EQ(0, second.stop());
	ASSERT_EQ(0, first.stop());
}

TEST(TimedRead, ASetThatJoinsCountersBeginsWhenTheyAreRead)
{
	SimMachine machine;
	Set first(machine, {kClock}), second(machine, {kClock});

	ASSERT_EQ(0, first.start());
	machine.advance(7 * kMillisecond);
	ASSERT_EQ(0, second.start());
	machine.advance(10 * kMillisecond);
	EXPECT_NEAR(truth(machine), rate_of(second), 1e-6 * truth(machine));
	ASSERT_EQ(0, second.stop());
	machine.advance(7 * kMillisecond);
	ASSERT_EQ(0, first.stop());
	EXPECT_NEAR(truth(machine), rate_of(first), 1e-6 * truth(machine));
}

} // namespace
