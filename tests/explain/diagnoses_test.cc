// SPDX-License-Identifier: BSD-3-Clause
// diagnoses_test.cc - what is said of a run: each cause that is planted, and nothing of healthy
// runs.
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/seeds.h"

extern "C" {
#include "command/explain/background.h"
#include "command/explain/diagnoses.h"
#include "command/explain/differences.h"
#include "command/explain/program.h"
}

namespace
{

constexpr double kDclk = 8 * 1.6e9, kPeak = 16 * kDclk, kUclk = 2.2e9;
constexpr unsigned kChannels = 8, kSlices = 28, kCores = 28;

// The facts of a run, with everything counted.
struct Counted {
	explicit Counted(unsigned packages, std::mt19937 &random) : random(random)
	{
		all.begin = 0;
		all.end = 10;
		all.packages = packages;
		at.resize(packages);
		channels.resize(packages, std::vector<box_fact>(kChannels));
		slices.resize(packages, std::vector<box_fact>(kSlices));
		for (unsigned p = 0; p < packages; p++)
			make_healthy(p);
		all.at = at.data();
	}

	double between(double low, double high)
	{
		return std::uniform_real_distribution<double>(low, high)(random);
	}

	void make_healthy(unsigned p)
	{
		package_facts &f = at[p];
		double *r = f.rate;
		const double active = between(0.3, 1) * kCores;

		for (const char *&name : f.name)
			name = "EVENT";
		set_memory(p, between(0.02, 0.4));
		r[Q_DCLK] = kDclk;
		r[Q_HBM] = r[Q_PMEM] = 0;
		r[Q_PAGE_ACCESSES] = memory_traffic(&f) / 64;
		r[Q_PAGE_MISSES] = between(0.05, 0.4) * r[Q_PAGE_ACCESSES];
		r[Q_DIRECTORY] = between(0, 0.15) * r[Q_WRITE];
		r[Q_LINK_SLOTS] = 1e10;
		r[Q_LINK_USED] = between(0, 0.5) * r[Q_LINK_SLOTS];
		r[Q_LOCAL_READS] = 1e8;
		r[Q_REMOTE_READS] = between(0, 0.3) * r[Q_LOCAL_READS];
		r[Q_UCLK] = kUclk;
		r[Q_MISSES] = r[Q_READ] / 64 * between(0.1, 0.3);
		r[Q_IN_FLIGHT] = between(0, 0.3) * active * kUclk;
		r[Q_STORE_MISSES] = between(0, 0.2) * r[Q_READ] / 64;
		r[Q_LLC_READS] = 1e9;
		r[Q_LLC_READ_MISSES] = between(0.02, 0.5) * r[Q_LLC_READS];
		r[Q_DEVICE_READ] = r[Q_DEVICE_WRITE] = between(0, 0.08) * memory_traffic(&f);
		r[Q_DEVICE_MISSES] = between(0, 0.3) * r[Q_DEVICE_WRITE];
		r[Q_PCU] = 8e8;
		r[Q_ACTIVE] = active * r[Q_PCU];
		r[Q_TOO_HOT] = between(0, 0.01) * r[Q_PCU];
		r[Q_FASTEST] = 2400;
		f.before = between(0, 0.1) * memory_traffic(&f);
		make_slices(p);
	}

	// used: of the theoretical peak
	void set_memory(unsigned p, double used)
	{
		package_facts &f = at[p];
		const double written = between(0.05, 0.45);

		f.rate[Q_READ] = used * kPeak * (1 - written);
		f.rate[Q_WRITE] = used * kPeak * written;
		for (unsigned i = 0; i < kChannels; i++)
			channels[p][i] = {i, used * kPeak / kChannels * between(0.95, 1.05),
					  0, nullptr,
					  0, nullptr};
		f.channels = {kChannels, channels[p].data(), "imc"};
	}

	// Two clusters: parts of the peak of each one's channels, as perf's table deals them.
	void set_nodes(unsigned p, double used, double others)
	{
		double all = 0;

		set_memory(p, 0.4);
		for (unsigned i = 0; i < kChannels; i++) {
			box_fact &channel = channels[p][i];

			channel.node = i % 4 < 2 ? "2" : "3";
			channel.rate = kPeak / kChannels * (i % 4 < 2 ? others : used);
			all += channel.rate;
		}
		at[p].rate[Q_WRITE] = 0.3 * all;
		at[p].rate[Q_READ] = 0.7 * all;
	}

	// Four of 28 slices own fewer lines, as on a Skylake-X.
	void make_slices(unsigned p)
	{
		for (unsigned i = 0; i < kSlices; i++) {
			const double share = (i < 24 ? 149.33 : 128) / 4096;

			slices[p][i] = {i,      1e9 * share * between(0.8, 1.25), share, nullptr, 0,
					nullptr};
		}
		at[p].slices = {kSlices, slices[p].data(), "cha"};
	}

