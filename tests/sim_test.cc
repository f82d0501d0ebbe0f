// sim_test.cc - the simulated Xeon on its own: registers, restrictions, filters
// and the relations between what different boxes count.
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kEnable = 1u << 22;
constexpr uint64_t kReset = 1u << 17;
constexpr uint64_t kEdge = 1u << 18;
constexpr uint64_t kTid = 1u << 19;
constexpr uint64_t kInvert = 1u << 23;
constexpr uint64_t kRun = 0x10000, kFreeze = 0x10100, kInit = 0x10103;
constexpr uint32_t kBoxControl = 0xf4;

constexpr uint64_t event(unsigned code, unsigned umask = 0, unsigned threshold = 0)
{
	return (code & 0xff) | (code >> 8 & 1) << 21 | umask << 8 |
	       static_cast<uint64_t>(threshold) << 24;
}

class Machine
{
      public:
	explicit Machine(const std::string &options = "time=virtual")
	{
		char err[200] = "";

		if (sim_open(("snbep:" + options).c_str(), &sim, err, sizeof(err)) != 0)
			throw std::runtime_error(err);
	}
	~Machine()
	{
		sim_close(sim);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	uint64_t msr(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	void set_msr(uint32_t address, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, address, value)) << std::hex << address;
	}
	// The function with this id in a package.
	const sim_pci &function(uint16_t device, int node = 0)
	{
		size_t n;
		const sim_pci *pci = sim_pci_devices(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (pci[i].device == device && pci[i].numa_node == node)
				return pci[i];
		throw std::runtime_error("no such device");
	}
	uint64_t config(uint16_t device, uint32_t offset, unsigned width = 32, int node = 0)
	{
		const sim_pci &pci = function(device, node);
		uint64_t value = 0;

		EXPECT_EQ(0, sim_pci_read(sim, 0, pci.bus, pci.devfn, offset, width, &value));
		return value;
	}
	void set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width = 32,
			int node = 0)
	{
		const sim_pci &pci = function(device, node);

		EXPECT_EQ(0, sim_pci_write(sim, 0, pci.bus, pci.devfn, offset, width, value));
	}
	// Count one event for a time on a PCI box, which is left frozen.
	uint64_t count(uint16_t device, uint64_t control, int node = 0, uint64_t ns = kSecond,
		       unsigned counter = 0)
	{
		set_config(device, kBoxControl, kInit, 32, node);
		set_config(device, 0xd8 + 4 * counter, control | kEnable, 32, node);
		set_config(device, kBoxControl, kRun, 32, node);
		sim_advance(sim, ns);
		set_config(device, kBoxControl, kFreeze, 32, node);
		return config(device, 0xa0 + 8 * counter, 64, node);
	}
	// The same on CBo `box`.
	uint64_t count_cbox(unsigned box, uint64_t control, uint64_t filter = 0,
			    unsigned counter = 0, unsigned package = 0)
	{
		uint32_t at = 0x20 * box;

		set_msr(0xd04 + at, kInit, package);
		set_msr(0xd14 + at, filter, package);
		set_msr(0xd10 + at + counter, control | kEnable, package);
		set_msr(0xd04 + at, kRun, package);
		sim_advance(sim, kSecond);
		set_msr(0xd04 + at, kFreeze, package);
		return msr(0xd16 + at + counter, package);
	}
	uint64_t count_pcu(uint64_t control, uint64_t filter = 0)
	{
		set_msr(0xc24, kInit);
		set_msr(0xc34, filter);
		set_msr(0xc30, control | kEnable);
		set_msr(0xc24, kRun);
		sim_advance(sim, kSecond);
		set_msr(0xc24, kFreeze);
		return msr(0xc36);
	}
	double rate(const char *kind, unsigned box, uint64_t control, uint64_t filter = 0,
		    unsigned package = 0)
	{
		return sim_rate(sim, package, kind, box, control, filter);
	}
	// Over all CBos of a package.
	double all_cboxes(uint64_t control, uint64_t filter = 0, unsigned package = 0)
	{
		double sum = 0;

		for (unsigned i = 0; i < 8; i++)
			sum += rate("cbox", i, control, filter, package);
		return sum;
	}

	struct sim *sim = nullptr;
};

constexpr uint64_t opcode(unsigned opc)
{
	return static_cast<uint64_t>(opc) << 23;
}

void expect_near(double expected, double actual)
{
	EXPECT_NEAR(expected, actual, 1.5 + 1e-9 * std::fabs(expected));
}

