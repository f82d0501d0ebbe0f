// SPDX-License-Identifier: BSD-3-Clause
// intel_list_test.cc - every encoding compared with Intel's event lists (tests/event/intel):
// the control bits must be equal, and counters that the lists forbid must not be used.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/intel_lists.h"
#include "support/sim_machine.h"
#include "support/simulated.h"
#include "support/sized.h"

namespace
{

using support::intel_events;
using Entry = support::IntelEvent;

// Intended differences, with the reason: docs/reference/differences.md.
struct Difference {
	const char *name;
	uint64_t list, ours; // control bits
	const char *why;
};

const char *const kOccupancyCredit = "the same umask of the inserts, and of BL_ALL, is 0x40";
const char *const kOtherPort = "the list repeats the codes of MS2IOSF2";

const std::vector<Difference> kIcxDifferences = {
	{"UNC_CHA_RxR_OCCUPANCY.BL_CRD", 0x20e0, 0x40e0, kOccupancyCredit},
	{"UNC_M2M_RxR_OCCUPANCY.BL_CRD", 0x20e0, 0x40e0, kOccupancyCredit},
	{"UNC_M2P_RxR_OCCUPANCY.BL_CRD", 0x20e0, 0x40e0, kOccupancyCredit},
	{"UNC_M3UPI_RxR_OCCUPANCY.BL_CRD", 0x20e0, 0x40e0, kOccupancyCredit},
	{"UNC_M2P_LOCAL_P2P_DED_RETURNED_0.MS2IOSF3_NCB", 0x1019, 0x4019, kOtherPort},
	{"UNC_M2P_LOCAL_P2P_DED_RETURNED_0.MS2IOSF3_NCS", 0x2019, 0x8019, kOtherPort},
	{"UNC_M3UPI_XPT_PFTCH.LOST_QFULL", 0x2061, 0x4061,
	 "the list has LOST_OLD's umask; SPR's list has 0x40 for the same event"},
	{"UNC_IIO_TXN_REQ_BY_CPU.PEER_WRITE.IOMMU0", 0x72000000002c1, 0x71000000002c1,
	 "the list has the port of IOMMU1; all other events of IOMMU0 have 0x100"},
};

const char *const kClass = "the list's text names its successor, which has another message class";
const char *const kHitMiss = "hits and misses: the list's umask asks for neither";

const std::vector<Difference> kSkxDifferences = {
	{"UNC_UPI_RxL_HDR_MATCH.WB", 0xb05, 0xd05, kClass},
	{"UNC_UPI_RxL_HDR_MATCH.NCB", 0xc05, 0xe05, kClass},
	{"UNC_UPI_RxL_HDR_MATCH.NCS", 0xd05, 0xf05, kClass},
	{"UNC_UPI_TxL_HDR_MATCH.WB", 0xc04, 0xd04, kClass},
	{"UNC_CHA_TOR_INSERTS.IRQ", 0x135, 0x3135, kHitMiss},
	{"UNC_CHA_TOR_OCCUPANCY.IRQ", 0x136, 0x3136, kHitMiss},
};

const char *const kFixed = "the fixed counter, which libpfm4 and Linux have under 0xff";
const char *const kVn = "without a virtual network nothing is counted: as libpfm4, VN0";
const char *const kOne = "libpfm4 takes the first umask; the list has none";
const char *const kKind = "libpfm4 requires a kind of lookup, or a state, with the node";

const std::vector<Difference> kSnbepDifferences = {
	{"UNC_C_LLC_LOOKUP.NID", 0x4134, 0x4334, kKind},
	{"UNC_U_CLOCKTICKS", 0, 0xff, kFixed},
	{"UNC_M_CLOCKTICKS", 0, 0xff, kFixed},
};

const std::vector<Difference> kIvbepDifferences = {
	{"UNC_C_LLC_LOOKUP.NID", 0x4134, 0x5134, kKind},
	{"UNC_C_LLC_VICTIMS.NID", 0x4037, 0x4137, kKind},
	{"UNC_Q_RxL_INSERTS_DRS", 0x200009, 0x200109, kVn},
	{"UNC_Q_RxL_INSERTS_HOM", 0x20000c, 0x20010c, kVn},
	{"UNC_Q_RxL_INSERTS_NCB", 0x20000a, 0x20010a, kVn},
	{"UNC_Q_RxL_INSERTS_NCS", 0x20000b, 0x20010b, kVn},
	{"UNC_Q_RxL_INSERTS_NDR", 0x20000e, 0x20010e, kVn},
	{"UNC_Q_RxL_INSERTS_SNP", 0x20000d, 0x20010d, kVn},
	{"UNC_Q_RxL_OCCUPANCY_DRS", 0x200015, 0x200115, kVn},
	{"UNC_Q_RxL_OCCUPANCY_HOM", 0x200018, 0x200118, kVn},
	{"UNC_Q_RxL_OCCUPANCY_NCB", 0x200016, 0x200116, kVn},
	{"UNC_Q_RxL_OCCUPANCY_NCS", 0x200017, 0x200117, kVn},
	{"UNC_Q_RxL_OCCUPANCY_NDR", 0x20001a, 0x20011a, kVn},
	{"UNC_Q_RxL_OCCUPANCY_SNP", 0x200019, 0x200119, kVn},
	{"UNC_Q_TxR_AK_NDR_CREDIT_ACQUIRED", 0x200029, 0x200129, kVn},
	{"UNC_Q_TxR_AK_NDR_CREDIT_OCCUPANCY", 0x200025, 0x200125, kVn},
	{"UNC_R2_RxR_AK_BOUNCES", 0x12, 0x112, kOne},
	{"UNC_R3_VNA_CREDITS_ACQUIRED", 0x33, 0x133, kOne},
	{"UNC_U_CLOCKTICKS", 0, 0xff, kFixed},
};

const std::vector<Difference> kHswepDifferences = {
	{"UNC_C_LLC_LOOKUP.NID", 0x4134, 0x5134, kKind},
	{"UNC_C_LLC_VICTIMS.NID", 0x4037, 0x4137, kKind},
	{"UNC_Q_TxR_AK_NDR_CREDIT_ACQUIRED", 0x200029, 0x200129, kVn},
	{"UNC_Q_TxR_AK_NDR_CREDIT_OCCUPANCY", 0x200025, 0x200125, kVn},
	{"UNC_U_CLOCKTICKS", 0, 0xff, kFixed},
	{"UNC_M_CLOCKTICKS", 0, 0xff, kFixed},
};

const std::vector<Difference> kBdxDifferences = {
	{"UNC_C_LLC_LOOKUP.NID", 0x4134, 0x5134, kKind},
	{"UNC_C_LLC_VICTIMS.NID", 0x4037, 0x4137, kKind},
};

const char *const kFull = "the list's text: the umask must be set to 24";

const std::vector<Difference> kSprDifferences = {
	{"UNC_M_RDB_FULL", 0x19, 0x1819, kFull},
	{"UNC_MCHBM_RDB_FULL", 0x19, 0x1819, kFull},
};

struct Platform {
	std::string name, machine;
	std::vector<Difference> differences;
	unsigned entries, free, fixed; // how many there are
	unsigned unknown;              // of boxes whose registers no source tells
	unsigned refused = 0;          // others that need what cannot be set
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

// Intel has no umask where the tables have a default umask.
bool is_default(const Entry &e, const std::string &canonical)
{
	return e.name.find('.') == std::string::npos && canonical.find(':') == std::string::npos;
}

// "EVENT", and "EVENT:UMASK" for each umask of a name.
void add_parts(std::set<std::string> *all, const std::string &name)
{
	std::istringstream parts(name);
	std::string event;

	std::getline(parts, event, ':');
	all->insert(event);
	for (std::string part; std::getline(parts, part, ':');)
		all->insert(event + ":" + part);
}

class IntelList : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	Simulated sim{(platform.machine + "packages=1,time=virtual").c_str()};
	// Emerald Rapids' list has the memory on the package of a Xeon Max, too.
	Simulated max{"sim:spr:packages=1,hbm=yes,time=virtual"};

