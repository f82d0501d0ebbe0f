// SPDX-License-Identifier: BSD-3-Clause
// replay_test.cc - counts from the samples of a recording.  That of a real machine is
// tests/machines/skx-8160-stream.json.gz; its README has the source.
#include <climits>
#include <cmath>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "set/inside.h"
#include "support/data.h"
#include "support/machines.h"
#include "support/recording_file.h"
#include "support/sim_machine.h"

namespace
{

using support::machine_named;
using File = support::RecordingFile;

// Samples 19 and 51, between which STREAM ran, in seconds since the first.
constexpr double kFrom = 19.319232, kUntil = 51.601956;

const File &stream()
{
	static const File file(support::data_text("machines/skx-8160-stream.json.gz"));

	return file;
}

struct Part {
	explicit Part(const std::string &options)
	    : name(stream().machine() + options), machine(machine_named(name))
	{
	}
	const std::string name;
	const support::Handle machine;
};

std::string stream_part()
{
	return ":from=" + std::to_string(kFrom) + ":until=" + std::to_string(kUntil) +
	       ":speed=100000";
}

// An event, counted until the recorded time no longer passes.
struct Counted {
	double value = NAN, seconds = 0;

	Counted(const support::Handle &h, const char *event)
	{
		auto info = support::sized<struct uncore_event_info>();
		unsigned id = 0;
		support::Set set(h);
		int64_t count = 0, ns = 0, before = -1;

		EXPECT_EQ(0, uncore_event(h.u, event, &id)) << h.message();
		EXPECT_EQ(0, uncore_event_info(h.u, id, &info));
		EXPECT_EQ(0, uncore_set_assign(set.set, &id, 1)) << h.message();
		EXPECT_EQ(0, set.start()) << h.message();
		while (ns != before) {
			before = ns;
			std::this_thread::sleep_for(std::chrono::milliseconds(2));
			EXPECT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
		}
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
		seconds = (double)ns * 1e-9;
		value = info.real ? uncore_real(count) : (double)count / seconds;
	}
};

void expect_rate(const char *event, double expected)
{
	const Part part(stream_part());

	EXPECT_NEAR(expected, Counted(part.machine, event).value, 1e-3 * expected) << event;
}

// tests/machines/README.md: arithmetic on the published registers, without this library.
TEST(Replay, HasTheRatesOfARealMachine)
{
	expect_rate("UNCORE_MEM_READ_BYTES", 57.92e9);
	expect_rate("UNCORE_MEM_WRITE_BYTES", 38.04e9);
	expect_rate("UNC_M_CLOCKTICKS:box=0", 1.3333e9);
	expect_rate("UNCORE_FREQUENCY", 2.4e9);
	expect_rate("UNCORE_POWER_PACKAGE_WATTS", 141.77);
	expect_rate("UNCORE_POWER_DRAM_WATTS", 20.43);
}

TEST(Replay, HasThePageHitsOfEachChannel)
{
	for (int channel = 0; channel < 6; channel++) {
		const Part part(stream_part());
		const std::string event =
			"UNCORE_DRAM_PAGE_HIT_RATIO:box=" + std::to_string(channel);
		const double hits = Counted(part.machine, event.c_str()).value;

		EXPECT_GT(hits, 0.3128) << channel;
		EXPECT_LT(hits, 0.3155) << channel;
	}
}

TEST(Replay, TimeIsThatOfTheRecording)
{
	const Part part(stream_part());

	EXPECT_NEAR(kUntil - kFrom, Counted(part.machine, "UNCORE_FREQUENCY").seconds, 1e-6);
	const Part all(":speed=1000000");
	EXPECT_NEAR(57.722, Counted(all.machine, "UNCORE_FREQUENCY").seconds, 0.001);
}

TEST(Replay, CountsTheSlicesThatTheProcessorHas)
{
	const Part part(stream_part());
	unsigned slices = 0, id;

	for (const uncore_box_info &b : part.machine.boxes())
		slices += std::string(b.kind) == "cha" && !b.absent;
	EXPECT_EQ(24u, slices);
	EXPECT_EQ(UNCORE_ENODEV,
		  uncore_event(part.machine.u, "UNC_C_SF_EVICTION:M_STATE:box=24", &id));
	EXPECT_GT(Counted(part.machine, "UNC_C_SF_EVICTION:M_STATE:box=23").value, 1000);
}

TEST(Replay, RefusesWhatWasNotRecorded)
{
	const Part part("");
	support::Set set(part.machine);
	unsigned id;

	for (const char *event :
	     {"UNC_M_CAS_COUNT:ALL", "UNC_C_TOR_INSERTS:IRQ:HIT", "UNC_UPI_CLOCKTICKS"}) {
		ASSERT_EQ(0, uncore_event(part.machine.u, event, &id)) << part.machine.message();
		EXPECT_EQ(UNCORE_ENODEV, uncore_set_assign(set.set, &id, 1)) << event;
		EXPECT_NE(std::string::npos, part.machine.message().find("was not recorded in"))
			<< part.machine.message();
	}
}

// Ten recorded seconds pass in one: 32 s have an equal rate, enough for a busy computer.
TEST(Replay, SetsCountTheSameTime)
{
	const Part part(":from=19.5:speed=10");
	support::Set one(part.machine), other(part.machine);
	int64_t counts[3], ns[3];
	unsigned id;

	ASSERT_EQ(0, uncore_event(part.machine.u, "UNCORE_MEM_READ_BYTES", &id));
	for (support::Set *set : {&one, &other}) {
		ASSERT_EQ(0, uncore_set_assign(set->set, &id, 1));
		ASSERT_EQ(0, set->start());
	}
	std::this_thread::sleep_for(std::chrono::milliseconds(10));
	ASSERT_EQ(0, uncore_set_reset(one.set));
	std::this_thread::sleep_for(std::chrono::milliseconds(10));
	ASSERT_EQ(0, one.stop());
	ASSERT_EQ(0, other.stop());
	ASSERT_EQ(0, uncore_set_read_timed(one.set, &counts[0], &ns[0]));
	ASSERT_EQ(0, uncore_set_read_timed(other.set, &counts[1], &ns[1]));
	EXPECT_LT(ns[0], ns[1]);
	EXPECT_NEAR((double)counts[0] / (double)ns[0], (double)counts[1] / (double)ns[1], 0.5);
	// again: from zero
	ASSERT_EQ(0, one.start());
	std::this_thread::sleep_for(std::chrono::milliseconds(10));
	ASSERT_EQ(0, one.stop());
	ASSERT_EQ(0, uncore_set_read_timed(one.set, &counts[2], &ns[2]));
	EXPECT_NEAR((double)counts[2] / (double)ns[2], (double)counts[1] / (double)ns[1], 0.5);
}

// ---- the file ----

std::string with(const std::string &samples)
{
	std::string text = stream().text();
	const size_t at = text.find("\"samples\":");

	return text.substr(0, at) + "\"samples\":" + samples + "}";
}

TEST(Replay, RefusesDamagedSamples)
{
	const std::string counter =
		R"({"box":"imc","number":0,"package":0,"width":48,"control":"0x304","values":["0x1","0x2"]})";
	const struct {
		std::string samples, why;
	} cases[] = {
		{"{}", "no counters"},
		{R"({"ns":[0],"counters":[)" + counter + "]}", "less than two samples"},
		{R"({"ns":[0,"1"],"counters":[)" + counter + "]}", "not a number"},
		{R"({"ns":[0,0],"counters":[)" + counter + "]}", "out of order"},
		{R"({"ns":[5,9],"counters":[)" + counter + "]}", "begin at 0"},
		{R"({"ns":[0,1,2],"counters":[)" + counter + "]}", "a value for each sample"},
		{R"({"ns":[0,1],"counters":[{}]})", "is damaged"},
		{R"({"ns":[0,1],"counters":[7]})", "is damaged"},
		{R"({"ns":[0,1],"counters":[{"box":"imc","number":0,"package":0,"width":48,"values":["0x1","0x2"]}]})",
		 "no control"},
		{R"({"ns":[0,1],"counters":[{"box":"imc","number":0,"package":0,"width":4,"fixed":true,"values":["0x1","0x10"]}]})",
		 "too large"},
		{R"({"ns":[0,1],"counters":[{"box":"imc","number":0,"package":0,"width":65,"fixed":true,"values":["0x1","0x10"]}]})",
		 "is damaged"},
		{R"({"ns":[0,1],"counters":[{"box":"imc","number":0,"package":0,"width":48,"fixed":true,"filters":["0","0","0","0","0"],"values":["0x1","0x2"]}]})",
		 "too many filters"},
	};

	for (const auto &c : cases) {
		const File file(with(c.samples));
		const std::string name = file.machine();
		const support::Handle h(machine_named(name));

		EXPECT_EQ(UNCORE_EINVAL, h.code) << c.samples;
		EXPECT_NE(std::string::npos, h.message().find(c.why))
			<< c.samples << ": " << h.message();
	}
	const File good(with(R"({"ns":[0,1],"counters":[)" + counter + "]}"));
	const std::string name = good.machine();
	EXPECT_EQ(0, support::Handle(machine_named(name)).code);
}

TEST(Replay, AddsWrapsOfTheRegisters)
{
	const File file(
		with(R"({"ns":[0,1000000000,2000000000],"counters":[{"box":"imc","number":0,)"
		     R"("package":0,"width":48,"control":"0x304",)"
		     R"("values":["0xffffffffff00","0x100","0x300"]}]})"));
	const std::string name = file.machine() + ":speed=1000000";
	const support::Handle h(machine_named(name));

	EXPECT_NEAR(0x400 / 2.0, Counted(h, "UNC_M_CAS_COUNT:RD:box=0").value, 1);
}

TEST(Replay, RefusesAPartThatIsNotThere)
{
	for (const char *options : {":from=x", ":from=-1", ":until=", ":speed=0", ":speed=1e7",
				    ":from=5:until=5", ":from=100", ":speed=nan"}) {
		const Part part(options);

		EXPECT_EQ(UNCORE_EINVAL, part.machine.code) << options;
		EXPECT_NE(std::string::npos, part.machine.message().find("of the recording"))
			<< part.machine.message();
	}
}

TEST(Replay, RefusesANameLongerThanAPath)
{
	const File file;
	const std::string longest = file.machine() + std::string(PATH_MAX, '/');

	for (const size_t n : {longest.size(), 20 * longest.size()}) {
		std::string name = longest;

		name.resize(n, '/');
		const support::Handle h(machine_named(name));
		EXPECT_GT(0, h.code) << n;
		EXPECT_NE(std::string::npos, h.message().find("too long")) << h.message();
	}
}

// ---- recording ----

TEST(Replay, SamplesOfASimulatedMachineCountAsItDoes)
{
	const std::string simulated = "sim:skx:packages=1,cores=4,time=virtual";
	auto options = machine_named(simulated);
	options.record = 1;
	const support::Handle h(options);
	const File file;
	support::Set set(h);
	unsigned id;

	ASSERT_EQ(0, uncore_event(h.u, "UNCORE_MEM_READ_BYTES", &id));
	ASSERT_EQ(0, uncore_set_assign(set.set, &id, 1));
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, uncore_record_sample(h.u)) << h.message();
		sim_advance(unc_hw_sim(unc_hw_of(h.u)), 100 * support::kMillisecond);
	}
	ASSERT_EQ(0, set.stop());
	ASSERT_EQ(0, uncore_record(h.u, file.fd, 0)) << h.message();
	const double rate = (double)set.count() / 0.4;
	const std::string name = file.machine() + ":speed=1000000";
	const support::Handle replayed(machine_named(name));
	ASSERT_EQ(0, replayed.code) << replayed.message();
	const Counted counted(replayed, "UNCORE_MEM_READ_BYTES");

	EXPECT_NEAR(0.3, counted.seconds, 1e-6);
	EXPECT_NEAR(rate, counted.value, 0.01 * rate);
	auto info = support::sized<struct uncore_machine_info>();
	EXPECT_EQ(0, uncore_machine(replayed.u, &info));
	EXPECT_TRUE(info.recorded && info.replayed);
}

TEST(Replay, ASampleNeedsARecordingAndRegisters)
{
	const std::string simulated = "sim:snbep", without = "sim:nhmex:packages=1";
	const support::Handle plain(machine_named(simulated));
	auto options = machine_named(simulated);

	EXPECT_EQ(UNCORE_ESTATE, uncore_record_sample(plain.u));
	options.record = 1;
	const std::string name = stream().machine();
	options.machine = name.c_str();
	const support::Handle recorded(options);
	EXPECT_EQ(UNCORE_ENOSUPP, uncore_record_sample(recorded.u)) << recorded.message();
	// nothing counts, and every counter has a control
	auto quiet = machine_named(without);
	quiet.record = 1;
	const support::Handle idle(quiet);
	EXPECT_EQ(UNCORE_ENODEV, uncore_record_sample(idle.u)) << idle.message();
}

} // namespace
