// SPDX-License-Identifier: BSD-3-Clause
// lists_damage_test.cc - error messages for damaged event lists.
#include "support/lists.h"
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
	EXPECT_EQ(tree.path("") + ": not a regular file", err.text);
}

TEST_F(Lists, NoContents)
{
	EXPECT_EQ(": empty", complaint(""));
	EXPECT_EQ(":2: unexpected end of file: expected { or [", complaint("\n "));
	EXPECT_EQ(":1: the list has no events", complaint("[]"));
	EXPECT_EQ(":1: not an event list: \"Events\" is missing", complaint("{}"));
	EXPECT_EQ(":1: not an event list: \"Events\" is missing",
		  complaint("{\"Header\": {}, \"Metrics\": []}"));
}

TEST_F(Lists, TooLarge)
{
	tree.write("a.json", "[]");
	tree.resize("a.json", (64u << 20) + 1);
	EXPECT_EQ(UNCORE_EINVAL, load(tree.path("a.json")));
	EXPECT_EQ(tree.path("a.json") + ": not an event list: larger than 64 MB", err.text);
}

TEST_F(Lists, TooManyEvents)
{
	std::string text = "[\n";

	for (unsigned i = 0; i <= 65536; i++)
		text += "{\"EventName\":\"X\",\"Unit\":\"Z\",\"EventCode\":\"1\"},\n";
	EXPECT_EQ(":65538: too many events: the maximum is 65536", complaint(text));
}

TEST_F(Lists, NoJson)
{
	const std::string event = list_event("UNC_CHA_X");

	EXPECT_EQ(":1: unexpected x: expected { or [", complaint("x"));
	EXPECT_EQ(":2: unexpected ?: expected { or [", complaint("\n\x80"));
	EXPECT_EQ(":2: unexpected ]: expected an event, {,", complaint("[" + event + ",\n]"));
	EXPECT_EQ(":2: unexpected {: expected , or ]", complaint("[" + event + "\n" + event + "]"));
	EXPECT_EQ(":2: unexpected end of file: expected , or ]", complaint("[" + event + "\n"));
	EXPECT_EQ(":1: unexpected 1: expected an event, {,", complaint("[1]"));
	EXPECT_EQ(":1: unexpected x: expected the end of the file", complaint("[" + event + "] x"));
	EXPECT_EQ(":3: invalid JSON: object property name separator ':' expected",
		  complaint("[\n{\n\"Unit\", \"CHA\"}]"));
	EXPECT_EQ(":3: unexpected end of file within a value",
		  complaint("[\n{\"Unit\": \"CHA\",\n"));
	EXPECT_EQ(":1: unexpected end of file within a value", complaint("[{\"EventName\": \"UNC"));
	EXPECT_EQ(":1: invalid JSON: a zero byte",
		  complaint(std::string("[{\"Unit\": \"C\0HA\"}]", 19)));
	for (const char *strict : {"'b'", "/**/ 1", "nUll", "\x80", "[1,]", "01"})
		EXPECT_NE(std::string::npos,
			  complaint(std::string("{\"Header\": [\"\xc3\xa9\",\n") + strict +
				    "], \"Events\": []}")
				  .find(":2: invalid JSON"))
			<< strict;
	EXPECT_EQ(":1: unexpected end of file within a value", complaint("[{\"A\": \"\xc3\xa9"));
	EXPECT_EQ(":1: invalid JSON: a zero byte",
		  complaint(std::string("[{\"A\": \"\xc3\xa9 b\0\"}]", 14)));
	EXPECT_EQ(":1: invalid JSON: nesting too deep",
		  complaint("{\"Header\": [[[[[[[[[[[[[[[[[[[[[[[[[]]]]]"));
	EXPECT_EQ(":2: \"Events\" is defined twice",
		  complaint("{\"Events\": [" + event + "],\n\"Events\": []}"));
	EXPECT_EQ(":1: unexpected {: expected the list of events, [,",
		  complaint("{\"Events\": {}}"));
	EXPECT_EQ(":1: unexpected ,: expected :", complaint("{\"Events\", []}"));
	EXPECT_EQ(":1: unexpected }: expected a name in quotes", complaint("{\"Events\": [],}"));
}

struct Damage {
	support::Fields fields;
	const char *reason;
};