	const struct unc_event *event(const Entry &e)
	{
		const struct unc_event *ev =
			(e.unit == "MCHBM" || e.unit == "M2HBM" ? max : sim).event(e.name);

		return ev || e.filter.empty() ? ev : with_value(e);
	}
	// A name that requires a filter value says so. With the value, the encoding must match
	// the list.
	const struct unc_event *with_value(const Entry &e)
	{
		const std::string why = sim.why();
		const struct unc_event *ev = nullptr;

		for (const char *value :
		     {":OPC_RFO", ":nf=1", ":OPC_RFO:nf=1", ":STATE_M:nf=1", ":M_STATE:nf=1"})
			if (!ev)
				ev = sim.event(e.name + value);
		if (ev) {
			EXPECT_TRUE(why.find("OPC_") != why.npos || why.find("nf=1") != why.npos)
				<< why;
		}
		return ev;
	}
	bool is_fixed_here(const Entry &e) const
	{
		for (const Difference &d : platform.differences)
			if (e.name == d.name && d.why == kFixed)
				return true;
		return false;
	}
	// The name requires a filter value that cannot be set, and the message says so.
	bool refused(const Entry &e)
	{
		return !event(e) && sim.why().find(" requires ") != std::string::npos;
	}
	// CHACMS, and IRP of Sandy Bridge-EP: docs/hardware/gnr.md, snbep.md.
	bool is_unknown(const Entry &e) const
	{
		return e.unit == "CHACMS" || (e.unit == "IRP" && platform.name == "snbep");
	}
	// The events of units that are boxes here.
	std::vector<Entry> all() const
	{
		std::vector<Entry> known;

		for (const Entry &e : intel_events(platform.name + ".list"))
			if (!is_unknown(e))
				known.push_back(e);
		return known;
	}
};

TEST_P(IntelList, EveryControlIsTheListsOrIsNamedHere)
{
	std::set<std::string> different;
	unsigned n = 0, refusals = 0;

	for (const Entry &e : all()) {
		const Difference *d = nullptr;

		n++;
		if (!e.counted())
			continue;
		for (const Difference &each : platform.differences)
			if (e.name == each.name)
				d = &each;
		const struct unc_event *ev = event(e);
		refusals += refused(e);
		EXPECT_TRUE(ev || refused(e)) << e.name << ": " << sim.why();
		if (!ev)
			continue;
		if (d) {
			EXPECT_EQ(golden_hex(d->list), golden_hex(e.control)) << "another list";
			different.insert(e.name);
		}
		EXPECT_EQ(golden_hex(d ? d->ours : e.control), golden_hex(ev->control))
			<< e.name << " " << (d ? d->why : "");
	}
	EXPECT_EQ(platform.entries, n + platform.unknown);
	EXPECT_EQ(platform.differences.size(), different.size());
	EXPECT_EQ(platform.refused, refusals);
}

// "Filter1=0x40433": the list's value for the second filter register.
TEST_P(IntelList, EveryFilterValueIsTheLists)
{
	const std::string kValue = "Filter1=";

	for (const Entry &e : all()) {
		const struct unc_event *ev = event(e);
		uint64_t filter1 = 0;

		if (e.filter.rfind(kValue, 0) != 0)
			continue;
		ASSERT_NE(nullptr, ev) << e.name << ": " << sim.why();
		for (unsigned i = 0; i < ev->n_bits; i++)
			filter1 |= ev->bits[i].filter == 1 ? ev->bits[i].value : 0;
		EXPECT_EQ(golden_hex(std::stoull(e.filter.substr(kValue.size()), nullptr, 16)),
			  golden_hex(filter1))
			<< e.name;
	}
}

// "UNC_M2M_IMC_READS.CH0.ALL" as libpfm4 would write it.
TEST_P(IntelList, TheNameWithAColonIsTheSameEvent)
{
	support::Handle machine(
		support::sim_options((platform.machine + "packages=1,time=virtual").c_str()));

	for (const Entry &e : all()) {
		std::string name = e.name;
		unsigned dotted = 0, colon = 0;

		if (name.find('.') == name.npos || name.back() == '.' ||
		    uncore_event(machine.u, e.name.c_str(), &dotted) != 0)
			continue;
		name[name.find('.')] = ':';
		std::replace(name.begin(), name.end(), '.', '_');
		// an E behind a colon is a modifier's letter, too
		if (name.size() - name.find(':') == 2)
			continue;
		ASSERT_EQ(0, uncore_event(machine.u, name.c_str(), &colon)) << machine.message();
		EXPECT_EQ(dotted, colon) << name;
	}
}

// An old name of a regular event is no experimental event, whatever list has it.
TEST_P(IntelList, ExperimentalEventsAreTheLists)
{
	support::Handle machine(
		support::sim_options((platform.machine + "packages=1,time=virtual").c_str()));
	auto info = support::sized<struct uncore_event_info>();
	std::set<std::string> regular;
	unsigned id = 0;

	for (bool experimental : {false, true})
		for (const Entry &e : all()) {
			if (e.experimental != experimental || e.counters == "free" ||
			    uncore_event(machine.u, e.name.c_str(), &id) != 0)
				continue;
			ASSERT_EQ(0, uncore_event_info(machine.u, id, &info));
			if (!experimental)
				add_parts(&regular, info.name);
			else if (regular.count(info.name))
				continue;
			// what several umasks make is neither one nor the other
			const auto umasks = std::count(info.name, strchr(info.name, 0), ':');
			if (experimental && (umasks > 1 || is_default(e, info.name)))
				continue;
			EXPECT_EQ(experimental, info.experimental) << e.name << " = " << info.name;
		}
	EXPECT_LT(60u, regular.size());
}

TEST_P(IntelList, EventsOfUnknownBoxesAreRefused)
{
	unsigned unknown = 0;

	for (const Entry &e : intel_events(platform.name + ".list"))
		if (is_unknown(e)) {
			unknown++;
			EXPECT_EQ(nullptr, event(e)) << e.name;
		}
	EXPECT_EQ(platform.unknown, unknown);
}

// Events that another source restricts to fewer counters than the list:
// docs/reference/differences.md, "Counters, event by event", and the pages of docs/hardware.
struct Fewer {
	const char *platforms, *type;
	unsigned first, last; // codes
	unsigned list, ours;
	const char *why;
};

const std::vector<Fewer> kFewer = {
	{" ivbep ", "r2pcie", 0x26, 0x28, 0x3, 0x1, "libpfm4 allows counter 0 only"},
	{" hswep ", "cbo", 0x09, 0x09, 0x3, 0x1, "Linux allows counter 0 only"},
	{" hswep ", "cbo", 0x1f, 0x1f, 0xf, 0xe, "occupancy of counter 0: not on itself"},
	{" hswep ", "r3qpi", 0x01, 0x01, 0x7, 0x3, "Linux allows counters 0 and 1"},
	{" hswep ", "sbo", 0x11, 0x11, 0xf, 0x1, "libpfm4 allows counter 0 only"},
	{" bdx bdwde ", "pcu", 0x80, 0x80, 0xf, 0xe, "counter 0 has no number of cores"},
	{" spr emr ", "iio", 0x41, 0x41, 0xf, 0x1, "the list has counter 0 for another umask"},
	{" spr emr ", "upi", 0x02, 0x20, 0xf, 0x5, "LIKWID: only 0 and 2 are reliable"},
	{" spr emr ", "upi", 0x22, 0xff, 0xf, 0x5, "LIKWID: only 0 and 2 are reliable"},
	{" gnr srf cwf ", "iio", 0x88, 0x88, 0xf, 0xc, "Linux allows counters 2 and 3"},
};

const Fewer *fewer(const std::string &platform, const struct unc_event *ev)
{
	const unsigned code = ev->control & 0xff;

	for (const Fewer &row : kFewer)
		if (strstr(row.platforms, (" " + platform + " ").c_str()) &&
		    ev->type->name == std::string(row.type) && code >= row.first &&
		    code <= row.last)
			return &row;
	return nullptr;
}

TEST_P(IntelList, CountersAreTheLists)
{
	for (const Entry &e : all()) {
		const struct unc_event *ev = event(e);

		if (!e.counted() || !ev || is_fixed_here(e))
			continue;
		const unsigned list = e.counter_mask() & ((1u << ev->type->n_counters) - 1);
		const Fewer *row = list == ev->counters ? nullptr : fewer(platform.name, ev);

		EXPECT_FALSE(ev->fixed) << e.name;
		EXPECT_EQ(row ? row->list : list, list) << e.name;
		EXPECT_EQ(row ? row->ours : list, ev->counters) << e.name;
	}
}

TEST(IntelListCounters, NoRowIsOutOfDate)
{
	for (const Fewer &row : kFewer) {
		std::istringstream names(row.platforms);

		for (std::string name; names >> name;) {
			Simulated sim(("sim:" + std::string(name == "bdwde" ? "bdx" : name) +
				       ":packages=1,time=virtual")
					      .c_str());
			unsigned differ = 0;

			for (const Entry &e : intel_events(name + ".list")) {
				const struct unc_event *ev = sim.event(e.name);

				if (ev && e.counted() && fewer(name, ev) == &row)
					differ += ev->counters != e.counter_mask();
			}
			EXPECT_LT(0u, differ) << name << " " << row.type << ": " << row.why;
		}
	}
}

// Manual 329468-002, tables 2-134 and 2-137: bits 12:9 are the message class.
TEST(IntelListMessages, MatchTheHeaderOfTheirClass)
{
	const std::map<std::string, unsigned> classes = {
		{"HOM.AnyReq", 0}, {"HOM.", 1},  {"NDR.", 2}, {"SNP.", 3},
		{"NCS.", 4},       {"NCB.", 12}, {"DRS.", 14}};
	Simulated sim{"sim:ivbep:packages=1,time=virtual"};
	const std::string kEvent = "UNC_Q_MESSAGE.";
	std::set<std::pair<uint64_t, uint64_t>> all;

	for (const Entry &e : intel_events("ivbep.list")) {
		if (e.name.rfind(kEvent, 0) != 0)
			continue;
		const std::string rest = e.name.substr(kEvent.size());
		const auto known = classes.find(rest);
		const unsigned message =
			known != classes.end() ? known->second : classes.at(rest.substr(0, 4));
		const struct unc_event *ev = sim.event(e.name);

		ASSERT_NE(nullptr, ev) << sim.why();
		ASSERT_EQ(4u, ev->n_bits) << e.name;
		const uint64_t match = ev->bits[1].value << 32 | ev->bits[0].value;
		const uint64_t mask = ev->bits[3].value << 32 | ev->bits[2].value;
		EXPECT_EQ(message, match >> 9 & 0xf) << e.name;
		EXPECT_EQ(0xfu, mask >> 9 & 0xf) << e.name;
		EXPECT_EQ(0u, match & ~mask) << e.name;
		EXPECT_TRUE(all.insert({match, mask}).second) << e.name;
	}
	EXPECT_EQ(32u, all.size());
}

TEST(IntelListMessages, StatesAreInTheSecondRegister)
{
	Simulated sim{"sim:ivbep:packages=1,time=virtual"};
	const struct unc_event *ev = sim.event("UNC_Q_MESSAGE.DRS.DataC_E_Cmp");

	ASSERT_NE(nullptr, ev) << sim.why();
	EXPECT_EQ(0x1c40u, ev->bits[0].value);
	EXPECT_EQ(0x40000u, ev->bits[1].value);
	EXPECT_EQ(0x1fe0u, ev->bits[2].value);
	EXPECT_EQ(0xf0000u, ev->bits[3].value);
}

// Of counters that always run the list has numbers within the unit, no codes.
TEST_P(IntelList, FixedAndFreeRunningCountersAreWhatTheirNamesSay)
{
	std::set<uint64_t> codes;
	unsigned free = 0, fixed = 0, unknown = 0;

	for (const Entry &e : all()) {
		const struct unc_event *ev = event(e);

		if (e.counters == "fixed") {
			fixed++;
			ASSERT_NE(nullptr, ev) << e.name;
			EXPECT_TRUE(ev->fixed) << e.name;
		}
		if (e.counters != "free")
			continue;
		free++;
		// no source tells where Ice Lake-X has those of the way out
		unknown += !ev;
		if (!ev) {
			EXPECT_EQ(0u, e.name.find("UNC_IIO_BANDWIDTH_OUT.")) << e.name;
			EXPECT_EQ("icx", platform.name);
			continue;
		}
		EXPECT_NE(nullptr, ev->type->free) << e.name;
		EXPECT_TRUE(
			codes.insert(ev->control | static_cast<uint64_t>(ev->type->n_boxes) << 32)
				.second)
			<< e.name;
	}
	EXPECT_EQ(platform.free, free);
	EXPECT_EQ(platform.fixed, fixed);
	EXPECT_EQ(platform.name == "icx" ? 8u : 0u, unknown);
}

// The letters of a state are umasks behind a dot; as a modifier e is edge detect, i invert.
class States : public testing::TestWithParam<const char *>
{
};

TEST_P(States, AreLettersBehindADot)
{
	Simulated sim(("sim:" + std::string(GetParam()) + ":packages=1,time=virtual").c_str());

	EXPECT_EQ(0x2034u, sim.event("UNC_CHA_LLC_LOOKUP.E")->control);
	EXPECT_EQ(0x2034u, sim.event("unc_cha_llc_lookup.e")->control);
	EXPECT_EQ(0x0134u, sim.event("UNC_CHA_LLC_LOOKUP.I")->control);
	EXPECT_EQ(0x2034u, sim.event("UNC_CHA_LLC_LOOKUP:E")->control);
	const uint64_t bare = sim.event("UNC_CHA_LLC_LOOKUP")->control;
	for (const char *edge :
	     {"UNC_CHA_LLC_LOOKUP:e", "UNC_CHA_LLC_LOOKUP:e=1", "UNC_CHA_LLC_LOOKUP:E=1"})
		EXPECT_EQ(bare | 1u << 18, sim.event(edge)->control) << edge;
	EXPECT_EQ(bare | 1u << 23, sim.event("UNC_CHA_LLC_LOOKUP:i")->control);
	EXPECT_EQ(0x2034u | 1u << 18, sim.event("UNC_CHA_LLC_LOOKUP.E:e")->control);
	EXPECT_EQ(nullptr, sim.event("UNC_CHA_CLOCKTICKS.e"));
	EXPECT_EQ(nullptr, sim.event("UNC_CHA_CLOCKTICKS.t=1"));
	EXPECT_EQ(nullptr, sim.event("UNC_CHA_CLOCKTICKS.box=1"));
}

INSTANTIATE_TEST_SUITE_P(All, States, testing::Values("icx", "spr", "emr"),
			 [](const auto &info) { return std::string(info.param); });

TEST(IntelListOfGnr, EventsOfOneKindOfCoreAreUnknownOnTheOther)
{
	unsigned only_p = 0, only_e = 0;

	for (const char *other : {"srf", "cwf"}) {
		Simulated p("sim:gnr:packages=1,time=virtual");
		Simulated e(("sim:" + std::string(other) + ":packages=1,time=virtual").c_str());

		for (const Entry &entry : intel_events("gnr.list"))
			only_p += p.event(entry.name) && !e.event(entry.name);
		for (const Entry &entry : intel_events(std::string(other) + ".list"))
			only_e += e.event(entry.name) && !p.event(entry.name);
	}
	EXPECT_EQ(2u * 90, only_p);
	EXPECT_EQ(2u * 18, only_e);
}

TEST(IntelListOfEmr, ItsUmasksOfCxlMemoryAreNotThoseOfSpr)
{
	Simulated spr("sim:spr:packages=1,time=virtual");
	unsigned more = 0;

	for (const Entry &e : intel_events("emr.list")) {
		if (e.name.find("CXL_EXP_LOCAL") == std::string::npos || spr.event(e.name))
			continue;
		more++;
	}
	EXPECT_EQ(22u, more);
}

// docs/hardware/skx.md, "Filters": FILTER_VALUE of SKX's list, for all targets, memories and one
// opcode.
TEST(IntelListOfSkx, AnOpcodeIsMatchedOnAllTargetsAndMemories)
{
	const struct {
		const char *name;
		uint64_t control, filter1;
	} list[] = {
		{"UNC_C_TOR_INSERTS:IRQ:MISS:OPC0_DRD", 0x2135, 0x40433}, // IA_MISS_DRD
		{"UNC_C_TOR_INSERTS:IRQ:HIT:OPC0_CRD", 0x1135, 0x40233},  // IA_HIT_CRD
		{"UNC_C_TOR_INSERTS:IRQ:MISS:OPC0_RFO", 0x2135, 0x40033}, // IA_MISS_RFO
		{"UNC_C_TOR_OCCUPANCY:IRQ:MISS:OPC0_LLC_PF_DATA", 0x2136, 0x4b433},
		{"UNC_C_TOR_INSERTS:IRQ:MISS", 0x2135, 0x3b}, // IA_MISS
		{"UNC_C_TOR_INSERTS:IRQ:HIT", 0x1135, 0x3b},  // IA_HIT
		{"UNC_C_TOR_INSERTS:IRQ", 0x3135, 0x3b},      // IA
		{"UNC_C_TOR_INSERTS:IRQ:PRQ", 0x3535, 0x3b},  // ALL_IO_IA
		{"UNC_C_TOR_INSERTS:IRQ:MISS:lmem", 0x2135, 0x1b},
		{"UNC_C_TOR_INSERTS:IRQ:MISS:loc", 0x2135, 0x3a},
		{"UNC_C_TOR_INSERTS:IRQ:MISS:loc:lmem", 0x2135, 0x1a},
	};
	Simulated skx("sim:skx:packages=1,time=virtual");

	for (const auto &e : list) {
		const struct unc_event *ev = skx.event(e.name);
		uint64_t filter1 = 0;

		ASSERT_NE(nullptr, ev) << e.name << ": " << skx.why();
		for (unsigned i = 0; i < ev->n_bits; i++)
			filter1 |= ev->bits[i].filter == 1 ? ev->bits[i].value : 0;
		EXPECT_EQ(golden_hex(e.control), golden_hex(ev->control)) << e.name;
		EXPECT_EQ(golden_hex(e.filter1), golden_hex(filter1)) << e.name;
	}
}

INSTANTIATE_TEST_SUITE_P(
	All, IntelList,
	testing::Values(Platform{"snbep", "sim:snbep:", kSnbepDifferences, 540, 0, 0, 37, 7},
			Platform{"ivbep", "sim:ivbep:", kIvbepDifferences, 1074, 0, 0, 0, 2},
			Platform{"hswep", "sim:hswep:", kHswepDifferences, 1278, 0, 0, 0, 4},
			Platform{"bdx", "sim:bdx:", kBdxDifferences, 1284, 0, 2, 0, 3},
			Platform{"bdwde", "sim:bdx:", kBdxDifferences, 900, 0, 0, 0, 3},
			Platform{"knl", "sim:knl:", {}, 459, 0, 0, 0},
			Platform{"skx", "sim:skx:", kSkxDifferences, 3308, 0, 2, 0},
			Platform{"clx", "sim:skx:stepping=7,", kSkxDifferences, 3419, 0, 2, 0},
			Platform{"icx", "sim:icx:", kIcxDifferences, 3987, 18, 2, 0},
			Platform{"spr", "sim:spr:hbm=yes,", kSprDifferences, 2282, 17, 0, 0},
			Platform{"emr", "sim:emr:", kSprDifferences, 2304, 17, 0, 0},
			Platform{"gnr", "sim:gnr:", {}, 848, 0, 0, 3},
			Platform{"srf", "sim:srf:", {}, 776, 0, 0, 3},
			Platform{"cwf", "sim:cwf:", {}, 776, 0, 0, 3}),
	testing::PrintToStringParamName());

} // namespace
