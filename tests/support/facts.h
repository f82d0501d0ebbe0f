/* SPDX-License-Identifier: BSD-3-Clause */
// facts.h - where each kind of box has its registers: literals from docs/hardware, and not from
// events/ or src/sim.
#ifndef SUPPORT_FACTS_H
#define SUPPORT_FACTS_H

#include <cstdint>
#include <string>

namespace support::facts
{

enum class Space { kMsr, kPci, kMemory };

// Registers of box 0.
struct Kind {
	std::string platforms, names; // words
	Space space;
	unsigned counters;
	uint32_t box_control; // 0: none
	uint32_t control, control_step, counter, counter_step;
	uint32_t stride = 0;                           // of MSRs, from box to box
	uint32_t fixed_control = 0, fixed_counter = 0; // 0: none
	uint32_t (*distance)(unsigned box) = nullptr;  // where the stride is irregular

	// From the registers of box 0 to those of another.
	uint32_t away(unsigned box) const;
	uint32_t control_of(unsigned i) const;
	uint32_t counter_of(unsigned i) const;
};

const Kind &kind(const std::string &platform, const std::string &name);

} // namespace support::facts

#endif