TEST_F(Lists, DamagedEventsWithTheirLine)
{
	const std::string long_name = "UNC_CHA_" + std::string(93, 'X');
	const Damage all[] = {
		{{{"EventName", "(none)"}}, "an event has no EventName"},
		{{{"EventName", ""}}, "an event has no EventName"},
		{{{"EventName", "UNC_CHA-X"}},
		 "invalid EventName UNC_CHA-X: only letters, digits, _ and . are allowed"},
		{{{"EventName", "UNC X\\u001b[2J"}},
		 "invalid EventName UNC X?[2J: only letters, digits, _ and . are allowed"},
		{{{"EventName", "UNC_CHA_X."}},
		 "invalid EventName UNC_CHA_X.: empty event or "
		 "umask"},
		{{{"EventName", ".X"}}, "invalid EventName .X: empty event or umask"},
		{{{"EventName", "UNC_CHA_A\\u0000B"}},
		 "invalid EventName: expected text without zero characters"},
		{{{"EventName", "UNC_CHA_\\u009b2J"}},
		 "invalid EventName UNC_CHA_??2J: only letters, digits, _ and . are allowed"},
		{{{"Filter", "opcode"}},
		 "invalid Filter of UNC_CHA_BAD: opcode: unknown register or field of this box"},
		{{{"Filter", "CHAFilter1[31:0"}},
		 "invalid Filter of UNC_CHA_BAD: CHAFilter1[31:0: unknown register or field of "
		 "this box"},
		{{{"Filter", "CHAFilter2"}},
		 "invalid Filter of UNC_CHA_BAD: CHAFilter2: unknown register or field of this "
		 "box"},
		{{{"Filter", "Filter1"}, {"FILTER_VALUE", "0x100000000"}},
		 "FILTER_VALUE 0x100000000 of UNC_CHA_BAD does not fit: the box has no such "
		 "filter"},
		{{{"Filter", "thresh"}},
		 "invalid Filter of UNC_CHA_BAD: thresh: expected a 64-bit decimal or 0x number"},
		{{{"Filter", "thresh=99999999999999999999"}},
		 "invalid Filter of UNC_CHA_BAD: thresh=99999999999999999999: expected a 64-bit "
		 "decimal or 0x number"},
		{{{"Filter", "filter_opcode=1"}},
		 "invalid Filter of UNC_CHA_BAD: filter_opcode=1: unknown register or field of "
		 "this box"},
		{{{"Filter", "thresh=x"}},
		 "invalid Filter of UNC_CHA_BAD: thresh=x: expected a 64-bit decimal or 0x number"},
		{{{"Filter", "thresh=256"}},
		 "invalid Filter of UNC_CHA_BAD: thresh=256: too large"},
		{{{"Filter", "config2=1"}},
		 "invalid Filter of UNC_CHA_BAD: config2=1: not supported"},
		{{{"Filter", "config1=0x40e33"}},
		 "invalid Filter of UNC_CHA_BAD: config1: has bits that the event does not compare"},
		{{{"FILTER_VALUE", "0x40e33"}},
		 "FILTER_VALUE of UNC_CHA_BAD has no register: expected Filter, for example "
		 "Filter1"},
		{{{"EdgeDetect", "1"}},
		 "EdgeDetect of UNC_CHA_BAD is not supported in an event list"},
		{{{"ConfigCode", "0x7b"}},
		 "ConfigCode of UNC_CHA_BAD is not supported in an event list"},
		{{{"CounterType", "COUNTING"}},
		 "invalid CounterType of UNC_CHA_BAD: expected PGMABLE, FIXED or FREERUN"},
		{{{"Unit", "(none)"}},
		 "UNC_CHA_BAD has no Unit: use a list of uncore events, not of core events"},
		{{{"EventCode", "(none)"}}, "UNC_CHA_BAD has no EventCode"},
		{{{"EventCode", "0x"}}, "invalid EventCode of UNC_CHA_BAD: expected a number"},
		{{{"EventCode", "-1"}}, "invalid EventCode of UNC_CHA_BAD: expected a number"},
		{{{"EventCode", "0x35,0x36"}},
		 "invalid EventCode of UNC_CHA_BAD: expected a "
		 "number"},
		{{{"EventCode", "0x100"}},
		 "EventCode of UNC_CHA_BAD is too large: the maximum is "
		 "0xff"},
		{{{"UMask", "0x1ff"}}, "UMask of UNC_CHA_BAD is too large: the maximum is 0xff"},
		{{{"UMask", "99999999999999999999999"}},
		 "UMask of UNC_CHA_BAD is too large: the maximum is 0xff"},
		{{{"UMaskExt", "0x100000000"}},
		 "UMaskExt of UNC_CHA_BAD is too large: the maximum "
		 "is 0xffffffff"},
		{{{"PortMask", "0x1000"}},
		 "PortMask of UNC_CHA_BAD is too large: the maximum is "
		 "0xfff"},
		{{{"FCMask", "0x100"}}, "FCMask of UNC_CHA_BAD is too large: the maximum is 0xff"},
		{{{"ExtSel", "2"}}, "ExtSel of UNC_CHA_BAD is too large: the maximum is 0x1"},
		{{{"Deprecated", "perhaps"}},
		 "invalid Deprecated of UNC_CHA_BAD: expected a "
		 "number"},
		{{{"FILTER_VALUE", "0xg"}},
		 "invalid FILTER_VALUE of UNC_CHA_BAD: expected a "
		 "number"},
		{{{"Counter", "all"}},
		 "invalid Counter of UNC_CHA_BAD: expected a list of "
		 "counters"},
		{{{"Counter", "0,"}},
		 "invalid Counter of UNC_CHA_BAD: expected a list of counters"},
		{{{"Counter", "0 1"}},
		 "invalid Counter of UNC_CHA_BAD: expected a list of "
		 "counters"},
		{{{"Counter", "32"}},
		 "invalid Counter of UNC_CHA_BAD: expected a list of counters"},
	};

	for (const Damage &damage : all)
		EXPECT_EQ(std::string(":5: ") + damage.reason + "; ignoring this event",
			  left_out(list_file({list_event("UNC_CHA_GOOD"),
					      list_event("UNC_CHA_BAD", damage.fields)})));
	EXPECT_EQ(
		":4: EventName " + long_name.substr(0, 99) +
			"... is too long: the maximum is 63 characters for the event, and as many for the umask; "
			"ignoring this event",
		left_out(list_file({list_event(long_name), list_event("UNC_CHA_GOOD")})));
	EXPECT_EQ(":5: invalid UMask of UNC_CHA_X: expected a number; ignoring this event",
		  left_out(list_file({list_event("UNC_CHA_GOOD"),
				      "{\"Unit\": \"CHA\", \"EventCode\": \"1\", \"UMask\": [], "
				      "\"EventName\": \"UNC_CHA_X\"}"})));
}

