// SPDX-License-Identifier: BSD-3-Clause
// coverage_test.cc - runs of random length, load and traffic: the true rates, those of the
// simulator, are within the errors that `uncore explain` states.  UNCORE_EXPLAIN_RUNS=1000 makes
// that many of them, UNCORE_EXPLAIN_SEED changes them, UNCORE_EXPLAIN_VERBOSE=1 prints the values
// outside.  Without them there are a few short ones, and no load that would disturb other tests.
#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "set/inside.h"
#include "support/coverage.h"
#include "support/handle.h"
#include "support/sim_machine.h"
#include "support/stepped.h"

extern "C" {
#include "command/base/clock.h"
#include "command/explain/collect.h"
}

namespace
{

using support::Handle;
using support::Load;
using support::number_of;
using support::sized;
using support::Tally;

struct MachineName {
	const char *platform, *options;
};

const std::array<MachineName, 6> kMachines = {{{"skx", "packages=2,cores=8"},
					       {"hswep", "packages=2,cores=8"},
					       {"icx", "packages=1,cores=8"},
					       {"spr", "packages=1,cores=8"},
					       {"gnr", "packages=1,cores=8"},
					       {"srf", "packages=1,cores=8"}}};

// ---- true rates ----

using Rates = std::map<unsigned, double>; // by quantity

// Of each package while there is traffic: those of the same machine with stepped time, where each
// event is in a set of its own, which is never multiplexed.
double rate_alone(support::Stepped &machine, const std::string &name)
{
	struct uncore_set *set = nullptr;
	int64_t count = 0;
	unsigned id = machine.event(name);

	EXPECT_EQ(0, uncore_set_create(machine.u, &set));
	EXPECT_EQ(0, uncore_set_assign(set, &id, 1)) << machine.message();
	EXPECT_EQ(0, uncore_set_start(set)) << machine.message();
	machine.advance(10 * support::kSecond);
	EXPECT_EQ(0, uncore_set_read(set, &count));
	uncore_set_destroy(set);
	return (double)count / 10;
}

std::vector<Rates> steady_rates(const MachineName &name)
{
	support::Stepped machine(name.platform, name.options);
	collection events;

	collection_new(&events, machine.u, 0.1, nullptr, nullptr);
	std::vector<Rates> rates(events.packages);
	for (unsigned p = 0; p < events.packages; p++)
		for (unsigned q = 0; q < QUANTITIES; q++)
			if (events.names[q] && q != Q_FASTEST &&
			    !events.lacking[p * QUANTITIES + q])
				rates[p][q] =
					rate_alone(machine, std::string(events.names[q]) +
								    ":pkg=" + std::to_string(p));
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
const std::array<const char *, 3> kNames = {"steady", "periodic", "bursts"};

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
	std::vector<package_facts> facts;
	// of the traffic in the time of each quantity, by package, compared with steady traffic
	std::vector<Rates> factors;
	unsigned unanswered;
};

// The simulator's time at the beginning and the end of a read, by package.
struct Looks {
	struct sim *sim = nullptr;
	std::array<uint64_t, 2> at = {};

