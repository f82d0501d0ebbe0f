// SPDX-License-Identifier: BSD-3-Clause
// lists_test.cc - Intel's event lists: from files to rows.
#include "support/lists.h"
#include "support/lists_boxes.h"

namespace
{

using support::list_event;
using support::list_file;
using support::lists::Lists;
using support::lists::text;

// ---- good files ----

TEST_F(Lists, NoFileLeavesTheOwnRows)
{
	EXPECT_EQ(0, load("", tree.path("missing")));
	EXPECT_EQ(boxes.own, unc_lists_rows(lists, &boxes.cha));
	EXPECT_EQ(nullptr, unc_lists_rows(lists, &boxes.iio));
	EXPECT_EQ(nullptr, unc_lists_warning(lists, 0));
	EXPECT_EQ(boxes.own, unc_lists_rows(nullptr, &boxes.cha));
}

TEST_F(Lists, AnEventAndItsUmasks)
{
	ASSERT_EQ(0,
		  load_text(list_file({
			  list_event("UNC_CHA_X.ONE", {{"BriefDescription", "Things : one"}}),
			  list_event("UNC_CHA_X.TWO", {{"UMask", "0x2"},
						       {"Counter", "0, 1"},
						       {"BriefDescription", "Things : two"}}),
			  list_event("UNC_CHA_X.BOTH",
				     {{"UMask", "0x03"}, {"BriefDescription", "Things : both"}}),
			  list_event("UNC_CHA_X.NONE",
				     {{"UMask", "0x00"}, {"BriefDescription", "Things : none"}}),
			  list_event("UNC_CHA_PLAIN",
				     {{"EventCode", "0x35"}, {"UMask", "0xA0"}, {"Counter", "2"}}),
		  })))
		<< err.text;
	const unc_row x = cha("UNC_CHA_X"), one = cha("UNC_CHA_X.ONE"), two = cha("UNC_CHA_X.TWO");
	const unc_row both = cha("UNC_CHA_X.BOTH"), none = cha("UNC_CHA_X.NONE");
	const unc_row plain = cha("UNC_CHA_PLAIN");

	EXPECT_EQ("Things", text(x));
	EXPECT_EQ(0x7bu, x.bits);
	EXPECT_EQ(0xfu, one.counters) << "of six";
	EXPECT_FALSE(one.alone);
	EXPECT_EQ("Things : two", text(two));
	EXPECT_EQ(0x200u, two.bits);
	EXPECT_EQ(0x3u, two.counters);
	EXPECT_EQ(0x300u, both.bits);
	EXPECT_EQ(0x100u, one.bits);
	EXPECT_TRUE(both.alone);
	EXPECT_TRUE(none.alone);
	EXPECT_EQ(0xa035u, plain.bits);
	EXPECT_EQ(0x4u, plain.counters);
	EXPECT_EQ("Text of UNC_CHA_PLAIN", text(plain));
	EXPECT_FALSE(plain.umask);
}

TEST_F(Lists, BareArrayAndByteOrderMark)
{
	ASSERT_EQ(0, load_text("\xef\xbb\xbf[" + list_event("UNC_CHA_X.ONE") + "]")) << err.text;
	EXPECT_EQ(0x100u, cha("UNC_CHA_X.ONE").bits);
}

TEST_F(Lists, NumbersMayBeNumbers)
{
	ASSERT_EQ(0, load_text("[{\"Unit\": \"CHA\", \"EventCode\": 53, \"UMask\": 4, "
			       "\"EventName\": \"UNC_CHA_X\", \"Counter\": 1, \"Filter\": null}]"))
		<< err.text;
	EXPECT_EQ(0x0435u, cha("UNC_CHA_X").bits);
	EXPECT_EQ(0x2u, cha("UNC_CHA_X").counters);
	EXPECT_EQ("UNC_CHA_X", text(cha("UNC_CHA_X"))) << "without any description";
}

TEST_F(Lists, UpperHalfOfTheControl)
{
	ASSERT_EQ(0, load_text(list_file({
			     list_event("UNC_CHA_TOR.MISS", {{"UMaskExt", "0x00C816FE"}}),
			     list_event("UNC_IIO_DATA.READ.PART2", {{"Unit", "IIO"},
								    {"UMask", "0x04"},
								    {"PortMask", "0x0004"},
								    {"FCMask", "0x07"}}),
			     list_event("UNC_UPI_X.EXT", {{"Unit", "upi ll"}, {"ExtSel", "1"}}),
			     list_event("UNC_UPI_Y", {{"Unit", "Link"}}),
			     list_event("UNC_UPI_Z", {{"Unit", "lin"}}),
			     list_event("UNC_U_A", {{"Unit", "UBO"}}),
			     list_event("UNC_U_B", {{"Unit", "UBOX"}}),
		     })))
		<< err.text;
	EXPECT_EQ(0x00c816fe00000100u, cha("UNC_CHA_TOR.MISS").bits);
	EXPECT_TRUE(cha("UNC_CHA_TOR.MISS").alone);
	EXPECT_EQ(0x7004000000400u, row("UNC_IIO_DATA.READ_PART2", boxes.iio).bits);
	EXPECT_TRUE(row("UNC_IIO_DATA.READ_PART2", boxes.iio).alone);
	EXPECT_EQ(0x20007bu, row("UNC_UPI_X", boxes.upi).bits);
	EXPECT_EQ(0x17bu, row("UNC_UPI_Y", boxes.upi).bits);
	EXPECT_STREQ("", row("UNC_UPI_Z", boxes.upi).name);
	EXPECT_EQ(0x17bu, row("UNC_U_A", boxes.ubo).bits) << "not Linux's name of another box";
	EXPECT_EQ(0x17bu, row("UNC_U_B", boxes.ubo).bits) << "Linux's name";
}

TEST_F(Lists, FunctionClassWhereTheBoxHasIt)
{
	boxes.iio.class_bit = 44;
	ASSERT_EQ(0, load_text(list_file({list_event(
			     "UNC_IIO_X.A",
			     {{"Unit", "IIO"}, {"PortMask", "0x01"}, {"FCMask", "0x4"}})})));
	EXPECT_EQ(0x401000000100u, row("UNC_IIO_X.A", boxes.iio).bits);
}

TEST_F(Lists, FilterValues)
{
	ASSERT_EQ(0,
		  load_text(list_file({
			  list_event("UNC_CHA_A",
				     {{"Filter", "CHAFilter1[31:0]"}, {"FILTER_VALUE", "0x4b433"}}),
			  list_event("UNC_CHA_B", {{"Filter", "CHAFilter0[26:17]"},
						   {"FILTER_VALUE", "0x20000"}}),
			  list_event("UNC_CHA_C",
				     {{"Filter", "CHAFilter2"}, {"FILTER_VALUE", "0x1"}}),
			  list_event("UNC_CHA_D", {{"Filter", "Filter1"}, {"FILTER_VALUE", "0x4"}}),
			  list_event("UNC_CHA_E", {{"Filter", "CHAFilter1[31:0]"}}),
			  list_event("UNC_CHA_F.ONE",
				     {{"Filter", "Filter1"}, {"FILTER_VALUE", "0x4b433"}}),
		  })))
		<< err.text;
	EXPECT_EQ(0x4b43300000000u, cha("UNC_CHA_A").config1);
	EXPECT_EQ(0x4b43300000000u, cha("UNC_CHA_F.ONE").config1);
	EXPECT_TRUE(cha("UNC_CHA_F.ONE").alone) << "another one may need another filter";
	EXPECT_EQ(0x20000u, cha("UNC_CHA_B").config1);
	EXPECT_STREQ("", cha("UNC_CHA_C").name) << "the box lacks the filter";
	EXPECT_STREQ("", cha("UNC_CHA_D").name) << "the filter has no such bit";
	EXPECT_EQ(0u, cha("UNC_CHA_E").config1);
}

TEST_F(Lists, FixedAndFreeRunningCounters)
{
	ASSERT_EQ(0, load_text(list_file({
			     list_event("UNC_CHA_FIXED", {{"Counter", "FIXED"},
							  {"EventCode", "0xff"},
							  {"UMask", "0x00"}}),
			     list_event("UNC_CHA_FIXED2",
					{{"CounterType", "FIXED"}, {"EventCode", "(none)"}}),
			     list_event("UNC_IIO_FIXED", {{"Unit", "IIO"}, {"Counter", "Fixed"}}),
			     list_event("UNC_CHA_FREE",
					{{"CounterType", "FREERUN"}, {"EventCode", "(none)"}}),
			     list_event("UNC_CHA_BEYOND", {{"Counter", "8"}}),
		     })))
		<< err.text;
	EXPECT_EQ(0xffu, cha("UNC_CHA_FIXED").bits);
	EXPECT_EQ(0u, cha("UNC_CHA_FIXED").counters);
	EXPECT_EQ(0xffu, cha("UNC_CHA_FIXED2").bits);
	EXPECT_STREQ("", row("UNC_IIO_FIXED", boxes.iio).name) << "it has no fixed counter";
	EXPECT_STREQ("", cha("UNC_CHA_FREE").name);
	EXPECT_STREQ("", cha("UNC_CHA_BEYOND").name);
}

TEST_F(Lists, DeprecatedAndUnfitOnesAreNotListed)
{
	ASSERT_EQ(
		0,
		load_text(list_file({
			list_event("UNC_CHA_OLD.A", {{"Deprecated", "1"}}),
			list_event("UNC_CHA_MIXED.A", {{"Deprecated", "1"}}),
			list_event("UNC_CHA_MIXED.B", {{"UMask", "0x02"}}),
			list_event("UNC_IIO_WIDE.A", {{"Unit", "IIO"}, {"UMaskExt", "0x80000000"}}),
		})))
		<< err.text;
	EXPECT_TRUE(cha("UNC_CHA_OLD").unlisted);
	EXPECT_TRUE(cha("UNC_CHA_OLD.A").unlisted);
	EXPECT_FALSE(cha("UNC_CHA_MIXED").unlisted);
	EXPECT_TRUE(cha("UNC_CHA_MIXED.A").unlisted);
	EXPECT_FALSE(cha("UNC_CHA_MIXED.B").unlisted);
	EXPECT_TRUE(row("UNC_IIO_WIDE", boxes.iio).unlisted);
}

TEST_F(Lists, NamesAreWrittenInCapitals)
{
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_TxR.IA_LlcPrefDRD")})));
	EXPECT_STREQ("IA_LLCPREFDRD", cha("UNC_CHA_TXR.IA_LLCPREFDRD").name);
}

TEST_F(Lists, TextIsOneLine)
{
	ASSERT_EQ(0, load_text(list_file({list_event(
			     "UNC_CHA_X", {{"BriefDescription", "a\\nb\\u001b[31mc"}})})));
	EXPECT_EQ("a b [31mc", text(cha("UNC_CHA_X")));
}

// U+009B is a terminal's escape sequence in one character; U+00E9 is a letter.
TEST_F(Lists, TextHasNoControlCharactersOfUtf8)
{
	ASSERT_EQ(0, load_text(list_file({list_event(
			     "UNC_CHA_X", {{"BriefDescription", "a\\u009b31mb\\u00e9c"}})})));
	EXPECT_EQ("a  31mb\xc3\xa9"
		  "c",
		  text(cha("UNC_CHA_X")));
}

// json-c 0.18 refuses these bytes where it is strict.
TEST_F(Lists, TextHasCharactersOfUtf8)
{
	ASSERT_EQ(0,
		  load_text(list_file(
			  {list_event("UNC_CHA_X",
				      {{"BriefDescription", "\xc3\xa9 a\\\"\xe2\x82\xac"}}),
			   list_event("UNC_CHA_Y", {{"BriefDescription", "b\xc3\xa9\xc3\xa9"}})})))
		<< err.text;
	EXPECT_EQ("\xc3\xa9 a\"\xe2\x82\xac", text(cha("UNC_CHA_X")));
	EXPECT_EQ("b\xc3\xa9\xc3\xa9", text(cha("UNC_CHA_Y")));
}

TEST_F(Lists, TextOfAnEventWithUmasks)
{
	auto event = [](const char *name, const char *text) {
		return list_event(name, {{"BriefDescription", text}});
	};

	ASSERT_EQ(0, load_text(list_file({event("UNC_CHA_A.A", "Reads of X : all"),
					  event("UNC_CHA_A.B", "Reads of X : some"),
					  event("UNC_CHA_B.A", "Counts reads"),
					  event("UNC_CHA_B.B", "Counts writes"),
					  event("UNC_CHA_C.A", "Alone (and only)"),
					  event("UNC_CHA_D.A", "Same"),
					  event("UNC_CHA_D.B", "Same")})));
	EXPECT_EQ("Reads of X", text(cha("UNC_CHA_A")));
	EXPECT_EQ("depends on the umask, for instance: Counts reads", text(cha("UNC_CHA_B")));
	EXPECT_EQ("Alone (and only)", text(cha("UNC_CHA_C")));
	EXPECT_EQ("Same", text(cha("UNC_CHA_D")));
}

TEST_F(Lists, AnEventThatCountsWithoutUmaskToo)
{
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_X", {{"UMask", "0x0f"}}),
					  list_event("UNC_CHA_X.ALL", {{"UMask", "0x07"}})})));
	const unc_row plain = cha("UNC_CHA_X.PLAIN");

	EXPECT_EQ(0x7bu, cha("UNC_CHA_X").bits);
	EXPECT_EQ(0xf00u, plain.bits);
	EXPECT_TRUE(plain.first);
	EXPECT_TRUE(plain.alone);
	EXPECT_FALSE(cha("UNC_CHA_X.ALL").first);
}