TEST_F(Lists, DamageInUnitsThatTheMachineLacksIsReportedToo)
{
	EXPECT_EQ(":4: invalid UMask of UNC_Z: expected a number; ignoring this event",
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
					 ":1004: invalid EventName UNC_H_SNOOPS_SENT.: empty event "
					 "or umask; ignoring this event"},
		warnings());
	EXPECT_EQ(0x17bu, cha("UNC_CHA_X999").bits) << "before it";
	EXPECT_EQ(0x17bu, cha("UNC_CHA_X1000").bits) << "behind it";
	EXPECT_EQ(std::size(boxes.own) - 1 + 3000, rows(boxes.cha).size()) << "and nothing else";
}

TEST_F(Lists, OfManyBadEventsTheFirstAreReportedOneByOne)
{
	std::vector<std::string> events = {list_event("UNC_CHA_GOOD")};

	for (unsigned i = 0; i < 50; i++)
		events.push_back(list_event("UNC_CHA_BAD", {{"UMask", "x"}}));
	ASSERT_EQ(0, load_text(list_file(events))) << err.text;
	const std::vector<std::string> all = warnings();
	ASSERT_EQ(21u, all.size());
	EXPECT_EQ(tree.path("a.json") +
			  ":24: invalid UMask of UNC_CHA_BAD: expected a number; ignoring this "
			  "event",
		  all[19]);
	EXPECT_EQ(tree.path("a.json") + ": ignoring 30 more events", all[20]);
}

TEST_F(Lists, AFileOfWhichNothingIsLeftIsRefused)
{
	EXPECT_EQ(":1: none of its 2 events can be used: " + tree.path("a.json") +
			  ":4: UNC_CHA_X has no Unit: use a list of uncore events, not of core "
			  "events; ignoring this event",
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
		": UNC_CHA_X.A is defined twice with different values; ignoring this event";
	EXPECT_EQ((std::vector<std::string>{tree.path("a.json") + ":4" + said,
					    tree.path("a.json") + ":6" + said}),
		  warnings());
	EXPECT_STREQ("", cha("UNC_CHA_X.A").name) << "which of them is right is not known";
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
	EXPECT_EQ(":1: none of its 1 events applies to a box of this machine (made-up Xeon): their "
		  "units are, for example, CBO; use the list of this CPU",
		  complaint(list_file({list_event("UNC_C_X", {{"Unit", "CBO"}})})));
	EXPECT_EQ(
		":1: none of its 1 events applies to a box of this machine (made-up Xeon); use the "
		"list of this CPU",
		complaint(list_file(
			{list_event("UNC_I", {{"Unit", "IIO"}, {"UMaskExt", "0x80000000"}})})));
}

} // namespace
