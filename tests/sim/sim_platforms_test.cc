// SPDX-License-Identifier: BSD-3-Clause
// sim_platforms_test.cc - the simulated Xeons after SNB-EP: their register maps, and
// what all of them must do alike.
#include <cerrno>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/sim_platform_box.h"

namespace
{

using namespace support::platforms;

class SimPlatform : public testing::TestWithParam<Platform>
{
      protected:
	void each_box(const std::function<void(const Kind &, unsigned, Box &)> &what)
	{
		for (const Kind &kind : GetParam().kinds)
			for (unsigned i = 0; i < kind.n; i++) {
				SCOPED_TRACE(std::string(kind.name) + std::to_string(i));
				Box box(machine, kind, i);
				if (box.present())
					what(kind, i, box);
			}
	}
	const Kind &kind(const std::string &name)
	{
		for (const Kind &k : GetParam().kinds)
			if (name == k.name)
				return k;
		throw std::runtime_error("no such kind");
	}
	Machine machine{GetParam().name + ":time=virtual"};
};

std::vector<Platform> platforms()
{
	return {ivbep(),
		ring("hswep", 63, 12, 18, 0x2f00, 44),
		ring("bdx", 79, 14, 24, 0x6f00, 48),
		skx(),
		knl(),
		icx()};
}

// Those whose configuration space tells the package of a bus.
std::vector<Platform> with_node_registers()
{
	std::vector<Platform> found;

	for (const Platform &p : platforms())
		if (p.node_device != 0)
			found.push_back(p);
	return found;
}

INSTANTIATE_TEST_SUITE_P(All, SimPlatform, testing::ValuesIn(platforms()),
			 [](const auto &info) { return info.param.name; });

TEST_P(SimPlatform, HasItsModelAndItsMostCores)
{
	const Platform &p = GetParam();
	struct sim *most, *more;
	char err[300];

	EXPECT_EQ(p.model, sim_id(machine.sim).model);
	EXPECT_EQ(0, sim_open((p.name + ":cores=" + std::to_string(p.max_cores)).c_str(), &most,
			      err, sizeof(err)));
	sim_close(most);
	EXPECT_EQ(-EINVAL, sim_open((p.name + ":cores=" + std::to_string(p.max_cores + 1)).c_str(),
				    &more, err, sizeof(err)));
}

TEST_P(SimPlatform, HasAsManyBoxesAsTheFactsSay)
{
	for (const Kind &kind : GetParam().kinds) {
		EXPECT_FALSE(std::isnan(machine.rate(kind.name, kind.n - 1, kind.clock)))
			<< kind.name;
		EXPECT_TRUE(std::isnan(machine.rate(kind.name, kind.n, kind.clock))) << kind.name;
	}
}

TEST_P(SimPlatform, CountersHaveTheirWidth)
{
	each_box([](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++) {
			box.set_counter(i, ~UINT64_C(0));
			EXPECT_EQ((UINT64_C(1) << kind.width) - 1, box.counter(i));
		}
	});
}

TEST_P(SimPlatform, BoxesShareNoRegister)
{
	uint64_t n = 0;

	each_box([&n](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++)
			box.set_counter(i, ++n);
	});
	n = 0;
	each_box([&n](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++)
			EXPECT_EQ(++n, box.counter(i));
	});
}

TEST_P(SimPlatform, EveryCounterOfEveryBoxCountsTheClock)
{
	const uint64_t run = GetParam().run;

	each_box([this, run](const Kind &kind, unsigned i, Box &box) {
		const bool narrow = GetParam().name == "hswep" && std::string("r3qpi") == kind.name;

		for (unsigned c = 0; c < kind.counters; c++) {
			uint64_t counted = box.count(c, kind.clock, run);

			if (narrow && c == 2)
				EXPECT_EQ(0u, counted);
			else
				expect_near(machine.rate(kind.name, i, kind.clock), counted);
		}
	});
}

