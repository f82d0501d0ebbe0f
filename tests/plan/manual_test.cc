// SPDX-License-Identifier: BSD-3-Clause
// manual_test.cc - worked examples of Intel's manual 327043-001: register addresses, counter
// widths, the occupancy and histogram recipes, preloading and wraps. Addresses and recipes are
// literals from docs/hardware/snbep.md.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "plan/complete.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/plan.h"
#include "support/stepped.h"

namespace
{

using support::Handle;
using support::Set;

constexpr uint64_t kSecond = 1000000000;
constexpr uint32_t kEdge = 1u << 18;

class Manual : public testing::Test
{
      protected:
	Handle machine{support::sim_options("sim:snbep:packages=2,cores=8,time=virtual")};
	struct sim *sim = unc_hw_sim(unc_hw_of(machine.u));

	struct uncore_plan *plan(const std::vector<std::string> &names)
	{
		const std::vector<unsigned> ids = machine.events(names);
		struct uncore_plan *p = nullptr;

		EXPECT_EQ(0, uncore_plan(machine.u, ids.data(), ids.size(), nullptr, &p));
		EXPECT_TRUE(p->feasible) << p->layout.reason;
		plans.push_back(p);
		return p;
	}
	/* The counter number of event i. */
	unsigned counter(const struct uncore_plan *p, unsigned i)
	{
		for (size_t k = 0; k < p->layout.n; k++)
			if (support::assignment(p, k).event == i)
				return p->layout.at[k].assignment.counter;
		ADD_FAILURE() << "event " << i << " is not placed";
		return 99;
	}
	uint64_t control(const struct uncore_plan *p, unsigned counter)
	{
		for (size_t k = 0; k < p->layout.n; k++)
			if (p->layout.at[k].assignment.counter == counter)
				return p->layout.at[k].assignment.control;
		ADD_FAILURE() << "counter " << counter << " is not used";
		return 0;
	}
	// Without the checks of other counters' controls.
	std::set<uint32_t> addresses(const struct unc_op *op, size_t n)
	{
		std::set<uint32_t> list;

		for (size_t i = 0; i < n; i++)
			if (!op[i].mask)
				list.insert(op[i].address);
		return list;
	}
	uint64_t msr(uint32_t address)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, 0, address, &value));
		return value;
	}
	void TearDown() override
	{
		for (auto *p : plans)
			uncore_plan_free(p);
	}

      private:
	std::vector<struct uncore_plan *> plans;
};

// ---- registers ----

struct CboRegisters {
	uint32_t box_ctl, ctl0, ctl1, ctl2, ctl3, filter, ctr0, ctr1, ctr2, ctr3;
};

const CboRegisters kCbo[] = {
	{0xd04, 0xd10, 0xd11, 0xd12, 0xd13, 0xd14, 0xd16, 0xd17, 0xd18, 0xd19},
	{0xd24, 0xd30, 0xd31, 0xd32, 0xd33, 0xd34, 0xd36, 0xd37, 0xd38, 0xd39},
	{0xd44, 0xd50, 0xd51, 0xd52, 0xd53, 0xd54, 0xd56, 0xd57, 0xd58, 0xd59},
	{0xd64, 0xd70, 0xd71, 0xd72, 0xd73, 0xd74, 0xd76, 0xd77, 0xd78, 0xd79},
	{0xd84, 0xd90, 0xd91, 0xd92, 0xd93, 0xd94, 0xd96, 0xd97, 0xd98, 0xd99},
	{0xda4, 0xdb0, 0xdb1, 0xdb2, 0xdb3, 0xdb4, 0xdb6, 0xdb7, 0xdb8, 0xdb9},
	{0xdc4, 0xdd0, 0xdd1, 0xdd2, 0xdd3, 0xdd4, 0xdd6, 0xdd7, 0xdd8, 0xdd9},
	{0xde4, 0xdf0, 0xdf1, 0xdf2, 0xdf3, 0xdf4, 0xdf6, 0xdf7, 0xdf8, 0xdf9},
};

