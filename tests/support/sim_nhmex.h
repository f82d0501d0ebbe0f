/* SPDX-License-Identifier: BSD-3-Clause */
// sim_nhmex.h - the simulated Xeon 7500 and E7 without the library: their registers, and a
// second of an event on any box.
#ifndef SUPPORT_SIM_NHMEX_H
#define SUPPORT_SIM_NHMEX_H

#include <cstdint>
#include <string>

#include "support/sim_registers.h"

struct sim_traffic;

namespace support::nhmex
{

inline constexpr uint64_t kSecond = 1000000000;
inline constexpr uint64_t kModulus = UINT64_C(1) << 48;
inline constexpr uint64_t kEnable = 1u << 22; // C, S, U and W controls
inline constexpr uint64_t kPmi = 1u << 20;
inline constexpr uint64_t kEdge = 1u << 18;
inline constexpr uint64_t kInvert = 1u << 23;
inline constexpr uint64_t kBitPmi = 1u << 6; // B and R controls
inline constexpr uint64_t kMatch = UINT64_C(1) << 63;

inline constexpr uint32_t kGlobal = 0xc00, kStatus = 0xc01, kClear = 0xc02;
inline constexpr uint64_t kUbox = 1, kRun = 1u << 28, kResetAll = 1u << 29, kFreeze = 1u << 31;

constexpr uint64_t wide(unsigned code, unsigned umask = 0, unsigned threshold = 0)
{
	return kEnable | code | umask << 8 | static_cast<uint64_t>(threshold) << 24;
}

constexpr uint64_t narrow(unsigned code) // B and R
{
	return 1 | code << 1;
}

constexpr uint64_t inc_sel(unsigned code) // M
{
	return 1 | 1u << 6 | code << 9;
}

constexpr uint64_t flag_sel(unsigned code)
{
	return 1 | 1u << 7 | code << 19;
}

class Machine : public SimRegisters
{
      public:
	explicit Machine(const std::string &spec);

	// The count of counter 0 of the box at head, after one second with a control value.
	uint64_t second(uint32_t head, uint64_t control, unsigned counter = 0);
	struct sim_traffic &traffic(unsigned package = 0);
	// Lines read from and written to the memory of the package, for two packages.
	double mem_reads();
	double mem_writes();
};

inline constexpr const char *kNhm = "nhmex:packages=2";
inline constexpr const char *kWsm = "wsmex:packages=2,cores=10";

} // namespace support::nhmex

#endif
