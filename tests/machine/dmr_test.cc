// SPDX-License-Identifier: BSD-3-Clause
// dmr_test.cc - Diamond Rapids: tables from an MSR of each die, in addition to those of PCI devices
// (docs/hardware/dmr.md).
#include "support/fake_tables.h"
#include "support/found.h"
#include "support/plan.h"
#include "support/sized.h"

namespace
{

using support::FakeMachine;
using support::FakeUnit;
using support::kSecond;
using support::Set;
using support::discovered::Machine;

constexpr uint64_t kMsr = 0x710, kTable = 0x50000000, kBoxes = 0x60000000;

// ---- tables that a test writes ----

FakeUnit mapped(unsigned type, unsigned id, uint64_t address)
{
	return {type, id, 1, address, 4, 0x40, 0x60, 48};
}

// Two packages with a compute die each; the first also has two I/O dies.
class DmrTables : public testing::Test
{
      protected:
	DmrTables()
	{
		for (unsigned p = 0; p < 2; p++) {
			const uint64_t boxes = kBoxes + 0x100000 * p;

			m.msrs[{p, kMsr}] = kTable + 0x10000 * p;
			m.table_at(kTable + 0x10000 * p,
				   {mapped(0x1f, 0, boxes), mapped(0x25, 0, boxes + 0x1000),
				    mapped(0x3a, 3, boxes + 0x2000)},
				   kBoxes + 0x800000 + 0x1000 * p, 1);
		}
		m.table({mapped(6, 0, kBoxes + 0x400000), mapped(0x13, 0, kBoxes + 0x401000)}, 0,
			0x09a1, 0);
		m.table({mapped(6, 0x8000, kBoxes + 0x402000)}, 0, 0x09a1, 0);
	}
	unsigned tables() const
	{
		return m.machine.discovered->n_tables;
	}
	std::string warning() const
	{
		return m.machine.warnings.n ? m.machine.warnings.list[0].text : "";
	}

