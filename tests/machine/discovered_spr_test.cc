// SPDX-License-Identifier: BSD-3-Clause
// discovered_spr_test.cc - on simulated Xeons with discovery tables: the worked example of the
// facts, filters, registers of other users, counter rules and messages.
#include <cmath>

#include "support/found.h"
#include "support/simulated.h"
#include "support/sized.h"

namespace
{

using support::kSecond;
using support::Set;
using support::discovered::Machine;

// ---- docs/hardware/discovery.md, "A worked example" ----

TEST(DiscoveredOnSpr, TheWorkedExampleComesOut)
{
	static const uint64_t addresses[] = {0xc8aa2800, 0xc8aaa800, 0xc8b22800, 0xc8b2a800,
					     0xc8ba2800, 0xc8baa800, 0xc8c22800, 0xc8c2a800};
	Machine m("spr:packages=1");
	unsigned n = 0;

	for (const uncore_discovered_unit_info &unit : m.units()) {
		if (unit.type != 6)
			continue;
		ASSERT_LT(n, 8u);
		char location[40];
		auto box = support::sized<uncore_box_info>();

		snprintf(location, sizeof(location), "mmio %#lx", addresses[n]);
		EXPECT_EQ(n, unit.id);
		EXPECT_EQ(addresses[n], unit.address);
		EXPECT_STREQ(location, unit.location);
		EXPECT_EQ(1u, unit.access);
		EXPECT_EQ(48u, unit.width);
		EXPECT_EQ(4u, unit.counters);
		EXPECT_EQ(64u, unit.control_offset);
		EXPECT_EQ(8u, unit.counter_offset);
		EXPECT_STREQ(nullptr, unit.refused);
		ASSERT_EQ(1, uncore_box(m.u, static_cast<unsigned>(unit.box), &box));
		EXPECT_STREQ("imc", box.kind);
		EXPECT_EQ(n, box.index);
		for (unsigned c = 0; c <= 4; c++) {
			auto control = support::sized<uncore_op_info>();
			auto counter = support::sized<uncore_op_info>();
			const unsigned b = static_cast<unsigned>(unit.box);

			ASSERT_EQ(1, uncore_register(m.u, b, UNCORE_CONTROL, c, &control));
			ASSERT_EQ(1, uncore_register(m.u, b, UNCORE_COUNTER, c, &counter));
			EXPECT_EQ(addresses[n] + (c < 4 ? 0x40 + 4 * c : 0x54), control.address);
			EXPECT_EQ(addresses[n] + (c < 4 ? 0x08 + 8 * c : 0x38), counter.address);
			EXPECT_EQ(32u, control.width);
			EXPECT_EQ(64u, counter.width);
			EXPECT_EQ(UNCORE_MMIO, control.space);
		}
		n++;
	}
	EXPECT_EQ(8u, n);
}

TEST(DiscoveredOnSpr, MissingBoxesAreReported)
{
	Machine m("spr:packages=1");
	auto unit = support::sized<uncore_discovered_unit_info>();
	auto table = support::sized<uncore_discovery_table_info>();
	auto op = support::sized<uncore_op_info>();

	EXPECT_EQ(0, uncore_discovered_unit(m.u, 100000, &unit));
	EXPECT_EQ(0, uncore_discovery_table(m.u, 1, &table));
	EXPECT_EQ(UNCORE_EINVAL, uncore_register(m.u, 100000, UNCORE_CONTROL, 0, &op));
	EXPECT_EQ(0, uncore_register(m.u, 0, UNCORE_CONTROL, 4, &op));
	EXPECT_EQ(0, uncore_register(m.u, 0, UNCORE_UNIT_CONTROL, 1, &op));
	EXPECT_EQ(0, uncore_register(m.u, 0, UNCORE_FILTER, 1, &op));
	EXPECT_EQ(1, uncore_register(m.u, 0, UNCORE_FILTER, 0, &op));
	EXPECT_EQ(0x200eu, op.address);
	EXPECT_EQ(0, uncore_discovered_unit(Machine("snbep").u, 0, &unit));
}

// ---- what is special ----

TEST(DiscoveredOnSpr, TheThreadFilterIsWrittenWithTheUnitControl)
{
	Machine m("spr:packages=1");
	Set set(m, {"spr_unc_cha::RAW:config=0x10135:config1=0x25:box=3"});

	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(0x25u, m.msr(0x203e));
	EXPECT_EQ(UNCORE_ECONFLICT,
		  Set(m).assign({"spr_unc_cha::RAW:config=0x10135:config1=0x26:box=3"}));
	EXPECT_EQ(0, Set(m).assign({"spr_unc_cha::RAW:config=0x10135:config1=0x26:box=4"}));
	EXPECT_EQ(0, Set(m).assign({"spr_unc_cha::RAW:config=0x135:box=3"}));
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0u, m.msr(0x203e));
}

