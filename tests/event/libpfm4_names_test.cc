// SPDX-License-Identifier: BSD-3-Clause
// libpfm4_names_test.cc - on Ice Lake-X and Sapphire Rapids our tables win over libpfm4's: its
// spellings (libpfm4 91970fe) are accepted anyway.  Most are Intel's with a colon for a dot,
// which intel_list_test.cc walks; here are the others.
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include "support/golden.h"
#include "support/simulated.h"

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

// docs/reference/differences.md: the number itself is the umask, not a bit of that number.
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

// SPR's default is TOTAL in libpfm4; on ICX libpfm4 wants a umask.
TEST(Libpfm4Names, PartialLinesWithoutAUmaskAreAllOfThem)
{
	Simulated icx("sim:icx:packages=1,time=virtual"), spr("sim:spr:packages=1,time=virtual");

	EXPECT_EQ(golden_hex(0x4a0), golden_hex(icx.event("UNC_M_PCLS")->control));
	EXPECT_EQ(golden_hex(0xfa0), golden_hex(spr.event("UNC_M_PCLS")->control));
}

// The PMU names of libpfm4 4.13 and 91970fe for these processors, but for those whose only
// difference is the number.
TEST(Libpfm4Names, OfPmusAreAccepted)
{
	const struct {
		const char *machine, *prefix;
		std::vector<std::string> boxes;
	} pmus[] = {
		{"snbep",
		 "snbep_unc_",
		 {"cbo0", "ha", "imc0", "pcu", "qpi0", "r2pcie", "r3qpi0", "ubo"}},
		{"ivbep",
		 "ivbep_unc_",
		 {"cbo14", "ha0", "imc7", "irp", "pcu", "qpi2", "r2pcie", "r3qpi2", "ubo"}},
		{"hswep",
		 "hswep_unc_",
		 {"cbo17", "ha1", "imc7", "irp", "pcu", "qpi1", "r2pcie", "r3qpi2", "sbo3", "ubo"}},
		{"bdx",
		 "bdx_unc_",
		 {"cbo21", "ha1", "imc7", "irp", "pcu", "qpi2", "r2pcie", "r3qpi2", "sbo3", "ubo"}},
		{"skx",
		 "skx_unc_",
		 {"cha27", "iio5", "imc5", "irp", "m2m1", "m3upi2", "pcu", "ubo", "upi2"}},
		{"knl",
		 "knl_unc_",
		 {"cha37", "edc_eclk7", "edc_uclk7", "imc5", "imc_uclk1", "m2pcie"}},
		{"knl",
		 "knm_unc_",
		 {"cha37", "edc_eclk7", "edc_uclk7", "imc5", "imc_uclk1", "m2pcie"}},
		{"icx",
		 "icx_unc_",
		 {"cha39", "iio5", "imc11", "irp5", "m2m3", "m2pcie2", "m3upi2", "pcu", "ubox",
		  "upi2"}},
		{"spr", "spr_unc_", {"cha59", "imc15", "upi3"}},
		{"emr", "spr_unc_", {"cha59", "imc15", "upi3"}},
	};

	for (const auto &p : pmus) {
		Simulated sim(
			(std::string("sim:") + p.machine + ":packages=1,time=virtual").c_str());

		for (const std::string &box : p.boxes) {
			sim.event(p.prefix + box + "::UNC_X");
			EXPECT_EQ(std::string::npos, sim.why().find("no PMU")) << sim.why();
		}
	}
	// the event of the box that is meant
	Simulated icx("sim:icx:packages=1,time=virtual");

	ASSERT_NE(nullptr, icx.event("icx_unc_ubox::UNC_U_LOCK_CYCLES")) << icx.why();
	EXPECT_STREQ("ubo", icx.event("icx_unc_ubox::UNC_U_LOCK_CYCLES")->type->name);
}

// Each uncore PMU of a supported processor, in any installed version of libpfm4.
TEST(Libpfm4Names, OfAllPmusOfCoveredProcessorsAreAccepted)
{
	const std::map<std::string, const char *> machines = {
		{"snbep_unc_", "snbep"}, {"ivbep_unc_", "ivbep"}, {"hswep_unc_", "hswep"},
		{"bdx_unc_", "bdx"},     {"skx_unc_", "skx"},     {"knl_unc_", "knl"},
		{"knm_unc_", "knl"},     {"icx_unc_", "icx"},     {"spr_unc_", "spr"},
		{"emr_unc_", "emr"},     {"gnr_unc_", "gnr"},     {"srf_unc_", "srf"},
	};
	// Xeon 5500 and 5600 and desktop processors (README.md, "Supported processors")
	const std::set<std::string> others = {"nhm_unc",  "wsm_unc",  "snb_unc_",
					      "ivb_unc_", "hsw_unc_", "adl_unc_"};
	std::map<std::string, std::unique_ptr<Simulated>> opened;
	unsigned accepted = 0;
	int i;

	for (auto &[prefix, machine] : machines)
		opened[prefix] = std::make_unique<Simulated>(
			(std::string("sim:") + machine + ":packages=1,time=virtual").c_str());
	ASSERT_EQ(PFM_SUCCESS, pfm_initialize());
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t pmu{};

		pmu.size = sizeof(pmu);
		if (pfm_get_pmu_info(static_cast<pfm_pmu_t>(i), &pmu) != PFM_SUCCESS)
			continue;
		const std::string name = pmu.name;
		const size_t unc = name.find("_unc");

		if (unc == std::string::npos)
			continue;
		const std::string prefix = name.substr(0, unc + strlen("_unc_"));

		if (others.count(prefix))
			continue;
		ASSERT_TRUE(opened.count(prefix)) << name << " is neither accepted nor known";
		opened[prefix]->event(name + "::UNC_X");
		EXPECT_EQ(std::string::npos, opened[prefix]->why().find("no PMU"))
			<< opened[prefix]->why();
		accepted++;
	}
	EXPECT_LT(200u, accepted);
}

// libpfm4's uncore of Nehalem and Westmere is that of the Xeon 5500 and 5600, not of the 7500 and
// E7.
TEST(Libpfm4Names, OfTheUncoreOfOtherNehalemsAreRefused)
{
	for (const char *machine : {"nhmex", "wsmex"}) {
		Simulated sim((std::string("sim:") + machine + ":packages=1,time=virtual").c_str());

		for (const char *pmu : {"nhm_unc", "wsm_unc"}) {
			EXPECT_EQ(nullptr, sim.event(std::string(pmu) + "::UNC_CLK_UNHALTED"));
			EXPECT_NE(std::string::npos, sim.why().find(pmu)) << sim.why();
		}
	}
}

} // namespace
