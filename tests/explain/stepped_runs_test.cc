// SPDX-License-Identifier: BSD-3-Clause
// stepped_runs_test.cc - runs of random length, traffic and stalls on simulated machines whose time
// is stepped: the true rates are within the errors that `uncore explain` states.  The truth is
// computed from the simulator's rates and its pattern of traffic, at times that this test notes.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explain/stepped_machine.h"
#include "support/seeds.h"

namespace
{

using namespace explain_test;

// ---- runs ----

enum kind { kSteady, kPeriodic, kBursts, kKinds };
const std::array<const char *, kKinds> kNames = {"steady", "periodic", "bursts"};

struct Planned {
	Planned(std::mt19937 &random, kind of) : traffic(of)
	{
		std::uniform_real_distribution<double> unit(0, 1);
		const unsigned stall = random() % 3;

		seconds = 1e-3 * std::pow(1e4, unit(random));
		period = 1e-3 * std::pow(3e3, unit(random));
		before = 3 * unit(random);
		stalls = stall == 0 ? 0 : stall == 1 ? kFew : kMany;
		seed = (unsigned)random();
	}
	sim_pattern pattern() const
	{
		const auto ns = (uint64_t)(1e9 * period);

		if (traffic == kPeriodic)
			return {ns, 0.5, 0.3, false};
		return traffic == kBursts ? sim_pattern{ns, 0.1, 0.05, true} : sim_pattern{};
	}
	kind traffic;
	double seconds, period, before;
	unsigned stalls, seed;
};

struct Result {
	package_facts facts;
	// of the traffic in the time of each quantity, compared with steady traffic
	std::array<double, QUANTITIES> factors;
};

Result count(Machine &m, const Planned &run)
{
	sim_traffic(m.sim, 0)->pattern = run.pattern();
	m.stalls = run.stalls;
	m.random.seed(run.seed);
	m.advance((uint64_t)(1e9 * run.before));
	EXPECT_EQ(0, collection_start(&m.counted)) << (m.counted.missing ? m.counted.missing : "");
	EXPECT_EQ(0, collection_sample(&m.counted, 0));
	const uint64_t from = m.middle();
	m.count(run.seconds);
	const uint64_t to = m.middle();
	EXPECT_EQ(0, collection_stop(&m.counted));

	const span whole = {0, m.counted.rows - 1};
	facts all;
	collection_facts(&m.counted, &whole, 1, &all);
	Result result = {all.at[0], {}};
	for (size_t i = 0; i < m.counted.basket.n_events; i++) {
		const quantity q = m.counted.events[i].quantity;
		// multiplexed events count from the start of their set
		const double earlier = result.facts.window[q] ? m.counted.samples[i].seconds : 0;
		const uint64_t since = from - (uint64_t)(1e9 * earlier);

		result.factors[q] =
			(double)(sim_active(m.sim, 0, to) - sim_active(m.sim, 0, since)) /
			(double)(to - since);
	}
	facts_free(&all);
	return result;
}

// ---- all of them ----

// Clocks do not follow the traffic, and others do in part.
bool is_clock(unsigned q)
{
	return q == Q_DCLK || q == Q_UCLK || q == Q_PCU;
}

bool follows_in_part(unsigned q)
{
	return q == Q_LINK_SLOTS || q == Q_ACTIVE || q == Q_TOO_HOT || q == Q_POWER;
}

struct Tally {
	unsigned values = 0, outside = 0, far = 0, withheld = 0;
	std::vector<double> errors; // relative, of about a second; of about ten

	double median()
	{
		std::sort(errors.begin(), errors.end());
		return errors.empty() ? NAN : errors[errors.size() / 2];
	}
};

struct Tallies {
	// Multiplexed values of bursts apart: a burst may fall into no window.
	std::array<Tally, kKinds> of;
	Tally excepted, second, ten;

	void add(const Planned &run, double is, double error, double truth, bool multiplexed)
	{
		Tally &t = run.traffic == kBursts && multiplexed ? excepted : of[run.traffic];
		const double noise = 1e-5 * truth, apart = std::fabs(is - truth);

		t.withheld += std::isnan(is) && run.seconds >= 0.5 && run.stalls != kMany;
		if (std::isnan(is))
			return;
		t.values++;
		t.outside += apart > error + noise;
		t.far += apart > 3 * error + noise;
		if (run.traffic == kSteady && run.stalls != kMany && truth > 0 && multiplexed) {
			if (run.seconds > 0.7 && run.seconds < 1.4)
				second.errors.push_back(error / truth);
			if (run.seconds > 5)
				ten.errors.push_back(error / truth * std::sqrt(run.seconds / 10));
		}
	}
};

void compare(const Planned &run, const Result &result, const Machine &m, Tallies *all)
{
	for (const auto &[q, rate] : m.rates) {
		const double truth = rate * (is_clock(q) ? 1 : result.factors[q]);

		if (run.traffic == kSteady || !follows_in_part(q))
			all->add(run, result.facts.rate[q], result.facts.error[q], truth,
				 result.facts.window[q] != 0);
	}
}

TEST(SteppedRuns, TrueRatesAreWithinTheErrors)
{
	std::array<std::unique_ptr<Machine>, 6> machines;
	const unsigned runs = support::part_of(1500U);
	std::mt19937 random(20261129);
	Tallies all;

	for (size_t i = 0; i < machines.size(); i++)
		machines[i] = std::make_unique<Machine>(
			std::array<const char *, 6>{"hswep", "skx", "icx", "spr", "gnr", "srf"}[i]);
	for (unsigned i = 0; i < runs; i++) {
		Machine &m = *machines[i / kKinds % machines.size()];
		const Planned run(random, (kind)(i % kKinds));

		compare(run, count(m, run), m, &all);
	}
	for (unsigned k = 0; k < kKinds; k++) {
		Tally &t = all.of[k];

		std::cout << kNames[k] << ": " << t.values << " values, " << t.outside
			  << " outside, " << t.far << " beyond three times their error\n";
		EXPECT_LT(runs, t.values);
		EXPECT_LE(t.outside, 0.05 * t.values) << kNames[k];
		EXPECT_LE(t.far, 0.001 * t.values) << kNames[k];
		EXPECT_EQ(0U, t.withheld) << kNames[k];
	}
	std::cout << "multiplexed, bursts: " << all.excepted.values << " values, "
		  << all.excepted.outside << " outside, " << all.excepted.far
		  << " beyond three times their error\n";
	EXPECT_LE(all.excepted.outside, 0.05 * all.excepted.values);
	EXPECT_EQ(0U, all.excepted.withheld);
	EXPECT_LE(all.second.median(), 0.02);
	EXPECT_LE(all.ten.median(), 0.005);
}

} // namespace
