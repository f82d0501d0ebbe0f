// sim_discovery_test.cc - the simulated Xeons with discovery tables: what the tables say,
// and that the units do what facts/spr.md 3 to 5 tell.
#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "support/sim_discovery.h"

namespace
{

using namespace support::discovery;

struct Kind {
	const char *name;
	unsigned type, n;
	uint64_t event; // that all counters of `mask` count
	unsigned mask = ~0u;
};

struct Platform {
	std::string name;
	unsigned model, max_cores, tables, stride, bar;
	std::vector<Kind> kinds; // in the table, default number of cores
	std::vector<uint32_t> globals;
	bool frozen; // out of reset
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Platform spr()
{
	return {"spr",
		143,
		60,
		1,
		64,
		0,
		{{"cha", 0, 56, 0x01},
		 {"iio", 1, 12, 0x01},
		 {"irp", 2, 12, 0x01},
		 {"m2pcie", 3, 12, 0x01},
		 {"pcu", 4, 1, 0x01},
		 {"ubox", 5, 1, 0x0442},
		 {"imc", 6, 8, 0x0101},
		 {"m2m", 7, 4, 0x01},
		 {"mdf", 11, 10, 0x0147},
		 {"cxlcm", 12, 4, 0x0201},
		 {"cxldp", 13, 4, 0x0101},
		 {"type40", 40, 2, 0x01}},
		{0x2ff0},
		false};
}

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
				continue; // see RecordsThatAreNoUse
			SCOPED_TRACE(std::string(of->name) + std::to_string(unit.rank));
			Registers registers(machine, unit);
			what(*of, unit, registers);
		}
	}
	Machine machine{GetParam().name + ":time=virtual"};
};

INSTANTIATE_TEST_SUITE_P(All, SimDiscovery, testing::Values(spr()),
			 [](const auto &info) { return info.param.name; });

