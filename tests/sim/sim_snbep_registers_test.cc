// SPDX-License-Identifier: BSD-3-Clause
// sim_snbep_registers_test.cc - the simulated Xeon on its own: what it is built of
// and its register space.
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "support/sim_snbep.h"

namespace
{

using namespace support::snbep;

// ---- building a machine ----

TEST(SimOpen, SaysWhatIsWrongWithASpec)
{
	struct sim *machine;
	char err[200];

	EXPECT_EQ(-ENODEV, sim_open("z80", &machine, err, sizeof(err)));
	EXPECT_EQ(err, strstr(err, "unknown simulated platform \"z80\": use one of "));
	EXPECT_NE(nullptr, strstr(err, " snbep, "));
	EXPECT_EQ(nullptr, machine);
	for (const char *spec : {"snbep:packages=9", "snbep:packages=0", "snbep:cores=x",
				 "snbep:cores=", "snbep:time=soon", "snbep:hide=zz",
				 "snbep:colour=red", "snbep:cores"}) {
		err[0] = '\0';
		EXPECT_EQ(-EINVAL, sim_open(spec, &machine, err, sizeof(err))) << spec;
		EXPECT_STRNE("", err) << spec;
	}
}

TEST(SimOpen, BuildsCpusOfEveryPackage)
{
	Machine machine("packages=3,cores=5,time=virtual");
	size_t n;
	const sim_cpu *cpus = sim_cpus(machine.sim, &n);

	ASSERT_EQ(15u, n);
	EXPECT_EQ(7u, cpus[7].id);
	EXPECT_EQ(1u, cpus[7].package);
	EXPECT_EQ(2u, cpus[7].core);
	EXPECT_EQ(45u, sim_id(machine.sim).model);
}

TEST(SimOpen, PutsEachPackageOnTheTopBusOfItsRange)
{
	Machine two("packages=2"), eight("packages=8");

	EXPECT_EQ(0x7f, two.function(0x3ce0, 0).bus);
	EXPECT_EQ(0xff, two.function(0x3ce0, 1).bus);
	EXPECT_EQ(0x1f, eight.function(0x3ce0, 0).bus);
	EXPECT_EQ(0xdf, eight.function(0x3ce0, 6).bus);
	EXPECT_EQ(16 << 3 | 4, two.function(0x3cb4).devfn);
}

TEST(SimOpen, HidesDevices)
{
	Machine machine("hide=3c86,hide=3cb5");
	uint64_t value;

	EXPECT_THROW(machine.function(0x3c86), std::runtime_error);
	EXPECT_THROW(machine.function(0x3cb5), std::runtime_error);
	EXPECT_EQ(0x96, machine.function(0x3c96).device & 0xff);
	EXPECT_EQ(-ENODEV, sim_pci_read(machine.sim, 0, 0x7f, 8 << 3 | 6, 0, 32, &value));
}

// ---- the register space ----

TEST(SimMsr, UnknownOnesFail)
{
	Machine machine;
	uint64_t value;

	for (uint32_t msr : {0u, 0x10u, 0xc00u, 0xc12u, 0xc15u, 0xc18u, 0xd05u, 0xd1au, 0xe04u})
		EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0, msr, &value)) << std::hex << msr;
	EXPECT_EQ(-EIO, sim_msr_write(machine.sim, 0, 0xc00, 0));
	EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 2, 0xd04, &value));
}

TEST(SimMsr, CboxesBeyondTheCoresDoNotExist)
{
	Machine machine("cores=6");
	uint64_t value;

	EXPECT_EQ(0, sim_msr_read(machine.sim, 0, 0xd16 + 0x20 * 5, &value));
	EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0, 0xd16 + 0x20 * 6, &value));
	EXPECT_EQ(-EIO, sim_msr_write(machine.sim, 1, 0xd04 + 0x20 * 7, kInit));
}

TEST(SimMsr, ReservedBitsFaultAndChangeNothing)
{
	Machine machine;
	const struct {
		uint32_t msr;
		uint64_t bits;
	} cases[] = {
		{0xd10, 1u << 20}, {0xd10, 1u << 21}, {0xd10, 1u << 16}, {0xd10, 1ull << 32},
		{0xc30, 1u << 20}, {0xc30, 1u << 8},  {0xc30, 1u << 29}, {0xc10, 1u << 29},
		{0xc08, 1u << 20}, {0xd04, 1u << 17}, {0xd14, 1u << 5},  {0xc34, 1ull << 32},
	};

	for (const auto &c : cases) {
		EXPECT_EQ(-EIO, sim_msr_write(machine.sim, 0, c.msr, c.bits)) << std::hex << c.msr;
		EXPECT_EQ(0u, machine.get(c.msr));
	}
	machine.set(0xd10, 0xff8cffff | kEnable);
	EXPECT_EQ(0xff8cffff | kEnable, machine.get(0xd10));
}

TEST(SimPci, ReservedBitsAreDropped)
{
	Machine machine;

	machine.set_config(0x3cb0, 0xd8, 0xffffffff & ~kReset);
	EXPECT_EQ(0xff84ffff | kEnable, machine.config(0x3cb0, 0xd8));
	machine.set_config(0x3c41, 0xd8, 0xffffffff & ~kReset);
	EXPECT_EQ(0xffa4ffff | kEnable, machine.config(0x3c41, 0xd8));
}

