// SPDX-License-Identifier: BSD-3-Clause
// sim_platform_units_test.cc - the simulated Xeons after SNB-EP: units, counters and
// registers that only some of them have.
#include <cerrno>
#include <string>

#include "support/sim_platform_box.h"

namespace
{

using namespace support::platforms;

// ---- what only some platforms have ----

TEST(SimHaswell, SboxTakesOneBitAtATime)
{
	for (const char *name : {"hswep", "bdx"}) {
		Machine machine(name);

		EXPECT_EQ(-EIO, machine.try_set(0x720, 0x3));
		EXPECT_EQ(-EIO, machine.try_set(0x720, 0x10003));
		EXPECT_EQ(0, machine.try_set(0x720, 0x1));
		EXPECT_EQ(0, machine.try_set(0x720, 0x3));
		EXPECT_EQ(0, machine.try_set(0x720, 0x10003));
		EXPECT_EQ(0x10000u, machine.get(0x720));
		EXPECT_EQ(0, machine.try_set(0x720, 0x10100));
		EXPECT_EQ(0, machine.try_set(0xe00, 0x10003));
	}
}

TEST(SimHaswell, SboxCountIsInCapid4)
{
	const struct {
		const char *spec;
		uint32_t device;
		unsigned n;
	} cases[] = {{"hswep:cores=8", 0x2fc0, 2},
		     {"hswep:cores=9", 0x2fc0, 4},
		     {"bdx:cores=8", 0x6fc0, 0},
		     {"bdx:cores=24", 0x6fc0, 4}};
	uint64_t value;

	for (const auto &c : cases) {
		Machine machine(c.spec);
		const sim_pci &pci = machine.function(c.device, at(0, 30, 3).devfn);

		EXPECT_EQ(c.n == 4, (machine.config(pci, 0x94) >> 6 & 3) != 0) << c.spec;
		for (unsigned i = 0; i < 5; i++)
			EXPECT_EQ(i < c.n ? 0 : -EIO,
				  sim_msr_read(machine.sim, 0, 0x721 + 0xa * i, &value));
	}
}

TEST(SimHaswell, UboxHasAFilter)
{
	Machine machine("hswep");

	machine.set(0x707, 0x3f);
	EXPECT_EQ(0x3fu, machine.get(0x707));
	EXPECT_EQ(-EIO, machine.try_set(0x707, 0x40));
}

TEST(SimIrp, SecondHalfIsAnotherUnit)
{
	const struct {
		const char *name;
		uint32_t device, third;
		unsigned event;
	} cases[] = {{"ivbep", 0x0e39, 0xb8, 0x0215}, {"bdx", 0x6f39, 0xb0, 0x0216}};

	for (const auto &c : cases) {
		Machine machine(std::string(c.name) + ":time=virtual");
		const sim_pci &pci = machine.function(c.device, at(0, 5, 6).devfn);
		double both = machine.rate("irp", 0, c.event);

		machine.set_config(pci, 0xd8, c.event | kEnable);
		machine.set_config(pci, 0xe0, c.event | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(both * 9 / 16, machine.config(pci, 0xa0, 64));
		expect_near(both * 7 / 16, machine.config(pci, c.third, 64));
	}
}

TEST(SimFixed, CountersCountTheClock)
{
	Machine machine("knl:time=virtual");
	const sim_pci &edc = machine.function(0x7835, at(0, 31, 2).devfn);
	const sim_pci &mc = machine.function(0x7841, at(0, 11, 0).devfn);

	machine.set_config(edc, 0xa44, kEnable); // not the bit here
	machine.set_config(mc, 0x454, 1);
	machine.set(0x703, kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.config(edc, 0xa3c, 64));
	expect_near(machine.rate("imc_uclk", 1, 0), machine.config(mc, 0x44c, 64));
	expect_near(machine.rate("ubox", 0, 0), machine.get(0x704));
	machine.set_config(mc, 0x430, 0x10100);
	uint64_t frozen = machine.config(mc, 0x44c, 64);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(frozen, machine.config(mc, 0x44c, 64));
	machine.set_config(mc, 0x430, 0);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.config(mc, 0x44c, 64), frozen);
}

TEST(SimCha, CountIsInTheCapabilities)
{
	const auto ones = [](uint64_t value) { return __builtin_popcountll(value); };
	uint64_t value;

	for (int cores : {4, 20, 28}) {
		Machine machine("skx:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x2083, at(0, 30, 3).devfn);

		EXPECT_EQ(cores, ones(machine.config(pci, 0x9c) & 0xfffffff));
		EXPECT_EQ(cores, static_cast<int>(machine.get(0x702) & 0x3f));
		EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0,
					     0xe01 + 0x10 * static_cast<uint32_t>(cores), &value));
	}
	for (int cores : {8, 32, 38, 40}) {
		Machine machine("icx:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x345b, at(0, 30, 3).devfn);

		EXPECT_EQ(cores, ones(machine.config(pci, 0x9c) | machine.config(pci, 0xa0) << 32));
		EXPECT_EQ(cores > 34 ? 0 : -EIO, sim_msr_read(machine.sim, 0, 0xb60, &value));
	}
	// Every part has 38, of which those of disabled tiles serve lines, too.
	for (int cores : {4, 64, 68, 72}) {
		Machine machine("knl:cores=" + std::to_string(cores));

		EXPECT_EQ(38u, machine.get(0x702) & 0x3f);
		EXPECT_LT(0, machine.rate("cha", 37, 0x0335, UINT64_C(0x2b) << 32));
	}
}

TEST(SimUpi, ControlIsTwoDwords)
{
	for (const char *name : {"skx", "icx"}) {
		Machine machine(std::string(name) + ":time=virtual");
		const bool old = std::string(name) == "skx";
		const sim_pci &pci = old ? machine.function(0x2058, at(0, 15, 0).devfn)
					 : machine.function(0x3441, at(0, 3, 1).devfn);
		const uint64_t control = UINT64_C(0x10) << 32 | 0x0105;

		machine.set_config(pci, 0x354, 0xffffffff);
		EXPECT_EQ(old ? 0xffefffu : 0xffffffu, machine.config(pci, 0x354));
		machine.set_config(pci, 0x354, control >> 32);
		machine.set_config(pci, 0x350, (control & 0xffffffff) | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("upi", 1, control),
			    machine.config(pci, old ? 0x318 : 0x320, 64));
		EXPECT_NE(machine.rate("upi", 1, control), machine.rate("upi", 1, 0x0105));
	}
}

TEST(SimUpi, NineSlotsPerLineThatCrosses)
{
	Machine machine("skx");
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const struct sim_traffic &other = *sim_traffic(machine.sim, 1);
	double sent = 0, received = 0;

	for (unsigned port = 0; port < 3; port++) {
		sent += machine.rate("upi", port, 0x0f02, 0, 1);
		received += machine.rate("upi", port, 0x0f03);
	}
	EXPECT_NEAR(sent, received, 1);
	EXPECT_NEAR(9 * (own.reads * own.remote_reads + other.writes * other.remote_writes +
			 other.noncoherent),
		    received, 1);
}

TEST(SimFree, CountersRunAlwaysAndCannotBeWritten)
{
	Machine machine("skx:time=virtual");

	machine.set(0x700, UINT64_C(1) << 63);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 2, 1), machine.get(0xa45 + 0x40));
	EXPECT_EQ(-EIO, machine.try_set(0xa45, 0));
	EXPECT_EQ(-EIO, machine.try_set(0xb00, 0));
	// In dwords, as DATA_REQ_OF_CPU.MEM_WRITE on the same port.
	expect_near(machine.rate("iio", 3, UINT64_C(0x7020) << 32 | 0x0183),
		    machine.get(0xb01 + 0x30));
	expect_near(machine.rate("iio", 3, UINT64_C(0x7010) << 32 | 0x0483),
		    machine.get(0xb04 + 0x30));
	EXPECT_GT(machine.get(0xb0f + 0x50), 0u);
	sim_advance(machine.sim, 40 * kSecond);
	EXPECT_LT(machine.get(0xa45), UINT64_C(1) << 36);
}

