// found_count_test.cc - counting on simulated Xeons with discovery tables.
#include <cmath>
#include <map>
#include <set>

#include "session/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/simulated.h"

namespace
{

using support::Handle;
using support::Set;

constexpr uint64_t kSecond = 1000000000;

// The specification must live as long as the options.
uncore_options options_of(const std::string &spec)
{
	uncore_options options = {};

	options.machine = spec.c_str();
	return options;
}

class Machine : public Handle
{
      public:
	explicit Machine(const std::string &spec, bool may_fail = false)
	    : Handle(options_of("sim:" + spec + (spec.find(':') == spec.npos ? ":" : ",") +
				"time=virtual"))
	{
		if (code != 0 && !may_fail)
			throw std::runtime_error(message());
		if (unc_hw_of(u))
			sim = unc_hw_sim(unc_hw_of(u));
	}
	uint64_t writes() const
	{
		return sim ? sim_writes(sim) : 0;
	}
	// What all boxes of a kind add up to in a time.
	int64_t truth(const std::string &kind, uint64_t control, uint64_t filter = 0)
	{
		int64_t sum = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (unsigned b = 0;; b++) {
				const double rate =
					sim_rate(sim, p, kind.c_str(), b, control, filter);

				if (std::isnan(rate))
					break;
				sum += static_cast<int64_t>(rate);
			}
		return sum;
	}
	uint64_t value(const uncore_op &op)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, unc_hw_of(u)->ops->read(unc_hw_of(u), &op, &value));
		return value;
	}
	uint64_t msr(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value));
		return value;
	}
	// All registers that counting writes.
	std::map<std::string, uint64_t> registers()
	{
		std::map<std::string, uint64_t> all;
		uncore_table_info table;
		uncore_op op;

		for (unsigned i = 0; i < machine().boxes; i++)
			for (enum uncore_register which :
			     {UNCORE_UNIT_CONTROL, UNCORE_CONTROL, UNCORE_FILTER})
				for (unsigned n = 0; uncore_register(u, i, which, n, &op) == 0; n++)
					all[std::to_string(i) + "/" + std::to_string(which) + "/" +
					    std::to_string(n)] = value(op);
		for (unsigned i = 0; uncore_table(u, i, &table) == 0; i++)
			all["global " + std::to_string(i)] =
				msr(static_cast<uint32_t>(strtoul(table.control + 4, nullptr, 16)),
				    table.package);
		return all;
	}
	std::vector<uncore_unit_info> units() const
	{
		std::vector<uncore_unit_info> all;
		uncore_unit_info info;

		for (unsigned i = 0; uncore_unit(u, i, &info) == 0; i++)
			all.push_back(info);
		return all;
	}
	struct sim *sim = nullptr;
};

// ---- the worked example of facts/spr-discovery.md 8 ----

TEST(FoundOnSpr, TheWorkedExampleComesOut)
{
	static const uint64_t addresses[] = {0xc8aa2800, 0xc8aaa800, 0xc8b22800, 0xc8b2a800,
					     0xc8ba2800, 0xc8baa800, 0xc8c22800, 0xc8c2a800};
	Machine m("spr:packages=1");
	unsigned n = 0;

	for (const uncore_unit_info &unit : m.units()) {
		if (unit.type != 6)
			continue;
		ASSERT_LT(n, 8u);
		char location[40];
		uncore_box_info box;

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
		ASSERT_EQ(0, uncore_box(m.u, static_cast<unsigned>(unit.box), &box));
		EXPECT_STREQ("imc", box.kind);
		EXPECT_EQ(n, box.index);
		for (unsigned c = 0; c <= 4; c++) {
			uncore_op control, counter;
			const unsigned b = static_cast<unsigned>(unit.box);

			ASSERT_EQ(0, uncore_register(m.u, b, UNCORE_CONTROL, c, &control));
			ASSERT_EQ(0, uncore_register(m.u, b, UNCORE_COUNTER, c, &counter));
			EXPECT_EQ(addresses[n] + (c < 4 ? 0x40 + 4 * c : 0x54), control.address);
			EXPECT_EQ(addresses[n] + (c < 4 ? 0x08 + 8 * c : 0x38), counter.address);
			EXPECT_EQ(32, control.width);
			EXPECT_EQ(64, counter.width);
			EXPECT_EQ(UNCORE_MMIO, control.space);
		}
		n++;
	}
	EXPECT_EQ(8u, n);
}

