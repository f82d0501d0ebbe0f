/* SPDX-License-Identifier: BSD-3-Clause */
// ex.h - Nehalem-EX and Westmere-EX in tests: their events as codes, and a simulated machine
// with its registers and its truth.
//
// Codes and registers are written as in docs/hardware/nhmex.md.
#ifndef SUPPORT_EX_H
#define SUPPORT_EX_H

#include <cmath>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "sim/sim.h"
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

inline std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

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
	explicit Machine(const Platform &on, const std::string &options = ",packages=2")
	    : Handle(support::sim_options(("sim:" + on.name + ":time=virtual,cores=" +
					   std::to_string(on.cores) + options)
						  .c_str()))
	{
		if (code != 0)
			throw std::runtime_error(message());
		sim = unc_hw_sim(unc_hw_of(u));
	}
	uint64_t get(uint32_t msr, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, msr, &value)) << std::hex << msr;
		return value;
	}
	void put(uint32_t msr, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, msr, value)) << std::hex << msr;
	}
	// Every PMON register except the counters, which follow each control.
	Registers registers()
	{
		Registers all;
		uint64_t value = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (uint32_t a = 0xc00; a < 0x1000; a++)
				if (!is_counter(a) && sim_msr_read(sim, p, a, &value) == 0)
					all[{p, a}] = value;
		all[{0, 0x395}] = get(0x395);
		return all;
	}
	double rate(const Truth &t, unsigned box, unsigned package)
	{
		return sim_rate(sim, package, t.kind, box, t.control, t.filter);
	}
	double total(const Known &k, int box = -1)
	{
		double sum = 0;

		for (unsigned p = 0; p < machine().packages; p++)
			for (unsigned b = 0; !std::isnan(rate(k.truth, b, p)); b++)
				if ((k.box < 0 || k.box == static_cast<int>(b)) &&
				    (box < 0 || box == static_cast<int>(b)))
					sum += rate(k.truth, b, p);
		return sum;
	}
	int64_t count(const std::string &event)
	{
		support::Set set(*this, {event});

		EXPECT_EQ(0, set.start()) << event << ": " << message();
		sim_advance(sim, kSecond);
		EXPECT_EQ(0, set.stop()) << event << ": " << message();
		return set.count();
	}

	struct sim *sim = nullptr;

      private:
	static bool is_counter(uint32_t msr)
	{
		static const struct {
			uint32_t first, n;
		} controls[] = {
			{0xc10, 1}, {0xc30, 4}, {0xc70, 4}, {0xc50, 4}, {0xcd0, 4},
			{0xc90, 4}, {0xcb0, 6}, {0xcf0, 6}, {0xe10, 8}, {0xe30, 8},
			{0xd10, 6}, {0xd30, 6}, {0xd50, 6}, {0xd70, 6}, {0xd90, 6},
			{0xdb0, 6}, {0xdd0, 6}, {0xdf0, 6}, {0xf50, 6}, {0xfd0, 6},
		};

		for (const auto &c : controls)
			if (msr >= c.first && msr < c.first + 2 * c.n)
				return (msr - c.first) % 2 == 1;
		return false;
	}
};

// Each box rounds its count down once.
inline void expect_near(double expected, int64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 100 + 1e-9 * expected);
}

class Ex : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();

	uint64_t fvc(unsigned slot, unsigned event, unsigned command = 0) const
	{
		return static_cast<uint64_t>(event) << (platform.fvc_event + 3 * slot) |
		       static_cast<uint64_t>(command) << platform.fvc_command;
	}
};

} // namespace support::ex

#endif
