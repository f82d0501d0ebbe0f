// SPDX-License-Identifier: BSD-3-Clause
// election_test.cc - which launchers say that several ranks are on a node, and which of them holds
// the name of an event.
#include <csignal>
#include <memory>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/child.h"
#include "support/launched.h"

extern "C" {
#include "claim/election.h"
}

namespace
{

using support::Launched;

unsigned ranks(const Launched::Variables &variables)
{
	const Launched launched(variables);
	struct unc_launch launch = {};

	return unc_launch_find(&launch) == 1 ? launch.ranks : 0;
}

std::string name(const Launched::Variables &variables)
{
	const Launched launched(variables);
	struct unc_launch launch = {};

	EXPECT_EQ(1, unc_launch_find(&launch));
	return launch.name;
}

// SLURM_STEP_TASKS_PER_NODE of srun(1): "2(x3),1" is 2, 2, 2 and 1 tasks.
TEST(Launcher, CountsTheTasksOfANode)
{
	EXPECT_EQ(2U, unc_tasks_of_node("2(x3),1", 0));
	EXPECT_EQ(2U, unc_tasks_of_node("2(x3),1", 2));
	EXPECT_EQ(1U, unc_tasks_of_node("2(x3),1", 3));
	EXPECT_EQ(0U, unc_tasks_of_node("2(x3),1", 4));
	EXPECT_EQ(128U, unc_tasks_of_node("128", 0));
	for (const char *wrong : {"", "x", "2(", "2(x", "2(x3", "2(x3)1", "-2", "2;3", "(x2)"})
		EXPECT_EQ(0U, unc_tasks_of_node(wrong, 0)) << wrong;
}

TEST(Launcher, TheInnermostIsAskedFirst)
{
	EXPECT_EQ(0U, ranks({}));
	EXPECT_EQ(4U, ranks({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}));
	EXPECT_EQ(8U, ranks({{"MPI_LOCALNRANKS", "8"}}));
	EXPECT_EQ(4U, ranks(Launched::task("0")));
	EXPECT_EQ(2U, ranks({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
			     {"MPI_LOCALNRANKS", "8"},
			     {"SLURM_STEP_TASKS_PER_NODE", "16"}}));
	EXPECT_EQ(8U, ranks({{"MPI_LOCALNRANKS", "8"}, {"SLURM_STEP_TASKS_PER_NODE", "16"}}));
}

TEST(Launcher, OnlySeveralRanksCount)
{
	for (const char *n : {"1", "0", "", "-4", "4x", "x", "4294967295", "99999999999999999999"})
		EXPECT_EQ(0U, ranks({{"OMPI_COMM_WORLD_LOCAL_SIZE", n}, {"MPI_LOCALNRANKS", n}}))
			<< n;
	EXPECT_EQ(6U, ranks({{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}, {"MPI_LOCALNRANKS", "6"}}));
	EXPECT_EQ(0U, ranks({{"SLURM_STEP_TASKS_PER_NODE", "1,4"}, {"SLURM_NODEID", "0"}}));
	// which node it is must be known if it matters
	EXPECT_EQ(0U, ranks({{"SLURM_STEP_TASKS_PER_NODE", "4,1"}}));
	EXPECT_EQ(4U, ranks({{"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}}));
}

// The variables of a batch script describe the allocation, or the step that it was submitted from.
TEST(Launcher, ABatchScriptIsSerial)
{
	Launched::Variables script = {{"SLURM_JOB_ID", "4711"},      {"SLURM_NTASKS", "8"},
				      {"SLURM_TASKS_PER_NODE", "8"}, {"SLURM_NTASKS_PER_NODE", "8"},
				      {"SLURM_NODEID", "0"},         {"SLURM_LOCALID", "0"}};

	EXPECT_EQ(0U, ranks(script));
	script.emplace_back("SLURM_STEP_TASKS_PER_NODE", "8");
	script.emplace_back("SLURM_STEP_ID", "4294967291");
	EXPECT_EQ(0U, ranks(script));
}

TEST(Launcher, NamesTheLaunch)
{
	const Launched::Variables open = {{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};
	auto first = open, second = open;

	first.emplace_back("PMIX_NAMESPACE", "one");
	second.emplace_back("PMIX_NAMESPACE", "two");
	EXPECT_NE(name(first), name(second));
	first.emplace_back("OMPI_COMM_WORLD_LOCAL_RANK", "3");
	EXPECT_EQ(name(first), name({first[0], first[1]}));
	EXPECT_EQ(name(Launched::task("0")), name(Launched::task("3")));
	EXPECT_NE(name(Launched::task("0", "0")), name(Launched::task("0", "1")));
	EXPECT_NE(name(Launched::task("0", "0", "1")), name(Launched::task("0", "0", "2")));
	// without a number the process that has started the ranks is the launch
	EXPECT_EQ(name(open), name(open));
	EXPECT_NE(std::string::npos, name(open).find(" " + std::to_string(getppid()) + " "));
}

// ---- names ----

class Election : public testing::Test
{
      protected:
	struct Free {
		void operator()(unc_election *e) const
		{
			unc_election_free(e, false);
		}
	};
	using Rank = std::unique_ptr<unc_election, Free>;

	static Rank rank(const std::string &job = "")
	{
		unc_launch launch = {};

		launch.ranks = 4;
		snprintf(launch.name, sizeof(launch.name), "%d %s %s", getpid_of_test(),
			 testing::UnitTest::GetInstance()->current_test_info()->name(),
			 job.c_str());
		return Rank(unc_election_new(&launch));
	}
	static int getpid_of_test()
	{
		static const int pid = getpid();

		return pid;
	}
	// All processes of a user have one lock, also those of other tests.
	static int begin(const Rank &rank)
	{
		int r;

		while ((r = unc_election_begin(rank.get(), nullptr)) == 0)
			usleep(100);
		return r;
	}
	// 1: held
	static int take(const Rank &rank, const char *name)
	{
		if (begin(rank) != 1)
			return -100;
		const int r = unc_election_take(rank.get(), name, nullptr);

		unc_election_end(rank.get());
		return r;
	}
	static void leave(const Rank &rank, const char *name)
	{
		unc_election_leave(rank.get(), name);
	}
	static bool changed(const Rank &rank)
	{
		return unc_election_changed(rank.get());
	}
	// A process that takes a name, then does more and waits to be killed.
	template <typename F> static pid_t holder(const char *event, F more)
	{
		int done[2];
		char c;

		EXPECT_EQ(0, pipe2(done, O_CLOEXEC));
		getpid_of_test();
		const pid_t pid = support::fork_clean();
		if (pid == 0) {
			const Rank r = rank();

			c = static_cast<char>(take(r, event));
			more(r);
			if (write(done[1], &c, 1) == 1)
				pause();
			_exit(1);
		}
		EXPECT_EQ(1, read(done[0], &c, 1));
		EXPECT_EQ(1, c);
		close(done[0]);
		close(done[1]);
		return pid;
	}
	static void kill_it(pid_t pid)
	{
		EXPECT_EQ(0, kill(pid, SIGKILL));
		EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
	}
};

TEST_F(Election, OneHoldsAName)
{
	const Rank a = rank(), b = rank();

	EXPECT_EQ(1, take(a, "x"));
	EXPECT_EQ(0, take(b, "x"));
	EXPECT_EQ(1, take(b, "y"));
	EXPECT_EQ(0, take(a, "y"));
	EXPECT_EQ(1, take(a, "x"));
	EXPECT_FALSE(changed(a));
	EXPECT_FALSE(changed(b));
	leave(a, "x");
	EXPECT_FALSE(changed(b)) << "it was taken twice";
	leave(a, "x");
	EXPECT_TRUE(changed(b));
	EXPECT_TRUE(changed(b)) << "until it is renewed";
	unc_election_renew(b.get());
	EXPECT_EQ(1, take(b, "x"));
	EXPECT_EQ(0, take(a, "x"));
}

TEST_F(Election, ManyNamesKeepTheirPlaces)
{
	const Rank a = rank(), b = rank();

	for (int i = 0; i < 300; i++)
		EXPECT_EQ(1, take(a, std::to_string(i).c_str()));
	for (int i = 0; i < 300; i += 2)
		leave(a, std::to_string(i).c_str());
	for (int i = 0; i < 300; i++)
		EXPECT_EQ(i % 2 == 0, take(b, std::to_string(i).c_str())) << i;
}

TEST_F(Election, OneAtATime)
{
	const Rank a = rank(), b = rank();

	ASSERT_EQ(1, begin(a));
	EXPECT_EQ(0, unc_election_begin(b.get(), nullptr));
	EXPECT_TRUE(unc_election_is_locked(b.get()));
	unc_election_end(a.get());
	EXPECT_EQ(1, begin(b));
	EXPECT_FALSE(unc_election_is_locked(b.get()));
	unc_election_end(b.get());
}

TEST_F(Election, JobsAreIndependent)
{
	const Rank a = rank("1"), b = rank("2");

	EXPECT_EQ(1, take(a, "x"));
	EXPECT_EQ(1, take(b, "x"));
}

TEST_F(Election, AClosedHandleHoldsNothing)
{
	Rank a = rank();
	const Rank b = rank();

	EXPECT_EQ(1, take(a, "x"));
	EXPECT_EQ(0, take(b, "x"));
	a.reset();
	EXPECT_TRUE(changed(b));
	EXPECT_EQ(1, take(b, "x"));
}

// Closing a file of its own process must not release the lock.
TEST_F(Election, ANeighbourThatCloses)
{
	const pid_t pid = holder("x", [](const Rank &) {
		const Rank second = rank();

		EXPECT_EQ(0, take(second, "x"));
	});
	const Rank b = rank();

	EXPECT_EQ(0, take(b, "x"));
	EXPECT_FALSE(changed(b));
	kill_it(pid);
}

TEST_F(Election, AKilledProcessHoldsNothing)
{
	const pid_t pid = holder("x", [](const Rank &) {});
	const Rank b = rank();

	EXPECT_EQ(0, take(b, "x"));
	EXPECT_FALSE(changed(b));
	kill_it(pid);
	EXPECT_TRUE(changed(b));
	EXPECT_EQ(1, take(b, "x"));
}

// The child has all descriptors of the killed process, and lives on.
TEST_F(Election, AForkedChildHoldsNothing)
{
	int child[2];
	pid_t grandchild = 0;

	ASSERT_EQ(0, pipe2(child, O_CLOEXEC));
	const pid_t pid = holder("x", [&](const Rank &) {
		grandchild = fork();
		if (grandchild == 0)
			for (;;)
				pause();
		EXPECT_EQ(static_cast<ssize_t>(sizeof(grandchild)),
			  write(child[1], &grandchild, sizeof(grandchild)));
	});
	const Rank b = rank();

	ASSERT_EQ(static_cast<ssize_t>(sizeof(grandchild)),
		  read(child[0], &grandchild, sizeof(grandchild)));
	EXPECT_EQ(0, take(b, "x"));
	kill_it(pid);
	EXPECT_TRUE(changed(b));
	EXPECT_EQ(1, take(b, "x"));
	EXPECT_EQ(0, kill(grandchild, SIGKILL));
	close(child[0]);
	close(child[1]);
}

// A forked child that closes the handle leaves the files of its parent.
TEST_F(Election, AForkedChildRemovesNothing)
{
	const Rank a = rank(), b = rank();

	EXPECT_EQ(1, take(a, "x"));
	EXPECT_EQ(0, support::in_child([&] {
			  unc_election_free(a.get(), true);
			  return 0;
		  }));
	EXPECT_EQ(0, take(b, "x"));
}

// Programs that clean up after a job do not ask whose files they remove.
TEST_F(Election, RemovedFilesAreWrittenAgain)
{
	if (geteuid() != 0)
		GTEST_SKIP() << "a directory of its own requires another user";
	EXPECT_EQ(
		0, support::in_child([] {
			if (setgid(65533) != 0 || setuid(65533) != 0)
				return 10;
			const Rank a = rank(), b = rank();
			const std::string remove =
				"rm -rf /dev/shm/uncore-65533 /tmp/uncore-65533 /var/tmp/uncore-65533";

			if (take(a, "x") != 1 || take(b, "y") != 1)
				return 11;
			if (system(remove.c_str()) != 0)
				return 12;
			if (take(b, "z") != 1 || take(a, "z") != 0 || take(a, "y") != 0)
				return 13;
			return take(b, "x") == 0 && system(remove.c_str()) == 0 ? 0 : 14;
		}));
}

// Files are usable for the user's other processes, and the directory of another user is not used.
TEST_F(Election, UsersAndUmasks)
{
	if (geteuid() != 0)
		GTEST_SKIP() << "changing the user requires root";
	const Rank root = rank();

	EXPECT_EQ(1, take(root, "x"));
	EXPECT_EQ(0, support::in_child([] {
			  if (setgid(65534) != 0 || setuid(65534) != 0)
				  return 10;
			  umask(0777);
			  const Rank a = rank(), b = rank();

			  if (take(a, "x") != 1)
				  return 11;
			  return take(b, "x") == 0 ? 0 : 12;
		  }));
	EXPECT_EQ(0, take(rank(), "x"));
}

} // namespace
