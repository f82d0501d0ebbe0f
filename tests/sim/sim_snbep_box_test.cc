// SPDX-License-Identifier: BSD-3-Clause
// sim_snbep_box_test.cc - the simulated Xeon on its own: box controls, counters
// and restrictions.
#include <cmath>

#include "support/sim_snbep.h"

namespace
{

using namespace support::snbep;

// ---- box control, controls and counters ----

TEST(SimBox, FreezeStopsAndUnfreezeContinues)
{
	Machine machine;

	machine.set_config(0x3cb0, kBoxControl, kInit);
	machine.set_config(0x3cb0, 0xd8, event(0) | kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.config(0x3cb0, 0xa0));
	machine.set_config(0x3cb0, kBoxControl, kRun);
	sim_advance(machine.sim, kSecond);
	machine.set_config(0x3cb0, kBoxControl, kFreeze);
	uint64_t first = machine.config(0x3cb0, 0xa0, 64);
	expect_near(sim_traffic(machine.sim, 0)->dclk_hz, static_cast<double>(first));
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(first, machine.config(0x3cb0, 0xa0, 64));
	machine.set_config(0x3cb0, kBoxControl, kRun);
	sim_advance(machine.sim, kSecond);
	expect_near(2 * sim_traffic(machine.sim, 0)->dclk_hz,
		    static_cast<double>(machine.config(0x3cb0, 0xa0, 64)));
}

TEST(SimBox, FreezeNeedsFreezeEnable)
{
	Machine machine;

	machine.set(0xd10, event(0) | kEnable);
	machine.set(0xd04, 0x100);
	sim_advance(machine.sim, 1000);
	EXPECT_GT(machine.get(0xd16), 0u);
	EXPECT_EQ(0x100u, machine.get(0xd04));
}

TEST(SimBox, ResetBitsActOnceAndReadBackZero)
{
	Machine machine;

	machine.set(0xd11, event(0) | kEnable);
	sim_advance(machine.sim, 1000);
	machine.set(0xd04, kFreeze | 2);
	EXPECT_EQ(kFreeze, machine.get(0xd04));
	EXPECT_EQ(0u, machine.get(0xd17));
	EXPECT_EQ(event(0) | kEnable, machine.get(0xd11));
	machine.set(0xd17, 5);
	machine.set(0xd04, kFreeze | 1);
	EXPECT_EQ(0u, machine.get(0xd11));
	EXPECT_EQ(5u, machine.get(0xd17));
}

TEST(SimBox, ControlResetClearsItsOwnCounter)
{
	Machine machine;

	machine.set(0xd16, 11);
	machine.set(0xd17, 12);
	machine.set(0xd10, event(0x34, 3) | kReset);
	EXPECT_EQ(event(0x34, 3), machine.get(0xd10));
	EXPECT_EQ(0u, machine.get(0xd16));
	EXPECT_EQ(12u, machine.get(0xd17));
}

TEST(SimBox, UboxCountsWheneverEnabled)
{
	Machine machine;

	machine.set(0xc11, event(0x42, 4) | kEnable);
	sim_advance(machine.sim, kSecond);
	machine.set(0xc11, event(0x42, 4));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("ubox", 0, event(0x42, 4)),
		    static_cast<double>(machine.get(0xc17)));
}

TEST(SimBox, FixedCountersCountTheClock)
{
	Machine machine;

	machine.set(0xc08, kEnable);
	machine.set_config(0x3cb4, 0xf0, kEnable);
	sim_advance(machine.sim, kSecond);
	expect_near(sim_traffic(machine.sim, 0)->uclk_hz, static_cast<double>(machine.get(0xc09)));
	expect_near(sim_traffic(machine.sim, 0)->dclk_hz,
		    static_cast<double>(machine.config(0x3cb4, 0xd0, 64)));
	machine.set_config(0x3cb4, 0xf0, 1u << 19);
	EXPECT_EQ(0u, machine.config(0x3cb4, 0xd0, 64));
	EXPECT_EQ(0u, machine.config(0x3cb4, 0xf0));
}

