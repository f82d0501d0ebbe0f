// SPDX-License-Identifier: BSD-3-Clause
// process_test.cc - which process a number means.
#include "base/process.h"

#include <cerrno>
#include <csignal>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file_limit.h"

namespace
{

// A child that waits until it is killed, with a name that looks like fields of /proc/PID/stat.
pid_t waiting_child()
{
	const pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_NAME, "a) S 1 (b");
		for (;;)
			pause();
	}
	return pid;
}

void wait_for(pid_t pid, int options)
{
	siginfo_t info = {};

	ASSERT_EQ(0, waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | options));
}

struct unc_process this_process()
{
	struct unc_process p;

	EXPECT_EQ(0, unc_this_process(&p));
	return p;
}

struct unc_process identity_of(pid_t pid)
{
	struct unc_process p = this_process();
	struct unc_process_now now;

	EXPECT_EQ(0, unc_look_at_process(&now, pid));
	EXPECT_EQ(getpid(), now.parent);
	p.pid = pid;
	p.began = now.began;
	return p;
}

TEST(Process, ThatRunsIsNotGone)
{
	const struct unc_process self = this_process();

	EXPECT_EQ(getpid(), self.pid);
	EXPECT_NE(0u, self.began);
	EXPECT_NE(0u, self.space);
	EXPECT_FALSE(unc_process_is_gone(&self));
}

TEST(Process, IsGoneBeforeAndAfterItsParentWaitsForIt)
{
	const pid_t child = waiting_child();
	const struct unc_process p = identity_of(child);
	struct unc_process_now now;

	EXPECT_FALSE(unc_process_is_gone(&p));
	kill(child, SIGKILL);
	wait_for(child, WNOWAIT);
	EXPECT_EQ(0, unc_look_at_process(&now, child));
	EXPECT_EQ('Z', now.state);
	EXPECT_TRUE(unc_process_is_gone(&p));
	wait_for(child, 0);
	EXPECT_EQ(ENOENT, unc_look_at_process(&now, child));
	EXPECT_EQ(0, now.state);
	EXPECT_TRUE(unc_process_is_gone(&p));
}

TEST(Process, WithTheNumberOfAnEarlierOneIsAnotherOne)
{
	struct unc_process earlier = this_process();

	earlier.began--;
	EXPECT_TRUE(unc_process_is_gone(&earlier));
}

TEST(Process, OfAnUnknownNamespaceIsNotTakenForGone)
{
	struct unc_process other = this_process();

	other.began--;
	other.space++;
	EXPECT_FALSE(unc_process_is_gone(&other));
	other.space = 0;
	EXPECT_FALSE(unc_process_is_gone(&other));
}

TEST(Process, ThatBeganAtAnUnknownTimeIsNotTakenForGone)
{
	struct unc_process p = this_process();

	p.began = 0;
	EXPECT_FALSE(unc_process_is_gone(&p));
}

TEST(Process, WithoutADescriptorIsUnknown)
{
	struct unc_process p = {};
	const int r = support::with_file_limit(0, [&] { return unc_this_process(&p); });

	EXPECT_EQ(-EMFILE, r);
	EXPECT_EQ(0u, p.began);
	p = this_process();
	EXPECT_FALSE(support::with_file_limit(0, [&] { return unc_process_is_gone(&p); }));
}

} // namespace
