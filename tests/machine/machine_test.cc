// SPDX-License-Identifier: BSD-3-Clause
// machine_test.cc - packages, CPUs and boxes of machines of many shapes.
#include "support/sim_machine.h"
#include "support/sized.h"
#include "support/tree.h"

namespace
{

using support::NativeMachine;
using support::SimMachine;
using support::Tree;

// Bus of a package's uncore devices when n packages share 256 buses.
unsigned top_bus(unsigned package, unsigned n)
{
	return (package + 1) * 256 / n - 1;
}

// "0-3,8" for the library, and the CPUs that it should find.
struct Online {
	const char *list;
	std::vector<unsigned> cpus;
};

std::string package_of(const support::Handle &machine, const std::string &kind, unsigned i)
{
	return std::to_string(machine.boxes(kind).at(i).package) + " " +
	       machine.boxes(kind).at(i).location;
}

// ---- packages ----

class MachinePackages : public testing::TestWithParam<unsigned>
{
};

TEST_P(MachinePackages, OfTheModelAreAllFound)
{
	const unsigned n = GetParam();
	SimMachine machine("packages=" + std::to_string(n));

	EXPECT_EQ(n, machine.machine().packages);
	EXPECT_EQ(8 * n, machine.machine().cpus);
	EXPECT_EQ(machine.machine().boxes, machine.machine().boxes_present);
	EXPECT_EQ(8 * n, machine.present("cbo"));
	EXPECT_EQ(4 * n, machine.present("imc"));
}

TEST_P(MachinePackages, OfATreeAreAllFound)
{
	const unsigned n = GetParam();
	uint32_t map = 0;
	Tree tree;

	tree.cpuinfo();
	tree.online("0-" + std::to_string(2 * n - 1));
	for (unsigned p = 0; p < n; p++)
		map |= p << 3 * p;
	for (unsigned p = 0; p < n; p++) {
		tree.cpu(p, p, 0);
		tree.cpu(n + p, p, 1);
		tree.ubox(0, top_bus(p, n), p, map);
		tree.uncore_devices(0, top_bus(p, n));
	}
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(n, machine.machine().packages);
	EXPECT_EQ(2 * n, machine.present("cbo"));
	for (unsigned p = 0; p < n; p++) {
		char expected[64];

		snprintf(expected, sizeof(expected), "%u pci 0000:%02x:0e.1", p, top_bus(p, n));
		EXPECT_EQ(expected, package_of(machine, "ha", p));
	}
	EXPECT_EQ("UNC_M_CAS_COUNT:RD:pkg=" + std::to_string(n - 1),
		  machine.canonical("UNC_M_CAS_COUNT:RD:cpu=" + std::to_string(2 * n - 1)));
}

INSTANTIATE_TEST_SUITE_P(Machine, MachinePackages, testing::Values(1u, 2u, 4u, 8u));

TEST(MachinePackages, NodeIdsMayBeReversed)
{
	Tree tree;

	tree.two_packages();
	// package 0 has node id 1, package 1 has node id 0; the low bus has node 0
	tree.put(Tree::config_name(0x7f, 11, 3), 0x54, 0 << 3 | 1, 4);
	tree.put(Tree::config_name(0xff, 11, 3), 0x54, 0 << 3 | 1, 4);
	NativeMachine machine(tree);
	EXPECT_EQ("0 pci 0000:ff:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0000:7f:0e.1", package_of(machine, "ha", 1));
}

TEST(MachinePackages, OnlyTheNodeIdBitsCount)
{
	Tree tree;

	tree.two_packages();
	tree.put(Tree::config_name(0x7f, 11, 3), 0x40, 0xffffff00, 4);
	tree.put(Tree::config_name(0xff, 11, 3), 0x40, 0x1ff9, 4);
	NativeMachine machine(tree);
	EXPECT_EQ("0 pci 0000:7f:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0000:ff:0e.1", package_of(machine, "ha", 1));
}

TEST(MachinePackages, BusesWithoutUboxBelongToTheNextHigherOne)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-1");
	tree.cpu(0, 0, 0);
	tree.cpu(1, 1, 0);
	tree.ubox(0, 0x3f, 0, 1 << 3);
	tree.ubox(0, 0x7f, 1, 1 << 3);
	tree.uncore_devices(0, 0x3e);
	tree.uncore_devices(0, 0x40);
	NativeMachine machine(tree);
	EXPECT_EQ("0 pci 0000:3e:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0000:40:0e.1", package_of(machine, "ha", 1));
}

