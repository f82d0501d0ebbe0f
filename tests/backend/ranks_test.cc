// SPDX-License-Identifier: BSD-3-Clause
// ranks_test.cc - ranks of a job on one node: one counts an event, the others read 0, in any
// order of starts and ends. Two handles treat each other like two processes.
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "daemon/served.h"
#include "support/child.h"
#include "support/fake_driver.h"
#include "support/launched.h"
#include "support/mounted.h"

namespace
{

using support::Launched;
using Counts = std::vector<int64_t>;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";
constexpr char kMean[] = "UNCORE_DRAM_READ_QUEUE_LATENCY_NS";
constexpr char kWrites[] = "UNC_M_CAS_COUNT:WR";
constexpr char kRequests[] = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD";
constexpr uint64_t kSecond = 1000000000;

std::unique_ptr<support::Handle> open_as(const uncore_options &options,
					 const Launched::Variables &variables)
{
	Launched::become(variables);
	auto handle = std::make_unique<support::Handle>(options);

	EXPECT_EQ(0, handle->code) << handle->message();
	return handle;
}

unsigned by_others(const support::Set &set)
{
	return set.info().elsewhere;
}

// A read finds that another rank has stopped.  Under load the thread that counts on may be late.
void expect_to_follow(support::Set &set, unsigned expected = 0)
{
	for (int i = 0; i < 10000 && by_others(set) != expected; i++) {
		for (const int64_t count : set.counts())
			EXPECT_LE(0, count);
		usleep(i ? 1000 : 0);
	}
	EXPECT_EQ(expected, by_others(set));
}

class Ranks : public ::testing::Test
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		files = std::make_unique<support::Mounted>(
			"sim:snbep:packages=2,cores=2,time=virtual");
		ASSERT_TRUE(files->mounted);
	}
	std::unique_ptr<support::Handle> rank(const Launched::Variables &variables,
					      const char *share = nullptr) const
	{
		auto options = files->options();

		options.lock_timeout_ms = 60000; // tests of other machines have the same gate
		options.share = share;
		return open_as(options, variables);
	}
	std::unique_ptr<support::Handle> rank(int number) const
	{
		return rank(Launched::task(std::to_string(number)));
	}
	// The count of a second in a program without ranks.
	int64_t in_a_second(const char *event) const
	{
		const auto alone = rank(Launched::Variables());
		support::Set set(*alone, {event});

		EXPECT_EQ(0, set.start()) << alone->message();
		files->advance(kSecond);
		EXPECT_EQ(0, set.stop());
		return set.counts()[0];
	}
	// Rates are rounded, by box.
	static void expect_near(int64_t expected, int64_t found)
	{
		EXPECT_LT(0, expected);
		EXPECT_NEAR(static_cast<double>(expected), static_cast<double>(found), 32);
	}

	const Launched launched;
	std::unique_ptr<support::Mounted> files;
};

TEST_F(Ranks, OneCountsAndTheOthersReadZero)
{
	const int64_t reads = in_a_second(kReads), requests = in_a_second(kRequests);
	const auto a = rank(0), b = rank(1), c = rank(2);
	support::Set sa(*a, {kReads, kRequests}), sb(*b, {kReads, kRequests}),
		sc(*c, {kReads, kRequests});

	testing::internal::CaptureStderr();
	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	ASSERT_EQ(0, sc.start()) << c->message();
	files->advance(kSecond);
	expect_near(reads, sa.counts()[0]);
	expect_near(requests, sa.counts()[1]);
	EXPECT_EQ(Counts({0, 0}), sb.counts());
	EXPECT_EQ(Counts({0, 0}), sc.counts());
	EXPECT_EQ(0U, by_others(sa));
	EXPECT_EQ(2U, by_others(sb));
	EXPECT_EQ(0, uncore_set_check(sb.set)) << b->message();
	EXPECT_EQ(0, sb.stop()) << b->message();
	EXPECT_EQ(0, sc.stop()) << c->message();
	EXPECT_EQ(Counts({0, 0}), sc.counts());
	EXPECT_EQ(0, sa.stop()) << a->message();
	expect_near(reads, sa.counts()[0]);
	EXPECT_EQ("uncore: rank 0 of the 4 on this node counts " + std::string(kReads) +
			  " and 1 more event for all, the others read 0; to count in each rank, "
			  "set UNCORE_SHARE=refuse\n",
		  testing::internal::GetCapturedStderr());
}