TEST_P(SimPlatform, FreezeHoldsAndResetClears)
{
	const uint64_t run = GetParam().run;

	each_box([this, run](const Kind &kind, unsigned, Box &box) {
		uint64_t counted = box.count(0, kind.clock, run);

		if (kind.box_control == 0 && kind.space == By::kMsr)
			return;
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(counted, box.counter(0));
		box.state(run | kFreeze | 2);
		EXPECT_EQ(0u, box.counter(0));
		EXPECT_EQ(kind.clock | kEnable, box.get(kind.control) & 0xffffffff);
		box.state(run | kFreeze);
		box.state(run | kFreeze | 1);
		EXPECT_EQ(0u, box.get(kind.control));
	});
}

TEST_P(SimPlatform, GlobalFreezeStopsAPackageAndNoOther)
{
	const Platform &p = GetParam();

	each_box([this, &p](const Kind &kind, unsigned i, Box &box) {
		box.control(0, kind.clock | kEnable);
		if (p.name == "knl")
			return;
		Box twin(machine, kind, i, 1);
		twin.control(0, kind.clock | kEnable);
	});
	machine.set(p.global, p.freeze_all);
	EXPECT_EQ(0u, machine.get(p.global));
	each_box([](const Kind &, unsigned, Box &box) { box.set_counter(0, 0); });
	sim_advance(machine.sim, kSecond);
	each_box([this, &p](const Kind &kind, unsigned i, Box &box) {
		EXPECT_EQ(0u, box.counter(0));
		if (p.name == "knl")
			return;
		Box twin(machine, kind, i, 1);
		EXPECT_GT(twin.counter(0), 0u);
	});
	machine.set(p.global, p.unfreeze_all);
	sim_advance(machine.sim, kSecond);
	each_box([this](const Kind &kind, unsigned i, Box &box) {
		expect_near(machine.rate(kind.name, i, kind.clock), box.counter(0));
	});
}

TEST_P(SimPlatform, UnknownMsrsFail)
{
	const bool old = GetParam().name == "ivbep";
	uint64_t value;

	for (uint32_t address : old ? std::vector<uint32_t>{0x700, 0x705, 0xe00, 0xc02, 0xc12}
				    : std::vector<uint32_t>{0xc00, 0xc10, 0xd04, 0x707 + 0x99}) {
		EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0, address, &value))
			<< std::hex << address;
		EXPECT_EQ(-EIO, machine.try_set(address, 0)) << std::hex << address;
	}
	EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 8, GetParam().global, &value));
	EXPECT_EQ(-EIO, machine.try_set(GetParam().global, UINT64_C(1) << 60));
}

TEST_P(SimPlatform, ReservedControlBitsFaultOrAreDropped)
{
	each_box([this](const Kind &kind, unsigned i, Box &box) {
		if (kind.space == By::kMsr) {
			EXPECT_EQ(-EIO,
				  machine.try_set(kind.control + kind.away(i), UINT64_C(1) << 63));
			EXPECT_EQ(0u, box.get(kind.control));
			return;
		}
		box.set(kind.control, 1u << 21 | 0x55);
		EXPECT_EQ(std::string("qpi") == kind.name ? 1u << 21 | 0x55 : 0x55,
			  box.get(kind.control));
	});
}

class SimBuses : public SimPlatform
{
};

INSTANTIATE_TEST_SUITE_P(All, SimBuses, testing::ValuesIn(with_node_registers()),
			 [](const auto &info) { return info.param.name; });

