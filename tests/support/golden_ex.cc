// SPDX-License-Identifier: BSD-3-Clause
#include "support/golden_ex.h"

#include <cstring>

#include <fnmatch.h>

#include <nlohmann/json.hpp>

namespace golden_ex
{

const std::vector<Difference> kDifferences = {
	{"reserved_bits/*", true, false, kReserved},
	{"reserved_bits32/*", true, false, kReserved},
	{"fixed/uncore_cbox_*", false, true, kPseudo},
	{"fixed/uncore_sbox_*", false, true, kPseudo},
	{"fixed/uncore_ubox", false, true, kPseudo},
};

const std::map<std::string, Registers> kRegisters = {
	{"ubox", {0xc00, 0xc10, {0}, 0x400ff, 0}},
	{"cbox",
	 {0xd00,
	  0xd10,
	  {0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x240, 0x2c0},
	  0xff84ffff,
	  0}},
	{"bbox", {0xc20, 0xc30, {0, 0x40}, 0xfe, 0}},
	{"sbox", {0xc40, 0xc50, {0, 0x80}, 0xff84ffff, 0}},
	{"mbox", {0xca0, 0xcb0, {0, 0x40}, 0x383efc, 0}},
	{"rbox", {0xe00, 0xe10, {0, 0x20}, 0xffffffff0000003e, 0}},
	{"wbox", {0xc80, 0xc90, {0}, 0xff84ffff, 31}},
};

Pmu::Pmu(std::string sysfs)
{
	sysfs = sysfs.substr(strlen("uncore_"));
	const size_t end = sysfs.find('_');

	kind = sysfs.substr(0, end);
	box = end == std::string::npos ? 0 : std::stoul(sysfs.substr(end + 1));
}

const Registers &Pmu::registers() const
{
	return kRegisters.at(kind);
}

uint32_t Pmu::control(unsigned counter) const
{
	return registers().ctl + registers().offsets[box] + 2 * counter;
}

uint32_t Pmu::box_ctl() const
{
	return registers().box_ctl + registers().offsets[box];
}

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Difference *listed(const std::string &name)
{
	for (const auto &d : kDifferences)
		if (fnmatch(d.cases, name.c_str(), 0) == 0)
			return &d;
	return nullptr;
}

bool as_recorded(const std::string &name)
{
	return listed(name) || fnmatch("fixed/*", name.c_str(), 0) == 0;
}

std::string raw_name(const std::string &platform, const nlohmann::json &event, bool exact)
{
	const Pmu pmu(event["pmu"]);
	const uint64_t config =
		golden_number(event["config"]) & (exact ? UINT64_MAX : pmu.registers().mask);
	std::string name = platform + "_unc_" + pmu.kind + "::RAW:config=" + golden_hex(config) +
			   ":box=" + std::to_string(pmu.box);

	for (const char *word : {"config1", "config2"})
		if (event.contains(word))
			name += std::string(":") + word + "=" + event[word].get<std::string>();
	return name;
}

} // namespace golden_ex
