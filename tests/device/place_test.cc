// SPDX-License-Identifier: BSD-3-Clause
// place_test.cc - package, box and part of devices: on machines made here register by register,
// with paths from public logs; on recorded PCI listings; and on 240 simulated machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>

#include "device/device.h"
#include "sim/sim.h"
#include "support/data.h"
#include "support/device_tree.h"
#include "support/endpoints.h"
#include "support/recorded_machine.h"
#include "support/simulated.h"

namespace
{

using support::DeviceTree;
using support::FakeMachine;
using support::Listed;
using support::Listing;

// "package 0 box 3 parts 0x4", or the error.
std::string place(const unc_machine &machine, unc_hw *hw, const char *root, const std::string &name,
		  int *code = nullptr)
{
	const unc_devices devices = {&machine, {hw, root}};
	unc_device_place at = {};
	unc_err err = {};
	char text[128];

	unc_err_init(&err);
	const int r = unc_device_find(&devices, name.c_str(), &at, &err);
	const std::string why = err.text;
	unc_err_destroy(&err);
	if (code)
		*code = r;
	if (r < 0)
		return why;
	snprintf(text, sizeof(text), "package %u box %u parts %#x", at.package, at.box, at.parts);
	return text;
}

std::string at(unsigned package, unsigned box, uint32_t parts)
{
	char text[128];

	snprintf(text, sizeof(text), "package %u box %u parts %#x", package, box, parts);
	return text;
}

// A machine with registers, and a tree with devices.
struct Made {
	explicit Made(const unc_platform &platform, unsigned packages = 1, unsigned model = 0)
	    : machine(platform, packages)
	{
		machine.hw_of().where = UNC_RECORDED;
		machine.machine.topo.model = model ? model : platform.models[0];
	}

	void open()
	{
		machine.build_machine();
	}

	std::string place(const std::string &name, int *code = nullptr)
	{
		return ::place(machine.machine, &machine.hw_of(), tree.root.c_str(), name, code);
	}

	FakeMachine machine;
	DeviceTree tree;
};

// ---- Skylake-X: C bb42b3d39781, the listing in perf-iostat(1) ----

constexpr uint64_t kValid = UINT64_C(1) << 63;

struct SkxDevices : testing::Test {
	Made m{unc_skx, 2};