TEST_P(SimDiscovery, HasItsModelAndItsMostCores)
{
	const Platform &p = GetParam();
	struct sim *more;
	char err[300];

	EXPECT_EQ(p.model, sim_id(machine.sim).model);
	EXPECT_EQ(6u, sim_id(machine.sim).family);
	EXPECT_EQ(p.max_cores, Machine(p.name + ":cores=" + std::to_string(p.max_cores))
					       .unit(0, p.max_cores - 1)
					       .rank +
				       1);
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
	each_unit([this](const Kind &of, const Unit &unit, Registers &registers) {
		registers.state(kResetControls | kResetCounters);
		for (unsigned i = 0; i < unit.counters; i++)
			registers.control(i, of.event | (i % 2 != 0 ? kEnable : 0));
	});
	sim_advance(machine.sim, kSecond);
	each_unit([this](const Kind &of, const Unit &unit, Registers &registers) {
		for (unsigned i = 0; i < unit.counters; i++)
			expect_near(machine.rate(of.name, unit.rank, of.event),
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
				Registers(on, unit).control(0, kind(unit)->event);
		sim_advance(on.sim, kSecond);
		std::set<uint64_t> frozen;
		for (const Unit &unit : units)
			frozen.insert(unit.address);
		for (const Unit &unit : on.units()) {
			if (kind(unit) != nullptr) {
				EXPECT_EQ(frozen.count(unit.address) != 0,
					  Registers(on, unit).counter(0) == 0)
					<< kind(unit)->name;
			}
		}
		on.set(GetParam().globals[n], 0);
		sim_advance(on.sim, kSecond);
		for (const Unit &unit : units) {
			if (kind(unit) != nullptr) {
				EXPECT_GT(Registers(on, unit).counter(0), 0u) << kind(unit)->name;
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
		registers.set(unit.status_offset, 2, 64);
		EXPECT_EQ(0u, registers.get(unit.status_offset, 64));
		machine.set(status, bit);
		EXPECT_EQ(0u, machine.get(status));
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
			       (GetParam().model > 170 ? machine.rate("imc", unit.rank, 0xcf06)
						       : 0);
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

// ---- sapphire rapids: literal addresses ----

TEST(SimSpr, MemoryControllersAreTheWorkedExample)
{
	// facts/spr-discovery.md 8
	const uint64_t addresses[] = {0xc8aa2800, 0xc8aaa800, 0xc8b22800, 0xc8b2a800,
				      0xc8ba2800, 0xc8baa800, 0xc8c22800, 0xc8c2a800};
	Machine machine("spr");
	unsigned n = 0;

	for (const Unit &unit : machine.units()) {
		if (unit.type != 6)
			continue;
		ASSERT_LT(n, 8u);
		EXPECT_EQ(n, unit.id);
		EXPECT_EQ(addresses[n++], unit.address);
		EXPECT_EQ(kMmio, static_cast<Access>(unit.access));
		EXPECT_EQ(48u, unit.width);
		EXPECT_EQ(4u, unit.counters);
		EXPECT_EQ(64u, unit.control_offset);
		EXPECT_EQ(8u, unit.counter_offset);
	}
	EXPECT_EQ(8u, n);
}

TEST(SimSpr, UnitsByMsrAreWhereTheFactsSay)
{
	Machine machine("spr");

	for (const Unit &unit : machine.units()) {
		const uint64_t first = unit.type == 0 ? 0x2000 : unit.type == 1 ? 0x3000 : 0x3400;

		if (unit.type > 2)
			continue;
		EXPECT_EQ(first + 0x10 * unit.id, unit.address);
		EXPECT_EQ(2u, unit.control_offset);
		EXPECT_EQ(8u, unit.counter_offset);
	}
	EXPECT_EQ(0x2fd0u, machine.unit(5, 0).address);
}

TEST(SimSpr, RecordsOfTheLinksAreNoUse)
{
	Machine machine("spr:time=virtual");
	unsigned n = 0;
	uint64_t value;

	for (const Unit &unit : machine.units()) {
		if (unit.type != 8 && unit.type != 9)
			continue;
		EXPECT_EQ(kPci, static_cast<Access>(unit.access));
		int err = sim_pci_write(machine.sim, unit.address >> 28 & 7,
					unit.address >> 20 & 0xff, unit.address >> 12 & 0xff,
					(unit.address & 0xfff) + unit.control_offset, 32, 0x55);

		value = 0;
		if (err == 0) {
			EXPECT_EQ(0,
				  sim_pci_read(machine.sim, unit.address >> 28 & 7,
					       unit.address >> 20 & 0xff, unit.address >> 12 & 0xff,
					       (unit.address & 0xfff) + unit.control_offset, 32,
					       &value));
		}
		EXPECT_EQ(0u, value) << "nothing there";
		n++;
	}
	EXPECT_EQ(4u, n) << "those that are not skipped as empty";
	for (unsigned link = 0; link < 4; link++) {
		const sim_pci &upi = machine.function(0x3241, (1 + link) << 3 | 1);
		const sim_pci &m3 = machine.function(0x3246, (5 + link) << 3 | 1);

		machine.set_dword(upi, 0x318, 0x300);
		machine.set_dword(upi, 0x354, 0);
		machine.set_dword(upi, 0x350, 0x0f02);
		machine.set_dword(m3, 0xe0, 0x01, 64);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("upi", link, 0x0f02), machine.dword(upi, 0x320, 64));
		EXPECT_GT(machine.dword(upi, 0x320, 64), 0u);
		expect_near(machine.rate("m3upi", link, 0x01), machine.dword(m3, 0xb0, 64));
		machine.set_dword(upi, 0x318, 1);
		machine.set_dword(m3, 0xa0, 1);
	}
}

TEST(SimSpr, ChaCountIsInMsrCapabilitiesAndTable)
{
	for (unsigned cores : {1u, 32u, 56u, 60u}) {
		Machine machine("spr:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x325b, 30 << 3 | 3);
		unsigned n = 0;

		for (const Unit &unit : machine.units())
			n += unit.type == 0 ? 1 : 0;
		EXPECT_EQ(cores, n);
		EXPECT_EQ(cores, machine.get(0x2ffe));
		EXPECT_EQ(cores,
			  static_cast<unsigned>(__builtin_popcountll(machine.dword(pci, 0x9c)) +
						__builtin_popcountll(machine.dword(pci, 0xa0))));
	}
}

TEST(SimSpr, FixedCounters)
{
	Machine machine("spr:time=virtual");
	const uint64_t channel = machine.unit(6, 5, 1).address;

	machine.set(0x2fde, kEnable);
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel + 0x54, 32, kEnable | kOverflow));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 0, 1), machine.get(0x2fdf));
	expect_near(machine.rate("imc", 5, 0x0101, 0, 1), machine.mmio(channel + 0x38, 64, 1));
	EXPECT_NEAR(machine.rate("imc", 5, 0x0101), 2 * machine.rate("imc", 5, 0x0001), 2);
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel, 32, 0x301));
	EXPECT_EQ(0u, machine.mmio(channel + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(channel + 0x54, 32, 1));
}

TEST(SimSpr, FreeRunningCounters)
{
	Machine machine("spr:time=virtual");
	const sim_pci &pci = machine.function(0x3251, 1);
	const uint64_t base = ((machine.dword(pci, 0xd0) & 0x1fffffff) << 23) +
			      ((machine.dword(pci, 0xd8 + 4 * 2) & 0x7ff) << 12);

	EXPECT_EQ(0xc8b80000u, base);
	machine.set(0x2ff0, 1);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 7, 1), machine.get(0x340e + 0x70));
	// 32 bytes against 4.
	EXPECT_NEAR(machine.rate("iio", 3, UINT64_C(0x70400) << 32 | 0x0183) / 8,
		    static_cast<double>(machine.get(0x3806 + 0x30)), 2);
	EXPECT_GT(machine.get(0x3808 + 0x30), machine.get(0x380f + 0x30));
	EXPECT_EQ(-EIO, machine.try_set(0x3808, 0));
	expect_near(machine.rate("imc", 4, 0x0101), machine.mmio(base + 0x22b0));
	EXPECT_NEAR(machine.rate("imc", 4, 0x80) + machine.rate("imc", 4, 0x81) +
			    machine.rate("imc", 5, 0x80) + machine.rate("imc", 5, 0x81),
		    static_cast<double>(machine.mmio(base + 0x2318)), 5);
	EXPECT_GT(machine.mmio(base + 0x2320), 0u);
}

