// SPDX-License-Identifier: BSD-3-Clause
// own_reads_test.cc - the traffic of a program by the reads of the CPUs on which it ran.  Processes
// are those of a mounted machine, counts are made up.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/handle.h"
#include "support/jobs.h"
#include "support/stepped.h"

extern "C" {
#include "command/explain/own_reads.h"
}

namespace
{

using support::Handle;
using support::Jobs;

constexpr pid_t kSelf = 77;
constexpr size_t kCpus = 4;
constexpr uint64_t kSecond = 1000000000;

// Reads of four CPUs, in rows of a second.
class Counted
{
      public:
	Counted()
	{
		c.packages = 1;
		c.events = events.data();
		c.basket.events = in_basket.data();
		c.basket.parts = &part;
		c.basket.n_events = kCpus;
		part.up = true;
		for (size_t i = 0; i < kCpus; i++) {
			events[i].quantity = Q_CORE_READS;
			events[i].box = (int)i;
		}
		run.packages = 1;
		run.at = &package;
		run.end = 1;
		package.rate[Q_READ] = 6e9;
		package.rate[Q_WRITE] = 1.5e9;
	}
	// Bytes of each CPU since the last row; each slice sees a fourth of the lines.
	void add_row(const std::array<double, kCpus> &bytes)
	{
		for (size_t i = 0; i < kCpus; i++) {
			const double before = c.rows ? samples[(c.rows - 1) * kCpus + i].count : 0;
			sample s = {};

			s.count = before + bytes[i] / 64 / kCpus;
			s.seconds = s.counted = (double)c.rows;
			samples.push_back(s);
		}
		c.rows++;
		c.samples = samples.data();
	}

	collection c = {};
	facts run = {};
	package_facts package = {};

      private:
	std::array<collected, kCpus> events = {};
	std::array<basket_event, kCpus> in_basket = {};
	basket_part part = {};
	std::vector<sample> samples;
};

// A machine with processes, whose parent 77 stands for uncore.
class OwnReads : public testing::Test
{
      public:
	void count(const std::string &processes, const std::array<double, kCpus> &bytes,
		   uint64_t spent)
	{
		const Jobs jobs("sim:ivbep:packages=1,cores=4,time=virtual", processes);
		const Handle h(jobs.options());
		own_reads o;

		ASSERT_TRUE(own_reads_open(&o, h.u, jobs.root.c_str(), kSelf));
		ASSERT_EQ(kCpus, o.reads.n);
		counted.add_row({});
		own_reads_row(&o, &counted.c);
		jobs.advance(kSecond);
		counted.add_row(bytes);
		own_reads_row(&o, &counted.c);
		own_reads_add(&o, &counted.c, &counted.run, spent);
		own_reads_close(&o);
	}

	Counted counted;
	const package_facts &is = counted.package;
};

// 3 of 6 GB/s are read by the program, known to a quarter; it may have all or none of the writes.
TEST_F(OwnReads, AreThoseOfItsCpus)
{
	NEEDS_FUSE();
	count("process 100 parent=77 cpu=0\nprocess 200 parent=100 cpu=1\nprocess 300 cpu=2\n",
	      {2e9, 1e9, 3e9, 0}, 0);
	EXPECT_TRUE(is.has_own);
	EXPECT_TRUE(is.own_of_cores);
	EXPECT_NEAR(3.75e9, is.own, 1e3);
	EXPECT_NEAR(0.25 * 3e9 + 0.75e9, is.own_error, 1e3);
}

// Of CPU 1 it may have read all or nothing, and of CPU 3, which no process used.
TEST_F(OwnReads, HaveErrorsOfCpusThatOthersUse)
{
	NEEDS_FUSE();
	count("process 100 parent=77 cpu=0\nprocess 200 parent=100 cpu=1\nprocess 300 cpu=1\n",
	      {4e9, 1e9, 0, 0.5e9}, 0);
	EXPECT_TRUE(is.has_own);
	EXPECT_NEAR(4.5e9 + 2e9 * 4.5 / 5.5, is.own, 1e3);
	EXPECT_LE(4.5e9 / 4 + 0.5e9 + 0.5e9, is.own_error);
	EXPECT_GE(is.own, is.own_error);
}

TEST_F(OwnReads, AreUnknownIfItsCpuTimeWasNotSeen)
{
	NEEDS_FUSE();
	count("process 100 parent=77 cpu=0\n", {2e9, 0, 0, 0}, 140); // it uses 100 ticks
	EXPECT_FALSE(is.has_own);
}

TEST_F(OwnReads, AreKnownIfMostOfItsCpuTimeWasSeen)
{
	NEEDS_FUSE();
	count("process 100 parent=77 cpu=0\n", {2e9, 0, 0, 0}, 130);
	EXPECT_TRUE(is.has_own);
}

TEST_F(OwnReads, AreUnknownIfItWasNotSeen)
{
	NEEDS_FUSE();
	count("process 300 parent=76 cpu=2\n", {2e9, 1e9, 3e9, 0}, 0);
	EXPECT_FALSE(is.has_own);
}

TEST_F(OwnReads, AreNoneWithoutFilters)
{
	const Handle h(support::sim_options("sim:skx:packages=1,cores=2"));
	own_reads o;
	EXPECT_FALSE(own_reads_open(&o, h.u, "", kSelf));
}

// A quarter of the reads of package 0 go to package 1: of the program's 2 GB/s none or 1 GB/s.
TEST(OwnReadsOfMemory, AreSharedByThePackages)
{
	const reads_of_cpus reads[] = {{4e9, 2e9, 0}, {2e9, 0, 0}};
	std::array<package_facts, 2> packages = {};
	facts run = {};

	run.packages = 2;
	run.at = packages.data();
	packages[0].rate[Q_LOCAL_READS] = 3e9 / 64;
	packages[0].rate[Q_REMOTE_READS] = 1e9 / 64;
	packages[1].rate[Q_LOCAL_READS] = 2e9 / 64;
	for (package_facts &p : packages)
		p.rate[Q_READ] = 3e9;
	own_reads_share(&run, reads);
	EXPECT_TRUE(packages[0].has_own && packages[1].has_own);
	EXPECT_NEAR(1.5e9, packages[0].own, 1);
	EXPECT_NEAR(0.5e9, packages[0].own_error, 1);
	EXPECT_NEAR(0.5e9, packages[1].own, 1);
	EXPECT_NEAR(0.5e9, packages[1].own_error, 1);

	// without events of remote reads all of them may go anywhere
	for (package_facts &p : packages)
		p.rate[Q_LOCAL_READS] = p.rate[Q_REMOTE_READS] = NAN;
	own_reads_share(&run, reads);
	EXPECT_NEAR(1e9, packages[0].own, 1);
	EXPECT_NEAR(1e9, packages[0].own_error, 1);
}

} // namespace
