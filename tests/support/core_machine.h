/* SPDX-License-Identifier: BSD-3-Clause */
// core_machine.h - a simulated machine behind the library, and the registers of its individual
// CPUs. Numbers are the manual's (SDM vol. 3B 18.2).
#ifndef SUPPORT_CORE_MACHINE_H
#define SUPPORT_CORE_MACHINE_H

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"

namespace support::core
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint32_t kSelect = 0x186, kPmc = 0xc1, kFixed = 0x309;
constexpr uint32_t kFixedControl = 0x38d, kStatus = 0x38e, kGlobal = 0x38f, kReset = 0x390;
constexpr uint32_t kSet = 0x391, kInUse = 0x392, kDebug = 0x1d9;
constexpr uint64_t kFrozen = uint64_t{1} << 59;
constexpr uint64_t kBoth = 0x30000, kEnable = 0x400000, kInt = 0x100000;

// The bit of fixed counter i in the global registers.
constexpr uint64_t fixed_bit(unsigned i)
{
	return uint64_t{1} << (32 + i);
}

class Machine : public Handle
{
      public:
	explicit Machine(const std::string &spec, int force = 0)
	    : Handle(options(("sim:" + spec + ":time=virtual,packages=2,cores=4").c_str(), force))
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}

	void advance(uint64_t ns = kSecond)
	{
		sim_advance(sim, ns);
	}
	uint64_t get(uint32_t msr, unsigned cpu)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_cpu_msr_read(sim, cpu, msr, &value)) << std::hex << msr;
		return value;
	}
	void set(uint32_t msr, uint64_t value, unsigned cpu)
	{
		EXPECT_EQ(0, sim_cpu_msr_write(sim, cpu, msr, value)) << std::hex << msr;
	}
	double rate(unsigned cpu, uint64_t select)
	{
		return sim_core_rate(sim, cpu, select);
	}
	// All controls of all CPUs.
	std::map<std::pair<unsigned, uint32_t>, uint64_t> controls()
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

	struct sim *sim = nullptr;

      private:
	static uncore_options options(const char *spec, int force)
	{
		auto o = support::sized<uncore_options>();

		// only needs to live until the base class's constructor returns
		o.machine = spec;
		o.force = force;
		return o;
	}
};

inline bool mentions(const std::string &message, const std::string &part)
{
	return message.find(part) != std::string::npos;
}

} // namespace support::core

#endif
