// SPDX-License-Identifier: BSD-3-Clause
// list_test.cc - the list of PCI devices with names, ports, links and those counted together: on
// trees made here, and on simulated machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "device/device.h"
#include "hw/regs.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/device_tree.h"
#include "support/endpoints.h"
#include "support/handle.h"
#include "support/recorded_machine.h"

namespace
{

using support::DeviceTree;
using support::FakeMachine;
using support::Handle;

// ---- trees ----

constexpr uint64_t kValid = UINT64_C(1) << 63;

const char kNic[] = "0000:17/0000:17:00.0/0000:18:00.0";
const char kFunction[] = "0000:17/0000:17:00.0/0000:18:00.1";
const char kDisk[] = "0000:17/0000:17:02.0/0000:20:00.0/0000:21:03.0/0000:22:00.0";

struct SkxList : testing::Test {
	FakeMachine machine{unc_skx, 1};
	DeviceTree tree;
	unc_device_list list = {};

	SkxList()
	{
		machine.hw_of().where = UNC_RECORDED;
		machine.machine.topo.model = unc_skx.models[0];
		machine.msrs[{0, 0x300}] = kValid | 0x5d3a1700;
		machine.build_machine();
		tree.name(kNic, "net", "eth7");
		tree.name(kNic, "infiniband", "mlx5_0");
		tree.device(kFunction);
		tree.name(kDisk, "nvme", "nvme0");
	}
	~SkxList() override
	{
		unc_device_list_free(&list);
	}

	int make()
	{
		const unc_devices devices = {&machine.machine,
					     {&machine.hw_of(), tree.root.c_str()}};

		unc_device_list_free(&list);
		return unc_device_list_make(&devices, &list, nullptr);
	}
	// "0000:18:00.0 [eth7 mlx5_0] box 1 parts 0x1": a line per device.
	std::string lines()
	{
		std::ostringstream text;

		EXPECT_EQ(0, make());
		for (size_t i = 0; i < list.n; i++) {
			const unc_listed_device &d = list.device[i];
			char at[UNC_AT_TEXT];

			text << unc_at_text(&d.chain.device, at) << " [" << d.names << "] ";
			if (d.problem)
				text << "unknown\n";
			else
				text << "box " << d.place.box << " parts " << d.place.parts << "\n";
		}
		return text.str();
	}
	std::string others(size_t i)
	{
		char text[200];

		unc_device_others(&list, &list.device[i].chain.device, text, sizeof(text));
		return text;
	}
};

TEST_F(SkxList, HasDevicesAndNoBridges)
{
	EXPECT_EQ("0000:18:00.0 [eth7 mlx5_0] box 1 parts 1\n"
		  "0000:18:00.1 [] box 1 parts 1\n"
		  "0000:22:00.0 [nvme0] box 1 parts 4\n",
		  lines());
	// a port of the switch without a device behind it
	tree.device("0000:17/0000:17:02.0/0000:20:00.0/0000:21:04.0");
	tree.write("sys/devices/pci0000:17/0000:17:02.0/0000:20:00.0/0000:21:04.0/class",
		   "0x060400\n");
	ASSERT_EQ(0, make());
	EXPECT_EQ(3u, list.n);
}

TEST_F(SkxList, IntegratedDevicesAreListedByName)
{
	tree.device("0000:3a/0000:3a:08.0");
	ASSERT_EQ(0, make());
	EXPECT_EQ(3u, list.n);
	tree.name("0000:00/0000:00:1f.2", "block", "sda");
	EXPECT_NE(std::string::npos, lines().find("0000:00:1f.2 [sda] unknown"));
}

// Partitions, namespaces and monitors have a device above them that has a name.
TEST_F(SkxList, PartsOfADeviceHaveNoNameOfTheirOwn)
{
	const std::string space = "sys/devices/pci" + std::string(kDisk) + "/nvme/nvme0/nvme0n1";

	tree.write(space + "/nvme0n1p1/size", "1\n");
	tree.link("sys/class/block/nvme0n1", space);
	tree.link("sys/class/block/nvme0n1p1", space + "/nvme0n1p1");
	EXPECT_NE(std::string::npos, lines().find("0000:22:00.0 [nvme0] box 1"));
}

TEST_F(SkxList, DevicesOfAPortAreCountedTogether)
{
	ASSERT_EQ(0, make());
	ASSERT_EQ(3u, list.n);
	EXPECT_EQ("0000:18:00.1", others(0));
	EXPECT_EQ("eth7", others(1));
	EXPECT_EQ("", others(2));
	EXPECT_FALSE(list.device[1].virtual_function);
	tree.link("sys/devices/pci" + std::string(kFunction) + "/physfn",
		  "sys/devices/pci" + std::string(kNic));
	ASSERT_EQ(0, make());
	EXPECT_TRUE(list.device[1].virtual_function);
	EXPECT_FALSE(list.device[0].virtual_function);
}

TEST_F(SkxList, ADeviceThatIsUnpluggedIsNoLongerListed)
{
	tree.write("sys/devices/pci0000:17/0000:17:02.0/0000:20:00.0/0000:21:03.0/class",
		   "0x060400\n");
	tree.remove("sys/bus/pci/devices/0000:22:00.0");
	ASSERT_EQ(0, make());
	EXPECT_EQ(2u, list.n);
}

TEST_F(SkxList, WithoutFilesThereIsNoList)
{
	const unc_devices devices = {&machine.machine, {&machine.hw_of(), nullptr}};

	EXPECT_EQ(UNCORE_ENOSUPP, unc_device_list_make(&devices, &list, nullptr));
}

// ---- simulated machines ----

struct Simulated : Handle {
	explicit Simulated(const std::string &spec)
	    : Handle(options(spec.c_str())), sim(code == 0 ? unc_hw_sim(unc_hw_of(u)) : nullptr)
	{
		size_t n = 0;
		const sim_endpoint *first = sim ? sim_endpoints(sim, &n) : nullptr;

		// a DMA engine has no name, and is not listed
		std::copy_if(first, first + n, std::back_inserter(devices),
			     [](const sim_endpoint &e) { return *e.name; });
	}

