// SPDX-License-Identifier: BSD-3-Clause
// sim_registers.h - a simulated machine without the library, and its MSRs.
#ifndef SUPPORT_SIM_REGISTERS_H
#define SUPPORT_SIM_REGISTERS_H

#include <cstdint>
#include <string>

struct sim;

namespace support
{

class SimRegisters
{
      public:
	explicit SimRegisters(const std::string &spec);
	~SimRegisters();
	SimRegisters(const SimRegisters &) = delete;
	SimRegisters &operator=(const SimRegisters &) = delete;

	uint64_t get(uint32_t address, unsigned package = 0);
	void set(uint32_t address, uint64_t value, unsigned package = 0);
	// 0 or -errno
	int try_get(uint32_t address);
	int try_set(uint32_t address, uint64_t value);

	struct sim *sim = nullptr;
};

} // namespace support

#endif
