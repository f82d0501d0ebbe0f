// SPDX-License-Identifier: BSD-3-Clause
// metric_test.cc - metrics through PAPI: integers that add up, and means as doubles.
#include "papi/papi_calls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace
{

double real(long long count)
{
	double value;

	std::memcpy(&value, &count, sizeof(value));
	return value;
}

bool is_near(double a, double b)
{
	return std::fabs(a - b) <= 0.02 * std::fabs(b);
}

// Reads events of one set at different times where the process waits for a processor, which counts
// less the longer it runs.
constexpr std::array<int, 4> kTries = {30, 120, 480, 1920}; // ms

TEST(Metrics, BytesAddUpAndMeansAreDoubles)
{
	EventSet set({"UNCORE_MEM_READ_BYTES", kReads, "UNCORE_FREQUENCY", "UNCORE_FREQUENCY:pkg=1",
		      "UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNCORE_TOR_DRD_LATENCY_NS"});

	std::vector<long long> now, end;
	const auto holds = [&now, &end] {
		for (const auto &counts : {now, end})
			if (!is_near(rate(kCacheClock) / 16, real(counts[2])) ||
			    !is_near(real(counts[4]) / real(counts[5]) * 1e9, real(counts[3])))
				return false;
		return is_near(real(now[5]), real(end[5]));
	};
	for (const int ms : kTries) {
		set.start();
		wait_ms(ms);
		set.reset();
		wait_ms(ms);
		now = set.read();
		wait_ms(ms);
		end = set.stop();
		if (holds())
			break;
	}

	for (const auto &counts : {now, end}) {
		const double clocks = real(counts[4]), ns = real(counts[5]);

		EXPECT_EQ(64 * counts[1], counts[0]);
		EXPECT_NEAR(rate(kCacheClock) / 16, real(counts[2]), 0.02 * real(counts[2]));
		EXPECT_NEAR(clocks / ns * 1e9, real(counts[3]), 0.02 * real(counts[3]));
	}
	EXPECT_LT(now[0], end[0]);
	EXPECT_NEAR(real(now[5]), real(end[5]), 0.02 * real(end[5]));
}

// Each interval has its own quotient, also if the caller subtracts.
TEST(Metrics, TheCountsOfAMeanCanBeSubtracted)
{
	const std::vector<std::string> names = {"UNCORE_TOR_DRD_OCCUPANCY",
						"UNCORE_TOR_DRD_REQUESTS"};
	EventSet mean({"UNCORE_TOR_DRD_LATENCY_CLOCKS"}), set(names);

	for (const std::string &name : names) {
		PAPI_event_info_t info;

		ASSERT_EQ(PAPI_OK, PAPI_get_event_info(code_of(name), &info));
		EXPECT_EQ(PAPI_DATATYPE_INT64, info.data_type);
		EXPECT_EQ(PAPI_VALUETYPE_RUNNING_SUM, info.value_type);
	}
	double clocks = 0;
	std::array<double, 3> quotients = {};
	for (const int ms : kTries) {
		mean.start();
		wait_ms(ms);
		clocks = real(mean.stop()[0]);
		set.start();
		std::vector<long long> before = set.read();
		for (double &quotient : quotients) {
			wait_ms(ms);
			const std::vector<long long> now = set.read();
			quotient = static_cast<double>(now[0] - before[0]) /
				   static_cast<double>(now[1] - before[1]);
			before = now;
		}
		set.stop();
		if (std::all_of(quotients.begin(), quotients.end(),
				[&](double quotient) { return is_near(quotient, clocks); }))
			break;
	}
	for (const double quotient : quotients)
		EXPECT_NEAR(clocks, quotient, 0.02 * clocks);
}

TEST(Metrics, EventsThatDoNotFitConflict)
{
	EventSet set;

	EXPECT_EQ(PAPI_ECNFLCT, set.add("UNCORE_LLC_MISS_RATIO"));
	EXPECT_EQ(PAPI_EATTR, set.add("UNCORE_TOR_DRD_LATENCY_NS:box=0"));
	EXPECT_EQ(PAPI_OK, set.add("UNCORE_LLC_MISS_RATIO_SPLIT"));
	EXPECT_EQ(PAPI_OK, set.add("UNCORE_MEM_READ_BYTES"));
	EXPECT_EQ(PAPI_OK, set.remove("UNCORE_LLC_MISS_RATIO_SPLIT"));
}

} // namespace