TEST_F(Lists, UmasksWithCodesOfTheirOwnExcludeEachOther)
{
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_X.A", {{"EventCode", "0x10"}}),
					  list_event("UNC_CHA_X.B", {{"EventCode", "0x21"}})})));
	EXPECT_EQ(0u, cha("UNC_CHA_X").bits);
	EXPECT_EQ(0x110u, cha("UNC_CHA_X.A").bits);
	EXPECT_EQ(0x121u, cha("UNC_CHA_X.B").bits);
	EXPECT_TRUE(cha("UNC_CHA_X.A").alone);
}

// ---- with the own rows ----

TEST_F(Lists, OwnEventsGetMoreUmasksOfWhichTheListsWin)
{
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_BOTH.RED",
						     {{"EventCode", "0x22"}, {"UMask", "0x08"}}),
					  list_event("UNC_CHA_BOTH.BLUE", {{"EventCode", "0x22"},
									   {"UMask", "0x02"}})})));
	EXPECT_EQ(0x11u, cha("UNC_CHA_OWN").bits);
	EXPECT_EQ(0x22u, cha("UNC_CHA_BOTH").bits);
	EXPECT_EQ("own both", text(cha("UNC_CHA_BOTH")));
	EXPECT_STREQ("things", cha("UNC_CHA_BOTH").unit);
	EXPECT_EQ(0u, cha("UNC_CHA_BOTH").counters);
	EXPECT_EQ(0x800u, cha("UNC_CHA_BOTH.RED").bits);
	EXPECT_EQ(0x200u, cha("UNC_CHA_BOTH.BLUE").bits);
	EXPECT_EQ(0x400u, cha("UNC_CHA_BOTH.GREEN").bits);
	EXPECT_EQ(0x3u, cha("UNC_CHA_BOTH.GREEN").counters) << "the own event's";
	EXPECT_EQ(5u, rows(boxes.cha).size());
}

