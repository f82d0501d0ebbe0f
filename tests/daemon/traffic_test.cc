// SPDX-License-Identifier: BSD-3-Clause
// traffic_test.cc - monitoring groups that uncored makes for its clients. tests/tools/who_test.sh
// uses them as another user.
#include <fstream>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/user.h"
#include "support/mounted.h"

extern "C" {
#include "daemon/traffic.h"
}

namespace
{

// A file system of the kernel makes a group's file of threads together with the group. The mounted
// machine does so, too, but ignores modes.
thread_local bool makes_tasks = false;

} // namespace

// Instead of the C library's.
extern "C" int mkdirat(int directory, const char *path, mode_t mode) noexcept
{
	static const auto real =
		reinterpret_cast<int (*)(int, const char *, mode_t)>(dlsym(RTLD_NEXT, "mkdirat"));
	const int r = real(directory, path, mode);

	if (r == 0 && makes_tasks)
		close(openat(directory, (std::string(path) + "/tasks").c_str(),
			     O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	return r;
}

namespace
{

class MonitoringGroups : public testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		std::ofstream(processes) << "resctrl rmids=8\n"
					    "process 101 name=a cpu=0 read=1G\n";
		mounted = std::make_unique<support::Mounted>(
			"sim:skx:packages=1,cores=4", "",
			std::vector<std::string>{"--processes", processes});
		served.server->traffic = traffic_open(mounted->root.c_str());
		ASSERT_NE(nullptr, served.server->traffic);
	}
	void TearDown() override
	{
		traffic_close(served.server->traffic);
		served.server->traffic = nullptr;
		unlink(processes.c_str());
	}
	std::string path(const std::string &group) const
	{
		return mounted->root + "/sys/fs/resctrl/" + group;
	}
	bool exists(const std::string &group) const
	{
		return access(path(group).c_str(), F_OK) == 0;
	}

	const std::string processes =
		testing::TempDir() + "uncored-traffic-" + std::to_string(getpid());
	Served served;
	std::unique_ptr<support::Mounted> mounted;
};

TEST_F(MonitoringGroups, BelongToTheirClient)
{
	User anna(served, 0, 0), bert(served, 1, 0);

	ASSERT_EQ(0, anna.group(UNC_WIRE_GROUP, "")) << anna.text;
	const std::string group = anna.body.c_str();
	EXPECT_EQ(0u, group.find("mon_groups/uncored-")) << group;
	EXPECT_TRUE(exists(group));
	EXPECT_EQ(UNCORE_EINVAL, bert.group(UNC_WIRE_UNGROUP, group)) << bert.text;
	EXPECT_TRUE(exists(group));
	EXPECT_EQ(0, anna.group(UNC_WIRE_UNGROUP, group)) << anna.text;
	EXPECT_FALSE(exists(group));
	EXPECT_EQ(UNCORE_EINVAL, anna.group(UNC_WIRE_UNGROUP, group)) << anna.text;
}

TEST_F(MonitoringGroups, AreMadeInAControlGroup)
{
	User anna(served, 0, 0);

	ASSERT_EQ(0, mkdir(path("part").c_str(), 0755));
	ASSERT_EQ(0, anna.group(UNC_WIRE_GROUP, "part")) << anna.text;
	EXPECT_EQ(0u, anna.body.find("part/mon_groups/uncored-")) << anna.body;
	EXPECT_TRUE(exists(anna.body.c_str()));
	for (const char *name : {"..", ".", "part/mon_groups", "info", "mon_data", "mon_groups",
				 "/", "part/", "../../proc"})
		EXPECT_EQ(UNCORE_EINVAL, anna.group(UNC_WIRE_GROUP, name)) << name;
	EXPECT_EQ(UNCORE_EIO, anna.group(UNC_WIRE_GROUP, "missing")) << anna.text;
}

// A quarter of the eight monitoring IDs.
TEST_F(MonitoringGroups, AreLimitedForEachUser)
{
	User anna(served, 0, 0), again(served, 1, 0);

	EXPECT_EQ(0, anna.group(UNC_WIRE_GROUP, "")) << anna.text;
	EXPECT_EQ(0, again.group(UNC_WIRE_GROUP, "")) << again.text;
	EXPECT_EQ(UNCORE_EBUSY, anna.group(UNC_WIRE_GROUP, "")) << anna.text;
	EXPECT_NE(std::string::npos, anna.text.find("has 2 monitoring groups")) << anna.text;
}

// The start of a process, proc(5): field 22 of its stat; the name of this program has no blank.
std::string start_of(pid_t pid)
{
	std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
	std::string field;

	for (int i = 0; i < 22; i++)
		stat >> field;
	return field;
}

std::string own_namespace()
{
	struct stat st = {};

	EXPECT_EQ(0, stat("/proc/self/ns/pid", &st));
	return std::to_string(st.st_ino);
}

std::string name_of(const std::string &space, pid_t pid, const std::string &start)
{
	return "mon_groups/uncored-" + space + "-" + std::to_string(pid) + "-" + start + "-1";
}

TEST_F(MonitoringGroups, OfAKilledDaemonAreRemoved)
{
	const std::string space = own_namespace(), start = start_of(getpid());
	const pid_t ended = fork();

	if (ended == 0)
		_exit(0);
	siginfo_t info;
	ASSERT_EQ(0, waitid(P_PID, static_cast<id_t>(ended), &info, WEXITED | WNOWAIT));
	const std::string gone[] = {
		name_of(space, 999999999, start),
		name_of(space, getpid(), "1"),          // a later process of that number
		name_of(space, ended, start_of(ended)), // not waited for yet
		"mon_groups/uncored-1-5",               // of earlier versions
		"mon_groups/uncored-999999999-1",
	};
	const std::string stay[] = {name_of(space, getpid(), start),
				    name_of("1", 999999999, start), // another namespace
				    "mon_groups/mine",
				    "mon_groups/uncored-",
				    "mon_groups/uncored-1-5-of-mine",
				    "mon_groups/uncored-1"};

	// few IDs: one group at a time
	const auto is_left = [&](const std::string &group) {
		EXPECT_EQ(0, mkdir(path(group).c_str(), 0755)) << group;
		traffic_close(served.server->traffic);
		served.server->traffic = traffic_open(mounted->root.c_str());
		const bool left = exists(group);
		rmdir(path(group).c_str());
		return left;
	};
	for (const std::string &group : gone)
		EXPECT_FALSE(is_left(group)) << group;
	for (const std::string &group : stay)
		EXPECT_TRUE(is_left(group)) << group;
	waitpid(ended, nullptr, 0);
}

// The name has the start of its maker, so that a daemon that is started at once removes it.
TEST_F(MonitoringGroups, NameTheProcessThatMadeThem)
{
	User anna(served, 0, 0);

	ASSERT_EQ(0, anna.group(UNC_WIRE_GROUP, "")) << anna.text;
	EXPECT_EQ(name_of(own_namespace(), getpid(), start_of(getpid())), anna.body.c_str());
}

// The client, another user, reads the counts of its group.
TEST(MonitoringGroup, IsReadableWhateverTheUmaskIs)
{
	char root[] = "/tmp/uncored-groups-XXXXXX";
	Served served;
	User anna(served, 0, 0);

	ASSERT_NE(nullptr, mkdtemp(root));
	const std::string resctrl = std::string(root) + "/sys/fs/resctrl";
	ASSERT_EQ(0, system(("mkdir -p " + resctrl + "/mon_groups " + resctrl +
			     "/info/L3_MON && "
			     "echo 64 >" +
			     resctrl + "/info/L3_MON/num_rmids")
				    .c_str()));
	served.end();
	served.server->traffic = traffic_open(root);
	ASSERT_NE(nullptr, served.server->traffic);
	for (const mode_t mask : {mode_t(0), mode_t(022), mode_t(077)}) {
		const mode_t before = umask(mask);
		struct stat st = {};

		makes_tasks = true;
		EXPECT_EQ(0, anna.group(UNC_WIRE_GROUP, "")) << anna.text;
		makes_tasks = false;
		umask(before);
		EXPECT_EQ(0, stat((resctrl + "/" + anna.body.c_str()).c_str(), &st));
		EXPECT_EQ(mode_t(0755), st.st_mode & 0777) << std::oct << mask;
	}
	anna.forget();
	traffic_close(served.server->traffic);
	served.server->traffic = nullptr;
	EXPECT_EQ(0, system((std::string("rm -rf ") + root).c_str()));
}

} // namespace
