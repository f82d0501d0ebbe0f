// SPDX-License-Identifier: BSD-3-Clause
// sim_discovery_spr_test.cc - the simulated Sapphire Rapids: what docs/hardware/spr.md and
// docs/hardware/discovery.md describe its registers, as literal numbers.
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <string>

#include "support/sim_discovery.h"

namespace
{

using namespace support::discovery;

TEST(SimSpr, MemoryControllersAreTheWorkedExample)
{
	// docs/hardware/discovery.md, "A worked example"
	const uint64_t addresses[] = {0xc8aa2800, 0xc8aaa800, 0xc8b22800, 0xc8b2a800,
				      0xc8ba2800, 0xc8baa800, 0xc8c22800, 0xc8c2a800};
	Machine machine("spr");
	unsigned n = 0;

	for (const Unit &unit : machine.units()) {
		if (unit.type != 6)
			continue;
		ASSERT_LT(n, 8u);
		EXPECT_EQ(n, unit.id);
		EXPECT_EQ(addresses[n++], unit.address);
		EXPECT_EQ(kMmio, static_cast<Access>(unit.access));
		EXPECT_EQ(48u, unit.width);
		EXPECT_EQ(4u, unit.counters);
		EXPECT_EQ(64u, unit.control_offset);
		EXPECT_EQ(8u, unit.counter_offset);
	}
	EXPECT_EQ(8u, n);
}

TEST(SimSpr, UnitsByMsrAreWhereTheFactsSay)
{
	Machine machine("spr");

	for (const Unit &unit : machine.units()) {
		const uint64_t first = unit.type == 0 ? 0x2000 : unit.type == 1 ? 0x3000 : 0x3400;

		if (unit.type > 2)
			continue;
		EXPECT_EQ(first + 0x10 * unit.id, unit.address);
		EXPECT_EQ(2u, unit.control_offset);
		EXPECT_EQ(8u, unit.counter_offset);
	}
	EXPECT_EQ(0x2fd0u, machine.unit(5, 0).address);
}

TEST(SimSpr, RecordsOfTheLinksAreUnusable)
{
	Machine machine("spr:time=virtual");
	unsigned n = 0;
	uint64_t value;

	for (const Unit &unit : machine.units()) {
		if (unit.type != 8 && unit.type != 9)
			continue;
		EXPECT_EQ(kPci, static_cast<Access>(unit.access));
		int err = sim_pci_write(machine.sim, unit.address >> 28 & 7,
					unit.address >> 20 & 0xff, unit.address >> 12 & 0xff,
					(unit.address & 0xfff) + unit.control_offset, 32, 0x55);

		value = 0;
		if (err == 0) {
			EXPECT_EQ(0,
				  sim_pci_read(machine.sim, unit.address >> 28 & 7,
					       unit.address >> 20 & 0xff, unit.address >> 12 & 0xff,
					       (unit.address & 0xfff) + unit.control_offset, 32,
					       &value));
		}
		EXPECT_EQ(0u, value) << "nothing there";
		n++;
	}
	EXPECT_EQ(4u, n) << "those that are not skipped as empty";
	for (unsigned link = 0; link < 4; link++) {
		const sim_pci &upi = machine.function(0x3241, (1 + link) << 3 | 1);
		const sim_pci &m3 = machine.function(0x3246, (5 + link) << 3 | 1);

		machine.set_dword(upi, 0x318, 0x300);
		machine.set_dword(upi, 0x354, 0);
		machine.set_dword(upi, 0x350, 0x0f02);
		machine.set_dword(m3, 0xe0, 0x01, 64);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("upi", link, 0x0f02), machine.dword(upi, 0x320, 64));
		EXPECT_GT(machine.dword(upi, 0x320, 64), 0u);
		expect_near(machine.rate("m3upi", link, 0x01), machine.dword(m3, 0xb0, 64));
		machine.set_dword(upi, 0x318, 1);
		machine.set_dword(m3, 0xa0, 1);
	}
}

