// SPDX-License-Identifier: BSD-3-Clause
// sim_nhmex_overflow_test.cc - the simulated Xeon 7500 and E7: counter width,
// overflow and freezes, reserved bits, time and concurrency.
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "sim/sim.h"
#include "support/sim_nhmex.h"

namespace
{

using namespace support::nhmex;

TEST(SimNhmex, CountersAre48BitsWide)
{
	Machine machine(kNhm);
	const struct {
		uint32_t head;
		uint64_t control;
	} boxes[] = {{0xd00, wide(0x14, 7)}, {0xc20, narrow(0x07)},  {0xc40, wide(0x62)},
		     {0xc80, wide(4, 1)},    {0xca0, inc_sel(0x1b)}, {0xe00, narrow(0)}};

	machine.set(0xe04, 0xff);
	for (const auto &box : boxes) {
		uint64_t gain = machine.second(box.head, box.control);

		machine.set(box.head + 0x11, UINT64_MAX);
		EXPECT_EQ(kModulus - 1, machine.get(box.head + 0x11));
		machine.set(box.head + 0x10, box.control);
		machine.set(kGlobal, kRun);
		sim_advance(machine.sim, kSecond);
		EXPECT_NEAR(gain - 1, machine.get(box.head + 0x11), 1) << std::hex << box.head;
		machine.set(kGlobal, 0);
	}
}

TEST(SimNhmex, OverflowShowsInTheBoxAndWithPmiAbove)
{
	static const struct {
		uint32_t head;
		uint64_t control, pmi;
	} boxes[] = {{0xd00, wide(0x14, 7), kPmi}, {0xda0, wide(0x14, 7), kPmi},
		     {0xc20, narrow(0x07), kPmi},  {0xc40, wide(0x62), kPmi},
		     {0xce0, inc_sel(0x1b), 2},    {0xe00, narrow(0), kBitPmi},
		     {0xc80, wide(4, 1), kPmi}};
	Machine machine(kNhm);

	machine.set(0xe04, 0xff);
	for (const auto &box : boxes) {
		machine.set(box.head, 1);
		for (uint64_t pmi : {UINT64_C(0), box.pmi}) {
			machine.set(box.head + 0x10, box.control | pmi);
			machine.set(box.head + 0x11, kModulus - 1000);
			machine.set(kGlobal, kRun);
			EXPECT_EQ(0u, machine.get(box.head + 1));
			sim_advance(machine.sim, kSecond);
			EXPECT_EQ(1u, machine.get(box.head + 1)) << std::hex << box.head;
			EXPECT_EQ(pmi != 0, machine.get(kStatus) != 0) << std::hex << box.head;
			EXPECT_EQ(kRun, machine.get(kGlobal)) << "only frz_all stops";
			machine.set(box.head + 2, 0x2);
			EXPECT_EQ(1u, machine.get(box.head + 1)) << "another counter's bit";
			machine.set(box.head + 2, 0x1);
			EXPECT_EQ(0u, machine.get(box.head + 1));
			EXPECT_EQ(0u, machine.get(kStatus)) << "the summary goes with the leaf";
			machine.set(kGlobal, 0);
		}
		machine.set(box.head, 0);
	}
}

TEST(SimNhmex, SummariesOfSeveralBoxes)
{
	Machine machine(kNhm);
	uint64_t both, one;

	// C0 and C3 report to the same S-Box, C4 to the other one.
	for (uint32_t head : {0xd00u, 0xdc0u, 0xd20u}) {
		machine.set(head, 2);
		machine.set(head + 0x12, wide(0x14, 7) | kPmi);
		machine.set(head + 0x13, kModulus - 1);
	}
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	both = machine.get(kStatus);
	EXPECT_NE(0u, both);
	machine.set(0xd02, 2);
	EXPECT_EQ(both, machine.get(kStatus)) << "C3 is still there";
	machine.set(0xdc2, 2);
	one = machine.get(kStatus);
	EXPECT_NE(both, one);
	EXPECT_NE(0u, one);
	machine.set(kClear, one);
	EXPECT_EQ(0u, machine.get(kStatus));
	EXPECT_EQ(2u, machine.get(0xd21)) << "the leaf has its own clear";
	EXPECT_EQ(-EIO, machine.try_set(kStatus, 0));
	EXPECT_EQ(0u, machine.get(kClear));
}

TEST(SimNhmex, UboxAndFixedCounterOverflow)
{
	Machine machine(kNhm);

	machine.set(0xc10, wide(0xf9) | kPmi);
	machine.set(0xc11, kModulus - 1);
	machine.set(0xc80, UINT64_C(1) << 31);
	machine.set(0x395, 1);
	machine.set(0x394, kModulus - 1);
	machine.set(kGlobal, kRun | kUbox | kFreeze);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(kUbox | kFreeze, machine.get(kGlobal));
	EXPECT_NE(0u, machine.get(kStatus));
	EXPECT_EQ(UINT64_C(1) << 31, machine.get(0xc81));
	machine.set(0xc82, UINT64_C(1) << 31);
	EXPECT_EQ(0u, machine.get(0xc81));
}

TEST(SimNhmex, FreezeOnPmiStopsAllAtTheMomentOfOverflow)
{
	Machine machine(kNhm);
	double clock = machine.traffic().dclk_hz, misses, seconds;
	const uint64_t n = 1000000;

	machine.set(0xd00, 3);
	machine.set(0xd10, wide(0x14, 7) | kPmi);
	machine.set(0xd11, kModulus - n);
	machine.set(0xd12, wide(0x15, 0xf)); // faster, but without pmi_en
	machine.set(0xca0, 1);
	machine.set(0xcb0, inc_sel(0x1b));
	machine.set(kGlobal, kRun | kFreeze);
	misses = sim_rate(machine.sim, 0, "cbox", 0, wide(0x14, 7), 0);
	seconds = static_cast<double>(n) / misses;
	// The overflow shows late; the M-Box is read first and has to know of it.
	sim_advance(machine.sim, kSecond);
	// All of them continue to count until the signal arrives.
	seconds += SIM_STOP_OTHERS_NS * 1e-9;
	EXPECT_NEAR(clock * seconds, machine.get(0xcb1), 3);
	EXPECT_EQ(kFreeze, machine.get(kGlobal));
	EXPECT_NEAR(SIM_STOP_OTHERS_NS * 1e-9 * misses, machine.get(0xd11), 1)
		<< "the events past N";
	EXPECT_EQ(1u, machine.get(0xd01));
	EXPECT_NE(0u, machine.get(kStatus));
	EXPECT_NEAR(seconds * sim_rate(machine.sim, 0, "cbox", 0, wide(0x15, 0xf), 0),
		    machine.get(0xd13), 2);
	// Again, in the order of the manual.
	machine.set(kGlobal, kFreeze | kResetAll);
	machine.set(0xd02, 1);
	machine.set(0xd11, kModulus - n);
	machine.set(kGlobal, kFreeze | kRun);
	sim_advance(machine.sim, kSecond / 1000);
	EXPECT_EQ(kFreeze | kRun, machine.get(kGlobal)) << "not yet";
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(kFreeze, machine.get(kGlobal));
	EXPECT_EQ(0u, machine.get(kGlobal, 1)) << "the other package has its own";
}

TEST(SimNhmex, ReservedBitsAndUnknownRegisters)
{
	Machine machine(kNhm);

	EXPECT_EQ(0, machine.try_set(kGlobal, 0xb000001f));
	EXPECT_EQ(-EIO, machine.try_set(kGlobal, 1 << 5));
	EXPECT_EQ(-EIO, machine.try_set(kGlobal, 1 << 30));
	EXPECT_EQ(0, machine.try_set(0xd10, 0xffd4ffff));
	for (unsigned bit : {16u, 17u, 19u, 21u, 32u})
		EXPECT_EQ(-EIO, machine.try_set(0xd10, UINT64_C(1) << bit)) << bit;
	for (unsigned bit : {8u, 15u, 23u, 24u})
		EXPECT_EQ(-EIO, machine.try_set(0xc10, UINT64_C(1) << bit)) << bit;
	EXPECT_EQ(0, machine.try_set(0xcb0, 0x383eff));
	for (unsigned bit : {8u, 14u, 18u, 22u})
		EXPECT_EQ(-EIO, machine.try_set(0xcb0, UINT64_C(1) << bit)) << bit;
	EXPECT_EQ(-EIO, machine.try_set(0xe10, 0x80));
	EXPECT_EQ(-EIO, machine.try_set(0xca5, UINT64_C(1) << 32));
	for (uint32_t address :
	     {0u, 0xc03u, 0xca3u, 0xcacu, 0xe03u, 0xe47u, 0xea0u, 0x700u, 0xf00u})
		EXPECT_EQ(-EIO, machine.try_get(address)) << std::hex << address;
	EXPECT_EQ(0, machine.try_set(0xca4, 1));
}

TEST(SimNhmex, CountsDoNotDependOnHowOftenOneLooks)
{
	Machine often(kNhm), once(kNhm);

	for (Machine *machine : {&often, &once}) {
		machine->set(0xd00, 0x3f);
		machine->set(0xd10, wide(0x1e));
		machine->set(0xd12, wide(0x1e));
		machine->set(kGlobal, kRun);
	}
	for (unsigned i = 0; i < 1000; i++) {
		sim_advance(often.sim, 1234567);
		often.get(i % 3 == 0 ? 0xd11 : 0xc01);
	}
	sim_advance(once.sim, UINT64_C(1000) * 1234567);
	EXPECT_EQ(once.get(0xd11), often.get(0xd11));
	EXPECT_EQ(once.get(0xd11), often.get(0xd13));
}

TEST(SimNhmex, Threads)
{
	Machine machine(kWsm);
	std::atomic<bool> stop{false};
	std::vector<std::thread> threads;

	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x14, 7));
	machine.set(kGlobal, kRun);
	for (unsigned i = 0; i < 3; i++)
		threads.emplace_back([&] {
			uint64_t last = 0;

			while (!stop) {
				uint64_t value = machine.get(0xd11);

				EXPECT_GE(value, last);
				last = value;
			}
		});
	for (unsigned i = 0; i < 1000; i++)
		sim_advance(machine.sim, 1000);
	stop = true;
	for (auto &thread : threads)
		thread.join();
}

} // namespace
