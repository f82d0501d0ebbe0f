// SPDX-License-Identifier: BSD-3-Clause
// multiplex_platforms_test.cc - multiplexing on machines of all generations, under steady
// traffic and under bursts. The expected values are counted one event at a time, each on its
// own machine, over the same time.
#include <cmath>

#include "set/inside.h"
#include "support/multiplexed.h"

namespace
{

using support::Handle;
using support::kMillisecond;
using support::Multiplexed;

struct Case {
	const char *platform;
	unsigned rounds;
	std::vector<std::string> events;
};

class Machine : public support::Stepped
{
      public:
	Machine(const std::string &platform, const sim_pattern &pattern)
	    : Stepped(platform, "packages=2,cores=2")
	{
		for (unsigned p = 0; p < 2; p++)
			sim_traffic(sim, p)->pattern = pattern;
	}
	// Lets time pass, and switches windows accordingly.
	void pass(uint64_t ns)
	{
		for (const uint64_t end = sim_now(sim) + ns; sim_now(sim) < end;) {
			const auto next = static_cast<uint64_t>(unc_multiplex_due(u));

			sim_advance(sim, std::min(next, end) - sim_now(sim));
		}
	}
};

std::vector<int64_t> count(const Case &c, const sim_pattern &pattern,
			   const std::vector<std::string> &events, unsigned rounds)
{
	Machine machine(c.platform, pattern);
	Multiplexed set(machine, events);

	EXPECT_EQ(rounds, set.rounds());
	machine.pass(12345678);
	EXPECT_EQ(0, set.start()) << machine.message();
	machine.pass(1000 * kMillisecond);
	EXPECT_EQ(0, set.stop()) << machine.message();
	return set.counts();
}

double largest_error(const Case &c, const sim_pattern &pattern)
{
	const auto counts = count(c, pattern, c.events, c.rounds);
	double most = 0;

	for (size_t e = 0; e < c.events.size(); e++) {
		const int64_t truth = count(c, pattern, {c.events[e]}, 1)[0];

		EXPECT_GT(truth, 0) << c.events[e];
		most = std::max(
			most,
			std::fabs(static_cast<double>(counts[e]) / static_cast<double>(truth) - 1));
	}
	return most;
}

class MultiplexOn : public testing::TestWithParam<Case>
{
};

TEST_P(MultiplexOn, SteadyTrafficIsCountedExactly)
{
	EXPECT_LT(largest_error(GetParam(), {}), 1e-6);
}

// docs/accuracy.md has the expected errors. This test checks that they are not much exceeded.
TEST_P(MultiplexOn, TrafficThatComesAndGoesIsEstimated)
{
	EXPECT_LT(largest_error(GetParam(), {kMillisecond, 0.5, 0, false}), 0.03);
	EXPECT_LT(largest_error(GetParam(), {10 * kMillisecond, 0.1, 0, true}), 0.5);
	// A burst as long as a cycle of two rounds: synchronous with windows, if they were of
	// equal length.
	EXPECT_LT(largest_error(GetParam(), {20 * kMillisecond, 0.5, 0, false}), 0.6);
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, MultiplexOn,
	testing::Values(
		Case{"snbep",
		     2,
		     {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ", "UNC_M_CAS_COUNT:RD"}},
		Case{"ivbep",
		     2,
		     {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ", "UNC_M_CAS_COUNT:RD"}},
		Case{"hswep", 2, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXR_OCCUPANCY:IRQ"}},
		Case{"nhmex", 2, {"UNC_B_TF_ALL", "UNC_B_TF_WR", "UNC_C_OCCUPANCY_IRQ"}},
		Case{"skx",
		     2,
		     {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_RXC_OCCUPANCY:IRQ", "UNC_M_CAS_COUNT:RD"}},
		Case{"icx",
		     2,
		     {"UNC_CHA_TOR_OCCUPANCY:IA", "UNC_CHA_RxC_OCCUPANCY:IRQ", "UNC_M_CLOCKTICKS"}},
		Case{"spr",
		     2,
		     {"UNC_CHA_TOR_OCCUPANCY:ALL", "UNC_CHA_TOR_OCCUPANCY:IA",
		      "UNC_CHA_CLOCKTICKS"}}),
	[](const auto &info) { return std::string(info.param.platform); });

} // namespace