TEST(MachinePackages, WithoutUboxesTheNumaNodeDecides)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-3");
	for (unsigned i = 0; i < 4; i++)
		tree.cpu(i, i / 2, i % 2);
	// node 0 is package 1 here
	tree.write("sys/devices/system/node/node0/cpulist", "2-3\n");
	tree.write("sys/devices/system/node/node1/cpulist", "0-1\n");
	tree.uncore_devices(0, 0x7f, 0);
	tree.uncore_devices(0, 0xff, 1);
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ("0 pci 0000:ff:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0000:7f:0e.1", package_of(machine, "ha", 1));
}

TEST(MachinePackages, SegmentsAreKeptApart)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-1");
	tree.cpu(0, 0, 0);
	tree.cpu(1, 1, 0);
	for (unsigned p = 0; p < 2; p++) {
		tree.ubox(p, 0x7f, p, 1 << 3);
		tree.uncore_devices(p, 0x7e); // inherits within its segment
	}
	NativeMachine machine(tree);
	EXPECT_EQ("0 pci 0000:7e:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0001:7e:0e.1", package_of(machine, "ha", 1));
}

TEST(MachinePackages, PhysicalIdsMayHaveGaps)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-1");
	tree.cpu(0, 3, 0);
	tree.cpu(1, 1, 0);
	// field i of the map holds the node id of physical package i
	const uint32_t map = 7 | 0 << 3 | 7 << 6 | 1 << 9;
	tree.ubox(0, 0x7f, 0, map);
	tree.uncore_devices(0, 0x7f);
	tree.ubox(0, 0xff, 1, map);
	tree.uncore_devices(0, 0xff);
	NativeMachine machine(tree);
	EXPECT_EQ(2u, machine.machine().packages);
	EXPECT_EQ("0 pci 0000:7f:0e.1", package_of(machine, "ha", 0));
	EXPECT_EQ("1 pci 0000:ff:0e.1", package_of(machine, "ha", 1));
	EXPECT_EQ("UNC_C_CLOCKTICKS:pkg=1", machine.canonical("UNC_C_CLOCKTICKS:cpu=0"));
}

TEST(MachinePackages, DevicesOfOthersAreNotTaken)
{
	Tree tree;

	tree.one_package();
	tree.pci(0, 0x20, 14, 1, 0x3c46, -1, 0x10de); // the id of a home agent, another vendor
	tree.write("sys/bus/pci/devices/nonsense/vendor", "0x8086\n");
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ("0 pci 0000:7f:0e.1", package_of(machine, "ha", 0));
}

// ---- CPUs and cores ----

TEST(MachineCores, DecideTheNumberOfCbos)
{
	for (unsigned cores : {1u, 4u, 6u, 8u}) {
		SimMachine machine("cores=" + std::to_string(cores));

		EXPECT_EQ(2 * cores, machine.present("cbo"));
		EXPECT_EQ(UNCORE_ENODEV,
			  machine.refusal("UNC_C_CLOCKTICKS:box=" + std::to_string(cores)));
		support::Set set(machine, {"UNC_C_CLOCKTICKS"});
		EXPECT_EQ(0, set.start()) << machine.message();
	}
}

TEST(MachineCores, HyperthreadsShareACore)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-7");
	for (unsigned i = 0; i < 8; i++)
		tree.cpu(i, 0, i % 4);
	NativeMachine machine(tree);
	EXPECT_EQ(8u, machine.machine().cpus);
	EXPECT_EQ(4u, machine.present("cbo"));
}

// The C-Box of an offline core continues to count for the others.
TEST(MachineCores, OfflineOnesLeaveTheirCbos)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-3");
	for (unsigned i = 0; i < 4; i++)
		tree.cpu(i, i / 2, i % 2);
	tree.write("dev/cpu/0/cpuid", "");
	tree.cpuid_level(0, 0, 2, 0x100);
	tree.cpuid_level(0, 1, 12, 0x201);
	NativeMachine machine(tree);
	EXPECT_EQ(2u * 6, machine.present("cbo"));
}

TEST(MachineCores, LimitCbosToEight)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-11");
	for (unsigned i = 0; i < 12; i++)
		tree.cpu(i, 0, 2 * i);
	NativeMachine machine(tree);
	EXPECT_EQ(8u, machine.present("cbo"));
}

TEST(MachineCores, OfDifferentPackagesAreDifferent)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-5");
	for (unsigned i = 0; i < 4; i++)
		tree.cpu(i, 0, i);
	for (unsigned i = 4; i < 6; i++)
		tree.cpu(i, 1, i - 4);
	NativeMachine machine(tree);
	EXPECT_EQ(4u + 2, machine.present("cbo"));
}

class MachineOnline : public testing::TestWithParam<Online>
{
};

