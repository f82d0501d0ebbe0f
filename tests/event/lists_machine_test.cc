// SPDX-License-Identifier: BSD-3-Clause
// lists_machine_test.cc - Intel's event lists on simulated machines: listed, encoded, counted.
#include <cinttypes>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "config.h"
#include "plan/complete.h"
#include "support/every_event.h"
#include "support/handle.h"
#include "support/intel_lists.h"
#include "support/lists.h"
#include "support/plan.h"
#include "support/tree.h"

namespace
{

using support::Fields;
using support::list_event;
using support::list_file;

class ListsOnMachines : public testing::Test
{
      protected:
	uncore_options options(const std::vector<std::string> &events)
	{
		auto o = support::sized<uncore_options>();

		tree.write("a.json", list_file(events, info));
		file = tree.path("a.json");
		o.machine = "sim:skx:packages=1,time=virtual";
		o.event_files = file.c_str();
		return o;
	}
	static constexpr const char *kSkx =
		"Performance Monitoring Events for Intel(R) Xeon(R) Processor Scalable Family based "
		"on Skylake microarchitecture - V1.37";
	static Fields fields(const char *code, const char *umask, const char *counter = "0,1,2,3")
	{
		return {{"EventCode", code}, {"UMask", umask}, {"Counter", counter}};
	}

	support::Tree tree;
	std::string file;
	std::string info = kSkx;
};

struct Placed {
	uint64_t control;
	unsigned counter;
	std::string filter; // written to FILTER1 of CHA 0
};

Placed placed(const support::Handle &m, const std::string &name)
{
	const unsigned id = m.event(name + ":box=0");
	struct uncore_plan *plan = nullptr;
	Placed result = {0, 99, ""};

	EXPECT_EQ(0, uncore_plan(m.u, &id, 1, nullptr, &plan)) << name << m.message();
	if (plan && plan->feasible && plan->layout.n == 1) {
		result.control = plan->layout.at[0].assignment.control;
		result.counter = plan->layout.at[0].assignment.counter;
	}
	for (size_t i = 0; plan && i < plan->setup.n; i++)
		if (plan->setup.op[i].kind == UNCORE_WRITE && plan->setup.op[i].address == 0xe06)
			result.filter = std::to_string(plan->setup.op[i].value);
	uncore_plan_free(plan);
	return result;
}

std::set<std::string> umasks(const support::Handle &m, const std::string &event)
{
	std::set<std::string> all;
	unsigned id = m.event(event);

	while (uncore_event_umask(m.u, id, 0, &id) == 1)
		all.insert(std::string(uncore_event_name(m.u, id)).substr(event.size() + 1));
	return all;
}

TEST_F(ListsOnMachines, ANewEventIsListedEncodedAndPlaced)
{
	support::Handle m(options({
		list_event("UNC_CHA_WIDGETS.RED", fields("0x7b", "0x01", "1,2")),
		list_event("UNC_CHA_WIDGETS.BLUE", fields("0x7b", "0x02", "2,3")),
		list_event("UNC_CHA_WIDGETS.ALL", fields("0x7b", "0x03")),
	}));
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ("UNC_CHA_WIDGETS:BLUE:RED:t=3",
		  m.canonical("skx_unc_cha::unc_cha_widgets:red:t=3:blue"));
	EXPECT_EQ(0x300037bu, placed(m, "UNC_CHA_WIDGETS:RED:BLUE:t=3").control);
	EXPECT_EQ(2u, placed(m, "UNC_CHA_WIDGETS:RED:BLUE").counter);
	EXPECT_EQ(0x4017bu, placed(m, "UNC_CHA_WIDGETS:RED:e").control);
	EXPECT_EQ(0x37bu, placed(m, "UNC_CHA_WIDGETS").control) << "ALL";
	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_CHA_WIDGETS:ALL:RED"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_CHA_WIDGETS:t=256"));
	EXPECT_EQ((std::set<std::string>{"ALL", "BLUE", "RED", "e=0", "i=0", "t=0", "box=0",
					 "pkg=0", "cpu=0"}),
		  umasks(m, "UNC_CHA_WIDGETS"));
	ASSERT_EQ(0, uncore_event_info(m.u, m.event("UNC_CHA_WIDGETS:RED"), &info));
	EXPECT_STREQ("cha", info.kind);
	EXPECT_TRUE(info.exact);
}