TEST(DiscoveredOnSpr, ControllersHaveCountersThatAlwaysRun)
{
	Machine m("spr:packages=1");
	Set set(m, {"UNC_M_CLOCKTICKS_FREERUN:box=3", "UNC_M_RPQ_CYCLES_FREERUN",
		    "UNC_M_WPQ_CYCLES_FREERUN"});
	auto op = support::sized<uncore_op_info>();

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0u, m.writes());
	EXPECT_GT(set.counts()[0], 0);
	EXPECT_GT(set.counts()[1], 0);
	EXPECT_GT(set.counts()[2], 0);
	for (unsigned i = 0; i < m.machine().boxes; i++) {
		auto box = support::sized<uncore_box_info>();

		ASSERT_EQ(1, uncore_box(m.u, i, &box));
		if (strcmp(box.kind, "imc_free_running") != 0 || box.index != 1)
			continue;
		ASSERT_EQ(1, uncore_register(m.u, i, UNCORE_COUNTER, 2, &op));
		EXPECT_EQ(0xc8b02320u, op.address);
	}
}

TEST(DiscoveredOnSpr, ExtendedUmasksReachTheControl)
{
	Machine m("spr:packages=1");
	Set set(m, {"UNC_CHA_TOR_INSERTS:IA_MISS_DRD"});

	ASSERT_EQ(0, set.start()) << m.message();
	const uint64_t control = m.msr(0x2005);
	EXPECT_NE(0u, control >> 32);
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	const int64_t truth = m.truth("cha", control);
	EXPECT_GT(truth, 0);
	EXPECT_NEAR(static_cast<double>(truth), static_cast<double>(set.count()), 200);
}

// A box that counts is not frozen for a second event, nor is that counted early.
TEST(DiscoveredOnSpr, ACounterJoinsABoxThatCounts)
{
	Machine m("spr:packages=1");
	Set first(m, {"spr_unc_cha::RAW:config=0x1:box=0"});
	Set second(m, {"spr_unc_cha::RAW:config=0x1000001:box=0"});

	ASSERT_EQ(0, first.start());
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, second.start()) << m.message();
	EXPECT_EQ(0u, m.msr(0x2000));
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, first.stop());
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, second.stop());
	const double rate = sim_rate(m.sim, 0, "cha", 0, 0x400001, 0);
	EXPECT_NEAR(2 * rate, static_cast<double>(first.count()), 4);
	EXPECT_NEAR(2 * sim_rate(m.sim, 0, "cha", 0, 0x1400001, 0),
		    static_cast<double>(second.count()), 4);
}

// Boxes without a table: the error for a missing box names the table that may list it.
TEST(DiscoveredOnGnr, AnUnknownEventPointsToIntelsLists)
{
	Machine gnr("gnr:packages=1"), spr("spr:packages=1");

	EXPECT_EQ(UNCORE_ENOEVENT, gnr.refusal("UNC_PCIEX16_CLOCKS"));
	EXPECT_NE(std::string::npos, gnr.message().find("UNCORE_EVENT_FILES")) << gnr.message();
	EXPECT_EQ(UNCORE_ENOEVENT, spr.refusal("UNC_M_CAS_COUNTS"));
	EXPECT_NE(std::string::npos, spr.message().find("mean UNC_M_CAS_COUNT?")) << spr.message();
	EXPECT_EQ(std::string::npos, spr.message().find("UNCORE_EVENT_FILES")) << spr.message();
}

TEST(DiscoveredOnSpr, UmasksThatExcludeEachOtherAreNamed)
{
	Machine m("spr:packages=1");

	for (const char *parts : {"IA_MISS:IO_HIT", "IO_HIT:IA_MISS"}) {
		EXPECT_EQ(UNCORE_ECOMBO, m.refusal(std::string("UNC_CHA_TOR_INSERTS:") + parts));
		EXPECT_EQ(
			"umask IA_MISS of UNC_CHA_TOR_INSERTS cannot be combined with others such "
			"as IO_HIT",
			m.message());
	}
	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_CHA_TOR_INSERTS:HIT:IO_HIT"));
	EXPECT_EQ("umask IO_HIT of UNC_CHA_TOR_INSERTS cannot be combined with others such as HIT",
		  m.message());
}

// Any event in a control starts its counter: before the start it is empty.
TEST(DiscoveredOnSpr, AJoiningCounterIsOffUntilTheStart)
{
	Simulated m("sim:spr:packages=1,time=virtual");
	const struct unc_event *event = m.event("spr_unc_cha::RAW:config=0x1");
	struct unc_assignment running = {event, 0x101, {}, 0, 3, false, 0, 0};
	struct unc_assignment fresh = {event, 0x201, {}, 0, 2, false, 0, 0};
	struct unc_use before = {};
	before = together(before, &running, 1);
	struct unc_use after = together(before, &fresh, 1);
	const struct unc_job job = {&m.machine, m.box("cha"), &before, &after, &fresh, 1};
	Ops setup, start;

	unc_program_setup(&setup, &job);
	ASSERT_EQ(1u, setup.n);
	EXPECT_EQ(0x2004u, setup[0].address);
	EXPECT_EQ(0u, setup[0].value);
	unc_program_start(&start, &job);
	ASSERT_EQ(1u, start.n);
	EXPECT_EQ(0x2004u, start[0].address);
	EXPECT_EQ(0x400201u, start[0].value);
}

