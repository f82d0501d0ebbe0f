// SPDX-License-Identifier: BSD-3-Clause
// owner_test.cc - the owner of a process by its cgroup, and processes as /proc describes them.  The
// paths are those that the manuals of the programs show.
#include <fstream>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/who/job.h"
#include "command/who/owner.h"

namespace
{

std::string owner(const std::string &cgroup, enum who_by by, uid_t uid = 0)
{
	std::string path = cgroup, name = "solver";
	proc p = {};

	p.pid = 42;
	p.uid = uid;
	p.name = &name[0];
	p.cgroup = &path[0];
	char *text = owner_of(&p, by);
	std::string found = text;

	free(text);
	return found;
}

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

std::string job(const std::string &root, const std::string &text)
{
	char *found = job_of(root.c_str(), text.c_str());
	const std::string is = found ? found : "(no job)";

	free(found);
	return is;
}

TEST(WhoOwner, IsTheJobOfABatchSystem)
{
	const std::pair<const char *, const char *> paths[] = {
		{"/system.slice/slurmstepd.scope/job_7/step_0/user/task_0", "7"},
		{"/system.slice/node1_slurmstepd.scope/job_7", "7"},
		{"/slurm/uid_1000/job_8675309/step_batch", "8675309"},
		{"/slurm_node1/uid_1000/job_12", "12"},
		{"/pbs_jobs.service/jobid/123.server", "123.server"},
		{"/pbspro.service/jobid/77[4].head", "77[4].head"},
		{"/lsf/cluster1/job.555.1700000000", "555.1700000000"},
	};
	for (const auto &[path, id] : paths)
		EXPECT_EQ(id, job("/nonexistent", std::string("0::") + path + "\n")) << path;
	// version 1: the batch system uses some of the hierarchies
	EXPECT_EQ("2", job("/nonexistent",
			   "12:cpuset:/\n4:memory:/slurm/uid_1/job_2/step_0\n"
			   "1:name=systemd:/user.slice/a/longer/path/than/that/of/the/job\n"));
}

TEST(WhoOwner, IsNoJobOfAnotherFormOrBelowAnotherCgroup)
{
	const char *const paths[] = {
		"/user.slice/user-1000.slice/job_7",
		"/user.slice/user-1002.slice/slurm/job_7",
		"/user.slice/user-1002.slice/slurm/uid_1000/job_7",
		"/user.slice/user-1002.slice/user@1002.service/system.slice/slurmstepd.scope/job_7",
		"/user.slice/pbs_jobs.service/jobid/123.server",
		"/user.slice/lsf/cluster1/job.555.1700000000",
		"/system.slice/cron.service",
		"/system.slice/job_7",
		"/system.slice/slurmstepd.scope/x/job_7",
		"/system.slice/_slurmstepd.scope/job_7",
		"/slurm/uid_1000/job_",
		"/slurm/uid_1000/job_7x",
		"/slurm/uid_1000/job_7 (deleted)",
		"/slurm/uid_/job_7",
		"/slurm/uid_x/job_7",
		"/slurm/job_7",
		"/slurm_/uid_1/job_7",
		"/slurmy/uid_1/job_7",
		"/slurm/uid_1000/user/job_7",
		"/pbs_jobs.service/jobid/",
		"/pbs_jobs.service/jobid/server",
		"/lsf/job.5",
		"/lsf/a/b/job.5",
		"/",
		"",
	};
	for (const char *path : paths)
		EXPECT_EQ("(no job)", job("/nonexistent", std::string("0::") + path + "\n"))
			<< path;
	for (const char *text : {"", "0", "0:", "\n\n", "/slurm/uid_1/job_7"})
		EXPECT_EQ("(no job)", job("/nonexistent", text)) << text;
}

// A tree with the directories of a job in a hierarchy.
class Hierarchy
{
      public:
	explicit Hierarchy(const std::string &name)
	{
		char pattern[] = "/tmp/uncore-cgroup-XXXXXX";

		EXPECT_NE(nullptr, mkdtemp(pattern));
		root = pattern;
		job_directory = root + "/sys/fs/cgroup" + name + "/slurm/uid_1/job_7";
		EXPECT_EQ(0, system(("mkdir -p " + job_directory).c_str()));
	}
	~Hierarchy()
	{
		EXPECT_EQ(0, system(("rm -r " + root).c_str()));
	}
	Hierarchy(const Hierarchy &) = delete;
	Hierarchy &operator=(const Hierarchy &) = delete;