TEST_F(Manual, EachCboHasItsOwnRegisters)
{
	for (unsigned n = 0; n < 8; n++) {
		const std::string at = ":box=" + std::to_string(n) + ":pkg=1";
		const CboRegisters &r = kCbo[n];
		const auto *p = plan({"UNC_C_TOR_OCCUPANCY:ALL" + at, "UNC_C_TOR_INSERTS:WB" + at,
				      "UNC_C_RING_AD_USED:UP_EVEN" + at, "UNC_C_CLOCKTICKS" + at});

		EXPECT_EQ((std::set<uint32_t>{r.box_ctl, r.filter, r.ctl0, r.ctl1, r.ctl2, r.ctl3}),
			  addresses(p->setup.op, p->setup.n))
			<< n;
		EXPECT_EQ((std::set<uint32_t>{r.ctr0, r.ctr1, r.ctr2, r.ctr3}),
			  addresses(p->read.op, p->read.n));
		EXPECT_EQ((std::set<uint32_t>{r.box_ctl}), addresses(p->start.op, p->start.n));
		for (size_t i = 0; i < p->setup.n; i++)
			EXPECT_EQ(1u, p->setup.op[i].package);
	}
}

TEST_F(Manual, FullBoxesOfTheOtherKindsUseTheseRegisters)
{
	const struct {
		const char *pmu;
		unsigned n;
		std::set<uint32_t> setup, read;
	} kinds[] = {
		{"ubo", 2, {0xc10, 0xc11}, {0xc16, 0xc17}},
		{"pcu",
		 4,
		 {0xc24, 0xc34, 0xc30, 0xc31, 0xc32, 0xc33},
		 {0xc36, 0xc37, 0xc38, 0xc39}},
		{"ha", 4, {0xf4, 0xd8, 0xdc, 0xe0, 0xe4}, {0xa0, 0xa8, 0xb0, 0xb8}},
		{"imc", 4, {0xf4, 0xd8, 0xdc, 0xe0, 0xe4}, {0xa0, 0xa8, 0xb0, 0xb8}},
		{"qpi", 4, {0xf4, 0xd8, 0xdc, 0xe0, 0xe4}, {0xa0, 0xa8, 0xb0, 0xb8}},
		{"r2pcie", 4, {0xf4, 0xd8, 0xdc, 0xe0, 0xe4}, {0xa0, 0xa8, 0xb0, 0xb8}},
		{"r3qpi", 3, {0xf4, 0xd8, 0xdc, 0xe0}, {0xa0, 0xa8, 0xb0}},
	};

	for (const auto &kind : kinds) {
		std::vector<std::string> names;

		for (unsigned i = 0; i < kind.n; i++)
			names.push_back("snbep_unc_" + std::string(kind.pmu) + "::RAW:config=0x" +
					std::to_string(i + 1) + "000001:box=0:pkg=0");
		const auto *p = plan(names);
		EXPECT_EQ(kind.setup, addresses(p->setup.op, p->setup.n)) << kind.pmu;
		EXPECT_EQ(kind.read, addresses(p->read.op, p->read.n)) << kind.pmu;
	}
}

TEST_F(Manual, FixedCountersAreNextToTheOthers)
{
	const auto *u = plan({"UNC_U_CLOCKTICKS:pkg=0"});
	const auto *m = plan({"UNC_M_CLOCKTICKS:box=2:pkg=0"});

	EXPECT_EQ((std::set<uint32_t>{0xc08}), addresses(u->setup.op, u->setup.n));
	EXPECT_EQ((std::set<uint32_t>{0xc09}), addresses(u->read.op, u->read.n));
	EXPECT_EQ((std::set<uint32_t>{0xf4, 0xf0}), addresses(m->setup.op, m->setup.n));
	EXPECT_EQ((std::set<uint32_t>{0xd0}), addresses(m->read.op, m->read.n));
	EXPECT_EQ(16u << 3 | 4, m->read.op[0].devfn);
	EXPECT_TRUE(support::assignment(u, 0).fixed && support::assignment(m, 0).fixed);
}

TEST_F(Manual, CountersAre44Or48BitsWide)
{
	const std::map<std::string, unsigned> widths = {{"cbo", 44},    {"ubo", 44},  {"pcu", 48},
							{"ha", 48},     {"imc", 48},  {"qpi", 48},
							{"r2pcie", 44}, {"r3qpi", 44}};
	auto info = support::sized<uncore_machine_info>();
	std::map<std::string, unsigned> boxes;

	uncore_machine(machine.u, &info);
	for (unsigned i = 0; i < info.boxes; i++) {
		auto box = support::sized<uncore_box_info>();

		ASSERT_EQ(1, uncore_box(machine.u, i, &box));
		EXPECT_EQ(widths.at(box.kind), box.width) << box.kind;
		EXPECT_EQ(box.kind == std::string("ubo") || box.kind == std::string("imc"),
			  box.fixed);
		boxes[box.kind]++;
	}
	EXPECT_EQ((std::map<std::string, unsigned>{{"cbo", 16},
						   {"ubo", 2},
						   {"pcu", 2},
						   {"ha", 2},
						   {"imc", 8},
						   {"qpi", 4},
						   {"r2pcie", 2},
						   {"r3qpi", 4}}),
		  boxes);
}

