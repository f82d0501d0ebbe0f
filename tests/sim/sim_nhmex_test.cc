// SPDX-License-Identifier: BSD-3-Clause
// sim_nhmex_test.cc - the simulated Xeon 7500 and E7: the register map as literal
// numbers, and enables at three levels.
#include <cerrno>

#include "sim/sim.h"
#include "support/sim_nhmex.h"

namespace
{

using namespace support::nhmex;

TEST(SimNhmex, Machines)
{
	Machine nhm(kNhm), wsm(kWsm);
	struct sim *sim;
	char err[200];
	size_t n;

	EXPECT_EQ(6u, sim_id(nhm.sim).family);
	EXPECT_EQ(46u, sim_id(nhm.sim).model);
	EXPECT_EQ(47u, sim_id(wsm.sim).model);
	sim_cpus(nhm.sim, &n);
	EXPECT_EQ(16u, n);
	sim_cpus(wsm.sim, &n);
	EXPECT_EQ(20u, n);
	EXPECT_EQ(0, sim_open("wsmex:packages=8,cores=1", &sim, err, sizeof(err)));
	sim_close(sim);
	EXPECT_EQ(-EINVAL, sim_open("nhmex:cores=9", &sim, err, sizeof(err)));
	EXPECT_EQ(-EINVAL, sim_open("wsmex:cores=11", &sim, err, sizeof(err)));
	EXPECT_EQ(-EINVAL, sim_open("nhmex:packages=9", &sim, err, sizeof(err)));
}

TEST(SimNhmex, CboxesAreAtIrregularPlaces)
{
	static const uint32_t heads[] = {0xd00, 0xd80, 0xd40, 0xdc0, 0xd20,
					 0xda0, 0xd60, 0xde0, 0xf40, 0xfc0};
	Machine wsm(kWsm), nhm(kNhm);

	for (unsigned box = 0; box < 10; box++) {
		uint32_t head = heads[box];
		uint64_t expected =
			static_cast<uint64_t>(sim_rate(wsm.sim, 0, "cbox", box, wide(0x14, 7), 0));

		EXPECT_GT(expected, 0u);
		for (unsigned i = 0; i < 6; i++)
			EXPECT_NEAR(expected, wsm.second(head, wide(0x14, 7), i), 1) << box;
		EXPECT_EQ(0, wsm.try_get(head + 1));
		EXPECT_EQ(0, wsm.try_get(head + 2));
		EXPECT_EQ(-EIO, wsm.try_get(head + 3));
		EXPECT_EQ(-EIO, wsm.try_get(head + 0xf));
		EXPECT_EQ(-EIO, wsm.try_get(head + 0x1c));
		EXPECT_EQ(box < 8 ? 0 : -EIO, nhm.try_get(head));
	}
	// Boxes get different shares, which add up to the package.
	EXPECT_NE(wsm.second(0xd00, wide(0x14, 7)), wsm.second(0xd80, wide(0x14, 7)));
}

TEST(SimNhmex, OneCboxPerCore)
{
	Machine machine("nhmex:cores=3");

	EXPECT_EQ(0, machine.try_get(0xd40));    // C2
	EXPECT_EQ(-EIO, machine.try_get(0xdc0)); // C3
}

TEST(SimNhmex, BoxesOfTwo)
{
	static const uint32_t heads[][2] = {{0xc20, 4}, {0xc60, 4}, {0xc40, 4}, {0xcc0, 4},
					    {0xca0, 6}, {0xce0, 6}, {0xe00, 8}, {0xe20, 8},
					    {0xc80, 4}, {0xd00, 6}};
	Machine machine(kNhm);

	for (const auto &box : heads) {
		uint32_t head = box[0], n = box[1];

		EXPECT_EQ(0, machine.try_set(head, (1u << n) - 1)) << std::hex << head;
		EXPECT_EQ(-EIO, machine.try_set(head, 1u << n)) << std::hex << head;
		EXPECT_EQ((1u << n) - 1, machine.get(head));
		EXPECT_EQ(-EIO, machine.try_set(head + 1, 0)) << "read-only";
		EXPECT_EQ(0, machine.try_set(head + 2, (1u << n) - 1));
		EXPECT_EQ(-EIO, machine.try_set(head + 2, 1u << n));
		for (uint32_t i = 0; i < n; i++) {
			machine.set(head + 0x11 + 2 * i, 0xabc000 + i);
			EXPECT_EQ(0xabc000 + i, machine.get(head + 0x11 + 2 * i));
		}
	}
}

TEST(SimNhmex, ACounterNeedsThreeEnables)
{
	for (unsigned off = 0; off < 8; off++) {
		Machine machine(kNhm);

		machine.set(kGlobal, off & 1 ? 0 : kRun);
		machine.set(0xd00, off & 2 ? 0x3e : 1);
		machine.set(0xd10, off & 4 ? wide(0x14, 7) & ~kEnable : wide(0x14, 7));
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(off == 0, machine.get(0xd11) > 0) << off;
	}
}

TEST(SimNhmex, BMAndRControlsAreEnabledByBit0)
{
	static const uint32_t heads[] = {0xc20, 0xca0, 0xe00};
	static const uint64_t controls[] = {narrow(7), inc_sel(0x1b), narrow(0)};
	Machine machine(kNhm);

	machine.set(0xe04, 0x80000000); // IPERF_CFG0 of port 0: flits sent
	for (unsigned i = 0; i < 3; i++) {
		EXPECT_GT(machine.second(heads[i], controls[i]), 0u);
		EXPECT_EQ(0u, machine.second(heads[i], controls[i] - 1));
		EXPECT_EQ(-EIO, machine.try_set(heads[i] + 0x10, controls[i] | kEnable));
	}
}

TEST(SimNhmex, UboxHasItsEnableInTheGlobalControl)
{
	Machine machine(kNhm);

	machine.set(0xc10, wide(0xf9)); // IPIS_SENT
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0xc11));
	machine.set(kGlobal, kRun | kUbox);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(machine.traffic().interrupts * 0.53, machine.get(0xc11), 1);
	EXPECT_EQ(-EIO, machine.try_get(0xc12));
}