// UNC_C_LLC_VICTIMS is libpfm4's, the table has umasks that it lacks, and the file one more.
TEST_F(ListsOnMachines, AUmaskOfAFileWinsOverTheTable)
{
	support::Handle m(options({
		list_event("UNC_C_LLC_VICTIMS.NEW_STATE", fields("0x37", "0x40")),
	}));

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x4037u, placed(m, "UNC_C_LLC_VICTIMS.NEW_STATE").control);
	EXPECT_EQ(0x137u, placed(m, "UNC_C_LLC_VICTIMS.M_STATE").control);
	EXPECT_EQ(0x2f37u, placed(m, "UNC_C_LLC_VICTIMS:LOCAL_ALL").control);
}

TEST_F(ListsOnMachines, NothingOfItWithoutTheFile)
{
	uncore_options o = options({list_event("UNC_CHA_WIDGETS")});

	o.event_files = nullptr;
	support::Handle m(o);
	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(UNCORE_ENOEVENT, m.refusal("UNC_CHA_WIDGETS"));
	EXPECT_EQ(nullptr, m.warning(0));
}

TEST_F(ListsOnMachines, EveryEventOfTheListCounts)
{
	support::Handle m(options({
		list_event("UNC_CHA_WIDGETS.RED", fields("0x7b", "0x01", "1,2")),
		list_event("UNC_CHA_PLAIN", fields("0x35", "0x0f")),
		list_event("UNC_CHA_PLAIN.MORE", fields("0x35", "0x03")),
		list_event("UNC_IIO_THING.READ.PART0", {{"Unit", "IIO"},
							{"EventCode", "0x83"},
							{"PortMask", "0x01"},
							{"FCMask", "0x07"},
							{"Counter", "0,1"}}),
		list_event("UNC_UPI_THING.A", {{"Unit", "UPI LL"}, {"EventCode", "0x02"}}),
		list_event("UNC_X_CLOCK", {{"Unit", "UBOX"}, {"Counter", "FIXED"}}),
	}));

	ASSERT_EQ(0, m.code) << m.message();
	for (const char *name : {"UNC_CHA_WIDGETS", "UNC_CHA_PLAIN", "UNC_IIO_THING",
				 "UNC_UPI_THING", "UNC_X_CLOCK"}) {
		support::Set set(m, {name});

		EXPECT_EQ(0, set.start()) << name << ": " << m.message();
		EXPECT_EQ(0, set.stop()) << name << ": " << m.message();
	}
	EXPECT_EQ(0x0f35u, placed(m, "UNC_CHA_PLAIN").control) << "without umask as the list says";
	EXPECT_EQ(0x0335u, placed(m, "UNC_CHA_PLAIN:MORE").control);
	EXPECT_EQ(0x701000000183u, placed(m, "UNC_IIO_THING").control);
	EXPECT_EQ("UNC_IIO_THING:READ_PART0", m.canonical("UNC_IIO_THING.READ.PART0"));
}

