// SPDX-License-Identifier: BSD-3-Clause
// two_handles_test.cc - two handles of one process on a mounted machine conflict like two
// processes.
#include <algorithm>
#include <memory>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>

#include "support/child.h"
#include "support/mounted.h"

namespace
{

using support::Handle;
using support::Mounted;
using support::Set;

class TwoHandles : public testing::Test
{
      protected:
	void mount(const std::string &machine)
	{
		files = std::make_unique<Mounted>(machine);
		ASSERT_TRUE(files->mounted);
		one = std::make_unique<Handle>(files->options());
		other = std::make_unique<Handle>(files->options());
		ASSERT_EQ(0, one->code) << one->message();
		ASSERT_EQ(0, other->code) << other->message();
	}
	void TearDown() override
	{
		one.reset();
		other.reset();
		files.reset();
	}
	static int stop_after(const Set &set, unsigned event)
	{
		auto after = support::sized<uncore_stop_after>();

		after.event = event;
		after.count = 1000000;
		return uncore_set_stop_after(set.set, &after, 1, 0);
	}
	std::unique_ptr<Mounted> files;
	std::unique_ptr<Handle> one, other;
};

// The free-running counter is first in the list: others keep the package running.
const std::vector<std::string> kRunsAndStands = {"UNC_IIO_BANDWIDTH_IN:box=0:pkg=0",
						 "UNC_M_CAS_COUNT:RD:box=0:pkg=0"};
const std::vector<std::string> kClocks = {"UNC_CHA_CLOCKTICKS:box=0:pkg=0"};

TEST_F(TwoHandles, NothingThatCanBeFrozenStartsWithASetThatStopsThePackage)
{
	NEEDS_FUSE();
	mount("sim:spr:packages=1,cores=4,time=virtual");
	Set stops(*one, kClocks), neighbour(*other, kRunsAndStands);

	ASSERT_EQ(0, stop_after(stops, 0)) << one->message();
	ASSERT_EQ(0, stops.start()) << one->message();
	EXPECT_EQ(UNCORE_EBUSY, neighbour.start());
	EXPECT_NE(std::string::npos, other->message().find("(pid " + std::to_string(getpid())))
		<< other->message();
}

TEST_F(TwoHandles, NothingThatStopsThePackageStartsWithASetThatCanBeFrozen)
{
	NEEDS_FUSE();
	mount("sim:spr:packages=1,cores=4,time=virtual");
	Set stops(*one, kRunsAndStands), neighbour(*other, kClocks);

	ASSERT_EQ(0, stop_after(stops, 1)) << one->message();
	ASSERT_EQ(0, neighbour.start()) << other->message();
	EXPECT_EQ(UNCORE_EBUSY, stops.start());
	EXPECT_EQ(0, neighbour.stop()) << other->message();
	EXPECT_EQ(0, stops.start()) << one->message();
}

// The kernel lists locks by the CPU on which they were taken.
void run_on(const cpu_set_t &cpus, bool first)
{
	cpu_set_t one;
	int cpu = -1;

	for (int i = 0; i < CPU_SETSIZE && (cpu < 0 || !first); i++)
		cpu = CPU_ISSET(i, &cpus) ? i : cpu;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

// Takes and releases many unrelated locks until it is killed.
pid_t lock_and_unlock(const cpu_set_t &cpus)
{
	const pid_t pid = support::fork_clean();
	char name[] = "/tmp/uncore-locks-XXXXXX";

	if (pid != 0)
		return pid;
	run_on(cpus, true);
	const int fd = mkstemp(name);
	unlink(name);
	for (uint32_t i = 1;; i = i * 1664525 + 1013904223) {
		struct flock lock = {};

		lock.l_type = i >> 31 ? F_UNLCK : F_WRLCK;
		lock.l_whence = SEEK_SET;
		lock.l_start = (i >> 8) % 400 * 2;
		lock.l_len = 1;
		if (fcntl(fd, F_SETLK, &lock) != 0)
			_exit(1);
	}
}

TEST_F(TwoHandles, SeeEachOtherWithAnyNumberOfLocks)
{
	NEEDS_FUSE();
	mount("sim:snbep:packages=1,cores=4,time=virtual");
	Set first(*one, {"UNC_C_CLOCKTICKS:box=0:pkg=0"}),
		second(*other, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});
	cpu_set_t cpus;
	unsigned refused = 0;

	ASSERT_EQ(0, sched_getaffinity(0, sizeof(cpus), &cpus));
	const pid_t pid = lock_and_unlock(cpus);
	run_on(cpus, false);

	usleep(20000);
	for (int i = 0; i < 100; i++) {
		EXPECT_EQ(0, first.start()) << one->message();
		refused += second.start() == UNCORE_EBUSY;
		second.stop();
		EXPECT_EQ(0, first.stop()) << one->message();
	}
	EXPECT_EQ(100U, refused);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	kill(pid, SIGKILL);
	EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
}

} // namespace
