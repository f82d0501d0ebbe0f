// SPDX-License-Identifier: BSD-3-Clause
// session_broken_test.cc - register accesses that fail, are torn or return nonsense.
#include <cerrno>
#include <thread>

#include "support/interposer.h"
#include "support/sim_machine.h"

namespace
{

using support::expect_near;
using support::Interposer;
using support::kSecond;
using support::Set;
using support::SimMachine;
using support::Truth;

const Truth clockticks = {"ha", 0}, requests = {"ha", 0x0301};
constexpr char kClockticks[] = "UNC_H_CLOCKTICKS:pkg=0";
constexpr char kRequests[] = "UNC_H_REQUESTS:READS:pkg=0";

bool is_counter(const unc_op &op)
{
	return op.space == UNCORE_PCI && op.width == 64;
}

// ---- torn reads: a carry into the high half occurs between the two accesses ----

class SessionTorn : public testing::Test
{
      protected:
	// Reads a PCI counter as two halves. Time passes between them for the first `tears`
	// reads.
	SessionTorn()
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			unc_op half = op;
			uint64_t high = 0;
			int r;

			if (!is_counter(op))
				return hardware.read(op, value);
			half.width = 32;
			r = hardware.read(half, value);
			if (tears > 0 && *value > UINT32_MAX - 4000) {
				tears--;
				torn++;
				machine.advance(5000);
			}
			half.address += 4;
			r = r ? r : hardware.read(half, &high);
			*value |= high << 32;
			return r;
		};
	}
	// To less than a microsecond before the low half of the HA's clock counter overflows.
	void advance_to_carry()
	{
		const double rate = machine.rate(clockticks, 0);

		machine.advance(static_cast<uint64_t>(4294967296.0 / rate * 1e9) - 1000);
	}

	SimMachine machine;
	Interposer hardware{machine};
	int tears = 0, torn = 0;
};

TEST_F(SessionTorn, ASingleReadIsReadAgain)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	advance_to_carry();
	set.count();
	tears = 1;
	const int64_t count = set.count();
	EXPECT_EQ(1, torn);
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), count);
}

TEST_F(SessionTorn, AReadAfterALongTimeIsReadAgain)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	machine.advance(20 * kSecond);
	set.count();
	machine.advance(
		static_cast<uint64_t>(11 * 4294967296.0 / machine.rate(clockticks, 0) * 1e9) -
		1000 - 20 * kSecond);
	tears = 1;
	const int64_t count = set.count();
	EXPECT_EQ(1, torn);
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), count);
}

TEST_F(SessionTorn, AReadOfSeveralCountersIsReadAgain)
{
	Set set(machine, {kClockticks, kRequests});

	ASSERT_EQ(0, set.start());
	advance_to_carry();
	set.counts();
	const unsigned runs = hardware.runs;
	tears = 1;
	const std::vector<int64_t> n = set.counts();
	EXPECT_EQ(runs + 1, hardware.runs);
	EXPECT_EQ(1, torn);
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), n[0]);
	EXPECT_NEAR(machine.gain(requests, 0, 0, 0, machine.now()), n[1], 1000);
}

// The second reading may be torn at the next carry, and then differs from the first one.
TEST_F(SessionTorn, ASecondTornReadingIsNotAccepted)
{
	const double carry = 4294967296.0 / machine.rate(clockticks, 0) * 1e9;
	const auto hook = hardware.on_read;
	int reads = 0;
	Set set(machine, {kClockticks}); // its end calls the hook, too

	ASSERT_EQ(0, set.start());
	machine.advance(static_cast<uint64_t>(11 * carry) - 1000);
	tears = 2;
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		if (is_counter(op) && ++reads == 2)
			machine.advance(static_cast<uint64_t>(12 * carry) - 500 - machine.now());
		return hook(op, value);
	};
	const int64_t count = set.count();
	EXPECT_EQ(2, torn);
	EXPECT_LT(2, reads) << "reads until two values agree";
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), count);
}

// A failed read must not advance the total.
TEST_F(SessionTorn, ASecondReadThatFailsSpoilsNothing)
{
	for (const bool dead : {false, true}) {
		Set set(machine, {kClockticks});
		const auto hook = hardware.on_read;
		int reads = 0;

		ASSERT_EQ(0, set.start());
		const uint64_t begin = machine.now();
		machine.advance(20 * kSecond); // over 2^32 counts: every read is verified
		hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			if (!is_counter(op) || ++reads != 2)
				return hook(op, value);
			*value = dead ? UINT64_MAX : 0;
			return dead ? 0 : -EIO;
		};
		set.count(UNCORE_EIO);
		EXPECT_EQ(2, reads);
		hardware.on_read = hook;
		expect_near(machine.gain(clockticks, 0, 0, begin, machine.now()), set.count());
		EXPECT_EQ(0, set.stop());
	}
}

TEST_F(SessionTorn, TheWrapPollerReadsAgain)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	advance_to_carry();
	set.count();
	tears = 1;
	ASSERT_EQ(0, uncore_poll_wraps(machine.u));
	EXPECT_EQ(1, torn);
	machine.advance();
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), set.count());
}

// Another set counts in the box, so the box is not frozen for the last read.
TEST_F(SessionTorn, TheLastReadAtAStopIsReadAgain)
{
	Set set(machine, {kClockticks}), other(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, other.start());
	advance_to_carry();
	set.count();
	tears = 1;
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(1, torn);
	expect_near(machine.gain(clockticks, 0, 0, 0, machine.now()), set.count());
}

