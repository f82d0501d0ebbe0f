// SPDX-License-Identifier: BSD-3-Clause
// native_test.cc - the access paths of a real machine on a directory tree.
//
// An MSR file has 8 bytes per register number on a real machine; in an ordinary
// file register n + 1 begins one byte behind n.  So only registers are looked
// at whose neighbours are not in use.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <map>

#include "hw/topology.h"
#include "support/child.h"
#include "support/open_files.h"
#include "support/tree.h"

namespace
{

using support::NativeMachine;
using support::open_files_below;
using support::OpenFile;
using support::Set;
using support::Tree;

constexpr uint64_t kEnable = 1u << 22;

std::string imc(unsigned channel, unsigned package = 0)
{
	static const unsigned functions[] = {0, 1, 4, 5};

	return Tree::config_name(0x7f + 0x80 * package, 16, functions[channel]);
}

std::string ha(unsigned package = 0)
{
	return Tree::config_name(0x7f + 0x80 * package, 14, 1);
}

// ---- what is read and written where ----

TEST(Native, FindsTheBoxesOfTwoPackages)
{
	Tree tree;
	tree.two_packages();
	NativeMachine machine(tree);
	const uncore_machine_info info = machine.machine();

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("snbep", info.platform);
	EXPECT_FALSE(info.simulated);
	EXPECT_EQ(2u, info.packages);
	EXPECT_EQ(8u, info.cpus);
	EXPECT_EQ(info.boxes, info.boxes_present);
	EXPECT_EQ(2u * 4, machine.present("cbo"));
	EXPECT_EQ(2u * 4, machine.present("imc"));
	EXPECT_EQ(2u * 2, machine.present("qpi"));
	EXPECT_EQ(2u * 2, machine.present("r3qpi"));
	for (const char *kind : {"ubo", "pcu", "ha", "r2pcie"})
		EXPECT_EQ(2u, machine.present(kind)) << kind;
	EXPECT_STREQ("pci 0000:7f:10.1", machine.boxes("imc")[1].location);
	EXPECT_STREQ("pci 0000:ff:0e.1", machine.boxes("ha")[1].location);
	EXPECT_STREQ("msr 0xd24", machine.boxes("cbo")[1].location);
}

TEST(Native, OpeningWritesNothing)
{
	Tree tree;
	tree.two_packages();
	const std::string before = tree.registers();
	{
		NativeMachine machine(tree);
		Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});
	}
	EXPECT_EQ(before, tree.registers());
}

TEST(Native, ProgramsPciBoxesAndPutsThemBack)
{
	Tree tree;
	tree.two_packages();
	tree.put(imc(2, 1), 0xf4, 0x10000, 4);
	const std::string before = tree.registers();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, set.start()) << machine.message();
	for (unsigned p = 0; p < 2; p++)
		for (unsigned c = 0; c < 4; c++) {
			EXPECT_EQ(0x0304 | kEnable, tree.get(imc(c, p), 0xe4, 4));
			EXPECT_EQ(0x10000u, tree.get(imc(c, p), 0xf4, 4));
			tree.put(imc(c, p), 0xb8, 1000 * p + c, 8);
		}
	EXPECT_EQ(1000 * 4 + 2 * 6, set.count());
	EXPECT_EQ(0, set.stop()) << machine.message();
	for (unsigned p = 0; p < 2; p++)
		for (unsigned c = 0; c < 4; c++)
			tree.put(imc(c, p), 0xb8, 0, 8);
	EXPECT_EQ(before, tree.registers());
}

TEST(Native, ClosingAMachineThatCountsPutsTheRegistersBack)
{
	Tree tree;
	tree.two_packages();
	const std::string before = tree.registers();
	NativeMachine machine(tree);
	const std::vector<unsigned> ids = machine.events(
		{"UNC_M_CAS_COUNT:RD", "UNC_Q_CTO_COUNT:match=1:mask=1", "UNC_C_CLOCKTICKS:box=1"});

	for (int i = 0; i < 2; i++) {
		struct uncore_set *set;

		ASSERT_EQ(0, uncore_set_create(machine.u, &set));
		ASSERT_EQ(0, uncore_set_assign(set, ids.data(), ids.size())) << machine.message();
		ASSERT_EQ(0, uncore_set_start(set)) << machine.message();
	}
	EXPECT_NE(before, tree.registers());
	machine.close();
	EXPECT_EQ(before, tree.registers());
}

