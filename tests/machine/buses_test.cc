// SPDX-License-Identifier: BSD-3-Clause
// buses_test.cc - which package the devices of a PCI bus belong to when packages are offline
// and when UBoxes, NUMA nodes and the order of buses contradict each other.
#include <memory>

#include "support/fake_tables.h"
#include "support/tree.h"

namespace
{

using support::Handle;
using support::NativeMachine;
using support::Tree;

// Intel's devices of a real machine, two E5-2680 of eight cores (open-mpi/hwloc, test
// 32em64t-2n8c+dax+nvme+mic+dimms): those of the uncore have no NUMA node.
struct Listed {
	const char *functions; // "device.function id", hexadecimal
	unsigned bus;
	int node;
};
const char kUncore[] = "08.0 3c80 08.3 3c83 08.4 3c84 09.0 3c90 09.3 3c93 09.4 3c94 0a.0 3cc0 "
		       "0a.1 3cc1 0a.2 3cc2 0a.3 3cd0 0b.0 3ce0 0b.3 3ce3 0c.0 3ce8 0c.1 3ce8 "
		       "0c.2 3ce8 0c.3 3ce8 0c.6 3cf4 0c.7 3cf6 0d.0 3ce8 0d.1 3ce8 0d.2 3ce8 "
		       "0d.3 3ce8 0d.6 3cf5 0e.0 3ca0 0e.1 3c46 0f.0 3ca8 0f.1 3c71 0f.2 3caa "
		       "0f.3 3cab 0f.4 3cac 0f.5 3cad 0f.6 3cae 10.0 3cb0 10.1 3cb1 10.2 3cb2 "
		       "10.3 3cb3 10.4 3cb4 10.5 3cb5 10.6 3cb6 10.7 3cb7 11.0 3cb8 13.0 3ce4 "
		       "13.1 3c43 13.4 3ce6 13.5 3c44 13.6 3c45";
const Listed kRealMachine[] = {
	{"00.0 3c00 01.0 3c02 04.0 3c20 05.0 3c28 05.2 3c2a 16.0 1d3a 1f.0 1d41", 0x00, 0},
	{kUncore, 0x7f, -1},
	{"02.0 3c04 02.2 3c06 04.0 3c20 05.0 3c28 05.2 3c2a", 0x80, 1},
	{kUncore, 0xff, -1},
};

class RealTree : public Tree
{
      public:
	// The CPUs of these packages are online; package p has the eight from 8p on.
	explicit RealTree(const std::vector<unsigned> &packages)
	{
		std::string list;

		cpuinfo();
		for (unsigned p = 0; p < 2; p++)
			node(p, std::string());
		for (unsigned p : packages) {
			const std::string cpus =
				std::to_string(8 * p) + "-" + std::to_string(8 * p + 7);

			list += (list.empty() ? "" : ",") + cpus;
			node(p, cpus);
			for (unsigned i = 0; i < 8; i++)
				cpu(8 * p + i, p, i);
		}
		online(list);
		for (const Listed &listed : kRealMachine)
			add(listed);
		name_packages(0x7f, 0);
		name_packages(0xff, 1);
	}
	void node(unsigned number, const std::string &cpus)
	{
		write("sys/devices/system/node/node" + std::to_string(number) + "/cpulist",
		      cpus + "\n");
	}
	// UBox registers: node ids are package ids.
	void name_packages(unsigned bus, unsigned node_id)
	{
		put(config_name(bus, 11, 0), 0x40, node_id, 4);
		put(config_name(bus, 11, 0), 0x54, 1 << 3, 4);
	}

