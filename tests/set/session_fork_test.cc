// SPDX-License-Identifier: BSD-3-Clause
// session_fork_test.cc - a forked child keeps the last counts and accesses no register.
// Programs that end without stopping their sets leave the registers as they found them.
#include "support/child.h"
#include "support/sim_machine.h"
#include "support/tree.h"

namespace
{

using support::in_child;
using support::in_child_that_exits;
using support::NativeMachine;
using support::Set;
using support::SimMachine;
using support::Tree;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";

class SessionFork : public testing::Test
{
      protected:
	SessionFork()
	{
		tree.one_package();
		idle = tree.registers();
	}
	// A running set with a count.
	void run(Set &set)
	{
		ASSERT_EQ(0, set.start());
		tree.put(Tree::config_name(0x7f, 16, 0), 0xb8, 4711, 8);
		ASSERT_EQ(4711, set.count());
	}
	// Counters keep their values, which is not a change.
	std::string registers()
	{
		tree.put(Tree::config_name(0x7f, 16, 0), 0xb8, 0, 8);
		return tree.registers();
	}

	Tree tree;
	std::string idle;
};

TEST_F(SessionFork, AChildReadsTheLastCounts)
{
	NativeMachine machine(tree);
	Set set(machine, {kReads});
	run(set);
	EXPECT_EQ(0, in_child([&] {
			  int64_t value = -1;

			  // the child must not read a register, even one with a new value
			  tree.put(Tree::config_name(0x7f, 16, 0), 0xb8, 5000, 8);
			  if (uncore_set_read(set.set, &value) != 0 || value != 4711)
				  return 1;
			  if (uncore_set_reset(set.set) != 0)
				  return 2;
			  if (uncore_set_read(set.set, &value) != 0 || value != 0)
				  return 3;
			  return uncore_poll_wraps(machine.u) == 0 ? 0 : 4;
		  }));
	EXPECT_EQ(5000, set.count());
}

TEST_F(SessionFork, AChildStartsNothingOfItsParents)
{
	NativeMachine machine(tree);
	Set set(machine, {kReads}), other(machine, {"UNC_M_CLOCKTICKS"});
	run(set);
	const std::string before = tree.registers();
	EXPECT_EQ(0, in_child([&] {
			  if (other.start() != UNCORE_EFORK)
				  return 1;
			  if (machine.message().find("parent process") == std::string::npos)
				  return 2;
			  return set.stop() == 0 ? 0 : 3;
		  }));
	EXPECT_EQ(before, tree.registers());
	EXPECT_EQ(4711, set.count());
}

TEST_F(SessionFork, AChildThatStopsDestroysAndClosesTouchesNoRegister)
{
	NativeMachine machine(tree);
	Set set(machine, {kReads});
	run(set);
	const std::string before = tree.registers();
	EXPECT_EQ(0, in_child([&] {
			  uncore_set_stop(set.set);
			  uncore_set_destroy(set.set);
			  uncore_close(machine.u);
			  return 0;
		  }));
	EXPECT_EQ(before, tree.registers());
	EXPECT_EQ(4711, set.count());
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(idle, registers());
}

TEST_F(SessionFork, AChildThatExitsTouchesNoRegister)
{
	NativeMachine machine(tree);
	Set set(machine, {kReads});
	run(set);
	const std::string before = tree.registers();
	EXPECT_EQ(0, in_child_that_exits([] { return 0; }));
	EXPECT_EQ(before, tree.registers());
	EXPECT_EQ(4711, set.count());
}

TEST_F(SessionFork, AGrandchildIsAChild)
{
	NativeMachine machine(tree);
	Set set(machine, {kReads});
	run(set);
	const std::string before = tree.registers();
	EXPECT_EQ(0, in_child([&] {
			  return in_child_that_exits([&] {
				  int64_t value = -1;

				  set.stop();
				  uncore_set_read(set.set, &value);
				  return value == 4711 ? 0 : 1;
			  });
		  }));
	EXPECT_EQ(before, tree.registers());
}

TEST_F(SessionFork, AChildOpensItsOwnHandle)
{
	NativeMachine machine(tree);
	EXPECT_EQ(0, in_child([&] {
			  NativeMachine own(tree);
			  Set set(own, {kReads});

			  if (own.code != 0 || set.start() != 0)
				  return 1;
			  tree.put(Tree::config_name(0x7f, 16, 1), 0xb8, 12, 8);
			  if (set.count() != 12 || set.stop() != 0)
				  return 2;
			  return 0;
		  }));
	tree.put(Tree::config_name(0x7f, 16, 1), 0xb8, 0, 8);
	EXPECT_EQ(idle, tree.registers());
	// the parent's set must not be affected
	Set set(machine, {kReads});
	run(set);
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(idle, registers());
}

TEST_F(SessionFork, AChildCreatesAndAssignsSetsWithoutHarm)
{
	NativeMachine machine(tree);
	Set running(machine, {kReads});
	run(running);
	EXPECT_EQ(0, in_child([&] {
			  Set set(machine, {kReads});
			  return set.count() == 0 && set.start() == UNCORE_EFORK ? 0 : 1;
		  }));
}

TEST_F(SessionFork, ASimulatedMachineInAChildDoesNotAdvanceTheParents)
{
	SimMachine machine;
	Set set(machine, {kReads});

	ASSERT_EQ(0, set.start());
	machine.advance();
	const int64_t count = set.count();
	EXPECT_EQ(0, in_child([&] {
			  machine.advance();
			  return set.count() == count ? 0 : 1;
		  }));
	EXPECT_EQ(count, set.count());
}

// ---- exit without a stop ----

TEST_F(SessionFork, ExitWithoutStopPutsTheRegistersBack)
{
	for (int wrap_poller : {-1, 1}) {
		EXPECT_EQ(0, in_child_that_exits([&] {
				  uncore_options options = tree.options();
				  static struct uncore *u;
				  static struct uncore_set *set;
				  unsigned ids[2];

				  options.wrap_poller = wrap_poller;
				  if (uncore_open(&u, &options) != 0)
					  return 1;
				  uncore_event(u, kReads, &ids[0]);
				  uncore_event(u, "UNC_C_CLOCKTICKS", &ids[1]);
				  uncore_set_create(u, &set);
				  if (uncore_set_assign(set, ids, 2) != 0)
					  return 2;
				  if (uncore_set_start(set) != 0)
					  return 3;
				  return tree.registers() != idle ? 0 : 4;
			  }));
		EXPECT_EQ(idle, tree.registers());
	}
}

TEST_F(SessionFork, ExitAfterCloseIsHarmless)
{
	EXPECT_EQ(0, in_child_that_exits([&] {
			  for (int i = 0; i < 3; i++) {
				  NativeMachine machine(tree);
				  Set set(machine, {kReads});
				  if (set.start() != 0)
					  return 1;
			  }
			  return 0;
		  }));
	EXPECT_EQ(idle, tree.registers());
}

TEST_F(SessionFork, ExitOfAThreadedProgramPutsTheRegistersBack)
{
	EXPECT_EQ(0, in_child_that_exits([&] {
			  static struct uncore *u;
			  static struct uncore_set *set;
			  uncore_options options = tree.options();
			  unsigned id;

			  options.wrap_poller = 1; // a thread that may be reading
			  if (uncore_open(&u, &options) != 0)
				  return 1;
			  uncore_event(u, kReads, &id);
			  for (int i = 0; i < 2; i++) {
				  uncore_set_create(u, &set);
				  uncore_set_assign(set, &id, 1);
				  if (uncore_set_start(set) != 0)
					  return 2;
			  }
			  return 0;
		  }));
	EXPECT_EQ(idle, tree.registers());
}

} // namespace
