/* SPDX-License-Identifier: BSD-3-Clause */
// machines.h - the names of all Xeons that can be simulated. Tests of all machines, or of all
// machines of some generations, use this list, so a new machine is tested automatically.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace support
{

inline const std::vector<const char *> kMachines = {
#define MACHINE(name_) #name_,
#include "sim/machines.def"
#undef MACHINE
};

// The machines of the generations from FIRST to LAST, in the order of machines.def, except
// those listed.
inline std::vector<const char *> machines_between(const std::string &first, const std::string &last,
						  const std::set<std::string> &without = {})
{
	const auto begin = std::find(kMachines.begin(), kMachines.end(), first);
	const auto end = std::find(begin, kMachines.end(), last);
	std::vector<const char *> machines;

	if (end == kMachines.end())
		throw std::invalid_argument("no machines from " + first + " to " + last);
	std::copy_if(begin, end + 1, std::back_inserter(machines),
		     [&](const char *machine) { return without.count(machine) == 0; });
	return machines;
}

inline bool is_between(const std::string &machine, const char *first, const char *last)
{
	const std::vector<const char *> machines = machines_between(first, last);

	return std::find(machines.begin(), machines.end(), machine) != machines.end();
}

// Adds the variants that have box types that the machines themselves lack.
inline std::vector<const char *> and_variants(std::vector<const char *> machines)
{
	machines.push_back("spr:hbm=yes"); // Xeon Max
	return machines;
}

inline std::vector<const char *> machines_and_variants()
{
	return and_variants(kMachines);
}

// A machine with further options: "sim:spr:hbm=yes,cores=4".
inline std::string machine_with(const std::string &machine, const std::string &options)
{
	const std::string name = machine.compare(0, 4, "sim:") == 0 ? machine : "sim:" + machine;

	return name + (name.find(':', 4) == std::string::npos ? ":" : ",") + options;
}

// The name of a machine as part of a test name.
inline std::string machine_label(const std::string &machine)
{
	std::string label;

	for (const char c : machine)
		label += isalnum(static_cast<unsigned char>(c)) ? c : '_';
	return label;
}

// The machines whose events are published. Intel has published none for Diamond Rapids.
inline std::vector<const char *> machines_with_events()
{
	return machines_between("nhmex", "cwf");
}

// Replaces a few portable names by codes on a machine without published events.
inline std::string event_on(const std::string &machine, const std::string &portable)
{
	if (machine != "dmr")
		return portable;
	return portable == "UNCORE_CLOCKTICKS" ? "dmr_unc_cbo::RAW:config=0x1"
					       : "dmr_unc_imc::RAW:config=0x1";
}

} // namespace support

#endif
