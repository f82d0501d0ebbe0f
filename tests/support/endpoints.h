// SPDX-License-Identifier: BSD-3-Clause
// endpoints.h - what the library can know of the devices that the simulator made
// (docs/hardware/stacks.md).
#ifndef TESTS_SUPPORT_ENDPOINTS_H
#define TESTS_SUPPORT_ENDPOINTS_H

#include <cstddef>
#include <string>

#include "sim/sim.h"

namespace support
{

// The box, or the part of a DMA engine, is in no table that is certain: it has to be measured.
inline bool is_unmapped(const std::string &platform, const sim_endpoint &e)
{
	if (!*e.name || platform == "emr")
		return true;
	if (platform == "gnr" || platform == "srf")
		return e.stack == 29 || e.stack == 26; // PE4 and PE5
	// the medium die, which has other boxes than the large one
	return platform == "spr" &&
	       (e.stack == 0 || (e.stack == 4 && e.box == 4) || (e.stack == 8 && e.box == 3));
}

// Ports of a Sapphire Rapids after the first one.
inline bool is_disputed(const std::string &platform, const sim_endpoint &e)
{
	return platform == "spr" && e.stack < 8 && e.part != 0;
}

} // namespace support

#endif