	FakeMachine m{unc_dmr, 2};
};

TEST_F(DmrTables, OfBothSortsAreRead)
{
	char name[UNC_TABLE_NAME];

	ASSERT_EQ(0, m.build()) << m.err.text;
	ASSERT_EQ(4u, tables());
	EXPECT_STREQ("0000:00:01.0",
		     unc_table_name(name, &m.machine, &m.machine.discovered->tables[0]));
	EXPECT_STREQ("msr 0x710",
		     unc_table_name(name, &m.machine, &m.machine.discovered->tables[3]));
	EXPECT_EQ("imc0 pkg 0", m.box(0));
	EXPECT_NE(std::string::npos, m.why(1).find("the location of these boxes is unknown"));
	EXPECT_EQ("imc32768 pkg 0", m.box(2));
	EXPECT_EQ("cbo0 pkg 0", m.box(3));
	EXPECT_NE("", m.why(4));
	EXPECT_EQ("type_58_3 pkg 0", m.box(5));
	EXPECT_EQ("cbo0 pkg 1", m.box(6));
	EXPECT_EQ("", warning());
	EXPECT_EQ(0u, m.writes);
}

// Of the compute dies, in memory; the I/O dies have none.
TEST_F(DmrTables, HaveTheirGlobalControls)
{
	ASSERT_EQ(0, m.build()) << m.err.text;
	ASSERT_EQ(2u, m.machine.n_globals);
	for (unsigned p = 0; p < 2; p++) {
		EXPECT_EQ(UNCORE_MMIO, m.machine.globals[p].space);
		EXPECT_EQ(kBoxes + 0x800000 + 0x1000 * p, m.machine.globals[p].address);
		EXPECT_EQ(p, m.machine.globals[p].package);
	}
}

TEST_F(DmrTables, ADieWithoutATableAddressIsSkipped)
{
	for (bool refused : {false, true}) {
		FakeMachine one(unc_dmr, 2);

		one.memory = m.memory;
		one.msrs[{1, kMsr}] = kTable;
		if (refused)
			one.fails = [](const unc_op &op) {
				return op.space == UNCORE_MSR && op.package == 0 ? -EIO : 0;
			};
		ASSERT_EQ(0, one.build()) << one.err.text;
		EXPECT_EQ(1u, one.machine.discovered->n_tables);
		EXPECT_EQ("cbo0 pkg 1", one.box(0));
		ASSERT_EQ(1u, one.machine.warnings.n);
		EXPECT_NE(nullptr,
			  strstr(one.machine.warnings.list[0].text, "the boxes of the I/O dies"));
	}
}

TEST_F(DmrTables, WithoutThoseOfComputeDiesOpeningWarns)
{
	m.msrs.clear();
	ASSERT_EQ(0, m.build()) << m.err.text;
	EXPECT_EQ(2u, tables());
	EXPECT_NE(std::string::npos,
		  warning().find("MSR 0x710 reports no discovery table, so the boxes of the "
				 "compute dies are missing"))
		<< warning();
}

// Its contents are unknown: a sum would lack boxes.
TEST_F(DmrTables, OneThatMayNotBeReadIsALackOfSums)
{
	const unc_places all = {{}, {}, -1}, first = {{}, unc_numbers_one(0), -1};
	char why[700] = "";

	m.fails = [](const unc_op &op) {
		return op.space == UNCORE_MSR && op.package == 1 ? -EACCES : 0;
	};
	ASSERT_EQ(0, m.build()) << m.err.text;
	EXPECT_EQ(UNCORE_EACCESS, unc_unreached(&m.machine, m.type("cbo"), &all, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "a discovery table cannot be read")) << why;
	EXPECT_EQ(0, unc_unreached(&m.machine, m.type("cbo"), &first, why, sizeof(why))) << why;
}

TEST_F(DmrTables, AnInvalidAddressIsDamage)
{
	for (uint64_t address : {UINT64_MAX, UINT64_C(1) << 52, kTable + 4}) {
		FakeMachine one(unc_dmr);

		one.memory = m.memory;
		one.msrs[{0, kMsr}] = address;
		EXPECT_EQ(UNCORE_ENOSUPP, one.build_machine());
		EXPECT_STREQ(
			"the discovery table of msr 0x710 cannot be used: the register with its "
			"address has no physical address",
			one.err.text);
	}
}

TEST_F(DmrTables, TwoDiesWithOneTableAreNotCountedTwice)
{
	m.msrs[{1, kMsr}] = kTable;
	ASSERT_EQ(0, m.build()) << m.err.text;
	EXPECT_EQ("cbo0 pkg 0", m.box(3));
	EXPECT_EQ("an earlier record has the same registers", m.why(6));
}

// ---- the simulated machine ----

struct Kind {
	const char *name, *truth;
	unsigned counters, boxes; // boxes: of a die
};

// Types 0x13 and 0x25 do not exist.
const Kind kKinds[] = {
	{"dmr_unc_cbo", "cbo", 4, 4},     {"dmr_unc_sbo", "sbo", 4, 4},
	{"dmr_unc_santa", "santa", 4, 2}, {"dmr_unc_cncu", "cncu", 4, 1},
	{"dmr_unc_sncu", "sncu", 4, 1},   {"dmr_unc_dda", "dda", 4, 4},
	{"dmr_unc_ula", "ula", 4, 4},     {"dmr_unc_ubo", "ubox", 4, 1},
	{"dmr_unc_pcu", "pcu", 4, 1},     {"dmr_unc_imc", "imc", 4, 8},
	{"dmr_unc_sca", "sca", 4, 4},     {"dmr_unc_hamvf", "hamvf", 4, 8},
	{"dmr_unc_cxlcm", "cxlcm", 4, 4}, {"dmr_unc_ubr", "ubr", 4, 2},
	{"dmr_unc_crs", "crs", 4, 2},     {"dmr_unc_cpc", "cpc", 4, 2},
	{"dmr_unc_itc", "itc", 4, 4},     {"dmr_unc_otc", "otc", 4, 4},
	{"dmr_unc_cms", "cms", 4, 8},     {"dmr_unc_pcie4", "pcie4", 4, 1},
	{"dmr_unc_pcie6", "pcie6", 4, 4}, {"uncore_type_57", "type57", 4, 2},
};

class Dmr : public testing::Test
{
      protected:
	Machine m{"dmr:packages=2,dies=2,cores=4"};
};

// As many events as there are counters: the same with thresholds that its clock always reaches.
TEST_F(Dmr, EveryKindCountsOnAllCounters)
{
	unsigned boxes = 0;

	for (const Kind &k : kKinds) {
		SCOPED_TRACE(k.name);
		std::vector<std::string> names = {std::string(k.name) + "::RAW:config=0x1",
						  std::string(k.name) + "::RAW:config=0x1000001"};
		for (unsigned i = 2; i < k.counters; i++)
			names.push_back(std::string(k.name) + "::RAW:config=0x" +
					std::to_string(i) + "800001");
		Set set(m, names);

		ASSERT_EQ(0, set.start()) << m.message();
		sim_advance(m.sim, kSecond);
		ASSERT_EQ(0, set.stop()) << m.message();
		for (int64_t count : set.counts())
			EXPECT_NEAR(static_cast<double>(m.truth(k.truth, 0x1)),
				    static_cast<double>(count), 64);
		boxes += 4 * k.boxes;
	}
	EXPECT_EQ(boxes, m.machine().boxes);
}

TEST_F(Dmr, AFixedCounterCountsTheClockOfTheMemory)
{
	Set set(m, {"dmr_unc_imc::RAW:config=0xff:box=0:pkg=0:die=0"});

	ASSERT_EQ(0, set.start()) << m.message();
	sim_advance(m.sim, kSecond);
	EXPECT_NEAR(sim_traffic(m.sim, 0)->dclk_hz, static_cast<double>(set.count()), 2);
}

// Out of reset compute dies are held by a register in memory.
TEST_F(Dmr, TheGlobalControlIsZeroWhileItCounts)
{
	auto table = support::sized<uncore_discovery_table_info>();
	std::vector<uint64_t> controls;
	const auto control = [this](unsigned die, uint64_t address) {
		uint64_t value = 99;

		EXPECT_EQ(0, sim_mmio_read(m.sim, die, address, 32, &value));
		return value;
	};

	for (unsigned i = 0; uncore_discovery_table(m.u, i, &table) == 1; i++)
		if (strcmp(table.device, "msr 0x710") == 0)
			controls.push_back(strtoull(table.control + strlen("mmio "), nullptr, 16));
	ASSERT_EQ(4u, controls.size());
	Set set(m, {"dmr_unc_cbo::RAW:config=0x1"});
	for (unsigned die = 0; die < 4; die++)
		EXPECT_EQ(1u, control(die, controls[die]));
	ASSERT_EQ(0, set.start()) << m.message();
	for (unsigned die = 0; die < 4; die++)
		EXPECT_EQ(0u, control(die, controls[die]));
	sim_advance(m.sim, kSecond);
	EXPECT_LT(1000000, set.count());
	ASSERT_EQ(0, set.stop()) << m.message();
	for (unsigned die = 0; die < 4; die++)
		EXPECT_EQ(1u, control(die, controls[die]));
}

// Linux calls the first channel of the second I/O die uncore_imc_32768.
TEST_F(Dmr, NumbersOfBoxesAreThoseOfLinuxWhereTheyAreUnique)
{
	const auto where = [this](const char *name) {
		struct uncore_plan *plan = nullptr;
		auto a = support::sized<uncore_assignment_info>();
		unsigned id;

		EXPECT_EQ(0, uncore_event(m.u, name, &id)) << m.message();
		EXPECT_EQ(0, uncore_plan(m.u, &id, 1, nullptr, &plan)) << m.message();
		EXPECT_EQ(1, uncore_plan_assignment(plan, 0, &a));
		uncore_plan_free(plan);
		return std::to_string(a.package) + "/" + std::to_string(a.die);
	};

	EXPECT_EQ("1/1", where("dmr_unc_imc::RAW:config=0x1:box=32768:pkg=1"));
	EXPECT_EQ("1/0", where("dmr_unc_imc::RAW:config=0x1:box=7:pkg=1"));
	EXPECT_EQ("0/1", where("dmr_unc_cbo::RAW:config=0x1:box=4:pkg=0")); // four on each die
	EXPECT_EQ("0/0", where("dmr_unc_cbo::RAW:config=0x1:box=3:pkg=0"));
	EXPECT_EQ(UNCORE_ENODEV, m.refusal("dmr_unc_imc::RAW:config=0x1:box=8"));
}

// Controls in memory have 32 bits, as far as is known.
TEST_F(Dmr, UpperBitsAreThereInConfigSpaceOnly)
{
	EXPECT_EQ(0, m.refusal("dmr_unc_pcie6::RAW:config=0xff00000001"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("dmr_unc_cbo::RAW:config=0x100000001"));
	EXPECT_NE(std::string::npos, m.message().find("control bits 0x100000000")) << m.message();
}

TEST_F(Dmr, OccupanciesAreCountedByCounter0)
{
	EXPECT_EQ(UNCORE_ECONFLICT,
		  Set(m).assign({"dmr_unc_cbo::RAW:config=0x11", "dmr_unc_cbo::RAW:config=0x36"}));
	EXPECT_EQ(0,
		  Set(m).assign({"dmr_unc_cxlcm::RAW:config=0x1", "dmr_unc_cxlcm::RAW:config=0x2",
				 "dmr_unc_cxlcm::RAW:config=0x3", "dmr_unc_cxlcm::RAW:config=0x4",
				 "dmr_unc_cxlcm::RAW:config=0x41"}));
	EXPECT_EQ(UNCORE_ECONFLICT,
		  Set(m).assign({"dmr_unc_cxlcm::RAW:config=0x1", "dmr_unc_cxlcm::RAW:config=0x2",
				 "dmr_unc_cxlcm::RAW:config=0x3", "dmr_unc_cxlcm::RAW:config=0x4",
				 "dmr_unc_cxlcm::RAW:config=0x5"}));
}

TEST(DmrHidden, TheOtherDiesCountAndOpeningWarns)
{
	Machine m("dmr:packages=1,cores=2,hide=9a1");
	const char *text = "";

	EXPECT_EQ(1, uncore_warning(m.u, 0, &text));
	EXPECT_NE(nullptr, strstr(text, "no PCI device has a discovery table")) << text;
	EXPECT_EQ(0, m.refusal("dmr_unc_cbo::RAW:config=0x1"));
	EXPECT_NE(0, m.refusal("dmr_unc_imc::RAW:config=0x1"));
}

} // namespace
