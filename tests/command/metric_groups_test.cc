// SPDX-License-Identifier: BSD-3-Clause
// metric_groups_test.cc - the metrics by what one looks at together, and what they are per second.
#include <set>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/metric_groups.h"
#include "command/base/rate.h"
}
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;

std::vector<std::string> names_of(Handle &handle, const char *group, const char *qualifier)
{
	unsigned ids[METRIC_GROUP_MAX];
	const int n = metric_group_events(handle.u, metric_group_named(group), qualifier, ids);
	std::vector<std::string> names;

	EXPECT_GE(n, 0) << group;
	for (int i = 0; i < n; i++)
		names.push_back(uncore_event_name(handle.u, ids[i]));
	return names;
}

TEST(MetricGroups, AreThoseOfTheMachine)
{
	Handle spr(sim_options("sim:spr:packages=2")), snbep(sim_options("sim:snbep")),
		nhmex(sim_options("sim:nhmex")), dmr(sim_options("sim:dmr"));

	EXPECT_EQ(names_of(spr, "PCIe", "pkg=1"),
		  (std::vector<std::string>{"UNCORE_PCIE_READ_BYTES:pkg=1",
					    "UNCORE_PCIE_WRITE_BYTES:pkg=1"}));
	EXPECT_EQ(names_of(snbep, "cache", nullptr),
		  (std::vector<std::string>{
			  "UNCORE_LLC_LOOKUPS", "UNCORE_LLC_MISSES", "UNCORE_LLC_MISS_RATIO_SPLIT",
			  "UNCORE_LLC_DRD_MISS_RATIO", "UNCORE_LLC_RFO_MISS_RATIO"}));
	EXPECT_EQ(names_of(nhmex, "latency", nullptr)[0], "UNCORE_INGRESS_LATENCY_NS");
	EXPECT_EQ(names_of(dmr, "memory", nullptr), std::vector<std::string>());
}

// A name in the table that is misspelt would be left out everywhere.
TEST(MetricGroups, EachMetricIsOfSomeMachine)
{
	std::set<std::string> there;

	for (const char *machine :
	     {"sim:spr:hbm=yes", "sim:knl", "sim:nhmex", "sim:snbep", "sim:bdx", "sim:gnr"}) {
		Handle handle(sim_options(machine));

		for (unsigned i = 0; metric_group(i); i++)
			for (auto &name : names_of(handle, metric_group(i)->name, nullptr))
				there.insert(name);
	}
	for (unsigned i = 0; metric_group(i); i++)
		for (auto *metric = metric_group(i)->metrics; metric->name; metric++) {
			EXPECT_TRUE(there.count(metric->name)) << metric->name;
			EXPECT_TRUE(!metric->otherwise || there.count(metric->otherwise))
				<< metric->otherwise;
		}
}

TEST(MetricGroups, OtherNamesAreNone)
{
	EXPECT_EQ(metric_group_named("memories"), nullptr);
	EXPECT_EQ(metric_group_named(""), nullptr);
}

TEST(MetricGroups, APackageThatIsNotThereHasNone)
{
	Handle handle(sim_options("sim:spr:packages=2"));

	EXPECT_EQ(names_of(handle, "memory", "pkg=2"), std::vector<std::string>());
}

std::string rate(const char *units, double count, double seconds, bool real = false)
{
	struct uncore_event_info info = {};
	char text[RATE_TEXT];

	info.real = real;
	snprintf(info.units, sizeof(info.units), "%s", units);
	return rate_text(text, &info, count, seconds);
}

TEST(Rate, HasThreeDigitsAndAPrefix)
{
	EXPECT_EQ(rate("bytes", 24.66e9, 2), "12.3 GB/s");
	EXPECT_EQ(rate("bytes", 999.4e9, 1), "999 GB/s");
	EXPECT_EQ(rate("bytes", 999.6e9, 1), "1.00 TB/s");
	EXPECT_EQ(rate("bytes", 0, 1), "0.00 B/s");
	EXPECT_EQ(rate("cycles", 1.2e9, 0.5), "2.40 GHz");
	EXPECT_EQ(rate("uJ", 85.12e6, 1), "85.1 W");
	EXPECT_EQ(rate("events", 9.9951e6, 1), "10.0 M/s");
	EXPECT_EQ(rate("events", -2000, 1), "-2.00 k/s");
}

TEST(Rate, IsNotOfMeansNorOfNoTime)
{
	EXPECT_EQ(rate("ns", 5, 1, true), "");
	EXPECT_EQ(rate("bytes", 5, 0), "");
}

} // namespace
