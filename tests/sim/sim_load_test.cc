// SPDX-License-Identifier: BSD-3-Clause
// sim_load_test.cc - the simulated Xeon on its own: traffic of known size is what its counters
// gain.
#include <cerrno>

#include "support/sim_snbep.h"

namespace
{

using namespace support::snbep;

const uint64_t kLines = 1000000, kWrites = 300000, kMs = 1000000;
const uint16_t kImc[] = {0x3cb0, 0x3cb1, 0x3cb4, 0x3cb5};
const uint16_t kHa = 0x3c46, kQpi[] = {0x3c41, 0x3c42};

struct sim_load load(unsigned cpu, unsigned near)
{
	return {cpu, near, kLines, kWrites, 20 * kMs, 0, 0, 0, 0};
}

// The count of a PCI box for a load without time passing.
uint64_t gain(Machine &machine, const struct sim_load &load, uint16_t device, uint64_t control,
	      int node = 0)
{
	machine.set_config(device, kBoxControl, kInit, 32, node);
	machine.set_config(device, 0xd8, control | kEnable, 32, node);
	machine.set_config(device, kBoxControl, kRun, 32, node);
	EXPECT_EQ(0, sim_load(machine.sim, &load));
	machine.set_config(device, kBoxControl, kFreeze, 32, node);
	return machine.config(device, 0xa0, 64, node);
}

template <size_t n>
uint64_t all(Machine &machine, const struct sim_load &load, const uint16_t (&devices)[n],
	     uint64_t control, int node = 0)
{
	uint64_t sum = 0;

	for (const uint16_t device : devices)
		sum += gain(machine, load, device, control, node);
	return sum;
}

// The same of all C-Boxes of a package.
uint64_t cboxes(Machine &machine, const struct sim_load &load, uint64_t control,
		uint64_t filter = 0, unsigned package = 0)
{
	uint64_t sum = 0;

	for (uint32_t at = 0; at < 0x100; at += 0x20) {
		machine.set(0xd04 + at, kInit, package);
		machine.set(0xd14 + at, filter, package);
		machine.set(0xd10 + at, control | kEnable, package);
		machine.set(0xd04 + at, kRun, package);
		EXPECT_EQ(0, sim_load(machine.sim, &load));
		machine.set(0xd04 + at, kFreeze, package);
		sum += machine.get(0xd16 + at, package);
	}
	return sum;
}

const uint64_t kSlack = 8; // a box rounds

TEST(SimLoad, MemoryGainsItsLines)
{
	Machine machine;

	EXPECT_NEAR(kLines, all(machine, load(0, 0), kImc, event(0x04, 0x03)), kSlack);
	EXPECT_NEAR(kWrites, all(machine, load(0, 0), kImc, event(0x04, 0x0c)), kSlack);
	EXPECT_NEAR(kLines, gain(machine, load(0, 0), kHa, event(0x01, 0x03)), kSlack);
	EXPECT_EQ(0U, all(machine, load(0, 0), kImc, event(0x04, 0x0f), 1));
}

TEST(SimLoad, LinesOfAnotherPackageCrossTheLink)
{
	Machine machine;
	const struct sim_load remote = load(0, 8);

	EXPECT_EQ(0U, all(machine, remote, kImc, event(0x04, 0x0f)));
	EXPECT_NEAR(kLines, all(machine, remote, kImc, event(0x04, 0x03), 1), kSlack);
	EXPECT_NEAR(kLines, gain(machine, remote, kHa, event(0x01, 0x02), 1), kSlack);
	EXPECT_EQ(0U, gain(machine, remote, kHa, event(0x01, 0x01), 1));
	// TxL_FLITS_G0.DATA: eight a line
	EXPECT_NEAR(8 * kLines, all(machine, remote, kQpi, event(0x00, 0x02), 1), kSlack);
	EXPECT_NEAR(8 * kWrites, all(machine, remote, kQpi, event(0x00, 0x02)), kSlack);
	EXPECT_EQ(0U, all(machine, load(0, 0), kQpi, event(0x00, 0x02)));
}

TEST(SimLoad, TorAndLookups)
{
	Machine machine;

	EXPECT_NEAR(kLines, cboxes(machine, load(2, 0), event(0x35, 0x03), 0x182u << 23), kSlack);
	EXPECT_NEAR(kWrites, cboxes(machine, load(2, 0), event(0x35, 0x01), 0x18cu << 23), kSlack);
	EXPECT_EQ(0U, cboxes(machine, load(2, 0), event(0x35, 0x01), 0x180u << 23));
	EXPECT_NEAR(kLines, cboxes(machine, load(2, 0), event(0x34, 0x03), 1 << 18), kSlack);
	EXPECT_EQ(0U, cboxes(machine, load(2, 0), event(0x37, 0x01)));
}

TEST(SimLoad, BelongsToItsCore)
{
	Machine machine;

	for (unsigned core = 0; core < 8; core++)
		EXPECT_NEAR(core == 5 ? kLines : 0,
			    cboxes(machine, load(5, 0), event(0x35, 0x01) | kTid,
				   0x182u << 23 | core << 1),
			    kSlack);
	EXPECT_EQ(0U, cboxes(machine, load(5, 0), event(0x35, 0x01) | kTid, 0x182u << 23 | 11));
}

TEST(SimLoad, StaysAsLongAsItSays)
{
	Machine machine;
	struct sim_load slow = load(0, 0);
	const double clock = sim_traffic(machine.sim, 0)->uclk_hz * 1e-9;

	slow.reads = 100000;
	slow.stay_ns = 200;
	EXPECT_NEAR(200 * clock * 100000, cboxes(machine, slow, event(0x36, 0x03), 0x182u << 23),
		    kSlack);
}

TEST(SimLoad, AddsToTheTrafficOfTime)
{
	Machine machine;
	const struct sim_load some = load(0, 0);
	const uint64_t alone = machine.count(kImc[0], event(0x04, 0x03), 0, 20 * kMs);
	const uint64_t gained = gain(machine, some, kImc[0], event(0x04, 0x03));

	machine.set_config(kImc[0], kBoxControl, kInit);
	machine.set_config(kImc[0], 0xd8, event(0x04, 0x03) | kEnable);
	machine.set_config(kImc[0], kBoxControl, kRun);
	sim_advance(machine.sim, 20 * kMs);
	ASSERT_EQ(0, sim_load(machine.sim, &some));
	EXPECT_NEAR(alone + gained, machine.config(kImc[0], 0xa0, 64), 2);
	machine.set_config(kImc[0], kBoxControl, kFreeze);
	ASSERT_EQ(0, sim_load(machine.sim, &some));
	EXPECT_NEAR(alone + gained, machine.config(kImc[0], 0xa0, 64), 2);
}

TEST(SimLoad, InvalidLoadsAreRefused)
{
	Machine machine;
	struct sim_load bad = load(16, 0);

	EXPECT_EQ(-ENODEV, sim_load(machine.sim, &bad));
	bad = load(0, 16);
	EXPECT_EQ(-ENODEV, sim_load(machine.sim, &bad));
	bad = load(0, 0);
	bad.ns = 0;
	EXPECT_EQ(-EINVAL, sim_load(machine.sim, &bad));
}

} // namespace
