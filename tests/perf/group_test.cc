// SPDX-License-Identifier: BSD-3-Clause
// group_test.cc - groups that this kernel counts: of its software events, which every machine has.
#include <cerrno>
#include <fcntl.h>
#include <linux/perf_event.h>

#include <gtest/gtest.h>

#include "backend/kernel/perf.h"

namespace
{

class PerfGroup : public testing::Test
{
      protected:
	void SetUp() override
	{
		leader = unc_perf_group_add(-1, &event);
		if (leader == -EACCES || leader == -EPERM || leader == -ENOSYS)
			GTEST_SKIP() << "this process may not use perf_event_open() for a CPU";
		ASSERT_LE(3, leader);
	}
	void TearDown() override
	{
		if (leader >= 0)
			unc_perf_close(leader);
	}

	struct unc_perf_event event = {
		"software", PERF_TYPE_SOFTWARE, {PERF_COUNT_SW_CPU_CLOCK, 0, 0}, 0};
	struct unc_perf_group is = {};
	int leader = -1;
};

TEST_F(PerfGroup, CountsOnlyWhileItIsEnabled)
{
	const int second = unc_perf_group_add(leader, &event);
	uint64_t before;

	ASSERT_LE(3, second);
	ASSERT_EQ(0, unc_perf_group_read(leader, 2, &is));
	EXPECT_EQ(0U, is.enabled);
	EXPECT_EQ(0U, is.counts[0]);
	ASSERT_EQ(0, unc_perf_group_enable(leader, true));
	do
		ASSERT_EQ(0, unc_perf_group_read(leader, 2, &is));
	while (is.counts[1] == 0);
	EXPECT_EQ(is.enabled, is.running);
	ASSERT_EQ(0, unc_perf_group_enable(leader, false));
	ASSERT_EQ(0, unc_perf_group_read(leader, 2, &is));
	EXPECT_EQ(is.enabled, is.running);
	before = is.counts[0];
	ASSERT_EQ(0, unc_perf_group_read(leader, 2, &is));
	EXPECT_EQ(before, is.counts[0]);
	unc_perf_close(second);
}

TEST_F(PerfGroup, IsNotInheritedByPrograms)
{
	EXPECT_EQ(FD_CLOEXEC, fcntl(leader, F_GETFD) & FD_CLOEXEC);
}

TEST_F(PerfGroup, AnotherNumberOfEventsOrNoGroupIsAnError)
{
	const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	EXPECT_EQ(-EIO, unc_perf_group_read(leader, 2, &is));
	EXPECT_EQ(-EIO, unc_perf_group_read(zeros, 1, &is)) << "another file has its number";
	close(zeros);
	EXPECT_EQ(-EBADF, unc_perf_group_read(zeros, 1, &is));
	EXPECT_EQ(-EBADF, unc_perf_group_enable(zeros, true));
	event.cpu = 100000;
	EXPECT_GT(0, unc_perf_group_add(-1, &event));
}

} // namespace