TEST_F(Ranks, AWaitingRankCountsOnFromItsNextRead)
{
	const int64_t reads = in_a_second(kReads);
	const auto a = rank(0), b = rank(1);
	support::Set sa(*a, {kReads}), sb(*b, {kReads});

	ASSERT_EQ(0, sa.start());
	ASSERT_EQ(0, sb.start());
	files->advance(kSecond);
	EXPECT_EQ(0, sb.counts()[0]);
	ASSERT_EQ(0, sa.stop());
	expect_near(reads, sa.counts()[0]);
	files->advance(kSecond);
	testing::internal::CaptureStderr();
	expect_to_follow(sb);
	EXPECT_EQ(0, sb.counts()[0]);
	files->advance(kSecond);
	expect_near(reads, sb.counts()[0]);
	EXPECT_EQ(0, sb.reset());
	files->advance(kSecond);
	expect_near(reads, sb.counts()[0]);
	// the first one waits now
	ASSERT_EQ(0, sa.start());
	files->advance(kSecond);
	EXPECT_EQ(0, sa.counts()[0]);
	ASSERT_EQ(0, sb.stop()) << b->message();
	expect_near(2 * reads, sb.counts()[0]);
	const std::string said = testing::internal::GetCapturedStderr();
	EXPECT_EQ(0U,
		  said.find("uncore: rank 1 of the 4 on this node counts " + std::string(kReads) +
			    " from now on: another one has stopped or ended, and the counts of "
			    "up to "))
		<< said;
	expect_to_follow(sa);
	EXPECT_EQ(0, sa.counts()[0]);
	files->advance(kSecond);
	expect_near(reads, sa.counts()[0]);
	ASSERT_EQ(0, sa.stop());
	expect_near(reads, sa.counts()[0]);
	// and a set that is started again has a zero point of its own
	ASSERT_EQ(0, sa.start());
	files->advance(kSecond);
	expect_near(reads, sa.counts()[0]);
	ASSERT_EQ(0, sa.stop());
}

// PAPI_stop() reads before it stops.
TEST_F(Ranks, TheEndOfAJobIsSilent)
{
	std::vector<std::unique_ptr<support::Handle>> all;
	std::vector<std::unique_ptr<support::Set>> sets;

	testing::internal::CaptureStderr();
	for (int i = 0; i < 4; i++) {
		all.push_back(rank(i));
		sets.push_back(std::make_unique<support::Set>(*all.back(),
							      std::vector<std::string>{kReads}));
		ASSERT_EQ(0, sets.back()->start()) << all.back()->message();
	}
	for (const auto &set : sets) {
		set->counts();
		EXPECT_EQ(0, set->stop());
	}
	const std::string said = testing::internal::GetCapturedStderr();
	EXPECT_EQ(std::string::npos, said.find("from now on")) << said;
}

