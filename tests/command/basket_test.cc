// SPDX-License-Identifier: BSD-3-Clause
// basket_test.cc - which events count together, in which windows, and what becomes of those that
// cannot be counted.
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/basket.h"
}
#include "set/inside.h"
#include "support/interposer.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::Interposer;
using support::sim_options;
using support::SimMachine;

constexpr unsigned kWindow = 10000; // microseconds

struct Basket : basket {
	Handle &handle;

	Basket(Handle &h, size_t units, unsigned window_us = kWindow) : basket{}, handle(h)
	{
		basket_new(this, h.u, units, window_us);
	}
	~Basket()
	{
		basket_free(this);
	}
	Basket(const Basket &) = delete;

	size_t part(size_t unit, const std::vector<std::string> &names, unsigned window = 0)
	{
		const size_t p = basket_add_part(this, unit);

		for (unsigned id : handle.events(names))
			basket_add_event(this, p, id, window);
		return p;
	}
	std::vector<unsigned> windows() const
	{
		std::vector<unsigned> list;

		for (size_t i = 0; i < n_events; i++)
			list.push_back(events[i].window);
		return list;
	}
};

// A set of another user of the library, with four counters of a channel.
struct Taker {
	uncore_set *set = nullptr;

	explicit Taker(Handle &handle)
	{
		const auto ids = handle.events(
			{"UNC_M_CAS_COUNT:RD:box=0:pkg=0", "UNC_M_CAS_COUNT:WR:box=0:pkg=0",
			 "UNC_M_ACT_COUNT:box=0:pkg=0", "UNC_M_CAS_COUNT:ALL:box=0:pkg=0"});

		EXPECT_EQ(uncore_set_create(handle.u, &set), 0);
		EXPECT_EQ(uncore_set_assign(set, ids.data(), ids.size()), 0) << handle.message();
		EXPECT_EQ(uncore_set_start(set), 0) << handle.message();
	}
	~Taker()
	{
		uncore_set_destroy(set);
	}
};

TEST(Basket, FindsEventsThatFit)
{
	SimMachine machine("packages=2");
	unsigned id = 0;

	EXPECT_EQ(event_that_fits(machine.u, &id, "%s:pkg=%u", "UNCORE_MEM_READ_BYTES", 1), 0);
	EXPECT_STREQ(uncore_event_name(machine.u, id), "UNCORE_MEM_READ_BYTES:pkg=1");
	// reads with a state and reads with any state: a slice has one filter
	EXPECT_EQ(event_that_fits(machine.u, &id, "UNCORE_LLC_MISS_RATIO"), UNCORE_ECONFLICT);
	for (const char *name : {"UNCORE_MEM_READ_BYTES:pkg=2", "UNCORE_MEM_REED_BYTES",
				 "UNCORE_MCDRAM_READ_BYTES", "UNCORE_LLC_MISS_RATIO"})
		EXPECT_TRUE(is_not_here(event_that_fits(machine.u, &id, "%s", name))) << name;
	EXPECT_FALSE(is_not_here(event_that_fits(machine.u, &id, "UNC_C_CLOCKTICKS:nonsense=1")));
}

TEST(Basket, CountsWhatASetCounts)
{
	SimMachine machine;
	Basket b(machine, 1);
	const auto ids = machine.events({"UNC_M_CAS_COUNT:RD:pkg=0"});
	uncore_set *set;
	int64_t expected;

	b.part(0, {"UNC_C_CLOCKTICKS:pkg=0", "UNC_M_CAS_COUNT:RD:pkg=0"});
	basket_start(&b, 0);
	ASSERT_EQ(uncore_set_create(machine.u, &set), 0);
	ASSERT_EQ(uncore_set_assign(set, ids.data(), 1), 0);
	ASSERT_EQ(uncore_set_start(set), 0) << machine.message();
	machine.advance();
	basket_set &counted = b.units[0].sets[1];
	ASSERT_EQ(basket_read(&counted), 0);
	ASSERT_EQ(uncore_set_read(set, &expected), 0);
	ASSERT_EQ(counted.n, 2u);
	EXPECT_EQ(counted.events[1], 1u);
	EXPECT_EQ(counted.values[1], expected);
	EXPECT_GT(expected, 0);
	EXPECT_EQ(counted.ns, int64_t{support::kSecond});
	EXPECT_FALSE(counted.multiplexed);
	uncore_set_destroy(set);
}

