// SPDX-License-Identifier: BSD-3-Clause
// sim_discovery_damage_test.cc - the simulated Xeons with discovery tables that something is
// wrong with.
#include <cerrno>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/sim_discovery.h"

namespace
{

using namespace support::discovery;

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

// Any table can be read completely.
TEST(SimDamage, LeavesEverythingReadable)
{
	for (const char *platform : support::machines_between("spr", "cwf"))
		for (const char *how :
		     {"good", "zero_stride", "ones", "many_units", "overlap", "beyond", "nonsense",
		      "bar_io", "bar_zero", "nonzero_offset", "no_dvsec", "loop"}) {
			Machine machine(std::string(platform) + ":cores=1,table=" + how);
			uint64_t sum = 0, value;

			for (const sim_pci &pci : machine.portals(1)) {
				for (uint32_t at = 0; at < 4096; at += 4)
					sum += machine.dword(pci, at);
				EXPECT_EQ(-EINVAL, sim_pci_read(machine.sim, pci.segment, pci.bus,
								pci.devfn, 4096, 32, &value));
				for (unsigned bar = 0; bar < 5; bar++)
					for (uint64_t at = 0; at <= 0x20000; at += 0x80)
						if (sim_mmio_read(machine.sim, 1,
								  machine.bar(pci, bar) + at, 64,
								  &value) == 0)
							sum += value;
			}
			EXPECT_NE(0u, sum);
		}
}

// Of the tables that a register tells, too: it tells nothing where the BARs have no address.
TEST(SimDamage, OfTablesByMsr)
{
	for (const char *how : {"good", "ones", "many_units", "overlap", "nonsense", "bar_zero"}) {
		Machine machine(std::string("dmr:cores=1,dies=2,table=") + how);
		uint64_t table = 0, sum = 0, value;

		for (unsigned die = 0; die < 4; die++) {
			ASSERT_EQ(0, sim_msr_read(machine.sim, die, 0x710, &table));
			EXPECT_EQ(strcmp(how, "bar_zero") == 0, table == 0);
			for (uint64_t at = 0; table && at < 0x20000; at += 8)
				if (sim_mmio_read(machine.sim, die, table + at, 64, &value) == 0)
					sum += value;
		}
		EXPECT_EQ(strcmp(how, "bar_zero") == 0, sum == 0);
		EXPECT_EQ(-EIO, sim_msr_write(machine.sim, 0, 0x710, 1));
	}
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