TEST(FoundOnSpr, WhatIsNotThereIsTold)
{
	Machine m("spr:packages=1");
	uncore_unit_info unit;
	uncore_table_info table;
	uncore_op op;

	EXPECT_EQ(UNCORE_EINVAL, uncore_unit(m.u, 100000, &unit));
	EXPECT_EQ(UNCORE_EINVAL, uncore_table(m.u, 1, &table));
	EXPECT_EQ(UNCORE_EINVAL, uncore_register(m.u, 100000, UNCORE_CONTROL, 0, &op));
	EXPECT_EQ(UNCORE_ENODEV, uncore_register(m.u, 0, UNCORE_CONTROL, 4, &op));
	EXPECT_EQ(UNCORE_ENODEV, uncore_register(m.u, 0, UNCORE_UNIT_CONTROL, 1, &op));
	EXPECT_EQ(UNCORE_ENODEV, uncore_register(m.u, 0, UNCORE_FILTER, 1, &op));
	EXPECT_EQ(0, uncore_register(m.u, 0, UNCORE_FILTER, 0, &op));
	EXPECT_EQ(0x200eu, op.address);
	EXPECT_EQ(UNCORE_EINVAL, uncore_unit(Machine("snbep").u, 0, &unit));
}

// ---- every kind of box ----

struct Kind {
	const char *pmu, *truth;
	unsigned long event;
	unsigned counters; // that count it
};

struct Platform {
	const char *name;
	std::vector<Kind> kinds;
};

std::vector<Kind> sapphire_rapids()
{
	return {{"spr_unc_cha", "cha", 0x01, 4},      {"spr_unc_iio", "iio", 0x01, 4},
		{"spr_unc_irp", "irp", 0x01, 2},      {"spr_unc_m2pcie", "m2pcie", 0x01, 4},
		{"spr_unc_pcu", "pcu", 0x01, 4},      {"spr_unc_ubo", "ubox", 0x0442, 2},
		{"spr_unc_imc", "imc", 0x0101, 4},    {"spr_unc_m2m", "m2m", 0x01, 4},
		{"spr_unc_upi", "upi", 0x01, 4},      {"spr_unc_m3upi", "m3upi", 0x01, 1},
		{"spr_unc_mdf", "mdf", 0x0147, 4},    {"spr_unc_cxlcm", "cxlcm", 0x0201, 8},
		{"spr_unc_cxldp", "cxldp", 0x0101, 4}};
}

std::vector<Platform> platforms()
{
	std::vector<Platform> all = {{"spr", sapphire_rapids()}, {"emr", sapphire_rapids()}};

	all[0].kinds.push_back({"uncore_type_40", "type40", 0x01, 4});
	for (const char *name : {"gnr", "srf"}) {
		static const Kind kinds[] = {
			{"cha", "cha", 0x01, 4},         {"iio", "iio", 0x01, 4},
			{"irp", "irp", 0x01, 4},         {"pcu", "pcu", 0x01, 4},
			{"ubo", "ubox", 0x0442, 2},      {"imc", "imc", 0x0101, 4},
			{"upi", "upi", 0x01, 4},         {"cxlcm", "cxlcm", 0x1041, 4},
			{"cxldp", "cxldp", 0x0102, 4},   {"b2hot", "b2hot", 0x0101, 4},
			{"b2cmi", "b2cmi", 0x01, 4},     {"b2cxl", "b2cxl", 0x01, 4},
			{"b2upi", "b2upi", 0x01, 4},     {"mdf_sbo", "mdf_sbo", 0x01, 4},
			{"pciex16", "pciex16", 0x01, 4}, {"pciex8", "pciex8", 0x01, 4}};
		static std::set<std::string> names; // keep the strings

		all.push_back({name, {}});
		for (Kind k : kinds) {
			k.pmu = names.insert(std::string(name) + "_unc_" + k.pmu).first->c_str();
			all.back().kinds.push_back(k);
		}
		all.back().kinds.push_back({"uncore_type_19", "type19", 0x0233, 2});
	}
	return all;
}

