// SPDX-License-Identifier: BSD-3-Clause
// settle_test.cc - a stop that lacks the memory to restore what a killed process has left: the end
// of its own process makes up for it.
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
		node = std::make_unique<Node>("ivbep:cores=2,packages=1");
		node->leave_traces();
		setenv("UNCORE_LOCK_TIMEOUT", "20", 1); // how long a stop tries again
	}
	void TearDown() override
	{
		unsetenv("UNCORE_LOCK_TIMEOUT");
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

} // namespace
