// SPDX-License-Identifier: BSD-3-Clause
// mount_files_test.cc - the simulated machine as files: the files by themselves, without a
// kernel in between.
#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sim/mount/tree.h"
#include "sim/sim.h"

namespace
{

// SNB-EP: box control and control 0 of C-Box 0.
constexpr uint32_t kBoxControl = 0xd04, kControl = 0xd10;

constexpr writer kWriter = {1, 0};

class Files : public testing::Test
{
      protected:
	explicit Files(const char *machine = "sim:snbep:time=virtual")
	{
		char why[256];

		tree = tree_open(machine, why, sizeof(why));
		if (!tree)
			throw std::runtime_error(why);
	}
	~Files() override
	{
		if (tree->trace.out)
			fclose(tree->trace.out);
		tree_close(tree);
		free(text);
	}
	const node *maybe(const std::string &path) const
	{
		std::istringstream names(path.substr(1));
		const node *n = tree->root;

		for (std::string name; n && std::getline(names, name, '/');)
			n = tree_child(n, name.c_str());
		return n;
	}
	const node *find(const std::string &path) const
	{
		const node *n = maybe(path);

		if (!n)
			throw std::runtime_error("no file " + path);
		return n;
	}
	ssize_t read(const std::string &path, void *to, size_t len, uint64_t offset) const
	{
		return file_read(tree, find(path), 1, static_cast<char *>(to), len, offset);
	}
	ssize_t write(const std::string &path, uint64_t value, size_t len, uint64_t offset) const
	{
		return file_write(tree, find(path), &kWriter,
				  reinterpret_cast<const char *>(&value), len, offset);
	}
	uint64_t get(const std::string &path, uint64_t offset, size_t len = 8) const
	{
		uint64_t value = 0;

		EXPECT_EQ(static_cast<ssize_t>(len), read(path, &value, len, offset)) << path;
		return value;
	}
	ssize_t control(const std::string &words, const std::string &path = "/sim/advance") const
	{
		return file_write(tree, find(path), &kWriter, words.data(), words.size(), 0);
	}
	std::string whole(const std::string &path) const
	{
		std::string all(1 << 20, '\0');

		all.resize(static_cast<size_t>(read(path, &all[0], all.size(), 0)));
		return all;
	}
	void start_trace()
	{
		trace_start(&tree->trace, open_memstream(&text, &length));
	}
	std::string trace()
	{
		fflush(tree->trace.out);
		return text;
	}