TEST_F(Lists, AnotherCodeReplacesTheOwnEvent)
{
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_BOTH.BLUE")})));
	EXPECT_EQ(0x7bu, cha("UNC_CHA_BOTH").bits);
	EXPECT_STREQ("", cha("UNC_CHA_BOTH.RED").name);
	EXPECT_EQ(3u, rows(boxes.cha).size());
}

// ---- several files ----

TEST_F(Lists, TheLaterFileWins)
{
	tree.write("a.json", list_file({list_event("UNC_CHA_X.A", {{"UMask", "0x01"}}),
					list_event("UNC_CHA_X.B", {{"UMask", "0x02"}})}));
	tree.write("b.json", list_file({list_event("UNC_CHA_X.B", {{"UMask", "0x04"}}),
					list_event("UNC_CHA_Y", {{"UMask", "0x08"}})}));
	ASSERT_EQ(0, load(tree.path("a.json") + "::" + tree.path("b.json"))) << err.text;
	EXPECT_EQ(0x100u, cha("UNC_CHA_X.A").bits);
	EXPECT_EQ(0x400u, cha("UNC_CHA_X.B").bits);
	EXPECT_EQ(0x87bu, cha("UNC_CHA_Y").bits);
}

TEST_F(Lists, OneDamagedFileOfTwoIsAnError)
{
	tree.write("a.json", list_file({list_event("UNC_CHA_X.A")}));
	tree.write("b.json", "{\n");
	EXPECT_EQ(UNCORE_EINVAL, load(tree.path("a.json") + ":" + tree.path("b.json")));
	EXPECT_EQ(tree.path("b.json") + ":2: unexpected end of file: expected a name in quotes",
		  err.text);
}