// ---- building a machine ----

TEST(SimOpen, SaysWhatIsWrongWithASpec)
{
	struct sim *machine;
	char err[200];

	EXPECT_EQ(-ENODEV, sim_open("z80", &machine, err, sizeof(err)));
	EXPECT_EQ(err, strstr(err, "no simulated platform is called \"z80\"; there are "));
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
		EXPECT_EQ(0u, machine.msr(c.msr));
	}
	machine.set_msr(0xd10, 0xff8cffff | kEnable);
	EXPECT_EQ(0xff8cffff | kEnable, machine.msr(0xd10));
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

	machine.msr(0xd04);
	machine.config(0x3cb0, 0xa0);
	EXPECT_EQ(before, sim_writes(machine.sim));
	machine.set_msr(0xd04, kInit);
	machine.set_config(0x3cb0, 0xf4, kInit);
	sim_msr_write(machine.sim, 0, 0xc00, 0);
	EXPECT_EQ(before + 3, sim_writes(machine.sim));
}

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

	machine.set_msr(0xd10, event(0) | kEnable);
	machine.set_msr(0xd04, 0x100);
	sim_advance(machine.sim, 1000);
	EXPECT_GT(machine.msr(0xd16), 0u);
	EXPECT_EQ(0x100u, machine.msr(0xd04));
}

TEST(SimBox, ResetBitsActOnceAndReadBackZero)
{
	Machine machine;

	machine.set_msr(0xd11, event(0) | kEnable);
	sim_advance(machine.sim, 1000);
	machine.set_msr(0xd04, kFreeze | 2);
	EXPECT_EQ(kFreeze, machine.msr(0xd04));
	EXPECT_EQ(0u, machine.msr(0xd17));
	EXPECT_EQ(event(0) | kEnable, machine.msr(0xd11));
	machine.set_msr(0xd17, 5);
	machine.set_msr(0xd04, kFreeze | 1);
	EXPECT_EQ(0u, machine.msr(0xd11));
	EXPECT_EQ(5u, machine.msr(0xd17));
}

TEST(SimBox, ControlResetClearsItsOwnCounter)
{
	Machine machine;

	machine.set_msr(0xd16, 11);
	machine.set_msr(0xd17, 12);
	machine.set_msr(0xd10, event(0x34, 3) | kReset);
	EXPECT_EQ(event(0x34, 3), machine.msr(0xd10));
	EXPECT_EQ(0u, machine.msr(0xd16));
	EXPECT_EQ(12u, machine.msr(0xd17));
}

TEST(SimBox, UboxCountsWheneverEnabled)
{
	Machine machine;

	machine.set_msr(0xc11, event(0x42, 4) | kEnable);
	sim_advance(machine.sim, kSecond);
	machine.set_msr(0xc11, event(0x42, 4));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("ubox", 0, event(0x42, 4)),
		    static_cast<double>(machine.msr(0xc17)));
}

TEST(SimBox, FixedCountersCountTheClock)
{
	Machine machine;

	machine.set_msr(0xc08, kEnable);
	machine.set_config(0x3cb4, 0xf0, kEnable);
	sim_advance(machine.sim, kSecond);
	expect_near(sim_traffic(machine.sim, 0)->uclk_hz, static_cast<double>(machine.msr(0xc09)));
	expect_near(sim_traffic(machine.sim, 0)->dclk_hz,
		    static_cast<double>(machine.config(0x3cb4, 0xd0, 64)));
	machine.set_config(0x3cb4, 0xf0, 1u << 19);
	EXPECT_EQ(0u, machine.config(0x3cb4, 0xd0, 64));
	EXPECT_EQ(0u, machine.config(0x3cb4, 0xf0));
}

