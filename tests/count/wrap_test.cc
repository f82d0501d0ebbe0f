// SPDX-License-Identifier: BSD-3-Clause
// wrap_test.cc - counters of 36, 44 and 48 bits that wrap again and again, and what is
// reported when they were not read often enough.
#include <cmath>
#include <map>
#include <thread>
#include <utility>

#include "support/interposer.h"
#include "support/sim_machine.h"
#include "support/sized.h"

namespace
{

using support::Interposer;
using support::kSecond;
using support::Set;

constexpr uint64_t kDay = 86400 * kSecond;

struct Wrapping {
	const char *platform, *event;
	unsigned width;
	double per_cycle; // at least
};

void PrintTo(const Wrapping &w, std::ostream *out)
{
	*out << w.platform << " " << w.event;
}

std::string spec_of(const Wrapping &w)
{
	return std::string("sim:") + w.platform + ":packages=1,time=virtual";
}

// Accesses of a poll for wraps.
unsigned polled(const support::Handle &machine)
{
	Interposer hardware(machine);
	unsigned reads = 0;

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		reads++;
		return hardware.read(op, value);
	};
	EXPECT_EQ(0, uncore_poll_wraps(machine.u));
	return reads;
}

TEST(Polled, OnlyCountersThatRun)
{
	const support::Handle machine(support::sim_options("sim:snbep:packages=1,time=virtual"));
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0"}), other(machine, {"UNC_C_CLOCKTICKS:box=1"});

	EXPECT_EQ(0u, polled(machine));
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, other.start());
	EXPECT_EQ(2u, polled(machine));
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(1u, polled(machine));
	ASSERT_EQ(0, other.stop());
	EXPECT_EQ(0u, polled(machine));
}

// Queues that are always full.
void crowd(struct sim_traffic *t)
{
	for (double *ns : {&t->hit_ns, &t->local_ns, &t->remote_ns, &t->ingress_ns, &t->rpq_ns,
			   &t->wpq_ns, &t->link_ns})
		*ns = 1e9;
	t->reads = 1e12;
}

class Long : public support::Handle
{
      public:
	explicit Long(const Wrapping &w)
	    : Handle(support::sim_options(spec_of(w).c_str())), sim(unc_hw_sim(unc_hw_of(u)))
	{
		crowd(sim_traffic(sim, 0));
	}
	// Counts in a second, from a time so short that nothing wraps.
	double rate(const char *event)
	{
		Set set(*this, {event});

		EXPECT_EQ(0, set.start()) << message();
		sim_advance(sim, 16 * kSecond);
		const double n = static_cast<double>(set.count());
		EXPECT_EQ(0, set.stop());
		return n / 16;
	}
	// Some queues of the model never fill: its clock is sped up until as much is counted.
	double full_rate(const Wrapping &w)
	{
		const double full = w.per_cycle * sim_traffic(sim, 0)->uclk_hz;
		const double now = rate(w.event);

		if (now < full)
			sim_traffic(sim, 0)->uclk_hz *= full / now;
		return rate(w.event);
	}

	struct sim *sim;
};

// Whether a wrap may have been missed, and the message about it.
uncore_missed_wrap missed_wrap_of(const Set &set, bool expected)
{
	auto missed_wrap = support::sized<uncore_missed_wrap>();

	EXPECT_EQ(expected ? 1 : 0, uncore_set_missed_wrap(set.set, &missed_wrap));
	return missed_wrap;
}

std::string text_of(const Set &set)
{
	const uncore_missed_wrap missed_wrap = missed_wrap_of(set, true);
	char text[256];

	return uncore_missed_wrap_text(set.set, &missed_wrap, text, sizeof(text));
}

