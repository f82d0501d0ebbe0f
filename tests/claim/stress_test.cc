// SPDX-License-Identifier: BSD-3-Clause
// stress_test.cc - processes count on one mounted machine and are killed, for one second.
// tests/slow/stress_test.sh runs longer; docs/testing.md describes the full run.
#include "support/child.h"
#include "support/stress/run.h"

namespace
{

using support::stress::Mode;
using support::stress::Plan;
using support::stress::Run;

Plan plan_of(Mode mode)
{
	Plan plan;

	plan.mode = mode;
	plan.processes = 3;
	plan.threads = 2;
	plan.sessions = 5;
	plan.kill_ms = 60;
	plan.seconds = 20;
	return plan;
}

// In a child, which is killed if it hangs and which has no threads of other tests.
void run(Mode mode)
{
	NEEDS_FUSE();
	EXPECT_EQ(0, support::in_child([&] {
			  Run run(plan_of(mode));
			  const bool good = run.run();

			  if (!good)
				  run.print(stderr);
			  fflush(stderr);
			  return good ? 0 : 1;
		  }));
}

TEST(Stress, AProcessThatMeetsOthersCountsRightOrIsRefusedByName)
{
	run(Mode::kRandom);
}

TEST(Stress, AProcessWithBoxesOfItsOwnIsNotRefused)
{
	run(Mode::kDisjoint);
}

TEST(Stress, AnEventHasOneOwnerAtATime)
{
	run(Mode::kOwner);
}

} // namespace
