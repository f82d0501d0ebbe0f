/* SPDX-License-Identifier: BSD-3-Clause */
// machines.h - every Xeon that can be simulated, by name: tests of all of them take the list
// from here, and so a new one is among them.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

#include <cctype>
#include <cstring>
#include <string>
#include <vector>

namespace support
{

inline const std::vector<const char *> kMachines = {
#define MACHINE(name_) #name_,
#include "sim/machines.def"
#undef MACHINE
};

// ... and those of their variants that have boxes of kinds that none of them has.
inline std::vector<const char *> machines_and_variants()
{
	std::vector<const char *> machines = kMachines;

	machines.push_back("spr:hbm=yes"); // Xeon Max
	return machines;
}

// Such a one with more options: "sim:spr:hbm=yes,cores=4".
inline std::string machine_with(const std::string &machine, const std::string &options)
{
	const std::string name = machine.compare(0, 4, "sim:") == 0 ? machine : "sim:" + machine;

	return name + (name.find(':', 4) == std::string::npos ? ":" : ",") + options;
}

// As a test may be called.
inline std::string machine_label(const std::string &machine)
{
	std::string label;

	for (const char c : machine)
		label += isalnum(static_cast<unsigned char>(c)) ? c : '_';
	return label;
}

// Those whose events are published: of Diamond Rapids none are.
inline std::vector<const char *> machines_with_events()
{
	std::vector<const char *> machines;

	for (const char *machine : kMachines)
		if (strcmp(machine, "dmr") != 0)
			machines.push_back(machine);
	return machines;
}

// On a machine without published events codes stand for a few portable names.
inline std::string event_on(const std::string &machine, const std::string &portable)
{
	if (machine != "dmr")
		return portable;
	return portable == "UNCORE_CLOCKTICKS" ? "dmr_unc_cbo::RAW:config=0x1"
					       : "dmr_unc_imc::RAW:config=0x1";
}

} // namespace support

#endif