TEST_F(ListsOnMachines, ALibpfm4EventGetsMoreUmasksAndKeepsItsOwn)
{
	Fields red = fields("0x35", "0x01"), own = fields("0x35", "0x44");

	red["Filter"] = "CHAFilter1[31:0]";
	red["FILTER_VALUE"] = "0x4b433";
	support::Handle without(options({list_event("UNC_CHA_OTHER")}));
	support::Handle m(options({list_event("UNC_C_TOR_INSERTS.RED", red),
				   list_event("UNC_C_TOR_INSERTS.IPQ", own),
				   list_event("UNC_C_CLOCKTICKS.RED", fields("0x77", "0x01"))}));
	std::set<std::string> before = umasks(without, "UNC_C_TOR_INSERTS");

	ASSERT_EQ(0, m.code) << m.message();
	before.insert("RED");
	EXPECT_EQ(before, umasks(m, "UNC_C_TOR_INSERTS"));
	EXPECT_EQ("UNC_C_TOR_INSERTS:RED:t=3", m.canonical("UNC_C_TOR_INSERTS:t=3:red"));
	EXPECT_EQ(0x3000135u, placed(m, "UNC_C_TOR_INSERTS:RED:t=3").control);
	EXPECT_EQ(std::to_string(0x4b433), placed(m, "UNC_C_TOR_INSERTS:RED").filter);
	for (const char *name : {"UNC_C_TOR_INSERTS", "UNC_C_TOR_INSERTS:IPQ"}) {
		EXPECT_EQ(placed(without, name).control, placed(m, name).control) << name;
		EXPECT_EQ(placed(without, name).filter, placed(m, name).filter) << name;
	}
	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_C_TOR_INSERTS:RED:IPQ"));
	EXPECT_EQ("umask IPQ of UNC_C_TOR_INSERTS is from libpfm4 and cannot be combined with "
		  "those of an event list",
		  m.message());
	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_C_TOR_INSERTS:RED:nc=1"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_C_CLOCKTICKS:RED")) << "another code";
}

// As the lists of perf have it; Linux compares filter 1 with the upper half of config1.
TEST_F(ListsOnMachines, FiltersOfPerfsLists)
{
	auto filtered = [](const char *filter) {
		Fields all = fields("0x35", "0x21");

		all["Filter"] = filter;
		return all;
	};
	support::Handle m(options({
		list_event("LLC_MISSES.UNCACHEABLE", filtered("config1=0x40e33")),
		list_event("LLC_MISSES.MMIO_READ", filtered("config1=0x4004043300000000")),
		list_event("LLC_MISSES.FIELDS", filtered("filter_opc0=0x207, filter_loca=1")),
		list_event("LLC_MISSES.GOOD", filtered("filter_rem,filter_opc1=0x3ff")),
		list_event("LLC_REFS.NONE", filtered("filter_opc0=0x400")),
	}));

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(std::to_string(0x40e33), placed(m, "LLC_MISSES.UNCACHEABLE").filter);
	EXPECT_EQ(std::to_string(0x40040433), placed(m, "LLC_MISSES.MMIO_READ").filter);
	EXPECT_EQ(std::to_string(0x1ff80031), placed(m, "LLC_MISSES.GOOD").filter)
		<< "near and not near";
	EXPECT_EQ(UNCORE_EATTR, m.refusal("LLC_MISSES.FIELDS"));
	EXPECT_EQ(
		"LLC_MISSES.FIELDS cannot be used: " + file +
			":6: invalid Filter of LLC_MISSES.FIELDS: filter_loca=1: unknown register "
			"or field of this box; ignoring this event",
		m.message());
	EXPECT_EQ(UNCORE_EATTR, m.refusal("llc_refs.none")) << "the only umask of its event";
	EXPECT_EQ("llc_refs cannot be used: " + file +
			  ":8: invalid Filter of LLC_REFS.NONE: filter_opc0=0x400: too large; "
			  "ignoring this event",
		  m.message());
}

// The thread filter has no effect without its enable bit; tests/golden has the registers.
TEST_F(ListsOnMachines, AThreadInAFilterIsEnabled)
{
	Fields threads = fields("0x35", "0x01");

	info = "Performance Monitoring Events for Intel(R) Xeon(R) Processor E5 v4 Family - V23";
	threads["Unit"] = "CBO";
	threads["Filter"] = "filter_opc=0x1c8,filter_tid=0x3e";
	uncore_options o = options({list_event("LLC_REFERENCES.PCIE_WRITE", threads)});
	o.machine = "sim:bdx:packages=1,time=virtual";
	support::Handle m(o);
	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x80135u, placed(m, "LLC_REFERENCES.PCIE_WRITE").control);
	EXPECT_EQ(std::to_string(0x1c800000), placed(m, "LLC_REFERENCES.PCIE_WRITE").filter);
}