// A refused part is left out as a whole with its reason; the rest counts, in other packages too.
TEST(Basket, LeavesOutThePartThatIsRefused)
{
	SimMachine machine("packages=2");
	Basket b(machine, 2);
	const size_t taken = b.part(0, {"UNC_M_PRE_COUNT:PAGE_MISS:box=0:pkg=0",
					"UNC_M_PRE_COUNT:PAGE_MISS:box=1:pkg=0"}),
		     cache = b.part(0, {"UNC_C_CLOCKTICKS:pkg=0"}),
		     other = b.part(1, {"UNC_M_PRE_COUNT:PAGE_MISS:pkg=1"});
	{
		Taker taker(machine);

		basket_start(&b, 0);
		basket_start(&b, 1);
		EXPECT_FALSE(b.parts[taken].up);
		EXPECT_LT(b.parts[taken].code, 0);
		EXPECT_NE(std::string(b.parts[taken].reason), "");
		EXPECT_TRUE(b.parts[cache].up);
		EXPECT_TRUE(b.parts[other].up);
		EXPECT_EQ(b.units[0].sets[1].n, 1u);
		EXPECT_EQ(basket_try(&b, taken), b.parts[taken].code);
	}
	EXPECT_EQ(basket_try(&b, taken), 0) << machine.message();
	basket_end(&b.units[0]);
	basket_start(&b, 0);
	EXPECT_TRUE(b.parts[taken].up);
	EXPECT_EQ(b.parts[taken].reason, nullptr);
	EXPECT_EQ(b.units[0].sets[1].n, 3u);
}

// The most events that a set takes, of two parts that can be counted alone but not together.
TEST(Basket, LetsTheLargestPartGo)
{
	Handle handle(sim_options("sim:gnr:packages=2,cores=128"));
	Basket b(handle, 1);
	const size_t large = b.part(0, {}), small = b.part(0, {"UNCORE_MEM_READ_BYTES:pkg=0"});
	unsigned id;

	for (const char *name : {"UNC_CHA_CLOCKTICKS:box=*", "gnr_unc_cha::RAW:config=0x135:box=*"})
		for (unsigned i = 0; uncore_event_part(handle.u, name, i, &id) == 1; i++)
			basket_add_event(&b, large, id, 0);
	EXPECT_EQ(basket_try(&b, large), 0) << handle.message();
	basket_start(&b, 0);
	EXPECT_TRUE(b.parts[small].up) << b.parts[small].reason;
	EXPECT_EQ(b.parts[large].code, UNCORE_EINVAL);
}

TEST(Basket, GivesRegistersBack)
{
	SimMachine machine;
	const auto before = machine.registers();
	Basket b(machine, 1);
	const size_t part = b.part(0, {"UNC_M_CAS_COUNT:RD:pkg=0"});

	EXPECT_EQ(basket_try(&b, part), 0);
	EXPECT_EQ(machine.registers(), before);
	basket_start(&b, 0);
	EXPECT_NE(machine.registers(), before);
	basket_end(&b.units[0]);
	EXPECT_EQ(machine.registers(), before);
}

// A channel of Sandy Bridge-EP has four counters.
const std::vector<std::string> kSixOfAChannel = {
	"UNC_M_CAS_COUNT:RD:box=0:pkg=0",        "UNC_M_CAS_COUNT:WR:box=0:pkg=0",
	"UNC_M_ACT_COUNT:box=0:pkg=0",           "UNC_M_CAS_COUNT:ALL:box=0:pkg=0",
	"UNC_M_PRE_COUNT:PAGE_MISS:box=0:pkg=0", "UNC_M_PRE_COUNT:PAGE_CLOSE:box=0:pkg=0"};

// Register writes of a start, of these parts, on a machine of its own.
unsigned writes_of_start(const std::vector<std::vector<std::string>> &parts, bool taken = false)
{
	SimMachine machine;
	Basket b(machine, 1, 0);
	std::unique_ptr<Taker> taker;

	for (const auto &names : parts)
		b.part(0, names);
	if (taken)
		taker = std::make_unique<Taker>(machine);
	Interposer seen(machine);
	basket_start(&b, 0);
	return seen.writes;
}

