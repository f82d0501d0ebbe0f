// SPDX-License-Identifier: BSD-3-Clause
// coverage_test.cc - intervals of random length and load: the true rates of jobs, those of the
// mounted machine, are within the errors that `uncore who` states.  UNCORE_WHO_RUNS=300 makes that
// many of them, UNCORE_EXPLAIN_SEED changes them.  Without it there are a few short ones, and no
// load that would disturb other tests.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "command/base/clock.h"
#include "command/who/report.h"
#include "support/coverage.h"
#include "support/handle.h"
#include "support/jobs.h"

namespace
{

using support::Length;
using support::Outcomes;

// 3 and 1 GB/s.
const char kJobs[] = "background 0\n"
		     "process 100 cgroup=/slurm/uid_1/job_7 cpu=0 threads=2 read=2G write=1G\n"
		     "process 200 cgroup=/slurm/uid_2/job_8 cpu=8 read=1G remote=0.25\n";
const char kReaders[] = "background 0\n"
			"process 100 cgroup=/slurm/uid_1/job_7 cpu=0 read=3G\n"
			"process 200 cgroup=/slurm/uid_2/job_8 cpu=4 read=1G\n"
			"resctrl unavailable=yes\n";

Length any_length(std::mt19937 &random, bool calm)
{
	std::uniform_real_distribution<double> unit(0, 1);
	const double most = calm ? 300 : 1e4;

	return {1e-3 * std::pow(most, unit(random)), calm ? 0 : (unsigned)(random() % 9),
		!calm && random() % 6 == 0};
}

// Until the end of an interval, as the command waits.
void wait_and_look(struct source *s, double seconds)
{
	const double look = s->kind == SOURCE_RESCTRL ? 1 : 0.1, end = seconds_now() + seconds;

	while (seconds_now() < end) {
		usleep((useconds_t)(1e6 * std::clamp(end - seconds_now(), 0.0, look)));
		EXPECT_EQ(0, source_look(s));
	}
}

void compare_row(const report_row &row, double truth, const std::string &what, const Length &run,
		 Outcomes *all)
{
	const double error = row.rate > 0 ? (row.error + row.doubt) * row.rate : row.doubt;

	all->add(what, run, std::fabs(row.rate - truth), error);
}

// An interval of a machine in which jobs 7 and 8 move 3 and 1 GB/s.
void compare(const support::Jobs &jobs, const Length &run, Outcomes *all)
{
	const support::Handle h(jobs.options());
	struct source source;
	struct report r;
	char why[1024] = "";

	ASSERT_TRUE(
		source_open(&source, SOURCE_BEST, jobs.root.c_str(), h.u, BY_JOB, why, sizeof(why)))
		<< why;
	const std::string name = source_name(source.kind);
	const support::Load load(run.busy, run.stutter);
	EXPECT_EQ(0, source_look(&source));
	EXPECT_EQ(0, source_read(&source));
	wait_and_look(&source, run.seconds);
	EXPECT_EQ(0, source_read(&source));
	report_new(&r, &source);
	all->add("memory controllers", run, std::fabs(r.total_rate.rate - 4e9),
		 r.total_rate.doubt + 1e-5 * 4e9);
	for (size_t i = 0; i < r.n; i++) {
		const std::string owner = r.rows[i].name;

		if (owner == "7" || owner == "8")
			compare_row(r.rows[i], owner == "7" ? 3e9 : 1e9, "owners by " + name, run,
				    all);
	}
	report_free(&r);
	source_close(&source);
}

TEST(WhoCoverage, TrueRatesAreWithinTheErrors)
{
	NEEDS_FUSE();
	const unsigned wanted = support::number_of("UNCORE_WHO_RUNS", 0),
		       runs = wanted ? wanted : 6;
	const support::Jobs monitored("sim:skx:packages=2,cores=8", kJobs);
	const support::Jobs filtered("sim:bdx:packages=2,cores=8", kReaders);
	std::mt19937 random(support::number_of("UNCORE_EXPLAIN_SEED", 1));
	Outcomes all;

	for (unsigned i = 0; i < runs; i++) {
		const Length run = any_length(random, !wanted);

		compare(i % 2 ? filtered : monitored, run, &all);
		if (wanted && (i + 1) % 50 == 0)
			all.print();
	}
	all.print();
	EXPECT_LE(all.all.outside, 0.05 * all.all.values + 2);
	EXPECT_LE(all.all.far, 0.001 * all.all.values + 1);
	EXPECT_EQ(0U, all.calm.withheld);
}

} // namespace