TEST(SimPci, AbsentFunctionsAndBadAccessesFail)
{
	Machine machine;
	uint64_t value;

	EXPECT_EQ(-ENODEV, sim_pci_read(machine.sim, 0, 0x7e, 16 << 3, 0, 32, &value));
	EXPECT_EQ(-ENODEV, sim_pci_read(machine.sim, 1, 0x7f, 16 << 3, 0, 32, &value));
	EXPECT_EQ(-ENODEV, sim_pci_write(machine.sim, 0, 0x7f, 16 << 3 | 7, 0xf4, 32, 0));
	EXPECT_EQ(-EINVAL, sim_pci_read(machine.sim, 0, 0x7f, 16 << 3, 0x1000, 32, &value));
	EXPECT_EQ(-EINVAL, sim_pci_read(machine.sim, 0, 0x7f, 16 << 3, 0xfffffffc, 32, &value));
	EXPECT_EQ(-EINVAL, sim_pci_read(machine.sim, 0, 0x7f, 16 << 3, 0xa2, 32, &value));
	EXPECT_EQ(-EINVAL, sim_pci_read(machine.sim, 0, 0x7f, 16 << 3, 0xa0, 24, &value));
}

TEST(SimPci, ConfigSpaceStartsWithTheIds)
{
	Machine machine;

	EXPECT_EQ(0x3cb08086u, machine.config(0x3cb0, 0));
	EXPECT_EQ(0x3cb0u, machine.config(0x3cb0, 2, 16));
	EXPECT_EQ(0x80u, machine.config(0x3cb0, 1, 8));
	EXPECT_EQ(0u, machine.config(0x3cb0, 0xffc));
	machine.set_config(0x3cb0, 0, 0);
	EXPECT_EQ(0x3cb08086u, machine.config(0x3cb0, 0));
}

TEST(SimPci, NodeDeviceMapsBusesToPackages)
{
	Machine machine("packages=4");

	for (int package = 0; package < 4; package++) {
		uint64_t node = machine.config(0x3ce0, 0x40, 32, package) & 7;
		uint64_t map = machine.config(0x3ce0, 0x54, 32, package);
		int i = 0;

		while (i < 8 && (map >> 3 * i & 7) != node)
			i++;
		EXPECT_EQ(package, i);
	}
}

TEST(SimPci, ThirdCounterIsTheLastOfR3qpi)
{
	Machine machine;

	machine.set_config(0x3c44, 0xe0, event(1));
	machine.set_config(0x3c44, 0xe4, event(1));
	EXPECT_EQ(1u, machine.config(0x3c44, 0xe0));
	EXPECT_EQ(0u, machine.config(0x3c44, 0xe4));
	machine.set_config(0x3c44, 0xb8, 77);
	EXPECT_EQ(0u, machine.config(0x3c44, 0xb8));
}

TEST(SimPci, MatchRegistersLieInTheExtendedSpaceOfAnotherFunction)
{
	Machine machine;

	machine.set_config(0x3c86, 0x228, 0xffffffff);
	machine.set_config(0x3c86, 0x23c, 0xffffffff);
	EXPECT_EQ(0x8003fff8u, machine.config(0x3c86, 0x228));
	EXPECT_EQ(0x000f000fu, machine.config(0x3c86, 0x23c));
	EXPECT_EQ(0u, machine.config(0x3c41, 0x228));
	EXPECT_EQ(0u, machine.config(0x3c96, 0x228));
	machine.set_config(0x3c46, 0x48, 0xff);
	EXPECT_EQ(0x3fu, machine.config(0x3c46, 0x48));
}

TEST(SimPci, CounterIsTwoDwords)
{
	Machine machine;

	machine.set_config(0x3cb1, 0xa8, 0x89abcdef);
	machine.set_config(0x3cb1, 0xac, 0x01234567);
	EXPECT_EQ(0x89abcdefu, machine.config(0x3cb1, 0xa8));
	EXPECT_EQ(0x4567u, machine.config(0x3cb1, 0xac));
	EXPECT_EQ(0x456789abcdefu, machine.config(0x3cb1, 0xa8, 64));
	machine.set_config(0x3cb1, 0xa8, 0x1122334455667788, 64);
	EXPECT_EQ(0x334455667788u, machine.config(0x3cb1, 0xa8, 64));
	EXPECT_EQ(0x3344u, machine.config(0x3cb1, 0xac, 16));
}

TEST(SimPci, HalvesOfARunningCounterAreOfTheirOwnMoments)
{
	Machine machine;

	machine.set_config(0x3cb0, 0xa0, 0xfffffff0);
	machine.set_config(0x3cb0, 0xd8, event(0) | kEnable);
	EXPECT_EQ(0xfffffff0u, machine.config(0x3cb0, 0xa0));
	sim_advance(machine.sim, 1000);
	EXPECT_EQ(1u, machine.config(0x3cb0, 0xa4));
}

TEST(SimSpace, CountsRegisterWrites)
{
	Machine machine;
	uint64_t before = sim_writes(machine.sim);

	machine.get(0xd04);
	machine.config(0x3cb0, 0xa0);
	EXPECT_EQ(before, sim_writes(machine.sim));
	machine.set(0xd04, kInit);
	machine.set_config(0x3cb0, 0xf4, kInit);
	sim_msr_write(machine.sim, 0, 0xc00, 0);
	EXPECT_EQ(before + 3, sim_writes(machine.sim));
}

} // namespace