// Each rank counts a package; a third one counts of both what remains.
TEST_F(Ranks, EventsAreElectedOneByOne)
{
	const std::string first = std::string(kReads) + ":pkg=0",
			  second = std::string(kReads) + ":pkg=1";
	const int64_t reads[] = {in_a_second(first.c_str()), in_a_second(second.c_str())};
	const auto a = rank(0), b = rank(1), c = rank(2);
	support::Set sa(*a, {first}), sb(*b, {second}), sc(*c, {first, second, kRequests});

	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	ASSERT_EQ(0, sc.start()) << c->message();
	files->advance(kSecond);
	expect_near(reads[0], sa.counts()[0]);
	expect_near(reads[1], sb.counts()[0]);
	EXPECT_EQ(0, sc.counts()[0]);
	EXPECT_EQ(0, sc.counts()[1]);
	const int64_t requests = sc.counts()[2];
	EXPECT_LT(0, requests);
	EXPECT_EQ(2U, by_others(sc));
	ASSERT_EQ(0, sb.stop());
	expect_to_follow(sc, 1);
	EXPECT_EQ(0, sc.counts()[1]);
	files->advance(kSecond);
	EXPECT_EQ(0, sc.counts()[0]);
	expect_near(reads[1], sc.counts()[1]);
	expect_near(2 * requests, sc.counts()[2]);
	ASSERT_EQ(0, sc.stop()) << c->message();
	expect_near(reads[1], sc.counts()[1]);
	expect_near(2 * requests, sc.counts()[2]);
	ASSERT_EQ(0, sa.stop());
}

TEST_F(Ranks, SetsOfARankCountTogether)
{
	const int64_t reads = in_a_second(kReads);
	const auto a = rank(0), b = rank(1);
	support::Set one(*a, {kReads}), two(*a, {kReads}), waits(*b, {kReads}),
		waits_too(*b, {kReads});

	ASSERT_EQ(0, one.start());
	ASSERT_EQ(0, two.start());
	ASSERT_EQ(0, waits.start());
	ASSERT_EQ(0, waits_too.start());
	files->advance(kSecond);
	expect_near(reads, one.counts()[0]);
	expect_near(reads, two.counts()[0]);
	ASSERT_EQ(0, one.stop());
	EXPECT_EQ(0, waits.counts()[0]);
	files->advance(kSecond);
	expect_near(2 * reads, two.counts()[0]);
	EXPECT_EQ(0, waits.counts()[0]);
	ASSERT_EQ(0, two.stop());
	expect_to_follow(waits);
	expect_to_follow(waits_too);
	files->advance(kSecond);
	expect_near(reads, waits.counts()[0]);
	expect_near(reads, waits_too.counts()[0]);
	ASSERT_EQ(0, waits.stop());
	ASSERT_EQ(0, waits_too.stop());
}

// Without another rank that counts the same, a rank counts as any program does.
TEST_F(Ranks, OneAloneCountsMeansAndInWindows)
{
	const auto a = rank(0), b = rank(1);
	const std::vector<std::string> events = {kMean, kWrites};
	support::Set sa(*a, events), sb(*b, events);

	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	files->advance(kSecond);
	EXPECT_LT(0, uncore_real(sa.counts()[0]));
	EXPECT_EQ(Counts({0, 0}), sb.counts());
	EXPECT_EQ(0, sb.stop());
	EXPECT_EQ(Counts({0, 0}), sb.counts());
	EXPECT_EQ(0, sa.stop());

	const std::vector<std::string> many = {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR",
					       "UNC_M_ACT_COUNT",    "UNC_M_PRE_COUNT:PAGE_MISS",
					       "UNC_M_RPQ_INSERTS",  "UNC_M_WPQ_INSERTS"};
	support::Set ma(*a), mb(*b);
	ASSERT_EQ(0, uncore_set_multiplex(ma.set, 10000));
	ASSERT_EQ(0, uncore_set_multiplex(mb.set, 10000));
	ASSERT_EQ(0, ma.assign(many)) << a->message();
	ASSERT_EQ(0, mb.assign(many)) << b->message();
	ASSERT_EQ(0, ma.start()) << a->message();
	EXPECT_LT(1U, ma.info().rounds);
	ASSERT_EQ(0, mb.start()) << b->message();
	EXPECT_EQ(6U, by_others(mb));
	EXPECT_EQ(Counts(6, 0), mb.counts());
	ASSERT_EQ(0, ma.stop());
	expect_to_follow(mb);
	EXPECT_LT(1U, mb.info().rounds);
	ASSERT_EQ(0, mb.stop()) << b->message();
}

