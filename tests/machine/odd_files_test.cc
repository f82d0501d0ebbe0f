// SPDX-License-Identifier: BSD-3-Clause
// odd_files_test.cc - files of the kernel that say what no kernel says: refused with a sentence,
// or passed over.
#include "support/tree.h"

namespace
{

using support::NativeMachine;
using support::Tree;

class OddFiles : public testing::Test
{
      protected:
	void expect_refusal(const std::string &part)
	{
		NativeMachine machine(tree);

		EXPECT_EQ(UNCORE_ENOSUPP, machine.code);
		EXPECT_NE(std::string::npos, machine.message().find(part)) << machine.message();
	}

	Tree tree;
};

TEST_F(OddFiles, ListsOfCpusThatDoNotAscendAreRefused)
{
	tree.two_packages();
	for (const char *list : {"5,3", "0-7,7", "0-65535,0-65535", "4-2", "0-7,0-7,0-7"}) {
		tree.online(list);
		expect_refusal("online is no ascending list of CPUs below 32768: ");
	}
}

TEST_F(OddFiles, CpusBeyondAllMachinesAreRefused)
{
	tree.two_packages();
	for (const char *list : {"0-32768", "0,99999", "0-18446744073709551616", "4294967296"}) {
		tree.online(list);
		expect_refusal("below 32768");
	}
	tree.online("0-32767"); // those without a package are not there
	EXPECT_EQ(8u, NativeMachine(tree).machine().cpus);
}

// Two lines of text: nothing is looked for once for each pair of CPUs.
TEST_F(OddFiles, AllCpusThatThereCanBeAreFound)
{
	tree.two_packages();
	tree.online("0-32767");
	tree.write("sys/devices/system/cpu/cpu0/topology/core_siblings_list", "0-3,8-32767\n");
	NativeMachine machine(tree);

	EXPECT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(32768u, machine.machine().cpus);
	EXPECT_EQ(2u, machine.machine().packages);
	EXPECT_EQ(0u, machine.refusal("UNC_C_CLOCKTICKS:cpu=32767"));
}

TEST_F(OddFiles, PackagesAndDiesBeyondAllMachinesAreRefused)
{
	tree.two_packages();
	tree.topology(3, 4294967295, 3);
	expect_refusal("cpu3/topology/physical_package_id is 4294967295, and no package or die");
	tree.topology(3, 32768, 3);
	expect_refusal("physical_package_id is 32768");
	tree.topology(3, 0, 3);
	tree.write("sys/devices/system/cpu/cpu3/topology/die_id", "65535\n");
	expect_refusal("cpu3/topology/die_id is 65535");
	tree.write("sys/devices/system/cpu/cpu3/topology/die_id", "0\n");
	EXPECT_EQ(0, NativeMachine(tree).code);
}

// The kernel numbers what is behind a VMD controller from segment 10000 on.
TEST_F(OddFiles, DevicesOfInvalidSegmentsAreSkipped)
{
	tree.two_packages();
	tree.pci(0x10000, 0x7f, 8, 2, 0x3c41);
	tree.pci(0x17fff, 0xff, 14, 1, 0x3c46);
	NativeMachine machine(tree);

	EXPECT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(2u, machine.present("ha"));
	EXPECT_EQ("pci 0000:7f:08.2", std::string(machine.boxes("qpi").at(0).location));
}

TEST_F(OddFiles, DevicesNotNamedAsByTheKernelAreSkipped)
{
	tree.two_packages();
	for (const char *name : {"0:7f:e.1", "0000:17f:0e.1", "0000:7f:0e.1x", "0x0:7f:0e.1",
				 "0000:7f:2e.1", "0000:7f:0e.9", "-1:7f:0e.1"})
		tree.write(std::string("sys/bus/pci/devices/") + name + "/modalias",
			   "pci:v00008086d00003C46sv");
	NativeMachine machine(tree);

	EXPECT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(2u, machine.present("ha"));
}

// EAX of leaf 0AH has version, number and width of a CPU's own counters, EDX those of the fixed.
class OddCpuid : public OddFiles
{
      protected:
	// How many counters a CPU has, and which fixed ones.
	std::pair<unsigned, unsigned> with(unsigned width, unsigned fixed_width)
	{
		return with(3 | 4 << 8 | width << 16 | 7u << 24, 0, 3 | fixed_width << 5);
	}
	std::pair<unsigned, unsigned> with(uint32_t eax, uint32_t ecx, uint32_t edx)
	{
		auto cpu = support::sized<uncore_cpu_info>();

		tree.put(kCpuid, 0xa, eax, 4);
		tree.put(kCpuid, 0xa + 8, ecx, 4);
		tree.put(kCpuid, 0xa + 12, edx, 4);
		NativeMachine machine(tree);
		EXPECT_EQ(0, machine.code) << machine.message();
		uncore_cpu(machine.u, 0, &cpu);
		return {cpu.counters, cpu.fixed};
	}
	void SetUp() override
	{
		tree.two_packages();
		tree.write(kCpuid, "");
	}
	static constexpr const char *kCpuid = "dev/cpu/0/cpuid";
};

TEST_F(OddCpuid, CountersOfNoWidthAreNotCounted)
{
	const std::pair<unsigned, unsigned> all(4, 7), own(4, 0), none(0, 0);

	EXPECT_EQ(all, with(48, 48));
	EXPECT_EQ(all, with(64, 64));
	for (unsigned width : {0, 65, 255}) {
		EXPECT_EQ(none, with(width, 48)) << width;
		EXPECT_EQ(own, with(48, width)) << width;
	}
}

// Their control register has four bits for each of sixteen.
TEST_F(OddCpuid, FixedCountersBehindTheSixteenthAreNotCounted)
{
	const std::pair<unsigned, unsigned> sixteen(1, 0xffff);

	EXPECT_EQ(sixteen, with(5 | 1 << 8 | 48 << 16 | 7u << 24, UINT32_MAX, 48 << 5));
}

} // namespace
