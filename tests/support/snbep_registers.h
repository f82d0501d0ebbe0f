/* SPDX-License-Identifier: BSD-3-Clause */
// snbep_registers.h - the registers of a box of a Xeon E5-2600 and their bits: literals from
// docs/hardware/snbep.md.
#ifndef SUPPORT_SNBEP_REGISTERS_H
#define SUPPORT_SNBEP_REGISTERS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace support::snbep
{

struct Kind {
	bool pci;
	unsigned counters;
	uint32_t box_ctl;                     // 0: none
	std::vector<uint32_t> ctl, ctr;       // box 0
	std::map<uint32_t, uint64_t> filters; // register -> bits
	uint32_t bits;                        // bits of a control that an event may set
	uint32_t fixed_ctl, fixed_ctr;
	uint32_t stride;
	std::vector<uint8_t> devfn, extra; // by box number
};

constexpr uint8_t at(unsigned device, unsigned function)
{
	return static_cast<uint8_t>(device << 3 | function);
}

Kind pci_kind(unsigned counters, uint32_t bits, std::vector<uint8_t> devfn);

const Kind &kind_of(const std::string &name);

} // namespace support::snbep

#endif
