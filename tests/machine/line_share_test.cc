// SPDX-License-Identifier: BSD-3-Clause
// line_share_test.cc - the share of memory that a slice of the last-level cache owns, compared with
// what was measured on real processors (tests/machines/README.md).
#include <algorithm>
#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/handle.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using json = nlohmann::json;

// Of the slices of a package.
std::vector<double> shares(const std::string &machine, unsigned package = 0)
{
	const Handle handle(support::sim_options((machine + ",time=virtual").c_str()));
	std::vector<double> list;

	EXPECT_EQ(0, handle.code) << handle.message();
	for (const uncore_box_info &box : handle.boxes("cha"))
		if (box.package == package)
			list.push_back(box.line_share);
	return list;
}

std::string machine_with(const std::string &platform, unsigned slices)
{
	return "sim:" + platform + ":packages=1,cores=" + std::to_string(slices);
}

TEST(LineShares, AreThoseOfTheMeasuredSequences)
{
	unsigned sequences = 0;

	for (const json &recorded : support::data_lines("machines/slice-sequences.jsonl.gz")) {
		const unsigned slices = recorded["slices"];
		const std::vector<unsigned> base = recorded["base"];
		const std::vector<double> share =
			shares(machine_with(recorded["platform"], slices));

		SCOPED_TRACE(recorded["platform"].get<std::string>() + " " +
			     std::to_string(slices));
		ASSERT_EQ(slices, share.size());
		for (unsigned i = 0; i < slices; i++)
			EXPECT_DOUBLE_EQ((double)std::count(base.begin(), base.end(), i) /
						 (double)base.size(),
					 share[i])
				<< i;
		sequences++;
	}
	EXPECT_EQ(12u, sequences);
}

// A Xeon 8160 under STREAM: evictions from the snoop filter are no measure of lines, but the slices
// with more lines are the ones with more of them, which shows that boxes and slices have one order.
TEST(LineShares, OfARealProcessorAreLargerWhereMoreWasCounted)
{
	const std::vector<double> share = shares("sim:skx:packages=1,cores=24");
	const double most = *std::max_element(share.begin(), share.end());
	double least_of_large = 1e300, most_of_small = 0;

	for (const json &c : support::data_lines("machines/slice-counts.jsonl.gz")) {
		const unsigned cha = c["cha"];
		const double count = c["after"].get<double>() - c["before"].get<double>();

		if (cha >= 24) // not on this processor
			EXPECT_EQ(0, count);
		else if (share.at(cha) == most)
			least_of_large = std::min(least_of_large, count);
		else
			most_of_small = std::max(most_of_small, count);
	}
	EXPECT_GT(least_of_large, 1.3 * most_of_small);
	EXPECT_GT(most_of_small, 0);
}

TEST(LineShares, AreNotKnownForOtherNumbersOfSlicesAndOtherProcessors)
{
	for (const char *machine :
	     {"sim:skx:packages=1,cores=12", "sim:icx:packages=1,cores=36",
	      "sim:spr:packages=1,cores=48", "sim:emr:packages=1", "sim:gnr:packages=1"})
		for (const double share : shares(machine))
			EXPECT_EQ(0, share) << machine;
}

TEST(LineShares, AreThoseOfSlicesAlone)
{
	const Handle handle(support::sim_options("sim:skx:packages=2,cores=28,time=virtual"));
	std::map<unsigned, double> sums;

	for (const uncore_box_info &box : handle.boxes())
		if (std::string("cha") == box.kind)
			sums[box.package] += box.line_share;
		else
			EXPECT_EQ(0, box.line_share) << box.kind;
	EXPECT_EQ(2u, sums.size());
	for (const auto &[package, sum] : sums)
		EXPECT_NEAR(1, sum, 1e-9) << package;
}

} // namespace