TEST(SimSpr, ChaCountIsInMsrCapabilitiesAndTable)
{
	for (unsigned cores : {1u, 32u, 56u, 60u}) {
		Machine machine("spr:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x325b, 30 << 3 | 3);
		unsigned n = 0;

		for (const Unit &unit : machine.units())
			n += unit.type == 0 ? 1 : 0;
		EXPECT_EQ(cores, n);
		EXPECT_EQ(cores, machine.get(0x2ffe));
		EXPECT_EQ(cores,
			  static_cast<unsigned>(__builtin_popcountll(machine.dword(pci, 0x9c)) +
						__builtin_popcountll(machine.dword(pci, 0xa0))));
	}
}

TEST(SimSpr, FixedCounters)
{
	Machine machine("spr:time=virtual");
	const uint64_t channel = machine.unit(6, 5, 1).address;

	machine.set(0x2fde, kEnable);
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel + 0x54, 32, kEnable | kOverflow));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 0, 1), machine.get(0x2fdf));
	expect_near(machine.rate("imc", 5, 0x0101, 0, 1), machine.mmio(channel + 0x38, 64, 1));
	EXPECT_NEAR(machine.rate("imc", 5, 0x0101), 2 * machine.rate("imc", 5, 0x0001), 2);
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel, 32, 0x301));
	EXPECT_EQ(0u, machine.mmio(channel + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(channel + 0x54, 32, 1));
}

TEST(SimSpr, FreeRunningCounters)
{
	Machine machine("spr:time=virtual");
	const sim_pci &pci = machine.function(0x3251, 1);
	const uint64_t base = ((machine.dword(pci, 0xd0) & 0x1fffffff) << 23) +
			      ((machine.dword(pci, 0xd8 + 4 * 2) & 0x7ff) << 12);

	EXPECT_EQ(0xc8b80000u, base);
	machine.set(0x2ff0, 1);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 7, 1), machine.get(0x340e + 0x70));
	// 32 bytes against 4.
	EXPECT_NEAR(machine.rate("iio", 3, UINT64_C(0x70400) << 32 | 0x0183) / 8,
		    static_cast<double>(machine.get(0x3806 + 0x30)), 2);
	EXPECT_GT(machine.get(0x3808 + 0x30), machine.get(0x380f + 0x30));
	EXPECT_EQ(-EIO, machine.try_set(0x3808, 0));
	expect_near(machine.rate("imc", 4, 0x0101), machine.mmio(base + 0x22b0));
	EXPECT_NEAR(machine.rate("imc", 4, 0x80) + machine.rate("imc", 4, 0x81) +
			    machine.rate("imc", 5, 0x80) + machine.rate("imc", 5, 0x81),
		    static_cast<double>(machine.mmio(base + 0x2318)), 5);
	EXPECT_GT(machine.mmio(base + 0x2320), 0u);
}

TEST(SimSpr, UmaskExtensionInTheUpperHalf)
{
	Machine machine("spr:time=virtual");
	Registers m2m(machine, machine.unit(7, 2)), cxl(machine, machine.unit(12, 1));

	m2m.set(m2m.control_at(3) + 4, 1, 32);
	m2m.set(m2m.control_at(3), 0x0424, 32);
	EXPECT_EQ(UINT64_C(1) << 32 | 0x0424, m2m.control(3));
	m2m.control(2, UINT64_C(2) << 32 | 0x0424);
	m2m.control(1, UINT64_C(3) << 32 | 0x0424);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(m2m.counter(3), m2m.counter(2));
	EXPECT_NEAR(static_cast<double>(m2m.counter(1)),
		    static_cast<double>(m2m.counter(2) + m2m.counter(3)), 2);
	cxl.control(7, kOnes);
	EXPECT_EQ(0x00ffffffffd4ffffu, cxl.control(7));
}

