// SPDX-License-Identifier: BSD-3-Clause
// coverage_test.cc - runs of random length, load and traffic: the true rates, those of the
// simulator, are within the errors that `uncore explain` states.  UNCORE_EXPLAIN_RUNS=1000 makes
// that many of them, UNCORE_EXPLAIN_SEED changes them, UNCORE_EXPLAIN_VERBOSE=1 prints the values
// outside.  Without them there are a few short ones, and no load that would disturb other tests.
#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "set/inside.h"
#include "support/handle.h"
#include "support/sim_machine.h"

extern "C" {
#include "command/base/clock.h"
#include "command/explain/collect.h"
}

namespace
{

using support::Handle;
using support::sized;

const std::array<const char *, 3> kMachines = {
	"sim:skx:packages=1,cores=8", "sim:icx:packages=1,cores=8", "sim:spr:packages=1,cores=8"};

unsigned number_of(const char *variable, unsigned otherwise)
{
	const char *value = getenv(variable);

	return value ? (unsigned)strtoul(value, nullptr, 10) : otherwise;
}

// ---- load ----

// Busy processes, and one that stops this process for a moment again and again.
class Load
{
      public:
	Load(unsigned busy, bool stutter)
	{
		for (unsigned i = 0; i < busy; i++)
			start([] {
				for (;;)
					;
			});
		if (stutter)
			start([parent = getpid()] {
				for (useconds_t i = 0;; i = (i + 7) % 50) {
					usleep(100000 + 3000 * i);
					kill(parent, SIGSTOP);
					usleep(5000 + 1000 * i);
					kill(parent, SIGCONT);
				}
			});
	}
	~Load()
	{
		for (pid_t child : children) {
			kill(child, SIGKILL);
			waitpid(child, nullptr, 0);
		}
		kill(getpid(), SIGCONT);
	}