	SkxDevices()
	{
		m.machine.msrs[{0, 0x300}] = kValid | 0x5d3a1700;
		m.machine.msrs[{1, 0x300}] = kValid | 0xd7ae8580;
		m.tree.device("0000:17/0000:17:00.0/0000:18:00.0/0000:19:10.0/0000:1d:00.0");
		m.tree.device("0000:5d/0000:5d:02.0/0000:5e:00.0/0000:5f:03.0/0000:60:00.0");
		m.tree.device("0000:d7/0000:d7:03.0/0000:d8:00.0");
		m.open();
	}
};

// The two paths of hwloc's tree of 2 x Silver 4108.
TEST_F(SkxDevices, AddressesOfPublicTrees)
{
	EXPECT_EQ(at(0, 1, 1), m.place("0000:1d:00.0"));
	EXPECT_EQ(at(0, 3, 4), m.place("0000:60:00.0"));
	EXPECT_EQ(at(1, 3, 8), m.place("0000:d8:00.0"));
	EXPECT_EQ(at(1, 3, 8), m.place("0000:d7:03.0"));
}

TEST_F(SkxDevices, AddressesWithoutColonsOrSegment)
{
	for (const char *name : {"60:00.0", "0000_60_00.0", "60_00.0", "0000-60-00.0", "60-00.0"})
		EXPECT_EQ(at(0, 3, 4), m.place(name)) << name;
}

TEST_F(SkxDevices, NamesOfEveryClass)
{
	const std::string nic = "0000:17/0000:17:02.0/0000:20:00.0";

	m.tree.device(nic);
	for (const char *kind : {"net", "infiniband", "nvme", "drm", "block"}) {
		m.tree.name(nic, kind, std::string(kind) + "0");
		EXPECT_EQ(at(0, 1, 4), m.place(std::string(kind) + "0")) << kind;
	}
	m.tree.virtual_name("net", "bond0");
	m.tree.write("sys/devices/virtual/net/bond0/lower_net0", "");
	EXPECT_NE(std::string::npos, m.place("bond0").find("name one of its devices: net0"));
}

TEST_F(SkxDevices, ANameThatIsOfNoDeviceOrOfTwo)
{
	int code;

	m.place("eth7", &code);
	EXPECT_EQ(UNCORE_ENODEV, code);
	m.place("0000:99:00.0", &code);
	EXPECT_EQ(UNCORE_ENODEV, code);
	m.tree.name("0000:d7/0000:d7:03.0/0000:d8:00.0", "net", "same");
	m.tree.name("0000:17/0000:17:00.0/0000:18:00.0/0000:19:10.0/0000:1d:00.0", "infiniband",
		    "same");
	EXPECT_NE(std::string::npos, m.place("same", &code).find("two devices"));
	EXPECT_EQ(UNCORE_EINVAL, code);
	for (const char *name : {"", ".", "..", "../net/same"}) {
		m.place(name, &code);
		EXPECT_EQ(UNCORE_EINVAL, code) << name;
	}
}

TEST_F(SkxDevices, ARenamedInterfaceIsFoundByItsNewName)
{
	const std::string nic = "0000:17/0000:17:02.0/0000:20:00.0";
	int code;

	m.tree.device(nic);
	m.tree.name(nic, "net", "eth0");
	EXPECT_EQ(at(0, 1, 4), m.place("eth0"));
	m.tree.unname(nic, "net", "eth0");
	m.tree.name(nic, "net", "ens1");
	m.place("eth0", &code);
	EXPECT_EQ(UNCORE_ENODEV, code);
	EXPECT_EQ(at(0, 1, 4), m.place("ens1"));
}

// Linux PCI list: NVMe at 10000:02:00.0 behind "Root Port C", 10000:00:02.0.
TEST_F(SkxDevices, BehindVmdTheOuterBusAndTheInnerPortCount)
{
	m.tree.device("0000:85/0000:85:05.5/pci10000:00/10000:00:02.0/10000:02:00.0");
	m.tree.name("0000:85/0000:85:05.5/pci10000:00/10000:00:02.0/10000:02:00.0", "nvme",
		    "nvme0");
	EXPECT_EQ(at(1, 1, 4), m.place("10000:02:00.0"));
	EXPECT_EQ(at(1, 1, 4), m.place("nvme0"));
}

TEST_F(SkxDevices, PartsThatNoSourceGivesAreRefused)
{
	for (const char *device : {"0000:00:04.0", "0000:00:1f.2", "0000:85:05.5"}) {
		const std::string name = device;
		int code;

		m.tree.device(name.substr(0, 7) + "/" + name);
		EXPECT_NE(std::string::npos, m.place(name, &code).find("is not known")) << name;
		EXPECT_EQ(UNCORE_ENOSUPP, code) << name;
	}
}

// Bus 0 is that of box 0, and of no other stack.
TEST_F(SkxDevices, ABusThatIsNotListedIsRefused)
{
	int code;

	m.tree.device("0000:00/0000:00:00.0");
	m.tree.device("0000:40/0000:40:00.0/0000:41:00.0");
	EXPECT_EQ(at(0, 0, 1), m.place("0000:00:00.0"));
	m.place("0000:41:00.0", &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
	m.machine.msrs[{1, 0x300}] = kValid | 0xd7ae4080;
	EXPECT_EQ(at(1, 1, 1), m.place("0000:41:00.0"));
	m.machine.msrs[{0, 0x300}] = kValid | 0x5d401700;
	m.place("0000:41:00.0", &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

// Without rights: the kernel's files, where 0000:00 is true for box 0 only.
TEST_F(SkxDevices, TheKernelsFilesReplaceTheRegister)
{
	int code;

	m.tree.device("0000:00/0000:00:02.0/0000:01:00.0");
	m.machine.fails = [](const unc_op &op) { return op.address == 0x300 ? -EPERM : 0; };
	m.place("0000:d8:00.0", &code);
	EXPECT_EQ(UNCORE_EACCESS, code);
	m.tree.write("sys/devices/uncore_iio_3/die1", "0000:d7\n");
	m.tree.write("sys/devices/uncore_iio_4/die0", "0000:00\n");
	m.tree.write("sys/devices/uncore_iio_0/die0", "0000:00\n");
	EXPECT_EQ(at(1, 3, 8), m.place("0000:d8:00.0"));
	EXPECT_EQ(at(0, 0, 4), m.place("0000:01:00.0"));
	m.tree.write("sys/devices/uncore_iio_2/die0", "0000:d7\n");
	m.place("0000:d8:00.0", &code);
	EXPECT_EQ(UNCORE_EACCESS, code);
}

TEST_F(SkxDevices, WithoutFilesNothingIsGuessed)
{
	int code;

	place(m.machine.machine, &m.machine.hw_of(), nullptr, "0000:60:00.0", &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

// ---- Ice Lake-X ----

// Config 0x3f4 of 09a2: bits 3:0 the package, bits 6:4 the stack.
void add_icx_stack(FakeMachine &m, unsigned bus, unsigned package, unsigned sad)
{
	m.config(m.device(0x09a2, bus, 0, 0, static_cast<int>(package)), 0x3f4,
		 0xabc000 | sad << 4 | package);
}

// C 10337e95e04c: iio_0 16/97, iio_1 30/b0, iio_3 4a/c9, iio_4 64/e2, iio_5 00/80.
struct IcxDevices : testing::Test {
	const std::map<unsigned, unsigned> box_of[2] = {
		{{0x00, 5}, {0x16, 0}, {0x30, 1}, {0x4a, 3}, {0x64, 4}},
		{{0x80, 5}, {0x97, 0}, {0xb0, 1}, {0xc9, 3}, {0xe2, 4}}};
	const std::map<unsigned, unsigned> sad_of = {{5, 0}, {0, 1}, {1, 2},
						     {2, 3}, {3, 4}, {4, 5}};
	Made m{unc_icx, 2};

	IcxDevices()
	{
		for (unsigned p = 0; p < 2; p++)
			for (const auto &[bus, box] : box_of[p])
				add_icx_stack(m.machine, bus, p, sad_of.at(box));
		m.open();
	}

	// A device behind port `slot` of a root bus.
	std::string behind(unsigned bus, unsigned slot, int *code = nullptr)
	{
		char path[80], name[16];

		snprintf(name, sizeof(name), "0000:%02x:00.0", bus + 1 + slot);
		snprintf(path, sizeof(path), "0000:%02x/0000:%02x:%02x.0/%s", bus, bus, slot, name);
		m.tree.device(path);
		return m.place(name, code);
	}

	void expect_boxes()
	{
		for (unsigned p = 0; p < 2; p++)
			for (const auto &[bus, box] : box_of[p])
				EXPECT_EQ(at(p, box, box == 5 ? 1 : 4),
					  behind(bus, box == 5 ? 0 : 4))
					<< bus;
	}
};

TEST_F(IcxDevices, TheRegisterOfTheRootBus)
{
	expect_boxes();
}

TEST_F(IcxDevices, PortsTwoToFiveAreTheParts)
{
	for (unsigned slot : {2u, 3u, 4u, 5u})
		EXPECT_EQ(at(0, 0, 1u << (slot - 2)), behind(0x16, slot));
	int code;
	behind(0x16, 6, &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

TEST_F(IcxDevices, WithoutRightsTheOrderOfFiveRootBuses)
{
	m.machine.fails = [](const unc_op &op) { return op.address == 0x3f4 ? -ENODATA : 0; };
	expect_boxes();
}

// Box 2 has no register on some machines, and the kernel then prints 0000:00 for it.
TEST_F(IcxDevices, TheKernelsFileOfAStackWithoutRegisterIsNotTrusted)
{
	m.machine.fails = [](const unc_op &op) { return op.address == 0x3f4 ? -ENODATA : 0; };
	m.tree.write("sys/devices/uncore_iio_2/die0", "0000:00\n");
	m.tree.write("sys/devices/uncore_iio_2/die1", "0000:00\n");
	expect_boxes();
	m.tree.write("sys/devices/uncore_iio_3/die1", "0000:e2\n");
	EXPECT_EQ(at(1, 3, 4), behind(0xe2, 4));
}

TEST(IcxDevicesOnSixBuses, WithoutRightsSixRootBusesAreNotGuessed)
{
	Made m{unc_icx, 1};
	int code;

	for (unsigned i = 0; i < 6; i++)
		add_icx_stack(m.machine, 0x10 * i, 0, i);
	m.tree.device("0000:10/0000:10:02.0/0000:11:00.0");
	m.open();
	EXPECT_EQ(at(0, 0, 1), m.place("0000:11:00.0"));
	m.machine.fails = [](const unc_op &op) { return op.address == 0x3f4 ? -ENODATA : 0; };
	m.place("0000:11:00.0", &code);
	EXPECT_EQ(UNCORE_EACCESS, code);
}

// ---- Sapphire Rapids, Granite Rapids ----

// The registers of 09a6: CPU bus to root bus.
void add_cpu_buses(FakeMachine &m, unsigned bus, unsigned package,
		   const std::map<unsigned, unsigned> &buses)
{
	const unsigned unit = m.device(0x09a6, bus, 3, 0, static_cast<int>(package));
	std::map<uint32_t, uint32_t> dwords;
	bool first = true;

	for (const auto &[cpu_bus, root] : buses) {
		dwords[0x1a0] |= 1u << cpu_bus;
		dwords[(cpu_bus < 16 ? 0x190 : 0x1c0) + cpu_bus % 16 / 4 * 4] |= root
										 << cpu_bus % 4 * 8;
		if (first)
			m.config(m.device(0x09a2, root, 0, 0, static_cast<int>(package)), 0x3f4,
				 package);
		first = false;
	}
	for (const auto &[offset, value] : dwords)
		m.config(unit, offset, value);
}

void add_die(FakeMachine &m, unsigned kind)
{
	m.config(m.device(0x325b, 0xfe, 30, 3, 0), 0x94, kind << 6 | 0x12);
}

// A public trace: "Mapped CPU bus #4 (domain 0 bus 26) to IO PMU #7 package 0".
const std::map<unsigned, unsigned> kSprBuses = {{0, 0x00}, {1, 0x37}, {2, 0x48}, {3, 0x59},
						{4, 0x26}, {5, 0x15}, {8, 0xf0}, {9, 0xe0}};

constexpr unsigned kLarge = 3, kMedium = 1, kUnknown = 2;

struct Spr : Made {
	explicit Spr(unsigned die) : Made(unc_spr)
	{
		add_cpu_buses(machine, 0, 0, kSprBuses);
		add_die(machine, die);
		tree.device("0000:26/0000:26:01.0/0000:27:00.0");
		tree.device("0000:37/0000:37:01.0/0000:38:00.0");
		tree.device("0000:59/0000:59:05.0/0000:5a:00.0");
		open();
	}
};

TEST(SprLargeDevices, CpuBusesAreNotInTheOrderOfBuses)
{
	Spr m(kLarge);

	EXPECT_EQ(at(0, 7, 1), m.place("0000:27:00.0"));
	EXPECT_EQ(at(0, 2, 1), m.place("0000:38:00.0"));
}

// The second port: part 2 or 4, depending on the source.
TEST(SprLargeDevices, ADisputedPartIsTheWholeStackIfNoOtherPortHasDevices)
{
	Spr m(kLarge);
	int code;

	EXPECT_EQ(at(0, 6, UNC_ALL_PARTS), m.place("0000:5a:00.0"));
	m.tree.device("0000:59/0000:59:01.0");
	EXPECT_EQ(at(0, 6, UNC_ALL_PARTS), m.place("0000:5a:00.0"));
	m.tree.device("0000:59/0000:59:01.0/0000:5b:00.0");
	EXPECT_NE(std::string::npos, m.place("0000:5a:00.0", &code).find("disagree"));
	EXPECT_EQ(UNCORE_ENOSUPP, code);
	EXPECT_EQ(at(0, 6, 1), m.place("0000:5b:00.0"));
}

TEST(SprLargeDevices, PortsBehindVmdArePopulatedToo)
{
	Spr m(kLarge);
	int code;

	m.tree.device("0000:59/0000:59:00.5/pci10000:80/10000:80:01.0/10000:81:00.0");
	m.place("0000:5a:00.0", &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
	EXPECT_EQ(at(0, 6, 1), m.place("10000:81:00.0"));
}

TEST(SprLargeDevices, Accelerators)
{
	Spr m(kLarge);

	m.tree.device("0000:f0/0000:f0:01.0");
	m.tree.device("0000:f0/0000:f0:02.0");
	m.tree.device("0000:f1/0000:f1:00.0");
	m.tree.device("0000:f3/0000:f3:00.0");
	EXPECT_EQ(at(0, 0, 1), m.place("0000:f0:01.0"));
	EXPECT_EQ(at(0, 0, 6), m.place("0000:f0:02.0"));
	EXPECT_EQ(at(0, 0, 0x10), m.place("0000:f1:00.0"));
	EXPECT_EQ(at(0, 0, 0x20), m.place("0000:f3:00.0"));
}

// I 559: the traffic of CPU bus 1 was that of box 1, not 2.
TEST(SprMediumDevices, TheMediumDieHasBoxesOfItsOwn)
{
	Spr m(kMedium);
	int code;

	EXPECT_EQ(at(0, 1, 1), m.place("0000:38:00.0"));
	EXPECT_NE(std::string::npos, m.place("0000:27:00.0", &code).find("only assumes"));
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

// The boxes of all stacks whose box is certain, by the tables in docs/hardware/stacks.md.
void expect_boxes(Spr &m, const std::map<unsigned, unsigned> &box_of_bus)
{
	for (const auto &[bus, box] : box_of_bus) {
		char path[80], name[16];

		snprintf(name, sizeof(name), "0000:%02x:00.0", bus + 2);
		snprintf(path, sizeof(path), "0000:%02x/0000:%02x:01.0/%s", bus, bus, name);
		m.tree.device(path);
		EXPECT_EQ(at(0, box, 1), m.place(name)) << bus;
	}
}

TEST(SprLargeDevices, EveryStackWithPorts)
{
	Spr m(kLarge);

	expect_boxes(m, {{0x37, 2}, {0x48, 4}, {0x59, 6}, {0x26, 7}, {0x15, 9}});
}

TEST(SprMediumDevices, EveryStackWithPortsThatIsCertain)
{
	Spr m(kMedium);

	expect_boxes(m, {{0x37, 1}, {0x48, 2}, {0x15, 5}});
	m.tree.device("0000:59/0000:59:00.0/0000:5c:00.0"); // DMI is part 7
	EXPECT_EQ(at(0, 10, 0x80), m.place("0000:5c:00.0"));
}

// Linux PCI list, February 2022: VMD 0000:59:00.5, its domain from bus 80, ports 10000:80:01.0
// [8086:352a] and 10000:80:03.0 [8086:352b].
TEST(SprLargeDevices, BehindVmdOfTheLog)
{
	const std::string domain = "0000:59/0000:59:00.5/pci10000:80/";
	Spr m(kLarge);
	int code;

	m.tree.remove("sys/bus/pci/devices/0000:5a:00.0");
	m.tree.remove("sys/devices/pci0000:59/0000:59:05.0/0000:5a:00.0");
	m.tree.device(domain + "10000:80:03.0/10000:82:00.0");
	EXPECT_EQ(at(0, 6, UNC_ALL_PARTS), m.place("10000:82:00.0"));
	m.tree.device(domain + "10000:80:01.0/10000:81:00.0");
	EXPECT_EQ(at(0, 6, 1), m.place("10000:81:00.0"));
	EXPECT_NE(std::string::npos, m.place("10000:82:00.0", &code).find("disagree"));
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

TEST(SprUnknownDevices, AnotherDieIsRefused)
{
	Spr m(kUnknown);
	int code;

	m.place("0000:38:00.0", &code);
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

TEST(SprLargeDevices, WithoutRightsThereIsNoOtherSource)
{
	Spr m(kLarge);
	int code;

	m.machine.fails = [](const unc_op &op) { return op.address >= 0x100 ? -ENODATA : 0; };
	m.place("0000:38:00.0", &code);
	EXPECT_EQ(UNCORE_EACCESS, code);
}

// "b7:02.0 [8086:0db0]" is port A.
TEST(GnrDevices, PortsAAndH)
{
	Made m{unc_gnr, 1};
	int code;

	add_cpu_buses(m.machine, 0, 0, {{3, 0x00}, {2, 0xb7}, {8, 0x60}, {9, 0x61}, {29, 0x70}});
	m.tree.device("0000:b7/0000:b7:02.0/0000:b8:00.0");
	m.tree.device("0000:b7/0000:b7:09.0/0000:b9:00.0");
	m.tree.device("0000:60/0000:60:01.0");
	m.tree.device("0000:61/0000:61:00.0");
	m.tree.device("0000:70/0000:70:02.0/0000:71:00.0");
	m.machine.table({support::FakeUnit::msr(1, 0, 0x2900)});
	m.open();
	EXPECT_EQ(at(0, 3, 1), m.place("0000:b8:00.0"));
	EXPECT_EQ(at(0, 3, 0x80), m.place("0000:b9:00.0"));
	EXPECT_EQ(at(0, 1, 1), m.place("0000:60:01.0"));
	EXPECT_EQ(at(0, 1, 0x10), m.place("0000:61:00.0"));
	EXPECT_NE(std::string::npos, m.place("0000:71:00.0", &code).find("Flex UPI"));
	EXPECT_EQ(UNCORE_ENOSUPP, code);
}

// SAD bus to box: PE0-3, PE6-8 and the accelerators HC0-3 with the buses of QAT and DLB.
TEST(GnrDevices, EveryStackThatIsCertain)
{
	const std::map<unsigned, unsigned> ports = {{2, 3}, {3, 4}, {1, 2}, {4, 5},
						    {0, 0}, {5, 7}, {28, 8}};
	const std::map<unsigned, unsigned> accelerators = {{8, 1}, {12, 6}, {20, 9}, {16, 14}};

	for (const unc_platform *platform : {&unc_gnr, &unc_srf}) {
		std::map<unsigned, unsigned> buses;
		Made m{*platform, 1};

		for (const auto &[sad, box] : ports) {
			char path[80];

			buses[sad] = 0x08 * (sad % 16) + (sad > 15 ? 0x80 : 0);
			snprintf(path, sizeof(path), "0000:%02x/0000:%02x:04.0/0000:%02x:00.0",
				 buses[sad], buses[sad], buses[sad] + 1);
			m.tree.device(path);
		}
		for (const auto &[sad, box] : accelerators)
			for (unsigned above = 0; above < 3; above++) {
				char path[80];

				buses[sad + above] = 0xa0 + 4 * (sad / 4) + above;
				snprintf(path, sizeof(path), "0000:%02x/0000:%02x:%02x.0",
					 buses[sad + above], buses[sad + above],
					 above == 0 ? 1 : 0);
				m.tree.device(path);
			}
		add_cpu_buses(m.machine, 0, 0, buses);
		m.machine.table({support::FakeUnit::msr(1, 0, 0x2900)});
		m.open();
		for (const auto &[sad, box] : ports) {
			char name[16];

			snprintf(name, sizeof(name), "0000:%02x:00.0", buses[sad] + 1);
			EXPECT_EQ(at(0, box, 4), m.place(name)) << sad;
		}
		for (const auto &[sad, box] : accelerators)
			for (unsigned above = 0; above < 3; above++) {
				const uint32_t parts[] = {1, 0x10, 0x20}; // DSA, QAT, DLB
				char name[16];

				snprintf(name, sizeof(name), "0000:%02x:%02x.0", buses[sad + above],
					 above == 0 ? 1 : 0);
				EXPECT_EQ(at(0, box, parts[above]), m.place(name)) << sad;
			}
	}
}

// ---- processors without a source ----

TEST(DevicesRefused, EachWithItsReason)
{
	const std::vector<std::tuple<const unc_platform *, unsigned, const char *>> all = {
		{&unc_snbep, 0, "R2PCIe"},     {&unc_ivbep, 0, "R2PCIe"},
		{&unc_hswep, 0, "R2PCIe"},     {&unc_bdx, 0, "R2PCIe"},
		{&unc_icx, 108, "contradict"}, {&unc_emr, 0, "untested"},
		{&unc_gnr, 174, "no source"},  {&unc_cwf, 0, "no source"},
		{&unc_dmr, 0, "no source"},    {&unc_knl, 0, "no source"},
		{&unc_nhmex, 0, "no source"}};

	for (const auto &[platform, model, why] : all) {
		Made m{*platform, 1, model};
		int code;

		m.tree.device("0000:00/0000:00:01.0/0000:01:00.0");
		m.open();
		EXPECT_NE(std::string::npos, m.place("0000:01:00.0", &code).find(why))
			<< platform->name << m.place("0000:01:00.0");
		EXPECT_EQ(UNCORE_ENOSUPP, code) << platform->name;
	}
}

// ---- recorded listings ----

// The stack by the kind of uncore functions on a bus of Skylake-X.
int skx_stack(unsigned id)
{
	if (id == 0x2014)
		return 0;
	if (id == 0x208d || id == 0x208e)
		return 1;
	if (id == 0x2066 || (id >= 0x2040 && id <= 0x204b))
		return 2;
	return id == 0x2058 || id == 0x204d || id == 0x204c || id == 0x2088 ? 3 : -1;
}

using Roots = std::map<std::pair<unsigned, unsigned>, unsigned>; // segment and bus: box

Roots skx_roots(const Listing &l)
{
	Roots box_of;

	for (const Listed &d : l.devices)
		if (skx_stack(d.id) >= 0)
			box_of[{d.domain, d.bus}] = static_cast<unsigned>(skx_stack(d.id));
	return box_of;
}

Roots icx_roots(const Listing &l)
{
	static const unsigned order[] = {5, 0, 1, 3, 4};
	Roots box_of;
	unsigned n = 0;

	for (const Listed &d : l.devices)
		if (d.id == 0x09a2)
			box_of[{d.domain, d.bus}] = order[n++ % 5];
	return box_of;
}

unsigned package_of(const Listing &l, unsigned segment, unsigned bus)
{
	for (const Listed &d : l.devices)
		if (d.domain == segment && d.bus == bus)
			return l.ubox_of(d);
	return UINT_MAX;
}

std::string text(const char *format, unsigned a, unsigned b)
{
	char to[80];

	snprintf(to, sizeof(to), format, a, b);
	return to;
}

// A device behind a port of each root bus; returns how many were found.
size_t expect_listing(const Listing &l)
{
	const bool skx = l.platform.name == std::string("skx");
	const Roots box_of = skx ? skx_roots(l) : icx_roots(l);
	FakeMachine m(*l.platform.platform, 0);
	DeviceTree tree;

	fill_listing(m, l);
	for (size_t i = 0; i < m.pci.size(); i++) // as the kernel knows it
		m.pci[i].near = static_cast<int>(l.ubox_of(l.devices[i]));
	const auto fails = m.fails;
	m.fails = [fails](const unc_op &op) {
		return op.address == 0x3f4 || op.address == 0x300 ? -EPERM : fails(op);
	};
	EXPECT_EQ(0, m.build_machine());
	size_t n = 0;
	for (const auto &[root, box] : box_of) {
		const unsigned slot = skx ? 2 : box == 5 ? 0 : 4;
		const std::string bus = text("%04x:%02x", root.first, root.second);
		const std::string name = text("%04x:%02x:1f.7", root.first, root.second);
		int code;

		tree.device(bus + "/" + bus + text(":%02x.%x", slot, 0) + "/" + name);
		const std::string found =
			place(m.machine, &m.hw_of(), tree.root.c_str(), name, &code);
		if (l.model() == 108) { // Ice Lake-D
			EXPECT_EQ(UNCORE_ENOSUPP, code) << found;
			continue;
		}
		EXPECT_EQ(at(package_of(l, root.first, root.second), box, slot == 0 ? 1 : 4), found)
			<< l.recorded["source"] << name;
		n++;
	}
	return n;
}

// 43 packages of Skylake-X with four stacks each, two of Ice Lake-X with five; one is Ice Lake-D.
TEST(DevicesOfListings, EveryStackThatTheFunctionsName)
{
	std::map<std::string, size_t> machines, stacks;

	for (const nlohmann::json &recorded : support::data_lines("machines/pci.jsonl.gz")) {
		const std::string platform = recorded["platform"];

		if (platform != "skx" && platform != "icx")
			continue;
		machines[platform]++;
		stacks[platform] += expect_listing(Listing(recorded));
	}
	EXPECT_EQ(34u, machines["skx"]);
	EXPECT_EQ(2u, machines["icx"]);
	EXPECT_EQ(4u * 43, stacks["skx"]);
	EXPECT_EQ(10u, stacks["icx"]);
}

// ---- simulated machines: their devices are made by the simulator at random ----

std::string described(const sim_endpoint &e)
{
	return std::string(e.name) + " at " + e.address;
}

size_t populated(const sim_endpoint *all, size_t n, const sim_endpoint &e)
{
	std::set<unsigned> parts;

	for (size_t i = 0; i < n; i++)
		if (all[i].package == e.package && all[i].stack == e.stack)
			parts.insert(all[i].part);
	return parts.size();
}

std::string expected(const std::string &platform, const sim_endpoint *all, size_t n,
		     const sim_endpoint &e)
{
	if (support::is_unmapped(platform, e))
		return "refused";
	if (!support::is_disputed(platform, e))
		return at(e.package, e.box, 1u << e.part);
	return populated(all, n, e) > 1 ? "refused" : at(e.package, e.box, UNC_ALL_PARTS);
}

size_t expect_devices(const std::string &platform, const std::string &options)
{
	Simulated machine(("sim:" + platform + ":" + options).c_str());
	size_t n;
	const sim_endpoint *all = sim_endpoints(unc_hw_sim(machine.hw), &n);

	for (size_t i = 0; i < n; i++)
		for (const char *name : {all[i].name, all[i].address}) {
			int code;

			if (!*name)
				continue;
			const std::string found =
				place(machine.machine, machine.hw, nullptr, name, &code);

			EXPECT_EQ(expected(platform, all, n, all[i]),
				  code == UNCORE_ENOSUPP ? "refused" : found)
				<< options << " " << described(all[i]);
		}
	return n;
}

TEST(RandomDevices, AreFoundWhereTheSimulatorPutThem)
{
	const std::vector<std::pair<std::string, std::string>> machines = {
		{"skx", ""}, {"skx", "packages=4,"}, {"skx", "dies=2,"}, {"icx", ""},
		{"spr", ""}, {"spr", "cores=32,"},   {"gnr", ""},        {"srf", ""}};
	size_t n = 0;

	for (unsigned seed = 1; seed <= 30; seed++)
		for (const auto &[platform, options] : machines)
			n += expect_devices(platform, options + "devices=" + std::to_string(seed));
	EXPECT_LT(2000u, n);
}

} // namespace