// As of its event sets: the values of ranks are added up.
TEST_F(Ranks, ARegionOfAWaitingRankHasZeroForMeans)
{
	const auto a = rank(0), b = rank(1);
	support::Set sa(*a, {kMean}), sb(*b, {kMean});
	struct uncore_region_info info = {};
	int64_t value = -1;
	unsigned id;

	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	ASSERT_EQ(0, uncore_region(sb.set, "loop", &id));
	ASSERT_EQ(0, uncore_region_begin(sb.set, id));
	files->advance(kSecond);
	ASSERT_EQ(0, uncore_region_end(sb.set, id));
	info.size = sizeof(info);
	ASSERT_EQ(1, uncore_region_info(sb.set, id, &info, &value));
	EXPECT_EQ(0, value);
}

TEST_F(Ranks, AKilledRankIsFollowed)
{
	const int64_t reads = in_a_second(kReads);
	int started[2];
	char c = 'x';

	ASSERT_EQ(0, pipe2(started, O_CLOEXEC));
	const auto own = Launched::task("1"), other = Launched::task("0");
	const pid_t pid = support::fork_clean();
	if (pid == 0) {
		const auto a = rank(other);
		support::Set set(*a, {kReads});

		c = set.start() == 0 ? 's' : 'f';
		if (write(started[1], &c, 1) == 1)
			pause();
		_exit(1);
	}
	ASSERT_EQ(1, read(started[0], &c, 1));
	EXPECT_EQ('s', c);
	const auto b = rank(own);
	support::Set sb(*b, {kReads});
	ASSERT_EQ(0, sb.start()) << b->message();
	files->advance(kSecond);
	EXPECT_EQ(0, sb.counts()[0]);
	EXPECT_EQ(1U, by_others(sb));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
	expect_to_follow(sb);
	EXPECT_EQ(0, sb.counts()[0]);
	files->advance(kSecond);
	expect_near(reads, sb.counts()[0]);
	ASSERT_EQ(0, sb.stop()) << b->message();
	expect_near(reads, sb.counts()[0]);
	close(started[0]);
	close(started[1]);
}

TEST_F(Ranks, OtherJobsAndOtherChoicesAreRefused)
{
	const auto a = rank(0), job = rank(Launched::task("0", "0", "4712")),
		   step = rank(Launched::task("0", "1")),
		   script = rank({{"SLURM_JOB_ID", "4711"}, {"SLURM_TASKS_PER_NODE", "4"}}),
		   chosen = rank(Launched::task("1"), "refuse");
	support::Set sa(*a, {kReads});

	ASSERT_EQ(0, sa.start());
	for (const auto *other : {&job, &step, &script, &chosen}) {
		support::Set set(**other, {kReads});

		EXPECT_EQ(UNCORE_EBUSY, set.start());
		EXPECT_NE(std::string::npos, (*other)->message().find("is in use by "))
			<< (*other)->message();
	}
	ASSERT_EQ(0, sa.stop());
	// a refused start holds nothing
	const auto b = rank(1);
	support::Set sb(*b, {kReads}), of_job(*job, {kReads});
	ASSERT_EQ(0, of_job.start());
	EXPECT_EQ(UNCORE_EBUSY, sa.start());
	EXPECT_EQ(UNCORE_EBUSY, sb.start());
	ASSERT_EQ(0, of_job.stop());
	EXPECT_EQ(0, sb.start());
	EXPECT_EQ(0, sa.start());
	EXPECT_EQ(1U, by_others(sa));
}