	struct tree *tree;
	char *text = nullptr;
	size_t length = 0;
};

TEST_F(Files, AnMsrIsOnePackagesThroughEachOfItsCpus)
{
	EXPECT_EQ(8, write("/dev/cpu/1/msr", 0x400304, 8, kControl));
	EXPECT_EQ(0x400304U, get("/dev/cpu/0/msr", kControl));
	EXPECT_EQ(0x400304U, get("/dev/cpu/7/msr", kControl));
	EXPECT_EQ(0U, get("/dev/cpu/8/msr", kControl));
}

// Like the kernel's driver: position and length say which register and how often.
TEST_F(Files, ALongReadOfAnMsrReadsTheSameOneAgain)
{
	std::array<uint64_t, 3> values = {};

	EXPECT_EQ(8, write("/dev/cpu/0/msr", 0x400304, 8, kControl));
	EXPECT_EQ(24, read("/dev/cpu/0/msr", values.data(), 24, kControl));
	EXPECT_EQ((std::array<uint64_t, 3>{0x400304, 0x400304, 0x400304}), values);
}

TEST_F(Files, WrongMsrAccessesAreRefused)
{
	uint64_t value;

	EXPECT_EQ(-EINVAL, read("/dev/cpu/0/msr", &value, 4, kControl));
	EXPECT_EQ(-EINVAL, write("/dev/cpu/0/msr", 0, 4, kControl));
	EXPECT_EQ(-EIO, read("/dev/cpu/0/msr", &value, 8, 0xdeadU));
	EXPECT_EQ(-EIO, read("/dev/cpu/0/msr", &value, 8, UINT64_C(0x100000000) + kControl));
	EXPECT_EQ(-EIO, write("/dev/cpu/0/msr", UINT64_MAX, 8, kControl)); // reserved bits
	EXPECT_EQ(0U, get("/dev/cpu/0/msr", kControl));
	EXPECT_EQ(-EACCES, write("/dev/cpu/0/cpuid", 0, 8, 0));
	EXPECT_EQ(-EACCES, write("/proc/cpuinfo", 0, 8, 0));
	EXPECT_EQ(-EISDIR, read("/dev/cpu", &value, 8, 0));
	EXPECT_EQ(nullptr, maybe("/dev/cpu/16/msr"));
	EXPECT_EQ(nullptr, maybe("/dev/cpu/0/msr/more"));
	EXPECT_EQ(nullptr, maybe("/dev/cp"));
}

TEST_F(Files, CpuidContinuesWithTheNextLeaf)
{
	std::array<uint32_t, 8> regs = {};
	uint32_t leaf1[4];

	EXPECT_EQ(32, read("/dev/cpu/3/cpuid", regs.data(), 32, 0));
	EXPECT_EQ(0x756e6547U, regs[1]); // "Genu"
	EXPECT_EQ(0, sim_cpuid(tree->sim, 3, 1, 0, leaf1));
	EXPECT_TRUE(std::equal(leaf1, leaf1 + 4, &regs[4]));
	EXPECT_EQ(-EINVAL, read("/dev/cpu/3/cpuid", regs.data(), 8, 0));
}

// ---- config space ----

constexpr const char *kMemory = "/sys/bus/pci/devices/0000:7f:10.0/config";

TEST_F(Files, ConfigSpaceIsCutIntoAlignedAccesses)
{
	unsigned char bytes[7];

	EXPECT_EQ(4, write(kMemory, 0x00440304, 4, 0xd8));
	EXPECT_EQ(0x00440304U, get(kMemory, 0xd8, 4));
	EXPECT_EQ(0x44U, get(kMemory, 0xda, 1));
	start_trace();
	EXPECT_EQ(7, read(kMemory, bytes, 7, 0xd9));
	EXPECT_EQ(0x03, bytes[0]);
	EXPECT_EQ(0x44, bytes[1]);
	for (const char *access : {" 0xd9 8 0x3\n", " 0xda 16 0x44\n", " 0xdc 32 "})
		EXPECT_NE(std::string::npos, trace().find(access)) << access << "\n" << trace();
	EXPECT_EQ(4, std::count(text, text + length, '\n')); // with the heading
	EXPECT_EQ(0x00440304U, get("/proc/bus/pci/7f/10.0", 0xd8, 4));
}

TEST_F(Files, ConfigSpaceEnds)
{
	uint64_t value;

	EXPECT_EQ(4, read(kMemory, &value, 8, 4092));
	EXPECT_EQ(0, read(kMemory, &value, 8, 4096));
	EXPECT_EQ(0, read(kMemory, &value, 8, UINT64_MAX - 3));
	EXPECT_EQ(0, write(kMemory, 0, 8, 4096));
}

TEST_F(Files, ProcListsWhatSysfsHas)
{
	std::istringstream list(whole("/proc/bus/pci/devices"));
	const node *devices = find("/sys/bus/pci/devices");
	unsigned listed = 0, shown = 0, place, id;

	for (std::string line; std::getline(list, line); listed++) {
		char path[64];
		unsigned vendor;

		ASSERT_EQ(2, sscanf(line.c_str(), "%x\t%x", &place, &id)) << line;
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/0000:%02x:%02x.%x/vendor",
			 place >> 8, place >> 3 & 31, place & 7);
		ASSERT_EQ(1, sscanf(whole(path).c_str(), "%x", &vendor)) << path;
		EXPECT_EQ(id >> 16, vendor);
	}
	for (const node *n = devices->first; n; n = n->next)
		shown++;
	EXPECT_EQ(shown, listed);
	EXPECT_GT(listed, 20U);
}

