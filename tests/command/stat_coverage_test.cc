// SPDX-License-Identifier: BSD-3-Clause
// stat_coverage_test.cc - how far the rates of `uncore stat` are from those of the simulator, in
// runs of random length and load, and whether estimates are within twice their standard error.
// UNCORE_STAT_RUNS=300 makes that many of them, UNCORE_EXPLAIN_SEED changes them.  Without it there
// are a few short ones, and no load that would disturb other tests.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <json-c/json.h>

#include "support/coverage.h"
#include "support/stepped.h"

namespace
{

using support::Length;

const std::array<const char *, 5> kMachines = {"hswep", "skx", "icx", "spr", "gnr"};
const char kOptions[] = "packages=1,cores=8";

// ---- the command ----

std::string output_of(const std::string &command)
{
	FILE *pipe = popen(command.c_str(), "r");
	std::array<char, 4096> part;
	std::string all;
	size_t n;

	while (pipe && (n = fread(part.data(), 1, part.size(), pipe)) > 0)
		all.append(part.data(), n);
	if (pipe)
		EXPECT_EQ(0, pclose(pipe)) << command;
	return all;
}

struct Rate {
	std::string event;
	double value, error; // a second; error: twice the standard error, NAN: unknown
	bool multiplexed;
};

double number(json_object *o, const char *key)
{
	json_object *value = nullptr;

	return json_object_object_get_ex(o, key, &value) && value ? json_object_get_double(value)
								  : NAN;
}

// Rates, without means.
std::vector<Rate> rates_of(const std::string &text)
{
	std::vector<Rate> rates;
	json_object *all = json_tokener_parse(text.c_str()), *list = nullptr;

	json_object_object_get_ex(all, "counts", &list);
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *o = json_object_array_get_idx(list, i), *name = nullptr;
		const double value = number(o, "per_second"), count = number(o, "count");

		json_object_object_get_ex(o, "event", &name);
		if (value > 0 && count > 0)
			rates.push_back({json_object_get_string(name), value,
					 2 * number(o, "error") * value / count,
					 number(o, "running_ns") < number(o, "enabled_ns")});
	}
	json_object_put(all);
	return rates;
}

std::vector<Rate> count(const std::string &machine, double seconds, bool multiplexed)
{
	const std::string tool = std::string(getenv("BUILD")) + "/uncore";

	return rates_of(output_of(tool + " stat --json -M memory" +
				  (multiplexed ? ",cache --multiplex" : "") +
				  " --machine sim:" + machine + ":" + kOptions + " -d " +
				  std::to_string(seconds) + " 2>/dev/null"));
}

// ---- the truth ----

// The simulator's rate of an event, in a set of its own on a machine whose time is stepped.
class Truth
{
      public:
	double of(const std::string &machine, const std::string &event)
	{
		auto found = rates.find({machine, event});

		if (found == rates.end())
			found = rates.emplace(std::make_pair(machine, event),
					      counted(machine, event))
					.first;
		return found->second;
	}

      private:
	static double counted(const std::string &name, const std::string &event)
	{
		support::Stepped machine(name, kOptions);
		struct uncore_set *set = nullptr;
		unsigned id = machine.event(event);
		int64_t count = 0;

		EXPECT_EQ(0, uncore_set_create(machine.u, &set));
		EXPECT_EQ(0, uncore_set_assign(set, &id, 1)) << machine.message();
		EXPECT_EQ(0, uncore_set_start(set)) << machine.message();
		machine.advance(10 * support::kSecond);
		EXPECT_EQ(0, uncore_set_read(set, &count));
		uncore_set_destroy(set);
		return (double)count / 10;
	}
	std::map<std::pair<std::string, std::string>, double> rates;
};

// ---- runs ----

// Relative distances, by line of a table.
class Distances
{
      public:
	void add(const std::string &what, double distance)
	{
		of[what].push_back(distance);
	}
	void print() const
	{
		for (auto [what, list] : of) {
			std::sort(list.begin(), list.end());
			std::cout << "| " << what << " | " << list.size() << " | "
				  << 100 * list[list.size() / 2] << " % | "
				  << 100 * list[list.size() * 95 / 100] << " % | "
				  << 100 * list.back() << " % |" << std::endl;
		}
	}

      private:
	std::map<std::string, std::vector<double>> of;
};

TEST(StatCoverage, RatesAreThoseOfTheSimulator)
{
	if (!getenv("BUILD"))
		GTEST_SKIP() << "BUILD names no directory with the uncore command";
	const unsigned wanted = support::number_of("UNCORE_STAT_RUNS", 0),
		       runs = wanted ? wanted : 6;
	std::mt19937 random(support::number_of("UNCORE_EXPLAIN_SEED", 1));
	std::uniform_real_distribution<double> unit(0, 1);
	support::Outcomes estimates;
	Distances distances;
	Truth truth;

	for (unsigned i = 0; i < runs; i++) {
		const Length run = {1e-3 * std::pow(wanted ? 1e4 : 300, unit(random)),
				    wanted ? (unsigned)(random() % 9) : 0, false};
		const std::string machine = kMachines[random() % kMachines.size()];
		const support::Load load(run.busy, false);

		for (const Rate &rate : count(machine, run.seconds, i % 2)) {
			const double is = truth.of(machine, rate.event);
			const double apart = std::fabs(rate.value - is);
			const std::string kind =
				rate.multiplexed ? "multiplexed, " : "counted all the time, ";

			distances.add(kind + support::decade_of(run.seconds), apart / is);
			distances.add(kind + support::load_of(run), apart / is);
			if (rate.multiplexed)
				estimates.add("multiplexed", run, apart, rate.error);
			else
				EXPECT_LE(apart, (0.01 + 0.002 / run.seconds) * is) << rate.event;
		}
	}
	distances.print();
	estimates.print();
	EXPECT_EQ(0u, estimates.all.far);
	// Rates of one run are off by the same part, so a few runs do not show the share of 5 %.
	if (wanted) {
		EXPECT_LE(estimates.all.outside, 0.05 * estimates.all.values + 2);
	}
}

} // namespace