TEST(SimBox, CountersWrapAtTheirWidth)
{
	Machine machine;

	machine.set_msr(0xd16, ~0ull);
	EXPECT_EQ((1ull << 44) - 1, machine.msr(0xd16));
	machine.set_msr(0xc36, ~0ull);
	EXPECT_EQ((1ull << 48) - 1, machine.msr(0xc36));
	machine.set_msr(0xd10, event(0) | kEnable);
	sim_advance(machine.sim, 1000);
	machine.set_msr(0xd10, 0);
	EXPECT_EQ(static_cast<uint64_t>(sim_traffic(machine.sim, 0)->uclk_hz * 1e-6) - 1,
		  machine.msr(0xd16));
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

// ---- filters ----

TEST(SimFilter, OpcodeSelectsTorEntries)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double drd = traffic.reads * 0.3514;

	ASSERT_EQ(0x182, traffic.opcodes[2].opcode);
	EXPECT_NEAR(drd, machine.all_cboxes(event(0x35, 3), opcode(0x182)), 1);
	EXPECT_NEAR(drd / traffic.opcodes[2].miss,
		    machine.all_cboxes(event(0x35, 1), opcode(0x182)), 1);
	EXPECT_EQ(0, machine.all_cboxes(event(0x35, 1), opcode(0x1ff)));
	expect_near(machine.rate("cbox", 5, event(0x35, 3), opcode(0x182)),
		    static_cast<double>(machine.count_cbox(5, event(0x35, 3), opcode(0x182))));
}

TEST(SimFilter, NodeSelectsByHome)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double all = machine.all_cboxes(event(0x35, 0x0a));
	double local = machine.all_cboxes(event(0x35, 0x4a), 1 << 10);
	double remote = machine.all_cboxes(event(0x35, 0x4a), 2 << 10);

	EXPECT_NEAR(all * (1 - traffic.remote_reads), local, 1);
	EXPECT_NEAR(all, local + remote, 1);
	EXPECT_EQ(0, machine.all_cboxes(event(0x35, 0x4a)));
	EXPECT_EQ(0, machine.all_cboxes(event(0x37, 0x41), 4 << 10));
	EXPECT_NEAR(traffic.writes, machine.all_cboxes(event(0x37, 0x41), 3 << 10), 1);
}

TEST(SimFilter, LookupNeedsAState)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_EQ(0u, machine.count_cbox(0, event(0x34, 0x03), 0));
	EXPECT_GT(machine.count_cbox(0, event(0x34, 0x03), 0x1f << 18), 0u);
	EXPECT_EQ(0u, machine.count_cbox(0, event(0x34, 0x02), 0x1f << 18));
	EXPECT_NEAR(traffic.reads, machine.all_cboxes(event(0x34, 0x03), 1 << 18), 1);
	EXPECT_NEAR(machine.all_cboxes(event(0x34, 0x1f), 0x1f << 18),
		    machine.all_cboxes(event(0x34, 0x03), 0x1f << 18) +
			    machine.all_cboxes(event(0x34, 0x05), 0x1f << 18) +
			    machine.all_cboxes(event(0x34, 0x09), 0x1f << 18),
		    1);
}

TEST(SimFilter, ThreadIdSelectsACore)
{
	Machine machine;
	double sum = 0;

	for (unsigned core = 0; core < 8; core++)
		sum += machine.rate("cbox", 2, event(0x35, 8) | kTid, core << 1);
	EXPECT_NEAR(machine.rate("cbox", 2, event(0x35, 8)), sum, 1);
	EXPECT_LT(machine.rate("cbox", 2, event(0x35, 8) | kTid, 0),
		  machine.rate("cbox", 2, event(0x35, 8) | kTid, 7 << 1));
	EXPECT_EQ(0, machine.rate("cbox", 2, event(0x35, 8) | kTid, 9 << 1));
}

TEST(SimFilter, BandsCountCyclesAtOrAboveAFrequency)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	double top = traffic.pclk_hz * traffic.frequency[3].share;

	expect_near(traffic.pclk_hz, static_cast<double>(machine.count_pcu(event(0x0b), 12)));
	expect_near(top, static_cast<double>(machine.count_pcu(event(0x0d), 31 << 16)));
	expect_near(top, static_cast<double>(machine.count_pcu(event(0x0e), 28u << 24)));
	EXPECT_EQ(0u, machine.count_pcu(event(0x0c), 32 << 8));
	EXPECT_GT(machine.count_pcu(event(0x0c), 32), 0u);
}

TEST(SimFilter, MatchSelectsPackets)
{
	Machine machine;
	const uint32_t drs = 0xe << 9, mask = 0xf << 9;
	double packets = machine.rate("qpi", 0, event(0x138));

	expect_near(packets, static_cast<double>(machine.count(0x3c41, event(0x138))));
	machine.set_config(0x3c86, 0x228, drs);
	machine.set_config(0x3c86, 0x238, mask);
	double matched =
		machine.rate("qpi", 0, event(0x138), static_cast<uint64_t>(mask) << 32 | drs);
	EXPECT_LT(matched, packets);
	EXPECT_NEAR(machine.rate("qpi", 0, event(0x102, 0x10)), matched, 1);
	expect_near(matched, static_cast<double>(machine.count(0x3c41, event(0x138))));
}

