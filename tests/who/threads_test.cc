// SPDX-License-Identifier: BSD-3-Clause
// threads_test.cc - counters of the kernel in each thread, with page faults in the place of cache
// misses, which few virtual machines have.  The processes are real ones.
#include <atomic>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "command/who/threads.h"
#include "support/handle.h"
#include "support/sized.h"

namespace
{

constexpr double kPages = 4000, kLine = 64;

void fault()
{
	const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
	const size_t bytes = static_cast<size_t>(kPages) * page;
	char *memory = static_cast<char *>(
		mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	madvise(memory, bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < bytes; i += page)
		memory[i] = 1;
	munmap(memory, bytes);
}

class Threads : public testing::Test
{
      protected:
	Threads()
	{
		auto options = support::sized<uncore_options>();
		perf_event_attr event = {};

		event.type = PERF_TYPE_SOFTWARE;
		event.config = PERF_COUNT_SW_PAGE_FAULTS;
		options.machine = "sim:snbep:packages=1,cores=1";
		machine.reset(new support::Handle(options));
		open = threads_open(&threads, machine->u, &event, BY_PROCESS, why, sizeof(why));
	}
	~Threads() override
	{
		if (open)
			threads_close(&threads);
	}
	void look()
	{
		procs all, own = {};
		proc *self;

		ASSERT_EQ(0, procs_read(&all, ""));
		self = procs_find(&all, getpid());
		ASSERT_NE(nullptr, self);
		own.list = self;
		own.n = 1;
		threads_look(&threads, &own);
		procs_free(&all);
	}
	double faults()
	{
		threads_read(&threads);
		for (size_t i = 0; i < threads.shares.n; i++)
			if (std::string(threads.shares.list[i].owner)
				    .find("(" + std::to_string(getpid()) + ")") !=
			    std::string::npos)
				return sum_of_packages(threads.shares.list[i].values.total) / kLine;
		return -1;
	}
	std::unique_ptr<support::Handle> machine;
	struct threads threads = {};
	char why[256] = "";
	bool open = false;
};

TEST_F(Threads, AreCountedFromTheFirstLookOn)
{
	if (!open)
		GTEST_SKIP() << why;
	look();
	threads_read(&threads);
	fault();
	// and some of the test's own, more with a sanitizer
	const double once = faults();
	EXPECT_LE(kPages, once);
	EXPECT_GT(2 * kPages, once);
	fault();
	look();
	fault();
	const double twice = faults();
	EXPECT_LE(2 * kPages, twice);
	EXPECT_GT(3 * kPages, twice);
}

TEST_F(Threads, ThatEndAreCountedToTheirEnd)
{
	std::atomic<int> step{0};
	std::thread other([&] {
		while (step == 0)
			usleep(1000);
		fault();
		step = 2;
		while (step == 2)
			usleep(1000);
	});

	if (open) {
		look();
		threads_read(&threads);
		EXPECT_EQ(2U, threads.n);
	}
	step = 1;
	while (step == 1)
		usleep(1000);
	step = 3;
	other.join();
	if (!open)
		GTEST_SKIP() << why;
	look();
	EXPECT_LE(kPages, faults());
	EXPECT_EQ(1U, threads.n);
}

TEST_F(Threads, ThatCannotBeCountedAreReported)
{
	proc_thread thread = {1, 0, 0};
	char name[] = "init", cgroup[] = "/";
	proc init = {};
	procs all = {&init, 1};

	if (!open)
		GTEST_SKIP() << why;
	init.pid = 1;
	init.uid = geteuid();
	init.name = name;
	init.cgroup = cgroup;
	init.threads = &thread;
	init.n = 1;
	threads.event->type = 0x7fffffff; // no such PMU
	threads_look(&threads, &all);
	threads_read(&threads);
	EXPECT_EQ(1U, threads.ungrouped);
	EXPECT_EQ(ENOENT, threads.error);
}

// The counter of the only thread: value, time enabled and time running are read from a pipe.
int counter_from_pipe()
{
	int ends[2];

	for (int fd = 3; fd < 1000; fd++) {
		char link[64] = "";

		if (readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), link,
			     sizeof(link) - 1) < 0 ||
		    !strstr(link, "perf_event"))
			continue;
		EXPECT_EQ(0, pipe(ends));
		EXPECT_EQ(fd, dup2(ends[0], fd));
		close(ends[0]);
		return ends[1];
	}
	return -1;
}

TEST_F(Threads, ThatRunWithoutTheirCounterAreReported)
{
	const uint64_t reads[][3] = {
		{0, 1000, 0}, {200, 2000, 500}, {200, 2000, 500}, {200, 3000, 500}};

	if (!open)
		GTEST_SKIP() << why;
	look();
	const int counter = counter_from_pipe();
	ASSERT_LE(0, counter);
	ASSERT_EQ(ssize_t(sizeof(reads)), write(counter, reads, sizeof(reads)));
	EXPECT_EQ(0, faults());
	EXPECT_EQ(1U, threads.starved);
	EXPECT_EQ(400, faults()); // in half of the time since then
	EXPECT_EQ(0U, threads.starved);
	EXPECT_EQ(0, faults()); // it did not run
	EXPECT_EQ(0U, threads.starved);
	EXPECT_EQ(0, faults());
	EXPECT_EQ(1U, threads.starved);
	EXPECT_EQ(0U, threads.ungrouped);
	close(counter);
}

TEST_F(Threads, ThatHaveEndedAreNotReported)
{
	proc_thread thread = {};
	char name[] = "ended", cgroup[] = "/";
	proc ended = {};
	procs all = {&ended, 1};

	if (!open)
		GTEST_SKIP() << why;
	ended.pid = fork();
	if (ended.pid == 0)
		_exit(0);
	waitpid(ended.pid, nullptr, 0);
	thread.tid = ended.pid;
	ended.uid = geteuid();
	ended.name = name;
	ended.cgroup = cgroup;
	ended.threads = &thread;
	ended.n = 1;
	threads_look(&threads, &all);
	threads_read(&threads);
	EXPECT_EQ(0U, threads.ungrouped);
	EXPECT_EQ(0, threads.error);
}

// Each has a descriptor.
TEST(ThreadsLimit, IsRaisedToThatOfTheUser)
{
	auto options = support::sized<uncore_options>();
	perf_event_attr event = {};
	struct threads threads;
	char why[256] = "";
	rlimit before, limit;

	event.type = PERF_TYPE_SOFTWARE;
	event.config = PERF_COUNT_SW_PAGE_FAULTS;
	options.machine = "sim:snbep:packages=1,cores=1";
	const support::Handle machine(options);
	getrlimit(RLIMIT_NOFILE, &before);
	limit = {128, before.rlim_max};
	setrlimit(RLIMIT_NOFILE, &limit);
	if (threads_open(&threads, machine.u, &event, BY_PROCESS, why, sizeof(why))) {
		getrlimit(RLIMIT_NOFILE, &limit);
		EXPECT_EQ(limit.rlim_max, limit.rlim_cur);
		threads_close(&threads);
	}
	setrlimit(RLIMIT_NOFILE, &before);
}

TEST_F(Threads, AreNotCountedByAnEventThatIsNotHere)
{
	perf_event_attr event = {};
	struct threads none;

	event.type = 0x7fffffff;
	EXPECT_FALSE(threads_open(&none, machine->u, &event, BY_PROCESS, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "perf cannot count misses of the last-level cache: "))
		<< why;
}

} // namespace
