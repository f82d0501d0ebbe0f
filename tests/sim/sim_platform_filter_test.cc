// SPDX-License-Identifier: BSD-3-Clause
// sim_platform_filter_test.cc - the simulated Xeons after SNB-EP: restrictions and
// filters.
#include <cerrno>
#include <string>
#include <vector>

#include "support/machines.h"
#include "support/sim_platform_box.h"

namespace
{

using namespace support::platforms;

// ---- restrictions ----

struct Restriction {
	const char *kind;
	unsigned event, allowed;
};

void check_restrictions(const Platform &platform, const std::vector<Restriction> &cases)
{
	Machine machine(platform.name + ":time=virtual");

	for (const Restriction &c : cases)
		for (const Kind &kind : platform.kinds)
			for (unsigned i = 0; std::string(c.kind) == kind.name && i < kind.counters;
			     i++)
				EXPECT_EQ((c.allowed >> i & 1) != 0,
					  Box(machine, kind, 0).count(i, c.event, platform.run) > 0)
					<< platform.name << " " << c.kind << " " << std::hex
					<< c.event << " on " << i;
}

TEST(SimRestrictions, EventsCountOnlyWhereTheyCan)
{
	check_restrictions(ivbep(), {{"cbox", 0x0836, 0x1},
				     {"cbox", 0x0113, 0x3},
				     {"cbox", 0x011b, 0xc},
				     {"cbox", 0x0835, 0x3},
				     {"r2pcie", 0x0813, 0x1},
				     {"r3qpi", 0x0813, 0x1},
				     {"imc", 0x0304, 0xf}});
	check_restrictions(ring("hswep", 63, 12, 18, 0x2f00, 44), {{"cbox", 0x0836, 0x1},
								   {"cbox", 0x0835, 0xf},
								   {"cbox", 0x0109, 0x1},
								   {"ha", 0x0161, 0x7},
								   {"r3qpi", 0x0811, 0x3},
								   {"r3qpi", 0x012a, 0x1}});
	check_restrictions(ring("bdx", 79, 14, 24, 0x6f00, 48),
			   {{"cbox", 0x0109, 0x3}, {"pcu", 0x4080, 0xe}, {"r2pcie", 0x012a, 0x1}});
	check_restrictions(skx(), {{"iio", 0x0fff, 0x0},
				   {"m3upi", 0x011d, 0x1},
				   {"m2pcie", 0x0123, 0x3},
				   {"cha", 0x0111, 0x1}});
	check_restrictions(knl(), {{"cha", 0x0111, 0x1}, {"m2pcie", 0x0123, 0x3}});
	check_restrictions(icx(), {{"cha", 0x0111, 0x1},
				   {"m3upi", 0x011e, 0x1},
				   {"m3upi", 0x0140, 0x7},
				   {"iio", 0x0188, 0xc},
				   {"imc", 0x00fe, 0x0}});
}

TEST(SimRestrictions, TrafficOfAnIioIsSelectedByPort)
{
	const uint64_t low = 0x0183, all = UINT64_C(0x70f0) << 32;
	Machine skylake("skx"), icelake("icx");

	EXPECT_EQ(0, skylake.rate("iio", 0, low));
	EXPECT_EQ(0, skylake.rate("iio", 0, low | UINT64_C(0x00f0) << 32));
	EXPECT_NEAR(skylake.rate("iio", 0, low | all),
		    skylake.rate("iio", 0, low | UINT64_C(0x7010) << 32) +
			    skylake.rate("iio", 0, low | UINT64_C(0x70e0) << 32),
		    1);
	EXPECT_EQ(0, icelake.rate("iio", 0, low | all));
	EXPECT_GT(icelake.rate("iio", 0, low | UINT64_C(0x70010) << 32), 0);
	EXPECT_EQ(0, icelake.rate("iio", 0, low | UINT64_C(0x71000) << 32));
}

// ---- filters ----

TEST(SimFilters, CboOpcodeAndNodeAreInTheUpperRegister)
{
	for (const char *name : {"ivbep", "hswep", "bdx"}) {
		Machine machine(std::string(name) + ":time=virtual");
		const bool old = std::string(name) == "ivbep";
		const uint64_t drd = UINT64_C(0x18200000) << 32;
		const uint32_t low = old ? 0xd14 : 0xe05, high = old ? 0xd1a : 0xe06;
		const uint32_t control = old ? 0xd10 : 0xe01, counter = old ? 0xd16 : 0xe08;
		double all = machine.rate("cbox", 0, 0x0335, drd);

		EXPECT_EQ(0, machine.rate("cbox", 0, 0x0335, 0x18200000));
		EXPECT_NEAR(all,
			    machine.rate("cbox", 0, 0x4335, drd | UINT64_C(1) << 32) +
				    machine.rate("cbox", 0, 0x4335, drd | UINT64_C(2) << 32),
			    1);
		EXPECT_NEAR(all,
			    machine.rate("cbox", 0, 0x2335, drd) +
				    machine.rate("cbox", 0, 0x8335, drd),
			    1);
		machine.set(high, drd >> 32);
		EXPECT_EQ(0u, machine.get(low));
		machine.set(control, 0x0335 | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(all, machine.get(counter));
		EXPECT_EQ(-EIO, machine.try_set(high, 1u << 19));
		EXPECT_EQ(-EIO, machine.try_set(low, 1u << 16));
	}
}

TEST(SimFilters, LookupsNeedAState)
{
	const struct {
		const char *name, *kind;
		uint64_t none, miss, any;
	} cases[] = {{"ivbep", "cbox", 1u << 22, 1u << 17, 0x3f << 17},
		     {"hswep", "cbox", 1u << 22, 1u << 17, 0x7f << 17},
		     {"skx", "cha", 1u << 18, 1u << 17, 0x3ff << 17}};

	for (const auto &c : cases) {
		Machine machine(c.name);

		EXPECT_EQ(0, machine.rate(c.kind, 1, 0x0334, 0)) << c.name;
		EXPECT_EQ(0, machine.rate(c.kind, 1, 0x0334, c.none)) << c.name;
		EXPECT_GT(machine.rate(c.kind, 1, 0x0334, c.miss), 0) << c.name;
		EXPECT_GT(machine.rate(c.kind, 1, 0x0334, c.any),
			  machine.rate(c.kind, 1, 0x0334, c.miss))
			<< c.name;
	}
}

TEST(SimFilters, SkxTorTakesTwoOpcodesAndAHome)
{
	Machine machine("skx");
	const uint64_t both = UINT64_C(0x33) << 32; // LOC, REM, NM, NOT_NM
	const uint64_t drd = UINT64_C(0x40400) << 32, rfo = UINT64_C(0x10000000) << 32;
	double reads = machine.rate("cha", 0, 0x2135, both | drd);
	double owns = machine.rate("cha", 0, 0x2135, both | rfo);

	EXPECT_EQ(0, machine.rate("cha", 0, 0x2135, drd));
	EXPECT_GT(reads, 0);
	EXPECT_NEAR(reads + owns, machine.rate("cha", 0, 0x2135, both | drd | rfo), 1);
	EXPECT_NEAR(reads,
		    machine.rate("cha", 0, 0x2135, UINT64_C(0x31) << 32 | drd) +
			    machine.rate("cha", 0, 0x2135, UINT64_C(0x32) << 32 | drd),
		    1);
	EXPECT_LT(reads, machine.rate("cha", 0, 0x2135, both | UINT64_C(8) << 32));
	// Devices are another source.
	EXPECT_EQ(0, machine.rate("cha", 0, 0x2435, both | drd));
	EXPECT_GT(machine.rate("cha", 0, 0x2435, both | UINT64_C(0x43c00) << 32), 0);
}

TEST(SimFilters, IcxTorIsAllInTheUmask)
{
	Machine machine("icx:time=virtual");
	const auto ia = [](uint64_t extension) { return extension << 32 | 0x0135; };
	double misses = machine.rate("cha", 0, ia(0xc817fe));

	EXPECT_GT(misses, 0);
	EXPECT_NEAR(machine.rate("cha", 0, ia(0xc817ff)),
		    misses + machine.rate("cha", 0, ia(0xc817fd)), 1);
	EXPECT_NEAR(misses,
		    machine.rate("cha", 0, ia(0xc816fe)) + machine.rate("cha", 0, ia(0xc8177e)), 1);
	EXPECT_NEAR(machine.rate("cha", 0, ia(0xc8178a)), 0.0229 * misses, 1); // PMM
	EXPECT_NEAR(machine.rate("cha", 0, ia(0xc81786)), 0.9771 * misses, 1); // DDR
	EXPECT_GT(machine.rate("cha", 0, UINT64_C(0xc8f3ff) << 32 | 0x0435), 0);
	// All of the 64-bit control gets there.
	machine.set(0xe01, ia(0xc817fe) | kEnable);
	sim_advance(machine.sim, kSecond);
	expect_near(misses, machine.get(0xe08));
	EXPECT_EQ(-EIO, machine.try_set(0xe01, UINT64_C(1) << 58));
}

TEST(SimFilters, BandsAreBytesOfThePcuFilter)
{
	for (const char *name : support::machines_between("ivbep", "icx", {"knl"})) {
		Machine machine(name);
		double clock = machine.rate("pcu", 0, 0x00);

		for (unsigned band = 0; band < 4; band++) {
			uint64_t filter = UINT64_C(28) << 8 * band;

			EXPECT_NEAR(clock, machine.rate("pcu", 0, 0x0b + band, 12u << 8 * band), 1);
			EXPECT_GT(machine.rate("pcu", 0, 0x0b + band, filter), 0);
			EXPECT_LT(machine.rate("pcu", 0, 0x0b + band, filter), clock / 2);
		}
	}
}

TEST(SimFilters, MatchRegistersOfEachQpiPort)
{
	const uint64_t drs = UINT64_C(0x1e00) << 32 | 0x1c00; // mask, match: message class
	const struct {
		const char *name;
		uint32_t filter;
		unsigned dev, port;
		uint32_t device;
	} cases[] = {{"ivbep", 0x0e96, 9, 1, 0x0e33}, {"bdx", 0x6f46, 10, 2, 0x6f3a}};

	for (const auto &c : cases) {
		Machine machine(std::string(c.name) + ":time=virtual");
		const sim_pci &match = machine.function(c.filter, at(0, c.dev, 6).devfn);
		const sim_pci &port = machine.function(c.device, at(0, c.dev, 2).devfn);

		machine.set_config(match, 0x228, drs & 0xffffffff);
		machine.set_config(match, 0x238, drs >> 32);
		machine.set_config(port, 0xd8, 0x38 | 1u << 21 | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("qpi", c.port, 0x38 | 1u << 21, drs),
			    machine.config(port, 0xa0, 64));
		EXPECT_LT(machine.rate("qpi", c.port, 0x38 | 1u << 21, drs),
			  machine.rate("qpi", c.port, 0x38 | 1u << 21));
	}
}

} // namespace
