// SPDX-License-Identifier: BSD-3-Clause
// names_list_test.cc - the listing: every event can be counted, walks end, texts help.
#include <cstring>
#include <set>

#include "plan/complete.h"
#include "support/plan.h"
#include "support/sim_machine.h"
#include "support/sized.h"

namespace
{

using support::SimMachine;

std::vector<unsigned> listed(const SimMachine &machine)
{
	std::vector<unsigned> ids;
	unsigned id = 0;

	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1; i++) {
		ids.push_back(id);
		if (ids.size() > 5000)
			break;
	}
	return ids;
}

// Umasks and then qualifiers, as the walk gives them.
std::vector<unsigned> parts(const SimMachine &machine, unsigned event)
{
	std::vector<unsigned> ids;
	unsigned id = event;

	while (uncore_event_umask(machine.u, id, 0, &id) == 1 && ids.size() < 500)
		ids.push_back(id);
	return ids;
}

std::vector<std::string> part_names(const SimMachine &machine, const char *event)
{
	std::vector<std::string> names;

	for (unsigned id : parts(machine, machine.event(event)))
		names.push_back(strchr(uncore_event_name(machine.u, id), ':'));
	return names;
}

void expect_countable(SimMachine &machine, unsigned id)
{
	const char *name = uncore_event_name(machine.u, id);
	support::Set set(machine);

	ASSERT_EQ(0, uncore_set_assign(set.set, &id, 1)) << name << ": " << machine.message();
	ASSERT_EQ(0, set.start()) << name << ": " << machine.message();
	machine.advance(1000);
	EXPECT_GE(set.count(), 0) << name;
	EXPECT_EQ(0, set.stop()) << name << ": " << machine.message();
}

void expect_good_texts(const SimMachine &machine, unsigned id)
{
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(machine.u, id, &info));
	EXPECT_STREQ(uncore_event_name(machine.u, id), info.name);
	EXPECT_LE(strlen(info.name), static_cast<size_t>(UNCORE_NAME_MAX));
	EXPECT_EQ(strlen(info.name), strspn(info.name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						       "abcdefghijklmnopqrstuvwxyz"
						       "0123456789_.:="))
		<< info.name;
	EXPECT_NE('\0', info.text[0]) << info.name;
	EXPECT_NE('\0', info.brief[0]) << info.name;
	EXPECT_EQ(0, strncmp(info.text, info.brief, strlen(info.brief))) << info.name;
	EXPECT_NE('\0', info.units[0]) << info.name;
	EXPECT_NE('\0', info.kind[0]) << info.name;
}

TEST(NamesList, HasEachEventOnceAndSomeHundredAtMost)
{
	SimMachine machine;
	const std::vector<unsigned> ids = listed(machine);
	std::set<std::string> names;
	std::set<std::string> kinds;

	EXPECT_EQ(machine.machine().events, ids.size());
	EXPECT_GT(ids.size(), 150u);
	EXPECT_LT(ids.size(), 500u);
	for (unsigned id : ids) {
		auto info = support::sized<struct uncore_event_info>();

		names.insert(uncore_event_name(machine.u, id));
		ASSERT_EQ(0, uncore_event_info(machine.u, id, &info));
		kinds.insert(info.kind);
	}
	EXPECT_EQ(ids.size(), names.size());
	EXPECT_EQ((std::set<std::string>{"cbo", "core", "ha", "imc", "metric", "pcu", "qpi",
					 "r2pcie", "r3qpi", "ubo"}),
		  kinds);
}

TEST(NamesList, EveryEventCanBeCountedAlone)
{
	SimMachine machine;

	for (unsigned id : listed(machine))
		expect_countable(machine, id);
}

TEST(NamesList, EveryEventIsDescribed)
{
	SimMachine machine;

	for (unsigned id : listed(machine)) {
		expect_good_texts(machine, id);
		for (unsigned part : parts(machine, id))
			expect_good_texts(machine, part);
	}
}

