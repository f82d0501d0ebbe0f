/* SPDX-License-Identifier: BSD-3-Clause */
// sim_discovery_platforms.h - the simulated Xeons with discovery tables: the contents of their
// tables, as literal numbers.
#ifndef SUPPORT_SIM_DISCOVERY_PLATFORMS_H
#define SUPPORT_SIM_DISCOVERY_PLATFORMS_H

#include <ostream>
#include <string>
#include <vector>

namespace support::discovery
{

struct Kind {
	const char *name;
	unsigned type, n;
	uint64_t event; // that all counters of `mask` count
	unsigned mask = ~0u;
};

struct Platform {
	std::string name;
	unsigned model, max_cores, tables, stride, bar;
	std::vector<Kind> kinds; // in the table, for the default number of cores
	std::vector<uint32_t> globals;
	bool frozen; // after reset
	unsigned cores_a_cha = 1;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

Platform spr();

Platform emr();

Platform gnr();

Platform srf();

/* Numbers of boxes as reported by Linux, if known. */
Platform cwf();

} // namespace support::discovery

#endif
