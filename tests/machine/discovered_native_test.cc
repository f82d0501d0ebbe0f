// SPDX-License-Identifier: BSD-3-Clause
// discovered_native_test.cc - discovery tables below a root directory: config spaces, resource
// files, dev/mem.
#include "machine/machine.h"
#include "support/sized.h"
#include "support/tree.h"

namespace
{

using support::NativeMachine;
using support::Set;
using support::Tree;

constexpr uint64_t kBar = 0xfb000000, kBarBytes = 0x2000, kChannel = 0xc8aa2800;
const char kDevice[] = "sys/bus/pci/devices/0000:00:03.1/";

// A Xeon whose table has memory channels and an MSR box.
class TableTree : public Tree
{
      public:
	explicit TableTree(unsigned model = 143, unsigned slots = 3)
	{
		cpuinfo("GenuineIntel", 6, model);
		online("0-1");
		for (unsigned i = 0; i < 2; i++) {
			topology(i, 0, i);
			make_msr(i);
		}
		write("sys/devices/system/node/node0/cpulist", "0-1\n");
		pci(0, 0, 3, 1, 0x09a7, 0);
		set_config(0x04, 0x00100006);
		set_config(0x10, kBar);
		set_config(0x100, 0x1e | 0x140 << 20);
		set_config(0x140, 0x23);
		set_config(0x144, 0x8086);
		set_config(0x148, 1);
		write(device("resource"),
		      "0x00000000fb000000 0x00000000fb001fff 0x0000000000040200\n"
		      "0x0000000000000000 0x0000000000000000 0x0000000000000000\n");
		write(device("resource0"), "");
		resize(device("resource0"), 2 * kBarBytes);
		write("dev/mem", "");
		resize("dev/mem", kBar + kBarBytes);
		table(device("resource0"), 0, slots);
	}
	static std::string device(const char *file)
	{
		return std::string(kDevice) + file;
	}
	void set_config(unsigned offset, uint64_t value)
	{
		put(device("config"), offset, value, 4);
	}
	void table(const std::string &file, off_t at, unsigned slots)
	{
		put(file, at, 3 << 8 | slots << 16, 8);
		put(file, at + 8, 0x2ff0, 8);
		for (unsigned i = 0; i < 2; i++) {
			put(file, at + 24 * (i + 1), UINT64_C(0x4000005c08304004), 8);
			put(file, at + 24 * (i + 1) + 8, kChannel + 0x8000 * i, 8);
			put(file, at + 24 * (i + 1) + 16, 6 | i << 16, 8);
		}
		put(file, at + 72, 0x08300204, 8);
		put(file, at + 80, 0x2fc0, 8);
		put(file, at + 88, 4, 8);
	}