const std::vector<std::string> kPages = {"UNC_M_PRE_COUNT:PAGE_MISS:box=0:pkg=0",
					 "UNC_M_PRE_COUNT:PAGE_CLOSE:box=0:pkg=0"},
			       kBytes = {"UNC_M_CAS_COUNT:RD:box=0:pkg=0"};

TEST(Basket, ChoosesWithoutWritingARegister)
{
	const unsigned chosen = writes_of_start({kBytes, kPages});

	EXPECT_LT(0u, chosen);
	EXPECT_EQ(chosen, writes_of_start({kSixOfAChannel, kPages, kBytes}));
	EXPECT_EQ(0u, writes_of_start({kSixOfAChannel})) << "nothing fits";
	EXPECT_EQ(0u, writes_of_start({kPages, {"UNC_M_PRE_COUNT:PAGE_MISS:box=0:pkg=0"}}, true))
		<< "another set of this process has the counters";
}

// The second set is planned around the first one, which is started once.
TEST(Basket, ChoosesForASecondSetWithoutWritingARegister)
{
	unsigned writes[2];

	for (const bool more : {false, true}) {
		SimMachine machine;
		Basket b(machine, 1, 0);

		b.units[0].apart = true;
		const size_t first = b.part(0, kBytes);
		b.parts[first].apart = true;
		const size_t pages = b.part(0, kPages);
		if (more)
			b.part(0, {"UNC_M_ACT_COUNT:box=0:pkg=0", "UNC_M_CAS_COUNT:ALL:box=0:pkg=0",
				   "UNC_M_CAS_COUNT:WR:box=0:pkg=0"});
		Interposer seen(machine);
		basket_start(&b, 0);
		EXPECT_TRUE(b.parts[pages].up) << b.parts[pages].reason;
		EXPECT_EQ(b.units[0].sets[0].n, 1u);
		EXPECT_EQ(b.units[0].sets[1].n, 2u);
		writes[more] = seen.writes;
	}
	EXPECT_LT(0u, writes[0]);
	EXPECT_EQ(writes[0], writes[1]);
}

// Only a start knows it: the others are found by starts.
TEST(Basket, LeavesOutThePartWhoseRegistersCannotBeWritten)
{
	SimMachine machine;
	Basket b(machine, 1);
	const size_t memory = b.part(0, kBytes), cache = b.part(0, {"UNC_C_CLOCKTICKS:pkg=0"});
	Interposer fails(machine);

	fails.on_write = [&](const unc_op &op, uint64_t) {
		return op.space == UNCORE_PCI ? -EACCES : 0;
	};
	basket_start(&b, 0);
	EXPECT_EQ(b.parts[memory].code, UNCORE_EACCESS) << b.parts[memory].reason;
	EXPECT_TRUE(b.parts[cache].up) << b.parts[cache].reason;
	EXPECT_EQ(b.units[0].sets[1].n, 1u);
}

TEST(Basket, MultiplexesOnlyWithAWindow)
{
	SimMachine machine;
	Basket turns(machine, 1), none(machine, 1, 0);

	turns.part(0, kSixOfAChannel);
	none.part(0, kSixOfAChannel);
	basket_start(&none, 0);
	EXPECT_EQ(none.parts[0].code, UNCORE_ECONFLICT);
	EXPECT_EQ(basket_fits(&none), UNCORE_ECONFLICT);
	EXPECT_EQ(none.units[0].sets[1].set, nullptr);
	basket_start(&turns, 0);
	EXPECT_TRUE(turns.parts[0].up);
	EXPECT_TRUE(turns.units[0].sets[1].multiplexed);
}

TEST(Basket, SplitsWindowsThatAreTooSmall)
{
	SimMachine machine;
	Basket b(machine, 1);

	b.part(0, kSixOfAChannel, 1);
	b.part(0, {"UNC_C_CLOCKTICKS:pkg=0"}, 2);
	b.part(0, {"UNC_U_CLOCKTICKS:pkg=0"});
	basket_split_windows(&b);
	EXPECT_EQ(b.windows(), (std::vector<unsigned>{1, 1, 1, 1, 3, 3, 2, 0}));
	basket_start(&b, 0);
	EXPECT_TRUE(b.parts[0].up) << b.parts[0].reason;
}