// ---- recipes ----

const char kOccupancy[] = "UNC_C_TOR_OCCUPANCY:MISS_ALL:box=0:pkg=0";
const char kInserts[] = "UNC_C_TOR_INSERTS:MISS_ALL:box=0:pkg=0";
const char kBusy[] = "UNC_C_TOR_OCCUPANCY:MISS_ALL:t=1:box=0:pkg=0";
const char kEpisodes[] = "UNC_C_TOR_OCCUPANCY:MISS_ALL:e=1:t=1:box=0:pkg=0";

/* Occupancy on 0, allocations on 1, the busy time on a companion, in any order of events. */
TEST_F(Manual, OccupancyRecipe)
{
	std::vector<std::string> names = {kOccupancy, kInserts, kBusy, kEpisodes};

	std::sort(names.begin(), names.end());
	do {
		const auto *p = plan(names);
		std::map<std::string, unsigned> at;

		for (unsigned i = 0; i < 4; i++)
			at[names[i]] = counter(p, i);
		EXPECT_EQ(0u, at[kOccupancy]);
		EXPECT_EQ(1u, at[kInserts]);
		EXPECT_EQ(0x0a36u, control(p, 0));
		EXPECT_EQ(0x0a35u, control(p, 1));
		EXPECT_EQ(0x0100001fu, control(p, at[kBusy]));
		EXPECT_EQ(0x0100001fu | kEdge, control(p, at[kEpisodes]));
	} while (std::next_permutation(names.begin(), names.end()));
}

/*
 * latency = occupancy / inserts: in the simulated machine a miss takes local_ns or
 * remote_ns.
 */
TEST_F(Manual, OccupancyRecipeGivesTheLatency)
{
	const struct sim_traffic *t = sim_traffic(sim, 0);
	Set set(machine, {kOccupancy, kInserts, kBusy, kEpisodes});

	ASSERT_EQ(0, set.start());
	sim_advance(sim, 2 * kSecond);
	const std::vector<int64_t> n = set.counts();
	const double ns = 1e9 / t->uclk_hz * static_cast<double>(n[0]) / static_cast<double>(n[1]);
	EXPECT_GE(ns, std::min(t->local_ns, t->remote_ns) * 0.999);
	EXPECT_LE(ns, std::max(t->local_ns, t->remote_ns) * 1.001);
	EXPECT_GT(n[2], 0);
	EXPECT_LE(n[2], 2 * t->uclk_hz) << "cycles with an entry";
	EXPECT_LE(n[2], n[0]) << "each has at least one entry";
	EXPECT_GT(n[3], 0);
	EXPECT_LE(n[3], n[2]) << "an episode lasts at least a cycle";
}

/* One queue, with its sum on counter 0 and up to three thresholds on the other counters. */
TEST_F(Manual, HistogramRecipe)
{
	const std::string queue = "UNC_C_RXR_OCCUPANCY:IRQ", at = ":box=5:pkg=0";
	const auto *p =
		plan({queue + ":t=7" + at, queue + ":t=18" + at, queue + at, queue + ":t=14" + at});

	EXPECT_EQ(0u, counter(p, 2));
	EXPECT_EQ(0x0111u, control(p, 0));
	EXPECT_EQ(0x0700001fu, control(p, counter(p, 0)));
	EXPECT_EQ(0x1200001fu, control(p, counter(p, 1)));
	EXPECT_EQ(0x0e00001fu, control(p, counter(p, 3)));
}

TEST_F(Manual, AThresholdAloneIsOnCounter0Itself)
{
	const auto *p = plan({"UNC_C_RXR_OCCUPANCY:IRQ:t=7:box=5:pkg=0"});

	EXPECT_EQ(0u, counter(p, 0));
	EXPECT_EQ(0x07000111u, control(p, 0));
}

TEST_F(Manual, HistogramOfThresholdsOnlyPutsOneOnCounter0)
{
	const std::string queue = "UNC_C_RXR_OCCUPANCY:IRQ", at = ":box=5:pkg=0";
	const auto *p = plan({queue + ":t=1" + at, queue + ":t=7" + at, queue + ":t=14" + at,
			      queue + ":t=18" + at});

	EXPECT_EQ(0x111u, control(p, 0) & 0xffff);
	for (unsigned c = 1; c < 4; c++)
		EXPECT_EQ(0x1fu, control(p, c) & 0xffff) << c;
}

