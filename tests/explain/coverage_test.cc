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
#include "support/stepped.h"

extern "C" {
#include "command/base/clock.h"
#include "command/explain/collect.h"
}

namespace
{

using support::Handle;
using support::sized;

struct MachineName {
	const char *platform, *options;
};

const std::array<MachineName, 6> kMachines = {{{"skx", "packages=2,cores=8"},
					       {"hswep", "packages=2,cores=8"},
					       {"icx", "packages=1,cores=8"},
					       {"spr", "packages=1,cores=8"},
					       {"gnr", "packages=1,cores=8"},
					       {"srf", "packages=1,cores=8"}}};

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

	collection_new(&events, machine.u, 0.1, nullptr);
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
	std::vector<double> factors; // of the traffic of each package, compared with steady traffic
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

Result count(const Handle &h, const Planned &run)
{
	struct sim *sim = unc_hw_sim(unc_hw_of(h.u));
	collection c;
	Result result = {};
	facts all;

	collection_new(&c, h.u, 0.1, nullptr);
	std::vector<Looks> looks(c.packages);
	EXPECT_EQ(0, collection_start(&c)) << (c.missing ? c.missing : "");
	for (unsigned p = 0; p < c.packages; p++) {
		looks[p].sim = sim;
		c.basket.units[p].sets[1].clock = {Looks::look, &looks[p]};
	}
	EXPECT_EQ(0, collection_sample(&c, 0));
	const std::vector<uint64_t> from = middles(looks);
	for (double left = run.seconds; left > 0; left -= 0.1) {
		wait_and_look(&c, std::min(left, 0.1));
		EXPECT_EQ(0, collection_sample(&c, 0));
	}
	const std::vector<uint64_t> to = middles(looks);
	EXPECT_EQ(0, collection_stop(&c));
	const span whole = {0, c.rows - 1};
	collection_facts(&c, &whole, 1, &all);
	for (unsigned q = 0; q < QUANTITIES; q++)
		result.unanswered += is_unanswered(&all, (quantity)q);
	for (unsigned p = 0; p < c.packages; p++) {
		result.facts.push_back(all.at[p]);
		result.factors.push_back(
			(double)(sim_active(sim, p, to[p]) - sim_active(sim, p, from[p])) /
			(double)(to[p] - from[p]));
	}
	facts_free(&all);
	collection_free(&c);
	return result;
}

// ---- all of them ----

struct Tally {
	unsigned values = 0, outside = 0, far = 0;

	void add(double apart, double error)
	{
		values++;
		outside += apart > error;
		far += apart > 3 * error;
	}
	void operator+=(const Tally &other)
	{
		values += other.values;
		outside += other.outside;
		far += other.far;
	}
};

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
		const unsigned decade = (unsigned)std::floor(std::log10(run.seconds) + 3);

		by[0][what].add(apart, error);
		if (excepted)
			return;
		by[1][std::array<const char *, 4>{"1 to 10 ms", "10 to 100 ms", "0.1 to 1 s",
						  "1 to 10 s"}[std::min(decade, 3U)]]
			.add(apart, error);
		by[2][run.stutter     ? "stopped again and again"
		      : run.busy <= 2 ? "0 to 2 busy processes"
				      : "3 to 8 busy processes"]
			.add(apart, error);
		all.add(apart, error);
		if (run.traffic == kSteady)
			steady.add(apart, error);
	}
	void print() const
	{
		for (const auto &part : by)
			for (const auto &[what, t] : part)
				std::cout << "| " << what << " | " << t.values << " | "
					  << 100.0 * t.outside / t.values << " % | "
					  << 100.0 * t.far / t.values << " % |\n";
	}
	Tally all, steady;

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
			const double truth = rate * (is_clock(q) ? 1 : r.factors[p]);
			const double apart = std::fabs(f.rate[q] - truth) - 1e-5 * truth;

			if (std::isnan(f.rate[q]) || (run.traffic != kSteady && follows_in_part(q)))
				continue;
			table->add(run, f.window[q] != 0, apart, f.error[q]);
			if (getenv("UNCORE_EXPLAIN_VERBOSE") && apart > f.error[q])
				print_value(run, q, f.rate[q], f.error[q], truth, f.name[q]);
		}
}

std::string full_name(const MachineName &name)
{
	return std::string("sim:") + name.platform + ":" + name.options;
}

TEST(Coverage, TrueRatesAreWithinTheErrors)
{
	const unsigned wanted = number_of("UNCORE_EXPLAIN_RUNS", 0), runs = wanted ? wanted : 6;
	std::mt19937 random(number_of("UNCORE_EXPLAIN_SEED", 1));
	std::array<std::vector<Rates>, kMachines.size()> steady;
	unsigned withheld = 0;
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
		const Load load(run.busy, run.stutter);
		const Result r = count(h, run);

		compare(run, r, steady[run.machine], &table);
		if (run.seconds >= 0.5 && run.busy <= 2 && !run.stutter)
			withheld += r.unanswered;
	}
	table.print();
	EXPECT_LE(table.all.outside, 0.05 * table.all.values + 5);
	EXPECT_LE(table.all.far, 0.001 * table.all.values + 2);
	EXPECT_LE(table.steady.far, 0.001 * table.steady.values + 2);
	EXPECT_EQ(0U, withheld);
}

} // namespace
