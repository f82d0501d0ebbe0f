// SPDX-License-Identifier: BSD-3-Clause
// interval_test.cc - the times of a region where other threads, or a signal handler, come in while
// one looks at the counters: each look can be interrupted by whole calls, which is what a thread
// sees that is put aside there.
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "set/interval.h"
#include "uncore.h"

namespace
{

// A clock that advances with each read, and as a test requests; the only sum is the clock, too.
class Interval : public testing::Test
{
      protected:
	~Interval() override
	{
		unc_interval_free(interval);
	}

	int enter()
	{
		return unc_interval_enter(interval, look, this);
	}
	int leave()
	{
		return unc_interval_leave(interval, look, this);
	}
	unc_interval_totals read(uint64_t *sum)
	{
		unc_interval_totals totals;

		unc_interval_read(interval, &totals, sum);
		EXPECT_EQ(totals.ns, *sum);
		return totals;
	}
	uint64_t counted()
	{
		uint64_t sum;

		read(&sum);
		return sum;
	}

	struct unc_interval *interval = unc_interval_new(1, nullptr);
	uint64_t clock = 1000;
	unsigned looks = 0;
	std::function<void()> after_look; // what comes in between a look and what is done with it

      private:
	static void look(void *arg, unc_moment *moment)
	{
		auto *self = static_cast<Interval *>(arg);
		std::function<void()> then;

		self->looks++;
		moment->ns = static_cast<int64_t>(self->clock);
		moment->run = 1;
		moment->code = 0;
		moment->sums[0] = self->clock;
		std::swap(then, self->after_look);
		if (then)
			then();
	}
};

TEST_F(Interval, AWholeVisitBetweenLookAndEntryIsNotCountedTwice)
{
	after_look = [&] {
		EXPECT_EQ(0, enter());
		clock += 100;
		EXPECT_EQ(0, leave());
	};
	EXPECT_EQ(0, enter()); // had looked before the visit
	clock += 10;
	EXPECT_EQ(0, leave());
	EXPECT_EQ(110u, counted());
	EXPECT_EQ(5u, looks);
}

TEST_F(Interval, AThreadThatEntersBetweenReadAndEntryHasReadBefore)
{
	after_look = [&] {
		clock += 5;
		EXPECT_EQ(0, enter());
		clock += 100;
	};
	EXPECT_EQ(0, enter());
	clock += 10;
	EXPECT_EQ(0, leave());
	EXPECT_EQ(0u, counted());
	clock += 1;
	EXPECT_EQ(0, leave());
	EXPECT_EQ(111u, counted());
}

TEST_F(Interval, AThreadInsideBetweenReadAndExitIsCounted)
{
	EXPECT_EQ(0, enter());
	clock += 10;
	after_look = [&] {
		EXPECT_EQ(0, enter());
		clock += 100;
		EXPECT_EQ(0, leave());
	};
	EXPECT_EQ(0, leave());
	EXPECT_EQ(110u, counted());
}

TEST_F(Interval, TheLastThreadEndsIt)
{
	EXPECT_EQ(0, enter());
	clock += 10;
	after_look = [&] { EXPECT_EQ(0, enter()); };
	EXPECT_EQ(0, leave());
	EXPECT_EQ(0u, counted());
	clock += 100;
	EXPECT_EQ(0, leave());
	EXPECT_EQ(110u, counted());
}

TEST_F(Interval, TotalsAreWholeWhileTheNextOnesAreWritten)
{
	EXPECT_EQ(0, enter());
	clock += 10;
	EXPECT_EQ(0, leave());
	EXPECT_EQ(0, enter());
	clock += 10;
	after_look = [&] { EXPECT_EQ(10u, counted()); };
	EXPECT_EQ(0, leave());
	EXPECT_EQ(20u, counted());
}

TEST_F(Interval, LevelsAreWhatWasSeenLast)
{
	const bool level[] = {true};
	struct unc_interval *other = unc_interval_new(1, level);
	uint64_t sum;
	unc_interval_totals totals;
	const auto look = [](void *arg, unc_moment *moment) {
		*moment = {};
		moment->sums[0] = *static_cast<uint64_t *>(arg);
	};
	uint64_t holds = 24;

	EXPECT_EQ(0, unc_interval_enter(other, look, &holds));
	holds = 18;
	EXPECT_EQ(0, unc_interval_leave(other, look, &holds));
	unc_interval_read(other, &totals, &sum);
	EXPECT_EQ(18u, sum);
	unc_interval_free(other);
}

// Threads that come and go in any order, each put aside behind a look for whole visits of others.
class Random : public Interval
{
      protected:
	void step(unsigned depth)
	{
		const auto pass = [&] {
			const uint64_t time = random() % 10;

			if (inside > 0)
				certain += time;
			if (inside > 0 || depth > 0) // or on the way in or out
				possible += time;
			clock += time;
		};

		after_look = [this, depth] {
			for (uint64_t n = depth < 4 ? random() % 3 : 0; n > 0; n--)
				step(depth + 1);
		};
		if (random() % 2) {
			EXPECT_EQ(0, enter());
			inside++;
		} else if (inside > 0) {
			inside--; // from here on it is leaving
			EXPECT_EQ(0, leave());
		}
		after_look = nullptr;
		pass();
	}
	std::mt19937_64 random{4711};
	unsigned inside = 0;                // who has come in and is not about to leave
	uint64_t certain = 0, possible = 0; // time in which there was, or may have been, one
};

TEST_F(Random, NothingIsCountedTwiceNorMissed)
{
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t sum;

		step(0);
		ASSERT_LE(read(&sum).ns, possible) << i;
		if (read(&sum).inside == 0) {
			ASSERT_LE(certain, sum) << i;
		}
	}
	while (inside-- > 0)
		EXPECT_EQ(0, leave());
	EXPECT_EQ(UNCORE_ESTATE, leave());
	EXPECT_LE(certain, counted());
	EXPECT_LE(counted(), possible);
}

} // namespace