	static uint64_t look(void *of)
	{
		auto *looks = static_cast<Looks *>(of);

		looks->at = {looks->at[1], sim_now(looks->sim)};
		return now_ns();
	}
	uint64_t middle() const
	{
		return at[0] + (at[1] - at[0]) / 2;
	}
};

void wait_and_look(collection *c, double seconds)
{
	const double end = seconds_now() + seconds;

	while (seconds_now() < end) {
		const double left = std::max(end - seconds_now(), 0.0);

		usleep((useconds_t)(1e6 * std::min(collection_pace(c), left)));
		EXPECT_EQ(0, seconds_now() < end ? collection_look(c) : 0);
	}
}

std::vector<uint64_t> middles(const std::vector<Looks> &looks)
{
	std::vector<uint64_t> times;

	for (const Looks &l : looks)
		times.push_back(l.middle());
	return times;
}

// s that the counts of each event cover.
std::vector<double> covered(const collection &c)
{
	std::vector<double> seconds;

	for (size_t i = 0; i < c.basket.n_events; i++)
		seconds.push_back(c.samples[(c.rows - 1) * c.basket.n_events + i].seconds);
	return seconds;
}

double factor_between(struct sim *sim, unsigned package, uint64_t from, uint64_t to)
{
	return (double)(sim_active(sim, package, to) - sim_active(sim, package, from)) /
	       (double)(to - from);
}

Result count(const Handle &h, const Planned &run)
{
	struct sim *sim = unc_hw_sim(unc_hw_of(h.u));
	collection c;
	Result result = {};
	facts all;

	collection_new(&c, h.u, 0.1, nullptr, nullptr);
	std::vector<Looks> looks(c.packages);
	EXPECT_EQ(0, collection_start(&c)) << (c.missing ? c.missing : "");
	for (unsigned p = 0; p < c.packages; p++) {
		looks[p].sim = sim;
		c.basket.units[p].sets[1].clock = {Looks::look, &looks[p]};
	}
	EXPECT_EQ(0, collection_sample(&c, 0));
	const std::vector<uint64_t> from = middles(looks);
	const std::vector<double> until_first = covered(c);
	for (double left = run.seconds; left > 0; left -= 0.1) {
		wait_and_look(&c, std::min(left, 0.1));
		EXPECT_EQ(0, collection_sample(&c, 0));
	}
	const std::vector<uint64_t> to = middles(looks);
	const std::vector<double> until_read = covered(c);
	EXPECT_EQ(0, collection_stop(&c));
	const std::vector<double> until_stop = covered(c); // of multiplexed events, later
	const span whole = {0, c.rows - 1};
	collection_facts(&c, &whole, 1, &all);
	for (unsigned q = 0; q < QUANTITIES; q++)
		result.unanswered += is_unanswered(&all, (quantity)q);
	for (unsigned p = 0; p < c.packages; p++)
		result.facts.push_back(all.at[p]);
	result.factors.resize(c.packages);
	for (size_t i = 0; i < c.basket.n_events; i++) {
		const unsigned p = c.events[i].package;
		const bool multiplexed = all.at[p].window[c.events[i].quantity] != 0;
		const double earlier = multiplexed ? until_first[i] : 0;
		const double later = until_stop[i] - until_read[i];

		result.factors[p][c.events[i].quantity] =
			factor_between(sim, p, from[p] - (uint64_t)(1e9 * earlier),
				       to[p] + (uint64_t)(1e9 * later));
	}
	facts_free(&all);
	collection_free(&c);
	return result;
}

// ---- all of them ----

constexpr unsigned kProgress = 100; // runs between two tables of a long test

// By what a value is, how long the run was, and the load: the key is a line of the table.
class Table
{
      public:
	// Multiplexed values of bursts apart: a burst may fall into no window.
	void add(const Planned &run, bool multiplexed, double apart, double error)
	{
		const std::string what =
			std::string(kNames[run.traffic]) + (multiplexed ? ", multiplexed" : "");
		const bool excepted = run.traffic == kBursts && multiplexed;
		const support::Length length = {run.seconds, run.busy, run.stutter};

		by[0][what].add(apart, error);
		if (excepted)
			return;
		by[1][support::decade_of(run.seconds)].add(apart, error);
		by[2][support::load_of(length)].add(apart, error);
		all.add(apart, error);
		if (run.traffic == kSteady)
			steady.add(apart, error);
	}
	// Of steady traffic without much load: of about a second, and of about ten.
	void add_stated(const Planned &run, bool multiplexed, double relative)
	{
		if (run.traffic != kSteady || run.busy > 2 || run.stutter)
			return;
		if (run.seconds > 0.7 && run.seconds < 1.4)
			second[multiplexed].push_back(relative);
		if (run.seconds > 7)
			ten[multiplexed].push_back(relative);
	}
	static double median(std::vector<double> errors)
	{
		std::sort(errors.begin(), errors.end());
		return errors.empty() ? 0 : errors[errors.size() / 2];
	}
	void print() const
	{
		for (const auto &part : by)
			for (const auto &[what, t] : part)
				std::cout << "| " << what << " | " << t.values << " | "
					  << 100.0 * t.outside / t.values << " % | "
					  << 100.0 * t.far / t.values << " % |\n";
		for (const bool multiplexed : {false, true})
			std::cout << "median stated error of steady traffic"
				  << (multiplexed ? ", multiplexed: " : ": ")
				  << 100 * median(second[multiplexed]) << " % of "
				  << second[multiplexed].size() << " rates at 1 s, "
				  << 100 * median(ten[multiplexed]) << " % of "
				  << ten[multiplexed].size() << " at 10 s" << std::endl;
	}
	Tally all, steady;
	std::array<std::vector<double>, 2> second, ten; // relative; the multiplexed ones

