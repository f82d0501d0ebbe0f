// SPDX-License-Identifier: BSD-3-Clause
// platform_lines_test.cc - requirements of a line in events/platforms.def: each of these tests
// reports missing parts, and where to add them; docs/adding.md.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "metrics/metrics.h"
#include "support/box_types.h"
#include "support/machines.h"
#include "support/simulated.h"
#include "support/source.h"

namespace
{

bool has_models(const struct unc_platform *p)
{
	return p->models[0] != 0;
}

std::vector<const struct unc_platform *> platforms()
{
	std::vector<const struct unc_platform *> all;

	for (auto p = unc_platforms; *p; p++)
		all.push_back(*p);
	return all;
}

std::string folder(const struct unc_platform *p)
{
	return std::string("events/") + p->name;
}

TEST(PlatformLines, EachHasATitleAndModelsOfItsOwn)
{
	std::map<std::pair<unsigned, unsigned>, std::string> owner;
	unsigned others = 0;

	for (const struct unc_platform *p : platforms()) {
		EXPECT_NE("", std::string(p->title))
			<< "give " << p->name << " a title in its line of events/platforms.def";
		others += !has_models(p);
		for (const uint8_t *m = p->models; m < p->models + sizeof(p->models) && *m; m++)
			EXPECT_TRUE(owner.insert({{p->family, *m}, p->name}).second)
				<< "events/platforms.def: model " << unsigned(*m) << " is that of "
				<< owner[{p->family, *m}] << " already, not of " << p->name;
	}
	EXPECT_EQ(1u, others) << "events/platforms.def: one line is for CPUs that no other names; "
				 "all others need their models";
}

TEST(PlatformLines, EachSaysWhichMetricsItHas)
{
	for (const struct unc_platform *p : platforms())
		EXPECT_NE(nullptr, p->desc->metrics)
			<< p->name << " has no metrics: write their recipes in " << folder(p)
			<< "/metrics.c and name them in " << folder(p)
			<< "/boxes.c (.metrics = unc_" << p->name
			<< "_metrics), or mark it as having none (.metrics = "
			<< "unc_no_metrics)";
}

TEST(PlatformLines, EachKindOfBoxHasNamesATitleAndAnIncrement)
{
	for (const struct unc_platform *p : platforms())
		for (const struct unc_box_type *t : support::box_types(p)) {
			const std::string of = std::string(" to a kind of box of ") + p->name +
					       " in its table (" + folder(p) +
					       "/boxes.c, or what it includes)";

			ASSERT_TRUE(*t->name) << "give .name" << of;
			EXPECT_TRUE(*t->title) << "give a .title" << of << ": " << t->name
					       << "; `uncore show` prints it";
			EXPECT_TRUE(*t->sysfs_name)
				<< "give .sysfs_name, the kernel's name," << of << ": " << t->name;
			EXPECT_NE(0u, t->max_inc)
				<< "give .max_inc, the most that a counter adds in a cycle," << of
				<< ": " << t->name << "; wraps are found by it";
		}
}

TEST(PlatformLines, EachCanBeSimulated)
{
	const std::set<std::string> machines(support::kMachines.begin(), support::kMachines.end());

	for (const struct unc_platform *p : platforms()) {
		if (!has_models(p))
			continue;
		ASSERT_TRUE(machines.count(p->name))
			<< "no simulated machine for " << p->name
			<< ": describe it below src/sim, in " << p->name << ".c, as sim_" << p->name
			<< ", and add the line MACHINE(" << p->name << ") to src/sim/machines.def";
		Simulated sim((std::string("sim:") + p->name + ":packages=1").c_str());
		EXPECT_EQ(p, sim.machine.platform)
			<< "sim:" << p->name << " is a CPU of another platform, "
			<< sim.machine.platform->name << ": see .id in its " << p->name
			<< ".c below src/sim";
	}
}

// ---- README ----

// The models that the table of supported processors names: "models 79, 86", "173 to 175".
std::set<unsigned> models_of_readme()
{
	std::ifstream in(support::source_path("README.md"));
	std::set<unsigned> models;
	bool here = false;

	for (std::string line; std::getline(in, line);) {
		if (line.rfind("| processor |", 0) == 0)
			here = true;
		else if (line.empty())
			here = false;
		if (!here)
			continue;
		std::istringstream words(line.substr(0, line.find('|', 1)));
		unsigned before = 0;
		bool range = false;
		for (std::string word; words >> word; range = word == "to") {
			const size_t digit = word.find_first_of("0123456789");
			const unsigned number =
				digit == word.npos || digit > 1 || word.size() < 2
					? 0
					: static_cast<unsigned>(
						  strtoul(word.c_str() + digit, nullptr, 10));

			for (unsigned i = before; range && before && i < number; i++)
				models.insert(i);
			before = word == "to" ? before : number;
			models.insert(number);
		}
	}
	return models;
}

TEST(PlatformLines, EachIsInTheReadme)
{
	const std::set<unsigned> models = models_of_readme();

	for (const struct unc_platform *p : platforms())
		for (const uint8_t *m = p->models; m < p->models + sizeof(p->models) && *m; m++)
			EXPECT_TRUE(models.count(*m))
				<< "README.md, \"Supported processors\": no row names model "
				<< unsigned(*m) << " of " << p->name << " (" << p->title << ")";
}

} // namespace