class Wraps : public testing::TestWithParam<Wrapping>
{
      protected:
	void expect(uint64_t ns, int64_t count)
	{
		const double truth = rate * static_cast<double>(ns) / 1e9;

		EXPECT_NEAR(truth, static_cast<double>(count), truth * 1e-6);
		EXPECT_GT(count, INT64_C(1) << GetParam().width) << "nothing has wrapped";
	}
	uint64_t wrap_ns()
	{
		sim_advance(machine.sim, 1000000);
		return missed_wrap_of(set, false).wrap_ms * 1000000;
	}

	Long machine{GetParam()};
	const double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	const double rate = machine.full_rate(GetParam());
	Set set{machine, {GetParam().event}};
};

// As the wrap poller, at its pace.
TEST_P(Wraps, DaysAtTheWrapPollersPaceLoseNothing)
{
	const uint64_t interval = machine.machine().wrap_interval_ms * 1000000;
	uint64_t t = 0;

	EXPECT_GE(rate, GetParam().per_cycle * clock * 0.999);
	ASSERT_EQ(0, set.start());
	for (; t < 3 * kDay; t += interval) {
		sim_advance(machine.sim, interval);
		ASSERT_EQ(0, uncore_poll_wraps(machine.u));
	}
	expect(t, set.count());
	EXPECT_EQ(0, set.stop());
	missed_wrap_of(set, false);
}

// No wrap poller, but reads are just frequent enough.
TEST_P(Wraps, ReadingOftenEnoughLosesNothing)
{
	ASSERT_EQ(0, set.start());
	const uint64_t first = sim_now(machine.sim), interval = wrap_ns() / 100 * 99;

	EXPECT_LT(static_cast<double>(interval) / 1e9, std::pow(2, GetParam().width) / rate);
	for (int i = 0; i < 1000; i++) {
		sim_advance(machine.sim, interval);
		set.count();
	}
	missed_wrap_of(set, false);
	expect(sim_now(machine.sim) - first + 1000000, set.count());
	sim_advance(machine.sim, interval);
	EXPECT_EQ(0, set.stop());
	missed_wrap_of(set, false);
}

TEST_P(Wraps, ReadingTooRarelyIsReported)
{
	ASSERT_EQ(0, set.start());
	const uint64_t wrap = wrap_ns();

	sim_advance(machine.sim, wrap / 2 * 3);
	set.count();
	const uncore_missed_wrap missed_wrap = missed_wrap_of(set, true);
	EXPECT_EQ(0u, missed_wrap.event);
	EXPECT_FALSE(missed_wrap.jumped);
	EXPECT_NEAR(static_cast<double>(wrap) * 1.5e-6, static_cast<double>(missed_wrap.unseen_ms),
		    2);
	EXPECT_EQ(wrap / 1000000, missed_wrap.wrap_ms);
	// what is counted from here on is good again
	ASSERT_EQ(0, set.reset());
	sim_advance(machine.sim, wrap / 2);
	missed_wrap_of(set, false);
	sim_advance(machine.sim, wrap);
	missed_wrap_of(set, true);
	EXPECT_EQ(0, set.stop());
	missed_wrap_of(set, true);
	ASSERT_EQ(0, set.start());
	missed_wrap_of(set, false);
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, Wraps,
	testing::Values(Wrapping{"snbep", "UNC_C_TOR_OCCUPANCY:ALL:box=0", 44, 20},
			Wrapping{"ivbep", "UNC_H_BT_OCCUPANCY:box=0", 48, 512},
			Wrapping{"nhmex", "UNC_S_REQ_TBL_OCCUPANCY:ALL:box=0", 48, 48},
			Wrapping{"hswep", "UNC_S_RXR_OCCUPANCY:AD_CRD:box=0", 44, 12},
			Wrapping{"skx", "UNC_IIO_CLOCKTICKS_FREERUN:box=0", 36, 1},
			Wrapping{"icx", "UNC_CHA_TOR_OCCUPANCY:IA:box=0", 48, 20},
			Wrapping{"spr", "UNC_CHA_TOR_OCCUPANCY:ALL:box=0", 48, 20}));

