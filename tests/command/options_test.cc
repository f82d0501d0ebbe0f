// SPDX-License-Identifier: BSD-3-Clause
// options_test.cc - tables of options (base/options.h): names, values, and what is stored.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/options.h"

namespace
{

struct Values {
	bool flag;
	const char *text;
	int choice;
	std::string called;
};

int take(void *into, const char *text)
{
	static_cast<Values *>(into)->called += std::string(text ? text : "none") + ";";
	return text && *text == '!' ? 7 : 0;
}

unc_option row(const char *names, const char *arg, unc_option_kind kind, size_t at = 0)
{
	unc_option r = {};

	r.names = names;
	r.arg = arg;
	r.kind = kind;
	r.at = at;
	r.value = 5;
	r.take = take;
	return r;
}

class OptionTable : public testing::Test
{
      protected:
	// The status, and -1 for an option that getopt refuses.
	int read(std::vector<std::string> words, bool ordered = false)
	{
		const unc_option rows[] = {
			row("-v, --verbose", nullptr, UNC_OPTION_FLAG, offsetof(Values, flag)),
			row("-o, --output, --file", "FILE", UNC_OPTION_TEXT,
			    offsetof(Values, text)),
			row("--per-box", nullptr, UNC_OPTION_CHOICE, offsetof(Values, choice)),
			row("--multiplex", "[=MS]", UNC_OPTION_CALL),
			row("-c", "N", UNC_OPTION_CALL),
			{},
		};
		std::vector<char *> argv;
		struct unc_options o;
		bool invalid = false;
		int status = 0;

		words.insert(words.begin(), "program");
		for (auto &word : words)
			argv.push_back(&word[0]);
		argv.push_back(nullptr);
		optind = 0;
		opterr = 0;
		unc_options_make(&o, rows, ordered);
		while (status == 0) {
			const auto *next = unc_options_next(&o, static_cast<int>(words.size()),
							    argv.data(), &invalid);

			if (!next)
				break;
			status = unc_option_store(next, &values, optarg);
		}
		text = values.text ? values.text : "";
		rest = static_cast<int>(words.size()) - optind;
		return invalid ? -1 : status;
	}
	Values values = {};
	std::string text;
	int rest = 0;
};

TEST_F(OptionTable, EachNameStandsForItsRow)
{
	EXPECT_EQ(0, read({"-v", "--file=a", "--per-box", "word"}));
	EXPECT_TRUE(values.flag);
	EXPECT_EQ("a", text);
	EXPECT_EQ(5, values.choice);
	EXPECT_EQ(1, rest);
	EXPECT_EQ(0, read({"-ob"}));
	EXPECT_EQ("b", text);
	EXPECT_EQ(0, read({"--outp", "c"})) << "a beginning that only one name has";
	EXPECT_EQ("c", text);
}

TEST_F(OptionTable, AValueInBracketsMayBeLeftOut)
{
	EXPECT_EQ(0, read({"--multiplex", "--multiplex=10", "-c", "3"}));
	EXPECT_EQ("none;10;3;", values.called);
}

TEST_F(OptionTable, WhatIsWrongEndsIt)
{
	EXPECT_EQ(7, read({"-c", "!", "-v"}));
	EXPECT_FALSE(values.flag) << "the status of a function ends the options";
	EXPECT_EQ(-1, read({"-x"}));
	EXPECT_EQ(-1, read({"--none"}));
	EXPECT_EQ(-1, read({"-c"})) << "no value";
	EXPECT_EQ(-1, read({"--verbose=1"})) << "a value";
}

TEST_F(OptionTable, TheFirstOperandMayEndIt)
{
	EXPECT_EQ(0, read({"ls", "-v"}, true));
	EXPECT_FALSE(values.flag);
	EXPECT_EQ(2, rest);
	EXPECT_EQ(0, read({"ls", "-v"}));
	EXPECT_TRUE(values.flag);
}

} // namespace
