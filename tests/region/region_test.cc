// SPDX-License-Identifier: BSD-3-Clause
// region_test.cc - named regions: counts while threads are inside, in which time, with
// threads, nesting, stops and resets in between.
#include <atomic>
#include <csignal>
#include <thread>

#include <sys/time.h>

#include <nlohmann/json.hpp>

#include "support/child.h"
#include "support/multiplexed.h"
#include "support/sim_machine.h"
#include "support/tree.h"

namespace
{

using support::expect_near;
using support::in_child;
using support::kMillisecond;
using support::kSecond;
using support::Multiplexed;
using support::NativeMachine;
using support::Set;
using support::SimMachine;
using support::Tree;
using support::Truth;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD:box=0:pkg=0";
constexpr Truth kReadsOfBox = {"imc", support::kEnable | 0x0304};

// The results of a walk.
struct Region {
	struct uncore_region_info info;
	std::vector<int64_t> values;
};

class Regions : public testing::Test
{
      protected:
	Regions() : machine("packages=1,cores=2"), set(machine, {kReads})
	{
		EXPECT_EQ(0, set.start());
	}

	static unsigned number(const Set &set, const std::string &name)
	{
		unsigned id = UINT32_MAX;

		EXPECT_EQ(0, uncore_region(set.set, name.c_str(), &id)) << set.handle.message();
		return id;
	}
	unsigned number(const std::string &name) const
	{
		return number(set, name);
	}
	static Region read(const Set &set, unsigned id, size_t n_values = 1)
	{
		Region region = {support::sized<struct uncore_region_info>(),
				 std::vector<int64_t>(n_values, -1)};

		EXPECT_EQ(1, uncore_region_info(set.set, id, &region.info, region.values.data()));
		return region;
	}
	Region read(unsigned id) const
	{
		return read(set, id);
	}
	int begin(unsigned id) const
	{
		return uncore_region_begin(set.set, id);
	}
	int end(unsigned id) const
	{
		return uncore_region_end(set.set, id);
	}
	// The model's own arithmetic.
	int64_t reads(uint64_t ns)
	{
		return static_cast<int64_t>(machine.rate(kReadsOfBox, 0) * static_cast<double>(ns) /
					    1e9);
	}
	void expect_counted(const Region &region, uint64_t ns)
	{
		expect_near(reads(ns), region.values[0]);
		// each read of a stopped clock counts as a nanosecond
		EXPECT_NEAR(static_cast<double>(ns), static_cast<double>(region.info.ns), 1000);
	}

	SimMachine machine;
	Set set;
};

TEST_F(Regions, CountWhatHappensInside)
{
	const unsigned id = number("solve");

	machine.advance(kSecond);
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(0, begin(id));
		machine.advance(100 * kMillisecond);
		EXPECT_EQ(0, end(id));
		machine.advance(kSecond);
	}
	const Region region = read(id);
	EXPECT_STREQ("solve", region.info.name);
	EXPECT_EQ(3u, region.info.calls);
	EXPECT_EQ(0u, region.info.lost);
	EXPECT_EQ(0u, region.info.inside);
	expect_counted(region, 300 * kMillisecond);
}

TEST_F(Regions, HaveOneNumberForOneName)
{
	const unsigned a = number("a"), b = number("b");
	auto info = support::sized<struct uncore_region_info>();

	EXPECT_EQ(0u, a);
	EXPECT_EQ(1u, b);
	EXPECT_EQ(a, number("a"));
	EXPECT_EQ(1, uncore_region_info(set.set, 1, &info, nullptr));
	EXPECT_STREQ("b", info.name);
	EXPECT_EQ(0, uncore_region_info(set.set, 2, &info, nullptr));
}