      private:
	void add(const Listed &listed)
	{
		std::istringstream words(listed.functions);
		std::string place, id;

		while (words >> place >> id)
			pci(0, listed.bus, std::stoul(place, nullptr, 16),
			    std::stoul(place.substr(3)), std::stoul(id, nullptr, 16), listed.node);
	}
};

std::vector<std::string> warnings(const Handle &machine)
{
	std::vector<std::string> all;

	for (unsigned i = 0; const char *warning = machine.warning(i); i++)
		all.push_back(warning);
	return all;
}

// Where the home agents are, package by package.
std::vector<std::string> places(const Handle &machine)
{
	std::vector<std::string> all;

	EXPECT_EQ(0, machine.code) << machine.message();
	for (const uncore_box_info &box : machine.boxes("ha"))
		all.push_back(box.absent ? "absent" : box.location);
	return all;
}

const std::vector<std::string> kInOrder = {"pci 0000:7f:0e.1", "pci 0000:ff:0e.1"};
const std::vector<std::string> kReversed = {"pci 0000:ff:0e.1", "pci 0000:7f:0e.1"};

TEST(Buses, OfARealMachine)
{
	RealTree tree({0, 1});
	NativeMachine machine(tree);

	EXPECT_EQ(kInOrder, places(machine));
	EXPECT_EQ(8u, machine.present("imc"));
	EXPECT_EQ(16u, machine.present("cbo"));
	EXPECT_TRUE(warnings(machine).empty());
}

TEST(Buses, OfAPackageThatIsOfflineAreNotTheNextOnes)
{
	RealTree tree({1});
	NativeMachine machine(tree);

	EXPECT_EQ(std::vector<std::string>{"pci 0000:ff:0e.1"}, places(machine));
	ASSERT_EQ(4u, machine.boxes("imc").size());
	for (const uncore_box_info &box : machine.boxes("imc"))
		EXPECT_EQ(0, strncmp(box.location, "pci 0000:ff:10.", 15)) << box.location;
	EXPECT_TRUE(warnings(machine).empty());
}

TEST(Buses, OfThePackageThatIsOnlineStayItsOwn)
{
	RealTree tree({0});
	NativeMachine machine(tree);

	EXPECT_EQ(std::vector<std::string>{"pci 0000:7f:0e.1"}, places(machine));
	EXPECT_EQ(4u, machine.present("imc"));
}

// A counter of the offline package's memory is neither read nor written.
TEST(Buses, OfAPackageThatIsOfflineAreNotCounted)
{
	RealTree tree({1});
	const std::string offline = Tree::config_name(0x7f, 16, 0);
	NativeMachine machine(tree);
	support::Set set(machine, {"UNC_M_CAS_COUNT:RD"});

	tree.put(offline, 0xb8, 4711, 8);
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0u, tree.get(offline, 0xe4, 4));
	tree.put(Tree::config_name(0xff, 16, 0), 0xb8, 1000, 8);
	EXPECT_EQ(1000, set.count());
}

// Channels of package 0 do not show which channels package 1 lacks.
TEST(Buses, OfAPackageThatIsOfflineHaveNoBoxThatCouldBeMissing)
{
	RealTree tree({1});

	tree.remove(Tree::pci_dir(0, 0xff, 16, 5));
	NativeMachine machine(tree);
	EXPECT_EQ(3u, machine.present("imc"));
	EXPECT_FALSE(machine.boxes("imc")[3].unreached) << machine.boxes("imc")[3].absent;
	EXPECT_EQ(0, machine.refusal("UNC_M_CAS_COUNT:RD")) << machine.message();
}

TEST(Buses, ANodeWhoseCpusAreOfflineIsAnOfflinePackages)
{
	RealTree tree({1});
	std::unique_ptr<unc_numa> numa(new unc_numa());
	unc_topology topology = {};

	ASSERT_EQ(0, unc_topology_devices(&topology, tree.root.c_str(), nullptr));
	for (size_t i = 0; i < topology.n_pci; i++) {
		const int bus = topology.pci[i].bus;
		const int expected = bus == 0x00 ? UNC_OFFLINE : bus == 0x80 ? 1 : -1;

		EXPECT_EQ(expected, unc_near(&topology, tree.root.c_str(), i, numa.get())) << bus;
	}
	unc_topology_free(&topology);
}

// Dealt out in the order of devices it would be taken for the other package's.
TEST(Buses, TablesOfAnOfflinePackageAreLeftOut)
{
	support::FakeMachine machine(unc_gnr);

	machine.machine.topo.n_offline = 1;
	machine.table({support::FakeUnit::msr(0, 0, 0x2000)}, UNC_OFFLINE);
	machine.table({support::FakeUnit::msr(0, 0, 0x2000), support::FakeUnit::msr(0, 1, 0x2010)},
		      0);
	ASSERT_EQ(0, machine.build()) << machine.err.text;
	EXPECT_EQ(1u, machine.machine.discovered->n_tables);
	EXPECT_EQ("cha1 pkg 0", machine.box(1));
}

// A node without online CPUs may be a part of the package whose other CPUs are online.
TEST(Buses, TablesOfAnOfflineNodeOfTheOnlyPackageAreUsed)
{
	support::FakeMachine machine(unc_gnr);

	machine.table({support::FakeUnit::msr(0, 0, 0x2000)}, UNC_OFFLINE);
	ASSERT_EQ(0, machine.build()) << machine.err.text;
	EXPECT_EQ("cha0 pkg 0", machine.box(0));
}