// The library's numbers of groups are at most that of the events; the basket's need not be.
TEST(Basket, TakesAnyNumbersOfWindows)
{
	SimMachine machine;
	Basket b(machine, 1);

	b.part(0, {"UNC_M_CAS_COUNT:RD:pkg=0", "UNC_M_CAS_COUNT:WR:pkg=0"}, 70000);
	basket_start(&b, 0);
	EXPECT_TRUE(b.parts[0].up) << b.parts[0].reason;
}

// One set cannot hold all: parts that are apart have one of their own.
TEST(Basket, HasASecondSetForPartsThatAreApart)
{
	Handle handle(sim_options("sim:gnr:packages=2,cores=128"));
	Basket b(handle, 1);
	const size_t metrics = b.part(0, {"UNCORE_MEM_READ_BYTES:pkg=0"}), apart = b.part(0, {});
	unsigned id;

	b.parts[apart].apart = true;
	for (const char *name : {"UNC_CHA_CLOCKTICKS:box=*", "gnr_unc_cha::RAW:config=0x135:box=*",
				 "gnr_unc_cha::RAW:config=0x136:box=*"})
		for (unsigned i = 0; uncore_event_part(handle.u, name, i, &id) == 1; i++)
			basket_add_event(&b, apart, id, 0);
	basket_start(&b, 0);
	EXPECT_TRUE(b.parts[metrics].up) << b.parts[metrics].reason;
	EXPECT_TRUE(b.parts[apart].up) << b.parts[apart].reason;
	EXPECT_EQ(b.units[0].sets[1].n, 1u);
	EXPECT_EQ(b.units[0].sets[0].n, b.n_events - 1);
	EXPECT_EQ(basket_check(&b.units[0]), 0);
}

// `uncore stat` starts and stops it, and reads events in the order in which it wanted them.
// Register writes in a second.
uint64_t writes_of_switches(double interval_us, double accesses = 0)
{
	SimMachine machine;
	Basket b(machine, 1);

	b.part(0, kSixOfAChannel);
	b.interval_us = interval_us;
	b.accesses = accesses;
	basket_start(&b, 0);
	EXPECT_TRUE(b.units[0].sets[1].multiplexed);
	const uint64_t before = machine.writes();

	for (int i = 0; i < 200; i++) {
		machine.advance(support::kSecond / 200);
		unc_multiplex_due(machine.u);
	}
	return machine.writes() - before;
}

TEST(Basket, SwitchesWindowsTenTimesInAnInterval)
{
	const uint64_t often = writes_of_switches(0), rarely = writes_of_switches(1e6);

	EXPECT_GT(rarely, 0u);
	EXPECT_LT(rarely, often / 5);
	EXPECT_GT(rarely, often / 20);
	EXPECT_EQ(writes_of_switches(1e3), often);
}

TEST(Basket, SwitchesWindowsForAtMostSoManyAccesses)
{
	const uint64_t often = writes_of_switches(0), rarely = writes_of_switches(0, 100);

	EXPECT_GT(rarely, 0u);
	EXPECT_LT(rarely, 100u);
	EXPECT_LT(writes_of_switches(1e6, 100), 100u); // the longer window
	EXPECT_EQ(writes_of_switches(0, 1e6), often);
}

TEST(Basket, AssignsAllToASetOfTheCaller)
{
	SimMachine machine;
	Basket b(machine, 0);
	basket_set s = {};

	for (unsigned id : machine.events(kSixOfAChannel))
		basket_add_event(&b, 0, id, 0);
	ASSERT_EQ(basket_assign(&b, &s, kWindow), 0) << machine.message();
	ASSERT_EQ(s.n, kSixOfAChannel.size());
	for (size_t i = 0; i < s.n; i++)
		EXPECT_EQ(s.events[i], i);
	EXPECT_EQ(uncore_set_start(s.set), 0);
	EXPECT_EQ(basket_read(&s), 0);
	basket_end_set(&s);
	EXPECT_EQ(basket_assign(&b, &s, 0), UNCORE_ECONFLICT);
	basket_end_set(&s);
}

} // namespace
