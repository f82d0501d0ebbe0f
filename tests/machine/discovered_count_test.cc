// SPDX-License-Identifier: BSD-3-Clause
// discovered_count_test.cc - every kind of box of simulated Xeons with discovery tables counts, and
// damage in the tables is reported.
#include <set>

#include "plan/complete.h"
#include "support/every_event.h"
#include "support/found.h"
#include "support/machines.h"
#include "support/plan.h"
#include "support/sized.h"

namespace
{

using support::kSecond;
using support::Set;
using support::discovered::Machine;

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
	for (const char *name : support::machines_between("gnr", "cwf")) {
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

class DiscoveredCounts : public testing::TestWithParam<Platform>
{
};

// As many events as there are counters: the same with thresholds, so that they differ.
TEST_P(DiscoveredCounts, EveryKindByRaw)
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

// Events of memory channels: the model's traffic determines their counts.
TEST(DiscoveredNames, EachThatXeon6HasCounts)
{
	for (const std::string name : support::machines_between("gnr", "cwf")) {
		Machine m(name + ":packages=2");
		unsigned n = 0;

		for (const std::string &event : support::listed_names(m)) {
			if (event.rfind("UNC_M_", 0) != 0)
				continue;
			Set set(m, {event});
			ASSERT_EQ(0, set.start()) << m.message();
			sim_advance(m.sim, kSecond);
			ASSERT_EQ(0, set.stop()) << m.message();
			EXPECT_LT(0, set.count())
				<< event << " counts nothing on sim:" << name
				<< ": give it its code in the simulation's tables (src/sim/*/*_codes.c, "
				   "*_events.c), or put the event right in events/";
			n++;
		}
		EXPECT_LE(3u, n);
	}
}

TEST(DiscoveredNames, ReadsAndWritesOfXeon6AreThoseOfTheTraffic)
{
	Machine m("cwf:packages=1");
	Set set(m, {"UNC_M_CAS_COUNT_SCH0:RD", "UNC_M_CAS_COUNT_SCH1:RD", "UNC_M_CAS_COUNT_SCH0:WR",
		    "UNC_M_CAS_COUNT_SCH1:WR"});
	const struct sim_traffic *traffic = sim_traffic(m.sim, 0);

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	ASSERT_EQ(0, set.stop()) << m.message();
	const auto counts = set.counts();
	EXPECT_NEAR(traffic->reads, static_cast<double>(counts[0] + counts[1]), 100);
	EXPECT_NEAR(traffic->writes, static_cast<double>(counts[2] + counts[3]), 100);
}

// Boxes that were never used count at once, out of a reset that froze them.
TEST_P(DiscoveredCounts, AllKindsTogetherLeaveNoTrace)
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
TEST_P(DiscoveredCounts, SumsAreThoseOfTheBoxes)
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

TEST_P(DiscoveredCounts, FixedCounters)
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

TEST_P(DiscoveredCounts, CountersThatAlwaysRun)
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
		auto box = support::sized<uncore_box_info>();
		auto op = support::sized<uncore_op_info>();

		ASSERT_EQ(1, uncore_box(m.u, i, &box));
		if (strcmp(box.kind, "iio_free_running") != 0 || box.index != 2)
			continue;
		EXPECT_EQ(0, uncore_register(m.u, i, UNCORE_CONTROL, 0, &op));
		EXPECT_EQ(0, uncore_register(m.u, i, UNCORE_UNIT_CONTROL, 0, &op));
		ASSERT_EQ(1, uncore_register(m.u, i, UNCORE_COUNTER, 0, &op));
		EXPECT_EQ(spr ? 0x342eu : 0x292eu, op.address);
		ASSERT_EQ(1, uncore_register(m.u, i, UNCORE_COUNTER, 4, &op));
		EXPECT_EQ(spr ? 0x3823u : 0x373eu, op.address);
		ASSERT_EQ(1, uncore_register(m.u, i, UNCORE_COUNTER, 16, &op));
		EXPECT_EQ(spr ? 0x382fu : 0x2f7eu, op.address);
	}
}

