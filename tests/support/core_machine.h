/* SPDX-License-Identifier: BSD-3-Clause */
// core_machine.h - a simulated machine behind the library, and the registers of its individual
// CPUs. Numbers are the manual's (SDM vol. 3B 18.2).
#ifndef SUPPORT_CORE_MACHINE_H
#define SUPPORT_CORE_MACHINE_H

#include <map>
#include <string>

#include "support/handle.h"

struct sim;

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
	explicit Machine(const std::string &spec, int force = 0);

	void advance(uint64_t ns = kSecond);
	uint64_t get(uint32_t msr, unsigned cpu);
	void set(uint32_t msr, uint64_t value, unsigned cpu);
	double rate(unsigned cpu, uint64_t select);
	// All controls of all CPUs.
	std::map<std::pair<unsigned, uint32_t>, uint64_t> controls();

	struct sim *sim = nullptr;

      private:
	static uncore_options options(const char *spec, int force);
};

bool mentions(const std::string &message, const std::string &part);

} // namespace support::core

#endif