TEST_F(SessionTorn, AGenuineJumpIsBelieved)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	machine.advance(1000 * kSecond);
	expect_near(machine.gain(clockticks, 0, 0, 0, 1000 * kSecond), set.count());
}

// ---- dead devices ----

class SessionDead : public testing::Test
{
      protected:
	// Every PCI register reads as all ones, like a device that has disappeared.
	void die()
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			if (op.space != UNCORE_PCI)
				return hardware.read(op, value);
			*value = op.width == 64 ? UINT64_MAX : UINT32_MAX;
			return 0;
		};
	}

	SimMachine machine;
	Interposer hardware{machine};
};

TEST_F(SessionDead, ReadFailsAndGivesTheLastGoodCounts)
{
	Set set(machine, {kClockticks, "UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const std::vector<int64_t> good = set.counts();
	die();
	machine.advance();
	EXPECT_EQ(good, set.counts(UNCORE_EIO));
	EXPECT_EQ(good, set.counts(UNCORE_EIO));
	EXPECT_EQ(UNCORE_EIO, uncore_poll_wraps(machine.u));
	hardware.on_read = nullptr;
	expect_near(machine.gain(clockticks, 0, 0, 0, 2 * kSecond), set.counts()[0]);
}

// uncored reads in one thread, and starts sets in another.
TEST_F(SessionDead, ReadAndAnotherThreadsFailureAreReportedToTheThread)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	machine.advance();
	set.count();
	die();
	set.count(UNCORE_EIO);
	std::thread([this] {
		machine.refusal("NO_SUCH_EVENT");
		EXPECT_NE(std::string::npos, machine.message().find("NO_SUCH_EVENT"))
			<< machine.message();
	}).join();
	EXPECT_NE(std::string::npos, machine.message().find("No such device")) << machine.message();
	hardware.on_read = nullptr;
}

TEST_F(SessionDead, SeveralCountersInOneReadFailTogether)
{
	Set set(machine, {kClockticks, kRequests});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const std::vector<int64_t> good = set.counts();
	die();
	EXPECT_EQ(good, set.counts(UNCORE_EIO));
}

TEST_F(SessionDead, StopSaysSoAndKeepsTheLastGoodCounts)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const int64_t good = set.count();
	die();
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(std::string::npos, machine.message().find("another tool")) << machine.message();
	EXPECT_NE(std::string::npos, machine.message().find("PCI register 0xb8: No such device"))
		<< machine.message();
	EXPECT_EQ(good, set.count());
	EXPECT_EQ(0, set.stop());
}

TEST_F(SessionDead, StartFailsWithoutCountingAllOnes)
{
	Set set(machine, {kClockticks});

	die();
	EXPECT_NE(0, set.start());
	EXPECT_EQ(0, set.count());
	hardware.on_read = nullptr;
	EXPECT_EQ(0, set.start()) << machine.message();
}

TEST_F(SessionDead, ResetFailsAndTheSetContinuesLater)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	machine.advance();
	die();
	EXPECT_EQ(UNCORE_EIO, set.reset());
	hardware.on_read = nullptr;
	EXPECT_GE(set.count(), 0);
}

// ---- accesses that fail ----

TEST_F(SessionDead, AFailingMsrReadGivesTheLastGoodCounts)
{
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const int64_t good = set.count();
	hardware.on_read = [](const unc_op &, uint64_t *) { return -EIO; };
	EXPECT_EQ(good, set.count(UNCORE_EIO));
	hardware.on_read = nullptr;
	EXPECT_EQ(0, set.stop());
}

// The header documents EIO for any failed access.
TEST_F(SessionDead, ReadKnowsOneFailureOnly)
{
	Set set(machine, {kClockticks});

	ASSERT_EQ(0, set.start());
	for (int error : {EIO, ENODEV, ENXIO, EINVAL, ENODATA, EPERM}) {
		hardware.on_read = [=](const unc_op &, uint64_t *) { return -error; };
		set.count(UNCORE_EIO);
	}
	hardware.on_read = nullptr;
}

TEST_F(SessionDead, StopContinuesAfterAFailedWrite)
{
	const support::Registers before = machine.registers();
	unsigned n = 0;
	Set set(machine, {"UNC_C_CLOCKTICKS", "UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, set.start());
	// The first write, however often it is repeated.
	hardware.on_write = [&](const unc_op &, uint64_t) { return ++n <= 4 ? -EIO : 0; };
	EXPECT_EQ(UNCORE_EIO, set.stop());
	hardware.on_write = nullptr;
	support::expect_same(before, machine.registers());
	EXPECT_EQ(0, set.start()) << machine.message();
}

// ---- how often registers are read ----

TEST_F(SessionDead, AReadTakesOneAccessPerCounterAndOnePerRunOfNeighbours)
{
	Set cbo(machine, {"UNC_C_CLOCKTICKS:box=0", "UNC_C_RING_BL_USED:UP_EVEN:box=0"});
	Set ha(machine, {kClockticks, kRequests, "UNC_H_IMC_RETRY:pkg=0"});

	ASSERT_EQ(0, cbo.start());
	ASSERT_EQ(0, ha.start());
	hardware.reads = hardware.runs = 0;
	cbo.counts();
	EXPECT_EQ(4u, hardware.reads);
	EXPECT_EQ(0u, hardware.runs);
	hardware.reads = 0;
	ha.counts();
	EXPECT_EQ(0u, hardware.reads);
	EXPECT_EQ(1u, hardware.runs);
}

} // namespace
