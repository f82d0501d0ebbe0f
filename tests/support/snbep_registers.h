/* SPDX-License-Identifier: BSD-3-Clause */
// snbep_registers.h - facts.h for the boxes of a Xeon E5-2600, with their bits and places:
// literals from docs/hardware/snbep.md.
#ifndef SUPPORT_SNBEP_REGISTERS_H
#define SUPPORT_SNBEP_REGISTERS_H

#include <map>
#include <vector>

#include "support/facts.h"

namespace support::snbep
{

struct Kind : facts::Kind {
	uint32_t bits;                        // bits of a control that an event may set
	std::map<uint32_t, uint64_t> filters; // register -> bits
	std::vector<uint8_t> devfn, extra;    // by box number

	bool is_pci() const;
	bool is_control(uint32_t address) const;
	bool is_counter(uint32_t address) const;
};

const Kind &kind_of(const std::string &name);

} // namespace support::snbep

#endif
