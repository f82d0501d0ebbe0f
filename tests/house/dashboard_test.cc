// SPDX-License-Identifier: BSD-3-Clause
// dashboard_test.cc - examples/exporter/dashboard.json is one, and what it asks for is exported;
// so is what docs/monitoring.md names.
#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

extern "C" {
#include "command/exporter/metrics_text.h"
}
#include "support/sim_machine.h"
#include "support/source.h"

namespace
{

std::string file(const char *name)
{
	std::ifstream in(support::source_path(name));
	std::stringstream text;

	EXPECT_TRUE(in) << name;
	text << in.rdbuf();
	return text.str();
}

std::string page_of(const struct exports *e)
{
	size_t length;
	char *page = metrics_text(e, TEXT_OPENMETRICS, &length);
	const std::string text(page, length);

	free(page);
	return text;
}

size_t samples_in(const std::string &text)
{
	std::istringstream lines(text);
	size_t n = 0;

	for (std::string line; std::getline(lines, line);)
		n += line[0] != '#';
	return n;
}

bool has_all(const std::set<std::string> &names, const std::set<std::string> &wanted)
{
	return std::includes(names.begin(), names.end(), wanted.begin(), wanted.end());
}

// Adds the names of samples that the machine exports. A multiplexed event is exported from its
// first window on: until the wanted names are there, they are read every 10 ms, `rounds` times at
// most.
void add_exported(const char *spec, int rounds, const std::set<std::string> &wanted,
		  std::set<std::string> *names)
{
	static const char groups[] = "memory,latency,dram,links,pcie,cache,energy,power,frequency";
	const std::regex name("(?:^|\n)(uncore_[a-z0-9_]+)");
	support::Handle handle(support::sim_options(spec));
	exports_options options = {};
	struct exports *e;
	std::string text;

	options.groups = groups;
	ASSERT_EQ(exports_open(&e, handle.u, &options), 0) << spec;
	exports_start(e);
	for (int i = 0; i < rounds && !has_all(*names, wanted); i++) {
		usleep(i == 0 ? 0 : 10000);
		exports_read(e);
		text = page_of(e);
		for (std::sregex_iterator s(text.begin(), text.end(), name), end; s != end; ++s)
			names->insert((*s)[1]);
		if (samples_in(text) == exports_samples(e))
			break;
	}
	exports_close(e);
}

// Names of samples that some simulated machine exports, and those of `wanted` before others.
std::set<std::string> exported(const std::set<std::string> &wanted)
{
	std::set<std::string> names;

	for (int rounds : {1, 500})
		for (const char *spec :
		     {"sim:nhmex", "sim:snbep", "sim:knl", "sim:spr:hbm=yes", "sim:gnr"})
			if (!has_all(names, wanted))
				add_exported(spec, rounds, wanted, &names);
	return names;
}

std::set<std::string> names_in(const std::string &text)
{
	const std::regex name("\\buncore_[a-z0-9_]*[a-z0-9]\\b");
	std::set<std::string> names;

	for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
		names.insert(i->str());
	return names;
}

TEST(Dashboard, AsksForWhatIsExported)
{
	const auto dashboard = nlohmann::json::parse(file("examples/exporter/dashboard.json"));
	std::set<int> ids;
	std::string asked;

	EXPECT_EQ(dashboard["title"], "Uncore");
	EXPECT_GE(dashboard["schemaVersion"], 30);
	for (auto &panel : dashboard["panels"]) {
		const auto &at = panel["gridPos"];

		EXPECT_TRUE(ids.insert(panel["id"].get<int>()).second) << panel["title"];
		EXPECT_LE(int(at["x"]) + int(at["w"]), 24) << panel["title"];
		EXPECT_FALSE(panel["targets"].empty()) << panel["title"];
		for (auto &target : panel["targets"])
			asked += std::string(target["expr"]) + "\n";
	}
	for (auto &variable : dashboard["templating"]["list"])
		if (variable.contains("definition"))
			asked += variable["definition"];
	const auto all = exported(names_in(asked));
	EXPECT_GT(all.size(), 30u);
	for (auto &name : names_in(asked))
		EXPECT_TRUE(all.count(name)) << name << " is exported by no machine";
	EXPECT_GT(names_in(asked).size(), 25u);
}

// Whole names, that is: with the ending of a counter, or in a label's row.
TEST(Dashboard, DocumentNamesWhatIsExported)
{
	const std::string text = file("docs/monitoring.md");
	const std::regex name("`(uncore_[a-z0-9_]+(_total|_hertz|_seconds|_ratio|_info))[`{\\[]");
	std::set<std::string> named;

	for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
		// series of owners need processes: tests/exporter/exporter_test.sh
		if ((*i)[1].str().rfind("uncore_owner_", 0) != 0)
			named.insert((*i)[1]);
	EXPECT_GT(named.size(), 25u);
	const auto all = exported(named);
	for (auto &n : named)
		EXPECT_TRUE(all.count(n)) << n << " is exported by no machine";
}

} // namespace