class FoundCounts : public testing::TestWithParam<Platform>
{
};

// As many events as there are counters: the same with thresholds, so that they differ.
TEST_P(FoundCounts, EveryKindByRaw)
{
	Machine m(std::string(GetParam().name) + ":packages=2");

	for (const Kind &k : GetParam().kinds) {
		std::vector<std::string> names;

		for (unsigned c = 0; c < k.counters; c++) {
			char name[100];

			snprintf(name, sizeof(name), "%s::RAW:config=%#lx", k.pmu,
				 k.event | static_cast<unsigned long>(c) << 24);
			names.emplace_back(name);
		}
		Set set(m, names);
		ASSERT_EQ(0, set.start()) << k.pmu << m.message();
		sim_advance(m.sim, kSecond);
		ASSERT_EQ(0, set.stop()) << k.pmu << m.message();
		const auto counts = set.counts();
		for (unsigned c = 0; c < k.counters; c++) {
			const int64_t truth =
				m.truth(k.truth, k.event | UINT64_C(1) << 22 |
							 static_cast<uint64_t>(c) << 24);

			EXPECT_NEAR(static_cast<double>(truth), static_cast<double>(counts[c]),
				    400 + 1e-6 * static_cast<double>(truth))
				<< names[c];
			if (c == 0) {
				EXPECT_GT(truth, 0) << k.pmu;
			}
		}
	}
}

// Boxes that were never used count at once, out of a reset that froze them.
TEST_P(FoundCounts, AllKindsTogetherLeaveNoTrace)
{
	Machine m(std::string(GetParam().name) + ":packages=2");
	const auto before = m.registers();
	std::vector<std::string> names;

	for (const Kind &k : GetParam().kinds) {
		char name[100];

		snprintf(name, sizeof(name), "%s::RAW:config=%#lx", k.pmu, k.event);
		names.emplace_back(name);
	}
	Set set(m, names);
	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	EXPECT_NE(before, m.registers());
	ASSERT_EQ(0, set.stop()) << m.message();
	for (int64_t count : set.counts())
		EXPECT_GT(count, 0);
	EXPECT_EQ(before, m.registers());
}

// A sum is that of the single boxes; numbers are the ids of the table.
TEST_P(FoundCounts, SumsAreThoseOfTheBoxes)
{
	Machine m(std::string(GetParam().name) + ":packages=2");
	const Kind &k = GetParam().kinds[0];
	char name[120];
	std::vector<std::string> names;

	snprintf(name, sizeof(name), "%s::RAW:config=%#lx", k.pmu, k.event);
	names.emplace_back(name);
	for (const auto &unit : m.units())
		if (unit.type == 0 && unit.box >= 0) {
			snprintf(name, sizeof(name), "%s::RAW:config=%#lx:box=%u:pkg=%u", k.pmu,
				 k.event, unit.id, unit.package);
			names.emplace_back(name);
		}
	Set set(m, names);
	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	const auto counts = set.counts();
	int64_t sum = 0;

	for (size_t i = 1; i < counts.size(); i++)
		sum += counts[i];
	EXPECT_EQ(counts[0], sum);
	EXPECT_GT(counts.size(), 100u);
}