// Nodes of two packages may interleave; one with CPUs of both says nothing.
TEST(Buses, ANodeNamesThePackageOfAllItsCpus)
{
	const std::pair<const char *, int> lists[] = {
		{"0,8\n", -1},    {"0-3\n", 0}, {"0,2,4,6\n", 0}, {"8-11\n", 1},
		{"8,10,12\n", 1}, {"15\n", 1},  {"0-15\n", -1}};

	for (const auto &[list, package] : lists) {
		RealTree tree({0, 1});
		std::unique_ptr<unc_numa> numa(new unc_numa());
		unc_topology topology = {};
		unsigned near = 0;

		tree.write("sys/devices/system/node/node0/cpulist", list);
		ASSERT_EQ(0, unc_topology_devices(&topology, tree.root.c_str(), nullptr));
		for (size_t i = 0; i < topology.n_pci; i++)
			if (topology.pci[i].bus == 0x00)
				near += unc_near(&topology, tree.root.c_str(), i, numa.get()) ==
					package;
		EXPECT_LT(0u, near) << list;
		unc_topology_free(&topology);
	}
}

// ---- two UBoxes of one package ----

TEST(Buses, OfUboxesThatNameTheSamePackageGoByTheirNumaNodes)
{
	RealTree tree({0, 1});

	// the low bus is in package 1, which is not the order of buses
	tree.name_packages(0xff, 0);
	tree.write(Tree::pci_dir(0, 0x7f, 11, 0) + "numa_node", "1\n");
	tree.write(Tree::pci_dir(0, 0xff, 11, 0) + "numa_node", "0\n");
	NativeMachine machine(tree);
	EXPECT_EQ(kReversed, places(machine));
	ASSERT_EQ(2u, warnings(machine).size());
	EXPECT_EQ("the UBox at 0000:7f:0b.0 names the same package as another one: assigned it and "
		  "its buses by its NUMA node to package 1",
		  warnings(machine)[0]);
}

TEST(Buses, OfUboxesThatNameTheSamePackageGoByTheOrderOfBuses)
{
	RealTree tree({0, 1});

	tree.name_packages(0xff, 0);
	NativeMachine machine(tree);
	EXPECT_EQ(kInOrder, places(machine));
	ASSERT_EQ(2u, warnings(machine).size());
	EXPECT_NE(std::string::npos,
		  warnings(machine)[1].find("0000:ff:0b.0 names the same package as another one: "
					    "assigned it and its buses by its place in the "
					    "order of buses to package 1"));
}

// Firmware that gives all devices the first node.
TEST(Buses, ContradictingNumaNodesAreIgnored)
{
	RealTree tree({0, 1});

	tree.name_packages(0xff, 0);
	tree.write(Tree::pci_dir(0, 0x7f, 11, 0) + "numa_node", "0\n");
	tree.write(Tree::pci_dir(0, 0xff, 11, 0) + "numa_node", "0\n");
	NativeMachine machine(tree);
	EXPECT_EQ(kInOrder, places(machine));
	EXPECT_EQ(2u, warnings(machine).size());
}

TEST(Buses, NumaNodesDoNotOverruleUboxesThatAgree)
{
	RealTree tree({0, 1});

	tree.write(Tree::pci_dir(0, 0x7f, 11, 0) + "numa_node", "1\n");
	tree.write(Tree::pci_dir(0, 0xff, 11, 0) + "numa_node", "1\n");
	NativeMachine machine(tree);
	EXPECT_EQ(kInOrder, places(machine));
	EXPECT_TRUE(warnings(machine).empty());
}

// One of four packages is reported twice, one not at all.
TEST(Buses, OnlyUboxesInDisputeAreMoved)
{
	const unsigned named[] = {2, 1, 3, 1}; // package 0 is left over, in which order?
	Tree tree;

	tree.cpuinfo();
	tree.online("0-3");
	for (unsigned p = 0; p < 4; p++) {
		tree.cpu(p, p, 0);
		tree.ubox(0, 0x3f + 0x40 * p, named[p], 3 << 9 | 2 << 6 | 1 << 3);
		tree.uncore_devices(0, 0x3f + 0x40 * p);
	}
	NativeMachine machine(tree);
	EXPECT_EQ((std::vector<std::string>{"pci 0000:7f:0e.1", "pci 0000:ff:0e.1",
					    "pci 0000:3f:0e.1", "pci 0000:bf:0e.1"}),
		  places(machine));
	EXPECT_EQ(2u, warnings(machine).size());
}

