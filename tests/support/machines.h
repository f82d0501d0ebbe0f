/* SPDX-License-Identifier: BSD-3-Clause */
// machines.h - every Xeon that can be simulated, by name: tests of all of them take the list
// from here, and so a new one is among them.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

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
