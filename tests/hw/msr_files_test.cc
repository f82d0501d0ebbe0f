// SPDX-License-Identifier: BSD-3-Clause
// msr_files_test.cc - which MSR files are opened, and when.  A CPU reads its own file without an
// interrupt of another CPU.
#include <dlfcn.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "set/inside.h"
#include "support/child.h"
#include "support/open_files.h"
#include "support/tree.h"

namespace
{

// The CPU that this thread claims to run on; -1: the one that it runs on.
thread_local int pretended_cpu = -1;

} // namespace

// Instead of the C library's.
extern "C" int sched_getcpu() noexcept
{
	static const auto real = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "sched_getcpu"));

	return pretended_cpu >= 0 ? pretended_cpu : real();
}

namespace
{

using support::NativeMachine;
using support::open_files_below;
using support::OpenFile;
using support::Set;
using support::Tree;

// A thread on a CPU, and the MSR files of the tree that are open.
class MsrFiles : public testing::Test
{
      protected:
	MsrFiles()
	{
		run_on(5);
		tree.two_packages(); // CPUs 0 to 3, and 4 to 7
	}
	~MsrFiles() override
	{
		run_on(-1);
	}
	static void run_on(int cpu)
	{
		pretended_cpu = cpu;
	}
	// By number of the CPU.  The files of the packages' first CPUs are open as locks, too.
	std::set<unsigned> open() const
	{
		std::map<unsigned, int> times;
		std::set<unsigned> cpus;
		unsigned cpu;

		for (const OpenFile &file : open_files_below(tree.root))
			if (sscanf(file.path.c_str() + tree.root.size(), "/dev/cpu/%u/msr", &cpu) ==
			    1)
				times[cpu]++;
		for (const auto &[number, n] : times)
			if (n > (number == 0 || number == 4))
				cpus.insert(number);
		return cpus;
	}

	Tree tree;
};

using Cpus = std::set<unsigned>;

TEST_F(MsrFiles, AFirstStartOpensOneOfEachPackage)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start()) << machine.message();
	set.counts();
	EXPECT_EQ((Cpus{0, 5}), open()) << "the caller's in its package";
	EXPECT_EQ(0, set.stop());
}

// All CPUs of a package have the same registers: only an offline one is replaced by another.
TEST_F(MsrFiles, ARegisterThatDoesNotExistIsNotTriedOnOtherCpus)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS"});
	unc_hw *hw = unc_hw_of(machine.u);
	unc_op op = {};
	uint64_t value;

	ASSERT_EQ(0, set.start()) << machine.message();
	op.space = UNCORE_MSR;
	op.width = 64;
	op.package = 1;
	op.address = 0xf0000000; // behind the end of the file
	EXPECT_EQ(-EIO, hw->ops->read(hw, &op, &value));
	EXPECT_EQ((Cpus{0, 5}), open());
	EXPECT_EQ(0, set.stop());
}

TEST_F(MsrFiles, AReadOpensThatOfItsCpuOnce)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start()) << machine.message();
	for (const int cpu : {2, 2, 7, 5, 2}) {
		run_on(cpu);
		set.counts();
	}
	EXPECT_EQ((Cpus{0, 2, 5, 7}), open());
	EXPECT_EQ(0, set.stop());
}

// CPUs of a package share their registers; here CPU 2 has others.
TEST_F(MsrFiles, AReadUsesThatOfItsCpu)
{
	constexpr uint32_t kCounter = 0xd19; // counter 3 of C-Box 0
	const std::string first = Tree::msr_name(0), other = Tree::msr_name(2);
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});

	run_on(1);
	ASSERT_EQ(0, set.start()) << machine.message();
	const uint64_t zero = tree.get(first, kCounter, 8);
	tree.remove(other);
	tree.write(other, std::string(0x1000, 0));
	tree.put(other, kCounter, zero + 1000, 8);
	EXPECT_EQ(0, set.count());
	run_on(2);
	EXPECT_EQ(1000, set.count());
	set.stop();
}

TEST_F(MsrFiles, AFileThatCannotBeOpenedIsTriedOnce)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start()) << machine.message();
	const std::string name = tree.path(Tree::msr_name(2)), away = name + ".away";
	rename(name.c_str(), away.c_str());
	run_on(2);
	set.counts();
	rename(away.c_str(), name.c_str());
	set.counts();
	EXPECT_EQ((Cpus{0, 5}), open());
	EXPECT_EQ(0, set.stop());
}

TEST_F(MsrFiles, ThreadsThatOpenOneAtTheSameTimeShareIt)
{
	constexpr int kThreads = 8;
	NativeMachine machine(tree);
	Set set(machine, {"UNC_C_CLOCKTICKS"});
	std::vector<std::thread> threads;
	std::atomic<int> ready{0};

	ASSERT_EQ(0, set.start()) << machine.message();
	for (int i = 0; i < kThreads; i++)
		threads.emplace_back([&] {
			std::vector<int64_t> values(1);

			run_on(6);
			ready++;
			while (ready < kThreads)
				;
			EXPECT_EQ(0, uncore_set_read(set.set, values.data()));
		});
	for (std::thread &thread : threads)
		thread.join();
	int times = 0;
	for (const OpenFile &file : open_files_below(tree.root))
		times += file.path == tree.path(Tree::msr_name(6));
	EXPECT_EQ(1, times);
	EXPECT_EQ(0, set.stop());
}

TEST_F(MsrFiles, MostDescriptorsOfTheProcessAreLeftToIt)
{
	constexpr unsigned kLimit = 80, kCpus = 64;

	tree.online("0-63");
	for (unsigned i = 8; i < kCpus; i++)
		tree.cpu(i, i % 2, i);
	EXPECT_EQ(0, support::in_child([&] {
			  const rlimit few = {kLimit, 1024};

			  setrlimit(RLIMIT_NOFILE, &few);
			  NativeMachine machine(tree);
			  Set set(machine, {"UNC_C_CLOCKTICKS"});

			  if (set.start() != 0)
				  return 1;
			  for (unsigned cpu = 0; cpu < kCpus; cpu++) {
				  run_on(static_cast<int>(cpu));
				  set.counts();
			  }
			  return open().size() == kLimit / 4 ? 0 : 2;
		  }));
}

TEST_F(MsrFiles, LaterStartsStopsAndReadsOfACpuOpenNothing)
{
	NativeMachine machine(tree);
	Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, set.stop());
	const size_t files = open_files_below(tree.root).size();
	// a file that was removed cannot be opened again
	tree.remove("dev");
	tree.remove("proc");
	tree.remove("sys");
	ASSERT_EQ(0, set.start()) << machine.message();
	set.counts();
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(files, open_files_below(tree.root).size());
}

} // namespace