TEST_F(ListsOnMachines, AnEventWithThousandsOfUmasks)
{
	std::vector<std::string> events;
	char name[32];

	for (unsigned i = 0; i < 8192; i++) {
		snprintf(name, sizeof(name), "UNC_CHA_BIG.U%05u", i);
		events.push_back(list_event(name));
	}
	uncore_options o = options(events);
	support::Handle m(o);

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x17bu, placed(m, "UNC_CHA_BIG.U08191").control);
}

TEST_F(ListsOnMachines, UmasksNamedLikeModifiers)
{
	support::Handle m(options({list_event("UNC_CHA_STATES.E", fields("0x7b", "0x01")),
				   list_event("UNC_CHA_STATES.I", fields("0x7b", "0x02"))}));

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x17bu, placed(m, "UNC_CHA_STATES:E").control);
	EXPECT_EQ(0x4017bu, placed(m, "UNC_CHA_STATES:E:e=1").control);
	EXPECT_EQ(0x4017bu, placed(m, "UNC_CHA_STATES:E:e").control);
	EXPECT_EQ("UNC_CHA_STATES:E:e=1", m.canonical("unc_cha_states:e=1:E"));
	EXPECT_EQ("UNC_CHA_STATES:E:e=1", m.canonical("unc_cha_states.e:e"));
}

TEST_F(ListsOnMachines, DeprecatedEventsAreKnownButNotListed)
{
	Fields old = fields("0x7b", "0x01");

	old["Deprecated"] = "1";
	support::Handle without(options({list_event("UNC_CHA_NEW")}));
	support::Handle m(options({list_event("UNC_CHA_NEW"), list_event("UNC_CHA_OLD", old)}));
	EXPECT_EQ(without.machine().events, m.machine().events);
	EXPECT_EQ(0x17bu, placed(m, "UNC_CHA_OLD").control);
}

TEST_F(ListsOnMachines, MissingPartsOfABoxAreRefusedByName)
{
	support::Handle m(options({list_event("UNC_CHA_NEW"),
				   list_event("UNC_CHA_LATER.A", {{"UMaskExt", "0xc816fe"}})}));

	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_CHA_LATER:A"));
	EXPECT_NE(std::string::npos, m.message().find("which are not available in a cha"))
		<< m.message();
}

TEST_F(ListsOnMachines, CountersThatUmasksDoNotShare)
{
	support::Handle m(options({list_event("UNC_CHA_X.A", fields("0x7b", "0x01", "0,1")),
				   list_event("UNC_CHA_X.B", fields("0x7b", "0x02", "2,3"))}));

	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_CHA_X:A:B"));
	EXPECT_EQ("no counter of a cha may count UNC_CHA_X with these umasks", m.message());
}

TEST_F(ListsOnMachines, ADamagedFileFailsTheOpen)
{
	support::Handle m(options({"{\"EventName\": \"UNC_X\"}"}));

	EXPECT_EQ(UNCORE_EINVAL, m.code);
	EXPECT_EQ(file + ":1: none of its 1 events can be used: " + file +
			  ":4: UNC_X has no Unit: use a list of uncore events, not of core events; "
			  "ignoring this event",
		  m.message());
}

// A list of Granite Rapids in addition to its tables; a list that is newer than they are.
TEST_F(ListsOnMachines, GraniteRapids)
{
	info = "Performance Monitoring Events for Intel(R) Xeon(R) 6 Processor with P-cores - V1.20";
	uncore_options o = options({
		list_event("UNC_CHA_TOR.MISS", {{"EventCode", "0x35"}, {"UMaskExt", "0x00C816FE"}}),
		list_event("UNC_B2CMI_X.A", {{"Unit", "B2CMI"}, {"UMaskExt", "0x00000001"}}),
		list_event("UNC_IIO_X.A.PART4", {{"Unit", "IIO"},
						 {"EventCode", "0x83"},
						 {"PortMask", "0x10"},
						 {"FCMask", "0x07"},
						 {"UMaskExt", "0x00070100"},
						 {"Counter", "0,1"}}),
		list_event("UNC_MDF_X", {{"Unit", "MDF"}}),
		list_event("UNC_UPI_X", {{"Unit", "UPI"}}),
	});

	o.machine = "sim:gnr:packages=1,time=virtual";
	support::Handle m(o);
	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0xc816fe04000135u, placed(m, "UNC_CHA_TOR:MISS:t=4").control);
	EXPECT_EQ(0x10004017bu, placed(m, "UNC_B2CMI_X:A:e").control);
	EXPECT_EQ(0x7010010000183u, placed(m, "UNC_IIO_X.A.PART4:t=16").control);
	EXPECT_EQ(0x17bu, placed(m, "UNC_MDF_X").control);
	EXPECT_EQ(0x17bu, placed(m, "UNC_UPI_X").control);
}

