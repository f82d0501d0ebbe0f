/* SPDX-License-Identifier: BSD-3-Clause */
// machines.h - the names of all Xeons that can be simulated. Tests of all machines, or of all
// machines of some generations, use this list, so a new machine is tested automatically.
#ifndef SUPPORT_MACHINES_H
#define SUPPORT_MACHINES_H

#include <set>
#include <string>
#include <vector>

namespace support
{

extern const std::vector<const char *> kMachines;

// The machines of the generations from FIRST to LAST, in the order of machines.def, except
// those listed.
std::vector<const char *> machines_between(const std::string &first, const std::string &last,
					   const std::set<std::string> &without = {});

bool is_between(const std::string &machine, const char *first, const char *last);

// Adds the variants that have box types that the machines themselves lack.
std::vector<const char *> and_variants(std::vector<const char *> machines);

std::vector<const char *> machines_and_variants();

// A machine with further options: "sim:spr:hbm=yes,cores=4".
std::string machine_with(const std::string &machine, const std::string &options);

// The name of a machine as part of a test name.
std::string machine_label(const std::string &machine);

// The machines whose events are published. Intel has published none for Diamond Rapids.
std::vector<const char *> machines_with_events();

// Replaces a few portable names by codes on a machine without published events.
std::string event_on(const std::string &machine, const std::string &portable);

} // namespace support

#endif
