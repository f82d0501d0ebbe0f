// SPDX-License-Identifier: BSD-3-Clause
// hostile_test.cc - journals by an attacker with write permission for the directory: no
// register outside the map is written, no counter is enabled, and running counters are not
// disturbed. tests/fuzz/journal_fuzz.cc tries random journals.
#include <memory>

#include "machine/machine.h"
#include "support/journal_file.h"
#include "support/node.h"
#include "support/recovery.h"

namespace
{

using support::Handle;
using support::Known;
using support::names_of;
using support::Node;
using support::Recovery;
using support::Set;

class Hostile : public testing::TestWithParam<const char *>
{
      protected:
	void SetUp() override
	{
		r = std::make_unique<Recovery>("sim:" + std::string(GetParam()) +
					       ":packages=2,cores=2,time=virtual");
		r->wrong = [](const char *what, const unc_op &op) {
			ADD_FAILURE() << what << ": space " << int(op.space) << " unit " << op.unit
				      << " register " << std::hex << op.address;
		};
	}
	void keep(const unc_place &place, uint64_t before, uint32_t flags = 0, uint64_t bits = 0)
	{
		unc_saved k = {};

		k.place = place;
		k.before = before;
		k.flags = flags;
		k.bits = bits;
		k.group = static_cast<uint32_t>(saved.size());
		saved.push_back(k);
	}
	void recover()
	{
		r->recover(saved);
	}
	static unc_place place(unsigned space, unsigned width, unsigned package, uint32_t where,
			       uint64_t address)
	{
		return {static_cast<uint8_t>(space), static_cast<uint8_t>(width),
			static_cast<uint16_t>(package), where, address};
	}
	std::unique_ptr<Recovery> r;
	std::vector<unc_saved> saved;
};

TEST_P(Hostile, OtherRegistersAreNotWritten)
{
	for (const uint64_t msr :
	     {0x10U, 0x1bU, 0x3aU, 0x79U, 0x174U, 0x199U, 0x1a0U, 0x1d9U, 0x610U, 0xc0000080U})
		for (unsigned package : {0U, 1U})
			keep(place(UNCORE_MSR, 64, package, package, msr), UINT64_MAX,
			     package ? UNC_SAVED_CLEARED : 0);
	for (size_t i = 0; i < r->machine()->topo.n_pci; i++) {
		const unc_pci &p = r->machine()->topo.pci[i];
		const uint32_t where = static_cast<uint32_t>(p.segment) << 16 |
				       static_cast<uint32_t>(p.bus) << 8 | p.devfn;

		for (const uint64_t offset : {0x04U, 0x10U, 0x3cU, 0xfffU, 0x10000U})
			keep(place(UNCORE_PCI, 32, 0, where, offset), UINT64_MAX,
			     UNC_SAVED_CLEARED);
	}
	for (const uint64_t address : {UINT64_C(0), UINT64_C(0xfee00000),
				       UINT64_C(0xfffffffffffffff8), UINT64_C(0xd0000000)})
		keep(place(UNCORE_MMIO, 64, 0, 0, address), UINT64_MAX, UNC_SAVED_CLEARED);
	for (const uint64_t msr : {0x10U, 0x1a0U, 0x48U})
		keep(place(UNCORE_CPU, 64, 0, 0, msr), UINT64_MAX, UNC_SAVED_CLEARED);
	recover();
	EXPECT_TRUE(r->written.empty());
}

// Registers of the map, with one field changed to an invalid value.
TEST_P(Hostile, MissingPlaces)
{
	for (size_t i = 0; i < r->map()->n; i++) {
		const unc_place good = r->place(i);
		unc_place bad = good;

		bad.space = 17;
		keep(bad, 1, UNC_SAVED_CLEARED);
		bad = good;
		bad.where += 0x10000000;
		if (good.space != UNCORE_MMIO)
			keep(bad, 1, UNC_SAVED_CLEARED);
		bad = good;
		bad.address ^= UINT64_C(1) << 60;
		keep(bad, 1, UNC_SAVED_CLEARED);
		bad = good;
		bad.width = 7;
		keep(bad, 1, UNC_SAVED_CLEARED);
	}
	recover();
	EXPECT_TRUE(r->written.empty());
}

// All ones for each register: as its previous value, as cleared bits, and for a package.
TEST_P(Hostile, NothingIsLetCount)
{
	for (const uint32_t flags : {0U, UNC_SAVED_CLEARED, UNC_SAVED_PACKAGE,
				     UNC_SAVED_PACKAGE | UNC_SAVED_EXCLUSIVE | UNC_SAVED_CLEARED})
		for (const uint64_t bits : {UINT64_C(0), UINT64_MAX}) {
			saved.clear();
			for (size_t i = 0; i < r->map()->n; i++)
				keep(r->place(i), UINT64_MAX, flags, bits);
			recover();
			EXPECT_FALSE(r->written.empty());
			EXPECT_TRUE(r->stopped()) << flags << " " << bits;
		}
}

// The same register in several entries, each of which could set a bit that the next one
// enables.
TEST_P(Hostile, EntriesThatFollowEachOther)
{
	for (size_t i = 0; i < r->map()->n; i++)
		for (const uint64_t before : {UINT64_MAX, UINT64_C(0), UINT64_C(0x00400000)})
			for (const uint32_t flags : {0U, UNC_SAVED_CLEARED})
				keep(r->place(i), before, flags);
	recover();
	EXPECT_TRUE(r->stopped());
}

INSTANTIATE_TEST_SUITE_P(Platforms, Hostile,
			 testing::Values("snbep", "nhmex", "ivbep", "skx", "icx", "spr"),
			 [](const auto &info) { return std::string(info.param); });

// Journals of all registers, including those of running counters.
struct Living {
	const char *platform;
	std::vector<Known> events;
};

class HostileToOthers : public testing::TestWithParam<Living>
{
      protected:
	static void forge(const Node &node, uint64_t before, uint32_t flags, bool wrong)
	{
		const unc_pmon *map = unc_hw_of(node.handle.u)->pmon;
		std::vector<unc_saved> saved(map->n);
		const auto names = node.files.journals();
		std::ifstream mine(node.files.path("run/uncore/" + names.at(0)));
		unc_journal j = {};

		mine.read(reinterpret_cast<char *>(&j.head), sizeof(j.head));
		for (size_t i = 0; i < map->n; i++) {
			saved[i].place =
				support::place_in_map(unc_machine_of(node.handle.u), map, i);
			saved[i].place.package ^= wrong;
			saved[i].bits = wrong ? UINT64_MAX : 0;
			saved[i].before = before;
			saved[i].flags = flags;
			saved[i].group = static_cast<uint32_t>(i);
		}
		j.head.n_saved = static_cast<uint32_t>(saved.size());
		j.head.n_shown = j.head.n_names = 0;
		j.saved = saved.data();
		const auto bytes = support::encoded(j);
		std::ofstream(node.files.path("run/uncore/999999999-0123456789abcdef"))
			.write(reinterpret_cast<const char *>(bytes.data()),
			       static_cast<std::streamsize>(bytes.size()));
	}
};

TEST_P(HostileToOthers, TheLivingCountOn)
{
	NEEDS_FUSE();
	for (unsigned i = 0; i < 8; i++) {
		Node node(std::string(GetParam().platform) + ":packages=2,cores=2");
		Set set(node.handle, names_of(GetParam().events));

		SCOPED_TRACE(i);
		ASSERT_EQ(0, set.start());
		const uint64_t since = node.now();
		node.pass();
		forge(node, i & 1 ? UINT64_MAX : 0, i & 2 ? UNC_SAVED_CLEARED : 0, i & 4);
		const Handle other(node.files.options());
		EXPECT_EQ(0, uncore_recover(other.u)) << other.message();
		node.pass();
		EXPECT_EQ(0, set.stop()) << node.handle.message();
		node.expect_counts(GetParam().events, set.counts(), since, node.now());
	}
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, HostileToOthers,
	testing::Values(Living{"snbep",
			       {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135,
				 UINT64_C(0x182) << 23, 0, 0},
				{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0}}},
			Living{"ivbep",
			       {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135,
				 UINT64_C(0x18200000) << 32, 0, 0},
				{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0, 0, 0}}},
			Living{"nhmex", {{"UNC_C_LLC_MISSES", "cbox", 0x0714, 0, 0, 0}}},
			Living{"spr",
			       {{"spr_unc_cha::RAW:config=0x10135:config1=8", "cha", 0x10135, 8, 0,
				 0},
				{"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0, 0, 0}}}),
	[](const auto &info) { return std::string(info.param.platform); });

} // namespace