std::string hex(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return text;
}

// As tests/event/intel has it.
std::string written(const support::IntelEvent &e)
{
	std::string counters;

	for (char c : e.counters)
		counters += std::string(counters.empty() ? "" : ",") + c;
	return list_event(e.name, {{"Unit", e.unit},
				   {"EventCode", hex(e.control & 0xff)},
				   {"UMask", hex(e.control >> 8 & 0xff)},
				   {"UMaskExt", hex(e.control >> 32)},
				   {"Counter", counters}});
}

// Intel's own list in addition to the tables made from it.
TEST_F(ListsOnMachines, AWholeListTakesNothingAway)
{
	std::vector<std::string> events;
	auto plain = support::sized<uncore_options>();

	info = "Performance Monitoring Events for Intel(R) Xeon(R) 6 Processor with P-cores - V1.20";
	for (const support::IntelEvent &e : support::intel_events("gnr.list"))
		events.push_back(written(e));
	uncore_options o = options(events);
	o.machine = plain.machine = "sim:gnr:packages=1,cores=2,time=virtual";
	support::Handle with(o), without(plain);
	ASSERT_EQ(0, with.code) << with.message();
	EXPECT_EQ(nullptr, with.warning(0));
	for (const std::string &name : support::listed_names(without)) {
		const unsigned id = with.event(name);
		struct uncore_plan *plan = nullptr;

		ASSERT_EQ(0, uncore_plan(with.u, &id, 1, nullptr, &plan))
			<< name << ": " << with.message();
		EXPECT_TRUE(plan->feasible) << name;
		uncore_plan_free(plan);
	}
}

TEST_F(ListsOnMachines, TheEnvironmentVariable)
{
	uncore_options o = options({list_event("UNC_CHA_WIDGETS")});

	o.event_files = nullptr;
	setenv("UNCORE_EVENT_FILES", file.c_str(), 1);
	support::Handle m(o);
	unsetenv("UNCORE_EVENT_FILES");
	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x17bu, placed(m, "UNC_CHA_WIDGETS").control);
}

TEST_F(ListsOnMachines, TheInstalledDirectoryBelowTheRoot)
{
	const std::string directory = std::string(UNCORE_EVENTS_DIR) + "/skx/";
	uncore_options o = options({list_event("UNC_CHA_OTHER", fields("0x7b", "0x02"))});

	tree.write(directory + "good.json", list_file({list_event("UNC_CHA_WIDGETS")}, kSkx));
	tree.write(directory + "bad.json", "[}");
	tree.write(std::string(UNCORE_EVENTS_DIR) + "/snbep/x.json", "no list");
	const std::string root = tree.path("");
	o.sysroot = root.c_str();
	support::Handle m(o);

	ASSERT_EQ(0, m.code) << m.message();
	EXPECT_EQ(0x17bu, placed(m, "UNC_CHA_WIDGETS").control);
	EXPECT_EQ(0x27bu, placed(m, "UNC_CHA_OTHER").control);
	ASSERT_NE(nullptr, m.warning(0));
	EXPECT_NE(std::string::npos, std::string(m.warning(0)).find("bad.json:1: unexpected }"))
		<< m.warning(0);
	EXPECT_EQ(nullptr, m.warning(1));
}

} // namespace