// ---- threshold, invert, edge, companion ----

TEST(SimThreshold, SharesAddUpToTheMean)
{
	for (double mean : {0.0, 0.01, 0.3, 0.5, 0.77, 1.0, 2.3, 7.9, 11.1, 19.6, 20.0}) {
		double sum = 0, last = 1;

		for (unsigned t = 1; t <= 20; t++) {
			double share = sim_share_at_least(mean, 20, t);

			EXPECT_LE(share, last + 1e-12);
			sum += share;
			last = share;
		}
		EXPECT_NEAR(mean, sum, 1e-9);
		EXPECT_EQ(0, sim_share_at_least(mean, 20, 21));
	}
}

TEST(SimThreshold, CountsCyclesAtOrAbove)
{
	Machine machine;
	double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	double mean = machine.rate("cbox", 1, event(0x36, 8)) / clock;

	for (unsigned t : {1u, 2u, 3u, 19u, 21u}) {
		uint64_t above = machine.count_cbox(1, event(0x36, 8, t));
		uint64_t below = machine.count_cbox(1, event(0x36, 8, t) | kInvert);

		expect_near(clock * sim_share_at_least(mean, 20, t), static_cast<double>(above));
		EXPECT_NEAR(clock, static_cast<double>(above + below), 2);
	}
}

TEST(SimThreshold, InvertDoesNothingWithoutThreshold)
{
	Machine machine;

	EXPECT_EQ(machine.rate("cbox", 0, event(0x36, 8)),
		  machine.rate("cbox", 0, event(0x36, 8) | kInvert));
}

TEST(SimThreshold, EdgeCountsTransitions)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	expect_near(traffic.uclk_hz / SIM_PERIOD,
		    static_cast<double>(machine.count_cbox(0, event(0x36, 8, 1) | kEdge)));
	EXPECT_EQ(0u, machine.count_cbox(0, event(0x00) | kEdge));
	// Inserts are spread out: each one is an edge.
	EXPECT_EQ(machine.rate("imc", 0, event(0x04, 3)),
		  machine.rate("imc", 0, event(0x04, 3) | kEdge));
}

TEST(SimThreshold, PcuLevelsHaveTheirOwnInvertAndEdge)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	uint64_t c0 = event(0x80, 0x40);
	double cores = 8 * traffic.core_c0;

	expect_near(traffic.pclk_hz * cores, static_cast<double>(machine.count_pcu(c0)));
	double above = traffic.pclk_hz * sim_share_at_least(cores, 8, 5);
	expect_near(above, static_cast<double>(machine.count_pcu(c0 | 5u << 24)));
	expect_near(traffic.pclk_hz - above,
		    static_cast<double>(machine.count_pcu(c0 | 5u << 24 | 1u << 30)));
	expect_near(traffic.pclk_hz / SIM_PERIOD,
		    static_cast<double>(machine.count_pcu(c0 | 5u << 24 | 1u << 31)));
	EXPECT_EQ(0u, machine.count_pcu(event(0x80)));
}

TEST(SimCompanion, SeesTheQueueOfCounterZero)
{
	Machine machine;
	double clock = sim_traffic(machine.sim, 0)->uclk_hz;
	uint64_t filter = opcode(0x182);
	double mean = machine.rate("cbox", 0, event(0x36, 3), filter) / clock;

	machine.set_msr(0xd04, kInit);
	machine.set_msr(0xd14, filter);
	machine.set_msr(0xd10, event(0x36, 3) | kEnable);
	machine.set_msr(0xd11, event(0x35, 3) | kEnable);
	machine.set_msr(0xd12, event(0x1f, 0, 1) | kEnable);
	machine.set_msr(0xd13, event(0x1f) | kEnable);
	machine.set_msr(0xd04, kRun);
	sim_advance(machine.sim, kSecond);
	machine.set_msr(0xd04, kFreeze);
	expect_near(clock * mean, static_cast<double>(machine.msr(0xd16)));
	expect_near(clock * sim_share_at_least(mean, 20, 1),
		    static_cast<double>(machine.msr(0xd18)));
	// Without a threshold the upper counters still add one per cycle at most.
	EXPECT_EQ(machine.msr(0xd18), machine.msr(0xd19));
	double latency = static_cast<double>(machine.msr(0xd16)) /
			 static_cast<double>(machine.msr(0xd17)) / clock * 1e9;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);
	EXPECT_NEAR(traffic.local_ns * (1 - traffic.remote_reads) +
			    traffic.remote_ns * traffic.remote_reads,
		    latency, 1e-4);
}

