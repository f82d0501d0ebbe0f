// SPDX-License-Identifier: BSD-3-Clause
#include "support/machines.h"

namespace support
{

const std::vector<const char *> kMachines = {
#define MACHINE(name_) #name_,
#include <algorithm>
#include <cctype>
#include <iterator>
#include <stdexcept>

#include "sim/machines.def"
#undef MACHINE
};

std::vector<const char *> machines_between(const std::string &first, const std::string &last,
					   const std::set<std::string> &without)
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

bool is_between(const std::string &machine, const char *first, const char *last)
{
	const std::vector<const char *> machines = machines_between(first, last);

	return std::find(machines.begin(), machines.end(), machine) != machines.end();
}

std::vector<const char *> and_variants(std::vector<const char *> machines)
{
	machines.push_back("spr:hbm=yes"); // Xeon Max
	return machines;
}

std::vector<const char *> machines_and_variants()
{
	return and_variants(kMachines);
}

std::string machine_with(const std::string &machine, const std::string &options)
{
	const std::string name = machine.compare(0, 4, "sim:") == 0 ? machine : "sim:" + machine;

	return name + (name.find(':', 4) == std::string::npos ? ":" : ",") + options;
}

std::string machine_label(const std::string &machine)
{
	std::string label;

	for (const char c : machine)
		label += isalnum(static_cast<unsigned char>(c)) ? c : '_';
	return label;
}

std::vector<const char *> machines_with_events()
{
	return machines_between("nhmex", "cwf");
}

std::string event_on(const std::string &machine, const std::string &portable)
{
	if (machine != "dmr")
		return portable;
	return portable == "UNCORE_CLOCKTICKS" ? "dmr_unc_cbo::RAW:config=0x1"
					       : "dmr_unc_imc::RAW:config=0x1";
}

} // namespace support
