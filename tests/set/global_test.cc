// SPDX-License-Identifier: BSD-3-Clause
// global_test.cc - if a package can be frozen as a whole, all of its boxes count for exactly
// the same number of cycles.
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "plan/complete.h"
#include "support/machines.h"
#include "support/plan.h"
#include "support/sized.h"
#include "uncore_inspect.h"

namespace
{

struct Machine {
	struct uncore *u = nullptr;
	struct uncore_set *set = nullptr;
	std::vector<unsigned> ids;

	Machine(const std::string &name, const std::vector<std::string> &events)
	{
		auto options = support::sized<uncore_options>();

		options.machine = name.c_str();
		options.wrap_poller = -1;
		EXPECT_EQ(0, uncore_open(&u, &options));
		for (const auto &event : events) {
			ids.push_back(0);
			EXPECT_EQ(0, uncore_event(u, event.c_str(), &ids.back())) << event;
		}
		EXPECT_EQ(0, uncore_set_create(u, &set));
		EXPECT_EQ(0, uncore_set_assign(set, ids.data(), ids.size()));
	}
	~Machine()
	{
		uncore_close(u);
	}
};

class Global : public testing::TestWithParam<const char *>
{
};

// Real time passes between register accesses, so only a single write can end a window in all
// boxes.
TEST_P(Global, AllBoxesOfAPackageCountForTheSameTime)
{
	const Machine m(std::string("sim:") + GetParam() + ":packages=2",
			{"UNC_C_CLOCKTICKS:box=0:pkg=1", "UNC_C_CLOCKTICKS:box=3:pkg=1",
			 "UNC_C_CLOCKTICKS:box=7:pkg=1"});
	int64_t n[3];

	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, uncore_set_start(m.set));
		usleep(1000);
		ASSERT_EQ(0, uncore_set_stop(m.set));
		ASSERT_EQ(0, uncore_set_read(m.set, n));
		EXPECT_LT(1000000, n[0]);
		EXPECT_EQ(n[0], n[1]);
		EXPECT_EQ(n[0], n[2]);
	}
}

TEST_P(Global, TheFreezeIsAroundTheStartsOfTheBoxes)
{
	const Machine m(std::string("sim:") + GetParam() + ":packages=1", {"UNC_C_CLOCKTICKS"});
	struct uncore_plan *plan;
	std::vector<uint8_t> changes;
	unsigned global = 0;

	ASSERT_EQ(0, uncore_plan(m.u, m.ids.data(), m.ids.size(), nullptr, &plan));
	for (size_t i = 0; i < plan->start.n; i++)
		if (plan->start.op[i].kind != UNCORE_READ)
			changes.push_back(plan->start.op[i].kind);
	uncore_plan_free(plan);
	for (const uint8_t kind : changes)
		global += kind == UNCORE_RMW;
	EXPECT_EQ(2u, global) << "frozen before the first start, unfrozen after the last";
	EXPECT_EQ(UNCORE_RMW, changes.front());
	EXPECT_EQ(UNCORE_RMW, changes.back());
}

INSTANTIATE_TEST_SUITE_P(Platforms, Global,
			 testing::ValuesIn(support::machines_between("ivbep", "skx")));

} // namespace
