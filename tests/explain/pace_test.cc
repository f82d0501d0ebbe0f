// SPDX-License-Identifier: BSD-3-Clause
// pace_test.cc - what is known of windows from looks at the memory traffic, some of which are
// missing because the process waited for a processor.
#include <cmath>
#include <functional>
#include <initializer_list>

#include <gtest/gtest.h>

extern "C" {
#include "command/explain/pace.h"
}

namespace
{

constexpr double kLook = 0.005, kEnd = 0.2, kRate = 1e9;
constexpr windows kWindows = {0.01, 5};

constexpr int kLate = 4; // the number of a look

// Looks at traffic, none of them between two times.  One is late, within its doubt or not.
class Looks
{
      public:
	Looks(const std::function<double(double)> &until, double from, double to,
	      double interval = kLook, double late = 0, double doubt = 0)
	{
		pace_begin(&pace, interval);
		for (int i = 0; i <= (int)std::lround(kEnd / kLook); i++)
			if (i * kLook <= from || i * kLook >= to)
				pace_add(&pace, i * kLook, i == kLate ? doubt : 0,
					 until(i * kLook + (i == kLate ? late : 0)));
	}
	~Looks()
	{
		pace_free(&pace);
	}
	Looks(const Looks &) = delete;
	Looks &operator=(const Looks &) = delete;

	double error()
	{
		return pace_error(&pace, 0, kEnd, kWindows);
	}

      private:
	struct pace pace = {};
};

double steady(double t)
{
	return kRate * t;
}

// Nothing for a time, then twice the rate for as long: both for 50 ms before the looks stop.
double changing(double t)
{
	const double into = std::fmod(t, 0.05);

	return 2 * kRate * ((t - into) / 2 + std::fmax(into - 0.025, 0));
}

TEST(Pace, SteadyTrafficHasNoErrorWhateverIsMissing)
{
	EXPECT_LT(Looks(steady, 0, 0).error(), 1e-9);
	EXPECT_LT(Looks(steady, 0.05, 0.15).error(), 1e-9);
}

// Registers are read 1 ms late: the rates of two steps are 20 % too high and too low.  Windows that
// end there are off by that, and the traffic between the looks is not believed to have changed.
TEST(Pace, SteadyTrafficDoesNotChangeWithTheTimeOfALook)
{
	const double within = Looks(steady, 0.05, 0.19, kLook, 1e-3, 1e-3).error();

	EXPECT_LT(within, 0.025);
	EXPECT_GT(Looks(steady, 0.05, 0.19, kLook, 1e-3, 0).error(), 1.5 * within);
	EXPECT_GT(Looks(changing, 0.05, 0.2, kLook, 1e-3, 1e-3).error(), 0.25);
}

// Three cycles of 50 ms are not seen.  A window of an event, one in each cycle, has no traffic or
// twice the mean, wherever it is, so a mean of four windows is off by about half of it.
TEST(Pace, TrafficMayHaveChangedWhereLooksAreMissing)
{
	EXPECT_GT(Looks(changing, 0.05, 0.2).error(), 0.25);
	EXPECT_LT(Looks(changing, 0.05, 0.2).error(), 1);
}

// It was 1 GB/s before and after, and a tenth of that in between.
TEST(Pace, TrafficThatWasLowMayHaveBeenLowerStill)
{
	const auto low = [](double t) {
		return kRate * (std::fmin(t, 0.05) + std::fmax(t - 0.15, 0) +
				0.1 * std::fmin(std::fmax(t - 0.05, 0), 0.1));
	};
	EXPECT_GT(Looks(low, 0.05, 0.15).error(), Looks(low, 0, 0).error());
}

TEST(Pace, NothingIsKnownOfAFewGaps)
{
	EXPECT_TRUE(std::isnan(Looks(steady, 0, kEnd).error()));
	EXPECT_TRUE(std::isnan(Looks(steady, -1, 1).error()));
	EXPECT_LT(Looks(steady, 0, kEnd, INFINITY).error(), 1e-9) << "no look is missing";
}

// Of the first 100 ms only the sum is known, afterwards: they are a gap, and not steps without
// traffic before one with all of it.
TEST(Pace, LooksWithoutBytesAreMissing)
{
	struct pace pace = {};

	pace_begin(&pace, kLook);
	for (int i = 0; i <= 20; i++)
		pace_add(&pace, i * kLook, 0, i > 0 && i < 20 ? NAN : steady(i * kLook));
	EXPECT_EQ(2u, pace.n);
	EXPECT_GT(pace_error(&pace, 0, 0.1, kWindows), 0.25)
		<< "it may have stopped for half the time";
	EXPECT_LT(pace_likely_error(&pace, 0, 0.1, kWindows), 1e-9) << "but that is not likely";
	for (int i = 21; i <= 40; i++)
		pace_add(&pace, i * kLook, 0, steady(i * kLook));
	EXPECT_LT(pace_error(&pace, 0, kEnd, kWindows), 1e-9)
		<< "it was steady as long as it was seen";
	pace_begin(&pace, kLook);
	pace_add(&pace, 0, 0, 0);
	pace_add(&pace, kLook, 0, NAN);
	EXPECT_TRUE(std::isnan(pace_error(&pace, 0, kLook, kWindows)));
	pace_free(&pace);
}

// 100 ms of each traffic, looked at every 40 ms.
TEST(Pace, ManyGapsShowSlowChanges)
{
	const auto slow = [](double t) {
		const double into = std::fmod(t, 0.2);

		return kRate * (t - into + 2 * std::fmax(into - 0.1, 0));
	};
	for (int changes = 0; changes < 2; changes++) {
		struct pace pace = {};

		pace_begin(&pace, kLook);
		for (int i = 0; i <= 20; i++)
			pace_add(&pace, 0.04 * i, 0, changes ? slow(0.04 * i) : steady(0.04 * i));
		if (changes)
			EXPECT_GT(pace_error(&pace, 0, 0.8, kWindows), 0.1);
		else
			EXPECT_LT(pace_error(&pace, 0, 0.8, kWindows), 1e-9);
		pace_free(&pace);
	}
}

} // namespace
