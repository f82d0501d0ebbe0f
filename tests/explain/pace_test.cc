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

// Looks at traffic, none of them between two times.
class Looks
{
      public:
	Looks(const std::function<double(double)> &until, double from, double to,
	      double interval = kLook)
	{
		pace_begin(&pace, interval);
		for (int i = 0; i <= (int)std::lround(kEnd / kLook); i++)
			if (i * kLook <= from || i * kLook >= to)
				pace_add(&pace, i * kLook, until(i * kLook));
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
			pace_add(&pace, 0.04 * i, changes ? slow(0.04 * i) : steady(0.04 * i));
		if (changes)
			EXPECT_GT(pace_error(&pace, 0, 0.8, kWindows), 0.1);
		else
			EXPECT_LT(pace_error(&pace, 0, 0.8, kWindows), 1e-9);
		pace_free(&pace);
	}
}

} // namespace