TEST(SimCompanion, SeesNothingWithoutAQueueOnCounterZero)
{
	Machine machine;

	machine.set_msr(0xd12, event(0x1f, 0, 1) | kEnable);
	machine.set_msr(0xd10, event(0x36, 8));
	sim_advance(machine.sim, kSecond);
	machine.set_msr(0xd10, event(0x35, 8) | kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.msr(0xd18));
	machine.set_msr(0xd10, event(0x36, 8) | kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.msr(0xd18), 0u);
}

// ---- the traffic seen from different boxes ----

double all_channels(Machine &machine, uint64_t control, int package)
{
	double sum = 0;

	for (uint16_t device : {0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5})
		sum += static_cast<double>(machine.count(device, control, package));
	return sum;
}

TEST(SimTraffic, CasReadsAreTheLinesOfAllReaders)
{
	Machine machine;

	for (int package = 0; package < 2; package++) {
		const struct sim_traffic &own = *sim_traffic(machine.sim, package);
		const struct sim_traffic &other = *sim_traffic(machine.sim, !package);
		double reads =
			own.reads * (1 - own.remote_reads) + other.reads * other.remote_reads;
		double cas = all_channels(machine, event(0x04, 0x03), package);

		EXPECT_NEAR(64 * reads, 64 * cas, 64 * 5);
		EXPECT_NEAR(cas, static_cast<double>(machine.count(0x3c46, event(1, 3), package)),
			    5);
		EXPECT_NEAR(cas, all_channels(machine, event(0x10), package), 5);
	}
}

TEST(SimTraffic, CasWritesAreHomeAgentWrites)
{
	Machine machine;

	for (int package = 0; package < 2; package++) {
		double cas = all_channels(machine, event(0x04, 0x0c), package);

		EXPECT_NEAR(cas, static_cast<double>(machine.count(0x3c46, event(1, 0xc), package)),
			    5);
		EXPECT_NEAR(cas,
			    static_cast<double>(machine.count(0x3c46, event(0x1a, 0xf), package)),
			    5);
	}
}

TEST(SimTraffic, TorMissesOfReadingOpcodesAreTheReads)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 1);
	double sum = 0;

	for (const sim_opcode &op : traffic.opcodes)
		if (op.kind == SIM_OP_READ)
			sum += machine.all_cboxes(event(0x35, 3), opcode(op.opcode), 1);
	EXPECT_NEAR(traffic.reads, sum, 1);
}

TEST(SimTraffic, DataFlitsAreEightPerLineThatCrosses)
{
	Machine machine;

	for (unsigned package = 0; package < 2; package++) {
		const struct sim_traffic &own = *sim_traffic(machine.sim, package);
		const struct sim_traffic &other = *sim_traffic(machine.sim, !package);
		double lines = own.reads * own.remote_reads + other.writes * other.remote_writes;
		double rx = 0, tx = 0;

		for (unsigned port = 0; port < 2; port++) {
			rx += machine.rate("qpi", port, event(0x102, 0x08), 0, package);
			tx += machine.rate("qpi", port, event(0x100, 0x08), 0, !package);
		}
		EXPECT_NEAR(8 * lines, rx, 1);
		EXPECT_NEAR(rx, tx, 1);
	}
}

TEST(SimTraffic, FlitsFillTheLink)
{
	Machine machine;

	for (unsigned code : {0x00u, 0x01u})
		EXPECT_NEAR(2 * sim_traffic(machine.sim, 0)->qclk_hz,
			    machine.rate("qpi", 1, event(code, 1)) +
				    machine.rate("qpi", 1, event(code, 2)) +
				    machine.rate("qpi", 1, event(code, 4)),
			    1);
}

TEST(SimTraffic, QueuesObeyLittlesLaw)
{
	Machine machine;
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_NEAR(traffic.rpq_ns * 1e-9 * traffic.dclk_hz,
		    machine.rate("imc", 2, event(0x80)) / machine.rate("imc", 2, event(0x10)),
		    1e-9);
	EXPECT_NEAR(machine.rate("imc", 2, event(0x80, 0, 1)), machine.rate("imc", 2, event(0x11)),
		    1);
	EXPECT_NEAR(traffic.link_ns * 1e-9 * traffic.uclk_hz,
		    machine.rate("r3qpi", 0, event(0x13, 8)) /
			    machine.rate("r3qpi", 0, event(0x11, 8)),
		    1e-9);
}

