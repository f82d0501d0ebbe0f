// SPDX-License-Identifier: BSD-3-Clause
// libpfm4_names_test.cc - on Ice Lake-X and Sapphire Rapids our tables win over libpfm4's: its
// spellings (libpfm4 91970fe) are accepted all the same.  Most are Intel's with a colon for a dot,
// which intel_list_test.cc walks; here are the others.
#include "support/golden.h"
#include "support/simulated.h"

#include <gtest/gtest.h>

namespace
{

struct Name {
	const char *machine, *name;
	uint64_t control;
};

TEST(Libpfm4Names, ThatIntelDoesNotHaveAreAccepted)
{
	const Name names[] = {
		{"icx", "UNC_IIO_NUM_REQ_FROM_CPU:IRP", 0x70ff0000001c2},
		{"spr", "UNC_CHA_LLC_LOOKUP:E_STATE", 0x2034},
		{"spr", "UNC_CHA_LLC_LOOKUP:F_STATE", 0x8034},
		{"spr", "UNC_CHA_LLC_LOOKUP:I_STATE", 0x134},
		{"spr", "UNC_CHA_LLC_LOOKUP:M_STATE", 0x4034},
		{"spr", "UNC_CHA_LLC_LOOKUP:S_STATE", 0x1034},
		{"spr", "UNC_CHA_TOR_OCCUPANCY:IA_WBEFTOE", 0xcc3fff00000136},
		{"spr", "UNC_CHA_TOR_OCCUPANCY:IA_WBEFTOI", 0xcc37ff00000136},
		{"spr", "UNC_CHA_TOR_OCCUPANCY:IA_WBMTOE", 0xcc2fff00000136},
		{"spr", "UNC_CHA_TOR_OCCUPANCY:IA_WBSTOI", 0xcc67ff00000136},
		{"spr", "UNC_CHA_TOR_OCCUPANCY:PRQ_IOSF", 0x436},
		{"spr", "UNC_M_RDB_NE:ANY", 0x318},
	};

	for (const Name &n : names) {
		Simulated sim(
			(std::string("sim:") + n.machine + ":packages=1,time=virtual").c_str());
		const struct unc_event *ev = sim.event(n.name);

		ASSERT_NE(nullptr, ev) << n.name << ": " << sim.why();
		EXPECT_EQ(golden_hex(n.control), golden_hex(ev->control)) << n.name;
	}
}

// docs/differences.md: the number itself is the umask, not a bit of that number.
TEST(Libpfm4Names, ElementsOfTheReadDataBuffer)
{
	Simulated sim("sim:spr:packages=1,time=virtual");

	for (unsigned n = 1; n <= 24; n++) {
		const std::string name = "UNC_M_RDB_FULL:RDB_" + std::to_string(n) + "_ELEM";
		const struct unc_event *ev = sim.event(name);

		ASSERT_NE(nullptr, ev) << name << ": " << sim.why();
		EXPECT_EQ(golden_hex(n << 8 | 0x19), golden_hex(ev->control)) << name;
	}
}

} // namespace