TEST_P(FoundCounts, FixedCounters)
{
	Machine m(std::string(GetParam().name) + ":packages=1");
	const std::string prefix = std::string(GetParam().kinds[0].pmu).substr(0, 8); // "spr_unc_"
	Set set(m, {prefix + "imc::RAW:config=0xff", prefix + "ubo::RAW:config=0xff"});

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop()) << m.message();
	const struct sim_traffic *traffic = sim_traffic(m.sim, 0);
	EXPECT_NEAR(traffic->dclk_hz * m.present("imc"), static_cast<double>(set.counts()[0]), 100);
	EXPECT_NEAR(traffic->uclk_hz, static_cast<double>(set.counts()[1]), 100);
}

TEST_P(FoundCounts, CountersThatAlwaysRun)
{
	const bool spr = strcmp(GetParam().name, "spr") == 0 || strcmp(GetParam().name, "emr") == 0;
	Machine m(std::string(GetParam().name) + ":packages=1");
	Set set(m, {"UNC_IIO_CLOCKTICKS_FREERUN", "UNC_IIO_BANDWIDTH_IN:PART3_FREERUN",
		    "UNC_IIO_BANDWIDTH_OUT:PART7_FREERUN:box=2"});

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop()) << m.message();
	EXPECT_EQ(0u, m.writes());
	EXPECT_EQ(m.present("iio"), m.present("iio_free_running"));
	EXPECT_NEAR(sim_traffic(m.sim, 0)->uclk_hz * m.present("iio"),
		    static_cast<double>(set.counts()[0]), 100);
	EXPECT_GT(set.counts()[1], 0);
	EXPECT_GT(set.counts()[2], 0);
	for (unsigned i = 0; i < m.machine().boxes; i++) {
		uncore_box_info box;
		uncore_op op;

		ASSERT_EQ(0, uncore_box(m.u, i, &box));
		if (strcmp(box.kind, "iio_free_running") != 0 || box.index != 2)
			continue;
		EXPECT_EQ(UNCORE_ENODEV, uncore_register(m.u, i, UNCORE_CONTROL, 0, &op));
		EXPECT_EQ(UNCORE_ENODEV, uncore_register(m.u, i, UNCORE_UNIT_CONTROL, 0, &op));
		ASSERT_EQ(0, uncore_register(m.u, i, UNCORE_COUNTER, 0, &op));
		EXPECT_EQ(spr ? 0x342eu : 0x292eu, op.address);
		ASSERT_EQ(0, uncore_register(m.u, i, UNCORE_COUNTER, 4, &op));
		EXPECT_EQ(spr ? 0x3823u : 0x373eu, op.address);
		ASSERT_EQ(0, uncore_register(m.u, i, UNCORE_COUNTER, 16, &op));
		EXPECT_EQ(spr ? 0x382fu : 0x2f7eu, op.address);
	}
}

// All windows begin and end together: equal clocks give equal counts in all boxes.
TEST_P(FoundCounts, BoxesOfAPackageAreFrozenTogether)
{
	Machine m(std::string(GetParam().name) + ":packages=1");
	const std::string prefix = std::string(GetParam().kinds[0].pmu).substr(0, 8);
	const auto ids =
		m.events({prefix + "cha::RAW:config=0x1", prefix + "imc::RAW:config=0x101"});
	struct uncore_plan *plan;
	std::vector<uint64_t> globals;

	ASSERT_EQ(0, uncore_plan(m.u, ids.data(), ids.size(), &plan)) << m.message();
	uncore_table_info table;
	for (unsigned i = 0; uncore_table(m.u, i, &table) == 0; i++)
		globals.push_back(strtoul(table.control + 4, nullptr, 16));
	const size_t n = globals.size();
	ASSERT_GT(n, 0u);
	for (size_t i = 0; i < n; i++) {
		const uncore_op *first = plan->start + i;
		const uncore_op *last = plan->start + plan->n_start - n + i, *stop = plan->stop + i;

		EXPECT_EQ(UNCORE_READ, plan->setup[i].kind);
		for (const uncore_op *op : {first, last, stop}) {
			EXPECT_EQ(UNCORE_WRITE, op->kind);
			EXPECT_EQ(globals[i], op->address);
		}
		EXPECT_EQ(1u, first->value);
		EXPECT_EQ(0u, last->value);
		EXPECT_EQ(1u, plan->stop[i].value);
	}
	// what they were is written back behind the freezes of the boxes
	size_t left = 0;
	for (size_t i = 0; i < plan->n_stop; i++)
		if (plan->stop[i].saved) {
			EXPECT_EQ(globals[left++], plan->stop[i].address);
		}
	EXPECT_EQ(n, left);
	uncore_plan_free(plan);
}

