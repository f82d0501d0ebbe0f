/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * golden_platforms.h - the machines of the recordings in tests/golden: their registers,
 * as in docs/hardware/ and not as in events/, and every case in which we differ
 * from the Linux driver on purpose.  Shared with the lab, where the driver is alive.
 */
#ifndef TESTS_GOLDEN_PLATFORMS_H
#define TESTS_GOLDEN_PLATFORMS_H

#include <fnmatch.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "support/golden.h"

namespace golden
{

constexpr int kFixed = -1;

enum Outcome { FITS, NO_ROOM, REFUSED }; // REFUSED: the event itself is invalid, in any set

struct Difference {
	const char *cases; // glob
	bool driver_accepts;
	Outcome ours;
	const char *why;
};

const char *const kReserved =
	"The driver clears bits that a control does not have; we refuse them, for they are a "
	"mistake in the name.";
const char *const kPseudo =
	"The driver takes event 0xff without umask for its pseudo code of the fixed counter and "
	"refuses it where the box lacks one; to the hardware it is an event code like any other.";
const char *const kStarved =
	"Event 0x03 counts on 0 and 1 only (Intel's tables); the driver lacks that row, so it "
	"finds a counter for a third event.";
const char *const kTimeShared = "Not one group: the driver multiplexes its groups, we do not.";

const char *const kInvert =
	"Ivy Bridge-EP has no invert bit: the driver drops it and counts something else.";
const char *const kCompanion =
	"COUNTER0_OCCUPANCY follows counter 0: libpfm4 has it on the other three, the driver on all.";
const char *const kPerPmu =
	"That a group stays within one PMU is a rule of perf; our sets span boxes.";
const char *const kAnyCpu =
	"perf has no uncore event without a CPU; a name without pkg= counts all packages.";

using Differences = std::vector<Difference>;

/* On every platform. */
inline const Differences kCommon = {
	{"reserved_bits/*", true, REFUSED, kReserved},
	{"reserved_bits32/*", true, REFUSED, kReserved},
	{"fixed/uncore_pcu", false, FITS, kPseudo},
};

/* On every platform, for several groups at a time. */
inline const Differences kGroups = {
	{"two_leaders_conflict_same_ctr0", true, NO_ROOM, kTimeShared},
	{"leaders_5", true, NO_ROOM, kTimeShared},
	{"cross_box_group", false, FITS, kPerPmu},
	{"cpu_minus1", false, FITS, kAnyCpu},
};

/* On all platforms with C-Boxes except the last. */
inline const Difference kCboxFixed = {"fixed/uncore_cbox_*", false, FITS, kPseudo};
inline const Difference kTwoFilters = {"two_leaders_conflict_filter", true, NO_ROOM, kTimeShared};

/* A case whose filter, in the layout of Linux's config1, is not the driver's. */
struct FilterDifference {
	const char *name; // case
	uint64_t driver, ours;
	const char *why;
};

const char *const kBandMask =
	"hswep_pcu_hw_config() cuts band n out of config1 with 0xff << n where byte n is meant: "
	"all bands but 0 get a wrong frequency (docs/hardware/hswep.md).";
const char *const kUnlisted =
	"Umask 0x43 is not in the driver's list, so it leaves the filter as it was; the event "
	"counts nothing without a state, and its bit 6 compares the node id.";

inline const std::vector<FilterDifference> kHsxFilters = {
	{"llc_nid", 0, UINT64_C(0x300020000), kUnlisted},
	{"pcu_band1", 0, 0x1400, kBandMask},
	{"pcu_band2", 0, 0x140000, kBandMask},
	{"pcu_band3", 0, 0x14000000, kBandMask},
	{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
	{"pcu_band_all", 0x11, 0x2211, kBandMask},
};

/* Register layout as in docs/hardware/, not as in events/. */
struct Registers {
	uint32_t ctl, ctl_step, ctr, ctr_step, stride, fixed_ctl, fixed_ctr;
	uint32_t (*distance)(unsigned box) = nullptr; // where the stride is irregular
};

/* A filter MSR of n boxes, and its first bit in Linux's config1. */
struct Filter {
	uint32_t first, stride, n;
	unsigned shift;
	const char *kind;
	bool always = true; // applies to every event of the box, even without a filter modifier
};

struct Platform {
	std::string name;
	std::vector<const char *> files;
	unsigned cases, cores; // cores: in a package of the recorded machine
	std::map<std::string, Registers> registers;
	std::vector<Filter> filters;
	Differences own;
	std::vector<FilterDifference> filter_differences;
	bool groups = true; // recorded with several groups at a time, too
};

inline std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

inline const Registers kPci = {0xd8, 4, 0xa0, 8, 0, 0, 0},
		       kChannel = {0xd8, 4, 0xa0, 8, 0, 0xf0, 0xd0};

inline const Platform kSnbep = {
	"snbep",
	{"snbep.jsonl", "snbep_pci.jsonl"},
	436,
	8,
	{
		{"cbo", {0xd10, 1, 0xd16, 1, 0x20, 0, 0}},
		{"ubo", {0xc10, 1, 0xc16, 1, 0, 0xc08, 0xc09}},
		{"pcu", {0xc30, 1, 0xc36, 1, 0, 0, 0}},
		{"imc", kChannel},
		{"ha", kPci},
		{"qpi", kPci},
		{"r2pcie", kPci},
		{"r3qpi", kPci},
	},
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

inline const Platform kIvbep = {
	"ivbep",
	{"ivbep.jsonl"},
	378,
	15,
	{
		{"cbo", {0xd10, 1, 0xd16, 1, 0x20, 0, 0}},
		{"ubo", {0xc10, 1, 0xc16, 1, 0, 0xc08, 0xc09}},
		{"pcu", {0xc30, 1, 0xc36, 1, 0, 0, 0}},
	},
	{{0xd14, 0x20, 15, 0, "cbo"}, {0xd1a, 0x20, 15, 32, "cbo"}, {0xc34, 1, 1, 0, "pcu"}},
	{
		kCboxFixed,
		kTwoFilters,
		{"attr/uncore_ubox/*inv=1*", true, REFUSED, kInvert},
		{"fill3/uncore_cbox_*", true, NO_ROOM, kStarved},
	},
	{},
};

/* Three banks of CHAs, docs/hardware/icx.md, "Registers"; the third lies below the others. */
inline uint32_t icx_cha(unsigned box)
{
	return box < 18   ? 0x2a0 + 0xe * box
	       : box < 34 ? 0x3aa + 0xe * (box - 18)
			  : 0xe * (box - 34);
}

inline uint32_t icx_stack(unsigned box)
{
	return box < 3 ? 0x20 * box : 0x90 + 0x20 * (box - 3);
}

/* Haswell-EP and Broadwell-EP have the same registers. */
inline const std::map<std::string, Registers> kHsxRegisters = {
	{"cbo", {0xe01, 1, 0xe08, 1, 0x10, 0, 0}},
	{"sbo", {0x721, 1, 0x726, 1, 0xa, 0, 0}},
	{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
	{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
};

inline const Difference kSboxFixed = {"fixed/uncore_sbox_*", false, FITS, kPseudo};

inline const Platform kHswep = {
	"hswep",
	{"hswep.jsonl"},
	478,
	18,
	kHsxRegisters,
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

/* The U-Box has no filter, neither in the driver nor in the library. */
inline const Platform kBdx = {
	"bdx",
	{"bdx.jsonl"},
	586,
	24,
	kHsxRegisters,
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

const char *const kUnlistedState =
	"Umask 0x43 is not in the driver's list, so it leaves the filter as it was; the event "
	"counts nothing without a state.";
const char *const kTidFields =
	"With tid_en the driver takes a mask for a field number (docs/hardware/skx.md), and does not "
	"count the thread id, which it writes, among the bits that belong to the event.";
const char *const kPcuThreshold =
	"The control has 5 bits of threshold and the occupancy bits above; the driver's format "
	"file offers 8 bits, and it drops what does not fit.";

inline const Platform kSkx = {
	"skx",
	{"skx.jsonl"},
	993,
	28,
	{
		{"cha", {0xe01, 1, 0xe08, 1, 0x10, 0, 0}},
		{"iio", {0xa48, 1, 0xa41, 1, 0x20, 0, 0}},
		{"irp", {0xa5b, 1, 0xa59, 1, 0x20, 0, 0}},
		{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
		{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
	},
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

const char *const kThirdChannel =
	"The driver has three channels a controller without asking; the parts have two, and the "
	"simulated machine, too (docs/hardware/icx.md).";

inline const Platform kIcx = {
	"icx",
	{"icx.jsonl"},
	1620,
	40,
	{
		{"cha", {0xb61, 1, 0xb68, 1, 0, 0, 0, icx_cha}},
		{"iio", {0xa58, 1, 0xa51, 1, 0, 0, 0, icx_stack}},
		{"irp", {0xa4d, 1, 0xa4b, 1, 0, 0, 0, icx_stack}},
		{"m2pcie", {0xa46, 1, 0xa41, 1, 0, 0, 0, icx_stack}},
		{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
		{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
		{"imc", {0x40, 4, 0x8, 8, 0, 0x54, 0x38}}, // from the channel's base on
	},
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

/* Without the package. */
inline std::string raw_name(const std::string &platform, const nlohmann::json &event)
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

inline const Platform *find_platform(const std::string &name)
{
	for (const Platform *p : {&kSnbep, &kIvbep, &kHswep, &kBdx, &kSkx, &kIcx})
		if (p->name == name)
			return p;
	return nullptr;
}

inline const Filter *filter_at(const Platform &platform, uint32_t msr)
{
	for (const Filter &f : platform.filters)
		if (msr >= f.first && (msr - f.first) % f.stride == 0 &&
		    (msr - f.first) / f.stride < f.n)
			return &f;
	return nullptr;
}

/* The bits of a filter register that the events of a case use. */
inline uint64_t owned_bits(const Platform &platform, const nlohmann::json &c, uint32_t msr)
{
	const uint64_t bits = golden_number(c.value("filter_owned", "0xffffffffffffffff"));
	const Filter *f = filter_at(platform, msr);

	return bits >> (f ? f->shift : 0) & 0xffffffff;
}

/* Each free-running counter has one code. Driver and library refuse all others. */
inline const Difference *listed(const Platform &platform, const std::string &name)
{
	if (name.find("_free_running_") != std::string::npos)
		return nullptr;
	for (const Differences *list : {&kCommon, &kGroups, &platform.own})
		for (const auto &d : *list)
			if (fnmatch(d.cases, name.c_str(), FNM_EXTMATCH) == 0)
				return &d;
	return nullptr;
}

inline const FilterDifference *listed_filter(const Platform &platform, const std::string &name)
{
	for (const auto &d : platform.filter_differences)
		if (name == d.name)
			return &d;
	return nullptr;
}

} // namespace golden

#endif