/* Counters 0 and 1 can both count it, but only 0 adds more than 1 per cycle. */
TEST_F(Manual, IsmqOccupancyPrefersCounter0)
{
	EXPECT_EQ(0u, counter(plan({"UNC_C_ISMQ_DRD_MISS_OCC:box=0:pkg=0"}), 0));
}

TEST_F(Manual, AllFourBandsFitInAnyOrderAndAFifthDoesNot)
{
	const std::string band0 = "UNC_P_FREQ_BAND0_CYCLES:ff=", at = ":pkg=0";
	const auto *p =
		plan({band0 + "12" + at, band0 + "20" + at, band0 + "28" + at, band0 + "36" + at});
	std::set<uint64_t> codes;

	for (size_t i = 0; i < p->layout.n; i++)
		codes.insert(p->layout.at[i].assignment.control);
	EXPECT_EQ((std::set<uint64_t>{0x0b, 0x0c, 0x0d, 0x0e}), codes);
	for (size_t i = 0; i < p->setup.n; i++)
		if (p->setup.op[i].kind == UNCORE_WRITE && p->setup.op[i].address == 0xc34) {
			std::multiset<unsigned> bytes;

			for (unsigned b = 0; b < 4; b++)
				bytes.insert(p->setup.op[i].value >> (8 * b) & 0xff);
			EXPECT_EQ((std::multiset<unsigned>{12, 20, 28, 36}), bytes);
		}

	const std::vector<unsigned> five =
		machine.events({band0 + "12" + at, band0 + "20" + at, band0 + "28" + at,
				band0 + "36" + at, band0 + "40" + at});
	struct uncore_plan *refused = nullptr;
	ASSERT_EQ(0, uncore_plan(machine.u, five.data(), five.size(), nullptr, &refused));
	EXPECT_FALSE(refused->feasible);
	EXPECT_EQ(5u, refused->layout.n_conflict);
	uncore_plan_free(refused);
}

// ---- preload and wrap ----

/* Preloaded with 2^44 - n, a counter reads 0 after n counts, and the count continues. */
TEST_F(Manual, ACounterOf44BitsWrapsAfterItsPreload)
{
	const uint64_t n = 1000000, width = 44;
	const double hz = sim_traffic(sim, 0)->uclk_hz;
	Set set(machine, {"UNC_C_CLOCKTICKS:box=3:pkg=0"});
	const auto *p = plan({"UNC_C_CLOCKTICKS:box=3:pkg=0"});
	const uint32_t counter = p->read.op[0].address;

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, sim_msr_write(sim, 0, counter, (1ull << width) - n));
	const int64_t before = set.count();
	EXPECT_EQ((1ull << width) - n, msr(counter));
	EXPECT_EQ(static_cast<int64_t>((1ull << width) - n), before);
	sim_advance(sim, static_cast<uint64_t>(n / hz * 1e9));
	EXPECT_NEAR(static_cast<double>(1ull << width), static_cast<double>(set.count()), 16);
	sim_advance(sim, kSecond);
	EXPECT_LT(msr(counter), 1ull << width);
	EXPECT_NEAR(hz, static_cast<double>(msr(counter)), 16) << "wrapped";
	EXPECT_NEAR(static_cast<double>(n) + hz, static_cast<double>(set.count() - before), 16);
}

/* The same at 48 bits, on a PCI counter that is read in two halves. */
TEST_F(Manual, ACounterOf48BitsWrapsAfterItsPreload)
{
	const uint64_t n = 5000, width = 48;
	const struct sim_traffic *t = sim_traffic(sim, 0);
	const std::string name = "UNC_M_CAS_COUNT:RD:box=0:pkg=0";
	Set set(machine, {name});
	const auto *p = plan({name});
	const struct unc_op &op = p->read.op[0];
	const struct unc_pci &pci = unc_machine_of(machine.u)->topo.pci[op.unit];
	const double rate = sim_rate(sim, 0, "imc", 0, 0x304, 0);
	uint64_t raw = 0;

	ASSERT_GT(t->reads, 0);
	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, sim_pci_write(sim, pci.segment, pci.bus, pci.devfn, op.address, 64,
				   (1ull << width) - n));
	const int64_t before = set.count();
	EXPECT_EQ(static_cast<int64_t>((1ull << width) - n), before);
	sim_advance(sim, kSecond);
	ASSERT_EQ(0, sim_pci_read(sim, pci.segment, pci.bus, pci.devfn, op.address, 64, &raw));
	EXPECT_NEAR(rate - n, static_cast<double>(raw), 16) << "wrapped";
	EXPECT_NEAR(rate, static_cast<double>(set.count() - before), 16);
}

} // namespace