	std::string root, job_directory;
};

TEST(WhoOwner, IsAJobOnlyInDirectoriesOfRoot)
{
	const std::pair<const char *, const char *> hierarchies[] = {
		{"", "0:"},
		{"/unified", "0:"},
		{"/memory", "4:memory"},
		{"/systemd", "1:name=systemd"}};

	for (const auto &[name, line] : hierarchies) {
		const Hierarchy h(name);
		const std::string text = std::string(line) + ":/slurm/uid_1/job_7/step_0\n";

		EXPECT_EQ(geteuid() == 0 ? "7" : "(no job)", job(h.root, text)) << name;
		// a job whose directories are missing is not one of this hierarchy
		EXPECT_EQ("(no job)", job(h.root, std::string(line) + ":/slurm/uid_1/job_8\n"));
		if (geteuid() != 0)
			continue;
		for (const char *up : {"", "/..", "/../.."}) {
			const std::string directory = h.job_directory + up;

			EXPECT_EQ(0, chown(directory.c_str(), 1002, 0));
			EXPECT_EQ("(no job)", job(h.root, text)) << directory;
			EXPECT_EQ(0, chown(directory.c_str(), 0, 0));
		}
	}
}

TEST(WhoOwner, IsAContainer)
{
	const std::string paths[] = {
		"/docker/" + kId,
		"/system.slice/docker-" + kId + ".scope",
		"/machine.slice/libpod-" + kId + ".scope/container",
		"/kubepods.slice/kubepods-pod12.slice/cri-containerd-" + kId + ".scope",
		"/kubepods/burstable/pod1234/crio-" + kId,
		"/kubepods/burstable/pod1234/" + kId + "/inner",
	};
	for (const std::string &path : paths)
		EXPECT_EQ("0123456789ab", owner(path, BY_CONTAINER)) << path;
	for (const std::string &path :
	     {"/system.slice/" + kId.substr(1), "/system.slice/a-" + kId + "f", std::string("/")})
		EXPECT_EQ("(no container)", owner(path, BY_CONTAINER)) << path;
}

TEST(WhoOwner, IsTheProcessTheCgroupOrTheUser)
{
	EXPECT_EQ("solver (42)", owner("/a", BY_PROCESS));
	EXPECT_EQ("/a/b", owner("/a/b", BY_CGROUP));
	EXPECT_EQ("root", owner("/", BY_USER, 0));
	EXPECT_EQ("4000000000", owner("/", BY_USER, 4000000000U));
	EXPECT_EQ("all", owner("/", BY_SOCKET));
	EXPECT_EQ("(no job)", owner("/slurm/uid_1/job_2", BY_JOB)); // no job was found in its file
}

TEST(WhoOwner, HasNames)
{
	enum who_by by;

	for (unsigned i = 0; i < WHO_BYS; i++) {
		EXPECT_TRUE(who_by_named(who_by_name(i), &by));
		EXPECT_EQ(i, by);
	}
	EXPECT_EQ(nullptr, who_by_name(WHO_BYS));
	EXPECT_FALSE(who_by_named("Job", &by));
}

// A tree with one process.
class Tree
{
      public:
	Tree(const std::string &stat, const std::string &cgroup)
	{
		char name[] = "/tmp/uncore-proc-XXXXXX";

		EXPECT_NE(nullptr, mkdtemp(name));
		root = name;
		for (const char *dir : {"/proc", "/proc/7", "/proc/7/task", "/proc/7/task/7",
					"/proc/7/task/8", "/proc/self"})
			mkdir((root + dir).c_str(), 0755);
		write("stat", stat);
		write("task/7/stat", stat);
		write("cgroup", cgroup);
		write("status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n");
		procs_read(&all, root.c_str());
	}
	~Tree()
	{
		procs_free(&all);
		EXPECT_EQ(0, system(("rm -r " + root).c_str()));
	}
	Tree(const Tree &) = delete;
	Tree &operator=(const Tree &) = delete;

	std::string root;
	procs all = {};

      private:
	void write(const std::string &name, const std::string &text) const
	{
		std::ofstream(root + "/proc/7/" + name) << text;
	}
};

const char kStat[] = "7 (a) b) c) S 1 7 7 0 -1 4194560 1 2 3 4 50 25 0 0 20 0 1 0 900 1 1 1 1 1 1 "
		     "1 1 0 0 0 0 0 0 0 17 5 0 0 0 0 0\n";

TEST(WhoOwner, OfAProcessWhoseNameHasParentheses)
{
	const Tree tree(kStat, "0::/a\n");

	ASSERT_EQ(1U, tree.all.n);
	const proc &p = tree.all.list[0];
	EXPECT_STREQ("a) b) c", p.name);
	EXPECT_EQ(900U, p.start);
	EXPECT_EQ(1000U, p.uid);
	EXPECT_STREQ("/a", p.cgroup);
	ASSERT_EQ(1U, p.n); // thread 8 has ended meanwhile
	EXPECT_EQ(5U, p.threads[0].cpu);
	EXPECT_EQ(75U, p.threads[0].ticks);
	EXPECT_EQ(&p, procs_find(&tree.all, 7));
	EXPECT_EQ(nullptr, procs_find(&tree.all, 8));
}

TEST(WhoOwner, OfAProcessInSeveralHierarchiesIsTheLongestPath)
{
	const Tree tree(kStat,
			"12:cpuset:/\n4:memory:/slurm/uid_1/job_2/step_0\n1:name=systemd:/x\n");

	ASSERT_EQ(1U, tree.all.n);
	EXPECT_STREQ("/slurm/uid_1/job_2/step_0", tree.all.list[0].cgroup);
	EXPECT_STREQ("2", tree.all.list[0].job);
	char *text = owner_of(&tree.all.list[0], BY_JOB);
	EXPECT_STREQ("2", text);
	free(text);
}

TEST(WhoOwner, IsNotLookedForOfThreadsOfTheKernel)
{
	const Tree tree(
		"7 (kworker) I 2 0 0 0 -1 69238880 0 0 0 0 0 1 0 0 20 0 1 0 9 0 0 1 1 1 1 1 1 0 "
		"0 0 0 0 0 0 17 5 0 0 0 0 0\n",
		"0::/\n");
	const Tree cut("7 (x) S 1 2\n", "");

	EXPECT_EQ(0U, tree.all.n);
	EXPECT_EQ(0U, cut.all.n);
}

TEST(WhoOwner, CannotBeFoundWithoutProc)
{
	procs all = {};

	EXPECT_EQ(ENOENT, procs_read(&all, "/nonexistent"));
	procs_free(&all);
}

} // namespace