TEST(NamesList, UmasksAreDescribedBehindTheirEvent)
{
	SimMachine machine;
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(machine.u, machine.event("UNC_M_CAS_COUNT:RD"), &info));
	EXPECT_NE(nullptr, strstr(info.text, ", masks:")) << info.text;
	for (unsigned id : listed(machine))
		for (unsigned part : parts(machine, id)) {
			ASSERT_EQ(0, uncore_event_info(machine.u, part, &info));
			EXPECT_NE(nullptr, strstr(info.text, ", masks:")) << info.name;
		}
}

TEST(NamesList, TheDefaultUmaskOfABareEventIsReported)
{
	SimMachine machine;
	auto info = support::sized<struct uncore_event_info>();

	ASSERT_EQ(0, uncore_event_info(machine.u, machine.event("UNC_C_TOR_INSERTS"), &info));
	EXPECT_FALSE(info.exact);
	EXPECT_NE(nullptr, strstr(info.text, "(counted with :MISS_ALL)")) << info.text;
	ASSERT_EQ(0, uncore_event_info(machine.u, machine.event("UNC_C_TOR_INSERTS:WB"), &info));
	EXPECT_TRUE(info.exact);
}

TEST(NamesList, UnitsFitTheEvent)
{
	SimMachine machine;
	const std::pair<const char *, const char *> known[] = {
		{"UNC_C_CLOCKTICKS", "cycles"},
		{"UNC_M_CAS_COUNT:RD", "lines"},
		{"UNC_Q_RXL_FLITS_G1:DRS_DATA", "flits"},
		{"UNC_C_TOR_INSERTS:WB", "events"},
	};

	for (const auto &k : known) {
		auto info = support::sized<struct uncore_event_info>();

		ASSERT_EQ(0, uncore_event_info(machine.u, machine.event(k.first), &info));
		EXPECT_STREQ(k.second, info.units) << k.first;
	}
}

// ---- umasks ----

TEST(NamesUmasks, WalkEndsAndNamesEachOnce)
{
	SimMachine machine;

	for (unsigned id : listed(machine)) {
		const std::string base = uncore_event_name(machine.u, id);
		std::set<unsigned> seen;

		for (unsigned part : parts(machine, id)) {
			const std::string name = uncore_event_name(machine.u, part);

			EXPECT_EQ(0u, name.rfind(base + ":", 0)) << name;
			EXPECT_TRUE(seen.insert(part).second) << name;
		}
		EXPECT_LT(seen.size(), 500u) << base;
	}
}

TEST(NamesUmasks, WalkGivesUmasksAndThenQualifiers)
{
	SimMachine machine;

	EXPECT_EQ((std::vector<std::string>{":ALL", ":RD", ":RD_REG", ":RD_UNDERFILL", ":WR",
					    ":WR_RMM", ":WR_WMM", ":e=0", ":i=0", ":t=0", ":box=0",
					    ":pkg=0", ":cpu=0"}),
		  part_names(machine, "UNC_M_CAS_COUNT"));
}

TEST(NamesUmasks, WalkNeedsNoStateBetweenCalls)
{
	SimMachine machine;
	const unsigned a = machine.event("UNC_M_CAS_COUNT"), b = machine.event("UNC_H_IMC_WRITES");
	const std::vector<unsigned> alone_a = parts(machine, a), alone_b = parts(machine, b);
	std::vector<unsigned> mixed_a, mixed_b;
	unsigned x = a, y = b;

	for (bool more = true; more;) {
		more = false;
		if (uncore_event_umask(machine.u, x, 0, &x) == 1) {
			mixed_a.push_back(x);
			more = true;
		}
		machine.event("UNC_C_CLOCKTICKS:box=1");
		if (uncore_event_umask(machine.u, y, 0, &y) == 1) {
			mixed_b.push_back(y);
			more = true;
		}
	}
	EXPECT_EQ(alone_a, mixed_a);
	EXPECT_EQ(alone_b, mixed_b);
}

