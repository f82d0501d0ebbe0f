// SPDX-License-Identifier: BSD-3-Clause
// slices_test.cc - expected counts of a slice of the last-level cache, and the slice of a line.
#include "support/handle.h"
#include "support/sim_machine.h"

extern "C" {
#include "command/base/slices.h"
#include "command/slices/owners.h"
}

namespace
{

using support::Handle;
using support::sim_options;

// With 22 slices, slice 20 owns 512 lines of 16384 (tests/machines/README.md).
TEST(ExpectedOfSlice, IsItsShareComparedWithTheMeanShare)
{
	const Handle machine(sim_options("sim:skx:packages=2,cores=22,time=virtual"));
	const double few = 512.0 * 22 / 16384, many = 772.0 * 22 / 16384;
	const struct {
		const char *name;
		double expected;
	} events[] = {
		{"UNCORE_LLC_LOOKUPS:box=20:pkg=0", few},
		{"UNCORE_LLC_LOOKUPS:box=0:pkg=1", many},
		{"UNCORE_LLC_LOOKUPS:box=20", few}, // of both packages
		{"UNC_C_LLC_LOOKUP:ANY:box=20:pkg=0", few},
		{"UNC_CHA_TOR_INSERTS:IA:box=20:pkg=0", few},
		// not of one slice, or nothing that follows the lines
		{"UNCORE_LLC_LOOKUPS:pkg=0", 0},
		{"UNC_C_LLC_LOOKUP:ANY:box=0-3:pkg=0", 0},
		{"UNC_CHA_CLOCKTICKS:box=20:pkg=0", 0},
		{"UNC_M_CAS_COUNT:RD:box=2:pkg=0", 0},
	};

	for (const auto &e : events)
		EXPECT_DOUBLE_EQ(e.expected, expected_of_slice(machine.u, machine.event(e.name)))
			<< e.name;
}

TEST(ExpectedOfSlice, IsUnknownIfTheSharesAreUnknown)
{
	const Handle machine(sim_options("sim:emr:packages=1,time=virtual"));

	EXPECT_EQ(0, expected_of_slice(machine.u, machine.event("UNCORE_LLC_LOOKUPS:box=0:pkg=0")));
}

uint16_t owner_of(const std::vector<double> &gain)
{
	return owner_by_gain(gain.data(), gain.size(), 1000);
}

TEST(OwnerByGain, CountedTheReadsFourTimesAsMuchAsTheOthers)
{
	EXPECT_EQ(1, owner_of({-30, 1020, 249}));
	EXPECT_EQ(2, owner_of({249, -249, 3990}));
	EXPECT_EQ(OWNER_UNKNOWN, owner_of({-30, 1020, 280}));
	EXPECT_EQ(OWNER_UNKNOWN, owner_of({0, 490, 0})); // too few
	EXPECT_EQ(OWNER_UNKNOWN, owner_of({0, 4010, 0}));
}

// Slice 1 is the owner: it and slice 2 were first read late, and slice 3 was last read late.
TEST(OwnerByGain, IsUnknownIfAnotherSliceLacksCounts)
{
	EXPECT_EQ(OWNER_UNKNOWN, owner_of({0, 200, -800, 1100}));
}

} // namespace