TEST(SimSpr, UmaskExtensionInTheUpperHalf)
{
	Machine machine("spr:time=virtual");
	Registers m2m(machine, machine.unit(7, 2)), cxl(machine, machine.unit(12, 1));

	m2m.set(m2m.control_at(3) + 4, 1, 32);
	m2m.set(m2m.control_at(3), 0x0424, 32);
	EXPECT_EQ(UINT64_C(1) << 32 | 0x0424, m2m.control(3));
	m2m.control(2, UINT64_C(2) << 32 | 0x0424);
	m2m.control(1, UINT64_C(3) << 32 | 0x0424);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(m2m.counter(3), m2m.counter(2));
	EXPECT_NEAR(static_cast<double>(m2m.counter(1)),
		    static_cast<double>(m2m.counter(2) + m2m.counter(3)), 2);
	cxl.control(7, kOnes);
	EXPECT_EQ(0x00ffffffffd4ffffu, cxl.control(7));
}

// ---- memory ----

TEST(SimTable, IsOnlyReadAndOnlyInItsPackage)
{
	Machine machine("spr");
	const uint64_t here = machine.table(machine.portals(0)[0], 0).bar;
	const uint64_t there = machine.table(machine.portals(1)[0], 1).bar;
	const uint64_t first = machine.mmio(here);
	uint64_t value;

	EXPECT_GT(here, UINT64_C(1) << 32) << "a BAR of 64 bits";
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, here, 64, 0));
	EXPECT_EQ(first, machine.mmio(here));
	EXPECT_EQ(first & 0xffffffff, machine.mmio(here, 32));
	EXPECT_EQ(first >> 32, machine.mmio(here + 4, 32));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, there, 64, &value));
	EXPECT_EQ(-ENODEV, sim_mmio_read(machine.sim, 2, here, 64, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here + 4, 64, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here, 16, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, here + 0x20000, 64, &value));
}

