/* SPDX-License-Identifier: BSD-3-Clause */
// sim_platforms.h - the simulated Xeons newer than SNB-EP: their register maps as literal
// numbers.
#ifndef SUPPORT_SIM_PLATFORMS_H
#define SUPPORT_SIM_PLATFORMS_H

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "support/facts.h"

namespace support::platforms
{

inline constexpr uint64_t kSecond = 1000000000;
inline constexpr uint64_t kEnable = 1u << 22, kOverflow = 1u << 20;
inline constexpr uint64_t kFreeze = 0x100;

using By = facts::Space;

struct Place {
	uint32_t device = 0; // PCI
	unsigned devfn = 0;
};

Place at(uint32_t device, unsigned dev, unsigned function);

// The registers of a kind, the positions of its boxes, and a clock event.
struct Kind : facts::Kind {
	const char *name; // the simulator's
	unsigned n, width, clock;
	std::vector<Place> places;  // PCI
	std::vector<uint32_t> list; // counters, if irregular
};

struct Platform {
	std::string name;
	unsigned model, max_cores;
	uint64_t run;
	uint32_t global, status;
	uint64_t freeze_all, unfreeze_all;
	uint16_t node_device;
	uint32_t node_id, node_map;
	bool higher; // a bus without U-Box belongs to the next higher bus with one
	std::vector<Kind> kinds;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

Platform ivbep();

Platform ring(const std::string &name, unsigned model, unsigned cores, unsigned max_cores,
	      uint32_t id, unsigned narrow);

Platform skx();

Platform knl();

Platform icx();

} // namespace support::platforms

#endif
