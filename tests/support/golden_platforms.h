/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * golden_platforms.h - the machines of the recordings in tests/golden: their registers,
 * as in docs/hardware/ and not as in events/, and every case in which we differ
 * from the Linux driver on purpose.  Shared with the lab, where the driver is alive.
 */
#ifndef TESTS_GOLDEN_PLATFORMS_H
#define TESTS_GOLDEN_PLATFORMS_H

#include <cstdint>
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
extern const Differences kCommon;

/* On every platform, for several groups at a time. */
extern const Differences kGroups;

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

extern const std::vector<FilterDifference> kHsxFilters;

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
	std::vector<Filter> filters;
	Differences own;
	std::vector<FilterDifference> filter_differences;
	bool groups = true; // recorded with several groups at a time, too
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

extern const Platform kSnbep;

extern const Platform kIvbep;

inline const Difference kSboxFixed = {"fixed/uncore_sbox_*", false, FITS, kPseudo};

extern const Platform kHswep;

/* The U-Box has no filter, neither in the driver nor in the library. */
extern const Platform kBdx;

const char *const kUnlistedState =
	"Umask 0x43 is not in the driver's list, so it leaves the filter as it was; the event "
	"counts nothing without a state.";
const char *const kTidFields =
	"With tid_en the driver takes a mask for a field number (docs/hardware/skx.md), and does not "
	"count the thread id, which it writes, among the bits that belong to the event.";
const char *const kPcuThreshold =
	"The control has 5 bits of threshold and the occupancy bits above; the driver's format "
	"file offers 8 bits, and it drops what does not fit.";

extern const Platform kSkx;

const char *const kThirdChannel =
	"The driver has three channels a controller without asking; the parts have two, and the "
	"simulated machine, too (docs/hardware/icx.md).";

extern const Platform kIcx;

/* Without the package. */
std::string raw_name(const std::string &platform, const nlohmann::json &event);

const Platform *find_platform(const std::string &name);

const Filter *filter_at(const Platform &platform, uint32_t msr);

/* The bits of a filter register that the events of a case use. */
uint64_t owned_bits(const Platform &platform, const nlohmann::json &c, uint32_t msr);

/* Each free-running counter has one code. Driver and library refuse all others. */
const Difference *listed(const Platform &platform, const std::string &name);

const FilterDifference *listed_filter(const Platform &platform, const std::string &name);

} // namespace golden

#endif
