// SPDX-License-Identifier: BSD-3-Clause
// dumps_test.cc - CPUID dumps of real machines as recordings: platform, packages, CPUs and slices
// of the published part; other processors are refused.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "machine/boxes.h"
#include "support/data.h"
#include "support/published_parts.h"
#include "support/recorded_machine.h"
#include "support/replayed_checks.h"

namespace
{

using nlohmann::json;
using support::Boxes;
using support::Dump;
using support::FakeMachine;
using support::Replayed;

bool has_cboxes(const std::string &platform)
{
	return platform == "snbep" || platform == "ivbep" || platform == "hswep" ||
	       platform == "bdx";
}

bool is_ex(const std::string &platform)
{
	return platform == "nhmex" || platform == "wsmex";
}

// What is found by MSRs alone: docs/hardware, "Boxes".
Boxes expected_boxes(const Dump &dump)
{
	const std::string platform = dump.platform;
	Boxes boxes;

	for (unsigned p = 0; p < dump.packages; p++) {
		if (is_ex(platform)) {
			boxes[{p, "cbox"}] = dump.cores;
			boxes[{p, "ubox"}] = boxes[{p, "wbox"}] = 1;
			for (const char *kind : {"bbox", "sbox", "mbox", "rbox"})
				boxes[{p, kind}] = 2;
			continue;
		}
		boxes[{p, "ubo"}] = boxes[{p, "pcu"}] = 1;
		if (has_cboxes(platform))
			boxes[{p, "cbo"}] = dump.slices;
		// the fuses that tell otherwise are in a PCI device
		if (platform == "hswep" || platform == "bdx")
			boxes[{p, "sbo"}] = 4;
		if (platform == "skx" || platform == "icx")
			boxes[{p, "cha"}] = dump.slices;
		for (const char *kind : {"iio", "iio_free_running", "irp", "m2pcie"})
			if (platform == "icx" || (platform == "skx" && strcmp(kind, "m2pcie") != 0))
				boxes[{p, kind}] = 6;
	}
	return boxes;
}

// A dump has no PCI devices.
support::Reasons unlisted()
{
	support::Reasons reasons;

	for (const char *kind :
	     {"ha", "imc", "irp", "m2m", "m3upi", "qpi", "r2pcie", "r3qpi", "upi"})
		reasons[kind] = "the PCI devices cannot all be listed: sys/bus/pci/devices: "
				"Permission denied";
	return reasons;
}

// Boxes that only discovery tables tell of, and those of processors that nobody knows.
void expect_refused(const Dump &dump, const support::Handle &machine)
{
	const std::string message = machine.message();

	EXPECT_EQ(0u, machine.machine().boxes_present);
	if (*dump.platform) {
		EXPECT_EQ(UNCORE_EACCESS, machine.code);
		EXPECT_EQ(0u, message.find("the PCI devices cannot all be listed, so no discovery "
					   "table of Intel Xeon "))
			<< message;
		EXPECT_NE(std::string::npos,
			  message.find(" was found: sys/bus/pci/devices: Permission denied"))
			<< message;
	} else {
		EXPECT_EQ(UNCORE_ENOSUPP, machine.code);
		EXPECT_EQ(0u, message.find("no uncore counters are known for this CPU "
					   "(GenuineIntel family "))
			<< message;
	}
}

TEST(RecordedCpuid, ShowsPlatformPackagesAndSlicesOfThePublishedPart)
{
	const std::vector<json> all = support::data_lines("machines/cpuid.jsonl.gz");
	unsigned refused = 0;

	ASSERT_EQ(38u, all.size());
	for (const json &recorded : all) {
		const Dump &dump = support::dump_of(recorded["source"]);
		FakeMachine m(support::platform_of(recorded), 0);

		SCOPED_TRACE(recorded["source"].get<std::string>());
		fill_dump(m, recorded);
		const Replayed replayed(recording_of(m));
		const support::Handle &machine = replayed.machine;
		if (*dump.platform) {
			EXPECT_STREQ(dump.platform, machine.machine().platform);
			EXPECT_EQ(dump.packages, machine.machine().packages);
			EXPECT_EQ(dump.cpus, machine.machine().cpus);
		}
		for (unsigned p = 0; p < dump.packages; p++)
			EXPECT_EQ(dump.slices, unc_slices_by_cache(&m.machine, &m.hw_of(), p));
		if (m.code < 0) {
			expect_refused(dump, machine);
			refused++;
			continue;
		}
		ASSERT_EQ(0, machine.code) << machine.message();
		support::expect_machine(machine, dump.platform, dump.packages, expected_boxes(dump),
					unlisted());
	}
	EXPECT_EQ(5u + 7u, refused);
}

// Whose PCI devices are all hidden then.
TEST(RecordedCpuid, MachinesLikeTheseAreSimulated)
{
	unsigned n = 0;

	for (const json &recorded : support::data_lines("machines/cpuid.jsonl.gz")) {
		const Dump &dump = support::dump_of(recorded["source"]);
		FakeMachine m(support::platform_of(recorded), 0);

		SCOPED_TRACE(recorded["source"].get<std::string>());
		fill_dump(m, recorded);
		const support::RecordingFile file(recording_of(m));
		if (m.code < 0)
			continue;
		const std::string name = file.machine() + ":simulate";
		const support::Handle like(support::machine_named(name));
		ASSERT_EQ(0, like.code) << like.message();
		EXPECT_TRUE(like.machine().simulated);
		EXPECT_STREQ(dump.platform, like.machine().platform);
		EXPECT_EQ(dump.packages, like.machine().packages);
		for (const char *kind : {"ha", "imc", "qpi", "r3qpi", "upi", "m2m"})
			// those of Ice Lake-X are in memory
			if (dump.platform != std::string("icx") || strcmp(kind, "imc") != 0) {
				EXPECT_EQ(0u, like.present(kind)) << kind;
			}
		n++;
	}
	EXPECT_EQ(26u, n);
}

// Without functions and without leaf 4; NHM-EX and WSM-EX go by the cores at all times.
TEST(RecordedCpuid, ShowsTheCoresOfThePublishedPart)
{
	unsigned n = 0;

	for (const json &recorded : support::data_lines("machines/cpuid.jsonl.gz")) {
		const Dump &dump = support::dump_of(recorded["source"]);
		const std::string name = dump.platform;

		if (!is_ex(name) && !has_cboxes(name))
			continue;
		SCOPED_TRACE(recorded["source"].get<std::string>());
		FakeMachine m(support::platform_of(recorded), 0);
		fill_dump(m, recorded);
		for (auto leaf = m.cpuid.begin(); leaf != m.cpuid.end();)
			leaf = std::get<1>(leaf->first) == 4 ? m.cpuid.erase(leaf)
							     : std::next(leaf);
		// of each package one CPU is online: the others' cores have their slices, too
		std::set<unsigned> seen;
		m.cpus.erase(std::remove_if(m.cpus.begin(), m.cpus.end(),
					    [&seen](const unc_cpu &c) {
						    return !seen.insert(c.package).second;
					    }),
			     m.cpus.end());
		const Replayed replayed(recording_of(m));
		ASSERT_EQ(0, replayed.machine.code) << replayed.machine.message();
		ASSERT_EQ(dump.packages, replayed.machine.machine().packages);
		for (unsigned p = 0; p < dump.packages; p++)
			EXPECT_EQ(dump.cores,
				  (support::usable(
					  replayed.machine)[{p, is_ex(name) ? "cbox" : "cbo"}]));
		n++;
	}
	EXPECT_EQ(13u, n);
}

} // namespace
