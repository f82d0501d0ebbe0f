// SPDX-License-Identifier: BSD-3-Clause
// metric_table_test.cc - the metrics by what one looks at together, and what they are per second.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

extern "C" {
#include "command/base/metric_table.h"
#include "command/base/rate.h"
}
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;

std::vector<std::string> names_of(Handle &handle, const char *group)
{
	unsigned ids[METRIC_GROUP_MAX];
	const int n = metric_group_events(handle.u, metric_group_named(group), ids);
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

	EXPECT_EQ(names_of(spr, "PCIe"),
		  (std::vector<std::string>{"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES"}));
	EXPECT_EQ(names_of(snbep, "cache"),
		  (std::vector<std::string>{
			  "UNCORE_LLC_LOOKUPS", "UNCORE_LLC_MISSES", "UNCORE_LLC_MISS_RATIO_SPLIT",
			  "UNCORE_LLC_DRD_MISS_RATIO", "UNCORE_LLC_RFO_MISS_RATIO"}));
	EXPECT_EQ(names_of(nhmex, "latency")[0], "UNCORE_INGRESS_LATENCY_NS");
	EXPECT_EQ(names_of(dmr, "memory"), std::vector<std::string>());
}

std::vector<const struct metric_row *> all_rows()
{
	std::vector<const struct metric_row *> rows;

	for (unsigned i = 0; metric_row(i); i++)
		rows.push_back(metric_row(i));
	return rows;
}

bool is_in_group(const struct metric_row *row)
{
	for (unsigned i = 0; metric_group(i); i++)
		if (metric_place(row, metric_group(i)))
			return true;
	return false;
}

TEST(MetricGroups, EachMetricIsOfSomeMachine)
{
	std::set<std::string> names;

	for (const char *machine :
	     {"sim:spr:hbm=yes", "sim:knl", "sim:nhmex", "sim:snbep", "sim:bdx", "sim:gnr"}) {
		Handle handle(sim_options(machine));

		for (unsigned i = 0; metric_group(i); i++)
			for (auto &name : names_of(handle, metric_group(i)->name))
				names.insert(name);
	}
	for (auto row : all_rows()) {
		if (is_in_group(row)) {
			EXPECT_TRUE(names.count(row->name)) << row->name;
		}
	}
}

TEST(MetricGroups, HoldAllMetricsThatNameThem)
{
	for (unsigned i = 0; metric_group(i); i++) {
		const struct metric_row *rows[METRIC_GROUP_MAX];
		const auto all = all_rows();
		const auto n = std::count_if(all.begin(), all.end(), [i](auto row) {
			return metric_place(row, metric_group(i)) > 0;
		});

		EXPECT_GT(n, 0) << metric_group(i)->name;
		EXPECT_EQ(n, metric_group_rows(metric_group(i), rows)) << metric_group(i)->name;
	}
}

TEST(MetricTable, ColumnsOfTopAreInASection)
{
	for (auto row : all_rows()) {
		if (row->column.label) {
			EXPECT_TRUE(is_in_group(row) != row->column.fallback) << row->name;
			EXPECT_LE(strlen(row->column.label), 10u) << row->name;
		}
	}
}

TEST(MetricTable, UnitsAreThoseOfTheEvents)
{
	std::set<std::string> seen;

	for (const char *machine :
	     {"sim:snbep", "sim:bdx", "sim:skx", "sim:knl", "sim:spr:hbm=yes"}) {
		Handle handle(sim_options(machine));

		for (auto row : all_rows()) {
			auto info = support::sized<struct uncore_event_info>();
			unsigned id;

			if (uncore_event(handle.u, row->name, &id) < 0)
				continue;
			ASSERT_EQ(uncore_event_info(handle.u, id, &info), 0) << row->name;
			EXPECT_STREQ(row->units, info.units) << row->name;
			EXPECT_EQ(row->real, info.real == 1) << row->name;
			seen.insert(row->name);
		}
	}
	EXPECT_GT(seen.size(), 60u);
}

TEST(MetricGroups, OtherNamesAreUnknown)
{
	EXPECT_EQ(metric_group_named("memories"), nullptr);
	EXPECT_EQ(metric_group_named(""), nullptr);
}

TEST(Rate, IsPerSecondOfTheTimeThatWasCounted)
{
	EXPECT_EQ(per_second(3, 2), 1.5);
	EXPECT_EQ(per_second(0, 2), 0);
	EXPECT_TRUE(std::isnan(per_second(3, 0)));
	EXPECT_TRUE(std::isnan(per_second(3, -1)));
}

std::string rate(const char *units, double count, double seconds)
{
	char text[RATE_TEXT];

	return rate_text(text, units, count, seconds);
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
	EXPECT_EQ(rate(nullptr, 5, 1), "");
	EXPECT_EQ(rate("bytes", 5, 0), "");
}

} // namespace
