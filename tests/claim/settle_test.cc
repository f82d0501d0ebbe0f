// SPDX-License-Identifier: BSD-3-Clause
// settle_test.cc - a stop without memory, or on a full disk, releases its counters. If it cannot
// restore those of a killed process, the end of its own process does.
#include <filesystem>
#include <fstream>
#include <functional>

#include "claim/process.h"
#include "support/multiplexed.h"
#include "support/sanitizer.h"

namespace
{

using ledger_guard::Answer;
using ledger_guard::Order;
using ledger_guard::Process;
using support::Handle;
using support::Known;
using support::names_of;
using support::Node;

const Known kLives = {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0, 0, 0, 0};
const Known kDies = {"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO", "cbox", 0, 0, 1, 0};

class Settle : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		setenv("UNCORE_LOCK_TIMEOUT", "20", 1); // how long a stop tries again
	}
	void TearDown() override
	{
		unsetenv("UNCORE_LOCK_TIMEOUT");
	}
	void use(const std::string &machine, const std::vector<std::string> &more = {})
	{
		node = std::make_unique<Node>(machine, "", more);
		node->leave_traces();
	}
	// One process stops the first of two sets, in the way of the order; then another one
	// counts.
	void one_leaves_and_another_enters(const Order &stop, const std::function<void()> &before,
					   const std::function<void()> &after)
	{
		const Known first = {"UNC_C_SINKS_P2C", "cbox", 0, 0, 0, 0};
		const Known second = {"UNC_C_SINKS_P2C", "cbox", 0, 0, 0, 1};
		Process leaves(*node, {names_of({first}), names_of({second})});
		Process enters(*node, {names_of({first})});

		order(leaves, {'s', 0, 0, false});
		order(leaves, {'s', 1, 0, false});
		before();
		order(leaves, stop);
		after();
		order(enters, {'s', 0, 0, false});
		order(enters, {'e', 0, 0, false});
		leaves.end(true);
		enters.end(true);
		node->expect_clean();
	}
	static void order(Process &process, const Order &order)
	{
		Answer a;

		ASSERT_TRUE(process.request(order, &a));
		EXPECT_TRUE(a.code == 0 || order.lacks) << a.message;
	}

	std::unique_ptr<Node> node;
};

TEST_F(Settle, TheEndOfAProcessMakesUpForAStopWithoutMemory)
{
	use("ivbep:cores=2,packages=1");
	for (unsigned char n = 1; n <= 2; n++) {
		SCOPED_TRACE("without memory from allocation " + std::to_string(n) +
			     " of the stop");
		Process lives(*node, {names_of({kLives})}), dies(*node, {names_of({kDies})});

		order(lives, {'s', 0, 0, false});
		order(dies, {'s', 0, 0, false});
		dies.kill();
		order(lives, {'e', 0, n, true});
		lives.end(n % 2 == 0);
		node->expect_clean();
	}
}

// A process that starts in the package writes its enable, because the other has left.
TEST_F(Settle, AStopWithoutMemoryLeavesItsPackage)
{
	use("nhmex:cores=2,packages=2");
	for (unsigned char n = 1; n <= 4; n++) {
		SCOPED_TRACE("without memory from allocation " + std::to_string(n) +
			     " of the stop");
		one_leaves_and_another_enters(
			{'e', 0, n, true}, [] {}, [] {});
	}
}

TEST_F(Settle, AStopWithAFullDirectoryLeavesItsPackage)
{
	use("nhmex:cores=2,packages=2", {"--run-size", "8192"});
	const std::string all = node->files.path("run/uncore/all.x");

	one_leaves_and_another_enters(
		{'e', 0, 0, false}, [&] { std::ofstream(all) << std::string(9000, 'x'); },
		[&] { EXPECT_EQ(0, unlink(all.c_str())); });
}

// ---- multiplexed events, whose packages stay open between their windows ----

struct Rounds {
	const char *machine;
	std::vector<std::string> events; // the first two need the same counter
};

class SettleRounds : public Settle, public testing::WithParamInterface<Rounds>
{
      protected:
	// Fails the n-th allocation of the stop. Returns false if it made fewer.
	bool stop_without(unsigned n, bool lasts)
	{
		SCOPED_TRACE((lasts ? "without memory from allocation " : "without allocation ") +
			     std::to_string(n) + " of the stop");
		const Handle h(node->files.options());
		support::Multiplexed set(h, GetParam().events);

		EXPECT_EQ(2U, set.rounds());
		EXPECT_EQ(0, set.start()) << h.message();
		node->pass();
		set.window();
		support::allocations = {true, lasts, n, 0};
		const int code = set.stop();
		const bool over = support::allocations.over();
		support::allocations = {};
		EXPECT_TRUE(code == 0 || code == UNCORE_ENOMEM) << h.message();
		if (code < 0) {
			EXPECT_NE(std::string::npos, h.message().find("memory")) << h.message();
		}
		expect_stopped(h);
		return over;
	}
	// Before the handle is closed, which would restore what the stop has left.
	void expect_stopped(const Handle &h) const
	{
		EXPECT_EQ(0, uncore_recover(h.u)) << h.message();
		node->expect_clean();
	}
};

TEST_P(SettleRounds, AStopWithoutMemoryRestoresThePackage)
{
	use(GetParam().machine);
	for (const bool lasts : {false, true})
		for (unsigned n = 0; stop_without(n, lasts) && !HasFailure(); n++)
			;
}

