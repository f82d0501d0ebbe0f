// SPDX-License-Identifier: BSD-3-Clause
// lists_info_test.cc - the processors for which each of Intel's lists is used.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "event/list_info.h"
#include "support/handle.h"
#include "support/lists.h"
#include "support/lists_boxes.h"

namespace
{

using support::list_event;
using support::list_file;
using support::lists::Lists;

// Header.Info of each uncore list that Intel has published, without "Performance Monitoring
// Events for " and the version; and the platforms all of whose events are in it.
struct Published {
	const char *info;
	std::set<std::string> platforms;
};

const std::vector<Published> kPublished = {
	{"Intel(R) Xeon(R) processor E5 family Based on the Sandy Bridge-EP Microarchitecture",
	 {"snbep"}},
	{"Intel(R) Xeon(R) processor E5 family and Intel(R) Xeon(R) processor E7 family Based on the "
	 "Ivy Bridge-EP Microarchitecture",
	 {"ivbep"}},
	{"Intel(R) Xeon(R) processor E5 v3 family based on the Haswell-E microarchitecture",
	 {"hswep"}},
	{"Intel(R) Xeon(R) Processor E5 v4 Family Based on the Broadwell Microarchitecture",
	 {"bdx"}},
	{"5th Generation Intel(R) Core(TM) Processor Based on the Broadwell-DE Microarchitecture",
	 {"bdx"}},
	{"Intel(R) Xeon Phi Coprocessor based on the Intel(R) Many Integrated Core Architecture",
	 {"knl"}},
	{"Intel(R) Xeon(R) Processor Scalable Family based on Skylake microarchitecture", {"skx"}},
	{"2nd Generation Intel(R) Xeon(R) Processor Scalable Family based on Cascade Lake product",
	 {"skx"}},
	{"3rd Generation Intel(R) Xeon(R) Processor Scalable Family based on Ice Lake "
	 "microarchitecture",
	 {"icx"}},
	{"Intel Atom(R) Processors based on SnowRidge microarchitecture", {}},
	{"4th Generation Intel(R) Xeon(R) Processor Scalable Family based on Sapphire Rapids "
	 "microarchitecture",
	 {"spr", "emr"}},
	{"5th Generation Intel(R) Xeon(R) Processor Scalable Family", {"emr"}},
	{"Intel(R) Xeon(R) 6 Processor with P-cores", {"gnr"}},
	{"Intel(R) Xeon(R) 6 Processor with E-cores", {"srf", "cwf"}},
	{"Intel(R) Grand Ridge Base Transceiver Station Family", {}},
	{"Intel(R) Xeon(R) 6+ (codenamed Clearwater Forest)", {"srf", "cwf"}},
	// of clients, and how texts of servers may be worded, too
	{"6th Generation Intel(R) Core(TM) Processor based on Skylake microarchitecture", {}},
	{"4th Generation Intel(R) Core(TM) Processors based on Haswell microarchitecture", {}},
	{"Intel(R) Core(TM) Ultra Processors with Lion Cove", {}},
	{"Intel(R) Core(TM) i7 Processor, Sandy Bridge", {}},
	{"Intel(R) Xeon(R) processors codenamed Granite Rapids", {"gnr"}},
	{"GraniteRapids", {"gnr"}},
	{"INTEL XEON 6 PROCESSORS WITH E-CORES", {"srf", "cwf"}},
	{"4th Gen Intel Xeon Scalable", {"spr", "emr"}},
	{"SkylakeX", {"skx"}},
	{"Skylake Server", {"skx"}},
	{"Xeon Processor E7 v3 Family", {"hswep"}},
	{"Sandy Bridge-EN", {"snbep"}},
	{"Haswell events", {}},
};

TEST(ListInfo, EachPublishedListIsForItsProcessorsOnly)
{
	for (const Published &p : kPublished)
		for (unsigned i = 0; unc_platforms[i]; i++) {
			const std::string name = unc_platforms[i]->name;
			const std::string info = "Performance Monitoring Events for " +
						 std::string(p.info) + " - V1.20";

			EXPECT_EQ(p.platforms.count(name) ? UNC_LIST_OURS : UNC_LIST_OTHERS,
				  unc_list_for(unc_platforms[i], info.c_str()))
				<< name << ": " << info;
		}
}

TEST(ListInfo, EachPlatformThatKnowsItsListsIsInTheTable)
{
	for (auto p = unc_platforms; *p; p++)
		EXPECT_EQ((*p)->desc->lists != nullptr,
			  std::any_of(std::begin(kPublished), std::end(kPublished),
				      [p](const Published &text) {
					      return text.platforms.count((*p)->name) == 1;
				      }))
			<< "add to kPublished what Intel's event lists of " << (*p)->name
			<< " say of themselves (Header.Info)";
}

TEST(ListInfo, OtherTextsAreUnknown)
{
	for (const char *info : {"", "made up", "my events", "events of custom atomics in the core",
				 "Intel(R) Xeon(R) Processor Scalable Family", "Diamond Rapids"})
		for (unsigned i = 0; unc_platforms[i]; i++)
			EXPECT_EQ(UNC_LIST_UNKNOWN, unc_list_for(unc_platforms[i], info)) << info;
}

// ---- consequences ----

constexpr const char *kSpr = "Performance Monitoring Events for 4th Generation Intel(R) Xeon(R) "
			     "Processor Scalable Family based on Sapphire Rapids microarchitecture "
			     "- V1.39";

TEST_F(Lists, AListOfAnotherProcessorIsRefused)
{
	EXPECT_EQ(":2: the list is for another processor (\"" + std::string(kSpr) +
			  "\"), not for this made-up Xeon: use the list of this CPU, or set "
			  "UNCORE_EVENT_FILES_FORCE=1",
		  complaint(list_file({list_event("UNC_CHA_X")}, kSpr)));
}

TEST_F(Lists, TheHeaderMayBeBehindTheEvents)
{
	EXPECT_EQ(
		":2: the list is for another processor (\"Granite Rapids\"), not for this made-up "
		"Xeon: use the list of this CPU, or set UNCORE_EVENT_FILES_FORCE=1",
		complaint("{\"Events\": [" + list_event("UNC_CHA_X") +
			  "],\n\"Header\": {\"Info\": \"Granite Rapids\"}}"));
}

TEST_F(Lists, AListOfAnotherProcessorInTheDirectoryIsLeftOut)
{
	tree.write("d/1.json", list_file({list_event("UNC_CHA_X")}, "Granite Rapids"));
	tree.write("d/2.json", list_file({list_event("UNC_CHA_Y")}));
	ASSERT_EQ(0, load("", tree.path("d"))) << err.text;
	EXPECT_STREQ("", cha("UNC_CHA_X").name);
	EXPECT_EQ(0x17bu, cha("UNC_CHA_Y").bits);
	EXPECT_EQ(
		std::vector<std::string>{
			tree.path("d/1.json") +
			":2: the list is for another processor (\"Granite Rapids\"), not for this "
			"made-up Xeon: use the list of this CPU, or set "
			"UNCORE_EVENT_FILES_FORCE=1; ignoring this file"},
		warnings());
}

TEST_F(Lists, TheUserMayTakeAListOfAnotherProcessor)
{
	force = true;
	ASSERT_EQ(0, load_text(list_file({list_event("UNC_CHA_X")}, "Granite Rapids"))) << err.text;
	EXPECT_EQ(0x17bu, cha("UNC_CHA_X").bits);
	EXPECT_EQ(std::vector<std::string>{tree.path("a.json") +
					   " is for another processor (\"Granite Rapids\"), not "
					   "for this made-up Xeon: used because "
					   "UNCORE_EVENT_FILES_FORCE is set"},
		  warnings());
}

TEST_F(Lists, AListWithoutAProcessorIsUsedWithAWarning)
{
	const std::string path = tree.path("a.json");
	const std::string event = list_event("UNC_CHA_X"),
			  taken = "assuming a list of this made-up Xeon";

	for (const auto &[text, info] : std::vector<std::pair<std::string, std::string>>{
		     {list_file({event}, "events"), "\"events\""},
		     {list_file({event}, "ev\\u001b[2J"), "\"ev?[2J\""},
		     {list_file({event}, ""), "none"},
		     {"[" + event + "]", "none"},
		     {"{\"Header\": [], \"Events\": [" + event + "]}", "none"},
		     {"{\"Header\": null, \"Events\": [" + event + "]}", "none"},
		     {"{\"Header\": {\"Info\": 7}, \"Events\": [" + event + "]}", "none"}}) {
		ASSERT_EQ(0, load_text(text)) << err.text;
		EXPECT_EQ(0x17bu, cha("UNC_CHA_X").bits);
		EXPECT_EQ(std::vector<std::string>{path +
						   " does not name its processor (Header.Info: " +
						   info + "): " + taken},
			  warnings());
		unc_lists_free(lists);
		lists = nullptr;
	}
}

// On the wrong processor the memory reads would be half of the correct value.
TEST(ListInfo, SapphireRapidsListIsRefusedOnGraniteRapidsUnlessForced)
{
	support::Tree tree;
	auto o = support::sized<uncore_options>();

	tree.write("spr.json",
		   list_file({list_event("UNC_M_CAS_COUNT.RD", {{"Unit", "iMC"}})}, kSpr));
	const std::string file = tree.path("spr.json");
	o.event_files = file.c_str();
	o.machine = "sim:gnr:packages=1,time=virtual";
	{
		support::Handle m(o);
		EXPECT_EQ(UNCORE_EINVAL, m.code);
		EXPECT_EQ(0u, m.message().find(file + ":2: the list is for another processor"))
			<< m.message();
	}
	o.event_files_force = 1;
	{
		support::Handle m(o);
		ASSERT_EQ(0, m.code) << m.message();
		EXPECT_NE(nullptr, m.warning(0));
	}
	o.event_files_force = 0;
	o.machine = "sim:emr:packages=1,time=virtual";
	{
		support::Handle m(o);
		ASSERT_EQ(0, m.code) << m.message();
		EXPECT_EQ(nullptr, m.warning(0));
	}
}

} // namespace
