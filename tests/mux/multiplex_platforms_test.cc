// SPDX-License-Identifier: BSD-3-Clause
// multiplex_platforms_test.cc - turns on machines of all generations, under steady traffic and
// under traffic that comes and goes.  The truth is what the events count one by one, each
// alone on a machine of its own, over the same time.
#include <cmath>

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

class Machine : public Handle
{
      public:
	Machine(const std::string &platform, const sim_pattern &pattern)
	    : Handle(support::sim_options(
		      ("sim:" + platform + ":packages=2,cores=2,time=virtual").c_str())),
	      sim(unc_hw_sim(unc_hw_of(u)))
	{
		for (unsigned p = 0; p < 2; p++)
			sim_traffic(sim, p)->pattern = pattern;
	}
	// Lets time pass, and the turns go by it.
	void pass(uint64_t ns)
	{
		for (const uint64_t end = sim_now(sim) + ns; sim_now(sim) < end;) {
			const auto next = static_cast<uint64_t>(unc_multiplex_due(u));

			sim_advance(sim, std::min(next, end) - sim_now(sim));
		}
	}

	struct sim *sim;
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

// docs/accuracy.md tells what is to be expected; here, that it is not much worse.
TEST_P(MultiplexOn, TrafficThatComesAndGoesIsEstimated)
{
	EXPECT_LT(largest_error(GetParam(), {kMillisecond, 0.5, 0, false}), 0.03);
	EXPECT_LT(largest_error(GetParam(), {10 * kMillisecond, 0.1, 0, true}), 0.5);
	// As long as a cycle of two rounds: in step with the turns, if they were all as long.
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