	// Sentences with their evidence.
	std::vector<std::string> texts()
	{
		std::vector<std::string> list;
		const ceilings own = {static_cast<unsigned>(measured.size()), measured.data(), ""};
		findings found;

		diagnose(&found, &all, &own);
		for (size_t i = 0; i < found.n; i++)
			list.push_back(std::string(found.at[i].sentence) + "; " +
				       found.at[i].evidence);
		findings_free(&found);
		return list;
	}

	// Results of `uncore ceilings`, in proportion to a healthy run.
	void measure()
	{
		measured.resize(all.packages);
		for (package_ceilings &m : measured) {
			for (double &value : m.of)
				value = NAN;
			m.of[CEILING_READ] = kPeak;
			m.of[CEILING_COPY] = m.of[CEILING_WRITE] = 0.8 * kPeak;
			m.of[CEILING_REMOTE] = 100e9;
			m.of[CEILING_CACHE] = 400e9;
			m.of[CEILING_LATENCY] = 80;
			m.of[CEILING_REMOTE_LATENCY] = 140;
		}
	}
	// Of demand reads, in ns.
	void set_latency(unsigned p, double ns)
	{
		at[p].rate[Q_IN_FLIGHT] = ns * 1e-9 * kUclk * at[p].rate[Q_MISSES];
	}

	// "id/package" of all findings
	std::set<std::string> found()
	{
		return found({static_cast<unsigned>(measured.size()), measured.data(), "today"});
	}
	std::set<std::string> found(const ceilings &c)
	{
		std::set<std::string> names;
		findings list;

		diagnose(&list, &all, &c);
		for (size_t i = 0; i < list.n; i++) {
			EXPECT_GE(list.at[i].confidence,
				  list.at[i].diagnosis->judge ? CONFIDENT : 0);
			EXPECT_LE(list.at[i].confidence, 1);
			EXPECT_STRNE("", list.at[i].sentence);
			EXPECT_STRNE("", list.at[i].evidence);
			names.insert(std::string(list.at[i].diagnosis->id) + "/" +
				     std::to_string(list.at[i].package));
		}
		findings_free(&list);
		return names;
	}