TEST(SimNhmex, FixedCounter)
{
	Machine machine(kNhm);
	double clock = machine.traffic().uclk_hz;

	machine.set(kGlobal, kRun);
	machine.set(0x395, 1);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0x394));
	machine.set(0xc80, UINT64_C(1) << 31);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(clock, machine.get(0x394), 1);
	machine.set(0x395, 0);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(clock, machine.get(0x394), 1);
	EXPECT_EQ(-EIO, machine.try_set(0x395, 4));
	EXPECT_EQ(-EIO, machine.try_get(0x396));
	EXPECT_EQ(-EIO, machine.try_get(0x393));
}

TEST(SimNhmex, GlobalEnableFreezesEverything)
{
	Machine machine(kNhm);
	uint64_t c, m;

	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x15, 0xf));
	machine.set(0xca0, 1);
	machine.set(0xcb0, inc_sel(0x1b));
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond / 3);
	machine.set(kGlobal, 0);
	c = machine.get(0xd11);
	m = machine.get(0xcb1);
	EXPECT_GT(c, 0u);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(c, machine.get(0xd11));
	EXPECT_EQ(m, machine.get(0xcb1));
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_NEAR(machine.traffic().dclk_hz, machine.get(0xcb1) - m, 1);
}

TEST(SimNhmex, ResetAllClearsCountersAndHasToBeTakenBack)
{
	Machine machine(kNhm);

	for (uint32_t counter : {0xc11u, 0xd11u, 0xdfbu, 0xc31u, 0xce1u + 0x10, 0xe3fu, 0x394u})
		machine.set(counter, 77);
	machine.set(0xd00, 1);
	machine.set(0xd10, wide(0x14, 7));
	machine.set(kGlobal, kResetAll);
	EXPECT_EQ(kResetAll, machine.get(kGlobal));
	for (uint32_t counter : {0xc11u, 0xd11u, 0xdfbu, 0xc31u, 0xce1u + 0x10, 0xe3fu, 0x394u})
		EXPECT_EQ(0u, machine.get(counter)) << std::hex << counter;
	EXPECT_EQ(wide(0x14, 7), machine.get(0xd10)) << "controls stay";
	machine.set(0xd11, 1000);
	machine.set(kGlobal, kRun | kResetAll);
	EXPECT_EQ(0u, machine.get(0xd11));
	machine.set(0xd11, 1000);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(1000u, machine.get(0xd11)) << "held until rst_all is 0";
	machine.set(kGlobal, kRun);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.get(0xd11), 1000u);
	machine.set(0xd11, 5, 1);
	machine.set(kGlobal, kResetAll);
	EXPECT_EQ(5u, machine.get(0xd11, 1)) << "the other package";
}

} // namespace
