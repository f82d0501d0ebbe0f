// SPDX-License-Identifier: BSD-3-Clause
// expression_test.cc - expressions over counts: values, errors and their positions, random text.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/expression.h"
}

namespace
{

struct Expression {
	struct expression e;
	struct expression_error error = {};
	bool is_read;

	explicit Expression(const std::string &text)
	    : is_read(expression_read(&e, text.c_str(), &error))
	{
	}
	~Expression()
	{
		expression_free(&e);
	}

	// The names have the values 2, 3, 5, ...
	double value(double seconds = 10) const
	{
		static const double values[] = {2, 3, 5, 7, 11};

		return expression_value(&e, values, seconds);
	}
};

TEST(Expression, IsReckonedAsInArithmetic)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"1", 1},
		{"2+3*4", 14},
		{"(2+3)*4", 20},
		{"10-4-3", 3},
		{"64/4/2", 8},
		{"2*3/4*2", 3},
		{"-2*-3", 6},
		{"- (1 - 4)", 3},
		{"1--1", 2},
		{"+5", 5},
		{"1e-3*.5E3", 0.5},
		{"0x10", 16},
		{"64*UNC_M_CAS_COUNT.RD/seconds", 12.8},
		{"UNC_M_CAS_COUNT:RD:box=0_1:pkg=1 / UNC_M_CLOCKTICKS", 2.0 / 3},
		{"A+B*A", 8},
		{" ( A + B )\t/ C ", 1},
		{"seconds", 10},
	};

	for (auto &c : cases) {
		const Expression e(c.text);

		ASSERT_TRUE(e.is_read) << c.text << ": " << e.error.why;
		EXPECT_DOUBLE_EQ(e.value(), c.value) << c.text;
	}
}

TEST(Expression, HasEachNameOnce)
{
	const Expression e("A+B*A-seconds-Seconds");

	ASSERT_TRUE(e.is_read);
	ASSERT_EQ(e.e.n_names, 3u);
	EXPECT_STREQ(e.e.names[0].text, "A");
	EXPECT_STREQ(e.e.names[1].text, "B");
	EXPECT_STREQ(e.e.names[2].text, "Seconds");
	EXPECT_EQ(e.e.names[1].at, 2u);
}

TEST(Expression, DividedByZeroIsNotANumber)
{
	EXPECT_TRUE(std::isnan(Expression("(A-A)/(B-B)").value()));
	EXPECT_TRUE(std::isinf(Expression("A/(seconds-10)").value()));
}

TEST(Expression, ErrorsHaveAPlace)
{
	static const struct {
		const char *text;
		size_t at;
		const char *why;
	} cases[] = {
		{"", 0, "expected a number"},      {"A*", 2, "expected a number"},
		{"A**B", 2, "expected a number"},  {"(A+B", 4, "missing )"},
		{"A)", 1, "expected an operator"}, {"A B", 2, "expected an operator"},
		{"2A", 0, "invalid number"},       {"1.2.3", 0, "invalid number"},
		{".", 0, "invalid number"},        {"1e999*A", 0, "invalid number"},
		{"A+$", 2, "expected a number"},   {"A^2", 1, "expected an operator"},
		{"()", 1, "expected a number"},    {"uncore_imc/x/", 13, "expected a number"},
	};

	for (auto &c : cases) {
		const Expression e(c.text);

		ASSERT_FALSE(e.is_read) << c.text;
		EXPECT_EQ(e.error.at, c.at) << c.text;
		EXPECT_NE(std::string(e.error.why).find(c.why), std::string::npos)
			<< c.text << ": " << e.error.why;
	}
}

TEST(Expression, HasBoundsForDepthAndNoneForLength)
{
	const std::string many(10000, '('), signs(10000, '-');
	std::string nested = "1", sum = "1";

	for (int i = 0; i < 100; i++)
		nested = "1+(" + nested + ")";
	for (int i = 0; i < 1000; i++)
		sum += "+1";
	EXPECT_FALSE(Expression(many).is_read);
	EXPECT_FALSE(Expression(signs + "1").is_read);
	EXPECT_FALSE(Expression(nested).is_read);
	ASSERT_TRUE(Expression(sum).is_read);
	EXPECT_EQ(Expression(sum).value(), 1001);
	ASSERT_TRUE(Expression(std::string(60, '(') + "A" + std::string(60, ')')).is_read);
}

TEST(Expression, LabelsAreWordsBeforeAnEqualsSign)
{
	EXPECT_EQ(expression_label("bw=A"), 2u);
	EXPECT_EQ(expression_label("b_2 = A"), 4u);
	EXPECT_EQ(expression_label("bw"), 0u);
	EXPECT_EQ(expression_label("=A"), 0u);
	EXPECT_EQ(expression_label("2=A"), 0u);
	EXPECT_EQ(expression_label("UNC_M_CAS_COUNT:RD:box=0"), 0u);
	EXPECT_EQ(expression_label("uncore_cha_0/event=0x35/"), 0u);
	EXPECT_EQ(expression_label("UNC_M_CAS_COUNT.RD:box=0"), 0u);
	EXPECT_EQ(expression_label(""), 0u);
}

// Any text is either a valid expression or an error with its position.
TEST(Expression, TakesAnyText)
{
	static const char letters[] = "AB_:.=seconds0123456789e+-*/()() \t%\xff";
	std::mt19937 random(1);

	for (int i = 0; i < 20000; i++) {
		std::string text;

		for (unsigned n = random() % 40; n > 0; n--)
			text += letters[random() % (sizeof(letters) - 1)];
		const Expression e(text);

		if (e.is_read) {
			const std::vector<double> values(e.e.n_names, 2);

			(void)expression_value(&e.e, values.data(), 1);
			EXPECT_EQ(e.e.height, 1u) << text;
		} else {
			EXPECT_LE(e.error.at, text.size()) << text;
		}
	}
}

} // namespace