TEST_F(Lists, DamagedFilesInTheDirectoryAreWarnings)
{
	tree.write("d/1.json", list_file({list_event("UNC_CHA_X.A")}));
	tree.write("d/2.json", "[" + list_event("UNC_CHA_X.B", {{"UMask", "0x02"}}) + ",\n");
	tree.write("d/3.json", list_file({list_event("UNC_CHA_X.D", {{"UMask", "0x04"}})}));
	tree.write("d/readme.txt", "no list");
	tree.write("d/.hidden.json", "no list");
	ASSERT_EQ(0, load("", tree.path("d"))) << err.text;
	EXPECT_EQ(0x100u, cha("UNC_CHA_X.A").bits);
	EXPECT_STREQ("", cha("UNC_CHA_X.B").name) << "nothing of a damaged file is used";
	EXPECT_EQ(0x400u, cha("UNC_CHA_X.D").bits);
	EXPECT_EQ(std::vector<std::string>{tree.path("d/2.json") +
					   ":2: unexpected end of file: expected an event, {,; "
					   "ignoring this file"},
		  warnings());
}

TEST_F(Lists, NamedFilesWinOverTheDirectory)
{
	tree.write("d/1.json", list_file({list_event("UNC_CHA_X.A", {{"UMask", "0x02"}})}));
	tree.write("a.json", list_file({list_event("UNC_CHA_X.A", {{"UMask", "0x04"}})}));
	ASSERT_EQ(0, load(tree.path("a.json"), tree.path("d"))) << err.text;
	EXPECT_EQ(0x400u, cha("UNC_CHA_X.A").bits);
}

TEST_F(Lists, ADirectoryThatIsAFile)
{
	tree.write("d", "a file");
	ASSERT_EQ(0, load("", tree.path("d")));
	EXPECT_EQ(tree.path("d") + ": Not a directory", unc_lists_warning(lists, 0)->text);
}

TEST_F(Lists, ManyEventsOfOneName)
{
	std::vector<std::string> events;

	for (unsigned i = 0; i < 2000; i++)
		events.push_back(list_event("UNC_CHA_X.U" + std::to_string(i),
					    {{"UMaskExt", std::to_string(i + 1)}}));
	ASSERT_EQ(0, load_text(list_file(events))) << err.text;
	EXPECT_EQ(0x100u | 2000ull << 32, cha("UNC_CHA_X.U1999").bits);
	EXPECT_EQ(std::size(boxes.own) - 1 + 1 + 2000, rows(boxes.cha).size());
}

} // namespace
