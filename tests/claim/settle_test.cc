// SPDX-License-Identifier: BSD-3-Clause
// settle_test.cc - a stop without memory, or on a full disk, releases its counters. If it cannot
// restore those of a killed process, the end of its own process does.
#include <fstream>
#include <functional>

#include "claim/process.h"
#include "support/sanitizer.h"

namespace
{

using ledger_guard::Answer;
using ledger_guard::Order;
using ledger_guard::Process;
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

} // namespace
