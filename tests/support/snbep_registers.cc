// SPDX-License-Identifier: BSD-3-Clause
#include "support/snbep_registers.h"

namespace support::snbep
{

namespace
{

constexpr uint8_t at(unsigned device, unsigned function)
{
	return static_cast<uint8_t>(device << 3 | function);
}

} // namespace

bool Kind::is_pci() const
{
	return space == facts::Space::kPci;
}

bool Kind::is_control(uint32_t address) const
{
	return address >= control && address < control_of(counters) &&
	       (address - control) % control_step == 0;
}

bool Kind::is_counter(uint32_t address) const
{
	return address >= counter && address < counter_of(counters) &&
	       (address - counter) % counter_step == 0;
}

const Kind &kind_of(const std::string &name)
{
	const auto of = [](const char *kind) { return facts::kind("snbep", kind); };
	static const std::map<std::string, Kind> kinds = {
		{"cbo", {of("cbo"), 0xff8cffff, {{0xd14, 0xfffffc1f}}, {}, {}}},
		{"ubo", {of("ubo"), 0x1f84ffff, {}, {}, {}}},
		// bit 21: docs/reference/differences.md, events with +x; the driver masks it off
		{"pcu", {of("pcu"), 0xdfa4c0ff, {{0xc34, 0xffffffff}}, {}, {}}},
		{"ha",
		 {of("ha"),
		  0xff84ffff,
		  {{0x40, 0xffffffc0}, {0x44, 0x3fff}, {0x48, 0x3f}},
		  {at(14, 1)},
		  {}}},
		{"imc",
		 {of("imc"), 0xff84ffff, {}, {at(16, 0), at(16, 1), at(16, 4), at(16, 5)}, {}}},
		{"qpi",
		 {of("qpi"),
		  0xffa4ffff,
		  {{0x228, ~0u}, {0x22c, ~0u}, {0x238, ~0u}, {0x23c, ~0u}},
		  {at(8, 2), at(9, 2)},
		  {at(8, 6), at(9, 6)}}},
		{"r2pcie", {of("r2pcie"), 0xff84ffff, {}, {at(19, 1)}, {}}},
		{"r3qpi", {of("r3qpi"), 0xff84ffff, {}, {at(19, 5), at(19, 6)}, {}}},
	};

	return kinds.at(name);
}

} // namespace support::snbep