// Both ids are zero, and one package is offline: only the NUMA node shows which.
TEST(Buses, DisputedNextToAnOfflinePackageGoByTheNodeWithCpus)
{
	RealTree tree({1});

	tree.name_packages(0xff, 0);
	NativeMachine unknown(tree);
	EXPECT_EQ(std::vector<std::string>{"absent"}, places(unknown));
	ASSERT_EQ(2u, warnings(unknown).size());
	EXPECT_NE(std::string::npos, warnings(unknown)[0].find("its buses are not used"));
	tree.write(Tree::pci_dir(0, 0x7f, 11, 0) + "numa_node", "0\n");
	tree.write(Tree::pci_dir(0, 0xff, 11, 0) + "numa_node", "1\n");
	NativeMachine machine(tree);
	EXPECT_EQ(std::vector<std::string>{"pci 0000:ff:0e.1"}, places(machine));
}

// ---- hidden UBoxes ----

TEST(Buses, OfAHiddenUboxAreNotTheNextOnes)
{
	RealTree tree({0, 1});

	tree.remove(Tree::pci_dir(0, 0x7f, 11, 0));
	NativeMachine machine(tree);
	EXPECT_EQ((std::vector<std::string>{"absent", "pci 0000:ff:0e.1"}), places(machine));
	EXPECT_NE(nullptr, strstr(machine.boxes("ha")[0].absent, "the package of its"))
		<< machine.boxes("ha")[0].absent;
}

TEST(Buses, WithoutUboxGoByTheNextOneWhereAllPackagesHaveTheirs)
{
	Tree tree;

	tree.two_packages();
	tree.write("sys/devices/system/node/node0/cpulist", "0-3\n");
	tree.remove(Tree::pci_dir(0, 0xff, 14, 1));
	tree.pci(0, 0xfe, 14, 1, 0x3c46, 0); // firmware that gives all devices the first node
	NativeMachine machine(tree);
	EXPECT_EQ((std::vector<std::string>{"pci 0000:7f:0e.1", "pci 0000:fe:0e.1"}),
		  places(machine));
}

// ---- Sapphire Rapids ----

// Two packages, each with its U-Box at the top of its buses and a UPI port three buses lower.
class SprTree : public Tree
{
      public:
	SprTree(const std::vector<unsigned> &packages, unsigned second_id)
	{
		std::string list;

		cpuinfo("GenuineIntel", 6, 143);
		for (unsigned p : packages) {
			list += (list.empty() ? "" : ",") + std::to_string(p);
			topology(p, p, 0);
			msr(p, p);
			resize(msr_name(p), 0x4000);
		}
		online(list);
		for (unsigned p = 0; p < 2; p++) {
			const unsigned bus = 0x7e + 0x80 * p;

			pci(0, bus, 0, 0, 0x3250);
			put(pci_dir(0, bus, 0, 0) + "config", 0xc0, p ? second_id : 0, 4);
			put(pci_dir(0, bus, 0, 0) + "config", 0xd4, second_id << 3, 4);
			pci(0, bus - 3, 1, 1, 0x3241);
		}
	}
};

std::vector<std::string> ports(const Handle &machine)
{
	std::vector<std::string> all;

	EXPECT_EQ(0, machine.code) << machine.message();
	for (const uncore_box_info &box : machine.boxes("upi"))
		if (!box.absent)
			all.push_back(std::to_string(box.package) + " " + box.location);
	return all;
}

TEST(Buses, OfSprWithTwoIdsOfZeroAreNotOnePackages)
{
	const std::vector<std::string> expected = {"0 pci 0000:7b:01.1", "1 pci 0000:fb:01.1"};
	SprTree plain({0, 1}, 1), zero({0, 1}, 0);
	NativeMachine good(plain), machine(zero);

	EXPECT_EQ(expected, ports(good));
	EXPECT_EQ(expected, ports(machine));
	EXPECT_EQ(warnings(good).size() + 2, warnings(machine).size());
}

TEST(Buses, OfSprWithAPackageOfflineAreNotTheNextOnes)
{
	SprTree tree({1}, 1);
	NativeMachine machine(tree);

	EXPECT_EQ(std::vector<std::string>{"0 pci 0000:fb:01.1"}, ports(machine));
}

} // namespace
