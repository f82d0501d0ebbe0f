// SPDX-License-Identifier: BSD-3-Clause
// busy_machines_test.cc - all portable metrics are multiplexed on simulated machines with
// published events, under steady traffic on a busy computer. By default three machines run
// twice. UNCORE_TEST_RUNS=N runs all machines N times and prints the results: docs/accuracy.md
// has those of 50 runs.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "support/descheduled.h"
#include "support/machines.h"
#include "support/multiplexed.h"

namespace
{

using support::Interposer;
using support::kMillisecond;
using support::kSecond;
using support::Multiplexed;
using support::Set;
using support::Stepped;

const double kOfCounts = 0.02, kOfRatios = 0.01, kBias = 0.003;

struct Metric {
	std::string name;
	bool real;
	double truth; // counts per second
};

double value(const Metric &m, int64_t count, int64_t ns)
{
	return m.real ? uncore_real(count)
		      : static_cast<double>(count) / (1e-9 * static_cast<double>(ns));
}

// The value for one second alone; 0 also if the events of the metric do not fit at once.
double truth_of(Stepped &machine, const Metric &m)
{
	Set set(machine);
	int64_t count = 0, ns = 0;
	const unsigned id = machine.event(m.name);

	if (uncore_set_assign(set.set, &id, 1) < 0)
		return 0;
	EXPECT_EQ(0, set.start()) << machine.message();
	machine.advance(kSecond);
	EXPECT_EQ(0, uncore_set_read_timed(set.set, &count, &ns));
	return value(m, count, ns);
}

// The metrics that count something on this machine.
std::vector<Metric> metrics_of(Stepped &machine)
{
	auto info = support::sized<struct uncore_event_info>();
	std::vector<Metric> all;
	unsigned id;

	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1; i++) {
		EXPECT_EQ(0, uncore_event_info(machine.u, id, &info));
		// frequencies in MHz are read from registers and not multiplexed
		if (info.formula[0] == '\0' || strstr(info.name, "_MHZ"))
			continue;
		all.push_back({info.name, info.real, 0});
		all.back().truth = truth_of(machine, all.back());
		if (!std::isfinite(all.back().truth) || all.back().truth <= 0)
			all.pop_back();
	}
	return all;
}

bool is_withheld(const uncore_times &t)
{
	return t.running_ns < t.enabled_ns && t.error <= UNCORE_ERROR_NO_WINDOW;
}

// Relative errors of eight windows of each metric. NaN: the value was withheld.
std::vector<double> errors_of_run(Stepped &machine, const std::vector<Metric> &metrics,
				  unsigned seed, uint64_t window)
{
	std::vector<std::string> names;
	std::vector<int64_t> counts(metrics.size());
	std::vector<double> errors;
	int64_t ns = 0;

	for (const Metric &m : metrics)
		names.push_back(m.name);
	Multiplexed set(machine, names);
	Interposer between(machine);
	std::mt19937 random(seed);

	EXPECT_EQ(0, set.start()) << machine.message();
	support::deschedule(between, machine, random, 40);
	for (unsigned i = 0; i < 8 * set.rounds(); i++) {
		machine.advance(window);
		set.window();
	}
	support::schedule(between);
	EXPECT_EQ(0, set.stop()) << machine.message();
	EXPECT_EQ(0, uncore_set_read_timed(set.set, counts.data(), &ns));
	const auto times = set.times();

	for (size_t i = 0; i < metrics.size(); i++)
		errors.push_back(is_withheld(times[i])
					 ? NAN
					 : value(metrics[i], counts[i], ns) / metrics[i].truth - 1);
	return errors;
}

// 0: UNCORE_TEST_RUNS is not set.
unsigned runs_asked()
{
	const char *text = getenv("UNCORE_TEST_RUNS");

	return text ? static_cast<unsigned>(atoi(text)) : 0;
}

unsigned runs()
{
	return runs_asked() ? runs_asked() : 2;
}

std::vector<const char *> machines()
{
	return runs_asked() ? support::machines_with_events()
			    : std::vector<const char *>{"snbep", "bdx", "icx"};
}

class BusyMachines : public testing::TestWithParam<std::tuple<const char *, unsigned>>
{
};

TEST_P(BusyMachines, CountCorrectlyInWindowsOrReportNoCount)
{
	Stepped machine(std::get<0>(GetParam()));
	const uint64_t window = std::get<1>(GetParam()) * kMillisecond;
	const std::vector<Metric> metrics = metrics_of(machine);
	std::vector<double> sums(metrics.size()), worst(metrics.size());
	std::vector<unsigned> known(metrics.size());

	for (unsigned run = 0; run < runs(); run++) {
		const auto errors = errors_of_run(machine, metrics, run, window);

		for (size_t i = 0; i < errors.size(); i++) {
			if (std::isnan(errors[i]))
				continue;
			worst[i] = std::max(worst[i], std::fabs(errors[i]));
			sums[i] += errors[i];
			known[i]++;
		}
	}
	for (size_t i = 0; i < metrics.size(); i++) {
		const double limit = metrics[i].real ? kOfRatios : kOfCounts;

		EXPECT_LE(worst[i], limit) << metrics[i].name;
		if (known[i]) {
			EXPECT_LE(std::fabs(sums[i]) / known[i], runs() < 50 ? limit : kBias)
				<< metrics[i].name;
		}
		if (runs_asked())
			printf("%s %u ms %s: worst %.5f, mean %+.5f, withheld %u of %u\n",
			       std::get<0>(GetParam()), std::get<1>(GetParam()),
			       metrics[i].name.c_str(), worst[i], known[i] ? sums[i] / known[i] : 0,
			       runs() - known[i], runs());
	}
}

INSTANTIATE_TEST_SUITE_P(Platforms, BusyMachines,
			 testing::Combine(testing::ValuesIn(machines()),
					  testing::Values(10u, 100u, 200u)),
			 [](const auto &info) {
				 return support::machine_label(std::get<0>(info.param)) + "_" +
					std::to_string(std::get<1>(info.param)) + "ms";
			 });

} // namespace