// Counter 1 of a link would be next to counter 0 of the other one, if that were in the same device.
TEST(Native, CountersOfTwoDevicesAreReadOneByOne)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine,
		{"UNC_R3_RXR_OCCUPANCY:box=0:pkg=0", "UNC_R3_IIO_CREDITS_ACQUIRED:box=1:pkg=0"});
	const std::string first = Tree::config_name(0x7f, 19, 5),
			  second = Tree::config_name(0x7f, 19, 6);

	ASSERT_EQ(0, set.start()) << machine.message();
	tree.put(first, 0xa0, 1, 8);
	tree.put(first, 0xa8, 2, 8);
	tree.put(second, 0xa0, 3, 8);
	tree.put(second, 0xa8, 4, 8);
	EXPECT_EQ((std::vector<int64_t>{1, 4}), set.counts());
}

TEST(Native, ReadsNeighbouringCountersWhereTheyAre)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_H_REQUESTS:READS", "UNC_H_REQUESTS:WRITES", "UNC_H_IMC_RETRY",
			  "UNC_H_CLOCKTICKS"});
	uint64_t controls[4];

	ASSERT_EQ(0, set.start());
	for (unsigned i = 0; i < 4; i++) {
		controls[i] = tree.get(ha(), 0xd8 + 4 * i, 4) & ~kEnable;
		// the high halves must come from the right places, too
		tree.put(ha(), 0xa0 + 8 * i, (7ull + i) << 32 | (100 + i), 8);
	}
	const uint64_t events[] = {0x0301, 0x0c01, 0x1e, 0x00};
	const std::vector<int64_t> n = set.counts();
	for (unsigned e = 0; e < 4; e++)
		for (unsigned i = 0; i < 4; i++)
			if (controls[i] == events[e]) {
				EXPECT_EQ((7ll + i) << 32 | (100 + i), n[e]);
			}
}

TEST(Native, ProgramsMsrBoxesAndPutsThemBack)
{
	Tree tree;
	tree.two_packages();
	const std::string before = tree.registers();
	NativeMachine machine(tree);
	// on counter 3: control 0xd13, counter 0xd19
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=1"});

	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(kEnable, tree.get(Tree::msr_name(4), 0xd13, 4));
	EXPECT_EQ(0x10000u, tree.get(Tree::msr_name(4), 0xd04, 8));
	const uint64_t zero = tree.get(Tree::msr_name(4), 0xd19, 8);
	tree.put(Tree::msr_name(4), 0xd19, zero + 4711, 8);
	EXPECT_EQ(4711, set.count());
	tree.put(Tree::msr_name(4), 0xd19, zero, 8);
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(before, tree.registers());
}

TEST(Native, FiltersGoToTheSecondFunctionOfAPort)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_Q_CTO_COUNT:match=0x1200000034:mask=0x5600000078:box=1"});
	const std::string filter = Tree::config_name(0x7f, 9, 6);

	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0x34u, tree.get(filter, 0x228, 4));
	EXPECT_EQ(0x12u, tree.get(filter, 0x22c, 4));
	EXPECT_EQ(0x78u, tree.get(filter, 0x238, 4));
	EXPECT_EQ(0x56u, tree.get(filter, 0x23c, 4));
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0u, tree.get(filter, 0x228, 4));
}

// As without MMCONFIG, and behind QEMU: not a matter of rights.
TEST(Native, ConfigSpaceMayEndAfter256Bytes)
{
	Tree tree;
	tree.one_package();
	const std::string port = tree.root + "/" + Tree::config_name(0x7f, 9, 6);
	ASSERT_EQ(0, truncate(port.c_str(), 256));
	const std::string before = tree.registers();
	NativeMachine machine(tree);
	Set match(machine, {"UNC_Q_CTO_COUNT:match=0x12:mask=0x12:box=1"});
	Set flits(machine, {"UNC_Q_TXL_FLITS_G0:DATA"});

	EXPECT_EQ(UNCORE_ENODEV, match.start());
	EXPECT_NE(std::string::npos, machine.message().find("MMCONFIG")) << machine.message();
	EXPECT_EQ(before, tree.registers());
	EXPECT_EQ(0, flits.start()) << machine.message();
}