      private:
	std::array<std::map<std::string, Tally>, 3> by;
};

void print_value(const Planned &run, unsigned q, double is, double error, double truth,
		 const char *name)
{
	std::cout << kMachines[run.machine].platform << " " << run.seconds << " s, busy "
		  << run.busy << (run.stutter ? ", stutter" : "") << ", " << kNames[run.traffic]
		  << ", period " << run.period << ": " << name << " (" << q << ") " << is / truth
		  << " +- " << error / truth << "\n";
}

void compare(const Planned &run, const Result &r, const std::vector<Rates> &steady, Table *table)
{
	for (size_t p = 0; p < steady.size(); p++)
		for (const auto &[q, rate] : steady[p]) {
			const package_facts &f = r.facts[p];
			const double truth = rate * (is_clock(q) ? 1 : r.factors[p].at(q));
			const double apart = std::fabs(f.rate[q] - truth) - 1e-5 * truth;

			if (std::isnan(f.rate[q]) || (run.traffic != kSteady && follows_in_part(q)))
				continue;
			table->add(run, f.window[q] != 0, apart, f.error[q]);
			if (truth > 0)
				table->add_stated(run, f.window[q] != 0, f.error[q] / truth);
			if (getenv("UNCORE_EXPLAIN_VERBOSE") && apart > f.error[q])
				print_value(run, q, f.rate[q], f.error[q], truth, f.name[q]);
		}
}

// Processes that run or wait for a processor, without this one; those that run for a moment are no
// load.
unsigned others_running()
{
	unsigned least = UINT_MAX;

	for (int i = 0; i < 3; i++) {
		std::ifstream file("/proc/loadavg");
		std::string mean;
		unsigned running = 1;

		file >> mean >> mean >> mean >> running;
		least = std::min(least, running - 1);
		usleep(1000);
	}
	return least;
}

// Seconds that this process has waited for a processor; 0 where the kernel does not count them.
double seconds_waited()
{
	std::ifstream file("/proc/self/schedstat");
	double ran = 0, waited = 0;

	file >> ran >> waited;
	return waited / 1e9;
}

std::string full_name(const MachineName &name)
{
	return std::string("sim:") + name.platform + ":" + name.options;
}

Result count_under_load(const Handle &h, const Planned &run)
{
	const Load load(run.busy, run.stutter);

	return count(h, run);
}

TEST(Coverage, TrueRatesAreWithinTheErrors)
{
	const unsigned wanted = number_of("UNCORE_EXPLAIN_RUNS", 0), runs = wanted ? wanted : 6;
	std::mt19937 random(number_of("UNCORE_EXPLAIN_SEED", 1));
	std::array<std::vector<Rates>, kMachines.size()> steady;
	unsigned withheld = 0, withheld_of_busy = 0; // of a computer that others keep busy
	Table table;

	for (unsigned i = 0; i < runs; i++) {
		Planned run(random);
		auto options = sized<uncore_options>();
		if (!wanted)
			run.make_short();
		const std::string name = full_name(kMachines[run.machine]);
		options.machine = name.c_str();
		const Handle h(options);
		ASSERT_EQ(0, h.code) << h.message();
		if (steady[run.machine].empty())
			steady[run.machine] = steady_rates(kMachines[run.machine]);
		for (unsigned p = 0; p < steady[run.machine].size(); p++)
			sim_traffic(unc_hw_sim(unc_hw_of(h.u)), p)->pattern = run.pattern();
		unsigned busy = others_running() + run.busy;
		const double waited = seconds_waited();
		const Result r = count_under_load(h, run);
		busy = std::max(busy, others_running() + run.busy);
		const bool calm = busy <= 2 && seconds_waited() - waited < 0.01 * run.seconds;

		compare(run, r, steady[run.machine], &table);
		if (run.seconds >= 0.5 && run.busy <= 2 && !run.stutter)
			(calm ? withheld : withheld_of_busy) += r.unanswered;
		if (wanted && (i + 1) % kProgress == 0 && i + 1 < runs) {
			std::cout << "after " << i + 1 << " runs, " << withheld << " withheld, and "
				  << withheld_of_busy << " because others keep the computer busy\n";
			table.print();
		}
	}
	table.print();
	EXPECT_LE(table.all.outside, 0.05 * table.all.values + 5);
	EXPECT_LE(table.all.far, 0.001 * table.all.values + 2);
	EXPECT_LE(table.steady.far, 0.001 * table.steady.values + 2);
	EXPECT_EQ(0U, withheld);
}

} // namespace