// ---- who has looked, and since when it matters ----

constexpr char kTor[] = "UNC_C_TOR_OCCUPANCY:ALL", kReads[] = "UNC_M_CAS_COUNT:RD";
constexpr uint64_t kTooLong = 200 * kSecond; // 44 bits at 20 per cycle and 5 GHz: 176 s

TEST(MissedWrap, AReadOfAnotherSetIsALook)
{
	support::SimMachine machine;
	Set set(machine, {kTor}), other(machine, {kTor});

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, other.start());
	machine.advance(kTooLong / 2);
	other.count();
	machine.advance(kTooLong / 2);
	missed_wrap_of(set, false);
	machine.advance(kTooLong);
	missed_wrap_of(set, true);
	other.count();
	missed_wrap_of(set, true); // it was other's read that came too late
	missed_wrap_of(other, true);
}

TEST(MissedWrap, ALateWrapPollerIsReported)
{
	support::SimMachine machine;
	Set set(machine, {kTor});

	ASSERT_EQ(0, set.start());
	machine.advance(kTooLong);
	ASSERT_EQ(0, uncore_poll_wraps(machine.u)); // the process had been stopped
	machine.advance();
	set.count();
	EXPECT_GE(missed_wrap_of(set, true).unseen_ms, 200000u);
	EXPECT_EQ(0, set.stop());
	missed_wrap_of(set, true);
}

TEST(MissedWrap, ASetThatBeganLaterHasNone)
{
	support::SimMachine machine;
	Set early(machine, {kTor}), late(machine, {kTor});

	ASSERT_EQ(0, early.start());
	machine.advance(kTooLong);
	ASSERT_EQ(0, late.start()); // notices that early's counter was unseen
	machine.advance();
	missed_wrap_of(late, false);
	missed_wrap_of(early, true);
	EXPECT_EQ(0, late.stop());
	missed_wrap_of(late, false);
	EXPECT_EQ(0, early.stop());
	// a counter that was idle in between begins anew
	machine.advance(kTooLong);
	ASSERT_EQ(0, late.start());
	machine.advance();
	late.count();
	missed_wrap_of(late, false);
}

TEST(MissedWrap, NamesTheEventThatWrapsFirst)
{
	support::SimMachine machine;
	Set set(machine, {kReads, "UNC_M_CLOCKTICKS", kTor});

	ASSERT_EQ(0, set.start());
	machine.advance(kTooLong);
	const uncore_missed_wrap missed_wrap = missed_wrap_of(set, true);
	EXPECT_EQ(2u, missed_wrap.event);
	EXPECT_EQ(175921u, missed_wrap.wrap_ms);
	EXPECT_EQ("UNC_C_TOR_OCCUPANCY:ALL: a counter was not read for 200.0 s and can wrap within "
		  "175.9 s: counts may be too low; keep the wrap poller enabled or read more often",
		  text_of(set));
	machine.advance(5 * kTooLong);
	EXPECT_EQ(0, set.reset());
	machine.advance();
	EXPECT_EQ(2u, missed_wrap_of(set, false).event); // nearest to one
}

// Only the reading before a reset saw too late: what was counted before is gone.
TEST(MissedWrap, EndsWithAReset)
{
	support::SimMachine machine;
	Set set(machine, {kTor});

	ASSERT_EQ(0, set.start());
	machine.advance(kTooLong);
	set.count();
	EXPECT_EQ(0, set.reset()); // the last read is the zero point
	missed_wrap_of(set, false);
	machine.advance(kTooLong);
	EXPECT_EQ(0, set.reset()); // here the registers are read
	missed_wrap_of(set, false);
}

// ---- values that cannot be ----