      private:
	void make_msr(unsigned cpu)
	{
		const std::string name = msr_name(cpu);

		write(name, "");
		resize(name, 0x4000);
	}
};

off_t channel(unsigned i, unsigned offset)
{
	return static_cast<off_t>(kChannel + 0x8000 * i + offset);
}

TEST(DiscoveredNative, TheTableIsReadThroughTheResourceFile)
{
	TableTree tree;
	NativeMachine machine(tree);
	auto table = support::sized<uncore_discovery_table_info>();

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("spr", machine.machine().platform);
	EXPECT_EQ(2u, machine.present("imc"));
	EXPECT_EQ(1u, machine.present("pcu"));
	ASSERT_EQ(1, uncore_discovery_table(machine.u, 0, &table));
	EXPECT_STREQ("0000:00:03.1", table.device);
	EXPECT_EQ(kBar, table.address);
	EXPECT_EQ(24u, table.stride);
	EXPECT_EQ(3u, table.slots);
	EXPECT_STREQ("msr 0x2ff0", table.control);
	EXPECT_STREQ(nullptr, table.damage);
}

TEST(DiscoveredNative, WithoutThatItIsReadThroughMemory)
{
	TableTree tree;

	tree.remove(TableTree::device("resource0"));
	NativeMachine none(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, none.code); // that memory is empty
	tree.table("dev/mem", kBar, 3);
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(2u, machine.present("imc"));
	tree.remove(TableTree::device("resource"));
	NativeMachine bare(tree);
	ASSERT_EQ(0, bare.code) << bare.message();
	EXPECT_EQ(2u, bare.present("imc"));
}

TEST(DiscoveredNative, ChannelsCountInMemory)
{
	TableTree tree;
	NativeMachine machine(tree);
	Set set(machine, {"spr_unc_imc::RAW:config=0xcf05"});

	tree.put("dev/mem", channel(0, 0), 0x1, 4);
	tree.put("dev/mem", channel(0, 0x20), 100, 8);
	tree.put("dev/mem", channel(1, 0x20), 200, 8);
	ASSERT_EQ(0, set.start()) << machine.message();
	for (unsigned i = 0; i < 2; i++) {
		EXPECT_EQ(0x0u, tree.get("dev/mem", channel(i, 0), 4));
		EXPECT_EQ(0x40cf05u, tree.get("dev/mem", channel(i, 0x4c), 4));
		EXPECT_EQ(0x0u, tree.get("dev/mem", channel(i, 0x48), 4));
		EXPECT_EQ(0x0u, tree.get("dev/mem", channel(i, 0x50), 4));
		tree.put("dev/mem", channel(i, 0x20), 1000, 8);
	}
	EXPECT_EQ(900 + 800, set.count());
	ASSERT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(0x1u, tree.get("dev/mem", channel(0, 0), 4));
	EXPECT_EQ(0x0u, tree.get("dev/mem", channel(1, 0), 4));
	EXPECT_EQ(0x0u, tree.get("dev/mem", channel(0, 0x4c), 4));
}

TEST(DiscoveredNative, RecordsBehindTheBarAreNotRead)
{
	TableTree tree(143, 1023);
	NativeMachine machine(tree);
	auto table = support::sized<uncore_discovery_table_info>();

	// the file is longer than the BAR
	ASSERT_EQ(0, machine.code) << machine.message();
	ASSERT_EQ(1, uncore_discovery_table(machine.u, 0, &table));
	ASSERT_NE(nullptr, table.damage);
	EXPECT_NE(nullptr, strstr(table.damage, "longer"));
	EXPECT_EQ(kBarBytes / 24 - 1 - 3, table.empty);
	EXPECT_EQ(2u, machine.present("imc"));
}

TEST(DiscoveredNative, WithoutRightsTheFileIsNamed)
{
	TableTree tree;

	tree.resize(TableTree::device("config"), 64);
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_EACCESS, machine.code);
	EXPECT_NE(std::string::npos, machine.message().find("0000:00:03.1/config"))
		<< machine.message();
	EXPECT_NE(std::string::npos, machine.message().find("CAP_SYS_ADMIN"));
}

TEST(DiscoveredNative, WithoutMemoryTheFileIsNamed)
{
	TableTree tree;

	tree.remove(TableTree::device("resource0"));
	tree.remove("dev/mem");
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_EACCESS, machine.code);
	EXPECT_NE(std::string::npos, machine.message().find("dev/mem")) << machine.message();
	EXPECT_NE(std::string::npos, machine.message().find("0xfb000000")) << machine.message();
}

TEST(DiscoveredNative, AnUnknownCpuCountsByItsTable)
{
	TableTree tree(0xfe);
	NativeMachine machine(tree);
	auto unit = support::sized<uncore_discovered_unit_info>();

	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ("discovered", machine.machine().platform);
	EXPECT_EQ(2u, machine.present("type_6"));
	EXPECT_EQ(1u, machine.present("type_4"));
	ASSERT_EQ(1, uncore_discovered_unit(machine.u, 1, &unit));
	EXPECT_STREQ("mmio 0xc8aaa800", unit.location);
	Set set(machine, {"uncore_type_6_1::RAW:config=0x80040123"});
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0x80440123u, tree.get("dev/mem", channel(1, 0x4c), 4));
	EXPECT_EQ(0u, tree.get("dev/mem", channel(0, 0x4c), 4));
	tree.put("dev/mem", channel(1, 0x20), 77, 8);
	EXPECT_EQ(77, set.count());
	EXPECT_EQ(UNCORE_EATTR, machine.refusal("uncore_type_6::RAW:config=0x100000000"));
}

