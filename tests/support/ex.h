/* SPDX-License-Identifier: BSD-3-Clause */
// ex.h - Nehalem-EX and Westmere-EX in tests: their events as codes, and a simulated machine
// with its registers and its truth.
//
// Codes and registers are written as in docs/hardware/nhmex.md.
#ifndef SUPPORT_EX_H
#define SUPPORT_EX_H

#include <map>

#include <gtest/gtest.h>

#include "support/sim_machine.h"

namespace support::ex
{

// An event as sim_rate() takes it.
struct Truth {
	const char *kind;
	uint64_t control;
	uint64_t filter = 0; // sub-control registers: config1, PLD or the mask above
};

struct Known {
	const char *event;
	Truth truth;
	int box = -1; // a port is in one box
};

struct Platform {
	std::string name;
	unsigned events, cores;
	unsigned fvc_event, fvc_command; // lowest bits of the fields of ZDP_CTL_FVC
	std::vector<Known> known;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform);

constexpr uint64_t inc(unsigned sel)
{
	return sel << 9 | 1u << 6;
}

constexpr uint64_t flag(unsigned sel)
{
	return sel << 19 | 1u << 7 | 1u << 6;
}

constexpr uint64_t on(unsigned counter, unsigned code) // a B-Box event
{
	return counter << 6 | code << 1;
}

constexpr uint64_t port(unsigned p, unsigned k) // an R-Box event
{
	return (6 * p + k) << 1;
}

using Registers = std::map<std::pair<unsigned, uint32_t>, uint64_t>;

class Machine : public support::Handle
{
      public:
	explicit Machine(const Platform &on, const std::string &options = ",packages=2");
	uint64_t get(uint32_t msr, unsigned package = 0);
	void put(uint32_t msr, uint64_t value, unsigned package = 0);
	// Every PMON register except the counters, which follow each control.
	Registers registers();
	double rate(const Truth &t, unsigned box, unsigned package);
	double total(const Known &k, int box = -1);
	int64_t count(const std::string &event);

	struct sim *sim = nullptr;

      private:
	static bool is_counter(uint32_t msr);
};

// Each box rounds its count down once.
void expect_near(double expected, int64_t actual);

class Ex : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();

	uint64_t fvc(unsigned slot, unsigned event, unsigned command = 0) const;
};

} // namespace support::ex

#endif
