// SPDX-License-Identifier: BSD-3-Clause
// facts_test.cc - numbers that the sources tell in one form and the tables have in
// another: registers by their rules, times and address arithmetic.
#include <map>

#include "support/handle.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;

class Facts : public Handle
{
      public:
	explicit Facts(const std::string &machine)
	    : Handle(support::sim_options((machine + ",time=virtual").c_str()))
	{
		if (code != 0)
			throw std::runtime_error(message());
	}
	// Of box N of a kind in package 0.
	uint64_t address(const std::string &kind, unsigned n, enum uncore_register which,
			 unsigned i = 0)
	{
		auto box = support::sized<uncore_box_info>();
		auto op = support::sized<uncore_op_info>();

		for (unsigned b = 0; uncore_box(u, b, &box) == 1; b++)
			if (kind == box.kind && box.index == n && box.package == 0) {
				EXPECT_EQ(1, uncore_register(u, b, which, i, &op)) << message();
				return op.address;
			}
		ADD_FAILURE() << "no " << kind << n;
		return 0;
	}
};

// docs/hardware/icx.md, "Registers": three banks at a distance of 14, with a gap before the second.
TEST(FactNumbers, ChasOfIceLakeAreInThreeBanks)
{
	Facts m("sim:icx:packages=1,cores=40");

	for (unsigned n = 0; n < 40; n++) {
		const uint64_t unit = n < 18   ? 0xe00 + 14 * n
				      : n < 34 ? 0xf0a + 14 * (n - 18)
					       : 0xb60 + 14 * (n - 34);

		EXPECT_EQ(unit, m.address("cha", n, UNCORE_UNIT_CONTROL)) << n;
		EXPECT_EQ(unit + 5, m.address("cha", n, UNCORE_FILTER)) << n;
		for (unsigned i = 0; i < 4; i++) {
			EXPECT_EQ(unit + 1 + i, m.address("cha", n, UNCORE_CONTROL, i)) << n;
			EXPECT_EQ(unit + 8 + i, m.address("cha", n, UNCORE_COUNTER, i)) << n;
		}
	}
}

// docs/hardware/icx.md, "Registers": stacks 0 to 2 and 3 to 5 are blocks of 0x20, 0x90 apart.
TEST(FactNumbers, StacksOfIceLakeAreInTwoBlocks)
{
	Facts m("sim:icx:packages=1");

	for (unsigned n = 0; n < 6; n++) {
		const uint64_t block = 0x90 * (n / 3) + 0x20 * (n % 3);

		EXPECT_EQ(0xa50 + block, m.address("iio", n, UNCORE_UNIT_CONTROL)) << n;
		EXPECT_EQ(0xa4a + block, m.address("irp", n, UNCORE_UNIT_CONTROL)) << n;
		EXPECT_EQ(0xa40 + block, m.address("m2pcie", n, UNCORE_UNIT_CONTROL)) << n;
	}
}

// docs/hardware/nhmex.md, "Registers": the number of a C-Box, its bits reversed, and two late ones.
TEST(FactNumbers, CBoxesOfWestmereExAreInReversedOrder)
{
	Facts m("sim:wsmex:packages=1,cores=10");

	for (unsigned n = 0; n < 10; n++) {
		const unsigned reversed = (n & 1) << 2 | (n & 2) | n >> 2;
		const uint64_t unit = n < 8 ? 0xd00 + 0x20 * reversed : 0xf40 + 0x80 * (n - 8);

		EXPECT_EQ(unit, m.address("cbox", n, UNCORE_UNIT_CONTROL)) << n;
		for (unsigned i = 0; i < 6; i++) {
			EXPECT_EQ(unit + 0x10 + 2 * i, m.address("cbox", n, UNCORE_CONTROL, i));
			EXPECT_EQ(unit + 0x11 + 2 * i, m.address("cbox", n, UNCORE_COUNTER, i));
		}
	}
}

// docs/hardware/knl.md: 38 blocks of 12 without a gap.
TEST(FactNumbers, ChasOfKnightsLandingAreTwelveApart)
{
	Facts m("sim:knl:cores=72");

	for (unsigned n = 0; n < m.present("cha"); n++) {
		EXPECT_EQ(0xe00 + 12 * n, m.address("cha", n, UNCORE_UNIT_CONTROL));
		EXPECT_EQ(0xe0b + 12 * n, m.address("cha", n, UNCORE_COUNTER, 3));
	}
	EXPECT_EQ(0xed9u, m.address("cha", 18, UNCORE_CONTROL));
}

// docs/hardware/discovery.md, "A worked example": two channels a controller, whose own counters are
// below.
TEST(FactNumbers, ChannelsOfSapphireRapidsBelongToTheirControllers)
{
	Facts m("sim:spr:packages=1");

	for (unsigned n = 0; n < 8; n++) {
		const uint64_t unit = m.address("imc", n, UNCORE_UNIT_CONTROL);

		EXPECT_EQ(0xc8aa2800 + 0x80000 * (n / 2) + 0x8000 * (n % 2), unit);
		EXPECT_EQ(unit - 0x22800 - 0x8000 * (n % 2) + 0x22b0,
			  m.address("imc_free_running", n / 2, UNCORE_COUNTER));
		EXPECT_EQ(unit + 0x54, m.address("imc", n, UNCORE_CONTROL, 4));
		EXPECT_EQ(unit + 0x38, m.address("imc", n, UNCORE_COUNTER, 4));
	}
}

// docs/hardware/README.md, "Wraps": the counters that wrap soonest, read twice in that time.
TEST(FactNumbers, TheWrapPollerKnowsTheShortestWraps)
{
	const std::map<std::string, double> seconds = {
		{"snbep", 352 * 2.5 / 5}, // 44 bits, 20 per cycle; 352 s at 2.5 GHz
		{"icx", 94 * 60 * 2.5 / 5},
	};

	for (const auto &platform : seconds) {
		Facts m("sim:" + platform.first + ":packages=1");

		EXPECT_GE(platform.second / 2 * 1000, m.machine().wrap_interval_ms)
			<< platform.first;
		EXPECT_LE(1000u, m.machine().wrap_interval_ms) << platform.first;
	}
}

} // namespace
