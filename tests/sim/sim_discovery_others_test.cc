// SPDX-License-Identifier: BSD-3-Clause
// sim_discovery_others_test.cc - the simulated Emerald Rapids, Granite Rapids and Sierra
// Forest: in what they differ.
#include <cerrno>
#include <set>
#include <stdexcept>
#include <string>

#include "support/sim_discovery.h"

namespace
{

using namespace support::discovery;

// ---- emerald rapids ----

TEST(SimEmr, IdsOfChasHaveGaps)
{
	Machine machine("emr");
	const sim_pci &pci = machine.function(0x325b, 30 << 3 | 3);
	unsigned n = 0, last = 0;

	for (const Unit &unit : machine.units()) {
		if (unit.type != 0)
			continue;
		EXPECT_EQ(0x2000u + 0x10 * unit.id, unit.address);
		EXPECT_NE(12u, unit.id);
		last = unit.id;
		n++;
	}
	EXPECT_EQ(64u, n);
	EXPECT_EQ(66u, last);
	EXPECT_EQ(0u, machine.get(0x2ffe));
	EXPECT_EQ(64, __builtin_popcountll(machine.dword(pci, 0x9c)) +
			      __builtin_popcountll(machine.dword(pci, 0xa0)));
	uint64_t value;
	EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0, 0x20c0, &value));
}

TEST(SimEmr, LinksAreInTheTableAndWhereTheFixedDevicesAre)
{
	Machine machine("emr");

	for (unsigned link = 0; link < 4; link++) {
		const sim_pci &upi = machine.function(0x3241, (1 + link) << 3 | 1, 1);
		const sim_pci &m3 = machine.function(0x3246, (5 + link) << 3 | 1, 1);
		const auto packed = [](const sim_pci &pci, unsigned offset) {
			return static_cast<uint64_t>(pci.bus) << 20 | pci.devfn << 12 | offset;
		};

		EXPECT_EQ(packed(upi, 0x318), machine.unit(8, link, 1).address);
		EXPECT_EQ(packed(m3, 0xa0), machine.unit(9, link, 1).address);
	}
}

TEST(SimEmr, EverythingIsBelow4GiB)
{
	Machine machine("emr");
	const sim_pci portal = machine.portals(1).at(0);

	EXPECT_EQ(0u, machine.dword(portal, 0x14) & 0xf) << "32 bits";
	EXPECT_EQ(0u, machine.dword(portal, 0x10));
	for (const Unit &unit : machine.units(1))
		EXPECT_EQ(0u, unit.address >> 32);
}

TEST(SimEmr, NodesMayBeUnknown)
{
	size_t n;

	for (const char *spec : {"emr:numa=no", "emr:numa=yes", "emr"}) {
		Machine machine(spec);
		const sim_pci *all = sim_pci_devices(machine.sim, &n);

		for (size_t i = 0; i < n; i++)
			if (all[i].device == 0x09a7) {
				EXPECT_EQ(std::string(spec) == "emr:numa=no",
					  all[i].numa_node == -1);
			}
	}
	EXPECT_THROW(Machine("emr:numa=-1"), std::runtime_error);
}

// ---- granite rapids, sierra forest ----

TEST(SimGnr, PackagesAreInSegmentsOfTheirOwn)
{
	Machine gnr("gnr:packages=3"), srf("srf");
	std::set<uint64_t> places;

	for (unsigned package = 0; package < 3; package++)
		for (unsigned rank = 0; rank < 12; rank++) {
			uint64_t address = gnr.unit(16, rank, package).address;

			EXPECT_EQ(package, address >> 28 & 7);
			EXPECT_EQ(1u, address >> 31);
			EXPECT_EQ(0x438u, address & 0xfff);
			EXPECT_EQ(0xffu, address >> 20 & 0xff) << "the same bus in all";
			places.insert(address);
		}
	EXPECT_EQ(36u, places.size());
	EXPECT_EQ(0u, srf.unit(16, 0, 1).address >> 31);
}

// Three dies with cores, in the first table, and two for I/O.
TEST(SimGnr, EachDieHasAPcu)
{
	const std::vector<unsigned> expected[] = {{0, 1, 2}, {3, 4}};
	Machine machine("gnr");

	for (unsigned n = 0; n < 2; n++) {
		std::vector<unsigned> pcus;

		for (const Unit &unit : machine.table(machine.portals(0)[n], 0).units)
			if (unit.type == 4)
				pcus.push_back(unit.id);
		EXPECT_EQ(expected[n], pcus);
	}
}

// Each PCU reports the cores of its own die, and the slices of a die have a clock of their own.
TEST(SimGnr, DiesHaveCoresAndClocksOfTheirOwn)
{
	Machine machine("gnr:cores=8,packages=1,time=virtual");
	const struct sim_traffic *t = sim_traffic(machine.sim, 0);
	const double cores[] = {3, 3, 2, 0, 0};
	std::set<double> clocks;

	for (unsigned i = 0; i < 5; i++)
		EXPECT_NEAR(cores[i] * t->core_c0 * t->pclk_hz,
			    sim_rate(machine.sim, 0, "pcu", i, 0x35, 0), 1);
	for (unsigned i = 0; i < 8; i++)
		clocks.insert(sim_rate(machine.sim, 0, "cha", i, 0x01, 0));
	EXPECT_EQ(3u, clocks.size());
	EXPECT_EQ(0u, clocks.count(t->uclk_hz)) << "that is the clock of the I/O dies";
}

TEST(SimGnr, UBoxClockIsBelowItsControl)
{
	Machine machine("gnr:time=virtual");

	machine.set(0x3ffe, kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.get(0x3ffd)) << "frozen out of reset";
	machine.set(0x3fd0, 0);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 0, 1), machine.get(0x3ffd));
	EXPECT_EQ(120u, machine.get(0x3fed) & 0x1ff);
}

TEST(SimGnr, FreeRunningCountersOfPorts)
{
	Machine machine("gnr:time=virtual");

	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 15, 1), machine.get(0x290e + 0xf0));
	// 32 bytes against 4.
	EXPECT_NEAR(machine.rate("iio", 3, UINT64_C(0x70400) << 32 | 0x0183) / 8,
		    static_cast<double>(machine.get(0x360e + 3 * 0x80 + 6 * 0x10)), 2);
	EXPECT_NEAR(machine.rate("iio", 3, UINT64_C(0x70400) << 32 | 0x0483) / 8,
		    static_cast<double>(machine.get(0x2e0e + 3 * 0x80 + 6 * 0x10)), 2);
	EXPECT_EQ(-EIO, machine.try_set(0x2e0e, 0));
}

TEST(SimSrf, ChasReachUpToTheStacks)
{
	Machine machine("srf:time=virtual");
	Unit last = machine.unit(0, 143), stack = machine.unit(1, 0);

	EXPECT_EQ(0x28f0u, last.address);
	EXPECT_EQ(0x2900u, stack.address);
	machine.set(0x28fe, 0x3ff);
	EXPECT_EQ(0x3ffu, machine.get(0x28fe));
	for (const Unit &unit : machine.units())
		if (unit.type == 0) {
			EXPECT_GT(machine.rate("cha", unit.rank, 0x0350), 0) << unit.rank;
		}
}

} // namespace