TEST_F(Regions, CountOnceForAllThreadsInside)
{
	const unsigned id = number("parallel");

	// enters and leaves in another order than threads that nest
	EXPECT_EQ(0, begin(id));
	machine.advance(100 * kMillisecond);
	std::thread([&] { EXPECT_EQ(0, begin(id)); }).join();
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(1u, read(id).info.inside);
	EXPECT_EQ(0, read(id).values[0]) << "the current interval is not counted yet";
	machine.advance(100 * kMillisecond);
	std::thread([&] { EXPECT_EQ(0, end(id)); }).join();
	machine.advance(kSecond);
	EXPECT_EQ(2u, read(id).info.calls);
	expect_counted(read(id), 300 * kMillisecond);
}

TEST_F(Regions, CountInEachThatIsOpen)
{
	const unsigned outer = number("outer"), inner = number("inner"), late = number("late");

	EXPECT_EQ(0, begin(outer));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, begin(inner));
	machine.advance(200 * kMillisecond);
	EXPECT_EQ(0, begin(late)); // ends behind the one that it began in
	EXPECT_EQ(0, end(inner));
	machine.advance(400 * kMillisecond);
	EXPECT_EQ(0, end(outer));
	machine.advance(800 * kMillisecond);
	EXPECT_EQ(0, end(late));
	expect_counted(read(outer), 700 * kMillisecond);
	expect_counted(read(inner), 200 * kMillisecond);
	expect_counted(read(late), 1200 * kMillisecond);
}

TEST_F(Regions, CountARecursionOnce)
{
	const unsigned id = number("recursive");

	for (int i = 0; i < 4; i++) {
		EXPECT_EQ(0, begin(id));
		machine.advance(50 * kMillisecond);
	}
	for (int i = 0; i < 4; i++)
		EXPECT_EQ(0, end(id));
	EXPECT_EQ(4u, read(id).info.calls);
	expect_counted(read(id), 200 * kMillisecond);
}

TEST_F(Regions, AnEndWithoutABeginChangesNothing)
{
	const unsigned id = number("region");

	EXPECT_EQ(UNCORE_ESTATE, end(id));
	EXPECT_EQ(0, begin(id));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(UNCORE_ESTATE, end(id));
	EXPECT_EQ(1u, read(id).info.calls);
	expect_counted(read(id), 100 * kMillisecond);
}

TEST_F(Regions, MoreThreadsThanCanBeInsideAreRefused)
{
	const unsigned id = number("region");

	for (unsigned i = 0; i < 65535; i++)
		ASSERT_EQ(0, begin(id));
	EXPECT_EQ(UNCORE_ESTATE, begin(id));
	machine.advance(100 * kMillisecond);
	for (unsigned i = 0; i < 65535; i++)
		ASSERT_EQ(0, end(id));
	EXPECT_EQ(UNCORE_ESTATE, end(id));
	EXPECT_EQ(65535u, read(id).info.calls);
	expect_counted(read(id), 100 * kMillisecond);
}

TEST_F(Regions, AStopEndsTheCountOfThreadsInside)
{
	const unsigned id = number("region");

	EXPECT_EQ(0, begin(id));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, set.stop());
	machine.advance(kSecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(0u, read(id).info.lost);
	expect_counted(read(id), 100 * kMillisecond);
}

TEST_F(Regions, TimeInWhichTheSetWasStartedAgainIsLost)
{
	const unsigned id = number("region");

	EXPECT_EQ(0, begin(id));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, set.start());
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(1u, read(id).info.lost);
	EXPECT_EQ(0, read(id).info.ns);
	EXPECT_EQ(0, read(id).values[0]);
	EXPECT_EQ(0, begin(id)); // and the next one is whole
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(1u, read(id).info.lost);
	expect_counted(read(id), 100 * kMillisecond);
}

