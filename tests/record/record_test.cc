/* SPDX-License-Identifier: BSD-3-Clause */
// A machine as data: what is recorded of each simulated machine answers as that machine does.
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/handle.h"
#include "support/machines.h"
#include "support/recording_file.h"
#include "support/tree.h"

namespace
{

using support::machine_named;
using File = support::RecordingFile;

uncore_options recording(const std::string &machine)
{
	auto options = support::sized<uncore_options>();

	options.machine = machine.c_str();
	options.record = 1;
	return options;
}

std::string text_of(const char *text)
{
	return text ? text : "(none)";
}

std::vector<std::string> boxes_of(const support::Handle &h)
{
	std::vector<std::string> all;

	for (const uncore_box_info &b : h.boxes())
		all.push_back(std::string(b.kind) + std::to_string(b.index) + " of " +
			      std::to_string(b.package) + "." + std::to_string(b.die) + " at " +
			      b.location + ", " + std::to_string(b.counters) + " of " +
			      std::to_string(b.width) + " bits: " + text_of(b.absent) + ", " +
			      text_of(b.basis));
	return all;
}

std::vector<std::string> events_of(const support::Handle &h)
{
	std::vector<std::string> all;
	unsigned id;

	for (unsigned i = 0; uncore_listed_event(h.u, i, &id) == 1; i++)
		all.push_back(text_of(uncore_event_name(h.u, id)));
	return all;
}

std::vector<std::string> warnings_of(const support::Handle &h)
{
	std::vector<std::string> all;

	for (unsigned i = 0; h.warning(i); i++)
		all.push_back(h.warning(i));
	return all;
}

class OfEach : public ::testing::TestWithParam<const char *>
{
};

TEST_P(OfEach, RecordedMachineIsTheSame)
{
	const std::string machine = std::string("sim:") + GetParam();
	const support::Handle original(recording(machine));
	const File file;

	ASSERT_EQ(0, original.code) << original.message();
	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0)) << original.message();
	EXPECT_LT(file.text().size(), 1000000u);
	const support::Handle here(machine_named(file.machine()));
	ASSERT_EQ(0, here.code) << here.message();
	EXPECT_TRUE(here.machine().recorded);
	EXPECT_FALSE(here.machine().simulated);
	EXPECT_STREQ(original.machine().title, here.machine().title);
	EXPECT_EQ(original.machine().packages, here.machine().packages);
	EXPECT_EQ(original.machine().dies, here.machine().dies);
	EXPECT_EQ(original.machine().cpus, here.machine().cpus);
	EXPECT_EQ(original.machine().boxes_present, here.machine().boxes_present);
	EXPECT_EQ(boxes_of(original), boxes_of(here));
	EXPECT_EQ(events_of(original), events_of(here));
	EXPECT_EQ(warnings_of(original), warnings_of(here));
}

// As those that were made before energy was read.
TEST(Recording, WithoutRegistersOfEnergyIsAMachineThatHasNone)
{
	const support::Handle original(recording("sim:icx:packages=1,cores=4"));
	const File file;
	std::string saved;

	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0)) << original.message();
	std::istringstream lines(file.text());
	for (std::string line; std::getline(lines, line);)
		if (line.find("\"address\":\"0x61") == std::string::npos &&
		    line.find("\"address\":\"0x62") == std::string::npos)
			saved += line + "\n";
	ASSERT_LT(saved.size(), file.text().size());
	file.set(saved);
	const support::Handle here(machine_named(file.machine()));
	ASSERT_EQ(0, here.code) << here.message();
	EXPECT_EQ(boxes_of(original), boxes_of(here));
	EXPECT_EQ(warnings_of(original), warnings_of(here));
	for (const char *name : {"UNCORE_ENERGY_PACKAGE_UJ", "UNCORE_FREQUENCY_MAX_MHZ"}) {
		EXPECT_EQ(0, original.refusal(name)) << original.message();
		EXPECT_EQ(UNCORE_ENODEV, here.refusal(name));
		EXPECT_NE(std::string::npos, here.message().find("were not recorded"))
			<< here.message();
	}
}

