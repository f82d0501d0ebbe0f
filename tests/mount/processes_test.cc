// SPDX-License-Identifier: BSD-3-Clause
// processes_test.cc - processes of a mounted machine: proc, the traffic that registers count, and
// resctrl, whose rules are those of Documentation/filesystems/resctrl.rst.
#include <sstream>

#include "sim/mount/mount.h"
#include "support/handle.h"
#include "support/jobs.h"

namespace
{

using support::Handle;
using support::Jobs;

using support::Set;

constexpr uint64_t kSecond = 1000000000;
const char kMachine[] = "sim:skx:packages=2,cores=4,time=virtual";
const char kTwo[] =
	"background 0\n"
	"process 100 name=one cpu=0 threads=2 read=640M write=320M llc=2M\n"
	"process 200 name=two cpu=4 read=64M remote=0.5 cgroup=/a/b uid=7 from=1 until=3 "
	"move=2:0\n";

std::vector<int64_t> memory_of(const Jobs &jobs, uint64_t ns)
{
	const Handle h(jobs.options());
	Set set(h, {"UNCORE_MEM_READ_BYTES:pkg=0", "UNCORE_MEM_WRITE_BYTES:pkg=0",
		    "UNCORE_MEM_READ_BYTES:pkg=1"});

	EXPECT_EQ(0, set.start()) << h.message();
	jobs.advance(ns);
	EXPECT_EQ(0, set.stop());
	return set.counts();
}

TEST(Processes, CauseTheTrafficThatMemoryControllersCount)
{
	NEEDS_FUSE();
	const Jobs jobs(kMachine, kTwo);

	ASSERT_TRUE(jobs.mounted);
	std::vector<int64_t> counts = memory_of(jobs, kSecond);
	EXPECT_NEAR(640e6, static_cast<double>(counts[0]), 1e5);
	EXPECT_NEAR(320e6, static_cast<double>(counts[1]), 1e5);
	EXPECT_EQ(0, counts[2]);
	// the second process has half of its memory in the other package
	counts = memory_of(jobs, kSecond);
	EXPECT_NEAR(640e6 + 32e6, static_cast<double>(counts[0]), 1e5);
	EXPECT_NEAR(32e6, static_cast<double>(counts[2]), 1e5);
}

TEST(Processes, AppearInProcWhileTheyLive)
{
	NEEDS_FUSE();
	// Jobs replaces the users of processes
	const support::ProcessesFile file(kTwo);
	const support::Mounted jobs(kMachine, "", {"--processes", file.name});

	EXPECT_EQ("one\n", jobs.text("proc/100/comm"));
	EXPECT_NE(0, access(jobs.path("proc/200").c_str(), F_OK));
	jobs.advance(kSecond + kSecond / 2);
	EXPECT_EQ("0::/a/b\n", jobs.text("proc/200/cgroup"));
	EXPECT_NE(std::string::npos, jobs.text("proc/200/status").find("Uid:\t7\t"));
	std::istringstream stat(jobs.text("proc/100/task/101/stat"));
	std::vector<std::string> words{std::istream_iterator<std::string>(stat), {}};
	ASSERT_EQ(52U, words.size());
	EXPECT_EQ("101", words[0]);
	EXPECT_EQ("150", words[13]); // ticks in user mode
	EXPECT_EQ("1", words[38]);   // CPU
	jobs.advance(2 * kSecond);
	EXPECT_NE(0, access(jobs.path("proc/200").c_str(), F_OK));
	EXPECT_EQ(0, access(jobs.path("proc/100/task/101").c_str(), F_OK));
}

TEST(Processes, AreMonitoredByGroups)
{
	NEEDS_FUSE();
	const Jobs jobs(kMachine, kTwo);

	ASSERT_EQ(0, jobs.make("mon_groups/a"));
	EXPECT_EQ(EEXIST, jobs.make("mon_groups/a"));
	EXPECT_EQ(0, jobs.assign("mon_groups/a", "101"));
	EXPECT_EQ("101\n", jobs.text("sys/fs/resctrl/mon_groups/a/tasks"));
	EXPECT_EQ("100\n101\n", jobs.text("sys/fs/resctrl/tasks"));
	jobs.advance(kSecond);
	// one of two threads; a control group counts for its monitoring groups, too
	EXPECT_NEAR(480e6, jobs.number("mon_groups/a/mon_data/mon_L3_00/mbm_total_bytes"), 1e5);
	EXPECT_NEAR(480e6, jobs.number("mon_groups/a/mon_data/mon_L3_00/mbm_local_bytes"), 1e5);
	EXPECT_EQ(0, jobs.number("mon_groups/a/mon_data/mon_L3_01/mbm_total_bytes"));
	EXPECT_EQ(1e6, jobs.number("mon_groups/a/mon_data/mon_L3_00/llc_occupancy"));
	EXPECT_NEAR(960e6, jobs.number("mon_data/mon_L3_00/mbm_total_bytes"), 1e5);
	// the other moves from package 1 to package 0 after a second
	ASSERT_EQ(0, jobs.assign("mon_groups/a", "200"));
	jobs.advance(2 * kSecond);
	EXPECT_NEAR(64e6, jobs.number("mon_groups/a/mon_data/mon_L3_01/mbm_total_bytes"), 1e5);
	EXPECT_NEAR(32e6, jobs.number("mon_groups/a/mon_data/mon_L3_01/mbm_local_bytes"), 1e5);
	EXPECT_EQ(ESRCH, jobs.assign("mon_groups/a", "200"));
	EXPECT_EQ(0, jobs.remove("mon_groups/a"));
	EXPECT_EQ(ENOENT, jobs.remove("mon_groups/a"));
	EXPECT_NE(0, access(jobs.group("mon_groups/a").c_str(), F_OK));
}

TEST(Processes, ObeyTheRulesOfGroups)
{
	NEEDS_FUSE();
	const Jobs jobs(kMachine, std::string(kTwo) + "resctrl rmids=4 energy=yes\n");

	ASSERT_EQ(0, jobs.make("control"));
	ASSERT_EQ(0, jobs.make("control/mon_groups/m"));
	EXPECT_EQ(EPERM, jobs.make("control/mon_groups/m/more"));
	EXPECT_EQ(EINVAL, jobs.assign("control/mon_groups/m", "100")); // not of the control group
	EXPECT_EQ(0, jobs.assign("control", "100"));
	EXPECT_EQ(0, jobs.assign("control/mon_groups/m", "100"));
	EXPECT_EQ(EINVAL, jobs.assign("control/mon_groups/m", "word"));
	EXPECT_EQ(0, jobs.make("mon_groups/third"));
	EXPECT_EQ(ENOSPC, jobs.make("mon_groups/fourth"));
	jobs.advance(kSecond);
	EXPECT_LT(1, jobs.number("control/mon_groups/m/mon_data/mon_PERF_PKG_00/core_energy"));
	EXPECT_EQ(EPERM, jobs.remove("mon_data"));
	EXPECT_EQ(0, jobs.remove("control"));
	EXPECT_EQ("100\n101\n200\n", jobs.text("sys/fs/resctrl/tasks"));
	EXPECT_EQ(0, jobs.make("mon_groups/fourth"));
}

TEST(Processes, HaveWhatThePlatformMonitors)
{
	NEEDS_FUSE();
	const std::string two = kTwo;
	const Jobs older("sim:ivbep:packages=1,cores=2", two),
		hsw("sim:hswep:packages=1,cores=2", two);
	const Jobs disabled(kMachine, two + "resctrl unavailable=yes\n");

	EXPECT_NE(0, access(older.group("tasks").c_str(), F_OK));
	EXPECT_NE(0, access(disabled.group("tasks").c_str(), F_OK));
	EXPECT_EQ("llc_occupancy\n", hsw.text("sys/fs/resctrl/info/L3_MON/mon_features"));
	EXPECT_NE(0, access(hsw.group("mon_data/mon_L3_00/mbm_total_bytes").c_str(), F_OK));
}

// BDF102 and SKX99: high RMIDs count too much unless the kernel corrects them.
TEST(Processes, HaveTheErrorOfOldKernels)
{
	NEEDS_FUSE();
	for (const char *kernel : {"5.10.0", "5.11.0"}) {
		const Jobs jobs(kMachine,
				std::string(kTwo) + "resctrl rmids=2\nkernel " + kernel + "\n");
		const double factor = std::string(kernel) == "5.10.0" ? 1 / 0.5454 : 1;

		ASSERT_EQ(0, jobs.make("mon_groups/a"));
		ASSERT_EQ(0, jobs.assign("mon_groups/a", "100"));
		jobs.advance(kSecond);
		EXPECT_NEAR(480e6 * factor,
			    jobs.number("mon_groups/a/mon_data/mon_L3_00/mbm_total_bytes"), 1e5)
			<< kernel;
	}
}

TEST(Processes, OfWrongDescriptionsAreRefusedWithTheLine)
{
	char dir[] = "/tmp/uncore-mounted-XXXXXX";

	ASSERT_NE(nullptr, mkdtemp(dir));
	for (const char *line : {"proces 1",
				 "process",
				 "process 0",
				 "process x",
				 "process 1 read",
				 "process 1 read=",
				 "process 1 read=-1",
				 "process 1 read=1X",
				 "process 1 read=nan",
				 "process 1 remote=2",
				 "process 1 threads=0",
				 "process 1 cgroup=a",
				 "process 1 name=",
				 "process 1 move=1",
				 "process 1 move=2:0 move=1:0",
				 "process 1 color=red",
				 "process 99 threads=2",
				 "resctrl rmids=0",
				 "resctrl energy=maybe",
				 "background x",
				 "offline 1",
				 "offline 1 2 1",
				 "offline 9 1 2",
				 "kernel"}) {
		const support::ProcessesFile file("process 100\n" + std::string(line) + "\n");
		mount_options o = {};
		char why[512] = "";

		o.machine = kMachine;
		o.dir = dir;
		o.processes = file.name.c_str();
		EXPECT_EQ(-1, mount_machine(&o, why, sizeof(why))) << line;
		EXPECT_NE(nullptr, strstr(why, ", line 2: invalid ")) << line << ": " << why;
	}
	rmdir(dir);
}

} // namespace