TEST_P(MachineOnline, ListIsUnderstood)
{
	Tree tree;

	tree.cpuinfo();
	tree.online(GetParam().list);
	for (unsigned i = 0; i < 72; i++)
		tree.topology(i, i % 2, i / 2);
	for (unsigned i : GetParam().cpus)
		tree.msr(i, i % 2);
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(GetParam().cpus.size(), machine.machine().cpus);
	for (unsigned i : GetParam().cpus)
		EXPECT_EQ(0, machine.refusal("UNC_C_CLOCKTICKS:cpu=" + std::to_string(i))) << i;
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_C_CLOCKTICKS:cpu=71"));
}

INSTANTIATE_TEST_SUITE_P(Machine, MachineOnline,
			 testing::Values(Online{"0", {0}}, Online{"0-3", {0, 1, 2, 3}},
					 Online{"0-3,8", {0, 1, 2, 3, 8}},
					 Online{"1,3,5", {1, 3, 5}},
					 Online{"2-3,16-17,64", {2, 3, 16, 17, 64}}));

TEST(MachineOnline, ACpuWithoutTopologyIsNotUsed)
{
	Tree tree;

	tree.cpuinfo();
	tree.online("0-3");
	for (unsigned i = 0; i < 3; i++)
		tree.cpu(i, 0, i);
	NativeMachine machine(tree);
	EXPECT_EQ(3u, machine.machine().cpus);
	EXPECT_EQ(3u, machine.present("cbo"));
}

// ---- descriptions ----

TEST(MachineBoxes, AreDescribed)
{
	SimMachine machine;
	auto box = support::sized<uncore_box_info>();

	for (const uncore_box_info &b : machine.boxes()) {
		EXPECT_NE('\0', b.kind[0]);
		EXPECT_NE('\0', b.title[0]);
		EXPECT_NE('\0', b.location[0]);
		EXPECT_EQ(nullptr, b.absent);
		EXPECT_EQ("snbep_unc_" + std::string(b.kind), b.pmu);
	}
	EXPECT_EQ(4u, machine.boxes("imc")[0].counters);
	EXPECT_TRUE(machine.boxes("imc")[0].fixed);
	EXPECT_EQ(48u, machine.boxes("imc")[0].width);
	EXPECT_EQ(3u, machine.boxes("r3qpi")[0].counters);
	EXPECT_FALSE(machine.boxes("r3qpi")[0].fixed);
	EXPECT_EQ(44u, machine.boxes("cbo")[0].width);
	EXPECT_TRUE(machine.machine().simulated);
	EXPECT_EQ(0, uncore_box(machine.u, machine.machine().boxes, &box));
	EXPECT_EQ(0, uncore_box(machine.u, UINT32_MAX, &box));
}

// Emerald Rapids has the PMUs of Sapphire Rapids; type 57 of Diamond Rapids has no name.
TEST(MachineBoxes, HaveThePmuOfTheirEvents)
{
	const support::Stepped emr("emr"), dmr("dmr");

	EXPECT_STREQ("spr_unc_cha", emr.boxes("cha")[0].pmu);
	EXPECT_STREQ("uncore_type_57", dmr.boxes("type_57")[0].pmu);
	EXPECT_EQ("uncore_type_57::RAW:config=0x1",
		  dmr.canonical(dmr.boxes("type_57")[0].pmu + std::string("::RAW:config=1")));
}

TEST(MachineBoxes, AHiddenDeviceIsOneAbsentBoxPerPackage)
{
	SimMachine machine("hide=3cb4");

	EXPECT_EQ(machine.machine().boxes, machine.machine().boxes_present + 2);
	EXPECT_EQ(6u, machine.present("imc"));
	EXPECT_NE(nullptr, machine.boxes("imc")[2].absent);
	support::Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	ASSERT_EQ(0, set.start()) << machine.message();
	machine.advance();
	int64_t sum = 0;
	for (unsigned package : {0u, 1u})
		for (unsigned channel : {0u, 1u, 3u})
			sum += machine.gain({"imc", 0x0304}, channel, package, 0, machine.now());
	support::expect_near(sum, set.count());
}

TEST(MachineBoxes, AHiddenFilterDeviceForbidsWhatNeedsIt)
{
	SimMachine machine("hide=3c96");
	support::Set set(machine);

	EXPECT_EQ(UNCORE_ENODEV, set.assign({"UNC_Q_CTO_COUNT:match=1:mask=1"}));
	EXPECT_NE(std::string::npos, machine.message().find("qpi1")) << machine.message();
	EXPECT_EQ(0, set.assign({"UNC_Q_CTO_COUNT:match=1:mask=1:box=0"})) << machine.message();
	EXPECT_EQ(0, set.assign({"UNC_Q_CLOCKTICKS"})) << machine.message();
}

// ---- PCI devices that are not what their id or place says ----