TEST_P(OfEach, NothingCountsOnARecording)
{
	const std::string machine = std::string("sim:") + GetParam();
	const support::Handle original(recording(machine));
	const File file;

	ASSERT_EQ(0, uncore_record(original.u, file.fd, UNCORE_RECORD_REGISTERS))
		<< original.message();
	const support::Handle here(machine_named(file.machine()));
	ASSERT_EQ(0, here.code) << here.message();
	support::Set set(here, {events_of(here).front()});
	EXPECT_EQ(UNCORE_ENOSUPP, set.start());
	EXPECT_NE(std::string::npos, here.message().find("recorded machine"));
}

INSTANTIATE_TEST_SUITE_P(, OfEach, ::testing::ValuesIn(support::machines_and_variants()),
			 [](const auto &info) { return support::machine_label(info.param); });

// Machines of other sizes than usual, with devices that are hidden.
class LikeEach : public ::testing::TestWithParam<const char *>
{
};

TEST_P(LikeEach, RecordedMachineOneIsSimulated)
{
	const support::Handle original(recording(std::string("sim:") + GetParam()));
	const File file;

	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0)) << original.message();
	const support::Handle here(machine_named(file.machine() + ":simulate"));
	ASSERT_EQ(0, here.code) << here.message();
	EXPECT_FALSE(here.machine().recorded);
	EXPECT_TRUE(here.machine().simulated);
	EXPECT_EQ(original.machine().cpus, here.machine().cpus);
	EXPECT_EQ(boxes_of(original), boxes_of(here));
	EXPECT_EQ(warnings_of(original), warnings_of(here));
	support::Set set(here, {"UNCORE_MEM_READ_BYTES"});
	ASSERT_EQ(0, set.start()) << here.message();
	usleep(2000);
	EXPECT_EQ(0, set.stop()) << here.message();
	EXPECT_LT(0, set.count());
}

INSTANTIATE_TEST_SUITE_P(, LikeEach,
			 ::testing::Values("nhmex", "snbep:packages=1,cores=4", "snbep:hide=3c41",
					   "ivbep:cores=6,slices=8", "hswep:packages=1,cores=8",
					   "bdx:cores=10,hide=6f32", "skx:dies=2,cores=8",
					   "skx:packages=4,cores=18", "icx:packages=1,cores=16",
					   "spr:hbm=yes,cores=20", "gnr:packages=1", "srf"));

TEST(Simulated, MachineThatIsUnlikeTheRecordedOneSaysSo)
{
	const support::Handle original(recording("sim:spr:table=nonsense"));
	const File file;

	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0)) << original.message();
	const support::Handle here(machine_named(file.machine() + ":simulate"));
	ASSERT_EQ(0, here.code) << here.message();
	const std::vector<std::string> warnings = warnings_of(here);
	ASSERT_FALSE(warnings.empty());
	EXPECT_EQ(0U, warnings[0].find("the recorded machine has ")) << warnings[0];
	EXPECT_LT(original.machine().boxes_present, here.machine().boxes_present);
}

TEST(Simulated, OnlyOfARecording)
{
	const File file;
	const support::Handle none(machine_named("file:/nonexistent.json:simulate"));

	EXPECT_EQ(UNCORE_EINVAL, none.code);
	EXPECT_NE(std::string::npos, none.message().find("/nonexistent.json")) << none.message();
	file.set("{}");
	const support::Handle wrong(machine_named(file.machine() + ":simulate"));
	EXPECT_EQ(UNCORE_EINVAL, wrong.code);
	EXPECT_NE(std::string::npos, wrong.message().find("is not a recording")) << wrong.message();
}

TEST(Recording, OfFilesHasTheReasonsOfWhatIsMissing)
{
	support::Tree tree;

	tree.two_packages();
	tree.remove("dev");
	auto options = support::sized<uncore_options>();
	options.machine = "native";
	options.sysroot = tree.root.c_str();
	options.record = 1;
	const support::Handle original(options);
	const File file;
	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0)) << original.message();
	const support::Handle here(machine_named(file.machine()));
	EXPECT_EQ(original.code, here.code);
	if (original.code < 0) {
		EXPECT_EQ(original.message(), here.message());
	}
	EXPECT_EQ(boxes_of(original), boxes_of(here));
	EXPECT_EQ(warnings_of(original), warnings_of(here));
}