TEST(Native, BusyCountersAreSeen)
{
	Tree tree;
	tree.one_package();
	tree.put(imc(1), 0xe4, 0x0c04 | kEnable, 4);
	const std::string before = tree.registers();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});

	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_NE(std::string::npos, machine.message().find("imc1 of package 0: counter 3"))
		<< machine.message();
	EXPECT_EQ(before, tree.registers());
}

// ---- cost ----

unsigned long reads_so_far()
{
	std::ifstream io("/proc/self/io");
	std::string key;
	unsigned long value;

	while (io >> key >> value)
		if (key == "syscr:")
			return value;
	return 0;
}

TEST(Native, OneSystemCallPerCounterOrRunOfNeighbours)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR", "UNC_C_CLOCKTICKS"});

	if (reads_so_far() == 0)
		GTEST_SKIP() << "/proc/self/io does not count system calls here";
	ASSERT_EQ(0, set.start()) << machine.message();
	const unsigned long earlier = reads_so_far(), before = reads_so_far();
	const unsigned long looking = before - earlier;
	for (int i = 0; i < 100; i++)
		set.counts();
	// four channels with two neighbours each, four CBos
	EXPECT_LE(reads_so_far() - before, 100u * (4 + 4) + looking);
}

TEST(Native, FilesAreOpenedOnceCloseOnExecAndClosedInTheEnd)
{
	Tree tree;
	tree.two_packages();
	{
		NativeMachine machine(tree);
		Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});
		std::map<std::string, int> times;

		for (int i = 0; i < 3; i++) {
			ASSERT_EQ(0, set.start());
			set.counts();
			ASSERT_EQ(0, set.stop());
		}
		for (const OpenFile &file : open_files_below(tree.root)) {
			// the first CPU's file of each package is the package's lock, too
			const bool lock = file.path == tree.root + "/dev/cpu/0/msr" ||
					  file.path == tree.root + "/dev/cpu/4/msr";

			EXPECT_LE(++times[file.path], lock ? 2 : 1) << file.path;
			EXPECT_TRUE(fcntl(file.fd, F_GETFD) & FD_CLOEXEC) << file.path;
		}
		EXPECT_GT(times.size(), 8u);
	}
	EXPECT_EQ(0u, open_files_below(tree.root).size());
}

// ---- files that are not as they should be ----

TEST(Native, ATruncatedConfigSpaceMeansMissingRights)
{
	Tree tree;
	tree.one_package();
	for (unsigned channel = 0; channel < 4; channel++)
		tree.resize(imc(channel), 64);
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(0u, machine.present("imc"));
	for (const uncore_box_info &box : machine.boxes("imc"))
		EXPECT_NE(nullptr, strstr(box.absent, "rights")) << box.absent;
	EXPECT_EQ(4u, machine.present("cbo"));
	EXPECT_NE(0, machine.refusal("UNC_M_CAS_COUNT:RD"));
}

TEST(Native, ADeviceThatReadsAllOnesIsAbsent)
{
	Tree tree;
	tree.one_package();
	tree.put(imc(3), 0xf4, 0xffffffff, 4);
	NativeMachine machine(tree);

	EXPECT_EQ(3u, machine.present("imc"));
	EXPECT_NE(nullptr, strstr(machine.boxes("imc")[3].absent, "all ones"));
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("UNC_M_CAS_COUNT:RD:box=3"));
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	EXPECT_EQ(0, set.start()) << machine.message();
}

TEST(Native, AMachineWithoutPciStillCountsByMsr)
{
	Tree tree;
	tree.one_package();
	tree.remove("sys/bus");
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(0u, machine.present("imc"));
	EXPECT_EQ(4u, machine.present("cbo"));
	Set set(machine, {"UNC_C_CLOCKTICKS"});
	EXPECT_EQ(0, set.start()) << machine.message();
}

TEST(Native, WithoutTheMsrModulePciBoxesStillCount)
{
	Tree tree;
	tree.one_package();
	tree.remove("dev");
	NativeMachine machine(tree);

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(0u, machine.present("cbo"));
	EXPECT_NE(nullptr, strstr(machine.boxes("cbo")[0].absent, "does not exist"))
		<< machine.boxes("cbo")[0].absent;
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	EXPECT_EQ(0, set.start()) << machine.message();
}