	static uncore_options options(const char *spec)
	{
		uncore_options o = support::sized<uncore_options>();

		o.machine = spec;
		return o;
	}

	std::vector<uncore_device_info> list() const
	{
		std::vector<uncore_device_info> all;
		uncore_device_info info = support::sized<uncore_device_info>();

		for (unsigned i = 0; uncore_device(u, i, &info) == 1; i++)
			all.push_back(info);
		return all;
	}

	struct sim *sim;
	std::vector<sim_endpoint> devices;
};

std::set<std::string> words(const std::string &text)
{
	std::istringstream in(text);
	std::set<std::string> all;

	for (std::string word; in >> word;)
		all.insert(word.back() == ',' ? word.substr(0, word.size() - 1) : word);
	return all;
}

void expect_device(const Simulated &m, const sim_endpoint &e, const uncore_device_info &info)
{
	std::set<std::string> others;

	EXPECT_EQ(e.name, std::string(info.names));
	if (support::is_unmapped(m.machine().platform, e)) {
		EXPECT_NE(nullptr, info.problem) << e.name;
		return;
	}
	EXPECT_STREQ(nullptr, info.problem) << e.name;
	EXPECT_EQ(e.package, info.package) << e.name;
	EXPECT_EQ(e.box, info.box) << e.name;
	EXPECT_EQ(1u << e.part, info.parts) << e.name;
	for (const sim_endpoint &other : m.devices)
		if (other.package == e.package && other.box == e.box && other.part == e.part &&
		    std::string(other.address) != e.address)
			others.insert(other.name);
	EXPECT_EQ(others, words(info.others)) << e.name;
}

TEST(DeviceList, OfSimulatedMachinesIsComplete)
{
	for (const char *platform : {"skx", "icx", "gnr", "srf"})
		for (unsigned seed = 1; seed <= 10; seed++) {
			const Simulated m(std::string("sim:") + platform +
					  ":devices=" + std::to_string(seed));
			std::map<std::string, uncore_device_info> by_address;

			ASSERT_EQ(0, m.code) << m.message();
			for (const uncore_device_info &info : m.list())
				EXPECT_TRUE(by_address.emplace(info.address, info).second);
			EXPECT_EQ(m.devices.size(), by_address.size()) << platform << seed;
			for (const sim_endpoint &e : m.devices)
				if (by_address.count(e.address))
					expect_device(m, e, by_address.at(e.address));
		}
}

// Sixteen lanes of a stack are those of its ports; functions that are virtual have no link.
TEST(DeviceList, HasLinksAndVirtualFunctions)
{
	const Simulated m("sim:icx:devices=3");
	unsigned links = 0, virtual_functions = 0;

	for (const uncore_device_info &d : m.list()) {
		virtual_functions += d.virtual_function;
		links += d.width != 0;
		EXPECT_EQ(d.virtual_function, d.width == 0) << d.address;
		EXPECT_EQ(d.width ? 16000u : 0u, d.speed);
		EXPECT_EQ(d.width, d.max_width);
		EXPECT_EQ(d.speed, d.max_speed);
	}
	EXPECT_LT(0u, links);
	EXPECT_LT(0u, virtual_functions);
}

TEST(DeviceList, IsRefusedWithoutTheMachine)
{
	const Simulated none("sim:skx");
	uncore_device_info info = support::sized<uncore_device_info>();

	EXPECT_EQ(0, uncore_device(none.u, 0, &info));
	EXPECT_EQ(0, uncore_device(none.u, 1, &info));
	info.size = 1;
	EXPECT_EQ(0, uncore_device(none.u, 0, &info));
	const Simulated m("sim:skx:devices=1");
	EXPECT_EQ(UNCORE_EINVAL, uncore_device(m.u, 0, &info));
}

// ---- the warning ----

std::vector<std::string> warnings(const Simulated &m, enum uncore_warning_code code)
{
	std::vector<std::string> all;
	const char *text;

	for (unsigned i = 0; uncore_warning(m.u, i, &text) == 1; i++)
		if (uncore_warning_code(m.u, i) == code)
			all.push_back(text);
	return all;
}

TEST(DeviceWarning, NamesTheOtherDevicesOfThePort)
{
	const Simulated m("sim:skx:devices=1");

	for (const sim_endpoint &e : m.devices) {
		const size_t before = warnings(m, UNCORE_WARNING_SHARED_PORT).size();
		std::vector<std::string> after;
		size_t others = 0;

		for (int twice = 0; twice < 2; twice++)
			m.canonical("UNCORE_PCIE_READ_BYTES:dev=" + std::string(e.name));
		after = warnings(m, UNCORE_WARNING_SHARED_PORT);
		for (const sim_endpoint &other : m.devices)
			if (std::string(other.name) != e.name && other.package == e.package &&
			    other.box == e.box && other.part == e.part) {
				others++;
				ASSERT_EQ(before + 1, after.size());
				EXPECT_TRUE(
					words(after.back()).count(other.name) ||
					words(after.back()).count(other.name + std::string(":")))
					<< after.back();
			}
		EXPECT_EQ(before + (others != 0), after.size()) << e.name;
	}
	EXPECT_LT(0u, warnings(m, UNCORE_WARNING_SHARED_PORT).size());
}

} // namespace