TEST_F(Regions, OneThatBeginsWhileNothingCountsHasToEndAndIsLost)
{
	const unsigned id = number("region");

	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(UNCORE_ESTATE, begin(id));
	EXPECT_EQ(1u, read(id).info.inside);
	EXPECT_EQ(0, set.start());
	machine.advance(kSecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(1u, read(id).info.lost);
	EXPECT_EQ(0, read(id).values[0]);
}

TEST_F(Regions, AResetOfTheSetChangesNothingInThem)
{
	const unsigned id = number("region");

	EXPECT_EQ(0, begin(id));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, uncore_set_reset(set.set));
	machine.advance(100 * kMillisecond);
	EXPECT_EQ(0, end(id));
	expect_counted(read(id), 200 * kMillisecond);
}

TEST_F(Regions, CountFromZeroAfterTheirReset)
{
	const unsigned id = number("region"), other = number("other");

	for (unsigned region : {id, other}) {
		EXPECT_EQ(0, begin(region));
		machine.advance(100 * kMillisecond);
		EXPECT_EQ(0, end(region));
	}
	EXPECT_EQ(0, uncore_region_reset(set.set, id));
	EXPECT_EQ(0u, read(id).info.calls);
	EXPECT_EQ(0, read(id).info.ns);
	EXPECT_EQ(0, read(id).values[0]);
	EXPECT_EQ(0, begin(id));
	machine.advance(300 * kMillisecond);
	EXPECT_EQ(0, end(id));
	EXPECT_EQ(1u, read(id).info.calls);
	expect_counted(read(id), 300 * kMillisecond);
	expect_counted(read(other), 100 * kMillisecond);
	EXPECT_EQ(UNCORE_EINVAL, uncore_region_reset(set.set, 2));
}

TEST_F(Regions, NamesThatCannotBeAreRefused)
{
	const std::string longest(UNCORE_REGION_NAME_MAX, 'x');
	unsigned id;

	for (const std::string &name : {std::string(), longest + "x", std::string("a\nb"),
					std::string("a\x7f"), std::string("\xc3\xa4")}) {
		EXPECT_EQ(UNCORE_EINVAL, uncore_region(set.set, name.c_str(), &id)) << name;
		EXPECT_NE(std::string::npos, machine.message().find("name")) << machine.message();
	}
	EXPECT_EQ(0, uncore_region(set.set, longest.c_str(), &id));
	EXPECT_EQ(0u, id);
	EXPECT_EQ(UNCORE_EINVAL, begin(1));
	EXPECT_EQ(UNCORE_EINVAL, end(UINT32_MAX));
}

TEST_F(Regions, OfASetWithoutEventsAreRefused)
{
	Set empty(machine);
	auto info = support::sized<struct uncore_region_info>();
	unsigned id;

	EXPECT_EQ(UNCORE_ESTATE, uncore_region(empty.set, "a", &id));
	EXPECT_EQ(UNCORE_EINVAL, uncore_region_begin(empty.set, 0));
	EXPECT_EQ(0, uncore_region_info(empty.set, 0, &info, nullptr));
}

TEST_F(Regions, KeepTheEventsOfTheirSet)
{
	number("region");
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(UNCORE_ESTATE, set.assign({"UNC_C_CLOCKTICKS"}));
	EXPECT_NE(std::string::npos, machine.message().find("regions"));
	EXPECT_EQ(0, set.assign({kReads}));
}

TEST_F(Regions, HaveAnEnd)
{
	unsigned id;

	for (unsigned i = 0; i < UNCORE_REGIONS_MAX; i++)
		ASSERT_EQ(i, number("region " + std::to_string(i)));
	EXPECT_EQ(UNCORE_ENOMEM, uncore_region(set.set, "one more", &id));
	EXPECT_EQ(5u, number("region 5"));
}