// Stands for a CPU that is offline: opening its file gives ENXIO, as a socket does.
TEST(Native, AnOfflineCpuIsPassedOver)
{
	Tree tree;
	tree.one_package();
	const std::string name = tree.path(Tree::msr_name(0));
	struct sockaddr_un address = {};
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	unlink(name.c_str());
	address.sun_family = AF_UNIX;
	ASSERT_LT(name.size(), sizeof(address.sun_path));
	memcpy(address.sun_path, name.c_str(), name.size() + 1);
	ASSERT_EQ(0, bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)));
	NativeMachine machine(tree);
	EXPECT_EQ(4u, machine.present("cbo")) << machine.message();
	Set set(machine, {"UNC_C_CLOCKTICKS"});
	EXPECT_EQ(0, set.start()) << machine.message();
	set.count();
	EXPECT_EQ(0, set.stop()) << machine.message();
	close(fd);
}

// Leaf 0xb of CPUID: levels of threads and cores, and how many logical CPUs each holds.
// A core that is offline still has its slice of the last-level cache, and its C-Box.
TEST(Native, CBoxesAreAsManyAsCpuidHasCores)
{
	Tree tree;
	const std::string cpuid = "dev/cpu/0/cpuid";
	const unsigned threads = 0, cores = 1;
	const auto level = [&](unsigned number, uint32_t logical, uint32_t kind) {
		tree.cpuid_level(0, number, logical, kind);
	};

	tree.two_packages();
	EXPECT_EQ(2u * 4, NativeMachine(tree).present("cbo"));
	tree.write(cpuid, "");
	EXPECT_EQ(2u * 4, NativeMachine(tree).present("cbo"));
	level(threads, 2, 0x100);
	level(cores, 12, 0x201);
	EXPECT_EQ(2u * 6, NativeMachine(tree).present("cbo"));
	level(cores, 2, 0x201); // fewer than these CPUs need cannot be
	EXPECT_EQ(2u * 4, NativeMachine(tree).present("cbo"));
	level(cores, 64, 0x201);
	EXPECT_EQ(2u * 8, NativeMachine(tree).present("cbo"));
	level(cores, 64, 0x501); // no level of cores
	EXPECT_EQ(2u * 4, NativeMachine(tree).present("cbo"));
	level(cores, 64, 0x201);
	level(threads, 0, 0x100);
	EXPECT_EQ(2u * 4, NativeMachine(tree).present("cbo"));
}

TEST(Native, ADeviceThatVanishesGivesTheLastCounts)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD:box=1"});

	ASSERT_EQ(0, set.start());
	tree.put(imc(1), 0xb8, 4711, 8);
	EXPECT_EQ(4711, set.count());
	tree.resize(imc(1), 0);
	EXPECT_EQ(4711, set.count(UNCORE_EIO));
	EXPECT_EQ(4711, set.count(UNCORE_EIO));
	// and comes back
	tree.resize(imc(1), support::kConfigBytes);
	tree.put(imc(1), 0xb8, 4712, 8);
	EXPECT_EQ(4712, set.count());
}

TEST(Native, AnMsrFileThatEndsGivesTheLastCounts)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0"});

	ASSERT_EQ(0, set.start());
	const uint64_t zero = tree.get(Tree::msr_name(0), 0xd19, 8);
	tree.put(Tree::msr_name(0), 0xd19, zero + 12, 8);
	EXPECT_EQ(12, set.count());
	tree.resize(Tree::msr_name(0), 0xd20);
	EXPECT_EQ(12, set.count(UNCORE_EIO));
	EXPECT_EQ(UNCORE_EIO, set.stop());
}

// Names of directories in /sys/bus/pci/devices. Virtual devices have segments of more than 16 bits.
TEST(PciNames, AreThoseThatTheKernelWrites)
{
	unc_pci pci = {};

	EXPECT_TRUE(unc_pci_parse("0001:7f:08.2", &pci));
	EXPECT_EQ(1, pci.segment);
	EXPECT_EQ(0x7f, pci.bus);
	EXPECT_EQ(8 << 3 | 2, pci.devfn);
	for (const char *name :
	     {"", "slot", "0001:7f:08", "0001:7f:08.2x", "0001:7F:08.2", "1:7f:8.2", "0001:7f:28.2",
	      "0001:7f:08.a", "0001:17f:08.2", "10001:7f:08.2"})
		EXPECT_FALSE(unc_pci_parse(name, &pci)) << name;
}

} // namespace
