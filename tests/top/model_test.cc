// SPDX-License-Identifier: BSD-3-Clause
// model_test.cc - the counts of `uncore top` on simulated machines.
#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>

extern "C" {
#include "command/top/layout.h"
#include "command/top/model.h"
#include "command/top/number.h"
}
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;

class Model : public testing::TestWithParam<const char *>
{
};

bool all_known(const top_view *view)
{
	for (size_t s = 0; s < view->n; s++)
		for (size_t i = 0; i < view->sections[s].n; i++)
			for (unsigned p = 0; p < view->packages; p++)
				if (std::isnan(view->sections[s].metrics[i].packages[p].number))
					return false;
	return true;
}

// However long the machine that tests run on takes for a window of each event.
const top_view *read_all(top_model *model)
{
	const top_view *view = nullptr;

	for (unsigned tries = 0; tries < 1000 && (!view || !all_known(view)); tries++) {
		std::this_thread::sleep_for(std::chrono::milliseconds(20));
		view = top_model_read(model);
	}
	return view;
}

void expect_sums(const top_metric &m, unsigned packages)
{
	std::vector<double> sums(packages);

	for (size_t i = 0; i < m.n_boxes; i++) {
		EXPECT_FALSE(std::isnan(m.boxes[i].value.number)) << m.label << " " << i;
		sums[m.boxes[i].package] += m.boxes[i].value.number;
	}
	for (unsigned p = 0; m.n_boxes && p < packages; p++)
		EXPECT_NEAR(sums[p], m.packages[p].number, 1e-6 * sums[p]) << m.label;
	if (std::string(m.units) == "bytes" && packages > 1) {
		EXPECT_GT(m.packages[1].number, 0) << m.label;
	}
}

TEST_P(Model, FindsCountsAndRestores)
{
	Handle handle(sim_options(GetParam()));
	top_model *model = top_model_new(handle.u, 0.02);

	ASSERT_EQ(0, top_model_start(model)) << handle.message();
	const top_view *view = read_all(model);

	EXPECT_TRUE(all_known(view));
	EXPECT_TRUE(view->simulated);
	EXPECT_EQ(0u, view->n_notes) << view->notes[0];
	for (size_t s = 0; s < view->n; s++) {
		std::set<std::string> labels;
		const top_section &section = view->sections[s];

		ASSERT_GT(section.n_history, 0u);
		for (unsigned p = 0; p < view->packages; p++)
			EXPECT_EQ(section.metrics[0].packages[p].number,
				  section.history[p * TOP_HISTORY + section.n_history - 1]);
		for (size_t i = 0; i < view->sections[s].n; i++) {
			const top_metric &m = view->sections[s].metrics[i];

			EXPECT_LE(strlen(m.label), 10u) << m.label << " is wider than its column";
			EXPECT_TRUE(labels.insert(m.label).second) << m.label;
			EXPECT_STRNE("", m.units) << m.label;
			expect_sums(m, view->packages);
		}
	}
	for (int i = 0; i <= TOP_HISTORY; i++)
		view = top_model_read(model);
	EXPECT_EQ(size_t(TOP_HISTORY), view->sections[0].n_history);
	EXPECT_EQ(0, top_model_stop(model)) << handle.message();
	top_model_free(model);
}

INSTANTIATE_TEST_SUITE_P(Machines, Model,
			 testing::Values("sim:nhmex", "sim:snbep", "sim:knl", "sim:spr:packages=2",
					 "sim:gnr:packages=1", "sim:dmr"),
			 [](const auto &info) {
				 const std::string name = info.param + 4;

				 return name.substr(0, name.find(':'));
			 });

std::string sections(const char *machine)
{
	Handle handle(sim_options(machine));
	top_model *model = top_model_new(handle.u, 0.02);
	std::string text;

	EXPECT_EQ(0, top_model_start(model));
	const top_view *view = top_model_read(model);

	for (size_t s = 0; s < view->n; s++) {
		text += view->sections[s].title[0];
		for (size_t i = 0; i < view->sections[s].n; i++)
			text += view->sections[s].metrics[i].detail == TOP_MAP      ? '#'
				: view->sections[s].metrics[i].detail == TOP_NUMBER ? '+'
										    : '.';
	}
	top_model_free(model);
	return text;
}