TEST(SimBox, CountersWrapAtTheirWidth)
{
	Machine machine;

	machine.set(0xd16, ~0ull);
	EXPECT_EQ((1ull << 44) - 1, machine.get(0xd16));
	machine.set(0xc36, ~0ull);
	EXPECT_EQ((1ull << 48) - 1, machine.get(0xc36));
	machine.set(0xd10, event(0) | kEnable);
	sim_advance(machine.sim, 1000);
	machine.set(0xd10, 0);
	EXPECT_EQ(static_cast<uint64_t>(sim_traffic(machine.sim, 0)->uclk_hz * 1e-6) - 1,
		  machine.get(0xd16));
}

TEST(SimBox, FractionsAreNeverLost)
{
	Machine often, once;
	uint64_t control = event(0x04, 3);

	once.set_config(0x3cb0, 0xd8, control | kEnable);
	often.set_config(0x3cb0, 0xd8, control | kEnable);
	sim_advance(once.sim, 7 * 100003);
	for (int i = 0; i < 100003; i++) {
		sim_advance(often.sim, 7);
		often.config(0x3cb0, 0xa0);
	}
	EXPECT_EQ(once.config(0x3cb0, 0xa0, 64), often.config(0x3cb0, 0xa0, 64));
	EXPECT_GT(once.config(0x3cb0, 0xa0, 64), 0u);
}

TEST(SimBox, CountersOfTheSameEventAgree)
{
	Machine machine;

	machine.set_config(0x3c46, kBoxControl, kInit);
	for (unsigned i = 0; i < 4; i++)
		machine.set_config(0x3c46, 0xd8 + 4 * i, event(1, 3) | kEnable);
	machine.set_config(0x3c46, kBoxControl, kRun);
	sim_advance(machine.sim, 123456789);
	uint64_t first = machine.config(0x3c46, 0xa0, 64);
	EXPECT_GT(first, 0u);
	for (unsigned i = 1; i < 4; i++)
		EXPECT_EQ(first, machine.config(0x3c46, 0xa0 + 8 * i, 64));
}

// ---- what may be counted where ----

TEST(SimRestriction, EventOnAForbiddenCounterCountsNothing)
{
	Machine machine;
	const struct {
		uint64_t control;
		unsigned allowed;
	} cases[] = {
		{event(0x00), 0xf},    {event(0x36, 8), 0x1},  {event(0x11, 1), 0x1},
		{event(0x1b, 1), 0xc}, {event(0x1e, 15), 0xc}, {event(0x35, 4), 0x3},
		{event(0x04), 0x3},    {event(0x13, 1), 0x3},  {event(0x37, 1), 0x3},
	};

	for (const auto &c : cases)
		for (unsigned i = 0; i < 4; i++)
			EXPECT_EQ((c.allowed >> i & 1) != 0,
				  machine.count_cbox(3, c.control, 0, i) > 0)
				<< std::hex << c.control << " on " << i;
	EXPECT_GT(machine.count(0x3c43, event(0x24), 0, kSecond, 0), 0u);
	EXPECT_EQ(0u, machine.count(0x3c43, event(0x24), 0, kSecond, 1));
	EXPECT_GT(machine.count(0x3c44, event(0x13, 8), 0, kSecond, 0), 0u);
	EXPECT_EQ(0u, machine.count(0x3c44, event(0x13, 8), 0, kSecond, 1));
	EXPECT_EQ(0u, machine.count(0x3c44, event(0x11, 8), 0, kSecond, 2));
}

TEST(SimRestriction, UnknownEventsAndUmasksCountNothing)
{
	Machine machine;

	EXPECT_EQ(0u, machine.count(0x3cb0, event(0x99)));
	EXPECT_EQ(0u, machine.count(0x3cb0, event(0x04, 0xf0)));
	EXPECT_EQ(0u, machine.count(0x3c41, event(0x0e)));
	EXPECT_GT(machine.count(0x3c41, event(0x10e)), 0u);
	EXPECT_TRUE(std::isnan(machine.rate("imc", 4, event(4, 3))));
}

TEST(SimRestriction, UpperCboxCountersAddAtMostOnePerCycle)
{
	Machine machine;
	double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	uint64_t wide = machine.count_cbox(0, event(0x21), 0, 0);
	uint64_t narrow = machine.count_cbox(0, event(0x21), 0, 1);

	expect_near(machine.rate("cbox", 0, event(0x21)), static_cast<double>(wide));
	EXPECT_LT(narrow, wide);
	expect_near(clock * sim_share_at_least(static_cast<double>(wide) / clock, 20, 1),
		    static_cast<double>(narrow));
}

} // namespace