// Another job was faster: this is not a count of 0.
TEST_F(Ranks, AFailureToCountOnIsReported)
{
	const auto a = rank(0), b = rank(1), job = rank(Launched::task("0", "0", "4712"));
	support::Set sa(*a, {kReads}), sb(*b, {kReads}), of_job(*job, {kReads});

	ASSERT_EQ(0, sa.start());
	ASSERT_EQ(0, sb.start());
	ASSERT_EQ(0, sa.stop());
	ASSERT_EQ(0, of_job.start());
	testing::internal::CaptureStderr();
	EXPECT_EQ(0, sb.counts()[0]);
	EXPECT_EQ(1U, by_others(sb));
	for (int i = 0; i < 10000 && b->message().find("is in use by ") == std::string::npos; i++)
		usleep(1000);
	EXPECT_EQ(UNCORE_EBUSY, sb.stop());
	const std::string said = testing::internal::GetCapturedStderr();
	EXPECT_EQ(0U, said.find("uncore: cannot count on after another rank: ")) << said;
	EXPECT_NE(std::string::npos, b->message().find("is in use by ")) << b->message();
	EXPECT_EQ(0, of_job.stop());
}

TEST(RanksOfUncored, OneCountsAndIsFollowed)
{
	Served uncored;
	const Launched launched;
	const auto a = open_as(uncored.options(), Launched::task("0")),
		   b = open_as(uncored.options(), Launched::task("1")),
		   job = open_as(uncored.options(), Launched::task("0", "0", "4712"));
	support::Set sa(*a, {kReads, kRequests}), sb(*b, {kReads, kRequests}),
		of_job(*job, {kReads});

	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	ASSERT_EQ(0, of_job.start()) << job->message();
	sim_advance(uncored.model(), kSecond);
	const auto counts = sa.counts();
	EXPECT_LT(0, counts[0]);
	EXPECT_EQ(counts[0], of_job.counts()[0]);
	EXPECT_EQ(Counts({0, 0}), sb.counts());
	ASSERT_EQ(0, sa.stop());
	expect_to_follow(sb);
	EXPECT_EQ(Counts({0, 0}), sb.counts());
	sim_advance(uncored.model(), kSecond);
	const auto next = sb.counts();
	EXPECT_NEAR(static_cast<double>(counts[0]), static_cast<double>(next[0]), 32);
	EXPECT_NEAR(static_cast<double>(counts[1]), static_cast<double>(next[1]), 32);
	ASSERT_EQ(0, sb.stop());
	EXPECT_EQ(next, sb.counts());
	ASSERT_EQ(0, of_job.stop());
}

TEST(RanksOfTheKernel, OneCountsAndIsFollowed)
{
	support::Tree tree;
	const support::FakeDriver driver("snbep");
	const Launched launched;
	tree.cpuinfo("GenuineIntel", 6, 45);
	tree.online("0-7");
	for (unsigned i = 0; i < 8; i++)
		tree.topology(i, i / 4, i % 4);
	for (unsigned p = 0; p < 2; p++)
		tree.uncore_devices(0, 0x7f + 0x80 * p);
	support::write_pmus(tree, "snbep", "0,4");
	tree.write("proc/sys/kernel/perf_event_paranoid", "0\n");
	auto options = tree.options();
	options.access = "kernel";
	const auto a = open_as(options, Launched::task("0")),
		   b = open_as(options, Launched::task("1"));
	support::Set sa(*a, {kReads}), sb(*b, {kReads});

	ASSERT_EQ(0, sa.start()) << a->message();
	ASSERT_EQ(0, sb.start()) << b->message();
	driver.pass(20);
	const int64_t reads = sa.counts()[0];
	EXPECT_LT(0, reads);
	EXPECT_EQ(0, sb.counts()[0]);
	ASSERT_EQ(0, sa.stop()) << a->message();
	expect_to_follow(sb);
	EXPECT_EQ(0, sb.counts()[0]);
	driver.pass(20);
	EXPECT_NEAR(static_cast<double>(reads), static_cast<double>(sb.counts()[0]), 32);
	ASSERT_EQ(0, sb.stop()) << b->message();
	EXPECT_NEAR(static_cast<double>(reads), static_cast<double>(sb.counts()[0]), 32);
}

} // namespace