TEST(DiscoveredNative, AnUnknownCpuWithoutATableIsRefused)
{
	TableTree tree(0xfe);

	tree.set_config(0x140, 0x1e);
	tree.write("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, machine.code);
	EXPECT_NE(std::string::npos, machine.message().find("known for this CPU"))
		<< machine.message();
	tree.remove("sys");
	NativeMachine bare(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, bare.code);
	EXPECT_NE(std::string::npos, bare.message().find("known for this CPU")) << bare.message();
	// another maker's CPU is not even looked at
	tree.cpuinfo("AuthenticAMD", 25, 1);
	NativeMachine other(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, other.code);
}

TEST(DiscoveredNative, AVirtualMachineWithAnUnknownCpuIsAnUnknownCpu)
{
	TableTree tree(0xfe);

	tree.set_config(0x140, 0x1e);
	tree.write("proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 254\n"
				   "flags\t\t: msr hypervisor\n\n");
	NativeMachine machine(tree);
	EXPECT_EQ(UNCORE_ENOSUPP, machine.code);
	EXPECT_NE(std::string::npos, machine.message().find("known for this CPU"))
		<< machine.message();
}

// A desktop computer needs no search.
TEST(DiscoveredNative, TheListOfPciDevicesShowsWhetherTablesAreLikely)
{
	TableTree tree(0xfe);
	const char *root = tree.root.c_str();

	EXPECT_TRUE(unc_discovery_likely(root));
	tree.write("proc/bus/pci/devices", "0000\t80860d57\t0\t0\n0008\t808609a0\t0\t0\n");
	EXPECT_FALSE(unc_discovery_likely(root));
	tree.write("proc/bus/pci/devices", "0000\t80860d57\t0\t0\nfe01\t808609a7\t0\t0\n");
	EXPECT_TRUE(unc_discovery_likely(root));
}

// A table that names such an address is damaged, and a write there would be fatal.
TEST(DiscoveredNative, ABoxInTheMainMemoryIsAbsent)
{
	TableTree tree;

	tree.write("proc/iomem", "00000000-00000fff : Reserved\n"
				 "  00000000-00000000 : System RAM\n"
				 "c8aa3000-c8aaafff : System RAM\n"
				 "c8aab000-ffffffff : PCI Bus\n");
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_STREQ(nullptr, machine.boxes("imc")[0].absent); // the page before
	ASSERT_NE(nullptr, machine.boxes("imc")[1].absent);
	EXPECT_NE(nullptr, strstr(machine.boxes("imc")[1].absent, "main memory"));
	Set set(machine);
	EXPECT_EQ(UNCORE_ENODEV, machine.refusal("spr_unc_imc1::RAW:config=0x1"));
	ASSERT_EQ(0, set.assign({"spr_unc_imc::RAW:config=0x1"})) << machine.message();
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0u, tree.get("dev/mem", channel(1, 0x4c), 4));
}

TEST(DiscoveredNative, UpiLinksAreOnTheUboxesBus)
{
	TableTree tree;
	const std::string ubox = Tree::pci_dir(0, 0x7e, 0, 0) + "config";

	tree.pci(0, 0x7e, 0, 0, 0x3250);
	tree.put(ubox, 0xc0, 0, 4);
	for (unsigned link = 0; link < 3; link++)
		tree.pci(0, 0x7e, 1 + link, 1, 0x3241);
	NativeMachine machine(tree);
	ASSERT_EQ(0, machine.code) << machine.message();
	EXPECT_EQ(3u, machine.present("upi"));
	Set set(machine, {"spr_unc_upi2::RAW:config=0x1234000000ff02"});
	ASSERT_EQ(0, set.start()) << machine.message();
	const std::string third = Tree::config_name(0x7e, 3, 1);
	EXPECT_EQ(UINT64_C(0x1234000040ff02), tree.get(third, 0x360, 8));
	EXPECT_EQ(0u, tree.get(third, 0x318, 4));
	tree.put(third, 0x330, 5, 8);
	EXPECT_EQ(5, set.count());
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0u, tree.get(third, 0x360, 8));
}

} // namespace