// docs/hardware/spr.md, "Registers": 0x9000 between controllers, 0x4000 between their channels.
TEST(SimSpr, HighBandwidthMemoryIfAskedFor)
{
	Machine machine("spr:hbm=yes,time=virtual");
	const uint64_t first = 0xc8800000 + 0x141c00;
	double lines = 0, all = 0;
	unsigned n = 0;

	for (const Unit &unit : machine.units()) {
		if (unit.type == 6)
			all += machine.rate("imc", unit.rank, 0xff05);
		if (unit.type != 14)
			continue;
		EXPECT_EQ(first + n / 2 * 0x9000 + n % 2 * 0x4000, unit.address);
		EXPECT_EQ(n++, unit.id);
		Registers(machine, unit).control(2, 0xff05);
		lines += machine.rate("hbm", unit.rank, 0xff05);
	}
	EXPECT_EQ(32u, n);
	EXPECT_NEAR(all / 2, lines, all / 1000);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("hbm", 9, 0xff05),
		    Registers(machine, machine.unit(14, 9)).counter(2));
	EXPECT_THROW(Machine("spr").unit(14, 0), std::runtime_error);
	EXPECT_THROW(Machine("emr:hbm=yes"), std::runtime_error);
	EXPECT_THROW(Machine("spr:hbm=16"), std::runtime_error);
}

// ... and of devices 12 to 15 function 0 is DDR, 1 to 4 are HBM.
TEST(SimSpr, TheInterfacesOfHighBandwidthMemoryAreFunctionsNextToThoseOfDdr)
{
	Machine machine("spr:hbm=yes,time=virtual");
	const uint64_t reads = UINT64_C(3) << 32 | 0x0424;
	double ddr = 0, hbm = 0;
	unsigned n[5] = {};

	for (const Unit &unit : machine.units()) {
		const uint64_t function = unit.address >> 12 & 7, device = unit.address >> 15 & 31;

		if (unit.type != 7)
			continue;
		ASSERT_GT(5u, function);
		EXPECT_EQ(12 + n[function]++, device);
		Registers(machine, unit).control(1, reads);
		if (function == 0)
			ddr += machine.rate("m2m", unit.rank, reads);
		else
			hbm += machine.rate("m2hbm", unit.rank - 4, reads);
	}
	for (unsigned each : n)
		EXPECT_EQ(4u, each);
	EXPECT_NEAR(ddr / 2, hbm, ddr / 1000);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("m2hbm", 9, reads),
		    Registers(machine, machine.unit(7, 13)).counter(1));
}

// ---- memory ----

TEST(SimTable, IsOnlyReadAndOnlyInItsPackage)
{
	Machine machine("spr");
	const uint64_t here = machine.table(machine.portals(0)[0], 0).bar;
	const uint64_t hidden = machine.table(machine.portals(1)[0], 1).bar;
	const uint64_t first = machine.mmio(here);
	uint64_t value;

	EXPECT_GT(here, UINT64_C(1) << 32) << "a BAR of 64 bits";
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, here, 64, 0));
	EXPECT_EQ(first, machine.mmio(here));
	EXPECT_EQ(first & 0xffffffff, machine.mmio(here, 32));
	EXPECT_EQ(first >> 32, machine.mmio(here + 4, 32));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, hidden, 64, &value));
	EXPECT_EQ(-ENODEV, sim_mmio_read(machine.sim, 2, here, 64, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here + 4, 64, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here, 16, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, here + 0x20000, 64, &value));
}

TEST(SimMemoryUnit, WidthsOfAccesses)
{
	Machine machine("spr");
	const uint64_t a = 0xc8aa2800;
	uint64_t value;

	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a, 32, 1));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a + 0x44, 32, 0xcf05));
	EXPECT_EQ(0u, machine.mmio(a + 0x40, 32));
	EXPECT_EQ(UINT64_C(0xcf05) << 32, machine.mmio(a + 0x40)) << "two controls";
	EXPECT_EQ(0xcf05u, machine.mmio(a + 0x44, 32));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a + 0x10, 64, 0x123456789abc));
	EXPECT_EQ(0x56789abcu, machine.mmio(a + 0x10, 32));
	EXPECT_EQ(0x1234u, machine.mmio(a + 0x14, 32));
	EXPECT_EQ(0u, machine.mmio(a + 0x100, 32));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, a + 0x1000, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 1, a, 32, &value));
}

} // namespace
