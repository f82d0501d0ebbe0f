// SPDX-License-Identifier: BSD-3-Clause
// trees_test.cc - /proc and /sys of real machines as recordings, by way of files.
#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/recorded_tree.h"
#include "support/replayed_checks.h"

namespace
{

using nlohmann::json;
using support::Boxes;

json tree_named(const std::string &name)
{
	for (const json &t : support::data_lines("machines/trees.jsonl.gz"))
		if (t["name"] == name)
			return t;
	throw std::runtime_error("no tree " + name);
}

class RecordedTree : public testing::Test
{
      protected:
	void open(const std::string &name)
	{
		replayed = std::make_unique<support::Replayed>(
			support::recording_of_tree(tree_named(name)));
		ASSERT_EQ(0, machine().code) << machine().message();
	}
	const support::Handle &machine() const
	{
		return replayed->machine;
	}
	void expect(const std::string &platform, unsigned packages, unsigned cpus,
		    const std::map<std::string, unsigned> &of_a_package)
	{
		Boxes boxes;

		for (unsigned p = 0; p < packages; p++)
			for (const auto &kind : of_a_package)
				boxes[{p, kind.first}] = kind.second;
		EXPECT_EQ(cpus, machine().machine().cpus);
		support::expect_machine(machine(), platform, packages, boxes);
	}

	std::unique_ptr<support::Replayed> replayed;
};

// Two E5-2680: 8 cores, 20 MB; their QPI ports are hidden.
TEST_F(RecordedTree, OfTwoE52680)
{
	open("32em64t-2n8c+dax+nvme+mic+dimms");
	expect("snbep", 2, 16,
	       {{"cbo", 8},
		{"ubo", 1},
		{"pcu", 1},
		{"ha", 1},
		{"imc", 4},
		{"r2pcie", 1},
		{"r3qpi", 2}});
	EXPECT_STREQ("the PCI functions of the package, one for each slice of its L3 cache",
		     machine().boxes("cbo").at(0).basis);
	EXPECT_STREQ("pci 0000:7f:0e.1", machine().boxes("ha").at(0).location);
	EXPECT_STREQ("0000:7f:0e.1", machine().boxes("ha").at(0).pci_function);
	EXPECT_STREQ("", machine().boxes("cbo").at(0).pci_function);
	EXPECT_STREQ("pci 0000:ff:0e.1", machine().boxes("ha").at(1).location);
}

// All MSRs answer: as many CHAs as the platform has registers for.
const std::map<std::string, unsigned> kSkylakeWithoutPci = {
	{"cha", 28}, {"ubo", 1}, {"pcu", 1}, {"iio", 6}, {"iio_free_running", 6}, {"irp", 6}};

// Two Silver 4108, 8 cores, two threads each; the uncore's PCI devices do not show.
TEST_F(RecordedTree, OfTwoSilver4108)
{
	open("32intel64-2p8co2t+8ve");
	expect("skx", 2, 32, kSkylakeWithoutPci);
}

// Two Gold 6230, 20 cores, two threads each, in four NUMA nodes; nothing of PCI.
TEST_F(RecordedTree, OfTwoGold6230InSubNumaClusters)
{
	open("memorysidecaches");
	expect("skx", 2, 80, kSkylakeWithoutPci);
	EXPECT_NE(std::string::npos,
		  replayed->file.text().find("{\"node\":1,\"cpus\":\"")); // of four
	EXPECT_NE(std::string::npos, replayed->file.text().find("{\"node\":3,\"cpus\":\""));
}

// Four E7-4870, 10 cores; whose PCI devices contradict each other about NUMA nodes.
TEST_F(RecordedTree, OfFourE74870)
{
	open("fakepcilocalities");
	expect("wsmex", 4, 40,
	       {{"ubox", 1},
		{"cbox", 10},
		{"bbox", 2},
		{"sbox", 2},
		{"mbox", 2},
		{"rbox", 2},
		{"wbox", 1}});
}

// With the cores of its CPUs, which finding boxes did not need everywhere.
TEST_F(RecordedTree, OneLikeEachIsSimulated)
{
	const std::map<std::string, unsigned> cores = {{"32em64t-2n8c+dax+nvme+mic+dimms", 8},
						       {"32intel64-2p8co2t+8ve", 8},
						       {"memorysidecaches", 20},
						       {"fakepcilocalities", 10}};

	for (const auto &[name, n] : cores) {
		const support::RecordingFile file(support::recording_of_tree(tree_named(name)));
		const json recording = json::parse(file.text());
		const std::string like = file.machine() + ":simulate";
		const support::Handle machine(support::machine_named(like));
		std::set<std::pair<unsigned, int>> seen;

		SCOPED_TRACE(name);
		for (const json &cpu : recording["cpus"])
			seen.insert({cpu["package"], cpu.value("core", -1)});
		EXPECT_EQ(n * (name == "fakepcilocalities" ? 4 : 2), seen.size());
		EXPECT_EQ(0, machine.code) << machine.message();
		EXPECT_TRUE(machine.machine().simulated);
	}
}

// Without register files the reason is recorded, and given again.
TEST_F(RecordedTree, WithoutRegisterFilesIsRefusedAsThere)
{
	const support::RecordingFile file;
	support::Tree tree;

	write_tree(tree, tree_named("fakepcilocalities"));
	tree.remove("dev");
	auto options = tree.options();
	options.record = 1;
	const support::Handle there(options);
	ASSERT_GT(0, there.code);
	ASSERT_EQ(0, uncore_record(there.u, file.fd, 0)) << there.message();
	const support::Handle here(support::machine_named(file.machine()));
	EXPECT_EQ(there.code, here.code);
	EXPECT_NE(std::string::npos, here.message().find("/dev/cpu")) << here.message();
}

} // namespace