TEST_F(Regions, HaveMeansOfTheirOwn)
{
	Set metrics(machine, {"UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNCORE_MEM_READ_BYTES"});
	const unsigned id = number(metrics, "region"), never = number(metrics, "never");

	ASSERT_EQ(0, metrics.start()) << machine.message();
	machine.advance(kSecond);
	const auto whole = metrics.counts();
	EXPECT_EQ(0, uncore_region_begin(metrics.set, id));
	machine.advance(250 * kMillisecond);
	EXPECT_EQ(0, uncore_region_end(metrics.set, id));
	const Region region = read(metrics, id, 2);
	EXPECT_NEAR(uncore_real(whole[0]), uncore_real(region.values[0]), 0.01);
	EXPECT_NEAR(static_cast<double>(whole[1]) / 4, static_cast<double>(region.values[1]), 2000);
	EXPECT_TRUE(std::isnan(uncore_real(read(metrics, never, 2).values[0])));
}

TEST_F(Regions, OfMultiplexedEventsGrow)
{
	Multiplexed turns(machine, {"UNC_C_LLC_LOOKUP:DATA_READ:STATE_I",
				    "UNC_C_LLC_LOOKUP:DATA_READ:STATE_MESIF"});
	const unsigned id = number(turns, "region");

	EXPECT_EQ(0, set.stop());
	ASSERT_EQ(0, turns.start()) << machine.message();
	EXPECT_EQ(2u, turns.rounds());
	turns.windows(10, 10 * kMillisecond);
	const auto before = turns.counts();
	EXPECT_EQ(0, uncore_region_begin(turns.set, id));
	turns.windows(100, 10 * kMillisecond);
	EXPECT_EQ(0, uncore_region_end(turns.set, id));
	const auto after = turns.counts();
	const Region region = read(turns, id, 2);
	for (size_t i = 0; i < 2; i++)
		EXPECT_NEAR(static_cast<double>(after[i] - before[i]),
			    static_cast<double>(region.values[i]), 100);
	EXPECT_GT(region.values[1], 0);
}

// ---- threads ----

class ThreadedRegions : public testing::Test
{
      protected:
	ThreadedRegions() : machine(support::sim_options("sim:snbep:packages=1,cores=2"))
	{
	}
	support::Handle machine;
};

// The model counts 800 cycles per microsecond; the clock of a channel can tell the time.
constexpr char kClock[] = "UNC_M_CLOCKTICKS:box=0:pkg=0";

TEST_F(ThreadedRegions, NeverCountAnythingTwice)
{
	constexpr unsigned kThreads = 4, kCalls = 3000;
	Set set(machine, {kClock});
	unsigned id;
	std::atomic<int> failures{0};
	std::vector<std::thread> threads;

	ASSERT_EQ(0, uncore_region(set.set, "region", &id));
	ASSERT_EQ(0, set.start());
	const int64_t before = set.count();
	for (unsigned t = 0; t < kThreads; t++)
		threads.emplace_back([&] {
			for (unsigned i = 0; i < kCalls; i++) {
				failures += uncore_region_begin(set.set, id) != 0;
				failures += uncore_region_end(set.set, id) != 0;
			}
		});
	// who looks meanwhile sees neither less than before nor more than there is
	int64_t seen = 0;
	for (int i = 0; i < 2000; i++) {
		auto info = support::sized<struct uncore_region_info>();
		int64_t value = -1;

		EXPECT_EQ(1, uncore_region_info(set.set, id, &info, &value));
		EXPECT_LE(seen, value);
		EXPECT_LE(value, set.count() - before);
		// cycles and time were read one after the other
		EXPECT_LE(info.inside, kThreads);
		seen = value;
	}
	for (std::thread &thread : threads)
		thread.join();
	const int64_t all = set.count() - before;
	auto info = support::sized<struct uncore_region_info>();
	int64_t value = -1;

	EXPECT_EQ(0, failures);
	EXPECT_EQ(1, uncore_region_info(set.set, id, &info, &value));
	EXPECT_EQ(kThreads * kCalls, info.calls);
	EXPECT_EQ(0u, info.lost);
	EXPECT_EQ(0u, info.inside);
	EXPECT_GT(value, 0);
	EXPECT_LE(value, all);
}