TEST(Recording, HasCachesNodesAndTheKernel)
{
	support::Tree tree;
	const File file;

	tree.two_packages();
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		const std::string cache =
			"sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index";

		tree.write(cache + "0/level", "1\n");
		tree.write(cache + "1/level", "3\n");
		tree.write(cache + "1/size", "20480K\n");
		tree.write(cache + "1/shared_cpu_list", cpu < 4 ? "0-3\n" : "4-7\n");
	}
	for (unsigned node = 0; node < 2; node++)
		tree.write("sys/devices/system/node/node" + std::to_string(node) + "/cpulist",
			   node ? "4-7\n" : "0-3\n");
	tree.write("proc/sys/kernel/osrelease", "6.1.0-test\n");
	auto options = tree.options();
	options.record = 1;
	const support::Handle h(options);
	ASSERT_EQ(0, uncore_record(h.u, file.fd, 0)) << h.message();
	for (const char *part :
	     {"\"l3\": [\n{\"size\":\"20480K\",\"cpus\":\"0-3\"},\n{\"size\":\"20480K\",\"cpus\":\"4-7\"}]",
	      "\"nodes\": [\n{\"node\":0,\"cpus\":\"0-3\"},\n{\"node\":1,\"cpus\":\"4-7\"}]",
	      "\"release\":\"6.1.0-test\"", "\"online\":\"0-7\""})
		EXPECT_NE(std::string::npos, file.text().find(part))
			<< part << " in " << file.text();
}

// It must not use this computer's kernel files and caches.
TEST(Recording, OfASimulatedMachineHasNothingOfThisComputer)
{
	const support::Handle h(recording("sim:snbep"));
	const File file;

	ASSERT_EQ(0, uncore_record(h.u, file.fd, 0)) << h.message();
	for (const char *member : {"\"l3\"", "\"nodes\"", "\"kernel\""})
		EXPECT_EQ(std::string::npos, file.text().find(member)) << member;
}

TEST(Recording, HasNoNameOfAHost)
{
	char host[256] = "";
	const support::Handle original(recording("sim:snbep"));
	const File file;

	gethostname(host, sizeof(host) - 1);
	ASSERT_EQ(0, uncore_record(original.u, file.fd, UNCORE_RECORD_REGISTERS));
	if (strlen(host) > 3) {
		EXPECT_EQ(std::string::npos, file.text().find(host));
	}
}

TEST(Recording, HasToBeAskedForWhenTheMachineIsOpened)
{
	const support::Handle h(machine_named("sim:snbep"));
	const File file;

	EXPECT_EQ(UNCORE_ESTATE, uncore_record(h.u, file.fd, 0));
	EXPECT_EQ(UNCORE_EINVAL, uncore_record(h.u, file.fd, 2));
}

TEST(Recording, ThatCannotBeWrittenSaysSo)
{
	const support::Handle h(recording("sim:snbep"));
	const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	EXPECT_EQ(UNCORE_EIO, uncore_record(h.u, full, 0));
	EXPECT_NE(std::string::npos, h.message().find("No space left"));
	close(full);
	EXPECT_EQ(UNCORE_EIO, uncore_record(h.u, -1, 0));
}

// A truncated or changed file is refused with a message, or describes another machine; it never
// crashes the library.
TEST(Recording, ThatIsDamagedIsRefusedOrIsAnotherMachine)
{
	const support::Handle original(recording("sim:snbep:packages=1,cores=2"));
	const File file, damaged;

	ASSERT_EQ(0, uncore_record(original.u, file.fd, 0));
	const std::string whole = file.text();
	for (size_t n = 0; n < whole.size(); n += 97) {
		damaged.set(whole.substr(0, n));
		const support::Handle h(machine_named(damaged.machine()));
		EXPECT_EQ(UNCORE_EINVAL, h.code) << n;
		EXPECT_NE(std::string::npos, h.message().find(damaged.path));
	}
	for (size_t n = 0; n < whole.size(); n += 53) {
		std::string other = whole;

		other[n] = other[n] == '9' ? '1' : '9';
		damaged.set(other);
		const support::Handle h(machine_named(damaged.machine()));
		if (h.code < 0) {
			EXPECT_NE("", h.message()) << n;
		}
	}
}

TEST(Recording, OfALaterVersionIsRefused)
{
	const File file;

	file.set("{\"uncore_recording\": 2}");
	EXPECT_EQ(UNCORE_EINVAL, support::Handle(machine_named(file.machine())).code);
	EXPECT_NE(std::string::npos,
		  support::Handle(machine_named(file.machine())).message().find("newer version"));
	EXPECT_EQ(UNCORE_EINVAL, support::Handle(machine_named("file:/nonexistent")).code);
}

} // namespace
