/* SPDX-License-Identifier: BSD-3-Clause */
// sim_snbep.h - the simulated Xeon E5-2600 without the library: its registers, and a second of
// an event on each box type.
#ifndef SUPPORT_SIM_SNBEP_H
#define SUPPORT_SIM_SNBEP_H

#include <cstdint>
#include <string>

#include "sim/sim.h"
#include "support/sim_registers.h"

namespace support::snbep
{

inline constexpr uint64_t kSecond = 1000000000;
inline constexpr uint64_t kEnable = 1u << 22;
inline constexpr uint64_t kReset = 1u << 17;
inline constexpr uint64_t kEdge = 1u << 18;
inline constexpr uint64_t kTid = 1u << 19;
inline constexpr uint64_t kInvert = 1u << 23;
inline constexpr uint64_t kRun = 0x10000, kFreeze = 0x10100, kInit = 0x10103;
inline constexpr uint32_t kBoxControl = 0xf4;

constexpr uint64_t event(unsigned code, unsigned umask = 0, unsigned threshold = 0)
{
	return (code & 0xff) | (code >> 8 & 1) << 21 | umask << 8 |
	       static_cast<uint64_t>(threshold) << 24;
}

class Machine : public SimRegisters
{
      public:
	explicit Machine(const std::string &options = "time=virtual");

	// The function with this device id in a package.
	const sim_pci &function(uint16_t device, int node = 0);
	uint64_t config(uint16_t device, uint32_t offset, unsigned width = 32, int node = 0);
	void set_config(uint16_t device, uint32_t offset, uint64_t value, unsigned width = 32,
			int node = 0);
	// Counts one event for a time on a PCI box, and leaves the box frozen.
	uint64_t count(uint16_t device, uint64_t control, int node = 0, uint64_t ns = kSecond,
		       unsigned counter = 0);
	// The same on CBo `box`.
	uint64_t count_cbox(unsigned box, uint64_t control, uint64_t filter = 0,
			    unsigned counter = 0, unsigned package = 0);
	uint64_t count_pcu(uint64_t control, uint64_t filter = 0);
	double rate(const char *kind, unsigned box, uint64_t control, uint64_t filter = 0,
		    unsigned package = 0);
	// The sum over all CBos of a package.
	double all_cboxes(uint64_t control, uint64_t filter = 0, unsigned package = 0);
};

constexpr uint64_t opcode(unsigned opc)
{
	return static_cast<uint64_t>(opc) << 23;
}

void expect_near(double expected, double actual);

} // namespace support::snbep

#endif
