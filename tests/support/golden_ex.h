/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * golden_ex.h - the recordings of Nehalem-EX and Westmere-EX: registers as in
 * docs/hardware/nhmex.md, and the intended differences from the driver. The recorder
 * numbered its configs 1, 2, 3, which on B-, M- and R-Boxes sets bits that the driver
 * silently drops. The library refuses such configs (see the reserved_bits cases), so the
 * other cases are compared without those bits.
 */
#ifndef TESTS_GOLDEN_EX_H
#define TESTS_GOLDEN_EX_H

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "support/golden.h"

namespace golden_ex
{

struct Difference {
	const char *cases; // glob
	bool driver, ours; // accept it
	const char *why;
};

const char *const kReserved =
	"The driver clears bits that a control does not have; we refuse them, for they are a "
	"mistake in the name.";
const char *const kPseudo =
	"The driver takes event 0xff for its pseudo code of the fixed counter and refuses it where "
	"the box lacks one; to the hardware it is an event code like any other.";

extern const std::vector<Difference> kDifferences;

struct Registers {
	unsigned n;    // boxes of Westmere-EX
	uint64_t mask; // what the driver writes of config
	unsigned fixed_bit;
};

extern const std::map<std::string, Registers> kRegisters;

struct Pmu {
	explicit Pmu(std::string sysfs);
	const Registers &registers() const;
	uint32_t control(unsigned counter) const;
	uint32_t box_ctl() const;
	std::string kind;
	unsigned box;
};

struct Platform {
	std::string name;
	unsigned cases, cores;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

const Difference *listed(const std::string &name);

bool as_recorded(const std::string &name);

/* Without the package. exact: including the bits that the driver ignores. */
std::string raw_name(const std::string &platform, const nlohmann::json &event, bool exact);

} // namespace golden_ex

#endif
