// SPDX-License-Identifier: BSD-3-Clause
// slow_test.cc - slow reads do not block the main loop of uncored: reads and pages of such sets
// are handled by the planner thread.
#include <poll.h>

#include "daemon/user.h"

extern "C" {
#include "daemon/planner.h"
}

namespace
{

// Read times of an hour and of a microsecond. Actual reads in this test are in between.
const int64_t kSlow = 3600000000000, kQuick = 1000;
const uint32_t kRefreshUs = 10000;
const size_t kMany = 1000; // counters

// A server whose loop is not running, with a planner.
class SlowSets : public testing::Test
{
      protected:
	SlowSets()
	{
		uncored.end();
		s->n_places = 1;
		anna = std::make_unique<User>(uncored, 0, 70001);
	}
	~SlowSets() override
	{
		if (s->planner)
			planner_free(s);
		anna.reset();
	}
	// Starts a set immediately, with or without a planner.
	client_set &start(unsigned i)
	{
		struct planner *const after = s->planner;

		s->planner = nullptr;
		EXPECT_EQ(0, anna->start("UNC_C_CLOCKTICKS", kRefreshUs)) << anna->text;
		s->planner = after;
		return s->clients[0].sets[i];
	}
	void page_is_due(unsigned i)
	{
		const page_due due = {s->clients[0].user, i, &s->clients[0].sets[i]};

		daemon_page_serve(s, &due, limits_now());
	}
	// Waits until the planner has done its work.
	void run_planner()
	{
		pollfd done = {s->planner->done, POLLIN, 0};

		EXPECT_EQ(nullptr, planner_next(s));
		while (s->planner->busy) {
			ASSERT_EQ(1, poll(&done, 1, 60000));
			EXPECT_EQ(nullptr, planner_next(s));
		}
	}

	Served uncored;
	struct server *s = uncored.server.get();
	std::unique_ptr<User> anna;
};

TEST_F(SlowSets, HaveTheirPagesFilledByThePlanner)
{
	client_set &set = start(0);
	s->planner = planner_new();
	const uint64_t seq = set.page->seq;

	set.counters = kMany;
	for (const int64_t shortest : {int64_t{0}, kSlow}) {
		set.shortest = shortest;
		const uint64_t before = set.page->seq;
		page_is_due(0);
		EXPECT_EQ(before, set.page->seq) << "shortest read " << shortest;
		run_planner();
		EXPECT_EQ(before + 2, set.page->seq) << "shortest read " << shortest;
		EXPECT_LT(0, set.shortest);
	}
	set.shortest = kQuick;
	page_is_due(0);
	EXPECT_EQ(seq + 6, set.page->seq) << "the loop fills pages of fast sets";
	EXPECT_FALSE(s->planner->busy);
}

TEST_F(SlowSets, ThatTurnOutQuickHaveOneWriterOfTheirPage)
{
	client_set &set = start(0);
	s->planner = planner_new();
	const uint64_t seq = set.page->seq;

	set.shortest = kSlow;
	page_is_due(0);
	set.shortest = kQuick;
	page_is_due(0);
	EXPECT_EQ(seq, set.page->seq) << "the planner must fill it";
	run_planner();
	EXPECT_EQ(seq + 2, set.page->seq);

	set.shortest = kQuick;
	s->planner->busy = true;
	s->planner->task.kind = TASK_PAGE;
	s->planner->task.of = &set;
	page_is_due(0);
	EXPECT_EQ(seq + 2, set.page->seq) << "the planner fills it";
	s->planner->busy = false;
	run_planner();
	EXPECT_EQ(seq + 4, set.page->seq);
	page_is_due(0);
	EXPECT_EQ(seq + 6, set.page->seq);
}

TEST_F(SlowSets, AreFilledInTheOrderInWhichTheirTimeCame)
{
	client_set &first = start(0), &second = start(1);
	s->planner = planner_new();

	second.asked = 1;
	first.asked = 2;
	s->planner->pages = true;
	run_planner();
	EXPECT_EQ(0, second.asked);
	EXPECT_EQ(0, first.asked);
	EXPECT_EQ(second.page->seq, first.page->seq);
	EXPECT_LT(second.page->when, first.page->when);
}

// The page's memory is freed when the planner has finished, which may be before or after.
TEST_F(SlowSets, MayLoseTheirClientWhileTheirPageIsFilled)
{
	s->planner = planner_new();

	for (int i = 0; i < 20; i++) {
		client_set &set = start(0);

		set.shortest = kSlow;
		page_is_due(0);
		EXPECT_EQ(nullptr, planner_next(s));
		anna->forget();
		EXPECT_EQ(0u, s->n_pages);
		EXPECT_EQ(0u, set.number);
		run_planner();
		EXPECT_EQ(0, set.shortest) << "the read time must not be stored";
	}
}

// 16 counters: the first read must not wait for the planner, which may be starting a large set.
TEST_F(SlowSets, AreThoseWithManyCountersBeforeTheFirstRead)
{
	client_set &set = start(0);
	s->planner = planner_new();

	EXPECT_EQ(16u, set.counters);
	EXPECT_EQ(0, set.shortest);
	EXPECT_EQ(0, anna->ask(UNC_WIRE_READ)) << "answered by the loop";
	EXPECT_LT(0, set.shortest);
	set.shortest = 0;
	set.counters = kMany;
	anna->send_only(UNC_WIRE_READ);
	EXPECT_NE(nullptr, s->clients[0].held);
	run_planner();
	EXPECT_LT(0, set.shortest);
}

TEST_F(SlowSets, AreReadByThePlanner)
{
	client_set &set = start(0);
	s->planner = planner_new();

	set.shortest = kQuick;
	EXPECT_EQ(0, anna->ask(UNC_WIRE_READ)) << "answered by the loop";
	set.shortest = kSlow;
	anna->send_only(UNC_WIRE_READ);
	EXPECT_NE(nullptr, s->clients[0].held);
	run_planner();
	EXPECT_EQ(nullptr, s->clients[0].held);
	EXPECT_GT(kSlow, set.shortest) << "the planner's read was shorter";
}

} // namespace
