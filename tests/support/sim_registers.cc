// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_registers.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace support
{

SimRegisters::SimRegisters(const std::string &spec)
{
	char err[300] = "";

	if (sim_open(spec.c_str(), &sim, err, sizeof(err)) != 0)
		throw std::runtime_error(err);
}

SimRegisters::~SimRegisters()
{
	sim_close(sim);
}

uint64_t SimRegisters::get(uint32_t address, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
	return value;
}

void SimRegisters::set(uint32_t address, uint64_t value, unsigned package)
{
	EXPECT_EQ(0, sim_msr_write(sim, package, address, value))
		<< std::hex << address << " = " << value;
}

int SimRegisters::try_get(uint32_t address)
{
	uint64_t value;

	return sim_msr_read(sim, 0, address, &value);
}

int SimRegisters::try_set(uint32_t address, uint64_t value)
{
	return sim_msr_write(sim, 0, address, value);
}

} // namespace support