TEST_F(Files, AcpiListsTheBuses)
{
	const std::string table = whole("/sys/firmware/acpi/tables/MCFG");
	unsigned char sum = 0;

	ASSERT_EQ(60U, table.size());
	EXPECT_EQ("MCFG<", table.substr(0, 5)); // '<' is 60
	for (char c : table)
		sum = static_cast<unsigned char>(sum + c);
	EXPECT_EQ(0, sum);
	EXPECT_EQ(255, static_cast<unsigned char>(table[44 + 11]));
	EXPECT_EQ("8-15\n", whole("/sys/bus/pci/devices/0000:ff:10.0/local_cpulist"));
	EXPECT_EQ("0-7\n", whole("/sys/bus/pci/devices/0000:7f:10.0/local_cpulist"));
}

TEST_F(Files, CpusAreThoseOfTheMachine)
{
	EXPECT_EQ("0-15\n", whole("/sys/devices/system/cpu/online"));
	EXPECT_EQ("1\n", whole("/sys/devices/system/cpu/cpu9/topology/physical_package_id"));
	EXPECT_EQ("1\n", whole("/sys/devices/system/cpu/cpu9/topology/core_id"));
	EXPECT_EQ("8-15\n", whole("/sys/devices/system/cpu/cpu9/topology/package_cpus_list"));
	EXPECT_EQ("0000ff00\n", whole("/sys/devices/system/cpu/cpu9/topology/package_cpus"));
	EXPECT_EQ("8-15\n", whole("/sys/devices/system/node/node1/cpulist"));
	EXPECT_NE(std::string::npos, whole("/proc/cpuinfo").find("model\t\t: 45\n"));
}

// ---- time and trace ----

TEST_F(Files, TimePassesOnlyWhenItIsAdvanced)
{
	EXPECT_EQ("0\n", whole("/sim/now"));
	EXPECT_EQ(11, control("1000000000\n"));
	EXPECT_EQ(2, control("42"));
	EXPECT_EQ("1000000042\n", whole("/sim/now"));
	for (const char *wrong : {"", "\n", "x", "-1", "1 2", "99999999999999999999", " -1", "+1",
				  "0000000000000000000000000000000000001"})
		EXPECT_EQ(-EINVAL, control(wrong)) << wrong;
	EXPECT_EQ("1000000042\n", whole("/sim/now"));
}

TEST_F(Files, ATraceHasEveryAccessInItsOrder)
{
	uint64_t value;

	EXPECT_EQ("0\n", whole("/sim/calls"));
	start_trace();
	write("/dev/cpu/9/msr", 0x10100, 8, kBoxControl);
	read("/dev/cpu/9/msr", &value, 8, kBoxControl);
	read("/dev/cpu/9/msr", &value, 8, 0xdead);
	write("/dev/cpu/9/msr", UINT64_MAX, 8, kControl);
	whole("/proc/cpuinfo"); // no register
	std::istringstream lines(trace());
	std::string line, expected[] = {
				  " 1 1 write msr pkg1/cpu9 0xd04 64 0x10100",
				  " 2 1 read msr pkg1/cpu9 0xd04 64 0x10100",
				  " 3 1 read msr pkg1/cpu9 0xdead 64 failed: Input/output error",
				  " 4 1 write msr pkg1/cpu9 0xd10 64 0xffffffffffffffff failed: "
				  "Input/output error",
			  };
	std::getline(lines, line);
	EXPECT_EQ("# seconds call pid operation space place register bits value", line);
	for (const std::string &rest : expected) {
		ASSERT_TRUE(std::getline(lines, line));
		EXPECT_EQ(rest, line.substr(line.find(' ')));
	}
	EXPECT_FALSE(std::getline(lines, line));
	EXPECT_EQ("4\n", whole("/sim/calls"));
}

