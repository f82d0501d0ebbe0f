// SPDX-License-Identifier: BSD-3-Clause
// metric_test.cc - metrics through PAPI: integers that add up, and means as doubles.
#include "papi/papi_calls.h"

#include <cstring>

namespace
{

double real(long long count)
{
	double value;

	std::memcpy(&value, &count, sizeof(value));
	return value;
}

TEST(Metrics, BytesAddUpAndMeansAreDoubles)
{
	EventSet set({"UNCORE_MEM_READ_BYTES", kReads, "UNCORE_FREQUENCY", "UNCORE_FREQUENCY:pkg=1",
		      "UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNCORE_TOR_DRD_LATENCY_NS"});

	set.start();
	wait_ms(30);
	set.reset();
	wait_ms(30);
	const std::vector<long long> now = set.read();
	wait_ms(30);
	const std::vector<long long> end = set.stop();

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
	std::vector<long long> before, now;

	for (const std::string &name : names) {
		PAPI_event_info_t info;

		ASSERT_EQ(PAPI_OK, PAPI_get_event_info(code_of(name), &info));
		EXPECT_EQ(PAPI_DATATYPE_INT64, info.data_type);
		EXPECT_EQ(PAPI_VALUETYPE_RUNNING_SUM, info.value_type);
	}
	mean.start();
	wait_ms(20);
	const double clocks = real(mean.stop()[0]);
	set.start();
	before = set.read();
	for (int i = 0; i < 3; i++, before = now) {
		wait_ms(20);
		now = set.read();
		EXPECT_NEAR(clocks,
			    static_cast<double>(now[0] - before[0]) /
				    static_cast<double>(now[1] - before[1]),
			    0.02 * clocks);
	}
	set.stop();
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
