// SPDX-License-Identifier: BSD-3-Clause
// duration_test.cc - times as people write them.
#include <gtest/gtest.h>

extern "C" {
#include "command/base/duration.h"
}

namespace
{

double ms_of(const char *text, double unit = 1)
{
	double ms;

	return duration_of(text, unit, &ms) ? ms : -1;
}

TEST(Duration, HasAUnitOrThatOfTheOption)
{
	EXPECT_EQ(ms_of("500ms", 1e3), 500);
	EXPECT_EQ(ms_of("2s"), 2000);
	EXPECT_EQ(ms_of("1.5m"), 90000);
	EXPECT_EQ(ms_of("1min"), 60000);
	EXPECT_EQ(ms_of("1h"), 3600000);
	EXPECT_EQ(ms_of("20000us"), 20);
	EXPECT_EQ(ms_of("2.5", 1e3), 2500);
	EXPECT_EQ(ms_of("0.3s"), 300);
}

TEST(Duration, IsNothingElse)
{
	for (const char *text : {"", "x", "s", "5x", "5 s", "5s ", "-1s", "0", "0.5", "nan", "inf",
				 "1e13", "1e300h", "2s3"})
		EXPECT_EQ(ms_of(text), -1) << text;
}

} // namespace
