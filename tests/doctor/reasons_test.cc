// SPDX-License-Identifier: BSD-3-Clause
// reasons_test.cc - the advice of `uncore doctor` follows from codes: with all sentences of the
// library about boxes and warnings replaced by one word it advises the same.
#include <gtest/gtest.h>

#include "command/doctor/doctor.h"
#include "support/tree.h"
#include "uncore_inspect.h"

namespace
{

using support::Tree;

bool without_words;
int absence = -1; // in place of each other one; -1: as it is

} // namespace

// The linker puts these before those of the library.
extern "C" {

int __real_uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info);
int __real_uncore_warning(struct uncore *u, unsigned i, const char **text);

int __wrap_uncore_box(struct uncore *u, unsigned i, struct uncore_box_info *info)
{
	const int r = __real_uncore_box(u, i, info);

	if (r == 1 && info->absent && without_words)
		info->absent = "because";
	if (r == 1 && info->absent && absence >= 0)
		info->absence = static_cast<enum uncore_absence>(absence);
	return r;
}

int __wrap_uncore_warning(struct uncore *u, unsigned i, const char **text)
{
	const int r = __real_uncore_warning(u, i, text);

	if (r == 1 && without_words)
		*text = "careful";
	return r;
}
}

namespace
{

class DoctorsReasons : public testing::Test
{
      protected:
	~DoctorsReasons() override
	{
		without_words = false;
		absence = -1;
		unsetenv("UNCORE_SYSROOT");
	}
	// "1 boxes, ADVICE": state, check and advice of the findings on boxes and of warnings
	static std::string advice(const char *machine)
	{
		doctor_report report;
		std::string text;

		doctor_examine(&report, machine);
		for (size_t i = 0; i < report.n; i++) {
			const doctor_finding &f = report.at[i];

			if (std::string(f.check) == "boxes" || std::string(f.check) == "warning")
				text += std::to_string(f.state) + " " + f.check + ", " +
					(f.advice ? f.advice : "nothing to do") + "\n";
		}
		doctor_free(&report);
		return text;
	}
	static void expect_same_without_words(const char *machine)
	{
		const std::string with = advice(machine);

		without_words = true;
		EXPECT_EQ(with, advice(machine));
		without_words = false;
	}
};

TEST_F(DoctorsReasons, OfHiddenBoxesDoNotDependOnWords)
{
	EXPECT_NE(std::string::npos,
		  advice("sim:ivbep:hide=e39").find("1 boxes, firmware usually hides"));
	expect_same_without_words("sim:ivbep:hide=e39");
}

TEST_F(DoctorsReasons, OfBoxesThatCannotBeReachedDoNotDependOnWords)
{
	Tree tree;

	tree.two_packages();
	tree.write("run/here", "");
	tree.resize(Tree::config_name(0x7f, 16, 4), 64);
	setenv("UNCORE_SYSROOT", tree.root.c_str(), 1);
	EXPECT_NE(std::string::npos,
		  advice("native").find("2 boxes, events of these boxes are disabled"));
	EXPECT_EQ(std::string::npos, advice("native").find(" warning, ")) << "told twice";
	expect_same_without_words("native");
}

TEST_F(DoctorsReasons, OfBoxesThatThePartLacksNeedNoNote)
{
	absence = UNCORE_ABSENT_ZERO;
	EXPECT_EQ("0 boxes, nothing to do\n0 boxes, nothing to do\n", advice("sim:ivbep:hide=e39"));
	for (const int hidden :
	     {UNCORE_ABSENT_HIDDEN, UNCORE_ABSENT_LOCATOR_HIDDEN, UNCORE_ABSENT_DEAD}) {
		absence = hidden;
		EXPECT_NE(std::string::npos, advice("sim:ivbep:hide=e39").find("1 boxes, "))
			<< hidden;
	}
}

} // namespace