TEST(SimMemoryUnit, WidthsOfAccesses)
{
	Machine machine("spr");
	const uint64_t a = 0xc8aa2800;
	uint64_t value;

	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a, 32, 1));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a + 0x44, 32, 0xcf05));
	EXPECT_EQ(0u, machine.mmio(a + 0x40, 32));
	EXPECT_EQ(UINT64_C(0xcf05) << 32, machine.mmio(a + 0x40)) << "two controls";
	EXPECT_EQ(0xcf05u, machine.mmio(a + 0x44, 32));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 0, a + 0x10, 64, 0x123456789abc));
	EXPECT_EQ(0x56789abcu, machine.mmio(a + 0x10, 32));
	EXPECT_EQ(0x1234u, machine.mmio(a + 0x14, 32));
	EXPECT_EQ(0u, machine.mmio(a + 0x100, 32));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, a + 0x1000, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 1, a, 32, &value));
}

// ---- damaged tables ----

class Damaged : public Machine
{
      public:
	explicit Damaged(const std::string &how) : Machine("spr:table=" + how)
	{
	}
	sim_pci portal = portals(0).at(0);
};

TEST(SimDamage, OfTheWayToTheTable)
{
	Damaged none("no_dvsec"), loop("loop"), offset("nonzero_offset"), io("bar_io"),
		zero("bar_zero");

	EXPECT_EQ(0u, none.capability(none.portal));
	EXPECT_EQ(0u, none.dword(none.portal, 0x120) >> 20);
	EXPECT_EQ(0u, loop.capability(loop.portal));
	EXPECT_EQ(0x120u, loop.dword(loop.portal, 0x120) >> 20) << "points to itself";
	EXPECT_NE(0u, offset.dword(offset.portal, offset.capability(offset.portal) + 0xc) >> 3);
	EXPECT_EQ(1u, io.dword(io.portal, 0x10) & 0xf);
	EXPECT_EQ(0u, zero.bar(zero.portal, 0));
}

TEST(SimDamage, OfTheTable)
{
	Damaged stride("zero_stride"), ones("ones"), many("many_units"), beyond("beyond");
	uint64_t value;

	EXPECT_EQ(0u, stride.mmio(stride.bar(stride.portal, 0)) >> 8 & 0xff);
	for (uint64_t at = 0; at < 0x20000; at += 0x400)
		EXPECT_EQ(kOnes, ones.mmio(ones.bar(ones.portal, 0) + at));
	EXPECT_EQ(1023u, many.table(many.portal, 0).slots);
	EXPECT_EQ(Machine("spr").units().size(), many.units().size());
	const uint64_t bar = beyond.bar(beyond.portal, 0);
	EXPECT_EQ(1023u, beyond.mmio(bar) >> 16 & 0x3ff);
	EXPECT_EQ(0, sim_mmio_read(beyond.sim, 0, bar + 0xff8, 64, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(beyond.sim, 0, bar + 0x1000, 64, &value));
}

TEST(SimDamage, OfUnits)
{
	Damaged overlap("overlap"), nonsense("nonsense");
	std::vector<Unit> units = nonsense.units();

	EXPECT_EQ(overlap.unit(0, 0).address, overlap.unit(0, 1).address);
	EXPECT_NE(overlap.unit(0, 0).id, overlap.unit(0, 1).id);
	EXPECT_EQ(255u, units[0].counters);
	EXPECT_EQ(units[1].control_offset, units[1].counter_offset);
	EXPECT_EQ(0u, units[2].width);
	EXPECT_EQ(3u, units[3].access);
	EXPECT_EQ(0u, units[4].counters);
}

TEST(SimDamage, HasToBeKnownAndHaveATable)
{
	struct sim *sim;
	char err[300];

	EXPECT_EQ(-EINVAL, sim_open("spr:table=bad", &sim, err, sizeof(err)));
	EXPECT_NE(std::string::npos, std::string(err).find("zero_stride")) << err;
	EXPECT_EQ(-EINVAL, sim_open("icx:table=good", &sim, err, sizeof(err)));
	EXPECT_NE(std::string::npos, std::string(err).find("table")) << err;
}

} // namespace