INSTANTIATE_TEST_SUITE_P(All, FoundCounts, testing::ValuesIn(platforms()),
			 [](const auto &info) { return std::string(info.param.name); });

// ---- what is special ----

TEST(FoundOnSpr, TheThreadFilterIsWrittenBesideTheUnitControl)
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

TEST(FoundOnSpr, ControllersHaveCountersThatAlwaysRun)
{
	Machine m("spr:packages=1");
	Set set(m, {"UNC_M_CLOCKTICKS_FREERUN:box=3", "UNC_M_RPQ_CYCLES_FREERUN",
		    "UNC_M_WPQ_CYCLES_FREERUN"});
	uncore_op op;

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(0u, m.writes());
	EXPECT_GT(set.counts()[0], 0);
	EXPECT_GT(set.counts()[1], 0);
	EXPECT_GT(set.counts()[2], 0);
	for (unsigned i = 0; i < m.machine().boxes; i++) {
		uncore_box_info box;

		ASSERT_EQ(0, uncore_box(m.u, i, &box));
		if (strcmp(box.kind, "imc_free_running") != 0 || box.index != 1)
			continue;
		ASSERT_EQ(0, uncore_register(m.u, i, UNCORE_COUNTER, 2, &op));
		EXPECT_EQ(0xc8b02320u, op.address);
	}
}

TEST(FoundOnSpr, ExtendedUmasksReachTheControl)
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
TEST(FoundOnSpr, ACounterJoinsABoxThatCounts)
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

// Newer than our tables: a stranger is told where its events are.
TEST(FoundOnGnr, AnUnknownEventPointsToIntelsLists)
{
	Machine gnr("gnr:packages=1"), spr("spr:packages=1");

	EXPECT_EQ(UNCORE_ENOEVENT, gnr.refusal("UNC_M_CAS_COUNT:RD"));
	EXPECT_NE(std::string::npos, gnr.message().find("UNCORE_EVENT_FILES")) << gnr.message();
	EXPECT_EQ(UNCORE_ENOEVENT, spr.refusal("UNC_M_CAS_COUNTS"));
	EXPECT_NE(std::string::npos, spr.message().find("mean UNC_M_CAS_COUNT?")) << spr.message();
	EXPECT_EQ(std::string::npos, spr.message().find("UNCORE_EVENT_FILES")) << spr.message();
}

TEST(FoundOnSpr, UmasksThatExcludeEachOtherAreNamed)
{
	Machine m("spr:packages=1");

	for (const char *parts : {"IA_MISS:IO_HIT", "IO_HIT:IA_MISS"}) {
		EXPECT_EQ(UNCORE_ECOMBO, m.refusal(std::string("UNC_CHA_TOR_INSERTS:") + parts));
		EXPECT_EQ(
			"umask IA_MISS of UNC_CHA_TOR_INSERTS excludes all others, such as IO_HIT",
			m.message());
	}
	EXPECT_EQ(UNCORE_ECOMBO, m.refusal("UNC_CHA_TOR_INSERTS:HIT:IO_HIT"));
	EXPECT_EQ("umask IO_HIT of UNC_CHA_TOR_INSERTS excludes all others, such as HIT",
		  m.message());
}

