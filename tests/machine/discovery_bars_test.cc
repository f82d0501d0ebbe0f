// SPDX-License-Identifier: BSD-3-Clause
// discovery_bars_test.cc - where a device says that its discovery table is: capabilities of
// its config space, and its BARs.
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "machine/discovery.h"
#include "support/memory.h"

namespace
{

using support::Memory;

struct Config : Memory {
	explicit Config(size_t size = 4096) : Memory(size)
	{
		put(0x04, 0x00100006, 4);
	}
	void capability(uint32_t at, unsigned id, uint32_t next)
	{
		put(at, id | 1u << 16 | next << 20, 4);
	}
	void dvsec(uint32_t at, unsigned entry, uint32_t where, uint32_t next)
	{
		capability(at, 0x23, next);
		put(at + 4, 0x01008086, 4);
		put(at + 8, entry, 4);
		put(at + 0xc, where, 4);
	}
	std::vector<unc_discovery_bar> bars(int expected = -1)
	{
		std::vector<unc_discovery_bar> all(8);
		const struct unc_bytes bytes = reader();
		const int n = unc_discovery_bars(&bytes, all.data(), 8);

		if (expected >= 0) {
			EXPECT_EQ(expected, n);
		}
		all.resize(n > 0 ? static_cast<size_t>(n) : 0);
		return all;
	}
};

TEST(DiscoveryBars, IsFoundBehindOtherCapabilities)
{
	Config config;

	config.dvsec(0x100, 2, 0x8003, 0x140); // telemetry has the same id
	config.capability(0x140, 0x1e, 0x200);
	config.dvsec(0x200, 1, 2, 0);
	config.put(0x18, 0xfe000000, 4);
	const auto bars = config.bars(1);
	EXPECT_EQ(2, bars[0].number);
	EXPECT_EQ(0xfe000000u, bars[0].base);
	EXPECT_EQ(nullptr, bars[0].why);
}

// docs/hardware/discovery.md, "Finding a table": the capability's id and the entry's id have 16
// bits each.
TEST(DiscoveryBars, IdsAreComparedInAllOfTheir16Bits)
{
	for (unsigned other : {0x0101u, 0x8001u, 0x0002u}) {
		Config config;

		config.dvsec(0x100, other, 0, 0);
		EXPECT_TRUE(config.bars(0).empty()) << other;
	}
	for (unsigned other : {0x0123u, 0x8023u, 0x0022u}) {
		Config config;

		config.dvsec(0x100, 1, 0, 0);
		config.capability(0x100, other, 0);
		EXPECT_TRUE(config.bars(0).empty()) << other;
	}
	Config above;
	above.put(0x10, 0xfe000000, 4);
	above.dvsec(0x100, 0xabcd0001, 0, 0); // what is above bit 15 is something else
	EXPECT_EQ(1u, above.bars(1).size());
}

TEST(DiscoveryBars, MayBeABarOf64Bits)
{
	Config config;

	config.dvsec(0x100, 1, 4, 0);
	config.put(0x20, 0x80000004 | 0x8, 4); // prefetchable
	config.put(0x24, 0x2f, 4);
	EXPECT_EQ(0x2f80000000u, config.bars(1)[0].base);
	EXPECT_EQ(nullptr, config.bars(1)[0].why);
}

TEST(DiscoveryBars, SeveralOfADeviceAreAllFound)
{
	Config config;

	config.put(0x10, 0xfe000000, 4);
	config.put(0x14, 0xfd000000, 4);
	config.dvsec(0x100, 1, 0, 0x180);
	config.dvsec(0x180, 1, 1, 0);
	EXPECT_EQ(0xfe000000u, config.bars(2)[0].base);
	EXPECT_EQ(0xfd000000u, config.bars(2)[1].base);
}

TEST(DiscoveryBars, ThereIsNoneWithoutCapabilities)
{
	Config config;

	EXPECT_TRUE(config.bars(0).empty()); // the list is empty
	config.dvsec(0x100, 1, 0, 0);
	config.put(0x10, 0xfe000000, 4);
	EXPECT_EQ(1u, config.bars(1).size());
	config.put(0x04, 0x6, 4); // no capability list
	EXPECT_TRUE(config.bars(0).empty());
	config.put(0x04, 0x00100006, 4);
	config.put(0x100, 0xffffffff, 4);
	EXPECT_TRUE(config.bars(0).empty());
}

TEST(DiscoveryBars, AListThatComesBackToItselfEnds)
{
	Config config;

	config.put(0x10, 0xfe000000, 4);
	config.dvsec(0x100, 1, 0, 0x300);
	config.capability(0x300, 0x1e, 0x300);
	EXPECT_EQ(1u, config.bars(1).size());
	config.capability(0x300, 0x1e, 0x100);
	EXPECT_EQ(1u, config.bars(1).size());
	EXPECT_LT(config.reads, 40u);
}

TEST(DiscoveryBars, AListThatLeavesTheSpaceEnds)
{
	Config config;

	config.capability(0x100, 0x1e, 0xffc); // a capability has 16 bytes
	EXPECT_TRUE(config.bars(0).empty());
	config.capability(0x100, 0x1e, 0x40); // below the extended ones
	EXPECT_TRUE(config.bars(0).empty());
}

TEST(DiscoveryBars, WithoutRightsThereIsAnError)
{
	Config config(64);
	unc_discovery_bar out;
	const struct unc_bytes bytes = config.reader();

	EXPECT_EQ(-ENODATA, unc_discovery_bars(&bytes, &out, 1));
}

struct BadBar {
	const char *name;
	uint32_t where, low, high;
	const char *why;
};

class DiscoveryBar : public testing::TestWithParam<BadBar>
{
};

TEST_P(DiscoveryBar, IsRefused)
{
	const BadBar &bad = GetParam();
	Config config;

	config.dvsec(0x100, 1, bad.where, 0);
	config.put(0x10 + 4 * (bad.where & 7), bad.low, 4);
	if ((bad.where & 7) < 5)
		config.put(0x14 + 4 * (bad.where & 7), bad.high, 4);
	const auto bars = config.bars(1);
	ASSERT_NE(nullptr, bars[0].why);
	EXPECT_NE(nullptr, strstr(bars[0].why, bad.why)) << bars[0].why;
}

INSTANTIATE_TEST_SUITE_P(Bad, DiscoveryBar,
			 testing::Values(BadBar{"ports", 0, 0xc001, 0, "I/O ports"},
					 BadBar{"kind", 0, 0xfe000002, 0, "neither"},
					 BadBar{"kind3", 0, 0xfe000006, 0, "neither"},
					 BadBar{"wide_last", 5, 0xfe000004, 0, "neither"},
					 BadBar{"zero", 0, 0, 0, "no address"},
					 BadBar{"zero_wide", 0, 4, 0, "no address"},
					 BadBar{"number6", 6, 0xfe000000, 0, "no device has"},
					 BadBar{"number7", 7, 0xfe000000, 0, "no device has"},
					 BadBar{"high", 0, 0xfe000004, 0x100000,
						"no physical address"},
					 BadBar{"offset", 0x1000, 0xfe000000, 0, "at an offset"}),
			 [](const auto &info) { return info.param.name; });

// ---- anything ----

TEST(DiscoveryNoise, RandomConfigSpacesEnd)
{
	std::mt19937_64 random(20240608);
	unsigned found = 0;

	for (int round = 0; round < 2000; round++) {
		Config config;

		for (unsigned i = 0; i < 60; i++)
			config.put(0x100 + random() % 0x3a0 * 4, random(), 4);
		for (uint32_t at = 0x100; at < 0xf00; at += 0x40)
			config.dvsec(at, 1 + random() % 2, random() % 8,
				     static_cast<uint32_t>(random() % 0x3c0 * 4));
		config.put(0x10 + random() % 6 * 4, random(), 4);
		found += config.bars().size();
		EXPECT_LT(config.reads, 6000u);
	}
	EXPECT_GT(found, 100u);
}

} // namespace