INSTANTIATE_TEST_SUITE_P(
	Machines, SettleRounds,
	testing::Values(Rounds{"nhmex:cores=2,packages=2",
			       {"UNC_B_ADDR_IN_MATCH:match=0x40:mask=0xc0:box=0",
				"UNC_B_ADDR_IN_MATCH:match=0x80:mask=0xc0:box=0"}},
			Rounds{"snbep:cores=2,packages=2",
			       {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"}},
			Rounds{"ivbep:cores=2,packages=1",
			       {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"}},
			Rounds{"icx:cores=2,packages=1",
			       {"UNC_CHA_TOR_INSERTS:IA_MISS:tf=8",
				"UNC_CHA_TOR_INSERTS:IA_MISS:tf=0"}}),
	[](const auto &info) {
		const std::string machine = info.param.machine;
		return machine.substr(0, machine.find(':'));
	});

// A switch does not look for others, so all boxes of the rounds are in use from the start on, also
// after another set has come and gone.
TEST_F(Settle, BoxesOfWindowsThatHaveNotBegunAreInUse)
{
	use("icx:cores=2,packages=1");
	const Handle h(node->files.options());
	support::Multiplexed set(h, {});
	support::Set plain(h, {"UNC_CHA_CLOCKTICKS:box=0"});
	support::Set others(node->handle, {"UNC_CHA_CLOCKTICKS:box=0"});
	const unsigned groups[] = {0, 1, 1};
	const std::vector<unsigned> ids =
		h.events({"UNC_CHA_RXC_OCCUPANCY:IRQ:box=1", "UNC_CHA_TOR_OCCUPANCY:IA_MISS:box=1",
			  "UNC_CHA_TOR_INSERTS:IA_MISS:tf=8:box=0"});

	ASSERT_EQ(0, uncore_set_assign_groups(set.set, ids.data(), groups, ids.size()));
	ASSERT_EQ(2u, set.rounds());
	ASSERT_EQ(0, set.start()) << h.message();
	EXPECT_EQ(UNCORE_EBUSY, others.start());
	EXPECT_EQ(0, plain.start()) << h.message();
	EXPECT_EQ(0, plain.stop()) << h.message();
	EXPECT_EQ(UNCORE_EBUSY, others.start());
	set.window();
	EXPECT_EQ(UNCORE_EBUSY, others.start());
	set.window();
	EXPECT_EQ(UNCORE_EBUSY, others.start());
	EXPECT_EQ(0, set.stop()) << h.message();
	EXPECT_EQ(0, others.start()) << node->handle.message();
	EXPECT_EQ(0, others.stop()) << node->handle.message();
	node->expect_clean();
}

// ---- recovery while this process counts ----

// The contents, of those that do not exist.
void copy_files(const std::string &from, const std::string &to)
{
	for (const auto &entry : std::filesystem::directory_iterator(from)) {
		const std::string name = to + "/" + entry.path().filename().string();

		if (entry.is_regular_file() && !std::filesystem::exists(name))
			std::ofstream(name) << std::ifstream(entry.path()).rdbuf();
	}
}

// The journal of a killed process that comes back: the register has the same value, but it is this
// process's by now.
TEST_F(Settle, ARecoveryLeavesWhatThisProcessCounts)
{
	use("snbep:cores=2,packages=1");
	const std::string journals = node->files.path("run/uncore");
	char copy[] = "/tmp/uncore-settle-XXXXXX";
	support::Set set(node->handle, names_of({kLives}));

	ASSERT_NE(nullptr, mkdtemp(copy));
	{
		Process dies(*node, {names_of({kLives})});

		order(dies, {'s', 0, 0, false});
		copy_files(journals, copy);
		dies.kill();
	}
	EXPECT_EQ(0, uncore_recover(node->handle.u)) << node->handle.message();
	node->expect_clean();
	ASSERT_EQ(0, set.start()) << node->handle.message();
	const std::vector<uint64_t> counting = node->controls.values();

	copy_files(copy, journals);
	EXPECT_EQ(0, uncore_recover(node->handle.u)) << node->handle.message();
	node->controls.expect_same(counting, node->controls.values());
	EXPECT_EQ(0, set.stop()) << node->handle.message();
	std::filesystem::remove_all(copy);
	node->expect_clean();
}

// ---- starts that fail ----

// At each size of the rest: registers of rounds that never started are not in the journal.
TEST_F(Settle, AStartWithAFullDirectoryLeavesNothingInTheJournal)
{
	unsigned failed = 0, started = 0;

	use("snbep:cores=2,packages=1", {"--run-size", "16384"});
	const std::string all = node->files.path("run/uncore/all.x");
	const Handle h(node->files.options());
	support::Set plain(h, {"UNC_C_CLOCKTICKS"});

	for (unsigned size = 0; size < 16384 && !HasFailure(); size += 512) {
		SCOPED_TRACE(std::to_string(size) + " bytes are used");
		support::Multiplexed set(h, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"});

		std::ofstream(all) << std::string(size, 'x');
		const int code = set.start();
		EXPECT_EQ(0, unlink(all.c_str()));
		EXPECT_EQ(0, set.stop());
		failed += code < 0;
		started += code == 0;
		EXPECT_EQ(0, plain.start()) << h.message();
		EXPECT_EQ(0, plain.stop()) << h.message();
		node->expect_clean();
	}
	EXPECT_LT(0u, failed);
	EXPECT_LT(0u, started);
}

} // namespace