	std::mt19937 &random;
	facts all = {};
	std::vector<package_ceilings> measured;
	std::vector<package_facts> at;
	std::vector<std::vector<box_fact>> channels, slices;
};

// How each cause looks in package 1 of two.
const std::map<std::string, std::function<void(Counted &)>> kCauses = {
	{"memory-bandwidth",
	 [](Counted &r) {
		 r.set_memory(0, r.between(0.7, 0.95));
		 r.set_memory(1, r.between(0.7, 0.95));
	 }},
	{"memory-bandwidth-one-package",
	 [](Counted &r) {
		 r.set_memory(0, r.between(0.01, 0.2));
		 r.set_memory(1, r.between(0.7, 0.95));
	 }},
	{"memory-latency",
	 [](Counted &r) {
		 r.set_memory(1, r.between(0.05, 0.3));
		 r.at[1].rate[Q_IN_FLIGHT] =
			 r.between(0.7, 2) * kUclk * ratio_of(&r.at[1], Q_ACTIVE, Q_PCU);
	 }},
	{"slow-memory",
	 [](Counted &r) {
		 r.measure();
		 r.set_memory(1, r.between(0.2, 0.35));
		 r.at[1].rate[Q_MISSES] = r.at[1].rate[Q_READ] / 64 * 0.3;
		 r.set_latency(0, r.between(80, 110));
		 r.set_latency(1, r.between(240, 400));
	 }},
	{"remote-bandwidth",
	 [](Counted &r) {
		 r.measure();
		 r.at[1].rate[Q_REMOTE_READS] = r.between(0.8, 1) * 100e9 / 64;
	 }},
	{"cache-bandwidth",
	 [](Counted &r) {
		 r.measure();
		 r.at[1].rate[Q_LLC_READS] = r.between(0.8, 1) * 400e9 / 64;
		 r.at[1].rate[Q_LLC_READ_MISSES] = 0.1 * r.at[1].rate[Q_LLC_READS];
	 }},
	{"empty-channel", [](Counted &r) { r.channels[1][3].rate = 0; }},
	{"unequal-channels", [](Counted &r) { r.channels[1][5].rate *= r.between(1.6, 3); }},
	{"full-cluster",
	 [](Counted &r) { r.set_nodes(1, r.between(0.7, 0.95), r.between(0, 0.1)); }},
	{"remote-memory",
	 [](Counted &r) {
		 r.at[1].rate[Q_REMOTE_READS] = r.between(1, 9) * r.at[1].rate[Q_LOCAL_READS];
	 }},
	{"links", [](Counted &r) { r.at[1].rate[Q_LINK_USED] = r.between(0.75, 1) * 1e10; }},
	{"write-allocate",
	 [](Counted &r) {
		 r.at[1].rate[Q_STORE_MISSES] = r.between(0.4, 0.5) * r.at[1].rate[Q_READ] / 64;
		 r.at[1].rate[Q_WRITE] = 64 * r.at[1].rate[Q_STORE_MISSES];
	 }},
	{"page-conflicts",
	 [](Counted &r) {
		 r.set_memory(1, r.between(0.15, 0.5));
		 r.at[1].rate[Q_PAGE_MISSES] = r.between(0.55, 0.9) * r.at[1].rate[Q_PAGE_ACCESSES];
	 }},
	{"cache-capacity",
	 [](Counted &r) {
		 r.set_memory(1, r.between(0.2, 0.4));
		 r.at[1].rate[Q_LLC_READ_MISSES] = r.between(0.75, 1) * 1e9;
	 }},
	{"directory",
	 [](Counted &r) {
		 r.at[1].rate[Q_DIRECTORY] = r.between(0.4, 0.9) * r.at[1].rate[Q_WRITE];
	 }},
	{"hot-slice", [](Counted &r) { r.slices[1][26].rate *= r.between(3, 10); }},
	{"devices",
	 [](Counted &r) {
		 r.at[1].rate[Q_DEVICE_READ] = r.between(0.5, 1) * memory_traffic(&r.at[1]);
	 }},
	{"device-misses",
	 [](Counted &r) {
		 r.at[1].rate[Q_DEVICE_WRITE] = r.between(2e9, 3e9);
		 r.at[1].rate[Q_DEVICE_MISSES] = r.between(0.7, 1) * r.at[1].rate[Q_DEVICE_WRITE];
	 }},
	{"persistent-memory",
	 [](Counted &r) { r.at[1].rate[Q_PMEM] = r.between(0.1, 1) * memory_traffic(&r.at[1]); }},
	{"high-bandwidth-memory",
	 [](Counted &r) { r.at[1].rate[Q_HBM] = r.between(0.1, 5) * memory_traffic(&r.at[1]); }},
	{"uncore-frequency", [](Counted &r) { r.at[1].rate[Q_UCLK] = r.between(0.8e9, 1.7e9); }},
	{"heat", [](Counted &r) { r.at[1].rate[Q_TOO_HOT] = r.between(0.06, 0.9) * 8e8; }},
	{"other-programs",
	 [](Counted &r) { r.at[1].before = r.between(0.3, 1) * memory_traffic(&r.at[1]); }},
	{"contradiction", [](Counted &r) { r.set_memory(1, r.between(1.15, 3)); }},
};

TEST(Diagnoses, HealthyRunsHaveNone)
{
	std::mt19937 random(7);

	for (int i = 0; i < 2000; i++) {
		Counted run(1 + i % 4, random);

		EXPECT_EQ(std::set<std::string>{"none/0"}, run.found()) << i;
	}
}

TEST(Diagnoses, APlantedCauseIsFoundWhereItIs)
{
	std::mt19937 random(11);

	for (const auto &[id, plant] : kCauses)
		for (int i = 0; i < 200; i++) {
			Counted run(2, random);

			plant(run);
			EXPECT_TRUE(run.found().count(id + "/1")) << id;
		}
}

TEST(Diagnoses, ACauseIsNotFoundInTheOtherPackage)
{
	std::mt19937 random(13);

	for (const auto &[id, plant] : kCauses) {
		Counted run(2, random);

		plant(run);
		EXPECT_EQ(id == "memory-bandwidth", run.found().count(id + "/0") > 0) << id;
	}
}

TEST(Diagnoses, TwoCausesAreBothFound)
{
	std::mt19937 random(17);

	for (int i = 0; i < 50; i++) {
		Counted run(2, random);

		kCauses.at("memory-bandwidth")(run);
		kCauses.at("remote-memory")(run);
		kCauses.at("hot-slice")(run);
		const auto found = run.found();
		EXPECT_TRUE(found.count("memory-bandwidth/1"));
		EXPECT_TRUE(found.count("remote-memory/1"));
		EXPECT_TRUE(found.count("hot-slice/1"));
	}
}

// Without its counts a cause is not mentioned.
TEST(Diagnoses, NothingIsSaidOfWhatWasNotCounted)
{
	std::mt19937 random(19);
	Counted run(2, random);

	for (package_facts &f : run.at) {
		for (double &rate : f.rate)
			rate = NAN;
		f.before = NAN;
		f.channels.n = f.slices.n = 0;
	}
	EXPECT_TRUE(run.found().empty());
	for (unsigned q = 0; q < QUANTITIES; q++)
		for (const auto &[id, plant] : kCauses) {
			Counted one(2, random);

			plant(one);
			one.at[1].rate[q] = NAN;
			for (const std::string &text : one.texts())
				EXPECT_EQ(std::string::npos, text.find("nan")) << text;
		}
}

TEST(Diagnoses, TextsHaveNumbers)
{
	std::mt19937 random(23);

	for (const auto &[id, plant] : kCauses) {
		Counted run(2, random);

		plant(run);
		for (const std::string &text : run.texts()) {
			EXPECT_EQ(std::string::npos, text.find("nan")) << text;
			EXPECT_EQ(std::string::npos, text.find("(null)")) << text;
		}
	}
}

TEST(Diagnoses, MeasuredCeilingsTakeTheMixIntoAccount)
{
	std::mt19937 random(29);
	Counted run(1, random);
	package_ceilings at = {};
	ceilings c = {1, &at, "2026-01-01"};

	at.of[CEILING_READ] = 200e9;
	at.of[CEILING_COPY] = 160e9;
	at.of[CEILING_WRITE] = 100e9;
	run.at[0].rate[Q_READ] = 150e9;
	run.at[0].rate[Q_WRITE] = 50e9;
	EXPECT_TRUE(memory_limit(&c, &run.all, 0).measured);
	EXPECT_NEAR(180e9, memory_limit(&c, &run.all, 0).bytes, 1);
	run.at[0].rate[Q_READ] = 25e9;
	run.at[0].rate[Q_WRITE] = 75e9;
	EXPECT_NEAR(130e9, memory_limit(&c, &run.all, 0).bytes, 1);
	EXPECT_TRUE(run.found(c).count("memory-bandwidth/0"));
	at.of[CEILING_READ] = NAN;
	EXPECT_FALSE(memory_limit(&c, &run.all, 0).measured);
	EXPECT_NEAR(kPeak, memory_limit(&c, &run.all, 0).bytes, 1);
}

// With measurements, healthy runs at the latency of an idle machine have no findings, either.
TEST(Diagnoses, HealthyRunsHaveNoneWithMeasuredCeilings)
{
	std::mt19937 random(31);

	for (int i = 0; i < 500; i++) {
		Counted run(1 + i % 2, random);

		run.measure();
		for (unsigned p = 0; p < run.all.packages; p++)
			run.set_latency(p, run.between(75, 130));
		for (const std::string &name : run.found())
			EXPECT_TRUE(name == "none/0" || name.rfind("memory-latency", 0) == 0)
				<< name;
	}
}

// Where a processor counts bytes of remote reads, they are no lines.
TEST(Diagnoses, RemoteBytesAreNotTakenForLines)
{
	std::mt19937 random(37);
	Counted run(1, random);

	run.measure();
	run.at[0].rate[Q_LOCAL_READS] = 90e9;
	run.at[0].rate[Q_REMOTE_READS] = 9e9;
	run.at[0].name[Q_REMOTE_READS] = "UNCORE_HOME_READ_REMOTE_BYTES";
	EXPECT_FALSE(run.found().count("remote-bandwidth/0"));
	run.at[0].rate[Q_REMOTE_READS] = 85e9;
	EXPECT_TRUE(run.found().count("remote-bandwidth/0"));
}

// Published bandwidths of real processors lie between 0.6 and 1 of the theoretical peak, which is
// 16 bytes per clock and channel: kerncraft's machine files of the 8360Y (8 channels of DDR4-3200:
// reads 194.9 GB/s, triad 169.5 GB/s) and the 6248 (6 of DDR4-2933: 125.2 GB/s), and STREAM on two
// 8160 (tests/machines: 75 % of 256 GB/s).
TEST(Diagnoses, PublishedBandwidthsArePlausible)
{
	const struct {
		unsigned channels;
		double transfers, bytes;
	} published[] = {{8, 3200e6, 194.9e9},
			 {8, 3200e6, 169.5e9},
			 {6, 2933e6, 125.2e9},
			 {6, 2667e6, 0.75 * 128e9}};

	for (const auto &p : published) {
		std::mt19937 random(41);
		Counted run(1, random);

		run.at[0].rate[Q_DCLK] = p.channels * p.transfers / 2;
		run.at[0].rate[Q_READ] = 0.75 * p.bytes;
		run.at[0].rate[Q_WRITE] = 0.25 * p.bytes;
		const ceilings none = {};
		const limit most = memory_limit(&none, &run.all, 0);
		EXPECT_FALSE(most.measured);
		EXPECT_NEAR(p.channels * p.transfers * 8, most.bytes, 1);
		EXPECT_LT(0.6, p.bytes / most.bytes);
		EXPECT_GT(1, p.bytes / most.bytes);
		// such a run is bound by the bandwidth, and nothing contradicts it
		EXPECT_TRUE(run.found().count("memory-bandwidth/0")) << p.bytes;
		EXPECT_FALSE(run.found().count("contradiction/0"));
	}
}

// ---- before the run ----

// The traffic of package 0 before, of package 1 none; equal but for the errors.
struct Before {
	Before()
	{
		for (struct facts *f : {&now, &then}) {
			f->packages = 2;
			f->at = f == &now ? at.data() : earlier.data();
			for (unsigned p = 0; p < 2; p++) {
				for (unsigned q = 0; q < QUANTITIES; q++)
					f->at[p].rate[q] = f->at[p].error[q] = 0;
				f->at[p].before_error = 0;
			}
			f->at[0].rate[Q_READ] = 20e9;
			f->at[0].rate[Q_WRITE] = 10e9;
			f->at[0].rate[Q_LLC_READS] = 1e9;
		}
		then.at[0].before = 30e9;
		then.at[1].before = 0;
	}
	bool same()
	{
		background_add(&now, &then);
		return is_background(&now, &then);
	}
	std::array<package_facts, 2> at = {}, earlier = {};
	facts now = {}, then = {};
};

TEST(Background, TheSameTrafficIsNotThePrograms)
{
	Before b;

	EXPECT_TRUE(b.same());
	b.now.at[0].rate[Q_READ] += 0.5e9; // 1.7 % of the traffic
	EXPECT_TRUE(b.same());
	b.now.at[0].rate[Q_POWER] = 1e9;
	EXPECT_TRUE(b.same());
	b.now.at[1].rate[Q_LLC_READS] = NAN; // unknown: not compared
	EXPECT_TRUE(b.same());
}

TEST(Background, WhatChangedIsThePrograms)
{
	const std::vector<std::function<void(Before &)>> changes = {
		[](Before &b) { b.now.at[0].rate[Q_READ] += 1e9; }, // 3 %
		[](Before &b) { b.now.at[0].rate[Q_READ] -= 1e9; },
		[](Before &b) { b.now.at[1].rate[Q_WRITE] = 0.2e9; }, // in the idle package
		[](Before &b) { b.now.at[0].rate[Q_LLC_READS] = 1.2e9; },
		[](Before &b) { b.now.at[1].rate[Q_DEVICE_WRITE] = 1e9; },
		[](Before &b) { b.now.at[1].rate[Q_LINK_USED] = 1e8; },
	};

	for (const auto &change : changes) {
		Before b;
		change(b);
		EXPECT_FALSE(b.same()) << &change - changes.data();
	}
}

TEST(Background, ErrorsDecideWhatIsTheSame)
{
	Before b;

	b.now.at[0].rate[Q_READ] += 1e9;
	b.then.at[0].before_error = 1.1e9;
	EXPECT_TRUE(b.same());
	b.then.at[0].before_error = 10e9; // nothing is known
	EXPECT_FALSE(b.same());
}

TEST(Background, OfAnIdleMachineThereIsNone)
{
	Before b;

	for (struct facts *f : {&b.now, &b.then})
		f->at[0].rate[Q_READ] = f->at[0].rate[Q_WRITE] = f->at[0].rate[Q_LLC_READS] = 0;
	b.then.at[0].before = 0;
	EXPECT_FALSE(b.same());
	b.then.packages = 0; // not counted
	EXPECT_FALSE(b.same());
}

TEST(Background, IsTheFirstSentenceAndHasNoAdvice)
{
	Before b;
	findings list = {};
	const ceilings none = {0, nullptr, ""};

	b.now.at[0].rate[Q_DCLK] = 2.4e9; // 38 GB/s: 78 % are used
	for (package_facts &p : b.at)
		p.has_own = true;
	b.at[0].own = 70e6;
	b.at[0].own_error = 10e6;
	background_add(&b.now, &b.then);
	diagnose(&list, &b.now, &none);
	ASSERT_LE(2U, list.n);
	background_found(&list, &b.now, &b.then);
	EXPECT_STREQ("background", list.at[0].diagnosis->id);
	EXPECT_STREQ("nothing here is this program's: the machine did the same before it began",
		     list.at[0].sentence);
	EXPECT_STREQ(
		"UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES 30.0 GB/s +- 0.00 B/s before, "
		"30.0 GB/s +- 0.00 B/s during the run; 70.0 MB/s +- 10.0 MB/s of the program's "
		"monitoring group",
		list.at[0].evidence);
	EXPECT_TRUE(list.of_machine);
	bool bandwidth = false;
	for (size_t i = 1; i < list.n; i++) {
		EXPECT_STRNE("other-programs", list.at[i].diagnosis->id);
		EXPECT_EQ(0U, std::string(list.at[i].sentence).find("the machine: "));
		bandwidth |= std::string(list.at[i].diagnosis->id).find("memory-bandwidth") == 0;
	}
	EXPECT_TRUE(bandwidth);
	findings_free(&list);
}

TEST(Background, BothEndsOfTheRunAreJoined)
{
	Before b;
	std::array<package_facts, 2> later = b.earlier;
	facts after = b.then;

	b.then.at[0].before_error = 3e9;
	after.at = later.data();
	later[0].before = 34e9;
	later[0].before_error = 4e9;
	later[0].rate[Q_LLC_READS] = 3e9;
	background_join(&b.then, &after);
	background_add(&b.now, &b.then);
	EXPECT_DOUBLE_EQ(32e9, b.now.at[0].before);
	EXPECT_DOUBLE_EQ(2.5e9 + 2e9, b.now.at[0].before_error);
	EXPECT_DOUBLE_EQ(2e9, b.then.at[0].rate[Q_LLC_READS]);
	EXPECT_DOUBLE_EQ(1e9, b.then.at[0].error[Q_LLC_READS]);
	EXPECT_TRUE(b.now.at[0].and_after);
}

TEST(Background, TheProgramsOwnTrafficIsNotTheMachines)
{
	Before b;

	b.now.at[0].has_own = true;
	b.now.at[0].own = 0.2e9;
	EXPECT_TRUE(b.same());
	b.now.at[0].own = 5e9;
	EXPECT_FALSE(b.same());
	b.now.at[0].own_error = 5e9; // it may be 0
	EXPECT_TRUE(b.same());
}

// ---- the program's own traffic ----

std::string sentence_of_others(const facts &run)
{
	const ceilings none = {0, nullptr, ""};
	findings list = {};
	std::string text;

	diagnose(&list, &run, &none);
	for (size_t i = 0; i < list.n; i++)
		if (std::string("other-programs") == list.at[i].diagnosis->id)
			text = list.at[i].sentence;
	findings_free(&list);
	return text;
}

TEST(ProgramsTraffic, ItsGroupIsUsedInsteadOfTheDifference)
{
	Before b;
	package_facts &run = b.now.at[0];

	background_add(&b.now, &b.then);
	run.before = 10e9;
	EXPECT_EQ(
		"other programs use the memory of package 0: 10.0 GB/s before the run began, which "
		"leaves 20.0 GB/s +- 0.00 B/s for this program",
		sentence_of_others(b.now));
	run.and_after = true;
	EXPECT_EQ("other programs use the memory of package 0: 10.0 GB/s before and after the run, "
		  "which leaves 20.0 GB/s +- 0.00 B/s for this program",
		  sentence_of_others(b.now));
	run.has_own = true;
	run.own = 12e9;
	run.own_error = 1e9;
	EXPECT_EQ("other programs use the memory of package 0: 18.0 GB/s during the run; 12.0 GB/s "
		  "+- 1.00 GB/s is this program's, by the kernel's monitoring groups",
		  sentence_of_others(b.now));
	run.own = 29.5e9;
	EXPECT_EQ("", sentence_of_others(b.now));
}

// Ten seconds; a group counts by the package of the CPU, and 2 % of its bytes and the written ones
// may be another's.
TEST(ProgramsTraffic, BytesOfItsGroupBelongToThePackageOfTheMemory)
{
	Before b;
	share_values bytes = {};

	b.now.end = 10;
	b.now.at[0].rate[Q_WRITE] = 1e9;
	bytes.total[0] = 100e9;
	bytes.local[0] = 80e9; // 20 of package 1
	bytes.total[1] = 50e9;
	bytes.local[1] = 45e9; // 5 of package 0
	program_share(&b.now, &bytes, false);
	EXPECT_TRUE(b.now.at[0].has_own && b.now.at[1].has_own);
	EXPECT_DOUBLE_EQ(8.5e9, b.now.at[0].own);
	EXPECT_DOUBLE_EQ(6.5e9, b.now.at[1].own);
	EXPECT_DOUBLE_EQ(0.02 * 8.5e9 + 1e9, b.now.at[0].own_error);
	EXPECT_DOUBLE_EQ(0.02 * 6.5e9, b.now.at[1].own_error);
	b.now.packages = 1;
	program_share(&b.now, &bytes, false);
	EXPECT_DOUBLE_EQ(10e9, b.now.at[0].own);
}

// ---- confidence ----

// A cause whose quantity is the ratio of two rates, said between two values.
struct Planted {
	const char *id;
	quantity above, below;
	double low, high;
	double rate; // of the quantity below
};

constexpr std::array<Planted, 3> kPlanted = {{
	{"heat", Q_TOO_HOT, Q_PCU, 0.02, 0.08, 8e8},
	{"links", Q_LINK_USED, Q_LINK_SLOTS, 0.55, 0.85, 1e9},
	{"device-misses", Q_DEVICE_MISSES, Q_DEVICE_WRITE, 0.5, 0.8, 4e9},
}};

// Of the planted cause, 0: not said.
double confidence_of(const Planted &cause, double measured, double error, std::mt19937 &random)
{
	Counted r(1, random);
	package_facts &f = r.at[0];
	const ceilings none = {0, nullptr, ""};
	double confidence = 0;
	findings list;

	f.rate[cause.below] = cause.rate;
	f.rate[cause.above] = measured * cause.rate;
	f.deviation[cause.above] = error / 2 * cause.rate;
	f.window[cause.above] = 3;
	diagnose(&list, &r.all, &none);
	for (size_t i = 0; i < list.n; i++)
		if (std::string(list.at[i].diagnosis->id) == cause.id)
			confidence = list.at[i].confidence;
	findings_free(&list);
	return confidence;
}

// An error is twice a standard deviation; the normal distribution has 69.1 % above -0.5 of them,
// 93.3 % above -1.5.
TEST(Confidence, IsTheProbabilityThatTheQuantityIsBeyondItsThreshold)
{
	std::mt19937 random(1);

	for (const Planted &cause : kPlanted) {
		const double half = (cause.low + cause.high) / 2, error = 0.1 * half;

		EXPECT_NEAR(0.691, confidence_of(cause, half + 0.25 * error, error, random), 0.1)
			<< cause.id;
		EXPECT_NEAR(0.933, confidence_of(cause, half + 0.75 * error, error, random), 0.06)
			<< cause.id;
		EXPECT_EQ(1, confidence_of(cause, half * 1.01, 0, random)) << cause.id;
		EXPECT_EQ(0, confidence_of(cause, half * 0.99, 0, random)) << cause.id;
		EXPECT_EQ(0, confidence_of(cause, half - error, error, random)) << cause.id;
	}
}

// Of the sentences with a confidence of 50 to 70, 70 to 90 and 90 to 100 %, as many are right as
// they say: the true quantity, which lies anywhere in the range, is beyond the threshold.
TEST(Confidence, IsCalibrated)
{
	const unsigned runs = support::all_seeds() ? 6000 : 1500;
	std::array<unsigned, 3> said = {}, right = {};
	std::array<double, 3> claimed = {};
	std::mt19937 random(7);

	for (unsigned i = 0; i < runs; i++) {
		const Planted &cause = kPlanted[i % kPlanted.size()];
		const double width = cause.high - cause.low;
		std::uniform_real_distribution<double> any(cause.low, cause.high);
		const double is = any(random);
		const double error =
			std::uniform_real_distribution<double>(0.1, 0.6)(random) * width;
		const double measured = std::normal_distribution<double>(is, error / 2)(random);
		const double confidence = confidence_of(cause, fmax(measured, 0), error, random);
		const size_t bin = confidence < 0.7 ? 0 : confidence < 0.9 ? 1 : 2;

		if (confidence < 0.5)
			continue;
		said[bin]++;
		claimed[bin] += confidence;
		right[bin] += is > (cause.low + cause.high) / 2;
	}
	for (size_t bin = 0; bin < 3; bin++) {
		const double part = right[bin] / (double)said[bin];

		std::cout << said[bin] << " sentences, confidence " << claimed[bin] / said[bin]
			  << ", right " << part << "\n";
		EXPECT_LT(80U, said[bin]);
		EXPECT_NEAR(claimed[bin] / said[bin], part, 3 * std::sqrt(0.25 / said[bin]));
	}
}

// ---- phases ----

unsigned row_of(const char *id)
{
	unsigned i = 0;

	while (std::string(diagnosis(i)->id) != id)
		i++;
	return i;
}

findings list_of(std::vector<finding> &found)
{
	return {found.size(), found.data(), false};
}

TEST(Differences, AreWhatOnlyOneOfTwoListsHas)
{
	const auto is = [](const char *id, unsigned package) {
		return finding{diagnosis(row_of(id)), package, 1, nullptr, nullptr};
	};
	std::vector<finding> whole = {is("memory-latency", 0), is("links", 1),
				      is("other-programs", 0)};
	std::vector<finding> same = {is("links", 1), is("memory-latency", 0)};
	std::vector<finding> moved = {is("links", 0), is("memory-latency", 0)},
			     quiet = {is("none", 0)};
	const findings run = list_of(whole);
	const auto differences = [&run](std::vector<finding> &phase) {
		const findings list = list_of(phase);
		char *text = differences_of(&run, &list);
		const std::string is_different = text;
		free(text);
		return is_different;
	};

	EXPECT_EQ("", differences(whole));
	EXPECT_EQ("", differences(same));
	EXPECT_EQ("+links/0 -links/1 ", differences(moved));
	EXPECT_EQ("+none/0 -memory-latency/0 -links/1 ", differences(quiet));
}

// Only of a stack that moves more than half of the bytes, and whose devices are known.
TEST(Diagnoses, NameTheDevicesThatMoveTheBytes)
{
	struct Case {
		double first, second;
		const char *devices;
		bool named;
	};
	std::mt19937 random(23);

	for (const Case &c : {Case{1e9, 9e9, "eth2, nvme0", true}, Case{5e9, 5e9, "eth2", false},
			      Case{1e9, 9e9, nullptr, false}}) {
		std::vector<box_fact> stacks = {{0, c.first, 0, "eth0", 0, nullptr},
						{2, c.second, 0, c.devices, 0, nullptr}};
		Counted run(2, random);
		std::string text;

		kCauses.at("devices")(run);
		run.at[1].stacks = {stacks.size(), stacks.data(), "iio"};
		for (const std::string &line : run.texts())
			text += line + "\n";
		EXPECT_EQ(c.named,
			  text.find("most of it by eth2, nvme0 (stack iio2)") != std::string::npos)
			<< text;
		EXPECT_EQ(c.named,
			  text.find("EVENT + EVENT:box=2:pkg=1 9.00 GB/s") != std::string::npos)
			<< text;
		EXPECT_EQ(c.named, text.find("most of it") != std::string::npos) << text;
	}
}

// A port that moves more than half of the bytes, or else the stack whose ports do together.
TEST(Diagnoses, NameThePortThatMovesTheBytes)
{
	std::mt19937 random(29);

	for (const bool one : {true, false}) {
		std::vector<box_fact> ports = {{0, 1e9, 0, "eth0", 0, nullptr},
					       {2, one ? 1e9 : 4e9, 0, "eth2", 1, nullptr},
					       {2, one ? 9e9 : 4e9, 0, "nvme0", 3, nullptr}};
		Counted run(2, random);
		std::string text;

		kCauses.at("devices")(run);
		run.at[1].stacks = {ports.size(), ports.data(), "iio"};
		for (const std::string &line : run.texts())
			text += line + "\n";
		EXPECT_NE(std::string::npos,
			  text.find(one ? "most of it by nvme0 (stack iio2, part 2)"
					: "most of it by eth2, nvme0 (stack iio2)"))
			<< text;
		EXPECT_NE(std::string::npos,
			  text.find(one ? "EVENT + EVENT:part=2:box=2:pkg=1 9.00 GB/s"
					: "EVENT + EVENT:box=2:pkg=1 8.00 GB/s"))
			<< text;
	}
}

// The channels of the idle node are not empty, and those of the full one are equal.
TEST(Diagnoses, ClustersAreComparedWithTheirNeighbours)
{
	std::mt19937 random(43);

	for (int i = 0; i < 200; i++) {
		Counted run(2, random);

		run.set_nodes(1, run.between(0.7, 0.95), run.between(0, 0.02));
		EXPECT_EQ((std::set<std::string>{"full-cluster/1"}), run.found());
		run.set_nodes(1, 0.4, 0.01); // not full
		EXPECT_EQ(0u, run.found().count("full-cluster/1"));
		run.set_nodes(1, 0.8, 0.4); // neighbours are not idle
		EXPECT_EQ(0u, run.found().count("full-cluster/1"));
		run.set_nodes(1, 0.4, 0.4);
		run.channels[1][2].rate = 0; // of node 3
		EXPECT_EQ(1u, run.found().count("empty-channel/1"));
	}
	Counted run(2, random);
	run.set_nodes(1, 0.8, 0.1);
	const std::vector<std::string> texts = run.texts();
	ASSERT_EQ(1u, texts.size());
	EXPECT_EQ(
		"the memory of NUMA node 3 is full while its neighbours are idle: 80 % of its "
		"bandwidth is in use, and 10 % of that of the other nodes of package 1; "
		"UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:node=3 81.9 GB/s of 102 GB/s, its "
		"share of the package's (theoretical peak)",
		texts[0]);
}

TEST(Diagnoses, EachRowHasAPage)
{
	unsigned rows = 0;

	for (; const struct diagnosis *row = diagnosis(rows); rows++) {
		EXPECT_STRNE("", row->advice) << row->id;
		EXPECT_TRUE(!row->judge || kCauses.count(row->id)) << row->id << " is not planted";
	}
	EXPECT_GE(rows, 16u);
}

} // namespace