TEST_P(SimBuses, LeadToPackages)
{
	const Platform &p = GetParam();
	std::vector<int> owner(256, -1);
	size_t n;

	Machine four(p.name + ":packages=4");
	const sim_pci *all = sim_pci_devices(four.sim, &n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].device != p.node_device)
			continue;
		uint64_t node = four.config(all[i], p.node_id) & 7;
		uint64_t map = four.config(all[i], p.node_map);
		int package = 0;

		while (package < 8 && (map >> 3 * package & 7) != node)
			package++;
		owner[all[i].bus] = package;
	}
	for (size_t i = 0; i < n; i++) {
		int bus = all[i].bus;

		if (all[i].vendor != 0x8086 || all[i].device == 0x3c00 || all[i].device == 0x1521)
			continue;
		while (bus >= 0 && bus < 256 && owner[bus] < 0)
			bus += p.higher ? 1 : -1;
		ASSERT_TRUE(bus >= 0 && bus < 256);
		EXPECT_EQ(all[i].numa_node, owner[bus]) << std::hex << all[i].device;
	}
}

TEST_P(SimPlatform, EventsDifferByCodeUmaskBoxAndPackage)
{
	const bool single = GetParam().name == "knl";
	// HA and CHA: codes without a meaning in the traffic.
	const std::string name = kind("ubox").n == 1 && GetParam().model < 80 ? "ha" : "cha";
	const unsigned n = GetParam().model < 80 ? 2 : 20;
	std::set<double> seen;

	for (unsigned umask : {1u, 2u, 3u, 4u, 0x80u})
		for (unsigned code : {0x21u, 0x42u, 0x43u, 0x55u})
			for (unsigned box : {0u, n - 1})
				for (unsigned package = 0; package < (single ? 1 : 2); package++) {
					double rate = machine.rate(name.c_str(), box,
								   code | umask << 8, 0, package);

					// Not every platform has all of them.
					EXPECT_TRUE(rate == 0 || seen.insert(rate).second);
				}
	EXPECT_GT(seen.size(), single ? 9u : 19u);
}

TEST_P(SimPlatform, MemoryReadsAgreeAllAlongTheWay)
{
	const Platform &p = GetParam();
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const unsigned reads = p.name == "icx" ? 0x0f04 : p.name == "knl" ? 0x0103 : 0x0304;
	const unsigned packages = p.name == "knl" ? 1 : 2;
	double expected = own.reads * (1 - own.remote_reads), sum = 0, asked = 0;

	if (packages > 1) {
		const struct sim_traffic &other = *sim_traffic(machine.sim, 1);
		expected += other.reads * other.remote_reads;
	}
	for (unsigned i = 0; i < kind("imc").n; i++)
		sum += machine.rate("imc", i, reads);
	EXPECT_NEAR(expected, sum, 2);
	if (p.name == "knl")
		return;
	if (p.model < 80)
		for (unsigned i = 0; i < 2; i++)
			asked += machine.rate("ha", i, 0x0301);
	else
		for (unsigned i = 0; i < kind("cha").n; i++)
			asked += machine.rate("cha", i, 0x0350);
	EXPECT_NEAR(expected, asked, 2);
}

TEST_P(SimPlatform, OverflowSetsTheStatusUntilItIsCleared)
{
	const Platform &p = GetParam();
	const bool old = p.name == "ivbep";
	// PCU counter 2; not every box status is in the global one.
	const uint32_t control = (old ? 0xc30 : 0x711) + 2, counter = (old ? 0xc36 : 0x717) + 2;
	const uint32_t status = old ? 0xc35 : 0x716;

	machine.set(counter, (UINT64_C(1) << 48) - 100);
	machine.set(control, kEnable | (p.name == "knl" ? 0 : kOverflow));
	EXPECT_EQ(0u, machine.get(status));
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(4u, machine.get(status));
	EXPECT_EQ(p.name == "knl" || p.name == "icx" ? 0u : 4u, machine.get(p.status));
	machine.set(status, 0xb);
	EXPECT_EQ(4u, machine.get(status));
	machine.set(status, 4);
	EXPECT_EQ(0u, machine.get(status));
	machine.set(p.status, 4);
	EXPECT_EQ(0u, machine.get(p.status));
}

} // namespace
