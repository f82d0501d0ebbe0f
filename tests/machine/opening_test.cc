// SPDX-License-Identifier: BSD-3-Clause
// opening_test.cc - the cost of opening a machine with many PCI devices, and that
// none is taken for another.
#include <cstdio>

#include "support/handle.h"
#include "support/system_calls.h"
#include "support/tree.h"

namespace
{

// A sanitizer's memory takes system calls, too.
#if defined(__SANITIZE_ADDRESS__)
constexpr long kMostCalls = 300;
#else
constexpr long kMostCalls = 200;
#endif

using support::Handle;
using support::Tree;

constexpr unsigned kOurs = 26, kAll = 83;

bool open_machine(void *options)
{
	struct uncore *u;

	return uncore_open(&u, static_cast<const uncore_options *>(options)) == 0;
}

bool do_nothing(void *)
{
	return true;
}

long opening(const Tree &tree)
{
	uncore_options options = tree.options();
	const long all = system_calls_of(open_machine, &options);
	const long none = system_calls_of(do_nothing, nullptr);

	return all < 0 || none < 0 ? -1 : all - none;
}

// A line of the kernel's list of PCI devices.
std::string line(unsigned bus, unsigned device, unsigned function, unsigned vendor, unsigned id)
{
	char text[64];

	snprintf(text, sizeof(text), "%02x%02x\t%04x%04x\t0\t               0\t\n", bus,
		 device << 3 | function, vendor, id);
	return text;
}

// An E5-2600 of two packages, the kernel's list of its devices, and other devices.
class Server
{
      public:
	explicit Server(unsigned devices)
	{
		tree.two_packages();
		for (unsigned cpu = 0; cpu < 8; cpu++)
			tree.write("sys/devices/system/cpu/cpu" + std::to_string(cpu) +
					   "/topology/core_siblings_list",
				   cpu < 4 ? "0-3\n" : "4-7\n");
		for (unsigned bus : {0x7f, 0xff})
			for (const auto &f : Tree::functions_of_a_package())
				list += line(bus, f.device, f.function, 0x8086, f.id);
		for (unsigned i = 0; i < devices - kOurs; i++) {
			const unsigned vendor = i % 8 ? 0x8086 : 0x15b3;

			tree.pci(0, i / 32, i % 32, 0, 0x3c00 + i % 16, i & 1, vendor);
			list += line(i / 32, i % 32, 0, vendor, 0x3c00 + i % 16);
		}
	}
	Tree tree;
	std::string list;
};

TEST(Opening, AServerWith83DevicesTakesFewerThan200SystemCalls)
{
	Server server(kAll);

	server.tree.write("proc/bus/pci/devices", server.list);
	const long calls = opening(server.tree);
	if (calls < 0)
		GTEST_SKIP() << "no process may be traced here";
	EXPECT_LT(calls, kMostCalls);
	EXPECT_GT(calls, 2 * 26L); // each of ours is opened and looked at
}

TEST(Opening, AnotherDeviceTakesAtMostThreeCalls)
{
	const Server few(kOurs), many(kAll);
	const long base = opening(few.tree), more = opening(many.tree);

	if (base < 0 || more < 0)
		GTEST_SKIP() << "no process may be traced here";
	EXPECT_LE(more - base, 3L * (kAll - kOurs) + 2 /* of the directory */);
	EXPECT_GE(more - base, 1L * (kAll - kOurs)) << "they were not read";
}

TEST(Opening, TheListFindsTheSameBoxesAsTheDevicesThemselves)
{
	Server server(kAll);
	const Handle by_files(server.tree.options());

	server.tree.write("proc/bus/pci/devices", server.list);
	const Handle by_list(server.tree.options());
	for (const char *kind : {"imc", "ha", "qpi", "r2pcie", "r3qpi", "cbo"})
		EXPECT_EQ(by_files.present(kind), by_list.present(kind)) << kind;
	EXPECT_EQ(8U, by_list.present("imc"));
}

// Some trees have neither the list nor a file with both ids.
TEST(Opening, WithoutModaliasVendorAndDeviceAreAsked)
{
	Server server(kAll);

	for (unsigned bus : {0x7f, 0xff})
		for (const auto &f : Tree::functions_of_a_package())
			server.tree.remove(Tree::pci_dir(0, bus, f.device, f.function) +
					   "modalias");
	EXPECT_EQ(8U, Handle(server.tree.options()).present("imc"));
}

// The list has no segments: the same address twice is two devices.
TEST(Opening, AnAddressThatOccursInTwoSegmentsIsAskedForByItself)
{
	Server server(kOurs);

	for (unsigned function : {0, 1, 4, 5}) {
		server.tree.pci(1, 0x7f, 16, function, 0x1234);
		server.list = line(0x7f, 16, function, 0x8086, 0x1234) + server.list;
	}
	server.tree.write("proc/bus/pci/devices", server.list);
	EXPECT_EQ(8U, Handle(server.tree.options()).present("imc"));
}

TEST(Opening, AListThatIsCutOrDamagedHidesNoDevice)
{
	Server server(kAll);

	for (size_t keep : {size_t{0}, size_t{3}, size_t{41}, server.list.size() / 2}) {
		server.tree.write("proc/bus/pci/devices", server.list.substr(0, keep));
		EXPECT_EQ(8U, Handle(server.tree.options()).present("imc")) << keep;
	}
	server.tree.write("proc/bus/pci/devices", "no list\n" + server.list);
	EXPECT_EQ(8U, Handle(server.tree.options()).present("imc"));
}

TEST(Opening, WithoutTheMsrModuleEachCpuIsTriedOnce)
{
	Server server(kOurs);

	for (unsigned cpu = 0; cpu < 8; cpu++)
		server.tree.remove(Tree::msr_name(cpu));
	server.tree.write("proc/bus/pci/devices", server.list);
	const long calls = opening(server.tree);
	if (calls < 0)
		GTEST_SKIP() << "no process may be traced here";
	EXPECT_LT(calls, kMostCalls);
}

} // namespace
