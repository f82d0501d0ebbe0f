// SPDX-License-Identifier: BSD-3-Clause
#include "support/golden_platforms.h"

#include <fnmatch.h>

#include <nlohmann/json.hpp>

namespace golden
{

const Differences kCommon = {
	{"reserved_bits/*", true, REFUSED, kReserved},
	{"reserved_bits32/*", true, REFUSED, kReserved},
	{"fixed/uncore_pcu", false, FITS, kPseudo},
};

const Differences kGroups = {
	{"two_leaders_conflict_same_ctr0", true, NO_ROOM, kTimeShared},
	{"leaders_5", true, NO_ROOM, kTimeShared},
	{"cross_box_group", false, FITS, kPerPmu},
	{"cpu_minus1", false, FITS, kAnyCpu},
};

const std::vector<FilterDifference> kHsxFilters = {
	{"llc_nid", 0, UINT64_C(0x300020000), kUnlisted},
	{"pcu_band1", 0, 0x1400, kBandMask},
	{"pcu_band2", 0, 0x140000, kBandMask},
	{"pcu_band3", 0, 0x14000000, kBandMask},
	{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
	{"pcu_band_all", 0x11, 0x2211, kBandMask},
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Platform kSnbep = {
	"snbep",
	{"snbep.jsonl.gz", "snbep_pci.jsonl.gz"},
	436,
	8,
	{{0xd14, 0x20, 8, 0, "cbo"}, {0xc34, 1, 1, 0, "pcu"}},
	{
		kCboxFixed,
		kTwoFilters,
		{"allbits/*", true, REFUSED, kReserved},
		{"fixed/uncore_ha", false, FITS, kPseudo},
		{"fixed/uncore_qpi_*", false, FITS, kPseudo},
		{"fixed/uncore_r2pcie", false, FITS, kPseudo},
		{"fixed/uncore_r3qpi_*", false, FITS, kPseudo},
		{"fill3/uncore_cbox_*", true, NO_ROOM, kStarved},
	},
	{},
};

const Platform kIvbep = {
	"ivbep",
	{"ivbep.jsonl.gz"},
	378,
	15,
	{{0xd14, 0x20, 15, 0, "cbo"}, {0xd1a, 0x20, 15, 32, "cbo"}, {0xc34, 1, 1, 0, "pcu"}},
	{
		kCboxFixed,
		kTwoFilters,
		{"attr/uncore_ubox/*inv=1*", true, REFUSED, kInvert},
		{"fill3/uncore_cbox_*", true, NO_ROOM, kStarved},
	},
	{},
};

const Platform kHswep = {
	"hswep",
	{"hswep.jsonl.gz"},
	478,
	18,
	{{0xe05, 0x10, 18, 0, "cbo"},
	 {0xe06, 0x10, 18, 32, "cbo"},
	 {0x715, 1, 1, 0, "pcu"},
	 {0x707, 1, 1, 0, "ubo", false}},
	{
		kCboxFixed,
		kTwoFilters,
		kSboxFixed,
		{"inf_occ0_x4", true, NO_ROOM, kCompanion},
	},
	kHsxFilters,
};

const Platform kBdx = {
	"bdx",
	{"bdx.jsonl.gz"},
	586,
	24,
	{
		{0xe05, 0x10, 24, 0, "cbo"},
		{0xe06, 0x10, 24, 32, "cbo"},
		{0x715, 1, 1, 0, "pcu"},
	},
	{
		kCboxFixed,
		kTwoFilters,
		kSboxFixed,
	},
	kHsxFilters,
};

const Platform kSkx = {
	"skx",
	{"skx.jsonl.gz"},
	993,
	28,
	{{0xe05, 0x10, 28, 0, "cha"}, {0xe06, 0x10, 28, 32, "cha"}, {0x715, 1, 1, 0, "pcu"}},
	{
		{"fixed/uncore_cha_*", false, FITS, kPseudo},
		{"fixed/uncore_iio_*", false, FITS, kPseudo},
		{"fixed/uncore_irp_*", false, FITS, kPseudo},
		{"attr/uncore_pcu/thresh=255", true, REFUSED, kPcuThreshold},
	},
	{
		{"llc_nid", 0, 0x20000, kUnlistedState},
		{"tid", 0x3000000000000, 0x300000000001f, kTidFields},
		{"pcu_band1", 0, 0x1400, kBandMask},
		{"pcu_band2", 0, 0x140000, kBandMask},
		{"pcu_band3", 0, 0x14000000, kBandMask},
		{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
		{"pcu_band_all", 0x11, 0x2211, kBandMask},
	},
};

const Platform kIcx = {
	"icx",
	{"icx.jsonl.gz"},
	1620,
	40,
	// the filter for a thread requires tid_en
	{{0xe05, 0xe, 18, 0, "cha", false},
	 {0xf0f, 0xe, 16, 0, "cha", false},
	 {0xb65, 0xe, 6, 0, "cha", false},
	 {0x715, 1, 1, 0, "pcu"}},
	{
		{"fixed/uncore_cha_*", false, FITS, kPseudo},
		{"fixed/uncore_iio_*", false, FITS, kPseudo},
		{"fixed/uncore_irp_*", false, FITS, kPseudo},
		{"fixed/uncore_m2pcie_*", false, FITS, kPseudo},
		{"@(single|attr)/uncore_imc_@(2|5|8|11)/*", true, REFUSED, kThirdChannel},
		{"@(single_ev0|fixed|fill[234])/uncore_imc_@(2|5|8|11)", true, REFUSED,
		 kThirdChannel},
		{"attr/uncore_pcu/thresh=255", true, REFUSED, kPcuThreshold},
	},
	{
		/* with what the case before left: the recording does not show which bits belong to
		 * which event
		 */
		{"pcu_band1", 0x14, 0x1400, kBandMask},
		{"pcu_band2", 0x14, 0x140000, kBandMask},
		{"pcu_band3", 0x14, 0x14000000, kBandMask},
		{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
		{"pcu_band_all", 0x11, 0x2211, kBandMask},
	},
	false,
};

std::string raw_name(const std::string &platform, const nlohmann::json &event)
{
	const GoldenPmu pmu(event["pmu"]);
	std::string name = platform + "_unc_" + pmu.kind + "::RAW";

	for (const char *word : {"config", "config1", "config2"})
		if (event.contains(word))
			name += std::string(":") + word + "=" + event[word].get<std::string>();
	if (pmu.box >= 0)
		name += ":box=" + std::to_string(pmu.box);
	return name;
}

const Platform *find_platform(const std::string &name)
{
	for (const Platform *p : {&kSnbep, &kIvbep, &kHswep, &kBdx, &kSkx, &kIcx})
		if (p->name == name)
			return p;
	return nullptr;
}

const Filter *filter_at(const Platform &platform, uint32_t msr)
{
	for (const Filter &f : platform.filters)
		if (msr >= f.first && (msr - f.first) % f.stride == 0 &&
		    (msr - f.first) / f.stride < f.n)
			return &f;
	return nullptr;
}

uint64_t owned_bits(const Platform &platform, const nlohmann::json &c, uint32_t msr)
{
	const uint64_t bits = golden_number(c.value("filter_owned", "0xffffffffffffffff"));
	const Filter *f = filter_at(platform, msr);

	return bits >> (f ? f->shift : 0) & 0xffffffff;
}

const Difference *listed(const Platform &platform, const std::string &name)
{
	if (name.find("_free_running_") != std::string::npos)
		return nullptr;
	for (const Differences *list : {&kCommon, &kGroups, &platform.own})
		for (const auto &d : *list)
			if (fnmatch(d.cases, name.c_str(), FNM_EXTMATCH) == 0)
				return &d;
	return nullptr;
}

const FilterDifference *listed_filter(const Platform &platform, const std::string &name)
{
	for (const auto &d : platform.filter_differences)
		if (name == d.name)
			return &d;
	return nullptr;
}

} // namespace golden
