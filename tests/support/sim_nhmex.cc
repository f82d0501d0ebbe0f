// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_nhmex.h"

#include "sim/sim.h"

namespace support::nhmex
{

Machine::Machine(const std::string &spec) : SimRegisters(spec + ",time=virtual")
{
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