TEST(SimTraffic, SwappedBoxesAndPackagesShow)
{
	Machine machine;

	EXPECT_NE(machine.rate("imc", 0, event(4, 3)), machine.rate("imc", 1, event(4, 3)));
	EXPECT_NE(machine.rate("imc", 0, event(4, 3)), machine.rate("imc", 0, event(4, 3), 0, 1));
	EXPECT_NE(machine.rate("cbox", 0, event(0x13, 1)), machine.rate("cbox", 1, event(0x13, 1)));
	EXPECT_NE(machine.rate("cbox", 0, 0), machine.rate("cbox", 0, 0, 0, 1));
}

TEST(SimTraffic, CanBeChanged)
{
	Machine machine;
	uint64_t before = machine.count(0x3cb0, event(4, 0xc));

	sim_traffic(machine.sim, 0)->writes = 0;
	sim_traffic(machine.sim, 1)->writes = 0;
	EXPECT_GT(before, 0u);
	EXPECT_EQ(0u, machine.count(0x3cb0, event(4, 0xc)));
	EXPECT_EQ(nullptr, sim_traffic(machine.sim, 2));
}

TEST(SimTraffic, OnePackageHasNoLinkTraffic)
{
	Machine machine("packages=1,time=virtual");
	const struct sim_traffic &traffic = *sim_traffic(machine.sim, 0);

	EXPECT_EQ(0u, machine.count(0x3c41, event(0x102, 8)));
	EXPECT_NEAR(traffic.reads, all_channels(machine, event(4, 3), 0), 5);
}

// ---- time and concurrency ----

TEST(SimTime, VirtualTimeOnlyMovesWhenTold)
{
	Machine machine;

	EXPECT_EQ(0u, sim_now(machine.sim));
	sim_advance(machine.sim, 42);
	EXPECT_EQ(42u, sim_now(machine.sim));
}

TEST(SimTime, RealTimeRuns)
{
	Machine machine("time=real");
	timespec pause = {0, 2000000};

	machine.set_msr(0xc08, kEnable);
	uint64_t before = machine.msr(0xc09);
	sim_advance(machine.sim, 3600 * kSecond);
	nanosleep(&pause, nullptr);
	uint64_t gained = machine.msr(0xc09) - before;
	EXPECT_GT(gained, 2293718u * 2);
	EXPECT_LT(gained, 2293718341ull * 600);
}

TEST(SimTime, SameStepsGiveTheSameCounts)
{
	Machine first, second;

	for (uint64_t control : {event(0x04, 0x0f), event(0x80), event(0x81, 0, 3)})
		EXPECT_EQ(first.count(0x3cb5, control, 1, 987654321),
			  second.count(0x3cb5, control, 1, 987654321));
}

struct sim *signalled_machine;
std::atomic<int> signals_seen; // lock-free, so a handler may touch it

void read_in_handler(int)
{
	uint64_t value;

	if (sim_msr_read(signalled_machine, 0, 0xd16, &value) == 0)
		signals_seen++;
}

TEST(SimThreads, ThreadsAndSignalHandlersShareTheMachine)
{
	Machine machine("time=real");
	std::vector<std::thread> threads;
	struct sigaction action = {}, saved;

	machine.set_msr(0xd10, event(0x36, 8) | kEnable);
	signalled_machine = machine.sim;
	signals_seen = 0;
	action.sa_handler = read_in_handler;
	ASSERT_EQ(0, sigaction(SIGUSR1, &action, &saved));
	for (int t = 0; t < 4; t++)
		threads.emplace_back([&machine, t] {
			uint64_t last = 0;

			for (int i = 0; i < 2000; i++) {
				uint64_t value = machine.msr(0xd16);

				EXPECT_GE(value, last);
				last = value;
				machine.set_msr(0xd30 + static_cast<uint32_t>(t), event(0));
				if (i % 10 == 0)
					raise(SIGUSR1);
			}
		});
	for (std::thread &thread : threads)
		thread.join();
	sigaction(SIGUSR1, &saved, nullptr);
	EXPECT_GT(signals_seen, 0);
}

} // namespace
