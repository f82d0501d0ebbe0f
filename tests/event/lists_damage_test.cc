// SPDX-License-Identifier: BSD-3-Clause
// lists_damage_test.cc - Intel's event lists: what is said of damaged ones.
#include "support/lists_boxes.h"

namespace
{

using support::list_event;
using support::list_file;
using support::lists::Lists;

// ---- damage: text, and what is said behind the file's name ----

TEST_F(Lists, NoSuchFile)
{
	EXPECT_EQ(UNCORE_EINVAL, load(tree.path("missing.json")));
	EXPECT_EQ(tree.path("missing.json") + ": No such file or directory", err.text);
}

TEST_F(Lists, NoFileAtAll)
{
	EXPECT_EQ(UNCORE_EINVAL, load(tree.path("")));
	EXPECT_EQ(tree.path("") + ": this is no file", err.text);
}

TEST_F(Lists, NoContents)
{
	EXPECT_EQ(": empty", complaint(""));
	EXPECT_EQ(":2: the file ends where { or [ should be", complaint("\n "));
	EXPECT_EQ(":1: no event in it", complaint("[]"));
	EXPECT_EQ(":1: no \"Events\" in it: this is no list of events", complaint("{}"));
	EXPECT_EQ(":1: no \"Events\" in it: this is no list of events",
		  complaint("{\"Header\": {}, \"Metrics\": []}"));
}

TEST_F(Lists, TooLarge)
{
	tree.write("a.json", "[]");
	tree.resize("a.json", (64u << 20) + 1);
	EXPECT_EQ(UNCORE_EINVAL, load(tree.path("a.json")));
	EXPECT_EQ(tree.path("a.json") + ": over 64 MB: this is no list of events", err.text);
}

TEST_F(Lists, TooManyEvents)
{
	std::string text = "[\n";

	for (unsigned i = 0; i <= 65536; i++)
		text += "{\"EventName\":\"X\",\"Unit\":\"Z\",\"EventCode\":\"1\"},\n";
	EXPECT_EQ(":65538: more than 65536 events", complaint(text));
}

TEST_F(Lists, NoJson)
{
	const std::string event = list_event("UNC_CHA_X");

	EXPECT_EQ(":1: x where { or [ should be", complaint("x"));
	EXPECT_EQ(":2: ? where { or [ should be", complaint("\n\x80"));
	EXPECT_EQ(":2: ] where an event, {, should be", complaint("[" + event + ",\n]"));
	EXPECT_EQ(":2: { where , or ] should be", complaint("[" + event + "\n" + event + "]"));
	EXPECT_EQ(":2: the file ends where , or ] should be", complaint("[" + event + "\n"));
	EXPECT_EQ(":1: 1 where an event, {, should be", complaint("[1]"));
	EXPECT_EQ(":1: x where the end of the file should be", complaint("[" + event + "] x"));
	EXPECT_EQ(":3: no JSON: object property name separator ':' expected",
		  complaint("[\n{\n\"Unit\", \"CHA\"}]"));
	EXPECT_EQ(":3: the file ends within a value", complaint("[\n{\"Unit\": \"CHA\n\""));
	EXPECT_EQ(":1: the file ends within a value", complaint("[{\"EventName\": \"UNC"));
	EXPECT_EQ(":1: no JSON: a zero byte",
		  complaint(std::string("[{\"Unit\": \"C\0HA\"}]", 19)));
	EXPECT_EQ(":1: no JSON: nesting too deep",
		  complaint("{\"Header\": [[[[[[[[[[[[[[[[[[[[[[[[[]]]]]"));
	EXPECT_EQ(":2: \"Events\" is there twice",
		  complaint("{\"Events\": [" + event + "],\n\"Events\": []}"));
	EXPECT_EQ(":1: { where the list of events, [, should be", complaint("{\"Events\": {}}"));
	EXPECT_EQ(":1: , where : should be", complaint("{\"Events\", []}"));
	EXPECT_EQ(":1: } where a name in quotes should be", complaint("{\"Events\": [],}"));
}

struct Damage {
	support::Fields fields;
	const char *reason;
};

TEST_F(Lists, DamagedEventsWithTheirLine)
{
	const std::string long_name = "UNC_CHA_" + std::string(93, 'X');
	const Damage all[] = {
		{{{"EventName", "(none)"}}, "an event without EventName"},
		{{{"EventName", ""}}, "an event without EventName"},
		{{{"EventName", "UNC_CHA-X"}},
		 "EventName UNC_CHA-X has a character that is none of "
		 "letters, digits, _ and ."},
		{{{"EventName", "UNC X\\u001b[2J"}},
		 "EventName UNC X?[2J has a character that is "
		 "none of letters, digits, _ and ."},
		{{{"EventName", "UNC_CHA_X."}}, "EventName UNC_CHA_X. lacks an event or a umask"},
		{{{"EventName", ".X"}}, "EventName .X lacks an event or a umask"},
		{{{"Unit", "(none)"}},
		 "UNC_CHA_BAD has no Unit: a list of core events, perhaps; "
		 "here belong those of the uncore"},
		{{{"EventCode", "(none)"}}, "UNC_CHA_BAD has no EventCode"},
		{{{"EventCode", "0x"}}, "EventCode of UNC_CHA_BAD is no number"},
		{{{"EventCode", "-1"}}, "EventCode of UNC_CHA_BAD is no number"},
		{{{"EventCode", "0x35,0x36"}}, "EventCode of UNC_CHA_BAD is no number"},
		{{{"EventCode", "0x100"}}, "EventCode of UNC_CHA_BAD is over 0xff"},
		{{{"UMask", "0x1ff"}}, "UMask of UNC_CHA_BAD is over 0xff"},
		{{{"UMask", "99999999999999999999999"}}, "UMask of UNC_CHA_BAD is over 0xff"},
		{{{"UMaskExt", "0x100000000"}}, "UMaskExt of UNC_CHA_BAD is over 0xffffffff"},
		{{{"PortMask", "0x1000"}}, "PortMask of UNC_CHA_BAD is over 0xfff"},
		{{{"FCMask", "0x100"}}, "FCMask of UNC_CHA_BAD is over 0xff"},
		{{{"ExtSel", "2"}}, "ExtSel of UNC_CHA_BAD is over 0x1"},
		{{{"Deprecated", "perhaps"}}, "Deprecated of UNC_CHA_BAD is no number"},
		{{{"FILTER_VALUE", "0xg"}}, "FILTER_VALUE of UNC_CHA_BAD is no number"},
		{{{"Counter", "all"}}, "Counter of UNC_CHA_BAD is no list of counters"},
		{{{"Counter", "0,"}}, "Counter of UNC_CHA_BAD is no list of counters"},
		{{{"Counter", "0 1"}}, "Counter of UNC_CHA_BAD is no list of counters"},
		{{{"Counter", "32"}}, "Counter of UNC_CHA_BAD is no list of counters"},
	};

	for (const Damage &damage : all)
		EXPECT_EQ(std::string(":5: ") + damage.reason + "; this event is left out",
			  left_out(list_file({list_event("UNC_CHA_GOOD"),
					      list_event("UNC_CHA_BAD", damage.fields)})));
	EXPECT_EQ(":4: EventName " + long_name.substr(0, 99) +
			  "... is longer than 100 characters, or its umask longer than 63; this "
			  "event is left out",
		  left_out(list_file({list_event(long_name), list_event("UNC_CHA_GOOD")})));
	EXPECT_EQ(":5: UMask of UNC_CHA_X is no number; this event is left out",
		  left_out(list_file({list_event("UNC_CHA_GOOD"),
				      "{\"Unit\": \"CHA\", \"EventCode\": \"1\", \"UMask\": [], "
				      "\"EventName\": \"UNC_CHA_X\"}"})));
}

TEST_F(Lists, DamageInUnitsThatTheMachineLacksIsToldToo)
{
	EXPECT_EQ(":4: UMask of UNC_Z is no number; this event is left out",
		  left_out(list_file({list_event("UNC_Z", {{"Unit", "Z"}, {"UMask", "x"}}),
				      list_event("UNC_CHA_GOOD")})));
}

// As Intel's lists for Skylake-X and Cascade Lake-X have it.
TEST_F(Lists, OneBadEventDoesNotCostTheOthers)
{
	std::vector<std::string> events;

	for (unsigned i = 0; i < 3000; i++)
		events.push_back(list_event("UNC_CHA_X" + std::to_string(i)));
	events.insert(events.begin() + 1000,
		      list_event("UNC_H_SNOOPS_SENT.", {{"Deprecated", "1"}}));
	ASSERT_EQ(0, load_text(list_file(events))) << err.text;
	EXPECT_EQ(
		std::vector<std::string>{tree.path("a.json") +
					 ":1004: EventName UNC_H_SNOOPS_SENT. lacks an event or a "
					 "umask; this event is left out"},
		warnings());
	EXPECT_EQ(0x17bu, cha("UNC_CHA_X999").bits) << "before it";
	EXPECT_EQ(0x17bu, cha("UNC_CHA_X1000").bits) << "behind it";
	EXPECT_EQ(std::size(boxes.own) - 1 + 3000, rows(boxes.cha).size()) << "and nothing else";
}

TEST_F(Lists, OfManyBadEventsTheFirstAreToldOneByOne)
{
	std::vector<std::string> events = {list_event("UNC_CHA_GOOD")};

	for (unsigned i = 0; i < 50; i++)
		events.push_back(list_event("UNC_CHA_BAD", {{"UMask", "x"}}));
	ASSERT_EQ(0, load_text(list_file(events))) << err.text;
	const std::vector<std::string> all = warnings();
	ASSERT_EQ(21u, all.size());
	EXPECT_EQ(tree.path("a.json") +
			  ":24: UMask of UNC_CHA_BAD is no number; this event is left out",
		  all[19]);
	EXPECT_EQ(tree.path("a.json") + ": 30 more of its events are left out", all[20]);
}

TEST_F(Lists, AFileOfWhichNothingIsLeftIsRefused)
{
	EXPECT_EQ(":1: none of its 2 events can be used: " + tree.path("a.json") +
			  ":4: UNC_CHA_X has no Unit: a list of core events, perhaps; here belong "
			  "those of the uncore; this event is left out",
		  complaint(list_file({list_event("UNC_CHA_X", {{"Unit", "(none)"}}),
				       list_event("UNC_CHA_Y", {{"Unit", "(none)"}})})));
	EXPECT_EQ(nullptr, unc_lists_warning(lists, 0)) << "nothing of it is used anyway";
}

TEST_F(Lists, TheSameNameTwice)
{
	const std::string a = list_event("UNC_CHA_X.A");

	ASSERT_EQ(0, load_text(list_file({a, list_event("UNC_CHA_X.B", {{"UMask", "0x02"}}),
					  list_event("UNC_CHA_X.a", {{"UMask", "0x04"}})})));
	const std::string said =
		": UNC_CHA_X.A is there twice and not the same; this event is left out";
	EXPECT_EQ((std::vector<std::string>{tree.path("a.json") + ":4" + said,
					    tree.path("a.json") + ":6" + said}),
		  warnings());
	EXPECT_EQ(nullptr, cha("UNC_CHA_X.A").name) << "which of them is right is not known";
	EXPECT_EQ(0x200u, cha("UNC_CHA_X.B").bits);
	unc_lists_free(lists);
	EXPECT_EQ(0, load_text(list_file({a, a}))) << "the same again";
	unc_lists_free(lists);
	EXPECT_EQ(0, load_text(list_file({a, list_event("UNC_CHA_X.A", {{"UMask", "0x04"},
									{"Deprecated", "1"}})})))
		<< "a deprecated one";
	EXPECT_EQ(0x100u, cha("UNC_CHA_X.A").bits);
}

TEST_F(Lists, AnotherCpusFile)
{
	EXPECT_EQ(
		":1: none of its 1 events is of a box of this machine (made-up Xeon): they are of "
		"units such as CBO; take the list of this CPU",
		complaint(list_file({list_event("UNC_C_X", {{"Unit", "CBO"}})})));
	EXPECT_EQ(":1: none of its 1 events is of a box of this machine (made-up Xeon); take the "
		  "list of this CPU",
		  complaint(list_file(
			  {list_event("UNC_I", {{"Unit", "IIO"}, {"UMaskExt", "0x80000000"}})})));
}

} // namespace
