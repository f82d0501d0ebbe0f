// SPDX-License-Identifier: BSD-3-Clause
#include "support/core_machine.h"

#include <stdexcept>

#include "set/inside.h"
#include "sim/sim.h"

namespace support::core
{

Machine::Machine(const std::string &spec, int force)
    : Handle(options(("sim:" + spec + ":time=virtual,packages=2,cores=4").c_str(), force))
{
	if (code != 0)
		throw std::runtime_error(message());
	sim = unc_hw_sim(unc_hw_of(u));
}

void Machine::advance(uint64_t ns)
{
	sim_advance(sim, ns);
}

uint64_t Machine::get(uint32_t msr, unsigned cpu)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_cpu_msr_read(sim, cpu, msr, &value)) << std::hex << msr;
	return value;
}

void Machine::set(uint32_t msr, uint64_t value, unsigned cpu)
{
	EXPECT_EQ(0, sim_cpu_msr_write(sim, cpu, msr, value)) << std::hex << msr;
}

double Machine::rate(unsigned cpu, uint64_t select)
{
	return sim_core_rate(sim, cpu, select);
}

std::map<std::pair<unsigned, uint32_t>, uint64_t> Machine::controls()
{
	std::map<std::pair<unsigned, uint32_t>, uint64_t> all;

	for (unsigned cpu = 0; cpu < 8; cpu++) {
		for (uint32_t msr : {kFixedControl, kGlobal, kDebug, kStatus})
			all[{cpu, msr}] = get(msr, cpu);
		for (unsigned i = 0; i < 8; i++)
			all[{cpu, kSelect + i}] = get(kSelect + i, cpu);
	}
	return all;
}

uncore_options Machine::options(const char *spec, int force)
{
	auto o = support::sized<uncore_options>();

	// only needs to live until the base class's constructor returns
	o.machine = spec;
	o.force = force;
	return o;
}

bool mentions(const std::string &message, const std::string &part)
{
	return message.find(part) != std::string::npos;
}

} // namespace support::core