// Bit 8 would reset the controls, including another tool's threshold without an event.
TEST(DiscoveredOnSpr, TheResetOfABoxLeavesItsControlsAlone)
{
	Machine m("spr:packages=1");
	const uint64_t idle = 5u << 24;
	Set set(m, {"spr_unc_cha::RAW:config=0x1:box=2"});

	ASSERT_EQ(0, sim_msr_write(m.sim, 0, 0x2022, idle));
	ASSERT_EQ(0, set.start()) << m.message();
	EXPECT_EQ(idle, m.msr(0x2022));
	ASSERT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(idle, m.msr(0x2022));
}

TEST(DiscoveredOnSpr, TheResetIsTheSameInEveryKindOfBox)
{
	Simulated m("sim:spr:packages=1,time=virtual");
	const uint64_t freeze = 1, counters = 1u << 9;

	for (const char *kind : {"cha", "iio", "irp", "m2pcie", "pcu", "imc", "m2m", "upi", "m3upi",
				 "mdf", "cxlcm", "cxldp"}) {
		const std::string name = std::string("spr_unc_") + kind + "::RAW:config=0x2";
		struct unc_assignment fresh = {m.event(name), 0x2, {}, 0, 0, false, 0, 0};
		struct unc_use before = {}, after = together(before, &fresh, 1);
		const struct unc_job job = {&m.machine, m.box(kind), &before, &after, &fresh, 1};
		unsigned resets = 0;
		Ops setup;

		unc_program_setup(&setup, &job);
		for (const struct unc_op &op : setup)
			if (op.kind == UNCORE_WRITE && (op.value & counters)) {
				EXPECT_EQ(freeze | counters, op.value) << kind;
				resets++;
			}
		EXPECT_EQ(1u, resets) << kind;
	}
}

// Linux programs an event without the enable bit: it counts anyway.
TEST(DiscoveredOnSpr, ACounterOfAnotherToolIsSeenWithoutItsEnableBit)
{
	Machine m("spr:packages=1");
	Set set(m, {"spr_unc_cha::RAW:config=0x1:box=2"});

	ASSERT_EQ(0, sim_msr_write(m.sim, 0, 0x2023, 0x35));
	const uint64_t before = m.writes();
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_NE(std::string::npos, m.message().find("cha2 of package 0: counter 1"))
		<< m.message();
	EXPECT_EQ(before, m.writes());
}

TEST(DiscoveredOnSpr, APackageFrozenByAnotherToolIsFrozenAgain)
{
	Machine m("spr:packages=1");
	Set set(m, {"spr_unc_cha::RAW:config=0x1"});

	ASSERT_EQ(0, sim_msr_write(m.sim, 0, 0x2ff0, 1));
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0u, m.msr(0x2ff0));
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	EXPECT_GT(set.count(), 0);
	EXPECT_EQ(1u, m.msr(0x2ff0));
}

TEST(DiscoveredOnSpr, CounterRulesAreRespected)
{
	Machine m("spr:packages=1");
	const auto fits = [&](const std::vector<std::string> &names) {
		return Set(m).assign(names) == 0;
	};
	const auto raw = [](const std::string &pmu, unsigned code, unsigned umask) {
		char text[100];

		snprintf(text, sizeof(text), "spr_unc_%s::RAW:config=%#x", pmu.c_str(),
			 code | umask << 8);
		return std::string(text);
	};

	EXPECT_FALSE(fits({raw("m3upi", 0x01, 0), raw("m3upi", 0x02, 1)}));
	EXPECT_FALSE(fits({raw("cha", 0x11, 1), raw("cha", 0x36, 1)}));
	EXPECT_FALSE(fits({raw("pcu", 0x06, 0), raw("pcu", 0x06, 1)}));
	EXPECT_FALSE(fits({raw("ubo", 0x4c, 1), raw("ubo", 0x4f, 1)}));
	EXPECT_TRUE(fits({raw("ubo", 0x4c, 1), raw("ubo", 0x42, 1)}));
	EXPECT_FALSE(fits({raw("irp", 1, 1), raw("irp", 2, 1), raw("irp", 3, 1)}));
	std::vector<std::string> low, high;
	for (unsigned i = 1; i <= 4; i++) {
		low.push_back(raw("cxlcm", i < 3 ? 0x02 : 0x05, i));
		high.push_back(raw("cxlcm", i < 3 ? 0x40 : 0x4b, i));
	}
	std::vector<std::string> both = low;
	both.insert(both.end(), high.begin(), high.end());
	EXPECT_TRUE(fits(both));
	low.push_back(raw("cxlcm", 0x02, 8));
	high.push_back(raw("cxlcm", 0x52, 8));
	EXPECT_FALSE(fits(low));
	EXPECT_FALSE(fits(high));
}

} // namespace
