// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_nhmex.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace support::nhmex
{

Machine::Machine(const std::string &spec)
{
	char err[200] = "";

	if (sim_open((spec + ",time=virtual").c_str(), &sim, err, sizeof(err)) != 0)
		throw std::runtime_error(err);
}

Machine::~Machine()
{
	sim_close(sim);
}

uint64_t Machine::get(uint32_t address, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
	return value;
}

void Machine::set(uint32_t address, uint64_t value, unsigned package)
{
	EXPECT_EQ(0, sim_msr_write(sim, package, address, value))
		<< std::hex << address << " = " << value;
}

int Machine::try_set(uint32_t address, uint64_t value)
{
	return sim_msr_write(sim, 0, address, value);
}

int Machine::try_get(uint32_t address)
{
	uint64_t value;

	return sim_msr_read(sim, 0, address, &value);
}

uint64_t Machine::second(uint32_t head, uint64_t control, unsigned counter)
{
	uint32_t ctl = head + 0x10 + 2 * counter;

	set(kGlobal, 0);
	set(ctl, control);
	set(ctl + 1, 0);
	set(head, UINT64_C(1) << counter);
	set(kGlobal, kRun);
	sim_advance(sim, kSecond);
	set(kGlobal, 0);
	set(ctl, 0);
	return get(ctl + 1);
}

struct sim_traffic &Machine::traffic(unsigned package)
{
	return *sim_traffic(sim, package);
}

double Machine::mem_reads()
{
	return traffic(0).reads * (1 - traffic(0).remote_reads) +
	       traffic(1).reads * traffic(1).remote_reads;
}

double Machine::mem_writes()
{
	return traffic(0).writes * (1 - traffic(0).remote_writes) +
	       traffic(1).writes * traffic(1).remote_writes;
}

} // namespace support::nhmex