TEST(MissedWrap, ACounterClearedByAnotherToolIsReported)
{
	support::SimMachine machine;
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	ASSERT_EQ(0, set.start());
	machine.advance();
	set.count();
	machine.advance();
	for (uint32_t counter = 0xd16; counter <= 0xd19; counter++)
		machine.set_msr(counter, 0);
	set.count();
	EXPECT_TRUE(missed_wrap_of(set, true).jumped);
	EXPECT_NE(std::string::npos, text_of(set).find("another tool wrote to it"));
	EXPECT_EQ(0, set.stop());
	EXPECT_TRUE(missed_wrap_of(set, true).jumped);
}

TEST(MissedWrap, OneReadThatCannotBeIsReadAgain)
{
	support::SimMachine machine;
	Interposer hardware(machine);
	int broken = 0; // used until the set is destroyed
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (broken && op.address >= 0xd16 && op.address <= 0xd19 && broken--)
			*value ^= UINT64_C(1) << 40;
		return r;
	};
	ASSERT_EQ(0, set.start());
	machine.advance();
	broken = 1;
	support::expect_near(machine.gain({"cbox", 0}, 0, 0, 0, machine.now()), set.count());
	EXPECT_EQ(0, broken);
	missed_wrap_of(set, false);
	broken = 2; // twice is no accident
	machine.advance();
	set.count();
	EXPECT_TRUE(missed_wrap_of(set, true).jumped);
}

// As long as the counter's 44 bits are not exhausted, any other value is one that it could
// have had later.
void poke(struct sim *sim, uint64_t more)
{
	for (uint32_t counter = 0xd16; counter <= 0xd19; counter++) {
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, 0, counter, &value));
		EXPECT_EQ(0, sim_msr_write(sim, 0, counter, value + more));
	}
}

TEST(MissedWrap, AnImpossibleIncreaseInAMillisecondIsReported)
{
	for (const uint64_t ns : {UINT64_C(0), UINT64_C(1000), support::kMillisecond}) {
		support::SimMachine machine;
		Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

		ASSERT_EQ(0, set.start());
		machine.advance(ns);
		set.count();
		missed_wrap_of(set, false);
		machine.advance(ns);
		poke(machine.sim, 120 * ns + 300000); // 20 a cycle of 5 GHz is the most
		EXPECT_EQ(0, set.stop());
		EXPECT_TRUE(missed_wrap_of(set, true).jumped) << ns;
	}
}

// All of it within a tick of the kernel's coarse clock.
TEST(MissedWrap, AWrittenCounterIsReportedInTheShortestRun)
{
	support::Handle machine(support::sim_options("sim:snbep:packages=1,cores=1"));
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	for (int run = 0; run < 40; run++) {
		ASSERT_EQ(0, set.start());
		poke(unc_hw_sim(unc_hw_of(machine.u)), UINT64_C(1) << 40); // 11 s
		EXPECT_EQ(0, set.stop());
		EXPECT_TRUE(missed_wrap_of(set, true).jumped) << run;
	}
}

TEST(MissedWrap, ReadersThatOvertakeEachOtherRaiseNone)
{
	support::Handle machine(support::sim_options("sim:snbep:packages=1,cores=1"));
	struct sim_traffic *traffic = sim_traffic(unc_hw_sim(unc_hw_of(machine.u)), 0);
	std::vector<std::thread> threads;

	traffic->uclk_hz = 5e9;
	Set set(machine, {"UNC_C_CLOCKTICKS"});
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&] {
			for (int k = 0; k < 5000; k++)
				set.count();
		});
	for (std::thread &thread : threads)
		thread.join();
	missed_wrap_of(set, false);
	EXPECT_EQ(0, set.stop());
	missed_wrap_of(set, false);
}

// A reader that is delayed between its access and the total, for most of a wrap time, in which
// another one reads.
class LateReader : public testing::Test
{
      protected:
	LateReader()
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			const int r = hardware.read(op, value);