// Packages of one core each, package p's devices on bus 0x7f + 0x80 * p.
class Part : public Tree
{
      public:
	Part(unsigned model, unsigned ubox, unsigned ids, unsigned map, unsigned packages = 2)
	{
		cpuinfo("GenuineIntel", 6, model);
		online("0-" + std::to_string(packages - 1));
		for (unsigned p = 0; p < packages; p++) {
			cpu(p, p, 0);
			pci(0, bus(p), 16, 5, ubox);
			put(config_name(bus(p), 16, 5), ids, p, 4);
			put(config_name(bus(p), 16, 5), map, 1 << 3, 4);
		}
	}
	static unsigned bus(unsigned package)
	{
		return 0x7f + 0x80 * package;
	}
	void device(unsigned id, unsigned slot, unsigned function, unsigned package = 0)
	{
		pci(0, bus(package), slot, function, id);
	}
};

// "0 pci 0000:7f:14.0" of the boxes that can be used.
std::vector<std::string> usable(const support::Handle &machine, const std::string &kind)
{
	std::vector<std::string> all;

	for (const uncore_box_info &b : machine.boxes(kind))
		if (!b.absent)
			all.push_back(std::to_string(b.index) + " " + b.location);
	return all;
}

using Places = std::vector<std::string>;

struct Controllers {
	unsigned model, ids;
};

class MachineControllers : public testing::TestWithParam<Controllers>
{
      protected:
	// The first controller's two channels, and the device that always shows.
	void one_controller(Part &part)
	{
		part.device(id(0xb0), 20, 0);
		part.device(id(0xb1), 20, 1);
		part.device(id(0xd0), 23, 0);
	}
	unsigned id(unsigned low) const
	{
		return GetParam().ids | low;
	}
	Part part{GetParam().model, GetParam().ids | 0x1e, 0x40, 0x54};
};

TEST_P(MachineControllers, OneOfWhichOnlyTheFirstChannelShowsIsNotThere)
{
	one_controller(part);
	// what another package has says nothing about this one
	part.device(id(0x38), 18, 5, 1);
	part.device(id(0xd1), 23, 1, 1);
	NativeMachine machine(part);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ((Places{"0 pci 0000:7f:14.0", "1 pci 0000:7f:14.1", "5 pci 0000:ff:17.1"}),
		  usable(machine, "imc"));
	EXPECT_STREQ("its PCI device shows, but the rest of its memory controller does not: this "
		     "part does not have it",
		     machine.boxes("imc")[4].absent);
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:pkg=0:box=4"));
}

TEST_P(MachineControllers, OneWithItsSecondChannelExists)
{
	one_controller(part);
	part.device(id(0xd1), 23, 1);
	NativeMachine machine(part);

	EXPECT_EQ((Places{"0 pci 0000:7f:14.0", "1 pci 0000:7f:14.1", "4 pci 0000:7f:17.0",
			  "5 pci 0000:7f:17.1"}),
		  usable(machine, "imc"));
}

TEST_P(MachineControllers, OneWithItsHomeAgentExists)
{
	one_controller(part);
	part.device(id(0x38), 18, 5);
	NativeMachine machine(part);

	EXPECT_EQ((Places{"0 pci 0000:7f:14.0", "1 pci 0000:7f:14.1", "4 pci 0000:7f:17.0"}),
		  usable(machine, "imc"));
}

INSTANTIATE_TEST_SUITE_P(Machine, MachineControllers,
			 testing::Values(Controllers{63, 0x2f00}, Controllers{79, 0x6f00}));

class MachineM2pcie : public testing::Test
{
      protected:
	MachineM2pcie()
	{
		part.device(0x2088, 21, 1);
		part.device(0x2088, 22, 1);
		part.device(0x2088, 23, 1);
	}
	Part part{85, 0x2014, 0xc0, 0xd4, 1};
	const Places three{"0 pci 0000:7f:15.1", "1 pci 0000:7f:16.1", "2 pci 0000:7f:17.1"};
};

TEST_F(MachineM2pcie, TheFourthIsWhereRealMachinesHaveIt)
{
	part.device(0x2088, 22, 5);
	NativeMachine machine(part);
	Places four = three;

	four.emplace_back("3 pci 0000:7f:16.5");
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(four, usable(machine, "m2pcie"));
}

TEST_F(MachineM2pcie, TheFourthIsTakenWhereTheLinuxDriverLooksForIt)
{
	part.device(0x2088, 21, 5);
	NativeMachine machine(part);
	Places four = three;

	four.emplace_back("3 pci 0000:7f:15.5");
	EXPECT_EQ(four, usable(machine, "m2pcie"));
}

TEST_F(MachineM2pcie, ThereMayBeThree)
{
	NativeMachine machine(part);

	EXPECT_EQ(three, usable(machine, "m2pcie"));
}

} // namespace