// All windows begin and end together: equal clocks give equal counts in all boxes.
TEST_P(DiscoveredCounts, BoxesOfAPackageAreFrozenTogether)
{
	Machine m(std::string(GetParam().name) + ":packages=1");
	const std::string prefix = std::string(GetParam().kinds[0].pmu).substr(0, 8);
	const auto ids =
		m.events({prefix + "cha::RAW:config=0x1", prefix + "imc::RAW:config=0x101"});
	struct uncore_plan *plan;
	std::vector<uint64_t> globals;

	ASSERT_EQ(0, uncore_plan(m.u, ids.data(), ids.size(), nullptr, &plan)) << m.message();
	auto table = support::sized<uncore_discovery_table_info>();
	for (unsigned i = 0; uncore_discovery_table(m.u, i, &table) == 1; i++)
		globals.push_back(strtoul(table.control + 4, nullptr, 16));
	const size_t n = globals.size();
	ASSERT_GT(n, 0u);
	const auto writes = [](const unc_op *ops, size_t count) {
		std::vector<const unc_op *> of;

		for (size_t i = 0; i < count; i++)
			if (ops[i].kind != UNCORE_READ)
				of.push_back(&ops[i]);
		return of;
	};
	const auto starts = writes(plan->start.op, plan->start.n);
	const auto stops = writes(plan->stop.op, plan->stop.n);
	for (size_t i = 0; i < n; i++) {
		const unc_op *first = starts[i];
		const unc_op *last = starts[starts.size() - n + i], *stop = stops[i];

		EXPECT_EQ(UNCORE_READ, plan->setup.op[i].kind);
		for (const unc_op *op : {first, last, stop}) {
			EXPECT_EQ(UNCORE_WRITE, op->kind);
			EXPECT_EQ(globals[i], op->address);
		}
		EXPECT_EQ(1u, first->value);
		EXPECT_EQ(0u, last->value);
		EXPECT_EQ(1u, stop->value);
	}
	// what they were is written back behind the freezes of the boxes
	size_t left = 0;
	for (size_t i = 0; i < plan->stop.n; i++)
		if (plan->stop.op[i].saved) {
			EXPECT_EQ(globals[left++], plan->stop.op[i].address);
		}
	EXPECT_EQ(n, left);
	uncore_plan_free(plan);
}

INSTANTIATE_TEST_SUITE_P(All, DiscoveredCounts, testing::ValuesIn(platforms()),
			 [](const auto &info) { return std::string(info.param.name); });

// ---- damaged tables ----

struct Damage {
	const char *platform, *table;
	int code;           // of opening
	unsigned cha;       // boxes of a package that are left
	const char *reason; // of the table
};

class DiscoveredDamage : public testing::TestWithParam<Damage>
{
};

TEST_P(DiscoveredDamage, IsReportedAndNothingIsWritten)
{
	const Damage &d = GetParam();
	Machine m(std::string(d.platform) + ":packages=2,table=" + d.table, true);
	auto table = support::sized<uncore_discovery_table_info>();

	EXPECT_EQ(d.code, m.code) << m.message();
	EXPECT_EQ(0u, m.writes());
	if (m.code < 0) {
		EXPECT_NE(std::string::npos, m.message().find(d.reason)) << m.message();
		return;
	}
	EXPECT_EQ(2 * d.cha, m.present("cha"));
	if (uncore_discovery_table(m.u, 0, &table) == 1) {
		EXPECT_EQ(*d.reason != 0, table.damage && strstr(table.damage, d.reason));
		EXPECT_EQ(table.damage || m.machine().boxes_unreached, m.warning(0) != nullptr);
	} else {
		ASSERT_NE(nullptr, m.warning(0));
		EXPECT_NE(nullptr, strstr(m.warning(0), "no discovery table"));
		EXPECT_EQ(nullptr, m.warning(1));
	}
	for (unsigned i = 0; i < m.machine().boxes; i++) {
		auto box = support::sized<uncore_box_info>();

		EXPECT_EQ(1, uncore_box(m.u, i, &box));
	}
	EXPECT_EQ(0u, m.writes());
}

INSTANTIATE_TEST_SUITE_P(
	All, DiscoveredDamage,
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