			if (op.address >= 0xd16 && op.address <= 0xd19 && std::exchange(delay, 0)) {
				machine.advance(kTooLong / 2);
				other.count();
			}
			return r;
		};
	}
	void read_late()
	{
		ASSERT_EQ(0, set.start());
		ASSERT_EQ(0, other.start());
		machine.advance();
		delay = 1;
		late = set.count();
		ASSERT_EQ(0, delay);
	}

	support::SimMachine machine;
	Interposer hardware{machine};
	int delay = 0; // used until the sets are destroyed
	int64_t late = 0;
	Set set{machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"}};
	Set other{machine, {"UNC_C_TOR_OCCUPANCY:ALL:box=0:pkg=0"}};
};

TEST_F(LateReader, TakesNoTotalBack)
{
	read_late();
	EXPECT_LT(late, set.count());
	missed_wrap_of(set, false);
	missed_wrap_of(other, false);
}

TEST_F(LateReader, TakesNoTimeBack)
{
	read_late();
	machine.advance(kTooLong / 2 + kTooLong / 4);
	missed_wrap_of(set, false);
	missed_wrap_of(other, false);
}

// The limit of the second look is that of the first one.
TEST(MissedWrap, ALateCountAfterAFailedReadIsBelieved)
{
	support::SimMachine machine;
	Interposer hardware(machine);
	bool broken = false; // used until the set is destroyed
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (op.address >= 0xd16 && op.address <= 0xd19 && std::exchange(broken, false))
			*value ^= UINT64_C(1) << 40;
		return r;
	};
	ASSERT_EQ(0, set.start());
	machine.advance();
	set.count();
	poke(machine.sim, 2000); // within a microsecond at the fastest clock
	broken = true;
	set.count();
	EXPECT_FALSE(broken);
	missed_wrap_of(set, false);
}

// Firmware may update counters that always run only now and then, here after 15 ms.
TEST(MissedWrap, ADelayedCounterThatAlwaysRunsIsBelieved)
{
	const support::Handle machine(support::sim_options("sim:skx:packages=1,time=virtual"));
	struct sim *sim = unc_hw_sim(unc_hw_of(machine.u));
	Interposer hardware(machine);
	std::map<uint64_t, uint64_t> old;
	bool stale = false; // used until the set is destroyed
	Set set(machine, {"UNC_IIO_CLOCKTICKS_FREERUN:box=0:pkg=0"});

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const int r = hardware.read(op, value);

		if (stale)
			*value = old[op.address];
		old[op.address] = *value;
		return r;
	};
	ASSERT_EQ(0, set.start());
	sim_advance(sim, kSecond);
	const int64_t first = set.count();
	stale = true;
	sim_advance(sim, 15 * support::kMillisecond);
	EXPECT_EQ(first, set.count());
	stale = false;
	EXPECT_LT(first + 1000000, set.count());
	missed_wrap_of(set, false);
	EXPECT_EQ(0, set.stop());
}

// The wrap time itself is too long, however little longer.
TEST(MissedWrap, AMicrosecondTooLateIsReported)
{
	support::SimMachine machine;
	Set set(machine, {kTor});

	ASSERT_EQ(0, set.start());
	machine.advance(1000);
	set.count();
	// 44 bits at 20 per cycle and 5 GHz
	machine.advance((UINT64_C(1) << 44) / 100 + 1000);
	set.count();
	EXPECT_FALSE(missed_wrap_of(set, true).jumped);
}

// The fastest that a counter can be is no jump, however short the time.
TEST(MissedWrap, FullQueuesAreBelieved)
{
	support::SimMachine machine;
	Set set(machine, {kTor, kReads, "UNC_U_CLOCKTICKS"});

	for (unsigned p = 0; p < 2; p++) {
		crowd(sim_traffic(machine.sim, p));
		sim_traffic(machine.sim, p)->uclk_hz = 5e9;
	}
	ASSERT_EQ(0, set.start());
	for (uint64_t ns = 1; ns < kTooLong / 2; ns *= 3) {
		machine.advance(ns);
		set.count();
	}
	missed_wrap_of(set, false);
}

} // namespace