      private:
	template <typename Body> void start(Body body)
	{
		const pid_t child = fork();

		if (child == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			body();
		}
		children.push_back(child);
	}
	std::vector<pid_t> children;
};

// ---- true rates ----

using Rates = std::map<unsigned, double>; // by quantity

// Each event in a set of its own, which is never multiplexed.
double rate_alone(const Handle &h, const std::string &name)
{
	struct uncore_set *set = nullptr;
	int64_t first = 0, last = 0, from = 0, to = 0;
	unsigned id;

	EXPECT_EQ(0, uncore_event(h.u, name.c_str(), &id)) << h.message();
	EXPECT_EQ(0, uncore_set_create(h.u, &set));
	EXPECT_EQ(0, uncore_set_assign(set, &id, 1)) << h.message();
	EXPECT_EQ(0, uncore_set_start(set)) << h.message();
	EXPECT_EQ(0, uncore_set_read_timed(set, &first, &from));
	usleep(50000);
	EXPECT_EQ(0, uncore_set_read_timed(set, &last, &to));
	uncore_set_destroy(set);
	return (double)(last - first) / (double)(to - from) * 1e9;
}

Rates steady_rates(const Handle &h)
{
	collection events;
	Rates rates;

	collection_new(&events, h.u, 0.1, nullptr);
	for (unsigned q = 0; q < QUANTITIES; q++)
		if (events.names[q] && q != Q_FASTEST)
			rates[q] = rate_alone(h, events.names[q]);
	collection_free(&events);
	return rates;
}

// Clocks do not follow the traffic, and these follow it in part.
bool is_clock(unsigned q)
{
	return q == Q_DCLK || q == Q_UCLK || q == Q_PCU;
}

bool follows_in_part(unsigned q)
{
	return q == Q_LINK_SLOTS || q == Q_ACTIVE || q == Q_TOO_HOT || q == Q_POWER;
}

// ---- runs ----

enum kind { kSteady, kPeriodic, kBursts };

struct Planned {
	explicit Planned(std::mt19937 &random)
	{
		using real = std::uniform_real_distribution<double>;
		using whole = std::uniform_int_distribution<unsigned>;

		seconds = std::exp(real(std::log(1e-3), std::log(10))(random));
		busy = whole(0, 8)(random);
		stutter = whole(0, 5)(random) == 0;
		machine = whole(0, kMachines.size() - 1)(random);
		traffic = (kind)whole(0, 2)(random);
		period = std::exp(real(std::log(1e-3), std::log(3))(random));
	}
	void make_short()
	{
		seconds = std::min(seconds, 1.0);
		busy = 0;
		stutter = false;
	}
	sim_pattern pattern() const
	{
		sim_pattern p = {};

		p.period_ns = traffic == kSteady ? 0 : (uint64_t)(1e9 * period);
		p.busy = traffic == kPeriodic ? 0.5 : 0.1;
		p.quiet = traffic == kPeriodic ? 0.3 : 0.05;
		p.scattered = traffic == kBursts;
		return p;
	}
	double seconds, period;
	unsigned busy, machine;
	bool stutter;
	kind traffic;
};

struct Result {
	package_facts facts;
	std::array<bool, QUANTITIES> unanswered;
};

Result count(const Handle &h, const Planned &run)
{
	collection counted;
	Result result = {};
	facts all;

	collection_new(&counted, h.u, 0.1, nullptr);
	EXPECT_EQ(0, collection_start(&counted)) << (counted.missing ? counted.missing : "");
	EXPECT_EQ(0, collection_sample(&counted, 0));
	for (double left = run.seconds; left > 0; left -= 0.1) {
		const double end = seconds_now() + std::min(left, 0.1);

		while (seconds_now() < end) {
			const double now = end - seconds_now();

			usleep((useconds_t)(1e6 * std::clamp(collection_pace(&counted), 0.0, now)));
			EXPECT_EQ(0, seconds_now() < end ? collection_look(&counted) : 0);
		}
		EXPECT_EQ(0, collection_sample(&counted, 0));
	}
	EXPECT_EQ(0, collection_stop(&counted));
	const span whole = {0, counted.rows - 1};
	collection_facts(&counted, &whole, 1, &all);
	for (unsigned q = 0; q < QUANTITIES; q++)
		result.unanswered[q] = is_unanswered(&all, (quantity)q);
	result.facts = all.at[0];
	facts_free(&all);
	collection_free(&counted);
	return result;
}

// ---- all of them ----

struct Tally {
	unsigned values = 0, outside = 0, far = 0;
	void add(double is, double error, double truth)
	{
		const double apart = std::fabs(is - truth),
			     noise = 2e-4 * truth; // of the rate alone

		values++;
		outside += apart > error + noise;
		far += apart > 3 * error + noise;
	}
};

// Multiplexed values of bursts are excepted: a burst may fall into no window.
void compare(const Planned &run, const Result &r, const Rates &steady, Tally *all, Tally *of_kind)
{
	const double factor = run.traffic == kSteady ? 1 : r.facts.rate[Q_READ] / steady.at(Q_READ);

	for (const auto &[q, rate] : steady) {
		const double truth = rate * (is_clock(q) ? 1 : factor);

		if (std::isnan(r.facts.rate[q]) || (run.traffic == kBursts && r.facts.window[q]) ||
		    (run.traffic != kSteady && follows_in_part(q)))
			continue;
		all->add(r.facts.rate[q], r.facts.error[q], truth);
		of_kind->add(r.facts.rate[q], r.facts.error[q], truth);
		if (getenv("UNCORE_EXPLAIN_VERBOSE") &&
		    std::fabs(r.facts.rate[q] - truth) > r.facts.error[q] + 2e-4 * truth)
			std::cout << kMachines[run.machine] << " " << run.seconds << " s, busy "
				  << run.busy << (run.stutter ? ", stutter" : "") << ", kind "
				  << run.traffic << ", period " << run.period << ": "
				  << r.facts.name[q] << " " << r.facts.rate[q] / truth << " +- "
				  << r.facts.error[q] / truth << "\n";
	}
}

TEST(Coverage, TrueRatesAreWithinTheErrors)
{
	const unsigned wanted = number_of("UNCORE_EXPLAIN_RUNS", 0), runs = wanted ? wanted : 6;
	std::mt19937 random(number_of("UNCORE_EXPLAIN_SEED", 1));
	std::array<Rates, kMachines.size()> steady;
	std::array<Tally, 3> kinds;
	unsigned withheld = 0;
	Tally all;

	for (unsigned i = 0; i < runs; i++) {
		Planned run(random);
		auto options = sized<uncore_options>();
		if (!wanted)
			run.make_short();
		options.machine = kMachines[run.machine];
		const Handle h(options);
		ASSERT_EQ(0, h.code) << h.message();
		if (steady[run.machine].empty())
			steady[run.machine] = steady_rates(h);
		sim_traffic(unc_hw_sim(unc_hw_of(h.u)), 0)->pattern = run.pattern();
		const Load load(run.busy, run.stutter);
		const Result r = count(h, run);

		compare(run, r, steady[run.machine], &all, &kinds[run.traffic]);
		if (run.seconds >= 0.5 && run.busy <= 2 && !run.stutter)
			withheld += std::count(r.unanswered.begin(), r.unanswered.end(), true);
	}
	for (unsigned k = 0; k < 3; k++)
		std::cout << (k == kSteady     ? "steady"
			      : k == kPeriodic ? "periodic"
					       : "bursts")
			  << ": " << kinds[k].values << " values, " << kinds[k].outside
			  << " outside, " << kinds[k].far << " beyond three times their error\n";
	// Few windows can all fall into the same part of a period: docs/accuracy.md.
	EXPECT_LE(all.outside, 0.05 * all.values + 5);
	EXPECT_LE(all.far, 0.01 * all.values + 5);
	EXPECT_LE(kinds[kSteady].far, 0.001 * kinds[kSteady].values + 2);
	EXPECT_EQ(0U, withheld);
}

} // namespace