TEST(NamesUmasks, WalkDoesNotDependOnWhatWasAskedBefore)
{
	const std::vector<std::string> expected = part_names(SimMachine(), "UNC_M_CAS_COUNT");

	for (const char *asked :
	     {"UNC_M_CAS_COUNT:WR", "UNC_M_CAS_COUNT:RD:e=0", "UNC_M_CAS_COUNT:ALL:t=0:i=0",
	      "UNC_M_CAS_COUNT:box=0", "UNC_M_CAS_COUNT:pkg=0", "UNC_M_CAS_COUNT:cpu=0"}) {
		SimMachine machine;

		machine.event(asked);
		EXPECT_EQ(expected, part_names(machine, "UNC_M_CAS_COUNT")) << asked;
	}
}

TEST(NamesUmasks, DescriptionDoesNotDependOnWhatWasAskedBefore)
{
	for (const char *asked : {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:RD:e=0"}) {
		SimMachine machine;
		auto info = support::sized<struct uncore_event_info>();

		machine.event(asked);
		ASSERT_EQ(0,
			  uncore_event_info(machine.u, machine.event("UNC_M_CAS_COUNT:RD"), &info));
		EXPECT_NE(nullptr, strstr(info.text, ", masks:")) << asked << ": " << info.text;
	}
}

TEST(NamesUmasks, NarrowedEventsHaveNone)
{
	SimMachine machine;
	unsigned id = machine.event("UNC_M_CAS_COUNT:RD:box=1");

	EXPECT_EQ(0, uncore_event_umask(machine.u, id, 0, &id));
}

// ---- qualifiers ----

std::set<std::string> qualifiers(const SimMachine &machine, const char *event)
{
	const unsigned id = machine.event(event);
	std::set<std::string> names;

	for (const auto &[size, name, text] : machine.qualifiers(id)) {
		EXPECT_TRUE(names.insert(name).second) << name;
		EXPECT_NE('\0', text[0]) << name;
	}
	return names;
}

TEST(NamesQualifiers, AreThoseOfTheEventAndThePlaces)
{
	SimMachine machine;

	EXPECT_EQ((std::set<std::string>{"e", "i", "t", "box", "pkg", "cpu"}),
		  qualifiers(machine, "UNC_M_CAS_COUNT"));
	EXPECT_EQ((std::set<std::string>{"e", "i", "t", "tf", "cf", "nf", "box", "pkg", "cpu"}),
		  qualifiers(machine, "UNC_C_LLC_LOOKUP"));
}

TEST(NamesQualifiers, IncludeThoseThatLibpfm4Lacks)
{
	SimMachine machine;

	EXPECT_EQ(1u, qualifiers(machine, "UNC_H_ADDR_OPC_MATCH").count("addr"));
	EXPECT_EQ(1u, qualifiers(machine, "UNC_H_ADDR_OPC_MATCH").count("opc"));
	EXPECT_EQ(1u, qualifiers(machine, "UNC_Q_CTO_COUNT").count("match"));
	EXPECT_EQ(1u, qualifiers(machine, "UNC_Q_CTO_COUNT").count("mask"));
}

// ---- the fixed counters ----

TEST(NamesFixed, ClockticksOfImcAndUboxTakeTheFixedCounter)
{
	SimMachine machine;

	for (const char *name :
	     {"UNC_M_CLOCKTICKS", "UNC_U_CLOCKTICKS", "snbep_unc_imc::RAW:config=0xff"}) {
		const unsigned id = machine.event(name);
		struct uncore_plan *plan;

		ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
		ASSERT_TRUE(plan->feasible) << plan->layout.reason;
		for (size_t i = 0; i < plan->layout.n; i++)
			EXPECT_TRUE(support::assignment(plan, i).fixed) << name;
		uncore_plan_free(plan);
	}
}

} // namespace