TEST_F(Files, KillAtTakesWholeNumbers)
{
	EXPECT_EQ("0\n", whole("/sim/kill_at"));
	for (const char *right : {"12\n", "-3\n", "9223372036854775807\n", "0\n"}) {
		EXPECT_EQ(static_cast<ssize_t>(strlen(right)), control(right, "/sim/kill_at"));
		EXPECT_EQ(right, whole("/sim/kill_at"));
	}
	for (const char *wrong : {"", "-", "--1", "1 2", "0x10", "9223372036854775808"})
		EXPECT_EQ(-EINVAL, control(wrong, "/sim/kill_at")) << wrong;
	EXPECT_EQ("0\n", whole("/sim/kill_at"));
}

// The kernel tells 0 for a process in a pid namespace that the server cannot see: to kill()
// that is the caller's own group.
TEST_F(Files, ACallerThatCannotBeSeenIsNotKilled)
{
	const uint64_t value = 0x400304;
	const writer unseen = {0, 0};

	control("1", "/sim/kill_at");
	EXPECT_EQ(-ESRCH, file_write(tree, find("/dev/cpu/0/msr"), &unseen,
				     reinterpret_cast<const char *>(&value), 8, kControl));
	EXPECT_EQ(value, get("/dev/cpu/0/msr", kControl));
}

// RFC 4122: version 4, variant 10.
TEST_F(Files, EachMountHasABootIdOfItsOwn)
{
	const std::string id = whole("/proc/sys/kernel/random/boot_id");
	char why[256];
	struct tree *first = tree;

	ASSERT_EQ(37U, id.size());
	for (size_t i = 0; i < 36; i++)
		EXPECT_EQ(i == 8 || i == 13 || i == 18 || i == 23 ? '-' : id[i], id[i]);
	EXPECT_EQ(std::string::npos, id.find_first_not_of("0123456789abcdef-\n"));
	EXPECT_EQ('4', id[14]);
	EXPECT_NE(std::string::npos, std::string("89ab").find(id[19]));
	tree = tree_open("sim:snbep", why, sizeof(why));
	ASSERT_NE(nullptr, tree);
	EXPECT_NE(id, whole("/proc/sys/kernel/random/boot_id"));
	tree_close(tree);
	tree = first;
}

class RealTime : public Files
{
      protected:
	RealTime() : Files("sim:snbep")
	{
	}
};

TEST_F(RealTime, CannotBeAdvanced)
{
	EXPECT_EQ(-EOPNOTSUPP, control("1000"));
}

class Tables : public Files
{
      protected:
	Tables() : Files("sim:spr:cores=4,time=virtual")
	{
	}
};

TEST_F(Tables, MemoryIsReadableWhereRegistersAre)
{
	const node *devices = find("/sys/bus/pci/devices"), *bar = nullptr;
	std::array<uint64_t, 4> words = {};
	uint64_t value;

	for (const node *d = devices->first; d; d = d->next)
		for (const node *n = d->first; n && !bar; n = n->next)
			if (n->kind == NODE_MEMORY)
				bar = n;
	ASSERT_NE(nullptr, bar);
	EXPECT_EQ(32, file_read(tree, bar, 1, reinterpret_cast<char *>(words.data()), 32, 0));
	EXPECT_NE(0U, words[0]);
	EXPECT_EQ(words[0], get("/dev/mem", bar->base));
	EXPECT_EQ(words[0] >> 32, get("/dev/mem", bar->base + 4, 4));
	EXPECT_EQ(words[1], get("/dev/mem", bar->base + 8));
	EXPECT_EQ(-EINVAL, read("/dev/mem", &value, 2, bar->base));
	EXPECT_EQ(-EINVAL, read("/dev/mem", &value, 4, bar->base + 2));
	EXPECT_EQ(-ENXIO, read("/dev/mem", &value, 8, 0x1000));
	EXPECT_EQ(0, file_read(tree, bar, 1, reinterpret_cast<char *>(&value), 8, bar->size));
}

TEST(Tree, ReportsWhatIsWrongWithAMachine)
{
	char why[256];

	EXPECT_EQ(nullptr, tree_open("native", why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "\"native\" is not simulated")) << why;
	EXPECT_EQ(nullptr, tree_open("sim:nothing", why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "nothing")) << why;
}

} // namespace