TEST_F(ThreadedRegions, AreNamedByAllThreadsAtOnce)
{
	Set set(machine, {kClock});
	std::vector<std::thread> threads;
	std::atomic<int> failures{0};
	std::vector<std::vector<unsigned>> ids(4, std::vector<unsigned>(100));

	for (auto &of_thread : ids)
		threads.emplace_back([&set, &failures, &of_thread] {
			for (unsigned i = 0; i < 100; i++)
				failures += uncore_region(set.set, std::to_string(i).c_str(),
							  &of_thread[i]) != 0;
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ(0, failures);
	for (const auto &of_thread : ids)
		EXPECT_EQ(ids[0], of_thread);
}

TEST_F(ThreadedRegions, ASetMayBeStoppedAndStartedMeanwhile)
{
	Set set(machine, {kClock});
	std::atomic<bool> done{false};
	std::atomic<uint64_t> calls{0};
	unsigned id;

	ASSERT_EQ(0, uncore_region(set.set, "region", &id));
	std::thread worker([&] {
		for (; !done; calls++) {
			uncore_region_begin(set.set, id);
			EXPECT_EQ(0, uncore_region_end(set.set, id));
		}
	});
	int64_t counted = 0;
	for (int i = 0; i < 50; i++) {
		EXPECT_EQ(0, set.start());
		EXPECT_EQ(0, set.stop());
		counted += set.count();
	}
	done = true;
	worker.join();
	auto info = support::sized<struct uncore_region_info>();
	int64_t value = -1;

	EXPECT_EQ(1, uncore_region_info(set.set, id, &info, &value));
	EXPECT_EQ(calls, info.calls);
	EXPECT_LE(info.lost, info.calls);
	EXPECT_LE(value, counted);
	EXPECT_GE(value, 0);
}

struct {
	struct uncore_set *set;
	unsigned id;
	volatile sig_atomic_t calls;
} handled;

void use_region(int)
{
	uncore_region_begin(handled.set, handled.id);
	uncore_region_end(handled.set, handled.id);
	handled.calls = handled.calls + 1;
}

TEST_F(ThreadedRegions, MayBeUsedInSignalHandlers)
{
	Set set(machine, {kClock});
	const itimerval often = {{0, 200}, {0, 200}}, never = {};

	handled = {set.set, 0, 0};
	ASSERT_EQ(0, uncore_region(set.set, "region", &handled.id));
	ASSERT_EQ(0, set.start());
	signal(SIGALRM, use_region);
	setitimer(ITIMER_REAL, &often, nullptr);
	unsigned calls = 0;
	for (; handled.calls < 100; calls++) {
		ASSERT_EQ(0, uncore_region_begin(set.set, handled.id));
		ASSERT_EQ(0, uncore_region_end(set.set, handled.id));
	}
	setitimer(ITIMER_REAL, &never, nullptr);
	signal(SIGALRM, SIG_DFL);
	auto info = support::sized<struct uncore_region_info>();
	int64_t value = -1;

	EXPECT_EQ(1, uncore_region_info(set.set, handled.id, &info, &value));
	EXPECT_EQ(calls + static_cast<unsigned>(handled.calls), info.calls);
	EXPECT_EQ(0u, info.inside);
	EXPECT_EQ(0u, info.lost);
	EXPECT_LE(value, set.count());
}

// ---- failures, children ----

TEST(BrokenRegions, FailedReadsAreLost)
{
	Tree tree;
	tree.one_package();
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	auto info = support::sized<struct uncore_region_info>();
	const std::string file = Tree::config_name(0x7f, 16, 0);
	int64_t value = -1;
	unsigned id;

	ASSERT_EQ(0, uncore_region(set.set, "region", &id));
	ASSERT_EQ(0, set.start()) << machine.message();
	EXPECT_EQ(0, uncore_region_begin(set.set, id));
	tree.put(file, 0xb8, 4711, 8);
	EXPECT_EQ(0, uncore_region_end(set.set, id));
	EXPECT_EQ(0, uncore_region_begin(set.set, id));
	tree.put(file, 0xb8, UINT64_MAX, 8); // as a device that has gone
	EXPECT_EQ(UNCORE_EIO, uncore_region_end(set.set, id));
	EXPECT_EQ(UNCORE_EIO, uncore_region_begin(set.set, id));
	EXPECT_EQ(0, uncore_region_begin(set.set, id)); // who is not the first one reads nothing
	tree.put(file, 0xb8, 5000, 8);
	EXPECT_EQ(0, uncore_region_end(set.set, id));
	EXPECT_EQ(0, uncore_region_end(set.set, id));
	EXPECT_EQ(1, uncore_region_info(set.set, id, &info, &value));
	EXPECT_EQ(4u, info.calls);
	EXPECT_EQ(2u, info.lost);
	EXPECT_EQ(0u, info.inside);
	EXPECT_EQ(4711, value);
	tree.put(file, 0xb8, 0, 8);
	set.stop();
}

TEST(ChildrensRegions, CountNothing)
{
	SimMachine machine("packages=1,cores=2");
	Set set(machine, {kReads});
	unsigned id;

	ASSERT_EQ(0, uncore_region(set.set, "region", &id));
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, uncore_region_begin(set.set, id));
	EXPECT_EQ(0, in_child([&] {
			  auto info = support::sized<struct uncore_region_info>();
			  unsigned other;

			  if (uncore_region_end(set.set, id) != UNCORE_EFORK)
				  return 1;
			  if (uncore_region_begin(set.set, id) != UNCORE_EFORK)
				  return 2;
			  if (uncore_region(set.set, "another", &other) != UNCORE_EFORK)
				  return 3;
			  if (uncore_region_info(set.set, id, &info, nullptr) != 1 ||
			      info.inside != 1)
				  return 4;
			  return 0;
		  }));
	EXPECT_EQ(0, uncore_region_end(set.set, id));
}

// ---- text ----

std::string text_of(const Set &set, uncore_regions_format format)
{
	const int length = uncore_regions_text(set.set, format, nullptr, 0);
	std::string text(static_cast<size_t>(length) + 1, 'x');

	EXPECT_EQ(length, uncore_regions_text(set.set, format, &text[0], text.size()));
	EXPECT_EQ('\0', text.back());
	text.pop_back();
	return text;
}

class RegionsText : public Regions
{
      protected:
	RegionsText() : all(machine, {kReads, "UNCORE_TOR_DRD_LATENCY_CLOCKS"})
	{
		EXPECT_EQ(0, set.stop());
		EXPECT_EQ(0, all.start());
		const unsigned id = number(all, "say \"\\%d\""), open = number(all, "open");

		for (int i = 0; i < 2; i++) {
			EXPECT_EQ(0, uncore_region_begin(all.set, id));
			machine.advance(250 * kMillisecond);
			EXPECT_EQ(0, uncore_region_end(all.set, id));
		}
		EXPECT_EQ(0, uncore_region_begin(all.set, open));
		region = read(all, id, 2);
	}
	Set all;
	Region region;
};

TEST_F(RegionsText, IsATable)
{
	const std::string text = text_of(all, UNCORE_REGIONS_TABLE);

	EXPECT_EQ(0u, text.find("SIMULATED Intel Xeon")) << text;
	EXPECT_NE(text.npos, text.find("region say \"\\%d\": 2 calls, 0.500000 s\n")) << text;
	EXPECT_NE(text.npos, text.find("region open: 1 call, 0.000000 s; 1 not ended")) << text;
	EXPECT_NE(text.npos, text.find(" " + std::to_string(region.values[0]) + " ")) << text;
	EXPECT_NE(text.npos, text.find(" " + std::to_string(2 * region.values[0]) + " ")) << text;
	// a mean, which the region that has not ended does not have
	char mean[32];
	snprintf(mean, sizeof(mean), " %.6g ", uncore_real(region.values[1]));
	EXPECT_NE(text.npos, text.find(mean, text.find("region say"))) << text;
	EXPECT_NE(text.npos, text.find(" - ", text.find("region open"))) << text;
}

// As in `uncore stat`: no clock has the sum of the frequencies of all boxes, and one box of each
// package is not one box.  Two packages of four slices.
TEST(RegionsRates, OfCyclesAreTheMeanOfTheBoxesAndNameThePackages)
{
	SimMachine machine("packages=2,cores=4");
	Set clocks(machine, {"UNC_C_CLOCKTICKS", "UNC_C_CLOCKTICKS:box=1"});
	unsigned id = 0;
	int64_t counts[2];

	EXPECT_EQ(0, clocks.start());
	EXPECT_EQ(0, uncore_region(clocks.set, "clocks", &id));
	EXPECT_EQ(0, uncore_region_begin(clocks.set, id));
	machine.advance(250 * kMillisecond);
	EXPECT_EQ(0, uncore_region_end(clocks.set, id));
	auto info = support::sized<struct uncore_region_info>();
	EXPECT_EQ(1, uncore_region_info(clocks.set, id, &info, counts));
	const std::string table = text_of(clocks, UNCORE_REGIONS_TABLE);
	const auto json = nlohmann::json::parse(text_of(clocks, UNCORE_REGIONS_JSON));
	const double boxes[] = {8, 2}, seconds = static_cast<double>(info.ns) * 1e-9;

	for (size_t i = 0; i < 2; i++)
		EXPECT_NEAR(static_cast<double>(counts[i]) / boxes[i] / seconds,
			    json.at("counts").at(i).at("per_second").get<double>(), 1);
	EXPECT_NE(table.npos, table.find(" UNC_C_CLOCKTICKS\n")) << table;
	EXPECT_NE(table.npos, table.find(" UNC_C_CLOCKTICKS:box=1 of 2 packages\n")) << table;
}

TEST_F(RegionsText, IsJson)
{
	const std::string text = text_of(all, UNCORE_REGIONS_JSON);
	const size_t line = text.find('\n') + 1;
	const auto first = nlohmann::json::parse(text.substr(0, line));
	const auto second = nlohmann::json::parse(text.substr(line));

	EXPECT_EQ("say \"\\%d\"", first.at("region"));
	EXPECT_EQ(true, first.at("simulated"));
	EXPECT_EQ(2, first.at("calls"));
	EXPECT_EQ(0, first.at("lost"));
	EXPECT_NEAR(0.5, first.at("seconds").get<double>(), 1e-6);
	const auto &reads = first.at("counts").at(0), &mean = first.at("counts").at(1);
	EXPECT_EQ(machine.canonical(kReads), reads.at("event"));
	EXPECT_EQ("lines", reads.at("units"));
	EXPECT_EQ(region.values[0], reads.at("count"));
	EXPECT_NEAR(static_cast<double>(region.values[0]) * 2, reads.at("per_second").get<double>(),
		    1e-4 * 2 * region.values[0]);
	EXPECT_EQ(uncore_real(region.values[1]), mean.at("count").get<double>());
	EXPECT_FALSE(mean.contains("per_second"));
	EXPECT_EQ(1, second.at("inside"));
	EXPECT_TRUE(second.at("counts").at(1).at("count").is_null());
}

TEST_F(RegionsText, IsCutWhereTheRoomEnds)
{
	const std::string text = text_of(all, UNCORE_REGIONS_TABLE);
	char few[8] = "xxxxxxx";

	EXPECT_EQ(static_cast<int>(text.size()),
		  uncore_regions_text(all.set, UNCORE_REGIONS_TABLE, few, 5));
	EXPECT_STREQ(text.substr(0, 4).c_str(), few);
	EXPECT_EQ('x', few[5]);
	EXPECT_EQ(UNCORE_EINVAL,
		  uncore_regions_text(all.set, static_cast<uncore_regions_format>(2), few, 5));
}

} // namespace