// M)emory, La)tency and cache, Li)nks, P)CIe and power; + with boxes, # with a map.
TEST(TopModel, ShowsWhatTheMachineHas)
{
	EXPECT_EQ("M++..L....L#....L++.P..P.....", sections("sim:snbep"));
	EXPECT_EQ("M++.++L...L#P....", sections("sim:knl"));
	EXPECT_EQ("P..", sections("sim:dmr"));
	EXPECT_EQ("M++..L....L....#L++.P..P.....", sections("sim:gnr:packages=1"));
}

// 2.3 GHz; the first window of known length also represents the time before the interval.
TEST(TopModel, MeansAreThoseOfTheInterval)
{
	Handle handle(sim_options("sim:skx:packages=1"));
	top_model *model = top_model_new(handle.u, 0.02);
	unsigned known = 0;

	ASSERT_EQ(0, top_model_start(model)) << handle.message();
	for (unsigned i = 0; i < 1000 && known < 10; i++) {
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
		const top_view *view = top_model_read(model);

		for (size_t s = 0; s < view->n; s++)
			for (size_t k = 0; k < view->sections[s].n; k++) {
				const top_metric &m = view->sections[s].metrics[k];

				if (std::string(m.name) != "UNCORE_FREQUENCY" ||
				    std::isnan(m.packages[0].number))
					continue;
				EXPECT_GT(4e9, m.packages[0].number) << "interval " << i;
				known++;
			}
	}
	EXPECT_LT(0u, known);
	top_model_free(model);
}

// ---- NUMA nodes ----

// Channel by channel, of perf's table for two clusters.
TEST(TopModel, ChannelsAndRowsHaveTheirNode)
{
	static const char *const nodes[] = {"0", "0", "1", "1"};
	Handle handle(sim_options("sim:spr:packages=2,clusters=2"));
	top_model *model = top_model_new(handle.u, 0.02);

	ASSERT_EQ(0, top_model_start(model)) << handle.message();
	const top_view *view = read_all(model);
	const top_metric &read = view->sections[0].metrics[0];
	double sums[4] = {};

	ASSERT_EQ(4u, view->n_nodes);
	ASSERT_EQ(16u, read.n_boxes);
	for (size_t i = 0; i < read.n_boxes; i++) {
		const top_box &b = read.boxes[i];
		const int node = std::stoi(nodes[b.number % 4]) + 2 * static_cast<int>(b.package);

		ASSERT_NE(nullptr, b.node) << i;
		EXPECT_EQ(std::to_string(node), b.node) << i;
		sums[node] += b.value.number;
	}

	top_rows rows = {};
	top_layout(view, nullptr, 120, &rows);
	const std::string text(rows.text, rows.n * rows.width);
	for (unsigned node = 0; node < 4; node++) {
		char number[TOP_NUMBER_TEXT];
		const top_value value = {sums[node], false, 0};
		const size_t at = text.find("  node " + std::to_string(node) + " ");

		ASSERT_NE(std::string::npos, at) << node;
		EXPECT_NE(std::string::npos,
			  text.substr(at, rows.width).find(top_number_text(number, &read, &value)))
			<< text.substr(at, rows.width);
		EXPECT_NE(std::string::npos, text.find("socket " + std::to_string(node / 2) +
						       " node " + std::to_string(node)))
			<< node; // the map of the slices
	}
	EXPECT_NE(std::string::npos,
		  text.find("  node                        0      0      1      1      0"));
	free(rows.text);
	free(rows.style);
	top_model_free(model);
}

TEST(TopModel, APackageThatIsANodeHasNoRowOfIt)
{
	Handle handle(sim_options("sim:spr:packages=2"));
	top_model *model = top_model_new(handle.u, 0.02);

	ASSERT_EQ(0, top_model_start(model)) << handle.message();
	EXPECT_EQ(0u, top_model_read(model)->n_nodes);
	top_model_free(model);
}

} // namespace