TEST(SimFree, IcxHasThemForPortsAndControllers)
{
	Machine machine("icx:time=virtual");
	double reads = 0, writes = 0;

	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 4, 1), machine.get(0xa55 + 0xb0));
	// 32 bytes against 4.
	EXPECT_NEAR(machine.rate("iio", 5, UINT64_C(0x70800) << 32 | 0x0183) / 8,
		    static_cast<double>(machine.get(0xaa7 + 0xb0)), 2);
	for (unsigned i : {3u, 4u}) {
		reads += machine.rate("imc", i, 0x0f04);
		writes += machine.rate("imc", i, 0x3004);
	}
	expect_near(reads, machine.mmio(machine.channel(3, 0, 0x2290)));
	expect_near(writes, machine.mmio(machine.channel(3, 0, 0x2298)));
	expect_near(machine.rate("imc", 0, 0), machine.mmio(machine.channel(3, 0, 0x22b0)));
	EXPECT_EQ(0u, machine.mmio(machine.channel(3, 0, 0x22a0)));
}

TEST(SimMmio, ReachesOnlyTheControllersOfItsPackage)
{
	Machine machine("icx:time=virtual"), older("skx");
	uint64_t value, here = machine.channel(0, 0), hidden = machine.channel(0, 1);

	ASSERT_NE(here, hidden);
	EXPECT_EQ(-ENODEV, sim_mmio_read(older.sim, 0, here, 32, &value));
	EXPECT_EQ(-ENODEV, sim_mmio_read(machine.sim, 2, here, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, hidden, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_write(machine.sim, 0, 0x1000, 32, 0));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here, 16, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here + 4, 64, &value));
	EXPECT_EQ(0u, machine.mmio(here + 0x60, 32));
}

TEST(SimMmio, FixedCounterAndEmptyChannel)
{
	Machine machine("icx:time=virtual");
	uint64_t channel = machine.channel(7, 1), empty = machine.channel(8, 1);

	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel + 0x54, 32, kEnable));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, empty + 0x54, 32, kEnable));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("imc", 7, 0, 0, 1), machine.mmio(channel + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(empty + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(empty + 0x54, 32, 1));
}

} // namespace
