// SPDX-License-Identifier: BSD-3-Clause
// rate_test.cc - numbers for people: no exponents, and no error that is shown smaller than it is.
#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/rate.h"
}

namespace
{

std::string number(double value)
{
	char text[RATE_TEXT];

	return number_text(text, value);
}

std::string error(double part)
{
	char text[RATE_TEXT];

	return error_text(text, part);
}

TEST(Rate, NumbersHaveAPrefixInsteadOfAnExponent)
{
	EXPECT_EQ("12.3 G", number(1.234e10));
	EXPECT_EQ("1.00 M", number(999999));
	EXPECT_EQ("2.40 k", number(2400));
	EXPECT_EQ("999", number(999.4));
	EXPECT_EQ("0.50", number(0.5));
	EXPECT_EQ("0.00", number(0));
	EXPECT_EQ("-5.00 G", number(-5e9));
}

TEST(Rate, ErrorsHaveTwoDigits)
{
	EXPECT_EQ("0 %", error(0));
	EXPECT_EQ("0.001 %", error(1e-9));
	EXPECT_EQ("0.022 %", error(0.000221));
	EXPECT_EQ("0.14 %", error(0.0014));
	EXPECT_EQ("1.3 %", error(0.0127));
	EXPECT_EQ("13 %", error(0.127));
	EXPECT_EQ("140 %", error(1.4));
	EXPECT_EQ("12000 %", error(120));
}

} // namespace
