// SPDX-License-Identifier: BSD-3-Clause
#include "support/golden_ex.h"

#include <cstring>

#include <fnmatch.h>

#include <nlohmann/json.hpp>

#include "support/facts.h"

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
	{"ubox", {1, 0x400ff, 0}},     {"cbox", {10, 0xff84ffff, 0}},
	{"bbox", {2, 0xfe, 0}},        {"sbox", {2, 0xff84ffff, 0}},
	{"mbox", {2, 0x383efc, 0}},    {"rbox", {2, 0xffffffff0000003e, 0}},
	{"wbox", {1, 0xff84ffff, 31}},
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
	const auto &k = support::facts::kind("nhmex", kind);

	return k.control_of(counter) + k.away(box);
}

uint32_t Pmu::box_ctl() const
{
	const auto &k = support::facts::kind("nhmex", kind);

	return k.box_control + k.away(box);
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
