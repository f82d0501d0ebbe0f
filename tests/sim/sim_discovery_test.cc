// SPDX-License-Identifier: BSD-3-Clause
// sim_discovery_test.cc - the simulated Xeons with discovery tables: what the tables say,
// and that the units do what docs/hardware/spr.md tells.
#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/sim_discovery.h"
#include "support/sim_discovery_platforms.h"

namespace
{

using namespace support::discovery;

class SimDiscovery : public testing::TestWithParam<Platform>
{
      protected:
	void SetUp() override
	{
		if (GetParam().frozen)
			for (unsigned p = 0; p < 2; p++)
				for (uint32_t global : GetParam().globals)
					machine.set(global, 0, p);
	}
	const Kind *kind(const Unit &unit)
	{
		for (const Kind &kind : GetParam().kinds)
			if (kind.type == unit.type)
				return &kind;
		return nullptr;
	}
	template <typename What> void each_unit(What what, unsigned package = 0)
	{
		for (const Unit &unit : machine.units(package)) {
			const Kind *of = kind(unit);

			if (of == nullptr)
				continue; // see RecordsOfTheLinksAreNoUse
			SCOPED_TRACE(std::string(of->name) + std::to_string(unit.rank));
			Registers registers(machine, unit);
			what(*of, unit, registers);
		}
	}
	Machine machine{GetParam().name + ":time=virtual"};
};

const std::vector<Platform> kPlatforms = {spr(), emr(), gnr(), srf(), cwf()};

INSTANTIATE_TEST_SUITE_P(All, SimDiscovery, testing::ValuesIn(kPlatforms),
			 [](const auto &info) { return info.param.name; });

TEST(SimDiscoveryOfEachMachine, IsCompared)
{
	for (const std::string name : support::kMachines) {
		const bool tables = !Machine(name).portals(0).empty();

		EXPECT_EQ(tables, std::any_of(kPlatforms.begin(), kPlatforms.end(),
					      [name](const Platform &p) { return p.name == name; }))
			<< "nothing compares the discovery tables of sim:" << name
			<< " with what they should list: describe them in "
			   "support/sim_discovery_platforms.h, and add them to kPlatforms";
	}
}

TEST_P(SimDiscovery, HasItsModelAndItsMostCores)
{
	const Platform &p = GetParam();
	struct sim *more;
	char err[300];

	EXPECT_EQ(p.model, sim_id(machine.sim).model);
	EXPECT_EQ(6u, sim_id(machine.sim).family);
	EXPECT_EQ(p.max_cores / p.cores_a_cha - 1,
		  Machine(p.name + ":cores=" + std::to_string(p.max_cores))
			  .unit(0, p.max_cores / p.cores_a_cha - 1)
			  .rank);
	EXPECT_EQ(-EINVAL, sim_open((p.name + ":cores=" + std::to_string(p.max_cores + 1)).c_str(),
				    &more, err, sizeof(err)));
}

TEST_P(SimDiscovery, TablesAreFoundThroughConfigSpace)
{
	const Platform &p = GetParam();
	std::set<uint64_t> bars;

	for (unsigned package = 0; package < 2; package++) {
		ASSERT_EQ(p.tables, machine.portals(package).size());
		unsigned n = 0;

		for (const sim_pci &pci : machine.portals(package)) {
			uint32_t at = machine.capability(pci);

			EXPECT_EQ(0x8086u, pci.vendor);
			EXPECT_EQ(0x100000u, machine.dword(pci, 4) & 0x100000);
			EXPECT_EQ(0x10u, machine.dword(pci, 6, 16) & 0x10);
			EXPECT_EQ(0x23u, machine.dword(pci, 0x100) & 0xffff)
				<< "a decoy comes first";
			EXPECT_NE(1u, machine.dword(pci, 0x108, 16));
			EXPECT_NE(0x100u, at);
			EXPECT_EQ(p.bar, machine.dword(pci, at + 0xc)) << "no offset, just the BAR";
			Table table = machine.table(pci, package);
			EXPECT_EQ(p.stride, table.stride);
			EXPECT_EQ(p.globals[n++], table.global);
			EXPECT_GT(table.empty, 10u);
			EXPECT_GE(table.statuses * 64, table.units.size());
			bars.insert(table.bar);
		}
	}
	EXPECT_EQ(2 * p.tables, bars.size());
}

TEST_P(SimDiscovery, HasAsManyUnitsAsTheFactsSay)
{
	std::map<unsigned, unsigned> n;
	std::set<std::pair<unsigned, unsigned>> ids;

	each_unit([&](const Kind &of, const Unit &unit, Registers &) {
		n[of.type]++;
		EXPECT_TRUE(ids.insert({unit.type, unit.id}).second);
		EXPECT_EQ(48u, unit.width);
		EXPECT_FALSE(std::isnan(machine.rate(of.name, unit.rank, of.event)));
	});
	for (const Kind &of : GetParam().kinds) {
		EXPECT_EQ(of.n, n[of.type]) << of.name;
		EXPECT_TRUE(std::isnan(machine.rate(of.name, of.n, of.event))) << of.name;
	}
}

TEST_P(SimDiscovery, CountersHaveTheirWidthAndShareNothing)
{
	uint64_t n = 0;

	each_unit([&n](const Kind &, const Unit &unit, Registers &registers) {
		for (unsigned i = 0; i < unit.counters; i++) {
			registers.set_counter(i, kOnes);
			EXPECT_EQ((UINT64_C(1) << 48) - 1, registers.counter(i));
			registers.set_counter(i, ++n);
		}
	});
	n = 0;
	each_unit([&n](const Kind &, const Unit &unit, Registers &registers) {
		for (unsigned i = 0; i < unit.counters; i++)
			EXPECT_EQ(++n, registers.counter(i));
	});
}

TEST_P(SimDiscovery, EveryCounterCountsWithoutAnEnableBitAndWithIt)
{
	each_unit([](const Kind &of, const Unit &unit, Registers &registers) {
		registers.state(kResetControls | kResetCounters);
		for (unsigned i = 0; i < unit.counters; i++)
			registers.control(i, of.event | (i % 2 != 0 ? kEnable : 0));
	});
	sim_advance(machine.sim, kSecond);
	each_unit([this](const Kind &of, const Unit &unit, Registers &registers) {
		for (unsigned i = 0; i < unit.counters; i++)
			expect_near((of.mask >> i & 1) != 0
					    ? machine.rate(of.name, unit.rank, of.event)
					    : 0,
				    registers.counter(i));
	});
}

TEST_P(SimDiscovery, FreezeHoldsAndResetClears)
{
	each_unit([this](const Kind &of, const Unit &unit, Registers &registers) {
		const unsigned last = unit.counters - 1;

		registers.control(last, of.event);
		registers.state(kFrozen);
		EXPECT_EQ(kFrozen, registers.state());
		uint64_t counted = registers.counter(last);
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(counted, registers.counter(last));
		registers.set_counter(last, 0x1234);
		registers.state(kFrozen | kResetCounters);
		EXPECT_EQ(kFrozen, registers.state()) << "resets act once";
		EXPECT_EQ(0u, registers.counter(last));
		EXPECT_EQ(of.event, registers.control(last));
		registers.set_counter(last, 0x1234);
		registers.state(kFrozen | kResetControls);
		EXPECT_EQ(0u, registers.control(last));
		EXPECT_EQ(0x1234u, registers.counter(last));
		registers.state(0);
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(0x1234u, registers.counter(last)) << "nothing selected";
	});
}

TEST_P(SimDiscovery, GlobalControlFreezesTheUnitsOfItsTable)
{
	for (unsigned n = 0; n < GetParam().tables; n++) {
		Machine on(GetParam().name + ":time=virtual");
		std::vector<Unit> units = on.table(on.portals(0)[n], 0).units;

		for (uint32_t global : GetParam().globals)
			for (unsigned p = 0; p < 2; p++)
				on.set(global, 0, p);
		on.set(GetParam().globals[n], 1);
		EXPECT_EQ(1u, on.get(GetParam().globals[n]));
		EXPECT_EQ(0u, on.get(GetParam().globals[n], 1));
		for (const Unit &unit : on.units())
			if (kind(unit) != nullptr)
				Registers(on, unit).control(unit.counters - 1, kind(unit)->event);
		sim_advance(on.sim, kSecond);
		std::set<uint64_t> frozen;
		for (const Unit &unit : units)
			frozen.insert(unit.address);
		for (const Unit &unit : on.units()) {
			if (kind(unit) != nullptr) {
				EXPECT_EQ(frozen.count(unit.address) != 0,
					  Registers(on, unit).counter(unit.counters - 1) == 0)
					<< kind(unit)->name;
			}
		}
		on.set(GetParam().globals[n], 0);
		sim_advance(on.sim, kSecond);
		for (const Unit &unit : units) {
			if (kind(unit) != nullptr) {
				EXPECT_GT(Registers(on, unit).counter(unit.counters - 1), 0u)
					<< kind(unit)->name;
			}
		}
	}
}

TEST_P(SimDiscovery, ResetStateOfTheGlobalControl)
{
	Machine fresh(GetParam().name);

	for (uint32_t global : GetParam().globals) {
		EXPECT_EQ(GetParam().frozen ? 1u : 0u, fresh.get(global));
		EXPECT_EQ(-EIO, fresh.try_set(global, 2));
	}
}

TEST_P(SimDiscovery, ReservedBitsFaultOrAreDropped)
{
	each_unit([this](const Kind &, const Unit &unit, Registers &registers) {
		const uint64_t bad = 0x55 | 1u << 17 | 1u << 21;

		if (unit.access == kMsr) {
			const uint32_t control = static_cast<uint32_t>(unit.address) + 2;
			EXPECT_EQ(-EIO, machine.try_set(control, bad));
			EXPECT_EQ(-EIO, machine.try_set(control - 2, 2));
			EXPECT_EQ(0u, registers.control(0));
			return;
		}
		registers.control(0, bad);
		EXPECT_EQ(0x55u, registers.control(0) & 0xffffffff);
		registers.state(0x10100 | 2);
		EXPECT_EQ(0u, registers.state());
	});
}

TEST_P(SimDiscovery, OverflowShowsInUnitAndPackage)
{
	const unsigned offset = machine.table(machine.portals(0)[0], 0).status_offset;
	const uint32_t global = GetParam().globals[0] + offset;

	for (unsigned type : {0u, 4u}) {
		Unit unit = machine.unit(type, 0);
		Registers registers(machine, unit);
		uint32_t status = global + unit.position / 64;
		uint64_t bit = UINT64_C(1) << unit.position % 64;

		registers.control(1, 0x01 | kOverflow);
		registers.set_counter(1, (UINT64_C(1) << 48) - 100);
		EXPECT_EQ(0u, registers.get(unit.status_offset, 64));
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(2u, registers.get(unit.status_offset, 64));
		EXPECT_EQ(bit, machine.get(status));
		EXPECT_EQ(1u, machine.get(GetParam().globals[0])) << "it stops the others";
		registers.set(unit.status_offset, 2, 64);
		EXPECT_EQ(0u, registers.get(unit.status_offset, 64));
		machine.set(status, bit);
		EXPECT_EQ(0u, machine.get(status));
		machine.set(GetParam().globals[0], 0);
	}
}

TEST_P(SimDiscovery, MemoryReadsAgreeAllAlongTheWay)
{
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const struct sim_traffic &other = *sim_traffic(machine.sim, 1);
	const double expected =
		own.reads * (1 - own.remote_reads) + other.reads * other.remote_reads;
	double cas = 0, asked = 0, mesh = 0;

	each_unit([&](const Kind &of, const Unit &unit, Registers &) {
		if (unit.type == 6)
			cas += machine.rate("imc", unit.rank, 0xcf05) +
			       (GetParam().tables > 1 ? machine.rate("imc", unit.rank, 0xcf06) : 0);
		if (unit.type == 0)
			asked += machine.rate("cha", unit.rank, 0x0350);
		if (unit.type == 7 || unit.type == 16)
			mesh += machine.rate(of.name, unit.rank,
					     (unit.type == 7 ? UINT64_C(3) : 1) << 32 | 0x0424);
	});
	EXPECT_NEAR(expected, cas, 5);
	EXPECT_NEAR(expected, asked, 5);
	EXPECT_NEAR(expected, mesh, 5);
}

TEST_P(SimDiscovery, TorEntriesByOpcodeMissAndHome)
{
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const auto tor = [this](uint64_t umask, uint64_t extension) {
		double sum = 0;

		for (unsigned i = 0; i < GetParam().kinds[0].n; i++)
			sum += machine.rate("cha", i, extension << 32 | umask << 8 | 0x35);
		return sum;
	};
	const double misses = own.reads * 0.3514; // DRD, see traffic.c

	EXPECT_NEAR(misses, tor(0x01, 0xc817fe), 5);
	EXPECT_NEAR(misses / 0.37 - misses, tor(0x01, 0xc817fd), 5);
	EXPECT_NEAR(misses / 0.37, tor(0x01, 0xc817ff), 5);
	EXPECT_NEAR(misses * own.remote_reads, tor(0x01, 0xc8177e), 5);
	EXPECT_NEAR(misses * (1 - own.remote_reads), tor(0x01, 0xc816fe), 5);
	EXPECT_NEAR(own.reads * 0.0514, tor(0x04, 0xc8f3fe), 5);
	EXPECT_EQ(0, tor(0x04, 0xc817fe)) << "devices do not ask for DRD";
	EXPECT_GT(tor(0x01, 0x10c00182), 0);
	EXPECT_GT(tor(0x01, 0xc001fe), tor(0x01, 0x10c00182));
	EXPECT_GT(tor(0x20, 0x78c8effd), 0) << "accelerators";
	EXPECT_NE(tor(0x20, 0x78c8effd), tor(0x20, 0x78c9effd));
	EXPECT_NEAR(misses * own.pmem_share, tor(0x01, 0xc8178a), 5) << "persistent memory";
	EXPECT_NEAR(misses * own.cxl_share, tor(0x01, 0x10c81782), 5);
	EXPECT_NEAR(misses * (1 - own.pmem_share - own.cxl_share), tor(0x01, 0xc81786), 5);
}

TEST_P(SimDiscovery, VictimsByRequester)
{
	const auto victims = [this](unsigned umask) {
		return machine.rate("cha", 1, umask << 8 | 0x37);
	};

	EXPECT_NEAR(victims(0x0f), victims(0x1f) + victims(0x2f), 1);
	EXPECT_NEAR(victims(0x10), victims(0x1f), 1);
	EXPECT_GT(victims(0x21), victims(0x11));
	EXPECT_GT(victims(0x11), 0);
}

TEST_P(SimDiscovery, ThreadFilterOfTheCha)
{
	Unit unit = machine.unit(0, 3);
	Registers registers(machine, unit);
	const uint64_t event = UINT64_C(0xc817fe) << 32 | 0x0135;

	registers.set(0xe, 5 << 3, 64);
	EXPECT_EQ(-EIO, machine.try_set(static_cast<uint32_t>(unit.address) + 0xe, 0x400));
	registers.control(0, event);
	registers.control(1, event | 1u << 16);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("cha", 3, event, 5 << 3), registers.counter(0));
	expect_near(machine.rate("cha", 3, event | 1u << 16, 5 << 3), registers.counter(1));
	EXPECT_GT(registers.counter(1), 0u);
	EXPECT_LT(registers.counter(1), registers.counter(0) / 4);
}

TEST_P(SimDiscovery, TorOccupancyOnlyOnCounterZero)
{
	Registers registers(machine, machine.unit(0, 0));
	const uint64_t event = UINT64_C(0xc817fe) << 32 | 0x0136;

	for (unsigned i = 0; i < 4; i++)
		registers.control(i, event);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("cha", 0, event), registers.counter(0));
	EXPECT_GT(registers.counter(0), 0u);
	for (unsigned i = 1; i < 4; i++)
		EXPECT_EQ(0u, registers.counter(i));
}

} // namespace