// Any event in a control starts its counter: until the start there is none.
TEST(FoundOnSpr, AJoiningCounterIsOffUntilTheStart)
{
	Simulated m("sim:spr:packages=1,time=virtual");
	const struct unc_event *event = m.event("spr_unc_cha::RAW:config=0x1");
	struct unc_setting running = {event, 0x101, {}, 0, 3, false, 0, 0};
	struct unc_setting fresh = {event, 0x201, {}, 0, 2, false, 0, 0};
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

// Linux programs an event without the enable bit: it counts all the same.
TEST(FoundOnSpr, SomebodyElsesCounterIsSeenWithoutItsEnableBit)
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

TEST(FoundOnSpr, APackageThatSomebodyHoldsIsHeldAgain)
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

TEST(FoundOnSpr, CounterRulesAreKept)
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

// ---- damaged tables ----

struct Damage {
	const char *platform, *table;
	int code;           // of opening
	unsigned cha;       // boxes of a package that are left
	const char *reason; // of the table
};

class FoundDamage : public testing::TestWithParam<Damage>
{
};

TEST_P(FoundDamage, IsToldAndNothingIsWritten)
{
	const Damage &d = GetParam();
	Machine m(std::string(d.platform) + ":packages=2,table=" + d.table, true);
	uncore_table_info table;

	EXPECT_EQ(d.code, m.code) << m.message();
	EXPECT_EQ(0u, m.writes());
	if (m.code < 0) {
		EXPECT_NE(std::string::npos, m.message().find(d.reason)) << m.message();
		return;
	}
	EXPECT_EQ(2 * d.cha, m.present("cha"));
	if (uncore_table(m.u, 0, &table) == 0) {
		EXPECT_EQ(*d.reason != 0, table.damage && strstr(table.damage, d.reason));
		EXPECT_EQ(table.damage != nullptr, uncore_warning(m.u, 0) != nullptr);
	} else {
		ASSERT_NE(nullptr, uncore_warning(m.u, 0));
		EXPECT_NE(nullptr, strstr(uncore_warning(m.u, 0), "no discovery table"));
		EXPECT_EQ(nullptr, uncore_warning(m.u, 1));
	}
	for (unsigned i = 0; i < m.machine().boxes; i++) {
		uncore_box_info box;

		EXPECT_EQ(0, uncore_box(m.u, i, &box));
	}
	EXPECT_EQ(0u, m.writes());
}

INSTANTIATE_TEST_SUITE_P(
	All, FoundDamage,
	testing::Values(
		Damage{"spr", "good", 0, 56, ""}, Damage{"spr", "zero_stride", 0, 0, "shorter"},
		Damage{"spr", "ones", 0, 0, "all ones"}, Damage{"spr", "many_units", 0, 56, ""},
		Damage{"spr", "overlap", 0, 55, ""}, Damage{"spr", "beyond", 0, 53, "longer"},
		Damage{"spr", "nonsense", 0, 51, ""}, Damage{"spr", "bar_io", 0, 0, "I/O"},
		Damage{"spr", "bar_zero", 0, 0, "no address"},
		Damage{"spr", "nonzero_offset", 0, 0, "offset"},
		Damage{"spr", "no_dvsec", 0, 0, ""}, Damage{"spr", "loop", 0, 0, ""},
		Damage{"gnr", "many_units", 0, 120, ""}, Damage{"gnr", "overlap", 0, 119, ""},
		Damage{"gnr", "zero_stride", UNCORE_ENOSUPP, 0, "shorter"},
		Damage{"gnr", "ones", UNCORE_ENOSUPP, 0, "all ones"},
		Damage{"gnr", "bar_io", UNCORE_ENOSUPP, 0, "I/O"},
		Damage{"gnr", "bar_zero", UNCORE_ENOSUPP, 0, "no address"},
		Damage{"gnr", "nonzero_offset", UNCORE_ENOSUPP, 0, "offset"},
		Damage{"gnr", "no_dvsec", UNCORE_ENOSUPP, 0, "no discovery table"},
		Damage{"gnr", "loop", UNCORE_ENOSUPP, 0, "no discovery table"}),
	[](const auto &info) { return std::string(info.param.platform) + "_" + info.param.table; });

} // namespace
